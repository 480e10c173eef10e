// From bytes of sound to 20 ms Opus packets, on this thread or another: what a text's sounds are made with.

import { wrapInWav } from './decode/pcm.ts';
import { encodeParts, pcmRate, SINGLE_PACKETS } from './pipeline.ts';
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
 * The last packet is padded with silence. Leaving the loop and the signal, even while a packet is awaited, free decoder, encoder, process
 * and source at once. Throws AudioError, what the source throws, or the signal's reason.
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
export async function* joinOpusPackets(
  parts: AsyncIterable<AudioPart>,
  options: PacketOptions = {},
  threads: ThreadPool = sharedPool,
): AsyncGenerator<Uint8Array> {
  for await (const batch of joinOpusBatches(parts, options, threads)) {
    for (const packet of batch) {
      options.signal?.throwIfAborted();
      yield packet;
    }
  }
}

/**
 * Like toOpusPackets, for sounds that follow each other without a gap: one encoder runs through all of them. The next part is pulled when
 * the one before has ended. The first packets come one by one, later ones in batches of up to a second, as far as the source has got. If
 * this thread is already preparing many sounds, one of `threads` prepares it.
 */
export async function* joinOpusBatches(
  parts: AsyncIterable<AudioPart>,
  options: PacketOptions = {},
  threads: ThreadPool = sharedPool,
): AsyncGenerator<Uint8Array[]> {
  const left = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, left.signal]) : left.signal;
  const { thread, settled } = threads.assign();
  const open = thread ? thread.open : encodeParts;
  const batches = open(parts, { ...options, signal });
  /** If nobody pulls again after the abort, nothing else would free the pipeline's resources. */
  const free = () => void batches.return(undefined).catch(() => {});
  signal.addEventListener('abort', free, { once: true });
  try {
    for (let count = 0; ; count++) {
      // Each sound of this thread makes one batch in a turn of the event loop.
      if (!thread && count >= SINGLE_PACKETS) await ownTurn();
      const { done, value } = await batches.next();
      settled();
      if (done) break;
      yield value;
    }
    options.signal?.throwIfAborted();
  } finally {
    settled();
    // While it has a listener, a composite signal is kept alive by its sources, and with it everything the listener references.
    signal.removeEventListener('abort', free);
    // Ends a read that is under way.
    left.abort();
    await batches.return(undefined);
  }
}

const waiting: (() => void)[] = [];

/** Resolves in a turn of the event loop of its own: what is due before the next one is sent on time. */
function ownTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(startNext);
  });
}

function startNext(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(startNext);
}

/** Puts a WAV header before headerless PCM, at the rate that toOpusPackets would assume. Throws AudioError if the rate is implausible. */
export function pcmToWav(pcm: Uint8Array, label: Omit<AudioPart, 'source'>): Uint8Array {
  return wrapInWav(pcm, pcmRate(label));
}
