// A voice that a member made is theirs alone: whatever another member tries, operators and admins included, ends as if there were no such voice.
import { PermissionFlagsBits } from 'discord.js';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { en } from '../../src/locales/index.ts';
import { createSettings } from '../../src/store/settings.ts';
import { createVoiceOwners, type OwnVoice } from '../../src/voice-catalogue/owners.ts';
import { filesOf, type Member, memberOf, partsOf, textOf } from '../helpers/member.ts';
import { openingOf } from '../helpers/openings.ts';
import { useParley } from '../helpers/parley.ts';
import { WAIT_MS } from '../helpers/waiter.ts';
import { makeVoice } from './made-voices.ts';

const MB = 1024 * 1024;
const TITLE = 'Samuel of the north';
const TEXT = 'Low tide.';
/** Nobody has it. */
const UNKNOWN = { id: '0123456789abcdef0123456789abcdef', title: 'Nobody in particular' };

const parley = useParley({}, { cacheBytes: 4 * MB, discord: { guilds: 2, members: 4 } });
const settings = () => createSettings(parley.store);
/** Public at the service, which hides nothing then. */
let voice: OwnVoice;
let ada: Member;
/** A member, and the operator, who is an admin as well. */
const strangers = ['Ada', 'Robin'] as const;
const who = (name: (typeof strangers)[number]) => (name === 'Ada' ? ada : parley.member);

/** The same sentence for either of them: without what was asked for, and the titles that are spelt like it. */
const withoutName = (sentence: string, { id, title }: { id: string; title: string }) =>
  sentence
    .replace(/(?<=The closest ones are ).*/, '…')
    .replace(id, '…')
    .replace(title, '…');

const voicesPage = async (member: Member, options: Record<string, string | number | boolean> = {}) =>
  (await member.run('voices', options)).message((message) => textOf(message) !== '');

async function sayAsFile(member: Member, voiceTyped?: string): Promise<string> {
  const interaction = await member.run('say', { text: TEXT, send_as: 'file', ...(voiceTyped === undefined ? {} : { voice: voiceTyped }) });
  return textOf(await interaction.message((message) => filesOf(message).length > 0));
}

async function refusedAsFile(member: Member, typed: string): Promise<string> {
  return (await member.run('say', { text: TEXT, send_as: 'file', voice: typed })).sentence();
}

const share = (guildIds: string[]) => createVoiceOwners(parley.store).change(voice.id, (before) => ({ ...before, sharedWith: guildIds }));

beforeAll(async () => {
  const { discord, other } = parley;
  ada = memberOf(discord, 'Ada');
  voice = await makeVoice(parley, other, { title: TITLE, visibility: 'public' });
  // Titles are read again at the start.
  await parley.restartBot();
  await vi.waitFor(async () => expect(await parley.member.autocomplete('say', 'voice', 'Clara')).not.toEqual([]), { timeout: WAIT_MS });
});

describe('its owner', () => {
  it('finds it first, by its title, and speaks in it', async () => {
    const { other } = parley;
    expect((await other.autocomplete('say', 'voice', 'samuel'))[0]).toEqual({ name: `${TITLE} · yours`, value: voice.id });
    expect((await other.autocomplete('say', 'voice', ''))[0]).toMatchObject({ value: voice.id });
    expect(await sayAsFile(other, TITLE)).toContain(TITLE);
    expect(textOf(await voicesPage(other, { title: TITLE }))).toContain(`**${TITLE}**`);
  });
});

