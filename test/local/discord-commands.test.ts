// The local Discord's command interactions and their responses, through raw requests and through discord.js.
import { ApplicationCommandType, Events, type Interaction, MessageFlags } from 'discord.js';
import { expect, test } from 'vitest';
import { logIn, openLocalDiscord, request } from '../helpers/local-discord.ts';
import { createSchemaCheck } from '../helpers/openapi.ts';
import { openRawGatewaySession } from '../helpers/raw-gateway.ts';

const checkResponse = createSchemaCheck('InteractionResponse');

const TYPED = { type: 3, name: 'text', description: 'd', autocomplete: true };
const COMMANDS = [
  { name: 'echo', description: 'd', options: [TYPED] },
  { name: 'Greet', type: ApplicationCommandType.User },
  { name: 'Look', type: ApplicationCommandType.Message },
];

/** A guild's commands, and a global one. */
async function setUp() {
  const discord = await openLocalDiscord();
  const base = `/applications/${discord.application.id}`;
  await request(discord, 'PUT', `${base}/guilds/${discord.guildId}/commands`, COMMANDS);
  await request(discord, 'PUT', `${base}/commands`, [{ name: 'everywhere', description: 'd', options: [TYPED] }]);
  const member = discord.member();
  const channel_id = discord.channelId('general');
  const commands = await member.call('commands', { channel_id });
  const idOf = (name: string) => commands.find((command) => command.name === name)?.id as string;
  return { discord, member, channel_id, idOf, base };
}

test('the autocomplete of a guild command names the guild', async () => {
  const { discord, member, channel_id, idOf } = await setUp();
  const session = await openRawGatewaySession(discord, 1);
  const options = [{ name: 'text', type: 3, value: 'x', focused: true }];
  const typed = async (name: string) => {
    const choices = member.call('autocomplete', { channel_id, command_id: idOf(name), options });
    const { id, token, data } = await session.next('INTERACTION_CREATE', (d) => d.data.name === name);
    await request(discord, 'POST', `/interactions/${id}/${token}/callback`, { type: 8, data: { choices: [{ name: 'X', value: 'x' }] } });
    expect(await choices).toEqual([{ name: 'X', value: 'x' }]);
    return data;
  };
  expect(await typed('echo')).toMatchObject({ guild_id: discord.guildId, options: [{ focused: true }] });
  expect(await typed('everywhere')).not.toHaveProperty('guild_id');
});

test('a command on a user arrives with that user and their membership', async () => {
  const { discord, member, channel_id, idOf } = await setUp();
  const session = await openRawGatewaySession(discord, 1);
  const target_id = discord.member('Sam').userId;
  await member.call('run_command', { channel_id, command_id: idOf('Greet'), target_id });
  const { data } = await session.next('INTERACTION_CREATE');
  expect(data).toMatchObject({
    ...{ type: 2, guild_id: discord.guildId, target_id },
    resolved: { users: { [target_id]: { id: target_id } }, members: { [target_id]: { permissions: expect.any(String), roles: [] } } },
  });
  for (const name of ['user', 'deaf', 'mute']) expect(data.resolved.members[target_id]).not.toHaveProperty(name);
  const nobody = member.call('run_command', { channel_id, command_id: idOf('Greet'), target_id: '1' });
  await expect(nobody).rejects.toThrow(/gone/);
});

test('discord.js replies to a command on a user', async () => {
  const { discord, member, channel_id, idOf } = await setUp();
  const client = await logIn(discord);
  client.on(Events.InteractionCreate, (interaction: Interaction) => {
    if (interaction.isUserContextMenuCommand()) void interaction.reply(`Hello ${interaction.targetUser.displayName}`);
  });
  const answered = member.next('MESSAGE_CREATE');
  await member.call('run_command', { channel_id, command_id: idOf('Greet'), target_id: discord.member('Sam').userId });
  expect(await answered).toMatchObject({ type: 23, content: 'Hello Sam' });
});

test('a response with `with_response` returns the message that it created or edited', async () => {
  const { discord, member, channel_id, idOf } = await setUp();
  const session = await openRawGatewaySession(discord, 1);
  /** The body that a response returns, checked against Discord's description. */
  const answer = async (interaction_id: string, body: object, query = '?with_response=true') => {
    const { id, token } = await session.next('INTERACTION_CREATE', (d) => d.id === interaction_id);
    const { body: answered, status } = await request(discord, 'POST', `/interactions/${id}/${token}/callback${query}`, body);
    if (status === 200) checkResponse(answered.interaction);
    return { status, ...answered } as { status: number; interaction: { response_message_id: string }; resource: { message: object } };
  };
  const run = async () => (await member.call('run_command', { channel_id, command_id: idOf('echo') })).interaction_id;
  const place = { channel_id, guild_id: discord.guildId };
  const components = [{ type: 1, components: [{ type: 2, style: 1, label: 'x', custom_id: 'x' }] }];
  const said = await answer(await run(), { type: 4, data: { content: 'hi', components } });
  const message_id = said.interaction.response_message_id;
  expect(said).toMatchObject({
    status: 200,
    interaction: { ...place, response_message_loading: false, response_message_ephemeral: false },
    resource: { type: 4, message: { id: message_id, content: 'hi' } },
  });
  expect(await answer(await run(), { type: 5, data: { flags: MessageFlags.Ephemeral } }, '?with_response=1')).toMatchObject({
    interaction: { ...place, response_message_loading: true, response_message_ephemeral: true },
  });
  const click = async () => (await member.call('click', { channel_id, message_id, custom_id: 'x', component_type: 2 })).interaction_id;
  expect(await answer(await click(), { type: 7, data: { content: 'changed' } }, '?with_response=True')).toMatchObject({
    interaction: { response_message_id: message_id },
    resource: { type: 7, message: { content: 'changed' } },
  });
  expect(await answer(await click(), { type: 6 })).toMatchObject({ interaction: { response_message_id: message_id } });
  for (const query of ['', '?with_response=false'])
    expect(await answer(await run(), { type: 4, data: { content: 'x' } }, query)).toEqual({ status: 204 });
});

test('`permissions` of a guild’s commands is not taken for a command id', async () => {
  const { discord, base } = await setUp();
  const path = `${base}/guilds/${discord.guildId}/commands/permissions`;
  expect(await request(discord, 'GET', path)).toMatchObject({ status: 200, body: [] });
});
