// Which parts of a message are spoken, and where a long one is cut.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { familyOf } from '../../src/api/models.ts';
import { inPlace } from '../../src/locales/in-place.ts';
import { en, translatorFor } from '../../src/locales/index.ts';
import {
  cutIntoPieces,
  cutIntoSentences,
  hasMoods,
  MAX_PIECE,
  MOODS,
  makeSpeakable as make,
  type SpeakableWords,
  truncateSpeech,
  withMood,
  withoutInstructions,
} from '../../src/synthesis/speakable.ts';
import { anyCharacter } from '../helpers/arbitrary-text.ts';

const words: SpeakableWords = inPlace(en);
const makeSpeakable = (text: string, names?: Parameters<typeof make>[2]) => make(text, words, names);

const names = {
  user: (id: string) => (id === '1' ? 'Ann_Lee' : undefined),
  role: (id: string) => (id === '2' ? 'Moderators' : undefined),
  channel: (id: string) => (id === '3' ? 'general' : undefined),
};

describe('speakable text', () => {
  test.each([
    ['mentions by name', 'hi <@1>, <@!1>! ask <@&2> in <#3>', 'hi Ann Lee, Ann Lee! ask Moderators in general'],
    ['mentions of what is gone in general', '<@9> in <#9> with <@&9>', 'someone in a channel with a role'],
    ['everyone without the sign', '@everyone and @here, mail me@example.org', 'everyone and here, mail me@example.org'],
    ['custom emoji by name', 'well <:party_parrot:123456> <a:wave:99>', 'well party parrot wave'],
    ['commands and times', 'type </say now:5> at <t:0:d>', 'type say now at January 1, 1970'],
    ['links as a word', 'see https://example.com/a_b?c=(d). Or <https://x.org>, www.y.org!', 'see link. Or link, link!'],
    ['brackets around links as they are', '(see https://example.com/x) [www.y.org].', '(see link) [link].'],
    ['links with a text by it', 'read [the manual](https://example.com "Title") first', 'read the manual first'],
    ['spoilers hidden', 'he is ||his *father*|| ||and\nmore||', 'he is spoiler spoiler'],
    ['code left out', 'run `npm i` then ```js\nlet x = "`";\n``` and ``a ` b`` done', 'run then and done'],
    ['code that never ends left out', 'look: ```js\nlet x', 'look:'],
    ['markdown removed', '**bold** ***both*** __under__ *it* _it_ ~~gone~~', 'bold both under it it gone'],
    ['lists, quotes and headings as lines', '# Title\n-# small\n> quoted\n>>> more\n- one\n* two', 'Title\nsmall\nquoted\nmore\none\ntwo'],
    ['a list within a list', '- + one', 'one'],
    ['signs that mean themselves kept', 'snake_case_name 2*3*4 \\*star\\* a > b', 'snake_case_name 2*3*4 *star* a > b'],
    ['repeats shortened', 'nooooooooo!!!!!!!! hahahahahahaha no no no no no', 'nooo!!! hahaha no no no'],
    ['numbers whole', '1000000 and 5 5 5 5 5 and 111111', '1000000 and 5 5 5 5 5 and 111111'],
    ['control characters removed', 'a\u0000b\u200bc\u202e d\u0007\r\ne', 'abc d\ne'],
    ['other scripts as they are', 'こんにちは。 مرحبا می‌خواهم 👩‍💻', 'こんにちは。 مرحبا می‌خواهم 👩‍💻'],
  ])('has %s', (_what, typed, spoken) => {
    expect(makeSpeakable(typed, names)).toBe(spoken);
  });

  test.each(['', ' \n ', '!!! ... ?', '😂😂😂', '```code```', '\u200b', '***', '<id:browse>'])('is null for %j', (typed) => {
    expect(makeSpeakable(typed)).toBeNull();
  });

  test('uses its own words in another language', () => {
    const spoken = make('<@9> https://example.com <t:0:t>', inPlace(translatorFor('de')));
    expect(spoken).toBe('jemand Link 00:00 UTC');
  });

  test('drops markdown from names', () => {
    expect(makeSpeakable('<@1> is here', { user: () => '**`||x||`** <@1>' })).toBe('x @1 is here');
  });

  test('is not much longer than what was typed, whatever the names in it', () => {
    const name = () => 'Welcome and rules of the house '.repeat(5);
    for (const typed of ['<t:0>', '<t:1:F>', '<#1>', '<@&1>', '<@1>', '<:ab:1>', '</a:1>', 'https://a ', '||a||'].map((one) =>
      one.repeat(800),
    )) {
      const spoken = makeSpeakable(`first ${typed}`, { user: name, role: name, channel: name }) ?? '';
      expect(spoken.length).toBeLessThan(8200);
      expect(spoken).toMatch(/^first /);
    }
    expect(makeSpeakable(`${'a '.repeat(50_000)}b`)).not.toContain('b');
    expect(makeSpeakable('<t:0:d> '.repeat(60) + 'x'.repeat(3))).toMatch(/^January 1, 1970 January .* xxx$/);
  });

  test('contains nothing invisible, whatever the message', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 300 }), (text) => {
        expect(makeSpeakable(text) ?? '').not.toMatch(/[^\P{Cc}\n]|^\s|\s$/u);
      }),
    );
  });
});

