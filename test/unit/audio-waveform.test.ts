// The waveform of a voice message: how loud each part of its packets is.
import { expect, test } from 'vitest';
import { measureWaveform, oggSeconds, toOpusPackets } from '../../src/audio/index.ts';
import { samplesOf, wavOf } from '../helpers/speech.ts';

const RATE = 24_000;

/** Packets of a tone whose amplitude, 0 to 1, changes with time, in seconds. */
function packetsOf(seconds: number, amplitude: (time: number) => number) {
  const samples = samplesOf(seconds, RATE, (index) => 20_000 * amplitude(index / RATE) * Math.sin(index / 10));
  const wav = wavOf(samples, RATE);
  async function* source() {
    yield new Uint8Array(wav);
  }
  return Array.fromAsync(toOpusPackets(source()));
}

test('has one value for each tenth of a second, which follow the sound', async () => {
  const packets = await packetsOf(2, (time) => (time < 1 ? 1 : 0));
  const waveform = await measureWaveform(packets);
  expect(waveform.length).toBe(Math.ceil(packets.length / 5));
  expect(Math.max(...waveform)).toBe(255);
  for (const value of waveform.slice(1, 9)) expect(value).toBeGreaterThan(200);
  for (const value of waveform.slice(11)) expect(value).toBeLessThan(40);
  // Opus looks ahead by 6.5 ms, and the last packet is filled up with silence.
  expect(oggSeconds(packets)).toBeCloseTo(2, 1);
});

test('draws what is a quarter as loud half as high', async () => {
  const [loud = 0, , , quiet = 0] = (await measureWaveform(await packetsOf(4, (time) => (time < 2 ? 1 : 0.25)))).filter(
    (_, index) => index % 10 === 5,
  );
  expect(quiet / loud).toBeCloseTo(0.5, 1);
});

test('has 256 values for a longer sound, however long it is', async () => {
  const packets = await packetsOf(30, (time) => (time < 15 ? 0.1 : 1));
  const waveform = await measureWaveform(packets);
  expect(waveform.length).toBe(256);
  expect(Math.max(...waveform.slice(2, 126))).toBeLessThan(Math.min(...waveform.slice(132, 250)));
});

test('draws silence flat, and counts damaged packets as silent', async () => {
  expect([...(await measureWaveform(await packetsOf(1, () => 0)))].every((value) => value < 255)).toBe(false);
  const damaged = Array.from({ length: 10 }, () => new Uint8Array());
  expect([...(await measureWaveform(damaged))]).toEqual([0, 0]);
});
