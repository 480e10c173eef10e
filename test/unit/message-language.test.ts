// When the language of a message is sure, and which it is.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { detectLanguage } from '../../src/reading/message-text.ts';
import { anyText } from '../helpers/arbitrary-text.ts';

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
  ])('is %s', (language, text) => {
    expect(detectLanguage(text, 'en')).toBe(language);
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
  ])('is not sure for %j', (text) => {
    expect(detectLanguage(text, 'en')).toBeNull();
  });

  test('is found beside code, links, mentions and emoji', () => {
    expect(detectLanguage('<@123456789012345678> schau mal, das ist ja wirklich toll https://example.com/this-is-english 😂', 'en')).toBe(
      'de',
    );
  });

  test('may be Japanese without kana where Japanese is spoken', () => {
    expect(detectLanguage('了解', 'ja')).toBeNull();
    expect(detectLanguage('了解', 'en')).toBe('zh');
  });

  test('is a short code or unknown, for any text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(detectLanguage(text, 'en') ?? 'xx').toMatch(/^[a-z]{2}$/);
      }),
    );
  });
});