describe('a text that is cut short', () => {
  test.each([
    ['as it is where it fits', 'One two three', 13, 'One two three'],
    ['between words', 'One two three four five', 19, 'One two three, etc.'],
    ['and not in the midst of one', 'One two three four five', 18, 'One two, etc.'],
    ['without the marks before the cut', 'Yes, and — well, maybe so', 22, 'Yes, and — well, etc.'],
    ['anywhere where there are no blanks', 'これは長い文ですから長いです', 12, 'これは長い文, etc.'],
    ['but never inside a character', '😀😀😀😀😀😀😀', 13, '😀😀😀, etc.'],
    ['but in the midst of a word that is nearly all of it', `a ${'b'.repeat(30)}`, 16, `a ${'b'.repeat(8)}, etc.`],
    ['with its ending on top where there is no room for both', 'One two three', 4, 'On, etc.'],
  ])('is cut %s', (_what, text, most, cut) => {
    expect(truncateSpeech(text, most, 'etc')).toBe(cut);
  });

  test('is never longer than allowed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300, size: 'max' }), fc.integer({ min: 24, max: 200 }), (text, most) => {
        expect(truncateSpeech(text, most, 'and so on').length).toBeLessThanOrEqual(most);
      }),
    );
  });
});

describe('the pieces of a text', () => {
  const words = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), { maxLength: 80 }).map((parts) => parts.join(' '));

  test('are the text itself when it is short', () => {
    expect(cutIntoPieces('  One. Two. Three. ')).toEqual(['One. Two. Three.']);
    expect(cutIntoPieces('x'.repeat(MAX_PIECE))).toEqual(['x'.repeat(MAX_PIECE)]);
    expect(cutIntoPieces(' \n ')).toEqual([]);
  });

  test('end where sentences end, with a shorter first one', () => {
    const sentence = 'The quick brown fox jumps over the lazy dog.';
    const pieces = cutIntoPieces(Array(30).fill(sentence).join(' '));
    for (const piece of pieces) expect(piece).toMatch(/^The quick.*dog\.$/);
    expect(pieces[0]?.length).toBeLessThanOrEqual(150);
    expect(pieces[1]?.length).toBeGreaterThan(200);
  });

  test('of one long sentence end after a clause, otherwise between words', () => {
    const clauses = cutIntoPieces(Array(40).fill('and then there was another thing').join(', '));
    for (const piece of clauses.slice(0, -1)) expect(piece).toMatch(/thing,$/);
    const bare = cutIntoPieces('word '.repeat(200));
    for (const piece of bare) expect(piece).toMatch(/^(word )*word$/);
    expect(
      cutIntoPieces(`${'これは長い文です、'.repeat(80)}`)
        .slice(0, -1)
        .every((piece) => piece.endsWith('、')),
    ).toBe(true);
  });

  test('never break a character', () => {
    const family = '👩‍👩‍👧‍👦';
    for (const piece of cutIntoPieces(family.repeat(100))) expect(piece.split(family).join('')).toBe('');
  });

  test('add up to the whole text, none blank and none too long', () => {
    fc.assert(
      fc.property(words, fc.integer({ min: 1, max: 400 }), (text, max) => {
        const pieces = cutIntoPieces(text, max);
        expect(pieces.join('').replace(/\s+/g, '')).toBe(text.replace(/\s+/g, ''));
        for (const piece of pieces) {
          expect(piece.length).toBeLessThanOrEqual(max);
          expect(piece.trim()).toBe(piece);
          expect(piece).not.toBe('');
        }
      }),
    );
  });
});

describe('a text cut into sentences', () => {
  test('has one in each, and short ones together', () => {
    const long = 'It is a quarter past nine, and it has been raining for a while, as it often does.';
    expect(cutIntoSentences(`  ${long} No. Never.\n\n${long}  `)).toEqual([`${long} `, 'No. Never.\n\n', long]);
    expect(cutIntoSentences('Hello. How are you?')).toEqual(['Hello. How are you?']);
    expect(cutIntoSentences(' \n ')).toEqual([]);
    expect(cutIntoSentences('これは文です。'.repeat(12))).toEqual(['これは文です。'.repeat(11), 'これは文です。']);
  });

  test('is the whole text, in pieces that are short enough and not blank', () => {
    fc.assert(
      fc.property(fc.oneof(fc.lorem({ mode: 'sentences', maxCount: 40 }), fc.string({ unit: anyCharacter, maxLength: 2000 })), (text) => {
        const pieces = cutIntoSentences(text);
        expect(pieces.join('')).toBe(text.trim());
        for (const piece of pieces) {
          expect(piece.trim()).not.toBe('');
          expect(piece.trim().length).toBeLessThanOrEqual(MAX_PIECE);
        }
      }),
    );
  });
});

