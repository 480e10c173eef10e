// The service's answers as sentences with times, and as subtitles: words without punctuation, odd times, several speakers.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Transcript } from '../../src/api/types.ts';
import { alignTranscript, alignWithPauses } from '../../src/transcription/transcript-alignment.ts';
import { type Cue, toCues } from '../../src/transcription/transcript-cues.ts';
import { toLines, toMilliseconds, toParagraphs } from '../../src/transcription/transcript-lines.ts';
import { anyTranscript } from '../helpers/arbitrary-text.ts';
import { timedWords } from './timed-words.ts';

const cuesOf = (transcript: Transcript): Cue[] =>
  toCues(toLines(alignTranscript(transcript)), { duration: toMilliseconds(transcript.duration), named: false });
const sentencesOf = (transcript: Transcript) =>
  alignTranscript(transcript).segments.map(({ text, start, end }): [string, number, number] => [text, start, end]);
const withoutSpaces = (text: string) => text.replace(/\s/g, '');

describe('single words of a service', () => {
  it('become the sentences of its text, with their times', () => {
    expect(sentencesOf(timedWords('Hello, Ada! How are you? Fine.'))).toEqual([
      ['Hello, Ada!', 0, 0.6],
      ['How are you?', 0.6, 1.5],
      ['Fine.', 1.5, 1.8],
    ]);
  });

  it('become Chinese, Japanese and Korean sentences', () => {
    expect(sentencesOf(timedWords('今天天气很好。我们走吧！', { seconds: 0.25 }))).toEqual([
      ['今天天气很好。', 0, 1.5],
      ['我们走吧！', 1.5, 2.5],
    ]);
    expect(sentencesOf(timedWords('今日はいい天気です。行こう！', { seconds: 0.25 })).map(([text]) => text)).toEqual([
      '今日はいい天気です。',
      '行こう！',
    ]);
    expect(sentencesOf(timedWords('안녕하세요, 여러분. 반갑습니다!')).map(([text]) => text)).toEqual([
      '안녕하세요, 여러분.',
      '반갑습니다!',
    ]);
  });

  it('end no sentence at an abbreviation, an initial, or a number', () => {
    const text = 'Dr. Ada B. King paid $3.50 on the 3. of May. She left.';
    expect(sentencesOf(timedWords(text)).map(([sentence]) => sentence)).toEqual([
      'Dr. Ada B. King paid $3.50 on the 3. of May.',
      'She left.',
    ]);
  });

  it.each([
    ['en', ['I am 42.', 'You are 43.']],
    ['English', ['I am 42.', 'You are 43.']],
    ['de', ['I am 42. You are 43.']],
    [undefined, ['I am 42. You are 43.']],
  ])('end a sentence at a number unless it may be an ordinal one: %s', (language, sentences) => {
    const given = { ...timedWords('I am 42. You are 43.'), ...(language && { language }) };
    expect(sentencesOf(given).map(([sentence]) => sentence)).toEqual(sentences);
  });

  it('written otherwise than in the text take its place', () => {
    const { segments } = timedWords('it cost thirty five dollars yesterday');
    const aligned = alignTranscript({ text: 'It cost $35 yesterday.', duration: 1.8, segments });
    expect(aligned.segments[0]?.words).toEqual([
      { text: 'It', start: 0, end: 0.3 },
      { text: 'cost', start: 0.3, end: 0.6 },
      { text: '$35', start: 0.6, end: 1.5 },
      { text: 'yesterday.', start: 1.5, end: 1.8 },
    ]);
  });

  it('that are missing, or that nobody wrote down, leave the others in place', () => {
    const { segments } = timedWords('one two three four five six');
    const aligned = alignTranscript({ text: 'One three, er, four seven six.', duration: 1.8, segments });
    const startOf = (word: string) => aligned.segments[0]?.words?.find(({ text }) => text === word)?.start;
    expect(['One', 'three,', 'four', 'six.'].map(startOf)).toEqual([0, 0.6, 0.9, 1.5]);
  });

  it('of another text are only a hint: the text is shown', () => {
    const { segments } = timedWords('completely different words');
    expect(sentencesOf({ text: 'Hello there. Bye.', duration: 0.9, segments }).map(([text]) => text)).toEqual(['Hello there.', 'Bye.']);
  });

  it('without a text are joined', () => {
    expect(alignTranscript({ ...timedWords('hello there'), text: '' }).text).toBe('hello there');
    expect(alignTranscript({ ...timedWords('今日は'), text: ' ' }).text).toBe('今日は');
  });

  it('without full stops end a line where somebody pauses', () => {
    const text = 'and then we went on and on '.repeat(20).trim();
    const [first = ['', 0, 0]] = sentencesOf(timedWords(text, { pauses: { 97: 1.5 } }));
    expect(first[0].split(' ')).toHaveLength(98);
  });
});

