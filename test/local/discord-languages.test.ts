// The languages of members and guilds in the local Discord, and commands named in them.
import { once } from 'node:events';
import { Events, Locale, PermissionFlagsBits as P } from 'discord.js';
import { expect, test } from 'vitest';
import { logIn, openLocalDiscord, request } from '../helpers/local-discord.ts';
import { createSchemaCheck } from '../helpers/openapi.ts';
import { openRawGatewaySession } from '../helpers/raw-gateway.ts';

const checkCommand = createSchemaCheck('ApplicationCommandResponse');

const COMMAND = {
  name: 'colour',
  name_localizations: { de: 'farbe', 'en-US': 'color' },
  description: 'Paint it',
  description_localizations: { de: 'Anmalen', 'es-ES': 'Pintar' },
  options: [
    {
      ...{ type: 3, name: 'tone', description: 'Which', required: true },
      name_localizations: { de: 'ton' },
      choices: [{ name: 'Red', name_localizations: { de: 'Rot' }, value: 'red' }],
    },
  ],
};

async function setUp() {
  const discord = await openLocalDiscord();
  const path = `/applications/${discord.application.id}/commands`;
  const put = (commands: object[]) => request(discord, 'PUT', path, commands);
  const channel_id = discord.channelId('general');
  return { discord, path, put, channel_id };
}

test('an interaction carries the language of the member and of the guild', async () => {
  const { discord, put, channel_id } = await setUp();
  await put([{ name: 'ping', description: 'd' }]);
  discord.setPreferredLocale(Locale.Polish);
  const session = await openRawGatewaySession(discord, 1);
  const [robin, sam] = [discord.member('Robin', { locale: Locale.Japanese }), discord.member('Sam')];
  const [command] = await robin.call('commands', { channel_id });
  const run = async (member: typeof robin) => {
    const { interaction_id } = await member.call('run_command', { channel_id, command_id: command?.id as string });
    return session.next('INTERACTION_CREATE', ({ id }) => id === interaction_id);
  };
  expect(await run(robin)).toMatchObject({ locale: 'ja', guild_locale: 'pl', guild: { locale: 'pl' } });
  expect(await run(sam)).toMatchObject({ locale: 'en-US', guild_locale: 'pl' });
  await sam.call('set_locale', { locale: Locale.SpanishLATAM });
  expect(await run(sam)).toMatchObject({ locale: 'es-419' });
  await expect(sam.call('set_locale', { locale: 'xx' as Locale })).rejects.toThrow(/xx/);
});

test('a member keeps the language in their next client', async () => {
  const { discord } = await setUp();
  const first = discord.member('Sam', { locale: Locale.French });
  const second = discord.member('Sam');
  expect(await second.call('hello', {})).toMatchObject({ locale: 'fr' });
  const told = second.next('USER_SETTINGS_UPDATE');
  await first.call('set_locale', { locale: Locale.Korean });
  expect(await told).toEqual({ locale: 'ko' });
});

test('a member sees commands, options and choices in their language, and the application its own names', async () => {
  const { discord, put, channel_id } = await setUp();
  await put([COMMAND]);
  const session = await openRawGatewaySession(discord, 1);
  const member = discord.member('Sam');
  const renamed = member.next('COMMANDS_UPDATE');
  await member.call('set_locale', { locale: Locale.German });
  const german = {
    ...{ name: 'colour', name_localized: 'farbe', description_localized: 'Anmalen' },
    options: [{ name: 'tone', name_localized: 'ton', choices: [{ name_localized: 'Rot', value: 'red' }] }],
  };
  expect(await renamed).toMatchObject([german]);
  const [command] = await member.call('commands', { channel_id });
  expect(command).toMatchObject(german);
  const options = [{ name: 'tone', type: 3, value: 'red' }];
  await member.call('run_command', { channel_id, command_id: command?.id as string, options });
  expect((await session.next('INTERACTION_CREATE')).data).toMatchObject({ name: 'colour', options: [{ name: 'tone', value: 'red' }] });
});

test('autocomplete choices arrive in the member’s language', async () => {
  const { discord, put, channel_id } = await setUp();
  await put([{ name: 'find', description: 'd', options: [{ type: 3, name: 'text', description: 'd', autocomplete: true }] }]);
  const session = await openRawGatewaySession(discord, 1);
  const member = discord.member('Sam', { locale: Locale.German });
  const [command] = await member.call('commands', { channel_id });
  const options = [{ name: 'text', type: 3, value: 'x', focused: true }];
  const choices = member.call('autocomplete', { channel_id, command_id: command?.id as string, options });
  const { id, token } = await session.next('INTERACTION_CREATE');
  const answer = (localizations: object) =>
    request(discord, 'POST', `/interactions/${id}/${token}/callback`, {
      ...{ type: 8, data: { choices: [{ name: 'Red', name_localizations: localizations, value: 'red' }] } },
    });
  expect(await answer({ xx: 'Rot' })).toMatchObject({ status: 400, body: { code: 50035 } });
  expect((await answer({ de: 'Rot' })).status).toBe(204);
  expect(await choices).toEqual([{ name: 'Red', name_localized: 'Rot', value: 'red' }]);
});

