// What the tests of making voices share: recordings of a person, and a voice service whose training waits until it may go on.
import { createEngines, type Engines } from '../../src/local/voice-service/engines/index.ts';
import { librivoxRecordings, samplesOf, toSamples, wavOf } from './speech.ts';

const RATE = 16_000;

/** A man who reads for 12 s, in one file: what is needed for a voice, and no more, since training listens to all of it. */
export function readerRecording(): Uint8Array {
  const sound = [0, 2].flatMap((index) => librivoxRecordings()[index] ?? []).map(({ audio }) => toSamples(audio.subarray(44)));
  const whole = new Int16Array(sound.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of sound) {
    whole.set(part, at);
    at += part.length;
  }
  return wavOf(whole, RATE);
}

export const silence = (seconds: number): Uint8Array =>
  wavOf(
    samplesOf(seconds, RATE, () => 0),
    RATE,
  );

/** Three tones that sound together. */
export const music = (seconds: number): Uint8Array =>
  wavOf(
    samplesOf(seconds, RATE, (index) => [262, 330, 392].reduce((sum, hz) => sum + 5000 * Math.sin((2 * Math.PI * hz * index) / RATE), 0)),
    RATE,
  );

export interface GatedEngines extends Engines {
  /** Training that begins from now on waits, until the returned function is called. */
  hold(): () => void;
}

/** The real engines, whose training can be made to wait. Close them after the service. */
export function createGatedEngines(): GatedEngines {
  const engines = createEngines();
  let gate = Promise.resolve();
  return {
    ...engines,
    async measureVoice(audio, signal) {
      await gate;
      signal?.throwIfAborted();
      return engines.measureVoice(audio, signal);
    },
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      return resolve;
    },
  };
}
