// What the voice layer plays and gives back. It knows no API: an Utterance is frames and nothing else.
import type { VoiceBasedChannel } from 'discord.js';

/** Something to be played once. */
export interface Utterance {
  /** Starts fetching what is needed for the first sound; may be called often, does so once. Never throws: failures reject `ready`. */
  prepare(): void;
  /** Settles when the first frame is there (after `prepare` or `open`), or with what went wrong before it. */
  readonly ready: Promise<void>;
  /** 20 ms Opus packets, 48 kHz; iterate once. Throws what goes wrong in mid-speech. */
  open(signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** Will not be played (any more): frees what `prepare` holds. */
  cancel(): void;
}

/** How an utterance ended. `seconds` of sound were sent, or would have been, had anybody been there to hear them. */
export type Outcome =
  | { ended: 'played' | 'skipped' | 'stopped'; seconds: number }
  /** `cause` is what the utterance threw, or a VoiceError. */
  | { ended: 'failed'; seconds: number; cause: unknown };

export interface Playback {
  /** How many utterances were before it when it was queued; 0 = it is the current one. */
  readonly position: number;
  /** Resolves when its first packet left (milliseconds since it was queued), or with null when it ended before that. */
  readonly started: Promise<number | null>;
  /** Always resolves. */
  readonly finished: Promise<Outcome>;
}

export interface Session {
  readonly guildId: string;
  readonly channelId: string;
  /** Connected, and end-to-end encrypted where somebody is there to hear it. Rejects with VoiceError. */
  readonly ready: Promise<void>;
  /** Utterances not yet ended, the current one included. */
  readonly length: number;
  enqueue(utterance: Utterance): Playback;
  /** Ends the current utterance; the next one begins. False when nothing was playing. */
  skip(): boolean;
  /** Ends the current utterance and empties the queue; says how many were dropped. */
  stop(): number;
  leave(): void;
}

export interface Sessions {
  get(guildId: string): Session | undefined;
  /** Joins the channel, or moves there when the guild's session is elsewhere and silent (else throws VoiceError `busy`); returns at once, `ready` tells when. Throws `disconnected` after `close`. */
  join(channel: VoiceBasedChannel): Session;
  /** Leaves everywhere. With `drain`, the current utterances end first (at most that many ms). */
  close(options?: { drain?: number }): Promise<void>;
}

export type VoiceErrorKind =
  /** The guild's session is speaking in another channel. */
  | 'busy'
  /** Discord never let us in: no voice server answered in time. */
  | 'join-timeout'
  /** The end-to-end encrypted group was not established, even after one more join. */
  | 'encryption-timeout'
  /** Disconnected by a moderator, or the channel is gone. */
  | 'disconnected'
  /** Closed for good by Discord (4017, 4021, 4022). */
  | 'refused';

/** What went wrong with a voice connection. `code` is the voice gateway's close code where there was one. */
export class VoiceError extends Error {
  readonly kind: VoiceErrorKind;
  readonly code: number | null;
  constructor(kind: VoiceErrorKind, message: string, options: { code?: number | null; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'VoiceError';
    this.kind = kind;
    this.code = options.code ?? null;
  }
}
