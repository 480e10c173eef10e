// The local Discord's installations and contexts: where commands are available, and direct messages.
import {
  ApplicationCommandType,
  type ChatInputCommandInteraction,
  type Client,
  Events,
  GatewayIntentBits,
  type Interaction,
  MessageFlags,
  PermissionFlagsBits as P,
} from 'discord.js';
import { expect, test } from 'vitest';
import type { LocalDiscordOptions } from '../../src/local/discord/index.ts';
import { logIn, openLocalDiscord, request } from '../helpers/local-discord.ts';
import { isEphemeral, type Member, memberOf } from '../helpers/member.ts';

/** Commands for guilds only, everywhere, direct messages with the application, and user installs. */
const COMMANDS = [
  { name: 'everywhere', description: 'd', integration_types: [0, 1], contexts: [0, 1, 2] },
  { name: 'guilds', description: 'd', contexts: [0] },
  { name: 'dms', description: 'd', contexts: [1] },
  { name: 'brought', description: 'd', integration_types: [1], contexts: [0, 1, 2] },
  { name: 'Look', type: ApplicationCommandType.Message, integration_types: [0, 1] },
];

async function setUp(options: LocalDiscordOptions = {}, answer: (interaction: Interaction) => unknown = replyWithOwners) {
  const discord = await openLocalDiscord(options);
  const client = await logIn(discord, { intents: [GatewayIntentBits.Guilds, GatewayIntentBits.DirectMessages] });
  expect(await request(discord, 'PUT', `/applications/${discord.application.id}/commands`, COMMANDS)).toMatchObject({ status: 200 });
  client.on(Events.InteractionCreate, (interaction) => void answer(interaction));
  const member = memberOf(discord, 'Robin');
  return { discord, client, member };
}

function replyWithOwners(interaction: Interaction): unknown {
  if (!interaction.isCommand()) return undefined;
  const { context, guildId, member, user, authorizingIntegrationOwners: owners } = interaction as ChatInputCommandInteraction;
  const said = {
    context,
    guildId,
    isMember: member !== null,
    user: user.globalName,
    owners: { ...(owners[0 as never] ? { 0: owners[0 as never] } : {}), ...(owners[1 as never] ? { 1: owners[1 as never] } : {}) },
  };
  return interaction.reply(JSON.stringify(said));
}

const names = async ({ client }: Member, channel_id: string) => (await client.call('commands', { channel_id })).map(({ name }) => name);
const dmOf = async (member: Member, user_id: string) => (await member.client.call('open_dm', { user_id })).id;
const answerOf = async (member: Member, name: string) =>
  JSON.parse((await (await member.run(name)).message(({ content }) => content !== '')).content);

test('each context offers the commands of its installation', async () => {
  const { discord, member } = await setUp({ installedBy: 'both' });
  const { userId: other } = discord.member('Sam');
  const places = {
    guild: discord.channelId('general'),
    own: await dmOf(member, discord.application.id),
    others: await dmOf(member, other),
  };
  expect(await names(member, places.guild)).toEqual(['everywhere', 'guilds', 'brought', 'Look']);
  expect(await names(member, places.own)).toEqual(['everywhere', 'dms', 'brought', 'Look']);
  expect(await names(member, places.others)).toEqual(['everywhere', 'brought', 'Look']);
  discord.setUserInstalled(member.client.userId, false);
  expect(await names(member, places.guild)).toEqual(['everywhere', 'guilds', 'Look']);
  expect(await names(member, places.own)).toEqual(['everywhere', 'dms', 'Look']);
  expect(await names(member, places.others)).toEqual([]);
  discord.removeBot(discord.guildId);
  expect(await names(member, places.guild)).toEqual([]);
});