describe.each(strangers)('%s', (name) => {
  it('is not offered it while typing, neither its title nor its id', async () => {
    for (const typed of ['', 'samuel', TITLE, voice.id, voice.id.slice(0, 8)]) {
      // The second time, what was searched for at the service is there as well.
      for (let times = 0; times < 2; times++) {
        const offered = JSON.stringify(await who(name).autocomplete('say', 'voice', typed));
        expect(offered).not.toContain(TITLE);
        expect(offered).not.toContain(voice.id);
      }
    }
  });

  it('does not find it in /voices', async () => {
    const none = textOf(await voicesPage(who(name), { title: UNKNOWN.title }));
    expect(textOf(await voicesPage(who(name), { title: TITLE }))).toBe(none);
    const newest = await voicesPage(who(name), { sort: 'created_at' });
    expect(textOf(newest)).toContain('### Voices');
    expect(JSON.stringify(newest)).not.toContain(voice.id);
    const own = JSON.stringify(await voicesPage(who(name), { mine: true }));
    expect(own).not.toContain(TITLE);
    expect(own).not.toContain(voice.id);
  });

  it('is told that there is no such voice if they type its id or its title', async () => {
    const balance = (await parley.api.getCredit()).credit;
    for (const key of ['id', 'title'] as const) {
      const [sentence, usual] = [await refusedAsFile(who(name), voice[key]), await refusedAsFile(who(name), UNKNOWN[key])];
      expect(sentence).toContain('I can’t find a voice called');
      expect(withoutName(sentence, voice)).toBe(withoutName(usual, UNKNOWN));
      expect(sentence.replace(voice.title, '')).not.toContain(TITLE);
    }
    expect((await parley.api.getCredit()).credit).toBe(balance);
    const { voice: chosen, recent } = await settings().member(who(name).client.userId);
    expect([chosen, recent]).toEqual([null, []]);
  });

  it('does not hear what its owner had cached in it', async () => {
    const { other } = parley;
    await other.listen();
    const said = await (await other.run('say', { text: TEXT, voice: voice.id })).message((one) => textOf(one).includes('Spoken'));
    expect(textOf(said)).toContain(TITLE);
    await who(name).listen();
    const refused = await who(name).run('say', { text: TEXT, voice: voice.id });
    const sentence = await refused.sentence();
    const unknown = await who(name).run('say', { text: TEXT, voice: UNKNOWN.id });
    expect(withoutName(sentence, voice)).toBe(withoutName(await unknown.sentence(), UNKNOWN));
  });
});

it('can be made the voice of a server by its owner, once it is shared there', async () => {
  const { discord, other } = parley;
  discord.setRoles(other.client.userId, [discord.addRole('Admins', PermissionFlagsBits.ManageGuild)]);
  const page = await voicesPage(other, { title: TITLE });
  await other.select(page, en('voices.open'), voice.id);
  const shown = await other.sees((one) => one.id === page.id && textOf(one).includes(`-# ID \`${voice.id}\``));
  const choose = () => other.click(shown, en('voices.choices.server.off'));
  expect(await (await choose()).sentence()).toContain(`Only you can use **${TITLE}** so far.`);
  await share([discord.guildId]);
  expect(await (await choose()).sentence()).toContain('is this server’s voice now');
  await share([]);
  await settings().resetGuild(discord.guildId);
  discord.setRoles(other.client.userId, []);
});

describe('an admin', () => {
  /** What a member who has chosen nothing hears. */
  async function expectNotHeard(): Promise<void> {
    const said = await sayAsFile(ada);
    expect(said).not.toContain(TITLE);
    expect(said).not.toContain(voice.id);
    await settings().resetMember(ada.client.userId);
  }

  const panelOf = async (member: Member) =>
    (await member.run('settings')).message((one) => textOf(one).includes(openingOf('settings.title')));

  async function searchInSettings(typed: string) {
    const panel = await panelOf(parley.member);
    const form = await parley.member.click(panel, en('settings.search'));
    const searched = await parley.member.submitModal(form, { title: typed });
    await searched.answered();
    return panel;
  }

  it('cannot make it the voice of the server or a channel, in no menu and by no id', async () => {
    const { member, discord } = parley;
    const panel = await panelOf(member);
    expect(JSON.stringify(panel)).not.toContain(voice.id);
    const form = await member.click(panel, en('settings.search'));
    expect(await (await member.submitModal(form, { title: TITLE })).sentence()).toContain('I can’t find a voice called');

    // An id that nobody knows is taken as it is, so this one is, too.
    const found = await searchInSettings(voice.id);
    const menu = await member.sees((one) => one.id === found.id && JSON.stringify(one).includes(`Use the id ${voice.id}`));
    expect(JSON.stringify(menu)).not.toContain(TITLE);
    await (await member.select(menu, 'settings:voice:server', `id:${voice.id}`)).answered();
    expect((await settings().guild(discord.guildId)).voice).toEqual({ id: voice.id, title: null });
    await expectNotHeard();
    await settings().resetGuild(discord.guildId);
  });

  it('gains nothing by importing settings that name it', async () => {
    const { member, discord } = parley;
    const named = { id: voice.id, title: 'Any' };
    const file = Buffer.from(JSON.stringify({ voice: named, channelVoices: { [discord.channelId('Lounge')]: named } }));
    const form = await member.click(await panelOf(member), en('settings.importButton'));
    await (await member.submitModal(form, { file: [member.upload('settings.json', file)] })).answered();
    const question = await member.sees((one) => textOf(one).includes(en('settings.importQuestion')));
    await (await member.click(question, en('settings.importYes'))).answered();
    await expect.poll(async () => (await settings().guild(discord.guildId)).voice?.id).toBe(voice.id);
    await expectNotHeard();
    await ada.listen();
    const spoken = await (await ada.run('say', { text: TEXT })).message((one) => textOf(one).includes('Spoken'));
    expect(textOf(spoken)).not.toContain('Any');
    await settings().resetGuild(discord.guildId);
  });

  it('who moderates cannot have a text of its owner said again in it', async () => {
    const { member, other } = parley;
    await other.listen();
    await member.listen();
    const said = await other.run('say', { text: 'Mine.', voice: voice.id });
    const reply = await said.message((one) => textOf(one).includes('Spoken'));
    // Everybody's Discord has the whole message, the ids behind its menu included.
    expect(JSON.stringify(reply)).not.toContain(voice.id);
    for (const action of [en('say.replay'), en('say.saveAsFile'), en('say.sendAsVoiceMessage'), en('say.sayMore')]) {
      const refused = await member.select(reply, en('say.moreMenu'), action);
      expect(await refused.sentence()).toContain(en('say.voiceNotHere'));
    }
    const again = await other.select(reply, en('say.moreMenu'), en('say.replay'));
    expect(textOf(await again.message((one) => textOf(one).includes('Spoken')))).toContain(TITLE);
    expect((await (await other.select(reply, en('say.moreMenu'), en('say.sayMore'))).modal()).title).toContain(TITLE);
  });
});

