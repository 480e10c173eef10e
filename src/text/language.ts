// Which language a text is written in, if that is certain: a wrong voice is worse than the server's own.
//
// Most scripts tell the language. Latin letters are left to tinyld, which of four libraries recognised the most messages with the fewest
// mistakes. With 314 short chat messages in 18 languages and 72 like "gg wp", each tried in servers of seven languages, it mistook no
// message in the server's own language for another, and recognised 60 % of the others (eld 2.1.0: 57 %, lande 1.0.10: 43 %, franc-min
// 6.2.0: less than 20 %). It takes 0.1 ms for such a message, and half as much memory as eld; but
// loading it takes 100 to 300 ms and 50 MB, so it runs in a thread.
import { Worker } from 'node:worker_threads';
import type { LatinAnswer, LatinQuestion, Ranked } from './latin-language-worker.ts';

/** Characters; enough to be sure, and at most 2 ms. */
const MAX_DETECTED = 200;
/** A message is in a script if at least this share of its letters is. */
const MAIN_SHARE = 0.6;
/** A single letter may be a picture: ツ, ☆彡, の. */
const MIN_LETTERS = 2;
/** Fewer Latin letters don't tell a language: "haha ok" could be anything. */
const MIN_LATIN_LETTERS = 12;
const MIN_LATIN_WORDS = 2;
/** How much more likely than any other language it must be, on a scale of 0 to 1. With less, English chat was taken for other languages. */
const MIN_MARGIN = 0.08;

/** Languages in Latin letters that many on Discord speak. With more of them, more would be taken for each other. */
const LATIN = ['en', 'de', 'fr', 'es', 'pt', 'it', 'pl', 'nl', 'sv', 'da', 'no', 'fi', 'tr', 'vi', 'id', 'cs', 'ro', 'hu'];

const WORKER = new URL('./latin-language-worker.ts', import.meta.url);

interface Script {
  letters: RegExp;
  /** The language that most people write in it. */
  language: string;
  /** Other languages, each recognised by letters of its own. */
  others?: readonly (readonly [RegExp, string])[];
}

const SCRIPTS: readonly Script[] = [
  { letters: /\p{Script=Hangul}/gu, language: 'ko' },
  {
    letters: /\p{Script=Cyrillic}/gu,
    language: 'ru',
    others: [
      [/ў/i, 'be'],
      [/[іїєґ]/i, 'uk'],
      [/[ђћљњџј]/i, 'sr'],
    ],
  },
  {
    letters: /\p{Script=Arabic}/gu,
    language: 'ar',
    others: [
      [/[ٹڈڑںےہ]/, 'ur'],
      [/[پچژگکی]/, 'fa'],
    ],
  },
  { letters: /\p{Script=Devanagari}/gu, language: 'hi' },
  { letters: /\p{Script=Greek}/gu, language: 'el' },
  { letters: /\p{Script=Hebrew}/gu, language: 'he' },
  { letters: /\p{Script=Thai}/gu, language: 'th' },
];

/** BCP 47, without a region; null unless it is certain. Never rejects. @param usual the server's language, BCP 47: Han alone can be Japanese there */
export async function detectLanguage(text: string, usual: string): Promise<string | null> {
  const prose = text
    .slice(0, 4 * MAX_DETECTED)
    .replace(/```[\s\S]*?(?:```|$)|`[^`\n]*`|<[^>\s][^>\n]{0,100}>|https?:\/\/\S+/g, ' ')
    .slice(0, MAX_DETECTED)
    .toLowerCase();
  const letters = count(prose, /\p{L}/gu);
  if (letters < MIN_LETTERS) return null;
  const isMain = (script: RegExp) => count(prose, script) >= MAIN_SHARE * letters;

  if (isMain(/\p{Script=Latin}/gu)) return latinLanguage(prose);
  if (isMain(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu)) return eastAsianLanguage(prose, usual);
  const script = SCRIPTS.find((candidate) => isMain(candidate.letters));
  return script?.others?.find(([letter]) => letter.test(prose))?.[1] ?? script?.language ?? null;
}

/** Chinese has no kana, except ornamental ones; short Japanese may have none either. */
function eastAsianLanguage(prose: string, usual: string): string | null {
  const kana = count(prose, /[\p{Script=Hiragana}\p{Script=Katakana}]/gu);
  if (kana >= MIN_LETTERS) return 'ja';
  return kana > 0 || usual === 'ja' ? null : 'zh';
}

async function latinLanguage(prose: string): Promise<string | null> {
  const plain = prose.replace(/(\p{L})\1{2,}/gu, '$1');
  if (count(plain, /\p{L}/gu) < MIN_LATIN_LETTERS || new Set(plain.match(/[\p{L}\p{M}'’]+/gu)).size < MIN_LATIN_WORDS) return null;
  const [likeliest, second] = await rankLatinLanguages(plain);
  if (!likeliest || likeliest.accuracy - (second?.accuracy ?? 0) < MIN_MARGIN) return null;
  return likeliest.lang;
}

interface Detector {
  worker: Worker;
  /** By their numbers, those who wait for an answer. */
  waiting: Map<number, (ranked: Ranked[]) => void>;
}

let detector: Detector | null = null;
let asked = 0;

/** Starts the thread, if it isn't running: a message that comes later needn't wait for it. */
export function startDetector(): Detector {
  if (detector) return detector;
  const started: Detector = { worker: new Worker(WORKER), waiting: new Map() };
  // It answers members, but keeps no process from ending.
  started.worker.unref();
  started.worker.on('message', ({ number, ranked }: LatinAnswer) => {
    started.waiting.get(number)?.(ranked);
    started.waiting.delete(number);
  });
  const onEnd = () => {
    if (detector === started) detector = null;
    for (const resolve of started.waiting.values()) resolve([]);
    started.waiting.clear();
  };
  started.worker.once('error', onEnd).once('exit', onEnd);
  detector = started;
  return started;
}

/** The likeliest languages, if the thread can tell any. */
function rankLatinLanguages(text: string): Promise<Ranked[]> {
  const { worker, waiting } = startDetector();
  const { promise, resolve } = Promise.withResolvers<Ranked[]>();
  const question: LatinQuestion = { number: asked++, text, only: LATIN };
  waiting.set(question.number, resolve);
  worker.postMessage(question);
  return promise;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
