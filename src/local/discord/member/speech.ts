// Speaking as a client does: a recording packet after packet in real time, and five frames of silence at its end.
import { setTimeout as sleep } from 'node:timers/promises';
import { countSamples, SILENCE } from '../voice/rtp.ts';
import type { Microphone } from '../voice/types.ts';

/** After these, a client sends nothing until it has something to say again. https://docs.discord.com/developers/topics/voice-connections */
const SILENCE_FRAMES = 5;

/** The member has fallen silent: nothing follows until they speak again. */
export function fallSilent(microphone: Microphone): void {
  for (let count = 0; count < SILENCE_FRAMES; count++) microphone.send(SILENCE);
  microphone.pause();
}

export interface SpeechOptions {
  /** Ends it at once, without an error. */
  signal?: AbortSignal;
  /** How fast it is said: 1 (default) as in real time, Infinity all at once. */
  speed?: number;
}

/** Resolves when all has been said. Throws what `packets` throws. */
export async function saySpeech(
  microphone: Microphone,
  packets: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  { signal, speed = 1 }: SpeechOptions = {},
): Promise<void> {
  let startedAt: number | undefined;
  let saidMs = 0;
  async function say(opus: Uint8Array): Promise<void> {
    startedAt ??= performance.now();
    // Measured from the beginning, so that timers that fire late don't add up.
    const ahead = startedAt + saidMs / speed - performance.now();
    if (ahead > 0) await sleep(ahead, undefined, { signal });
    microphone.send(opus);
    saidMs += countSamples(opus) / 48;
  }
  try {
    for await (const opus of packets) {
      signal?.throwIfAborted();
      await say(opus);
    }
    for (let count = 0; count < SILENCE_FRAMES; count++) await say(SILENCE);
  } catch (error) {
    if (!signal?.aborted) throw error;
  } finally {
    microphone.pause();
  }
}
