// What a voice made of recordings sounds like, with the real engine.
import { describe, expect, it } from 'vitest';
import type { Engines, EngineVoice, VoiceMeasurement } from '../../src/local/voice-service/engines/index.ts';
import { type Recording, trainVoice } from '../../src/local/voice-service/voice-training.ts';
import { collect, librivoxRecordings } from '../helpers/speech.ts';
import { builtInEngines } from '../helpers/voice-service.ts';

const engines = builtInEngines();
const never = new AbortController().signal;
/** A man who reads for 10 s, which is as little as there may be. */
const readings = librivoxRecordings().filter((_, number) => number === 0 || number === 4);
const TEXT = readings.map(({ text }) => text).join('.\n');

const speak = (voice: EngineVoice) => collect(engines.speak({ text: TEXT, voice, format: 'wav', sampleRate: 16_000 }));

/** The voice that is made of these has the pitch and the tempo of whoever says `TEXT` in them. */
async function expectSameVoice(recordings: Recording[]): Promise<void> {
  const measured: VoiceMeasurement[] = [];
  const measureVoice: Engines['measureVoice'] = async (audio, signal) => {
    const measurement = await engines.measureVoice(audio, signal);
    measured.push(measurement);
    return measurement;
  };
  const { voice } = await trainVoice({ ...engines, measureVoice }, recordings, never);
  const given = measured.slice(0, recordings.length);
  const seconds = given.reduce((sum, { speechSeconds }) => sum + speechSeconds, 0);
  const pitchHz = given.reduce((sum, one) => sum + one.pitchHz * one.speechSeconds, 0) / seconds;
  const made = await engines.measureVoice(await speak(voice));
  expect(Math.abs(made.pitchHz / pitchHz - 1)).toBeLessThan(0.1);
  expect(Math.abs(made.speechSeconds / seconds - 1)).toBeLessThan(0.15);
}

describe('a voice made of recordings', () => {
  it('has the pitch and the tempo of the person who reads', async () => {
    await expectSameVoice(readings);
  });

  it('has those of a woman who speaks more slowly', async () => {
    await expectSameVoice([{ audio: await speak({ base: 'slt', pitchHz: 210, rate: 0.8 }), text: TEXT }]);
  });
});
