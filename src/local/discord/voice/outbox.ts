// The messages of the voice gateway to a client: numbered, and kept until acknowledged, so that a resumed connection misses none.
// https://docs.discord.com/developers/topics/voice-connections#buffered-resume

/** Unacknowledged messages kept: many more than are sent between two heartbeats. */
const MAX_KEPT = 1024;
const MAX_SEQUENCE = 0xffff;

export interface Outbox {
  send(op: number, d: unknown): void;
  /** Wire format: sequence number (16 bit), opcode, payload. */
  sendBinary(op: number, payload: Buffer): void;
  /** The client has received everything up to this number. */
  acknowledge(sequence: number): void;
  /** A function that sends all messages after this number (-1: all) again; null if they are no longer kept. */
  replay(sequence: number): (() => void) | null;
}

/** `deliver`: to the client, if there is a connection. */
export function createOutbox(deliver: (data: string | Buffer) => void): Outbox {
  let last = 0;
  let kept: { sequence: number; data: string | Buffer }[] = [];
  /** The number before the first kept message. */
  let forgotten = 0;

  function next(): number {
    last = last === MAX_SEQUENCE ? 1 : last + 1;
    return last;
  }

  function push(sequence: number, data: string | Buffer): void {
    kept.push({ sequence, data });
    if (kept.length > MAX_KEPT) forgotten = kept.shift()?.sequence ?? forgotten;
    deliver(data);
  }

  /** Index of the first kept message after this number; -1 if the number is unknown. */
  function indexAfter(sequence: number): number {
    if (sequence === forgotten || (sequence < 0 && forgotten === 0)) return 0;
    return kept.findIndex((message) => message.sequence === sequence) + 1 || -1;
  }

  return {
    send(op, d) {
      const seq = next();
      push(seq, JSON.stringify({ op, d, seq }));
    },
    sendBinary(op, payload) {
      const sequence = next();
      const head = Buffer.allocUnsafe(3);
      head.writeUInt16BE(sequence, 0);
      head.writeUInt8(op, 2);
      push(sequence, Buffer.concat([head, payload]));
    },
    acknowledge(sequence) {
      const index = indexAfter(sequence);
      if (index <= 0) return;
      kept = kept.slice(index);
      forgotten = sequence;
    },
    replay(sequence) {
      const index = indexAfter(sequence);
      if (index === -1) return null;
      return () => {
        for (const { data } of kept.slice(index)) deliver(data);
      };
    },
  };
}
