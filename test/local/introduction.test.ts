// What the local Discord's page tells newcomers: what the voices are on this computer at this moment, in their language.
import { Locale } from 'discord-api-types/v10';
import { expect, onTestFinished, test } from 'vitest';
import { startLocalDiscord } from '../../src/local/discord/index.ts';
import { introduce } from '../../src/local/introduction.ts';
import type { NaturalSpeed } from '../../src/local/voice-service/engines/index.ts';
import type { ServiceVoices } from '../../src/local/voice-service/index.ts';
import { languages, translatorFor } from '../../src/locales/index.ts';

const builtIn = { speech: false, transcription: false };

/** @param speed null = there are none @param isDefault whether one of them can be the default */
function voicesOf(state: ServiceVoices['state'], speed: NaturalSpeed | null = null, isDefault = speed !== null): ServiceVoices {
  const natural = speed && isDefault ? { id: 'heart', base: 'af_heart', speed } : null;
  return { natural: speed, state, defaults: { natural, standIn: 'clara' }, slow: [], isEnglishOnly: true };
}
const noteOf = (voices: ServiceVoices | null, hasOwn = builtIn, locale = 'en-US') => introduce(locale, { hasOwn, voices }).note;

test('the built-in voices are called what they are on this computer at this moment', () => {
  expect(noteOf(voicesOf('measuring'))).toMatch(/^The natural voices are being loaded\./);
  expect(noteOf(voicesOf('known', { realTimeFactor: 0.2, keepsUp: true }))).toMatch(
    /^The voices here are natural.* For other languages, set VOICE_API_URL/,
  );
  expect(noteOf(voicesOf('known', { realTimeFactor: 1, keepsUp: false }))).toMatch(
    /fast enough for short texts in a natural voice.* For better voices/,
  );
  expect(noteOf(voicesOf('known', { realTimeFactor: 3, keepsUp: false }, false))).toMatch(/too slow for natural voices/);
  expect(noteOf(voicesOf('absent'))).toMatch(/can’t be used on this computer, and the terminal says why/);
  expect(noteOf(voicesOf('unknown'))).toMatch(/^The voices here are simple ones/);
  expect(noteOf(voicesOf('unknown'), { speech: false, transcription: true })).toMatch(
    /They know only English\. For .* set LOCAL_SPEECH_URL/,
  );
  const manyLanguages = { ...voicesOf('unknown'), isEnglishOnly: false };
  expect(noteOf(manyLanguages)).toMatch(/simple ones that run on this computer\. The speech recognition here .* knows only English\./);
  expect(noteOf(manyLanguages, { speech: false, transcription: true })).not.toContain('English');
  expect(noteOf(null, { speech: true, transcription: false })).toMatch(/^The speech recognition .* set LOCAL_TRANSCRIPTION_URL/);
  expect(noteOf(null, { speech: true, transcription: true })).toBeNull();
});

test('all that the page says of Parley is in the member’s language, and the steps are the same ones', () => {
  const [english, ...others] = languages.map(({ locale }) => introduce(locale, { hasOwn: builtIn, voices: voicesOf('measuring') }));
  const labels = (texts = english) => texts?.firstSteps.map(({ label }) => label) ?? [];
  for (const other of others) {
    expect(new Set([...labels(other), ...labels()]).size).toBe(2 * labels().length);
    expect([other.note, other.farewell, other.description]).not.toContain(english?.note);
  }
  expect(new Set(others.map(({ note }) => note)).size).toBe(others.length);
});

test('greets in the member’s language where the voices of a hosted service know it, and else in English, which the natural ones here know', () => {
  const greeting = (locale: string, hasOwn: typeof builtIn | null) =>
    introduce(locale, { hasOwn, voices: null }).firstSteps.flatMap((step) => ('fill' in step && step.command === 'say' ? [step.fill] : []));
  expect(greeting('es-419', null)).toEqual([{ text: '¡Hola! Así suena mi voz.' }]);
  expect(greeting('zh-TW', null)).toEqual([{ text: '你好！这就是我的声音。' }]);
  expect(greeting('de', builtIn)).toEqual([{ text: 'Hello! This is what I sound like.' }]);
});

test('sentences follow each other as they do in the language', () => {
  expect(noteOf(voicesOf('measuring'), builtIn, 'ja')).not.toContain('。 ');
  expect(noteOf(voicesOf('measuring'), builtIn, 'de')).toMatch(/[^.]\. Bis dahin/);
});

const start = async (options: Parameters<typeof startLocalDiscord>[0] = {}) => {
  const discord = await startLocalDiscord({ introduce: (locale) => introduce(locale, { hasOwn: builtIn, voices: null }), ...options });
  onTestFinished(() => discord.close());
  return discord;
};

test('the browser’s language is the member’s from their first visit on, and at the first start the servers’, too', async () => {
  const discord = await start({ guilds: 2 });
  const hello = (name: string, language?: string) => discord.member(name).call('hello', language ? { language } : {});
  const robin = await hello('Robin', 'es-MX');
  expect(robin.locale).toBe(Locale.SpanishLATAM);
  expect(robin.guilds.map(({ preferred_locale }) => preferred_locale)).toEqual([Locale.SpanishLATAM, Locale.SpanishLATAM]);
  expect(robin.introduction.description).toBe(translatorFor('es')('page.description'));
  expect((await hello('Sam', 'de-AT')).locale).toBe(Locale.German);
  const again = await hello('Robin', 'fr');
  expect(again.locale).toBe(Locale.SpanishLATAM);
  expect(again.guilds.map(({ preferred_locale }) => preferred_locale)).toEqual([Locale.SpanishLATAM, Locale.SpanishLATAM]);
});

test.each([
  ['en-AU', Locale.EnglishUS],
  ['en-GB', Locale.EnglishGB],
  ['es', Locale.SpanishES],
  ['pt-PT', Locale.PortugueseBR],
  ['zh-Hant-HK', Locale.ChineseTW],
  ['zh', Locale.ChineseCN],
  ['eo', Locale.EnglishUS],
  ['', Locale.EnglishUS],
])('a browser in “%s” shows Discord in %s', async (language, locale) => {
  const discord = await start();
  expect((await discord.member().call('hello', { language })).locale).toBe(locale);
});

test('an open page hears of another language, and of voices that have changed', async () => {
  let voices = voicesOf('measuring');
  const discord = await start({ introduce: (locale) => introduce(locale, { hasOwn: builtIn, voices }) });
  const member = discord.member();
  const german = member.next('INTRODUCTION_UPDATE');
  await member.call('set_locale', { locale: Locale.German });
  expect((await german).description).toBe(translatorFor('de')('page.description'));
  voices = voicesOf('known', { realTimeFactor: 0.2, keepsUp: true });
  const natural = member.next('INTRODUCTION_UPDATE');
  discord.updateIntroduction();
  expect((await natural).note).toContain(translatorFor('de')('page.voices.natural'));
});
