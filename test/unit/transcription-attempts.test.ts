// How a recording is sent, what is tried after a refusal, and how the transcripts of its parts become one.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ApiError, type ApiErrorKind } from '../../src/api/index.ts';
import { planParts } from '../../src/decoding/parts.ts';
import { type Attempt, firstAttempt, nextAttempt } from '../../src/transcription/model.ts';
import type { Recording } from '../../src/transcription/recording.ts';
import { alignTranscript } from '../../src/transcription/transcript-alignment.ts';
import { joinParts, type PartTranscript } from '../../src/transcription/transcript-parts.ts';
import { timedWords } from './timed-words.ts';

const recording = (changes: Partial<Recording> = {}): Recording => ({
  ...{ name: 'memo.ogg', url: 'https://cdn.example/memo.ogg', size: 50_000, duration: 20, contentType: 'audio/ogg', source: null },
  ...changes,
});
const refusal = (status: number, message = 'no', facts: { code?: string; kind?: ApiErrorKind } = {}) =>
  new ApiError(facts.kind ?? (status >= 500 ? 'server' : 'validation'), message, { status, code: facts.code ?? null });

describe('the model of a recording', () => {
  it.each<[string, Partial<Recording>, string]>([
    ['a voice message', {}, 'transcribe-1'],
    ['a long one', { duration: 95 }, 'transcribe-1-pro'],
    ['one that must be long', { duration: null, size: 2_000_000, name: 'memo.mp3' }, 'transcribe-1-pro'],
    ['one whose sender says it is short', { duration: 1, size: 30 * 1024 * 1024 }, 'transcribe-1-pro'],
    ['WebM', { name: 'clip.webm' }, 'transcribe-1-pro'],
    ['Matroska by another name', { name: 'clip', contentType: 'video/x-matroska' }, 'transcribe-1-pro'],
  ])('of %s is %s', (_, changes, model) => {
    expect(firstAttempt(recording(changes), null, 'auto').model).toBe(model);
  });

  it('is the one that is set', () => {
    expect(firstAttempt(recording({ duration: 2000 }), 'de', 'whisper')).toEqual({ language: 'de', model: 'whisper', longestPart: null });
  });
});

describe('after a refusal', () => {
  const short: Attempt = { language: null, model: 'transcribe-1', longestPart: null };
  const long: Attempt = { ...short, model: 'transcribe-1-pro' };
  const next = (error: unknown, attempt: Attempt, set = 'auto', duration = 20) => nextAttempt(error, attempt, recording({ duration }), set);

  it('a hint that may be to blame is left out, once', () => {
    expect(next(refusal(400), { ...short, language: 'cy' })).toEqual(short);
    expect(next(refusal(400), short)).toBeNull();
    // It wasn't sent: it has no code of two letters.
    expect(next(refusal(400), { ...short, language: 'haw' })).toBeNull();
    expect(next(refusal(400, 'no', { code: 'invalid_audio' }), { ...short, language: 'cy' })).toBeNull();
  });

  it('a model that the service does not know is left out', () => {
    expect(next(refusal(422, 'Unknown model'), short)).toEqual({ ...short, model: null });
    expect(next(refusal(422, 'Unknown model'), short, 'transcribe-1')).toBeNull();
  });

  it('what the model for short recordings fails at goes to the other one', () => {
    for (const error of [refusal(503), refusal(413), refusal(400, 'no', { code: 'audio_too_long' })])
      expect(next(error, short)).toEqual(long);
  });

  it('what is too much for the last model is cut', () => {
    expect(next(refusal(413), long)).toEqual({ ...long, longestPart: 300 });
    expect(next(refusal(400, 'The audio is too long'), { ...short, model: null })).toMatchObject({ model: null, longestPart: 300 });
    expect(next(refusal(503), short, 'transcribe-1', 95)).toEqual({ ...short, longestPart: 50 });
    expect(next(refusal(413), { ...long, longestPart: 300 })).toBeNull();
  });

  it('a format that the service does not read is decoded here', () => {
    const refused = (name: string, attempt: Attempt, set = 'auto') => nextAttempt(refusal(400), attempt, recording({ name }), set);
    expect(refused('memo.amr', short)).toEqual({ ...short, longestPart: 50 });
    expect(refused('memo.aiff', long)).toEqual({ ...long, longestPart: 300 });
    expect(refused('clip.webm', short, 'transcribe-1')).toEqual({ ...short, longestPart: 50 });
    expect(refused('clip.webm', long)).toBeNull();
    // The hint isn't to blame as long as the format may be.
    expect(refused('memo.amr', { ...short, language: 'cy' })).toEqual({ ...short, language: 'cy', longestPart: 50 });
    expect(refused('memo.amr', { ...short, language: 'cy', longestPart: 50 })).toEqual({ ...short, longestPart: 50 });
    expect(refused('memo.ogg', short)).toBeNull();
  });

  it('nothing is tried if it says something else, or may have been billed', () => {
    expect(next(refusal(503), long)).toBeNull();
    expect(next(refusal(503), short, 'transcribe-1')).toBeNull();
    expect(next(refusal(402, 'no', { kind: 'credit' }), short)).toBeNull();
    expect(next(new Error('disk full'), short)).toBeNull();
    expect(next(refusal(504).with({ mayHaveBeenBilled: true }), short)).toBeNull();
  });
});

