// The waveform of a sound, as Discord's voice messages have it.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createDecoder, type SampleRate } from 'libopus-wasm';
import { opusSamples } from './opus.ts';
import { trackResource } from './types.ts';

/** Discord's limit; each value is one byte. https://docs.discord.com/developers/resources/message#attachment-object */
const MAX_VALUES = 256;
/** 100 ms of 20 ms packets. */
const PACKETS_PER_VALUE = 5;
/** Hz: what lies above 4 kHz changes nothing that could be seen. */
const DECODED_RATE: SampleRate = 8000;
/** Packets decoded in one turn of the event loop: 2 ms under load. */
const PACKETS_PER_TURN = 10;

/**
 * How loud a sound of 20 ms packets is: a value for each 100 ms, or 256 of equal length for a longer sound, of which 100 ms each are
 * listened to. 0 is silence and 255 the loudest part, in between the square root of the amplitude, since speech is mostly quiet. Packets are
 * all that there is of a cached sound, or of one that passes through undecoded, so all sounds are measured by them. That takes a quarter of
 * a second at most, in small steps.
 */
export async function measureWaveform(packets: readonly Uint8Array[]): Promise<Uint8Array> {
  const decoder = await createDecoder({ sampleRate: DECODED_RATE, channels: 1 });
  const release = trackResource('opus decoder');
  const count = Math.min(MAX_VALUES, Math.ceil(packets.length / PACKETS_PER_VALUE));
  const powers: number[] = [];
  let decoded = 0;
  try {
    for (let value = 0; value < count; value++) {
      const from = Math.floor((value * packets.length) / count);
      const to = Math.floor(((value + 1) * packets.length) / count);
      let [sum, samples] = [0, 0];
      for (const packet of packets.slice(from, Math.min(to, from + PACKETS_PER_VALUE))) {
        if (++decoded % PACKETS_PER_TURN === 0) await nextTurn();
        const sound = decode(packet);
        for (const sample of sound) sum += sample * sample;
        samples += sound.length;
      }
      powers.push(samples === 0 ? 0 : sum / samples);
    }
  } finally {
    decoder.free();
    release();
  }
  const loudest = Math.max(...powers);
  // A fourth root, because power is the square of the amplitude.
  return Uint8Array.from(powers, (power) => (loudest === 0 ? 0 : Math.round(255 * (power / loudest) ** 0.25)));

  function decode(packet: Uint8Array): Float32Array {
    // Nobody hears it, so what is damaged counts as silent.
    if (opusSamples(packet) === 0) return new Float32Array();
    try {
      return decoder.decodeFloat(packet);
    } catch {
      return new Float32Array();
    }
  }
}