it('is not spoken if the operator makes it the default voice', async () => {
  await parley.restartBot({ defaultVoice: voice.id });
  const said = await sayAsFile(ada);
  expect(said).not.toContain(TITLE);
  expect(said).not.toContain(voice.id);
  expect(await sayAsFile(parley.other)).toContain(TITLE);
  await parley.restartBot({ defaultVoice: undefined });
});

describe('sharing it with a server', () => {
  it('lets the members of this server use it, nobody elsewhere, and ends at once', async () => {
    const { member, discord } = parley;
    const [here = '', elsewhere = ''] = discord.guildIds;
    await share([here]);
    expect((await ada.autocomplete('say', 'voice', ''))[0]).toEqual({ name: `${TITLE} · shared here`, value: voice.id });
    expect(await sayAsFile(ada, voice.id)).toContain(TITLE);
    expect(await sayAsFile(ada)).toContain(TITLE);
    const page = await voicesPage(ada, { title: TITLE });
    expect(textOf(page)).toContain(`**${TITLE}**`);
    await (await ada.select(page, en('voices.useOne'), voice.id)).sentence();

    const inOtherServer = member.inChannel(discord.channelId('general', elsewhere));
    for (const one of [inOtherServer, await member.inDm()]) {
      expect(JSON.stringify(await one.autocomplete('say', 'voice', TITLE))).not.toContain(voice.id);
      expect(await refusedAsFile(one, voice.id)).toContain('I can’t find a voice called');
    }

    const reply = await (await ada.run('say', { text: TEXT, send_as: 'file' })).message((one) => filesOf(one).length > 0);
    const other = await voicesPage(ada, { title: TITLE });
    await ada.select(other, en('voices.open'), voice.id);
    const details = await ada.sees((one) => one.id === other.id && textOf(one).includes(`## ${TITLE}`));
    await share([]);
    // What they see from before leads nowhere.
    for (const menu of [en('voices.useOne'), en('voices.open')])
      expect(await (await ada.select(page, menu, voice.id)).sentence()).toContain(`**${TITLE}** isn’t available anymore`);
    expect(await (await ada.click(details, en('voices.choices.favourite.off'))).sentence()).toContain(
      `**${TITLE}** isn’t available anymore`,
    );
    expect(partsOf(reply.components).length).toBeGreaterThan(0);
    expect(JSON.stringify(await ada.autocomplete('say', 'voice', ''))).not.toContain(voice.id);
    const said = await ada.run('say', { text: TEXT, send_as: 'file' });
    const file = await said.message((one) => filesOf(one).length > 0);
    expect(textOf(file)).not.toContain(TITLE);
    const note = await said.message((one) => textOf(one).includes(openingOf('say.voiceReplaced')));
    expect(textOf(note)).toContain('so I used');
  });
});
