// What passes between the stages of the sound path.

/** A short stretch of mono sound, ±1. `rate` in Hz. Whoever made the samples may use their memory again for the next ones. */
export interface Sound {
  mono: Float32Array;
  rate: number;
  /** There is an encoder's silence before and after all of it, nobody says how much. */
  padded?: boolean;
}

/** An Opus packet of 20 ms that goes out as it came in. */
interface ReadyPacket {
  packet: Uint8Array;
}

export type Piece = Sound | ReadyPacket;

/** Turns bytes into sound. What it gives is computed only as far as it is pulled, so a large chunk costs no more at once than a small one. */
export interface Decoder {
  push(bytes: Uint8Array): Iterable<Piece>;
  /** After the last byte. Throws AudioError `truncated` when the format says that more should have come. */
  end(): Iterable<Piece>;
  free(): void;
}
