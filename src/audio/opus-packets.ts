// From bytes of sound to 20 ms Opus packets: what a text's sounds are made with.
import { wrapInWav } from './decode/pcm.ts';
import { encodeParts, pcmRate, SINGLE_PACKETS } from './pipeline.ts';
import type { AudioPart, PacketOptions } from './types.ts';

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
export async function* joinOpusPackets(parts: AsyncIterable<AudioPart>, options: PacketOptions = {}): AsyncGenerator<Uint8Array> {
  for await (const batch of joinOpusBatches(parts, options)) {
    for (const packet of batch) {
      options.signal?.throwIfAborted();
      yield packet;
    }
  }
}

/**
 * Like toOpusPackets, for sounds that follow each other without a gap: one encoder runs through all of them. The next part is pulled when
 * the one before has ended. The first packets come one by one, later ones in batches of up to a second, as far as the source has got.
 *
 * All on this thread: with fifty servers speaking, five alternating runs in which those beyond sixteen had a thread took 6.7 ms of CPU for a
 * second of sound (5.9 to 7.0) and as many late packets; 6.2 ms (5.8 to 9.8) without.
 */
export async function* joinOpusBatches(parts: AsyncIterable<AudioPart>, options: PacketOptions = {}): AsyncGenerator<Uint8Array[]> {
  const left = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, left.signal]) : left.signal;
  const batches = encodeParts(parts, { ...options, signal });
  /** If nobody pulls again after the abort, nothing else would free the pipeline's resources. */
  const free = () => void batches.return(undefined).catch(() => {});
  signal.addEventListener('abort', free, { once: true });
  try {
    for (let count = 0; ; count++) {
      if (count >= SINGLE_PACKETS) await ownTurn();
      const { done, value } = await batches.next();
      if (done) break;
      yield value;
    }
    options.signal?.throwIfAborted();
  } finally {
    // While it has a listener, a composite signal is kept alive by its sources, and with it everything the listener references.
    signal.removeEventListener('abort', free);
    // Ends a read that is under way.
    left.abort();
    await batches.return(undefined);
  }
}

const waiting: (() => void)[] = [];

/** Resolves in a turn of the event loop in which no other sound makes a batch: what is due in between is sent on time. */
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