describe('a mood', () => {
  test('is written at the beginning of every sentence, as the model wants it', () => {
    expect(withMood('It rains. Why?\n… Well!', 'sad', 's1')).toBe('(sad) It rains. (sad) Why?\n(sad) … Well!');
    expect(withMood('It rains. Why?', 'whispering', 's2-pro')).toBe('[whispering] It rains. [whispering] Why?');
    expect(withMood('晴れです。明日は雨です。', 'calm', 's2')).toBe('[calm] 晴れです。[calm] 明日は雨です。');
  });

  test('is left out for a model that is not known to understand it, and without one nothing changes', () => {
    for (const mood of MOODS)
      for (const model of ['flite', 'constructor', '', undefined]) expect(withMood('It rains.', mood, model)).toBe('It rains.');
    expect(withMood('It rains.', null, 's1')).toBe('It rains.');
    expect(['s1', 's2-pro', 'speech-1.5', 'toString'].map(hasMoods)).toEqual([true, true, false, false]);
  });

  test.each([
    ['s1', ['s1', 's1-mini']],
    ['s2', ['s2', 's2-pro', 's2.1-pro', 's3', 's3.2-pro', 's10-pro']],
    ['free', ['s2.1-pro-free', 's3-free']],
    ['drama', ['drama-3-preview', 'drama']],
    ['unknown', ['', 'S1', 's', 's0', 's20x', 'speech-1.6', 'dramatic', 'tts-1', '__proto__', undefined]],
  ])('takes the form of the model’s family: %s', (family, models) => {
    expect(models.map(familyOf)).toEqual(models.map(() => family));
    const marked = { s1: '(sad) No.', s2: '[sad] No.', free: '[sad] No.', drama: '[sad] No.', unknown: 'No.' }[family];
    for (const model of models) expect(withMood('No.', 'sad', model)).toBe(marked);
  });
});

describe('what a member writes is spoken, not obeyed', () => {
  test.each([
    ['markers', 's2.1-pro', 'He cast [Fireball] [at me]!', 'He cast Fireball at me!'],
    ['markers of a free model', 's2.1-pro-free', '[laughing] Hi', 'laughing Hi'],
    ['markers of a model that isn’t known, in whose place a service uses its own', 'tts-9', 'a[0] = [1]', 'a 0 = 1'],
    ['markers with wide brackets', 's2-pro', '［笑い］こんにちは', '笑い こんにちは'],
    ['a bracket without its other half', 's2-pro', 'so [it goes', 'so it goes'],
    [
      'special tokens',
      's2.1-pro',
      '<|speaker:1|>Hello <|phoneme_start|>EH1<|phoneme_end|>',
      'speaker:1 Hello phoneme_start EH1 phoneme_end',
    ],
    ['tags', 'drama-3-preview', '<whisper>my secret</whisper>', 'whisper my secret whisper'],
    ['tags within tags', 'drama-3-preview', '<whisper<b>>hi</<b>whisper>', 'whisper b hi b whisper'],
    ['tokens within tokens', 's2-pro', '<|<|speaker:1|>|>hi', 'speaker:1 hi'],
    [
      'round brackets, which s1 takes',
      's1',
      '(laughing) I saw him (my brother), and (shouting) left.',
      'laughing, I saw him, my brother, and, shouting, left.',
    ],
    ['square brackets, which take the place of s1’s when it has ended', 's1', 'He cast [Fireball]', 'He cast Fireball'],
  ])('%s', (_, model, written, spoken) => {
    expect(withoutInstructions(written, model)).toBe(spoken);
  });

  test('what is no instruction to the model stays as it is', () => {
    for (const model of ['s2.1-pro', 'drama-3-preview', 'tts-9'])
      for (const text of ['I saw him (my brother)  twice.', 'I <3 you', '1 < 2 and 3 > 2', 'a -> b', 'x <- y', 'a || b', '<\n>'])
        expect(withoutInstructions(text, model)).toBe(text);
  });

  test('no arrangement of signs leaves an instruction, or loses a word', () => {
    const signs = fc.constantFrom('[', ']', '<', '>', '|', '/', '(', ')', ' ', '\n', 'whisper', 'b', ':');
    const models = fc.constantFrom('s1', 's2.1-pro', 'drama-3-preview', 'other');
    fc.assert(
      fc.property(fc.array(signs, { maxLength: 40 }), models, (parts, model) => {
        const spoken = withoutInstructions(parts.join(''), model);
        expect(spoken).not.toMatch(/[[\]]|<\|[^\n]*\|>|<\/?\p{L}[^<>\n]*>/u);
        if (model === 's1') expect(spoken).not.toMatch(/[()]/);
        expect(spoken.match(/\p{L}+/gu)?.join('') ?? '').toBe(
          parts
            .join('')
            .match(/\p{L}+/gu)
            ?.join('') ?? '',
        );
      }),
    );
  });
});
