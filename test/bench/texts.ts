// How long a text keeps the thread that reads it, at worst: every regular expression of the program and whatever reads texts of others, on
// repeated characters of every kind; and titles, transcripts and recordings as large as they come. What is computed counts.
import { toPlainText } from '../../src/doctor.ts';
import { createSentenceQueue } from '../../src/local/voice-service/sentence-queue.ts';
import { plainName } from '../../src/reading/message-text.ts';
import { createCounter } from '../../src/recording-duration/counter.ts';
import { createDurationMeters } from '../../src/recording-duration/meters.ts';
import { cutIntoPieces, cutIntoSentences, makeSpeakable, truncateSpeech } from '../../src/synthesis/speakable.ts';
import { detectLanguage } from '../../src/text/language.ts';
import { asMarkdown, asPlain } from '../../src/text/untrusted-text.ts';
import { silentOgg } from '../helpers/recordings.ts';
import { writtenExpressions } from '../helpers/source-text.ts';
import type { Bench } from './conversion.ts';
import { startCpuTimer } from './cpu-time.ts';
import { type Row, rowOf } from './rows.ts';

/** An expression in proportion to the text takes less than 3 ms for so many characters; one that grows with their square, from 200 ms to seconds. */
const LENGTH = 20_000;
const MAX_MS = 50;
/** What grows faster still would not end: short texts are tried before long ones. */
const LENGTHS = [24, 512, LENGTH];

/** Kinds of characters that classes tell apart. */
const CHARACTERS = [...'0aAéß_ \n\t\r\u2028\u3000\u0301。\ue100\\/"\'-=;,.!?([<*`|~:@#>&%\u200d\0', '\u{1f1e9}', '\u{1f600}', '\ud83d'];

/** One character for each set of parts of the expression that it fits: the others of the same set do the same. */
function tellingCharacters({ source, flags }: RegExp): string[] {
  const parts = source.match(/\\[pP]\{[^}]*\}|\\u\{[\da-f]+\}|\\u[\da-f]{4}|\\.|\[(?:\\.|[^\]\\])*\]|[^\\]/giu) ?? [];
  const patterns = [...new Set([...parts, '\\w', '\\s', '[\\n\\r\\u2028\\u2029]'])].flatMap((part) => {
    try {
      return [new RegExp(`^(?:${part})$`, flags.replace(/[gmy]/g, ''))];
    } catch {
      return [];
    }
  });
  const own = parts.filter((part) => part.length === 1);
  return [...new Map([...CHARACTERS, ...own].map((sign) => [patterns.map((one) => Number(one.test(sign))).join(''), sign])).values()];
}

/** Texts in which a character or two are repeated, after whatever words the expression may begin with. */
function* textsAgainst(regex: RegExp, length: number): Generator<string> {
  const signs = tellingCharacters(regex);
  const words = new Set(regex.source.match(/(?<!\\)[a-z]+|(?<=\\)[^a-z]|[^\w\s\\^$?*+()[\]{}|]/gi) ?? []);
  for (const start of ['', ...words])
    for (const first of signs)
      for (const second of start === '' ? signs : [first]) {
        const pair = first === second ? first : first + second;
        const repeated = start + pair.repeat(length / pair.length);
        yield repeated;
        yield `${repeated}\0!`;
      }
}

function search(regex: RegExp, text: string): void {
  if (regex.global) text.replace(regex, '');
  else regex.test(text);
  regex.lastIndex = 0;
}

function cpuMs(act: () => unknown): number {
  const computed = startCpuTimer();
  act();
  return computed();
}

interface Slowest {
  ms: number;
  what: string;
}

/** The longest of these times, each the better of two: a collection of garbage may have fallen into one. */
function slowestOf(texts: Iterable<string>, name: string, read: (text: string) => unknown): Slowest {
  let slowest: Slowest = { ms: 0, what: name };
  for (const text of texts) {
    const first = cpuMs(() => read(text));
    const ms =
      first > slowest.ms
        ? Math.min(
            first,
            cpuMs(() => read(text)),
          )
        : 0;
    if (ms > slowest.ms) slowest = { ms, what: `${name} on ${JSON.stringify(text.slice(0, 20))} …` };
    if (slowest.ms > MAX_MS) break;
  }
  return slowest;
}

/** What reads texts of others, at the largest size that it gets, of whole characters. */
const readers: [name: string, length: number, read: (text: string) => unknown][] = [
  [
    'makeSpeakable',
    4_096,
    (text) =>
      makeSpeakable(text, { link: 'link', spoiler: 'spoiler', someone: 'someone', role: 'a role', channel: 'a channel', locale: 'en' }),
  ],
  ['truncateSpeech', 8_192, (text) => truncateSpeech(text, 2_000, 'and so on')],
  ['detectLanguage', 4_096, (text) => void detectLanguage(text, 'en')],
  ['plainName', 4_096, plainName],
  ['cutIntoPieces', 4_096, (text) => cutIntoPieces(text)],
  ['cutIntoSentences', 4_096, cutIntoSentences],
  ['asMarkdown', 4_096, (text) => asMarkdown(text, 1_000, { keepLines: true })],
  ['asPlain', 4_096, (text) => asPlain(text, 1_000)],
  ['toPlainText', 4_096, (text) => toPlainText(text)],
  [
    'createSentenceQueue',
    LENGTH,
    (text) => {
      const queue = createSentenceQueue({ maxLength: 300, idleMs: 1_000, onIdle() {} });
      queue.add(text);
      queue.stop();
    },
  ],
];

export async function benchTexts({ progress }: Bench): Promise<Row[]> {
  const atWorst = (figure: string, all: Slowest[]): Row => {
    const worst = all.toSorted((a, b) => b.ms - a.ms)[0] as Slowest;
    progress(`texts: ${worst.what}`);
    return rowOf({ part: 'texts', figure, unit: 'ms', parley: [worst.ms], aim: { atMost: MAX_MS } });
  };
  const expressions = writtenExpressions().map(({ regex, file }) => {
    const name = `${file}: ${regex}`;
    // A longer text is no more needed once a shorter one has taken too long.
    const texts = LENGTHS.values().flatMap((length) => textsAgainst(regex, length));
    return slowestOf(texts, name, (text) => search(regex, text));
  });
  const pairs = CHARACTERS.flatMap((first) => CHARACTERS.map((second) => (first === second ? first : first + second)));
  const reading = readers.map(([name, length, read]) =>
    slowestOf(
      pairs.map((pair) => pair.repeat(length / pair.length)),
      name,
      read,
    ),
  );
  return [
    atWorst('the slowest regular expression, 20,000 repeated characters', expressions),
    atWorst('the slowest reader of texts, as long as they come', reading),
    await benchMeasuring(),
  ];
}

/** What the main thread is spared of a recording of 20 MB. */
async function benchMeasuring(): Promise<Row> {
  const hour = silentOgg(3600);
  const times = Math.ceil(20_000_000 / hour.length);
  const here = cpuMs(() => {
    const counter = createCounter();
    for (let time = 0; time < times; time++) counter.push(hour);
    counter.end();
  });
  const meters = createDurationMeters();
  const meter = meters.open();
  // The thread is started.
  await meter.add(hour);
  const computed = startCpuTimer();
  for (let time = 1; time < times; time++) await meter.add(hour);
  await meter.end();
  const elsewhere = computed();
  meters.close();
  const usual = { 'on the main thread': [here] };
  return rowOf({
    part: 'texts',
    figure: 'counting the seconds of 20 MB, main thread',
    unit: 'ms',
    parley: [elsewhere],
    usual,
    aim: { share: 0.25 },
  });
}