test('contexts of a guild command are accepted and ignored', async () => {
  const { discord, member } = await setUp();
  const path = `/applications/${discord.application.id}/guilds/${discord.guildId}/commands`;
  const { status, body } = await request(discord, 'PUT', path, [{ ...COMMANDS[2], name: 'here' }]);
  expect([status, Object.keys((body as never as object[])[0] ?? {})]).toEqual([
    200,
    expect.not.arrayContaining(['contexts', 'integration_types']),
  ]);
  const found = await member.client.call('commands', { channel_id: discord.channelId('general') });
  expect(found.map(({ name }) => name)).toContain('here');
});

test('an interaction carries its context and its integration owners', async () => {
  const { discord, member } = await setUp({ installedBy: 'both' });
  const { userId } = member.client;
  const inGuild = { context: 0, guildId: discord.guildId, isMember: true, user: 'Robin' };
  expect(await answerOf(member, 'everywhere')).toEqual({ ...inGuild, owners: { 0: discord.guildId, 1: userId } });
  expect(await answerOf(member, 'guilds')).toEqual({ ...inGuild, owners: { 0: discord.guildId } });
  const own = { context: 1, guildId: null, isMember: false, user: 'Robin' };
  expect(await answerOf(await member.inDm(), 'everywhere')).toEqual({ ...own, owners: { 0: '0', 1: userId } });
  const others = await member.inDm(discord.member('Sam').userId);
  expect(await answerOf(others, 'brought')).toEqual({ ...own, context: 2, owners: { 1: userId } });
});

test('a response in direct messages is visible to both users only, and its buttons work', async () => {
  const { discord, client, member } = await setUp({}, async (interaction) => {
    if (interaction.isChatInputCommand())
      await interaction.reply({
        content: 'here',
        components: [{ type: 1, components: [{ type: 2, style: 1, label: 'Press', custom_id: 'b' }] }],
      });
    else if (interaction.isButton()) await interaction.update(`pressed by ${interaction.user.globalName} in ${interaction.context}`);
  });
  expect(client.guilds.cache.size).toBe(1);
  const other = discord.member('Sam');
  const overheard: string[] = [];
  other.onDispatch(({ t }) => t === 'MESSAGE_CREATE' && overheard.push(t));
  const inDm = await member.inDm();
  const interaction = await inDm.run('dms');
  const message = await interaction.message(({ content }) => content === 'here');
  await inDm.click(message, 'Press');
  await interaction.message(({ content }) => content === 'pressed by Robin in 1');
  expect(overheard).toEqual([]);
  await expect(other.call('messages', { channel_id: message.channel_id })).rejects.toThrow(/no such channel/);
});

test('a message command works in direct messages and receives the message’s files', async () => {
  const { discord, member } = await setUp({}, async (interaction) => {
    if (interaction.isMessageContextMenuCommand()) await interaction.reply(`${interaction.targetMessage.attachments.first()?.name}`);
  });
  const inDm = await member.inDm(discord.member('Sam').userId);
  const { id } = await inDm.send(['a.ogg', new Uint8Array(4)]);
  const interaction = await inDm.runOnMessage('Look', id);
  expect((await interaction.message(({ content }) => content !== '')).content).toBe('a.ogg');
});

test('the application can send members direct messages, and receives theirs', async () => {
  const { client, member } = await setUp();
  const heard = new Promise((resolve) =>
    client.on(Events.MessageCreate, ({ author, content, guildId }) => author.bot || resolve([content, guildId])),
  );
  const user = await client.users.fetch(member.client.userId);
  const sent = await user.send({ content: 'careful', embeds: [{ title: '75 %' }] });
  expect((await member.sees(({ id }) => id === sent.id)).embeds[0]?.title).toBe('75 %');
  await member.client.call('send_message', { channel_id: sent.channelId, content: 'thanks' });
  expect(await heard).toEqual(['thanks', null]);
});

test('opening direct messages twice returns the same channel, which the application can read', async () => {
  const { discord } = await setUp();
  const { userId } = discord.member('Sam');
  const { body } = await request(discord, 'POST', '/users/@me/channels', { recipient_id: userId });
  expect(body).toMatchObject({ type: 1, last_message_id: null, recipients: [{ id: userId }] });
  expect((await request(discord, 'POST', '/users/@me/channels', { recipient_id: userId })).body.id).toBe(body.id);
  const sent = await request(discord, 'POST', `/channels/${body.id}/messages`, { content: 'x', embeds: [{ title: 'y' }] });
  expect((await request(discord, 'GET', `/channels/${body.id}`)).body).toEqual({ ...body, last_message_id: sent.body.id });
});

