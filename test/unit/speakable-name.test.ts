// Names of members, made speakable.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { en, languages, translatorFor } from '../../src/locales/index.ts';
import { emojiName, speakableName } from '../../src/reading/message-text.ts';
import { anyText } from '../helpers/arbitrary-text.ts';

describe('a name', () => {
  test.each([
    ['Robin', 'Robin'],
    ['𝓡𝓸𝓫𝓲𝓷', 'Robin'],
    ['ⓇⓄⒷⒾⓃ', 'ROBIN'],
    ['Ｒｏｂｉｎ', 'Robin'],
    ['ʀᴏʙɪɴ', 'robin'],
    ['🅡🅞🅑🅘🅝', 'robin'],
    ['🇷 🇴 🇧', 'r o b'],
    ['R̷̢o̶͜b̴̛i̸̡n̵͝', 'Robin'],
    ['xX_D4rk~Lord_Xx', 'xX D4rk Lord Xx'],
    ['✨Robin✨ (she/her)', 'Robin she her'],
    ['Robiiiiiiiin', 'Robiin'],
    ['Robin8273649172', 'Robin8273'],
    ['O’Brien-Smith Jr.', 'O’Brien-Smith Jr'],
    ['Zoë Łukasz', 'Zoë Łukasz'],
    ['ロビン', 'ロビン'],
    ['नमस्ते', 'नमस्ते'],
    ['and so on', 'and so on'],
    ['says', 'says'],
    ['🦊', 'fox'],
    ['✦ 🦊🐶 ✦', 'fox'],
    ['', 'someone'],
    ['!?!', 'someone'],
    ['\u200b\u3164', 'someone'],
    ['\u0301'.repeat(32), 'someone'],
  ])('%j is said as %j', (name, said) => {
    expect(speakableName(name, en)).toBe(said);
  });

  test('without letters is said in the language of the server', () => {
    expect(speakableName('🦊', translatorFor('de'))).toBe('Fuchs');
    expect(speakableName('…', translatorFor('de'))).toBe('jemand');
  });

  test('is never empty, invisible or long', () => {
    fc.assert(
      fc.property(anyText, (name) => {
        const said = speakableName(name, en);
        expect(said).toMatch(/[\p{L}\p{N}]/u);
        expect(said).not.toMatch(/[\p{C}\n]|\p{M}{5}|^\s|\s$/u);
        expect(said.length).toBeLessThanOrEqual(150);
      }),
    );
  });
});

describe('an emoji', () => {
  test('has a name in every language', () => {
    const names = languages.map(({ locale }) => emojiName('👍🏽', locale));
    expect(names).not.toContain(undefined);
    expect(new Set(names).size).toBeGreaterThan(7);
  });

  test('has none if it is unknown, or in a language that is', () => {
    expect(emojiName('x', 'en')).toBeUndefined();
    expect(emojiName('👍', 'xx')).toBeUndefined();
    expect(emojiName('👍', '../../..')).toBeUndefined();
  });

  test('that is joined in a way without a name is called like its first part', () => {
    expect(emojiName('🦊\u200d🐶', 'en')).toBe('fox');
  });
});
