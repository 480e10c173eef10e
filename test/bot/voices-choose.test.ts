// A voice of the catalogue: viewed, heard and chosen, but only by the member who asked for the page.
import { type APIMessage, PermissionFlagsBits as P } from 'discord.js';
import { afterEach, describe, expect, it } from 'vitest';
import { createOggMuxer } from '../../src/audio/ogg/muxer.ts';
import { createSettings } from '../../src/settings/index.ts';
import { isEphemeral, type Member, textOf } from '../helpers/member.ts';
import { useParley } from '../helpers/parley.ts';

const MENU = 'Look at a voice';

function labels(message: APIMessage): string[] {
  return (message.components ?? []).flatMap((row) =>
    'components' in row ? row.components.flatMap((part) => ('label' in part ? [part.label ?? ''] : [])) : [],
  );
}

describe('a voice of the catalogue', () => {
  const parley = useParley();
  const settings = () => createSettings(parley.store);
  const memberSettings = (who = parley.member) => settings().member(who.client.userId);

  afterEach(async () => {
    await settings().resetGuild(parley.discord.guildId);
    for (const { client } of [parley.member, parley.other]) await settings().resetMember(client.userId);
  });

  const listed = async (who: Member, filters: Record<string, string>) =>
    (await who.run('voices', filters)).message((message) => textOf(message).includes('page 1 of'));

  /** The same message, once it is as it should be. */
  const becomes = (who: Member, { id }: APIMessage, fits: (message: APIMessage) => boolean) =>
    who.sees((message) => message.id === id && fits(message));

  async function openVoice(id: string, filters: Record<string, string>, who = parley.member): Promise<APIMessage> {
    const page = await listed(who, filters);
    await who.select(page, MENU, id);
    return becomes(who, page, ({ embeds }) => embeds[1]?.fields?.[0]?.value === `\`${id}\``);
  }

  it('shows its details and samples, and leads back to the page, even after a restart', async () => {
    const { member } = parley;
    const page = await listed(member, { title: 'clara', sort: 'task_count' });
    await parley.restartBot();
    await member.select(page, MENU, 'Clara');
    const voice = await becomes(member, page, ({ embeds }) => embeds.length === 2);
    expect(voice.embeds[0]?.fields).toEqual(page.embeds[0]?.fields);
    expect(textOf(voice)).toContain('A clear, friendly American woman.');
    expect(voice.embeds[1]?.fields?.map(({ name, value }) => [name, value])).toEqual([
      ['Id', '`clara`'],
      ['Languages', expect.stringContaining('en')],
      ['Tags', 'female, american, clear, conversation'],
      ['Hello', 'Hello, I am Clara. Type something, and I will say it.'],
      ['A longer thought', expect.stringContaining('north wind')],
    ]);
    expect(labels(voice)).toEqual(['Hear it', 'Use as my voice', 'Favourite', 'Use for this server', '‹ Back to the page']);
    await member.click(voice, 'Back');
    const again = await becomes(member, page, ({ embeds }) => embeds.length > 2);
    expect(again.embeds).toEqual(page.embeds);
    expect(again.components).toEqual(page.components);
  });

  it('plays its sample in the member’s voice channel, at no cost', async () => {
    const { member, api } = parley;
    const { credit } = await api.getCredit();
    const voice = await openVoice('clara', { title: 'clara' });
    const receiver = await member.listen();
    const interaction = await member.select(voice, 'Hear one of the samples', 'A longer thought');
    expect(await interaction.sentence()).toContain('You hear a sample of **Clara**');
    await expect.poll(() => receiver.stats().decrypted, { timeout: 20_000 }).toBeGreaterThan(150);
    const muxer = createOggMuxer({ sampleRate: 48_000, channels: 1, preSkip: 312, serial: 1 });
    const pages = receiver.frames().map((frame) => muxer.packet(frame, 960, false));
    expect((await api.getCredit()).credit).toBe(credit);
    const heard = await api.transcribe({ audio: Buffer.concat([muxer.head(), ...pages]), filename: 'heard.ogg', contentType: 'audio/ogg' });
    expect(heard.text.toLowerCase()).toContain('arguing about which of them');
  });

  it('attaches its sample if the member is not in a voice channel', async () => {
    const { member } = parley;
    await member.leaveVoice();
    const voice = await openVoice('clara', { title: 'clara' });
    const answer = await (await member.click(voice, 'Hear it')).message(({ attachments }) => attachments.length > 0);
    expect(isEphemeral(answer)).toBe(true);
    expect(answer.attachments[0]?.filename).toBe('sample-1.mp3');
  });

  it('is not played for members whom the admins do not allow to speak', async () => {
    const { other, discord } = parley;
    await settings().changeGuild(discord.guildId, (guild) => ({ ...guild, muted: [other.client.userId] }));
    const voice = await openVoice('clara', { title: 'clara' }, other);
    expect(await (await other.click(voice, 'Hear it')).sentence()).toContain('An admin of this server');
  });

  it('becomes the member’s voice, speaks from then on, and is given up with the same button', async () => {
    const { member } = parley;
    const voice = await openVoice('robert-narrator', { title: 'robert' });
    await member.click(voice, 'Use as my voice');
    const used = await becomes(member, voice, (message) => labels(message).includes('✓ My voice'));
    expect((await memberSettings()).voice).toEqual({ id: 'robert-narrator', title: 'Robert, narrator' });
    const said = await member.run('say', { text: 'Hello!', as_file: true });
    await said.message((message) => message.attachments.length > 0 && textOf(message).includes('Robert, narrator'));
    await parley.restartBot();
    await member.click(used, 'My voice');
    await expect.poll(async () => (await memberSettings()).voice).toBeNull();
  });

  it('is shown as a favourite until it is removed', async () => {
    const { member } = parley;
    await member.click(await openVoice('clara', { title: 'clara' }), 'Favourite');
    await expect.poll(async () => (await memberSettings()).favourites).toEqual([{ id: 'clara', title: 'Clara' }]);
    const again = await openVoice('clara', { title: 'clara' });
    expect(labels(again)).toContain('★ Favourite');
    await member.click(again, 'Favourite');
    await expect.poll(async () => (await memberSettings()).favourites).toEqual([]);
  });

  it('becomes the server’s voice only for those who are admins at that moment', async () => {
    const { other, discord } = parley;
    expect(labels(await openVoice('clara', { title: 'clara' }, other))).not.toContain('Use for this server');
    const role = discord.addRole('Admins', P.ManageGuild);
    discord.setRoles(other.client.userId, [role]);
    const voice = await openVoice('clara', { title: 'clara' }, other);
    await other.click(voice, 'Use for this server');
    await becomes(other, voice, (message) => labels(message).includes('✓ Voice of this server'));
    expect((await settings().guild(discord.guildId)).voice).toEqual({ id: 'clara', title: 'Clara' });
    discord.setRoles(other.client.userId, []);
    const refused = await other.click(voice, 'Use for this server');
    expect(await refused.sentence()).toContain('for its admins to choose');
    expect((await settings().guild(discord.guildId)).voice).not.toBeNull();
  });

  it('cannot be clicked by anybody else', async () => {
    const { other } = parley;
    const page = await listed(parley.member, { title: 'clara' });
    expect(await (await other.select(page, MENU, 'Clara')).sentence()).toContain('Only the member who asked');
    const voice = await openVoice('clara', { title: 'clara' });
    for (const button of ['Hear it', 'Use as my voice', 'Favourite', 'Use for this server', 'Back'])
      expect(await (await other.click(voice, button)).sentence()).toContain('Only the member who asked');
    expect(await memberSettings(other)).toMatchObject({ voice: null, favourites: [] });
  });

  it('cannot be chosen if it cannot speak', async () => {
    const sings = await openVoice('clara-sings', { title: 'clara, singing' });
    expect(textOf(sings)).toContain('cannot speak texts');
    expect(labels(sings)).toEqual(['‹ Back to the page']);
    const choir = await openVoice('choir', { title: 'choir' });
    expect(textOf(choir)).toMatch(/cannot speak/);
    expect(labels(choir)).toEqual(['‹ Back to the page']);
  });
});
