// A voice of the catalogue: viewed, heard and chosen, but only by the member who asked for the page.
import { type APIMessage, ComponentType, PermissionFlagsBits as P } from 'discord.js';
import { afterEach, describe, expect, it } from 'vitest';
import { createOggMuxer } from '../../src/audio/ogg/muxer.ts';
import { en } from '../../src/locales/index.ts';
import { createSettings } from '../../src/store/settings.ts';
import { filesOf, isEphemeral, type Member, partsOf, textOf } from '../helpers/member.ts';
import { useParley } from '../helpers/parley.ts';

const MENU = en('voices.open');

function labels(message: APIMessage): string[] {
  return partsOf(message.components).flatMap((part) => ('label' in part ? [part.label ?? ''] : []));
}

describe('a voice of the catalogue', () => {
  const parley = useParley();
  const settings = () => createSettings(parley.store);
  const memberSettings = (who = parley.member) => settings().member(who.client.userId);

  afterEach(async () => {
    await settings().resetGuild(parley.discord.guildId);
    for (const { client } of [parley.member, parley.other]) await settings().resetMember(client.userId);
  });

  const listed = async (who: Member, filters: Record<string, string | boolean>) =>
    (await who.run('voices', filters)).message((message) => textOf(message).includes('### Voices'));

  /** The same message, once it is as it should be. */
  const becomes = (who: Member, { id }: APIMessage, fits: (message: APIMessage) => boolean) =>
    who.sees((message) => message.id === id && fits(message));

  async function openVoice(id: string, filters: Record<string, string | boolean>, who = parley.member): Promise<APIMessage> {
    const page = await listed(who, filters);
    await who.select(page, MENU, id);
    return becomes(who, page, (message) => textOf(message).includes(`-# ID \`${id}\``));
  }

  it('shows its details and samples, and leads back to the page, even after a restart', async () => {
    const { member } = parley;
    const page = await listed(member, { title: 'clara', sort: 'task_count' });
    await parley.restartBot();
    await member.select(page, MENU, 'Clara');
    const voice = await becomes(member, page, (message) => textOf(message).includes('## Clara\n'));
    expect(textOf(voice)).toContain('-# by Flite voices\nA clear, friendly American woman.');
    expect(textOf(voice)).toContain('-# English · Female, American, Clear, Conversation\n-# <t:');
    expect(textOf(voice)).toContain(
      '**Hello**\nHello, I am Clara. Type something, and I will say it.\n**A longer thought**\nThe north wind',
    );
    expect(textOf(voice)).toContain('-# **title** clara · **sort** Most used');
    expect(labels(voice)).toEqual([
      en('voices.hear'),
      en('voices.choices.mine.off'),
      en('voices.choices.favourite.off'),
      en('voices.choices.server.off'),
      en('voices.back'),
    ]);
    await member.click(voice, 'Back');
    const again = await becomes(member, page, (message) => textOf(message).includes('### Voices'));
    expect(textOf(again)).toBe(textOf(page));
    expect(labels(again)).toEqual(labels(page));
  });

  it('plays its sample in the member’s voice channel, at no cost', async () => {
    const { member, api } = parley;
    const { credit } = await api.getCredit();
    const voice = await openVoice('clara', { title: 'clara' });
    const receiver = await member.listen();
    const interaction = await member.select(voice, en('voices.hearAnother'), 'A longer thought');
    expect(await interaction.sentence()).toContain('Playing a sample of **Clara** in <#');
    await expect.poll(() => receiver.stats().decrypted).toBeGreaterThan(75);
    const muxer = createOggMuxer({ sampleRate: 48_000, channels: 1, preSkip: 312, serial: 1 });
    const pages = receiver.frames().map((frame) => muxer.packet(frame, 960, false));
    expect((await api.getCredit()).credit).toBe(credit);
    const heard = await api.transcribe({ audio: Buffer.concat([muxer.head(), ...pages]), filename: 'heard.ogg', contentType: 'audio/ogg' });
    expect(heard.text.toLowerCase()).toMatch(/^the north wind/);
  });

  it('attaches its sample if the member is not in a voice channel', async () => {
    const { member } = parley;
    await member.leaveVoice();
    const voice = await openVoice('clara', { title: 'clara' });
    const isAttached = (message: APIMessage) => partsOf(message.components).some(({ type }) => type === ComponentType.File);
    const answer = await (await member.click(voice, en('voices.hear'))).message(isAttached);
    expect(isEphemeral(answer)).toBe(true);
    expect(JSON.stringify(answer.components)).toContain('/sample-1.mp3');
    // The next one takes its place.
    await member.select(voice, en('voices.hearAnother'), 'A longer thought');
    const next = await member.sees((message) => message.id === answer.id && JSON.stringify(message.components).includes('/sample-2.mp3'));
    expect(JSON.stringify(next)).not.toContain('sample-1.mp3');
    const fromPage = await member.select(await listed(member, { title: 'clara' }), en('voices.hearOne'), 'clara');
    const same = await fromPage.message(isAttached);
    expect(textOf(same)).toBe(en('voices.sampleAttached', { title: 'Clara' }));
  });

  it('is not played for members whom the admins do not allow to speak', async () => {
    const { other, discord } = parley;
    await settings().changeGuild(discord.guildId, (guild) => ({ ...guild, muted: [other.client.userId] }));
    const voice = await openVoice('clara', { title: 'clara' }, other);
    expect(await (await other.click(voice, en('voices.hear'))).sentence()).toContain('/say');
  });

  it('becomes the member’s voice, speaks from then on, and is given up with the same button', async () => {
    const { member } = parley;
    const voice = await openVoice('robert-narrator', { title: 'robert' });
    const clicked = await member.click(voice, en('voices.choices.mine.off'));
    expect(await clicked.sentence()).toBe(en('voices.choices.mine.chosen', { title: 'Robert, narrator' }));
    const used = await becomes(member, voice, (message) => labels(message).includes(en('voices.choices.mine.on')));
    expect((await memberSettings()).voice).toEqual({ id: 'robert-narrator', title: 'Robert, narrator' });
    const said = await member.run('say', { text: 'Hello!', send_as: 'file' });
    await said.message((message) => filesOf(message).length > 0 && textOf(message).includes('Robert, narrator'));
    await parley.restartBot();
    const givenUp = await member.click(used, 'My voice');
    expect(await givenUp.sentence()).toContain('isn’t your voice anymore');
    expect((await memberSettings()).voice).toBeNull();
  });

  it('becomes the member’s voice right from the page, which says where it applies', async () => {
    const { member } = parley;
    const page = await listed(member, { title: 'robert' });
    const picked = await member.select(page, en('voices.useOne'), 'robert-narrator');
    expect(await picked.sentence()).toBe(en('voices.choices.mine.chosen', { title: 'Robert, narrator' }));
    expect((await memberSettings()).voice).toEqual({ id: 'robert-narrator', title: 'Robert, narrator' });
  });

  it('is shown as a favourite until it is removed', async () => {
    const { member } = parley;
    await member.click(await openVoice('clara', { title: 'clara' }), en('voices.choices.favourite.off'));
    await expect.poll(async () => (await memberSettings()).favourites).toEqual([{ id: 'clara', title: 'Clara' }]);
    const again = await openVoice('clara', { title: 'clara' });
    expect(labels(again)).toContain(en('voices.choices.favourite.on'));
    await member.click(again, en('voices.choices.favourite.off'));
    await expect.poll(async () => (await memberSettings()).favourites).toEqual([]);
  });

  it('becomes the server’s voice only for those who are admins at that moment', async () => {
    const { other, discord } = parley;
    expect(labels(await openVoice('clara', { title: 'clara' }, other))).not.toContain(en('voices.choices.server.off'));
    const role = discord.addRole('Admins', P.ManageGuild);
    discord.setRoles(other.client.userId, [role]);
    const voice = await openVoice('clara', { title: 'clara' }, other);
    await other.click(voice, en('voices.choices.server.off'));
    await becomes(other, voice, (message) => labels(message).includes(en('voices.choices.server.on')));
    expect((await settings().guild(discord.guildId)).voice).toEqual({ id: 'clara', title: 'Clara' });
    discord.setRoles(other.client.userId, []);
    const refused = await other.click(voice, en('voices.choices.server.off'));
    expect(await refused.sentence()).toContain('Only server admins');
    expect((await settings().guild(discord.guildId)).voice).not.toBeNull();
  });

  it('cannot be used by anybody else once it is shown to everybody', async () => {
    const { member, other } = parley;
    const page = await listed(member, { title: 'clara' });
    const isPublic = (message: APIMessage) => !isEphemeral(message);
    const shared = await (await member.click(page, en('voices.share'))).message(
      (message) => isPublic(message) && textOf(message).includes('### Voices'),
    );
    for (const menu of [en('voices.hearOne'), en('voices.useOne'), MENU])
      expect(await (await other.select(shared, menu, 'Clara')).sentence()).toContain('/voices');
    await member.select(shared, MENU, 'Clara');
    const voice = await becomes(member, shared, (message) => textOf(message).includes('## Clara'));
    expect(isPublic(voice)).toBe(true);
    for (const button of [
      en('voices.hear'),
      en('voices.choices.mine.off'),
      en('voices.choices.favourite.off'),
      en('voices.choices.server.off'),
      'Back',
    ])
      expect(await (await other.click(voice, button)).sentence()).toContain('/voices');
    expect(await memberSettings(other)).toMatchObject({ voice: null, favourites: [] });
  });

  it('cannot be chosen if it cannot speak', async () => {
    const sings = await openVoice('clara-sings', { title: 'clara, singing', all: true });
    expect(textOf(sings)).toContain('can’t speak text');
    expect(labels(sings)).toEqual([en('voices.back')]);
    const choir = await openVoice('choir', { title: 'choir', all: true });
    expect(textOf(choir)).toMatch(/can’t speak/);
    expect(labels(choir)).toEqual([en('voices.back')]);
  });
});
