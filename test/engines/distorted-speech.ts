// What happens to speech on its way to a recogniser: noise, telephones, levels, pauses. Always the same; samples are from -1 to 1.
import { rms } from '../helpers/sound.ts';
import { RATE, wavOf } from '../helpers/speech.ts';

export const gain = (samples: Float32Array, factor: number) => samples.map((sample) => sample * factor);

export const clip = (samples: Float32Array) => samples.map((sample) => Math.max(-1, Math.min(1, sample)));

/** Sound in which nobody speaks, by what it is. Each has a level of about -34 dB. */
export const NOISES = {
  white: (length, random) => Float32Array.from({ length }, () => 0.035 * (2 * random() - 1)),
  /** As rooms and fans sound: equal power in each octave (Voss's sum of random values that change more and more rarely). */
  pink(length, random) {
    const rows = Float32Array.from({ length: 12 }, () => 2 * random() - 1);
    return Float32Array.from({ length }, (_, at) => {
      const row = Math.min(rows.length - 1, Math.clz32((at + 1) & -(at + 1)) ^ 31);
      rows[row] = 2 * random() - 1;
      return 0.012 * (rows.reduce((sum, value) => sum + value, 0) + 2 * random() - 1);
    });
  },
  /** Mains hum with its harmonics. */
  hum: (length) =>
    Float32Array.from({ length }, (_, at) =>
      [1, 2, 3, 5].reduce((sum, harmonic) => sum + (0.02 / harmonic) * Math.sin((2 * Math.PI * 50 * harmonic * at) / RATE), 0),
    ),
  /** Two clicks for each key, four keys a second with pauses, above a quiet room. */
  keyboard(length, random) {
    const sound = gain(NOISES.pink(length, random), 0.1);
    const click = (at: number, loud: number) => {
      const pitch = 1500 + 2500 * random();
      const sway = (i: number) => 0.6 * (2 * random() - 1) + 0.4 * Math.sin((2 * Math.PI * pitch * i) / RATE);
      strike(sound, at, 400, (i) => loud * Math.exp(-i / 60) * sway(i));
    };
    for (let at = 0; at < length; at += RATE * (random() < 0.1 ? 1.5 : 0.12 + 0.25 * random())) {
      click(at, 0.25);
      click(at + RATE * 0.07, 0.12);
    }
    return sound;
  },
  /** Knocks, taps and something that falls. */
  knocks(length, random) {
    const sound = gain(NOISES.pink(length, random), 0.2);
    for (let at = RATE; at < length; at += RATE * (0.4 + 3 * random())) {
      const pitch = 80 + 300 * random();
      strike(sound, at, 4000, (i) => 0.4 * Math.exp(-i / 700) * Math.sin((2 * Math.PI * pitch * i) / RATE));
    }
    return sound;
  },
  /** Wind on a microphone: rumbling that swells. */
  wind(length, random) {
    let low = 0;
    return Float32Array.from({ length }, (_, at) => {
      low += 0.03 * (2 * random() - 1 - low);
      return low * (0.25 + 0.2 * Math.sin((2 * Math.PI * at) / (3.7 * RATE)));
    });
  },
} satisfies Record<string, (length: number, random: () => number) => Float32Array>;

function strike(sound: Float32Array, at: number, length: number, value: (i: number) => number): void {
  const struck = sound.subarray(Math.floor(at), Math.floor(at) + length);
  struck.forEach((before, i) => {
    struck[i] = before + value(i);
  });
}

/** Adds noise so that the speech is so many dB louder. Pauses count as speech, so a clip should have few. */
export function addNoise(speech: Float32Array, noise: Float32Array, decibels: number): Float32Array {
  const factor = rms(speech) / rms(noise) / 10 ** (decibels / 20);
  return clip(speech.map((sample, at) => sample + factor * (noise[at] as number)));
}

/** 300 to 3,400 Hz, at 8,000 samples a second: a WAV file. */
export function throughTelephone(speech: Float32Array): Uint8Array {
  const reach = 64;
  const lowPass = (hertz: number, i: number) => {
    const x = (2 * Math.PI * hertz * i) / RATE;
    return i === 0 ? (2 * hertz) / RATE : (Math.sin(x) / x) * ((2 * hertz) / RATE);
  };
  const filter = Float32Array.from({ length: 2 * reach + 1 }, (_, at) => {
    const i = at - reach;
    return (lowPass(3400, i) - lowPass(300, i)) * (0.5 + 0.5 * Math.cos((Math.PI * i) / reach));
  });
  const half = Float32Array.from({ length: speech.length >> 1 }, (_, at) =>
    filter.reduce((sum, value, i) => sum + value * (speech[2 * at + i - reach] ?? 0), 0),
  );
  return wavOf(half, 8000);
}

/** One after the other, with so much silence between. */
export function joinSounds(parts: readonly Float32Array[], pauseSeconds: number): Float32Array {
  const pause = Math.round(pauseSeconds * RATE);
  const whole = new Float32Array(parts.reduce((sum, { length }) => sum + length + pause, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length + pause;
  }
  return whole;
}
