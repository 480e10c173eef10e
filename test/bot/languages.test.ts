// The language of what members read: their own in private, the server's in public, and an admin's choice before that.
import { Locale } from 'discord.js';
import { expect, it } from 'vitest';
import { translatorFor } from '../../src/locales/index.ts';
import { createSettings } from '../../src/store/settings.ts';
import { textOf } from '../helpers/member.ts';
import { useParley } from '../helpers/parley.ts';

const parley = useParley();

it('is the member’s own in private replies, forms and descriptions of commands', async () => {
  const { other } = parley;
  await other.client.call('set_locale', { locale: Locale.German });
  const german = translatorFor(Locale.German);
  expect(await (await other.run('skip')).sentence()).toBe(german('queue.empty'));
  expect(textOf(await (await other.run('help')).message((message) => textOf(message) !== ''))).toContain(german('help.intro'));
  const commands = await other.client.call('commands', { channel_id: parley.discord.channelId('general') });
  expect(commands.find(({ name }) => name === 'say')?.description_localized).toBe(german('commands.say.description'));
  await other.client.call('set_locale', { locale: Locale.EnglishUS });
});

it('is the server’s own in public replies, or the one an admin has chosen, no matter who asks', async () => {
  const { discord, other, store } = parley;
  await other.listen();
  await other.client.call('set_locale', { locale: Locale.Polish });
  const settings = createSettings(store);
  /** Waits until the reply says in this language that the text was spoken. */
  async function isSaidIn(text: string, locale: string): Promise<void> {
    const [beginning = '?'] = translatorFor(locale)('say.spoken', { seconds: 7 }).split('7');
    const interaction = await other.run('say', { text });
    await interaction.message((message) => textOf(message).includes(beginning));
  }
  // Nobody has changed Discord's default.
  await isSaidIn('One.', 'en');
  discord.setPreferredLocale(Locale.French);
  await isSaidIn('Two.', 'fr');
  await settings.changeGuild(discord.guildId, (before) => ({ ...before, language: 'it' }));
  await isSaidIn('Three.', 'it');
  // What takes the place of names that can’t be spoken is in it, too.
  const it = translatorFor('it');
  const unknown = await other.run('say', { text: '<@123456789012345678>' });
  await unknown.message((message) => textOf(message).includes(it('say.characters', { count: it('heard.inPlace.someone').length })));
  // A private refusal is still in the member's own language.
  expect(await (await other.run('skip')).sentence()).toBe(translatorFor('pl')('queue.empty'));
  await settings.resetGuild(discord.guildId);
  discord.setPreferredLocale(Locale.EnglishUS);
});
