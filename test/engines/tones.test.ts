// The voice made of tones and the ear for it, which most tests speak and listen with, through the threads, encoders and decoders of all engines.
import { describe, expect, it } from 'vitest';
import type { SpeechFormat } from '../../src/local/voice-service/engines/index.ts';
import { collect, librivoxRecordings, wavOf } from '../helpers/speech.ts';
import { recordTones } from '../helpers/tones.ts';
import { toneEngines } from '../helpers/voice-service.ts';

const TEXT = 'Quick wafting zephyrs vex bold Jim! Is it 7:30, or "1,234.50 $"? (Nobody knows; they\'re asleep.)';
const hear = (audio: Uint8Array) => toneEngines().transcribe({ audio, timestamps: true });

describe('what tones say', () => {
  it.each<[SpeechFormat, string, number]>([
    ['mp3', '\xff\xfb', 44_100],
    ['wav', 'RIFF', 44_100],
    ['opus', 'OggS', 48_000],
    ['pcm', '', 44_100],
  ])('as %s is heard word by word, even at twice the speed', async (format, beginning, rate) => {
    const bytes = await collect(toneEngines().speak({ text: TEXT, voice: { base: 'slt' }, format, speed: 2 }));
    expect(Buffer.from(bytes).toString('latin1').startsWith(beginning)).toBe(true);
    expect((await hear(format === 'pcm' ? wavOf(bytes, rate) : bytes)).text).toBe(TEXT);
  });

  it('is heard at any speed, and takes as long as that says', async () => {
    const text = 'Nobody knows; they are asleep.';
    const seconds: number[] = [];
    for (const speed of [1, 0.5, 2]) {
      const audio = await collect(toneEngines().speak({ text, voice: { base: 'slt' }, format: 'wav', speed }));
      const heard = await hear(audio);
      expect(heard.text, `at ${speed} times the speed`).toBe(text);
      seconds.push(heard.duration * speed);
    }
    for (const each of seconds) expect(each / (seconds[0] ?? 0)).toBeCloseTo(1, 1);
  });

  it('has a segment for each sentence, at its time', async () => {
    const { segments, duration } = await hear(recordTones('Hello there. And again.'));
    expect(segments.map(({ text }) => text)).toEqual(['Hello there.', 'And again.']);
    const [first, second] = segments;
    expect(first?.start).toBe(0);
    // 17 letters a second.
    expect(first?.end).toBeCloseTo(12 / 17, 1);
    expect(second?.start).toBeGreaterThan(first?.end ?? 0);
    expect(second?.end).toBeLessThanOrEqual(duration);
  });

  it('is nothing a person says', async () => {
    for (const { audio } of librivoxRecordings().slice(0, 2)) expect(await hear(audio)).toMatchObject({ text: '', segments: [] });
  });
});
