// Takes the service's bytes as fast as they come, up to a bound.

export interface ReadAhead extends AsyncIterable<Uint8Array> {
  /** Lets go of the source. */
  close(): void;
}

/**
 * A call to the service holds one of the few places there are until its last byte has been read, and sound is played slower than it
 * comes: so it is read at once and waits here, compressed as it is (1 MiB is a minute of MP3 at 128 kbit/s). Beyond `maxBytes` the
 * source is read only as fast as it is taken. `onBytes` is told of each chunk as it comes.
 */
export function readAhead(source: AsyncIterable<Uint8Array>, maxBytes: number, onBytes: (count: number) => void): ReadAhead {
  const iterator = source[Symbol.asyncIterator]();
  const chunks: Uint8Array[] = [];
  let waiting = 0;
  let state: { ended: true } | { failed: unknown } | null = null;
  let wake: (() => void) | null = null;
  let room: (() => void) | null = null;

  function signalChange(): void {
    wake?.();
    wake = null;
  }

  async function pump(): Promise<void> {
    try {
      while (!state) {
        const result = await iterator.next();
        if (state) return;
        if (result.done) {
          state = { ended: true };
        } else {
          chunks.push(result.value);
          waiting += result.value.length;
          onBytes(result.value.length);
        }
        signalChange();
        if (waiting >= maxBytes && !state) {
          await new Promise<void>((resolve) => {
            room = resolve;
          });
        }
      }
    } catch (cause) {
      state ??= { failed: cause };
      signalChange();
    }
  }

  function close(): void {
    if (state) return;
    state = { ended: true };
    room?.();
    signalChange();
    iterator.return?.()?.then(undefined, () => {});
  }

  void pump();

  return {
    close,
    async *[Symbol.asyncIterator]() {
      try {
        for (;;) {
          const chunk = chunks.shift();
          if (chunk) {
            waiting -= chunk.length;
            if (waiting < maxBytes) room?.();
            yield chunk;
          } else if (state) {
            if ('failed' in state) throw state.failed;
            return;
          } else {
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
          }
        }
      } finally {
        close();
      }
    },
  };
}
