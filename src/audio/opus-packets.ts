// From bytes of sound to 20 ms Opus packets, on this thread or another: what a text's sounds are made with.

import { wrapInWav } from './decode/pcm.ts';
import { encodeParts, pcmRate, scheduleFairly, unbatch } from './pipeline.ts';
import { createThreadPool, type ThreadPool } from './threads/pool.ts';
import type { AudioPart, PacketOptions } from './types.ts';

/**
 * Sounds that are prepared in this thread before workers take over. Measured with fifty sounds at once, MP3 to Opus, on two cores of an
 * EPYC under other load (8 to 12): with 32 of them here, a packet takes 105 µs of this thread and the event loop is 6 to 196 ms late at
 * p99; with 16, 78 µs and 5 to 51 ms. A packet made by a worker takes 15 µs of this thread, and 5 % more processor time in all. Without
 * other load, up to 80 sounds in this thread are on time too, 27 ms after the previous packet at p99.
 */
const LOCAL_LIMIT = 16;
const sharedPool = createThreadPool({ localLimit: LOCAL_LIMIT });

/**
 * Turns a sound into 20 ms Opus packets: 48 kHz, mono, unless the source is Ogg/Opus with 20 ms packets, which pass through unchanged.
 * The last packet is padded with silence. Leaving the loop, calling `return()` (even while a packet is awaited), and the signal free
 * decoder, encoder, process and source at once. Throws AudioError, what the source throws, or the signal's reason.
 */
export function toOpusPackets(
  source: AsyncIterable<Uint8Array>,
  options: PacketOptions & Omit<AudioPart, 'source'> = {},
): AsyncGenerator<Uint8Array> {
  async function* parts(): AsyncGenerator<AudioPart> {
    yield { ...options, source };
  }
  return joinOpusPackets(parts(), options);
}

/** Like joinOpusBatches, one packet at a time. */
export function joinOpusPackets(
  parts: AsyncIterable<AudioPart>,
  options: PacketOptions = {},
  threads: ThreadPool = sharedPool,
): AsyncGenerator<Uint8Array> {
  return unbatch(joinOpusBatches(parts, options, threads), options.signal);
}

/**
 * Like toOpusPackets, for sounds that follow each other without a gap: one encoder runs through all of them. The next part is pulled when
 * the one before has ended. The first packets come one by one, later ones in batches of up to a second, as far as the source has got. If
 * this thread is already preparing many sounds, one of `threads` prepares it.
 */
export function joinOpusBatches(
  parts: AsyncIterable<AudioPart>,
  options: PacketOptions = {},
  threads: ThreadPool = sharedPool,
): AsyncGenerator<Uint8Array[]> {
  const stop = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
  let batches: AsyncGenerator<Uint8Array[]> | null = null;
  let onSettled = () => {};
  let hasEnded = false;

  /** If nobody pulls again after the abort, nothing else would free the pipeline's resources. */
  const free = () => void batches?.return(undefined).catch(() => {});

  function begin(): AsyncGenerator<Uint8Array[]> {
    if (batches) return batches;
    const { thread, settled } = threads.assign();
    onSettled = settled;
    signal.addEventListener('abort', free, { once: true });
    batches = thread ? thread.open(parts, { ...options, signal }) : scheduleFairly(encodeParts(parts, { ...options, signal }));
    return batches;
  }

  /** While it has a listener, a composite signal is kept alive by its sources, and with it everything the listener references. */
  function removeListener(): void {
    signal.removeEventListener('abort', free);
  }

  // Not an async generator: its own return() would wait for a read that may never end; this one aborts the read.
  return {
    async next() {
      try {
        const result = await begin().next();
        if (result.done) removeListener();
        if (result.done && !hasEnded) {
          hasEnded = true;
          options.signal?.throwIfAborted();
        }
        return result;
      } catch (error) {
        removeListener();
        if (stop.signal.aborted) return { done: true, value: undefined };
        throw error;
      } finally {
        onSettled();
      }
    },
    return(value) {
      stop.abort();
      const begun = begin();
      onSettled();
      return begun.return(value);
    },
    throw(error) {
      stop.abort();
      const begun = begin();
      onSettled();
      return begun.throw(error);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
    async [Symbol.asyncDispose]() {
      await this.return(undefined);
    },
  };
}

/** Puts a WAV header before headerless PCM, at the rate that toOpusPackets would assume. Throws AudioError if the rate is implausible. */
export function pcmToWav(pcm: Uint8Array, label: Omit<AudioPart, 'source'>): Uint8Array {
  return wrapInWav(pcm, pcmRate(label));
}
