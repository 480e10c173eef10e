// What members say: as their clients send it, and as the voice layer passes it on, with packets lost and nothing sent in long pauses.
import { createEncoder } from 'libopus-wasm';
import { toOpusPackets } from '../../src/audio/index.ts';
import type { HeardSound } from '../../src/voice/types.ts';
import { listen, oggOpusOf } from './sound.ts';
import { RATE } from './sound-conditions.ts';

/** At 16 kHz. */
const PACKET_SAMPLES = 320;
export const PACKET_MS = 20;
/** Samples of a packet at 48 kHz. */
const SAMPLES = 960;

/** Opus packets of 20 ms, as a member's client sends them. @param speech at 16 kHz */
export async function toPackets(speech: Float32Array): Promise<Uint8Array[]> {
  const encoder = await createEncoder({ sampleRate: RATE, channels: 1, frameSize: PACKET_SAMPLES, bitrate: 64_000 });
  const packets: Uint8Array[] = [];
  for (let at = 0; at < speech.length; at += PACKET_SAMPLES) {
    const frame = new Float32Array(PACKET_SAMPLES);
    frame.set(speech.subarray(at, at + PACKET_SAMPLES));
    packets.push(encoder.encodeFloat(frame));
  }
  encoder.free();
  return packets;
}

/** A sound of any format as the Opus packets that a client would send: 20 ms and mono by default. */
export async function recordedPackets(sound: Uint8Array, options: Parameters<typeof oggOpusOf>[1] = {}): Promise<Uint8Array[]> {
  async function* source() {
    yield sound;
  }
  const { sound: samples, failure } = await listen(toOpusPackets(source()));
  if (failure) throw failure;
  return (await oggOpusOf(samples, options)).packets;
}

/** @param options `at`: `performance.now()` of the first sample. `isLost`: by the number of the packet. `pauses`: whether a pause follows. */
export function soundsOf(
  userId: string,
  packets: readonly Uint8Array[],
  { at, isLost = () => false, pauses = true }: { at: number; isLost?: (number: number) => boolean; pauses?: boolean },
): HeardSound[] {
  const sounds = packets.map((opus, number): HeardSound => {
    const place = { userId, at: at + number * PACKET_MS, samples: SAMPLES };
    return isLost(number) ? { kind: 'lost', ...place } : { kind: 'packet', ...place, opus: opus.slice() };
  });
  return pauses ? [...sounds, { kind: 'pause', userId, at: at + packets.length * PACKET_MS }] : sounds;
}