describe('sentences of a service', () => {
  const sentences: Transcript = {
    text: 'I think. That is it.',
    duration: 9,
    segments: [
      { text: 'I think.', start: 1, end: 2 },
      { text: 'That is it.', start: 2.5, end: 3 },
    ],
  };

  it('stay as they are', () => {
    expect(alignTranscript(sentences)).toEqual(sentences);
  });

  it('that differ from the text give it their times', () => {
    const given = { ...sentences, text: 'I think. That is it, really.' };
    expect(sentencesOf(given)).toMatchObject([
      ['I think.', 1, 2],
      ['That is it, really.', 2.5, expect.any(Number)],
    ]);
  });
});

describe('odd times', () => {
  const text = 'One two three four. Five six seven eight.';
  const { segments } = timedWords(text, { seconds: 1 });
  const given = (change: (segment: { start: number; end: number }, index: number) => object): Transcript => ({
    text,
    duration: 8,
    segments: segments.map((segment, index) => ({ ...segment, ...change(segment, index) })),
  });

  it.each([
    ['absent', () => ({ start: Number.NaN, end: Number.NaN })],
    ['in milliseconds', ({ start, end }: { start: number; end: number }) => ({ start: 1000 * start + 1000, end: 1000 * end + 1000 })],
    ['negative', () => ({ start: -1, end: -1 })],
  ])('%s: the words are divided among the duration', (_, change) => {
    const [one, two] = sentencesOf(given(change));
    expect(one?.[1]).toBe(0);
    expect(one?.[2]).toBeCloseTo(two?.[1] ?? 0);
    expect(two?.[2]).toBe(8);
  });

  it('one word that is far off moves no other', () => {
    const times = alignTranscript(given((_, index) => (index === 2 ? { start: 7.5, end: 7.9 } : {}))).segments.flatMap(
      ({ words }) => words ?? [],
    );
    expect(times.filter((_, index) => index !== 2).map(({ start }) => start)).toEqual([0, 1, 3, 4, 5, 6, 7]);
    expect(times[2]?.start).toBe(2);
  });

  it('equal ones are divided until the next', () => {
    const times = alignTranscript(given((segment, index) => (index < 4 ? { start: 3, end: 3 } : segment)));
    const starts = times.segments[0]?.words?.map(({ start }) => start) ?? [];
    expect(new Set(starts).size).toBe(4);
    expect(times.segments[0]?.end).toBeLessThanOrEqual(4);
  });

  it('overlapping words end where the next begins', () => {
    for (const { start, end, words = [] } of alignTranscript(given(({ start }) => ({ end: start + 5 }))).segments) {
      expect(end).toBeGreaterThan(start);
      expect(words.every((word, index) => word.end <= (words[index + 1]?.start ?? 8))).toBe(true);
    }
  });
});

describe('speakers', () => {
  const text = '<|speaker:0|>Hello there. <|speaker:1|>Hi! How are you? <|speaker:0|>Fine.';
  const { segments, duration } = timedWords('hello there hi how are you fine');
  const spokenBy = (transcript: Transcript) =>
    alignTranscript(transcript).segments.map(({ text: said, start, speaker }) => [speaker?.id, said, start]);
  const expected = [
    ['speaker:0', 'Hello there.', 0],
    ['speaker:1', 'Hi!', 0.6],
    ['speaker:1', 'How are you?', 0.9],
    ['speaker:0', 'Fine.', 1.8],
  ];

  it('are read from marks in the text, which nobody sees', () => {
    expect(spokenBy({ text, duration, segments })).toEqual(expected);
    expect(alignTranscript({ text, duration, segments }).text).toBe('Hello there. Hi! How are you? Fine.');
  });

  it('are read from turns, which have times without words', () => {
    const speakerTurns = [
      { speaker: 'speaker:0', text: 'Hello there.', start: 0, end: 0.6 },
      { speaker: 'speaker:1', text: 'Hi! How are you?', start: 0.6, end: 1.8 },
      { speaker: 'speaker:0', text: 'Fine.', start: 1.8, end: 2.1 },
    ];
    expect(spokenBy({ text, duration, segments, speakerTurns })).toEqual(expected);
    const [, hi, how, fine] = alignTranscript({ text, duration, segments: [], speakerTurns }).segments;
    expect(hi?.start).toBe(0.6);
    expect(how?.end).toBe(1.8);
    expect(fine?.start).toBe(1.8);
  });

  it('of turns with other words than the text are those of the text', () => {
    const speakerTurns = [{ speaker: 'speaker:7', text: 'Something else.', start: 0, end: 1 }];
    expect(spokenBy({ text, duration, segments, speakerTurns })).toEqual(expected);
  });

  it('are not named if there is only one', () => {
    expect(spokenBy({ ...timedWords('Hello there.'), text: '<|speaker:0|>Hello there.' })).toEqual([[undefined, 'Hello there.', 0]]);
  });
});