test('the application cannot write to users who refuse direct messages or share no guild with it', async () => {
  const { discord } = await setUp({ installedBy: 'guild' });
  const { userId } = discord.member('Sam');
  const { body } = await request(discord, 'POST', '/users/@me/channels', { recipient_id: userId });
  const write = () => request(discord, 'POST', `/channels/${body.id}/messages`, { content: 'x' });
  expect(await write()).toMatchObject({ status: 200 });
  discord.setAcceptsDms(userId, false);
  expect(await write()).toMatchObject({ status: 403, body: { code: 50007 } });
  discord.setAcceptsDms(userId, true);
  discord.removeBot(discord.guildId);
  expect(await write()).toMatchObject({ status: 403, body: { code: 50007 } });
  expect(await request(discord, 'POST', '/users/@me/channels', { recipient_id: '1' })).toMatchObject({ body: { code: 50033 } });
});

test('without Use External Apps, the response of a user-installed application is ephemeral', async () => {
  const { discord, member } = await setUp({ installedBy: 'member' });
  const { userId } = discord.member('Sam');
  discord.setPermissions(discord.channelId('general'), userId, { deny: P.UseExternalApps });
  const seen = async (who: Member) => (await who.run('everywhere')).message(({ content }) => content !== '');
  expect(isEphemeral(await seen(member))).toBe(false);
  expect((await seen(memberOf(discord, 'Sam'))).flags).toBe(MessageFlags.Ephemeral);
});

test('a subcommand runs by its name, and its options autocomplete', async () => {
  const { discord, member } = await setUp({}, (interaction) => {
    if (interaction.isAutocomplete()) return interaction.respond([{ name: `${interaction.options.getSubcommand()}!`, value: 'x' }]);
    if (!interaction.isChatInputCommand()) return undefined;
    const { options } = interaction;
    return interaction.reply([options.getSubcommandGroup(), options.getSubcommand(), options.getString('text')].join(' '));
  });
  const text = { type: 3, name: 'text', description: 'd', required: true, autocomplete: true };
  const show = { type: 1, name: 'show', description: 'd', options: [text] };
  const data = { name: 'settings', description: 'd', options: [show, { type: 2, name: 'voice', description: 'd', options: [show] }] };
  await request(discord, 'POST', `/applications/${discord.application.id}/commands`, data);
  const said = async (name: string) => (await (await member.run(name, { text: 'a' })).message(({ content }) => content !== '')).content;
  expect(await said('settings show')).toBe(' show a');
  expect(await said('settings voice show')).toBe('voice show a');
  expect(await member.autocomplete('settings show', 'text', 'b')).toEqual([{ name: 'show!', value: 'x' }]);
  await expect(member.run('settings', { text: 'a' })).rejects.toThrow();
});

test('an application that is added to and removed from a guild receives both events', async () => {
  const { discord, client, member } = await setUp({ installedBy: 'member' });
  const next = (event: string) => new Promise<string>((resolve) => (client as Client).once(event, ({ id }) => resolve(id)));
  const created = next(Events.GuildCreate);
  discord.addBot(discord.guildId);
  expect(await created).toBe(discord.guildId);
  expect(client.guilds.cache.get(discord.guildId)?.members.me?.id).toBe(discord.application.id);
  const gone = next(Events.GuildDelete);
  discord.removeBot(discord.guildId);
  expect(await gone).toBe(discord.guildId);
  expect(await request(discord, 'GET', `/guilds/${discord.guildId}`)).toMatchObject({ status: 403, body: { code: 50001 } });
  expect(await names(member, discord.channelId('general'))).toContain('everywhere');
});