describe('the parts of a long recording', () => {
  const loud = (frames: number) => Array.from({ length: frames }, () => 0.2);
  const quiet = (frames: number) => Array.from({ length: frames }, () => 0.001);

  it('end in pauses', () => {
    const levels = Float32Array.from([...loud(800), ...quiet(30), ...loud(500), ...quiet(30), ...loud(300)]);
    const parts = planParts(levels, 1000);
    expect(parts).toHaveLength(2);
    const [first, second] = parts;
    expect(first?.to).toBe(second?.from);
    expect(first?.end).toBeGreaterThan(800);
    expect(first?.end).toBeLessThan(830);
  });

  it('overlap by two seconds where there is none', () => {
    const [first, second] = planParts(Float32Array.from(loud(1500)), 1000);
    expect((first?.to ?? 0) - (second?.from ?? 0)).toBe(100);
    expect(first?.end).toBe(second?.start);
  });

  it('in which nobody can be heard are left out', () => {
    expect(planParts(Float32Array.from([...loud(900), ...Array.from({ length: 2000 }, () => 0)]), 1000)).toHaveLength(1);
    expect(planParts(new Float32Array(100), 1000)).toEqual([]);
  });

  it('of any recording cover all that can be heard, and are never too long', () => {
    const levels = fc.array(fc.tuple(fc.integer({ min: 1, max: 400 }), fc.constantFrom(0.01, 0.2, 0.001)), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(levels, fc.integer({ min: 500, max: 2000 }), (runs, longest) => {
        const all = Float32Array.from(runs.flatMap(([frames, level]) => Array.from({ length: frames }, () => level)));
        let covered = 0;
        for (const { from, to, start, end } of planParts(all, longest)) {
          expect(to - from).toBeLessThanOrEqual(longest);
          expect(start).toBe(covered);
          expect(from).toBeGreaterThanOrEqual(start - 50);
          expect(from <= start && end <= to && start < end).toBe(true);
          covered = end;
        }
        expect(covered).toBe(all.length);
      }),
    );
  });
});

describe('the transcripts of parts', () => {
  const part = (text: string, from: number, start: number, end: number): PartTranscript => ({
    ...{ from, start, end },
    transcript: alignTranscript(timedWords(text, { seconds: 1 })),
  });

  it('become one, with the times of the recording', () => {
    const joined = joinParts([part('It rains. It', 0, 0, 3), part('pours. Yes.', 3, 3, 5)], 5);
    expect(joined.segments.map(({ text, start, end }) => [text, start, end])).toEqual([
      ['It rains.', 0, 2],
      ['It', 2, 3],
      ['pours.', 3, 4],
      ['Yes.', 4, 5],
    ]);
    expect([joined.text, joined.duration]).toEqual(['It rains. It pours. Yes.', 5]);
  });

  it('have no word twice that two parts heard', () => {
    const joined = joinParts([part('One two three four.', 0, 0, 3), part('Three four five.', 2, 3, 5)], 5);
    expect(joined.text).toBe('One two three four five.');
  });

  it('say where words are missing, and tell the speakers of each part apart', () => {
    const spoken = (text: string) => alignTranscript({ text, duration: 2, segments: [] });
    const joined = joinParts(
      [
        { from: 0, start: 0, end: 2, transcript: spoken('<|speaker:0|>Yes.<|speaker:1|>No.') },
        { from: 2, start: 2, end: 4, transcript: null },
        { from: 4, start: 4, end: 6, transcript: spoken('<|speaker:0|>So.<|speaker:1|>Well.') },
      ],
      6,
    );
    expect(joined.segments.map(({ text }) => text)).toEqual(['Yes.', 'No.', '[…]', 'So.', 'Well.']);
    expect(joined.segments[2]).toEqual({ text: '[…]', start: 2, end: 4 });
    expect(new Set(joined.segments.map(({ speaker }) => speaker?.id)).size).toBe(5);
  });
});