describe('subtitles', () => {
  it('end where sentences and clauses do, in two lines of about the same length', () => {
    const text = 'We have a guest who came all the way from New Zealand, and who will tell us about ferns that like shade.';
    expect(cuesOf(timedWords(text)).map(({ lines }) => lines)).toEqual([
      ['We have a guest who came', 'all the way from New Zealand,'],
      ['and who will tell us about', 'ferns that like shade.'],
    ]);
  });

  it('end with a clause rather than in the middle of a sentence', () => {
    const text = 'If it rains tomorrow, we will all have to stay at home and watch a film with the children.';
    expect(cuesOf(timedWords(text)).map(({ lines }) => lines.join(' '))).toEqual([
      'If it rains tomorrow,',
      'we will all have to stay at home and watch a film with the children.',
    ]);
  });

  it('don’t end with a short word, which mostly belongs to the next one', () => {
    const text = 'And Mr. John Dashwood had then leisure to consider how much there might be prudently in his power to do for them.';
    const cues = cuesOf(timedWords(text));
    expect(cues.map(({ lines }) => lines)).toEqual([
      ['And Mr. John Dashwood had then', 'leisure to consider how much'],
      ['there might be prudently', 'in his power to do for them.'],
    ]);
  });

  it('begin anew after a pause of more than a second', () => {
    const cues = cuesOf(timedWords('This is where I stopped to think.', { pauses: { 3: 1.2 } }));
    expect(cues).toEqual([
      { lines: ['This is where I'], speaker: null, start: 0, end: 1200 },
      { lines: ['stopped to think.'], speaker: null, start: 2300, end: 3300 },
    ]);
  });

  it('stay for a second, and for seven at most', () => {
    const slow = 'Every single word takes three whole seconds here.';
    for (const { start, end } of [
      ...cuesOf(timedWords(slow, { seconds: 3 })),
      ...cuesOf(timedWords('Yes. No. Well. Yes. No. Perhaps we should. Yes.', { seconds: 0.2 })),
    ]) {
      expect(end - start).toBeGreaterThanOrEqual(1000);
      expect(end - start).toBeLessThanOrEqual(7000);
    }
  });

  it('have 24 Chinese or Japanese characters in a line, and break none of their words', () => {
    const text = '明日は雨が降るかもしれませんが傘を持って行けば大丈夫だと思いますよ、ではまた来週の日曜日にお会いしましょう。';
    const lines = cuesOf(timedWords(text, { seconds: 0.15 })).flatMap(({ lines }) => lines);
    expect(lines.join('')).toBe(text);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(24);
    for (const word of ['明日', 'かもしれ', '大丈夫', '来週', '日曜日']) expect(lines.some((line) => line.includes(word))).toBe(true);
  });

  const sentence = fc
    .array(fc.constantFrom('a', 'word', 'longer', 'well-known', "can't", '3.5', '€10', 'Ärger', 'extraordinary'), {
      minLength: 1,
      maxLength: 30,
    })
    .chain((words) => fc.constantFrom('.', '?', '!', '…').map((end) => `${words.join(' ')}${end}`));
  const japanese = fc
    .array(fc.constantFrom('今日', 'は', 'いい', '天気', 'です', 'カメラ', '、'), { minLength: 1, maxLength: 40 })
    .map((words) => `${words.join('')}。`);
  const said = fc.oneof(
    fc.array(sentence, { minLength: 1, maxLength: 8 }).map((all) => all.join(' ')),
    fc.array(japanese, { minLength: 1, maxLength: 5 }).map((all) => all.join('')),
  );
  const pauses = fc.dictionary(fc.integer({ min: 0, max: 100 }).map(String), fc.double({ min: 0, max: 5, noNaN: true }), { maxKeys: 10 });

  const anySeconds = fc.double();
  const anyTurns = fc.array(
    fc.record({ speaker: fc.string(), text: fc.oneof(said, fc.string({ unit: 'grapheme' })), start: anySeconds, end: anySeconds }),
    { maxLength: 4 },
  );

  it('of any speech follow the rules of subtitles', () => {
    fc.assert(
      fc.property(said, pauses, fc.double({ min: 0.1, max: 1, noNaN: true }), (text, silent, seconds) => {
        const given = timedWords(text, { pauses: silent, seconds });
        const cues = cuesOf(given);
        const width = /\p{Script=Han}|です/u.test(text) ? 24 : 42;
        const written = text.split(/\s+/);
        let last = 0;
        for (const { lines, start, end } of cues) {
          expect(lines.length).toBeLessThanOrEqual(2);
          for (const line of lines) {
            expect(line.length).toBeLessThanOrEqual(width);
            if (width === 42) for (const word of line.split(' ')) expect(written).toContain(word);
          }
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end - start).toBeLessThanOrEqual(7000);
          last = end;
        }
        expect(withoutSpaces(cues.flatMap(({ lines }) => lines).join(''))).toBe(withoutSpaces(text));
      }),
    );
  });

  const spoken = fc.record({
    text: fc.oneof(said, fc.constantFrom('Yes.', 'No.'), fc.string({ unit: 'grapheme', maxLength: 80 })),
    start: fc.double({ min: 0, max: 50, noNaN: true }),
    end: fc.double({ min: 0, max: 60, noNaN: true }),
    speaker: fc.option(fc.record({ id: fc.string(), name: fc.constantFrom('Robin', 'Sam the Great', 'x'.repeat(60)) }), { nil: undefined }),
  });

  it('of any conversation have the names of those who speak, and are in order', () => {
    fc.assert(
      fc.property(fc.array(spoken, { maxLength: 8 }), fc.boolean(), (segments, named) => {
        const lines = toLines({ text: '', duration: 60, segments });
        let last = 0;
        const cues = toCues(lines, { duration: 60_000, named });
        for (const { lines: shown, start, end } of cues) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          expect(end - start).toBeLessThanOrEqual(7000);
          expect(shown.length).toBeLessThanOrEqual(2);
          for (const line of shown) expect(line.length).toBeLessThanOrEqual(42);
          last = end;
        }
        const wanted = lines.map(({ text, speaker }) => (named && speaker !== null ? `${speaker}: ${text}` : text));
        expect(withoutSpaces(cues.flatMap((cue) => cue.lines).join(''))).toBe(withoutSpaces(wanted.join('')));
      }),
    );
  });

  it('of any answer lose no word of its text, and are in order', () => {
    fc.assert(
      fc.property(anyTranscript, anyTurns, said, fc.boolean(), (odd, speakerTurns, text, isText) => {
        const given = { ...odd, speakerTurns, ...(isText && { text }) };
        const aligned = alignTranscript(given);
        let last = 0;
        const isSane = Number.isFinite(given.duration);
        for (const { start, end } of cuesOf(given)) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          last = end;
        }
        if (isSane) for (const { start, end } of aligned.segments) expect([start, end].some(Number.isNaN)).toBe(false);
        if (isText)
          expect(
            withoutSpaces(
              toParagraphs(aligned)
                .map((paragraph) => paragraph.text)
                .join(''),
            ),
          ).toBe(withoutSpaces(text));
      }),
    );
  });
});

it('others have their turn while a transcript is aligned', async () => {
  const given = timedWords('Hello there. '.repeat(100));
  let turns = 0;
  const count = () => {
    turns += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  try {
    expect(await alignWithPauses(given)).toEqual(alignTranscript(given));
    expect(turns).toBeGreaterThan(2);
  } finally {
    clearImmediate(next);
  }
});

it('an hour of hostile words takes no longer than one of speech', () => {
  const repeated = 'na '.repeat(9_000);
  const shuffled = Array.from({ length: 9_000 }, (_, index) => `w${(index * 7919) % 997}`).join(' ');
  for (const text of [repeated, shuffled, 'x'.repeat(50_000), '的'.repeat(15_000)]) {
    const { segments } = timedWords(text.split(' ').toReversed().join(' '));
    const before = process.cpuUsage();
    cuesOf({ text, duration: 3600, segments });
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(3);
  }
});
