// The section of /settings for reading aloud: what is always read, who is read and how, and that it survives export and import.
import { type APIMessage, ComponentType } from 'discord.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { en } from '../../src/locales/index.ts';
import { createSettings } from '../../src/store/settings.ts';
import { partsOf, textOf } from '../helpers/member.ts';
import { startReadingBot } from './reading-bot.ts';

/** Robin's panel in the section, with actions that each wait for the panel as it is afterwards. */
async function openSection() {
  const bot = await startReadingBot();
  onTestFinished(() => bot.close());
  const { member, discord, store } = bot;
  const first = await (await member.run('settings')).message((message) => textOf(message) !== '');
  let panel = first;
  const seen = async (act: Promise<unknown>, fits: (message: APIMessage) => boolean) => {
    await act;
    panel = await member.sees((message) => message.id === first.id && fits(message));
  };
  const has = (text: string) => (message: APIMessage) => JSON.stringify(message).includes(text);
  await seen(member.select(panel, 'settings:section', 'reading'), has('settings:always-in'));
  const submitted = async (fields: Record<string, string>) =>
    member.submitModal(await member.click(panel, 'settings:reading-form'), fields);
  return {
    ...bot,
    submitted,
    stored: async () => createSettings(store).guild(discord.guildId),
    panel: () => panel,
    choose: (menu: string, values: string | string[], fits: string) => seen(member.select(panel, menu, values), has(fits)),
    submit: (fields: Record<string, string>, fits: string) => seen(submitted(fields), has(fits)),
    refusal: async (fields: Record<string, string>) => (await submitted(fields)).sentence(),
  };
}

const labelsIn = (message: APIMessage, customId: string) =>
  partsOf(message.components)
    .filter((part) => part.type === ComponentType.StringSelect)
    .filter((menu) => menu.custom_id === customId)
    .flatMap(({ options }) => options.map(({ label }) => label));

describe('the section for reading aloud', () => {
  it('is missing where channels can’t be read', async () => {
    const bot = await startReadingBot({ readMessages: false });
    onTestFinished(() => bot.close());
    const panel = await (await bot.member.run('settings')).message((message) => textOf(message) !== '');
    expect(labelsIn(panel, 'settings:section')).not.toContain('Reading aloud');
  });

  it('has a channel read as soon as it is chosen and somebody is in the voice channel', async () => {
    const { choose, stored, panel, general, lounge, botIsThere, member, listener } = await openSection();
    await choose('settings:always-in', lounge, `settings:reading:always:${lounge}`);
    await choose(`settings:reading:always:${lounge}`, general, `<#${general}> in <#${lounge}>`);
    expect((await stored()).reading.always).toEqual([{ textChannelId: general, voiceChannelId: lounge }]);
    await botIsThere();
    await member.write('message 91');
    await listener.hears(91);
    await (await member.select(panel(), `settings:reading:always:${lounge}`, [])).answered();
    expect((await stored()).reading.always).toEqual([]);
    expect(textOf(await (await member.run('read status')).message((message) => textOf(message) !== ''))).toContain(
      'not reading any channel',
    );
  });

  it('says who is read and how', async () => {
    const { choose, submit, submitted, stored, discord } = await openSection();
    const role = discord.addRole('Writers', 0n);
    await choose('settings:reading:who', 'listeners', '"value":"listeners","default":true');
    await choose('settings:reading:options', ['bots', 'names'], '"value":"bots","default":true');
    await choose('settings:reading:roles', role, `**Roles that are read**: <@&${role}>`);
    await choose('settings:reading:readerRoles', role, `**Can start and stop reading**: <@&${role}>`);
    await submit({ maxDelay: '12', ignorePrefix: '//' }, '12 seconds');
    expect(await stored()).toMatchObject({
      readerRoles: [role],
      reading: { who: 'listeners', bots: true, names: true, reactions: false, roles: [role], maxDelay: 12, ignorePrefix: '//' },
    });
    await (await submitted({ maxDelay: '', ignorePrefix: '' })).answered();
    expect((await stored()).reading).toMatchObject({ maxDelay: 8, ignorePrefix: '' });
  });

  it('refuses a delay that can’t be kept', async () => {
    const { refusal, stored } = await openSection();
    for (const maxDelay of ['2', '31', 'soon']) expect(await refusal({ maxDelay })).toContain('must be a whole number from 3 to 30');
    expect((await stored()).reading.maxDelay).toBe(8);
  });

  it('takes no channels and roles of another server from a file', async () => {
    const { member, panel, stored, general, lounge, discord } = await openSection();
    const role = discord.addRole('Writers', 0n);
    const [mine, foreign] = [{ textChannelId: general, voiceChannelId: lounge }, '123456789012345678'];
    const reading = { always: [mine, { ...mine, textChannelId: foreign }], roles: [role, foreign], names: false };
    const file = Buffer.from(JSON.stringify({ reading, readerRoles: [foreign], dictionaryRoles: [role] }));
    const form = await member.click(panel(), 'settings:import');
    await member.submitModal(form, { file: member.upload('parley-settings.json', file) });
    const question = await member.sees(
      (message) => message.id === panel().id && textOf(message).includes('Left out: 3 roles and channels'),
    );
    await member.click(question, en('settings.importYes'));
    await member.sees((message) => message.id === panel().id && textOf(message).includes(en('settings.imported')));
    expect(await stored()).toMatchObject({
      readerRoles: [],
      dictionaryRoles: [role],
      reading: { always: [mine], roles: [role], names: false },
    });
  });
});
