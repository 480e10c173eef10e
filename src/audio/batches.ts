// Packets are made in batches: decoder, filter and encoder run with warm caches instead of once every 20 ms from cold ones, and every
// stage hands over once instead of fifty times.

/** The first packets are made one by one, on demand, so that the sound starts as early as possible. */
const SINGLE_PACKETS = 10;
/** 1 s of sound, made in 3 ms (`npm run bench -- --only cpu`): the most that a skip wastes (twice that in a worker) and that other guilds are delayed by. */
export const BATCH_PACKETS = 50;

/** Packets made but not handed over yet. */
export interface Batch {
  add(packet: Uint8Array): void;
  readonly isFull: boolean;
  readonly isEmpty: boolean;
  take(): Uint8Array[];
}

export function createBatch(): Batch {
  let packets: Uint8Array[] = [];
  let taken = 0;
  return {
    add(packet) {
      packets.push(packet);
    },
    get isFull() {
      return packets.length >= (taken < SINGLE_PACKETS ? 1 : BATCH_PACKETS);
    },
    get isEmpty() {
      return packets.length === 0;
    },
    take() {
      const batch = packets;
      taken += batch.length;
      packets = [];
      return batch;
    },
  };
}

/** The same batches, of which this thread makes only one per turn of the event loop: what is due in between is sent on time. */
export function scheduleFairly(batches: AsyncGenerator<Uint8Array[]>): AsyncGenerator<Uint8Array[]> {
  let taken = 0;
  return {
    async next() {
      if (taken++ >= SINGLE_PACKETS) await nextTurn();
      return batches.next();
    },
    return: (value) => batches.return(value),
    throw: (error) => batches.throw(error),
    [Symbol.asyncIterator]() {
      return this;
    },
    async [Symbol.asyncDispose]() {
      await this.return(undefined);
    },
  };
}

const waiting: (() => void)[] = [];

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(startNext);
  });
}

function startNext(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(startNext);
}

/** The packets one at a time. @param signal once aborted, the rest of the batch is dropped */
export function unbatch(batches: AsyncGenerator<Uint8Array[]>, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  let batch: Uint8Array[] = [];
  let at = 0;
  return {
    async next() {
      for (;;) {
        const packet = batch[at++];
        if (packet && !signal?.aborted) return { done: false, value: packet };
        const result = await batches.next();
        if (result.done) return result;
        batch = result.value;
        at = 0;
      }
    },
    async return(value) {
      batch = [];
      await batches.return(value);
      return { done: true, value };
    },
    async throw(error) {
      batch = [];
      await batches.throw(error);
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
    async [Symbol.asyncDispose]() {
      await this.return(undefined);
    },
  };
}
