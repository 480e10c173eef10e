// How Japanese and Chinese are said: espeak-ng says kanji as "Chinese letter", and spells hanzi, so it gets hiragana and pinyin.
import { createRequire } from 'node:module';

/** Puts a sentence into letters that espeak-ng reads. */
export type Reader = (sentence: string) => string;

const require = createRequire(import.meta.url);

/** Loaded with the first text of its language: the dictionary of Japanese has 13 MB, and takes a second. */
const LOADERS: Record<string, () => Reader> = { ja: loadJapanese, zh: loadChinese };
const loaded = new Map<string, Reader>();

/** @param language BCP 47 @throws Error if a package is missing */
export function readerOf(language: string): Reader {
  const [base = language] = language.split('-');
  const reader = loaded.get(base) ?? LOADERS[base]?.() ?? ((sentence: string) => sentence);
  loaded.set(base, reader);
  return reader;
}

function loadChinese(): Reader {
  const { pinyin } = require('pinyin-pro') as typeof import('pinyin-pro');
  return (sentence) =>
    pinyin(sentence, { toneType: 'num', type: 'array', toneSandhi: true, nonZh: 'consecutive' })
      .map((syllable) => syllable.replace(/(?<=\p{L})0$/u, '5'))
      .join(' ')
      .replace(/[，、。！？：；]/g, (mark) => `${CHINESE_MARKS[mark]} `)
      .replace(/ +/g, ' ');
}

const CHINESE_MARKS: Record<string, string> = { '，': ',', '、': ',', '。': '.', '！': '!', '？': '?', '：': ':', '；': ';' };

function loadJapanese(): Reader {
  const { TokenizerBuilder } = require('lindera-wasm-nodejs-ipadic') as typeof import('lindera-wasm-nodejs-ipadic');
  const builder = new TokenizerBuilder();
  builder.setDictionary('embedded://ipadic');
  builder.setMode('normal');
  const tokenizer = builder.build();
  return (sentence) => {
    const tokens = tokenizer.tokenize(sentence.normalize('NFKC').replace(/\d{1,12}/g, toKanjiNumber)) as {
      surface: string;
      pronunciation?: string;
    }[];
    return toHiragana(
      tokens.map(({ surface, pronunciation }) => (pronunciation && pronunciation !== '*' ? pronunciation : surface)).join(''),
    );
  };
}

/** What has no reading in the dictionary is left out: espeak-ng would say "Chinese letter". */
function toHiragana(kana: string): string {
  const hiragana = kana
    .replace(/[\u30a1-\u30f6]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0x60))
    .replace(/\p{Script=Han}/gu, ' ')
    .replaceAll('、', ', ')
    .replaceAll('。', '. ');
  // A long vowel is that vowel once more.
  return hiragana.replace(/(.)ー+/g, (_, letter: string) => letter + (VOWELS.find(([row]) => row.includes(letter))?.[1] ?? ''));
}

const VOWELS = [
  ['あかさたなはまやらわがざだばぱぁゃゎ', 'あ'],
  ['いきしちにひみりぎじぢびぴぃ', 'い'],
  ['うくすつぬふむゆるぐずづぶぷぅゅゔ', 'う'],
  ['えけせてねへめれげぜでべぺぇ', 'え'],
  ['おこそとのほもよろをごぞどぼぽぉょ', 'お'],
] as const;

const DIGITS = '〇一二三四五六七八九';
const UNITS = ['', '十', '百', '千'];
const MYRIADS = ['', '万', '億'];

/** 1280 is 千二百八十: the dictionary has readings of these. */
function toKanjiNumber(digits: string): string {
  if (/^0/.test(digits)) return [...digits].map((digit) => DIGITS[Number(digit)]).join('');
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= 4) groups.unshift(digits.slice(Math.max(0, end - 4), end));
  return groups
    .map((group, index) => {
      const places = [...group].map((digit, at) => {
        const unit = UNITS[group.length - 1 - at] ?? '';
        if (digit === '0') return '';
        return digit === '1' && unit !== '' ? unit : `${DIGITS[Number(digit)]}${unit}`;
      });
      const said = places.join('');
      return said === '' ? '' : said + (MYRIADS[groups.length - 1 - index] ?? '');
    })
    .join('');
}
