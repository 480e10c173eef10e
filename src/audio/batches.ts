// Packets made in batches: decoder, filter and encoder then run with warm caches, not once every 20 ms from cold ones.

/** The first packets are made one by one, as they are asked for: nothing is to wait for more than it needs. */
const SINGLE = 10;
/** 0.5 s, made in 1.3 ms (`npm run bench -- --only cpu`): all that a skip wastes, and all that other servers wait for. */
const BATCH = 25;
/** A new batch is begun while so many packets of the one before are left: others may come first. */
const LEFT = 5;

/** The same packets, and the same error after the last of them. `return` ends the source at once. */
export function inBatches(source: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const packets: Uint8Array[] = [];
  let given = 0;
  let isFilling = false;
  let wake = () => {};
  let outcome: { failure: unknown } | { ended: true } | null = null;

  async function fill(): Promise<void> {
    isFilling = true;
    await turnToFill();
    try {
      while (packets.length < BATCH && !outcome) {
        const result = await source.next();
        if (result.done) outcome = { ended: true };
        else packets.push(result.value);
        wake();
      }
    } catch (failure) {
      outcome = { failure };
    }
    isFilling = false;
    wake();
  }

  return {
    async next() {
      if (given < SINGLE) {
        given++;
        return source.next();
      }
      for (;;) {
        if (packets.length <= LEFT && !outcome && !isFilling) void fill();
        const packet = packets.shift();
        if (packet) return { done: false, value: packet };
        if (outcome && 'failure' in outcome) {
          const { failure } = outcome;
          outcome = { ended: true };
          throw failure;
        }
        if (outcome) return { done: true, value: undefined };
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    return: (value) => source.return(value),
    throw: (error) => source.throw(error),
    [Symbol.asyncIterator]() {
      return this;
    },
    async [Symbol.asyncDispose]() {
      await this.return(undefined);
    },
  };
}

const waiting: (() => void)[] = [];

/** One batch a turn of the event loop, so that what is due in between is not kept waiting by all of them. */
function turnToFill(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(fillNext);
  });
}

function fillNext(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(fillNext);
}