test('a list of commands has the requested language, or all if asked; a single command has all', async () => {
  const { discord, path, put } = await setUp();
  await put([COMMAND]);
  const list = async (query = '', headers = {}) => {
    const [command] = (await request(discord, 'GET', path + query, undefined, headers)).body as never as Record<string, never>[];
    checkCommand(command);
    return command;
  };
  const english = await list();
  expect(english).toMatchObject({ name: 'colour', name_localized: 'color' });
  for (const field of ['name_localizations', 'description_localizations', 'description_localized'])
    expect(english).not.toHaveProperty(field);
  expect(await list('', { 'x-discord-locale': 'de' })).toMatchObject({ name_localized: 'farbe', options: [{ name_localized: 'ton' }] });
  // British English falls back to American, and Latin American Spanish to that of Spain.
  expect(await list('', { 'x-discord-locale': 'en-GB' })).toMatchObject({ name_localized: 'color' });
  expect(await list('', { 'x-discord-locale': 'es-419' })).toMatchObject({ description_localized: 'Pintar' });
  const whole = await list('?with_localizations=true');
  expect(whole).toMatchObject(COMMAND);
  expect(whole).not.toHaveProperty('name_localized');
  expect((await request(discord, 'GET', `${path}/${whole?.id}`)).body).toMatchObject(COMMAND);
  const client = await logIn(discord);
  const fetched = await client.application.commands.fetch({ withLocalizations: true });
  expect(fetched.first()?.nameLocalizations).toEqual(COMMAND.name_localizations);
});

test('localizations that Discord refuses are refused, with the place of each', async () => {
  const { put } = await setUp();
  const refused: [object, string][] = [
    [{ name_localizations: { xx: 'a' } }, 'name_localizations.xx'],
    [{ name_localizations: { de: 'Zwei Worte' } }, 'name_localizations.de'],
    [{ name_localizations: ['de'] }, 'name_localizations'],
    [{ description_localizations: { de: '' } }, 'description_localizations.de'],
    [{ description_localizations: { de: 'a'.repeat(101) } }, 'description_localizations.de'],
    [{ options: [{ ...COMMAND.options[0], name_localizations: { de: 'a'.repeat(33) } }] }, 'options.0.name_localizations.de'],
  ];
  for (const [change, place] of refused) {
    const { status, body } = await put([{ ...COMMAND, ...change }]);
    expect({ status, code: body.code }, place).toEqual({ status: 400, code: 50035 });
    const node = ['0', ...place.split('.')].reduce((at, part) => (at as Record<string, unknown>)?.[part], body.errors);
    expect(node, place).toHaveProperty('_errors');
  }
});

test('the application may change the name and language of a guild if it is permitted', async () => {
  const { discord } = await setUp();
  const patch = (body: object) => request(discord, 'PATCH', `/guilds/${discord.guildId}`, body);
  expect(await patch({ preferred_locale: 'de' })).toMatchObject({ status: 403, body: { code: 50013 } });
  const own = discord.world.firstGuild.roles.find(({ managed }) => managed);
  discord.setRolePermissions(own?.id as string, P.ManageGuild);
  const client = await logIn(discord);
  const told = once(client, Events.GuildUpdate);
  const seen = discord.member('Sam').next('GUILD_UPDATE');
  expect(await patch({ preferred_locale: 'de', name: 'Spielplatz' })).toMatchObject({
    ...{ status: 200, body: { preferred_locale: 'de', name: 'Spielplatz' } },
  });
  expect((await told)[1]).toMatchObject({ preferredLocale: 'de', name: 'Spielplatz' });
  expect(await seen).toMatchObject({ id: discord.guildId, name: 'Spielplatz' });
  for (const wrong of [{ preferred_locale: 'xx' }, { name: 'x' }, { icon: null }])
    expect(await patch(wrong), JSON.stringify(wrong)).toMatchObject({ status: 400, body: { code: 50035 } });
  expect((await patch({ preferred_locale: null })).body).toMatchObject({ preferred_locale: 'en-US' });
});
