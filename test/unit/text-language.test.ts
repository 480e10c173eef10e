// When the language of a message is sure, and which it is.
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { detectLanguage } from '../../src/text/language.ts';
import { anyText } from '../helpers/arbitrary-text.ts';

// First, before the languages in Latin letters have been loaded.
test('is found without keeping the main thread busy', async () => {
  const cpuMs = () => Object.values(process.threadCpuUsage()).reduce((sum, part) => sum + part / 1000, 0);
  let longest = 0;
  let isDone = false;
  const watching = (async () => {
    for (let before = cpuMs(); !isDone; before = cpuMs()) {
      await nextTurn();
      longest = Math.max(longest, cpuMs() - before);
    }
  })();
  expect(await detectLanguage('can someone help me with this quest', 'en')).toBe('en');
  isDone = true;
  await watching;
  expect(longest).toBeLessThan(50);
});

describe('the language of a message', () => {
  test.each([
    ['en', 'can someone help me with this quest'],
    ['de', 'ich glaub der Boss ist zu stark für uns'],
    ['fr', 'tu peux m’envoyer le lien stp'],
    ['es', 'alguien quiere jugar conmigo esta noche'],
    ['pt', 'você não pode fazer isso agora, amanhã eu jogo com vocês'],
    ['it', 'qualcuno vuole giocare con me stasera'],
    ['pl', 'jutro mam sprawdzian więc nie mogę grać'],
    ['nl', 'hoe laat spelen we vanavond'],
    ['tr', 'biri bana yardım edebilir mi'],
    ['ja', '了解です'],
    ['ko', '안녕'],
    ['zh', '你好吗'],
    ['ru', 'привет'],
    ['uk', 'всім привіт'],
    ['ar', 'مرحبا بالجميع'],
    ['fa', 'سلام خوبی؟'],
    ['hi', 'नमस्ते'],
    ['el', 'γεια σας'],
    ['he', 'שלום לכם'],
    ['th', 'สวัสดี'],
  ])('is %s', async (language, text) => {
    expect(await detectLanguage(text, 'en')).toBe(language);
  });

  test.each([
    'lol',
    'gg wp',
    'haha ok',
    'hahahahahahaha',
    'no no no no no no no',
    'qwertyuiop',
    'Discord Nitro',
    'GTA 5 online',
    'super mario bros',
    'GG 你好',
    'ツ',
    '我の家',
    '草',
    '123 456 789',
    '😂😂😂',
    '`const größe = 5; // das ist leider Code und kein Satz`',
    'https://example.de/das-ist-leider-nur-ein-link',
    '<:ich_bin_leider_nur_ein_emoji:123456789>',
  ])('is not sure for %j', async (text) => {
    expect(await detectLanguage(text, 'en')).toBeNull();
  });

  test('is found beside code, links, mentions and emoji', async () => {
    expect(
      await detectLanguage('<@123456789012345678> schau mal, das ist ja wirklich toll https://example.com/this-is-english 😂', 'en'),
    ).toBe('de');
  });

  test('may be Japanese without kana where Japanese is spoken', async () => {
    expect(await detectLanguage('了解', 'ja')).toBeNull();
    expect(await detectLanguage('了解', 'en')).toBe('zh');
  });

  test('is a short code or unknown, for any text', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, async (text) => {
        expect((await detectLanguage(text, 'en')) ?? 'xx').toMatch(/^[a-z]{2}$/);
      }),
    );
  });
});
