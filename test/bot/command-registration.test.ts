// Registration: the commands are registered once, and again only when they have changed.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { REST } from 'discord.js';
import { pino } from 'pino';
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { commands } from '../../commands/index.ts';
import { makeRequest } from '../../src/bot/client.ts';
import { keepRegistered, registerCommands } from '../../src/bot/command-registration.ts';
import type { Command } from '../../src/discord/command.ts';
import { inEveryLanguage } from '../../src/locales/command-texts.ts';
import { openSqliteStore } from '../../src/store/index.ts';
import { logIn, openLocalDiscord } from '../helpers/local-discord.ts';
import { answerJson, startMisbehavingService } from '../helpers/misbehaving-service.ts';
import { startParley } from '../helpers/parley.ts';
import { WAIT_MS } from '../helpers/waiter.ts';

let puts: { path: string; body: Record<string, unknown>[] }[];
let stored: Record<string, unknown>[];
/** How many GET requests to cut off. */
let breaks = 0;

/** Answers as Discord does: what was sent plus ids and defaults, in another order. */
const server = createServer((request, response) => {
  if (request.method === 'GET' && breaks-- > 0) {
    request.socket.end();
    return;
  }
  let text = '';
  request.on('data', (chunk) => {
    text += chunk;
  });
  request.on('end', () => {
    if (request.method === 'PUT') {
      const body = JSON.parse(text);
      puts.push({ path: request.url ?? '', body });
      stored = body
        .map((command: object, index: number) => ({ id: String(index), version: '1', nsfw: false, description: '', ...command }))
        .reverse();
    }
    response.setHeader('content-type', 'application/json');
    const withLocalizations = request.url?.includes('with_localizations=true') ?? false;
    response.end(JSON.stringify(stored, (key, value) => (key.endsWith('_localizations') && !withLocalizations ? undefined : value)));
  });
});

let rest: REST;
const register = (guildId: string | null, wanted: Command<never>[] = commands) =>
  registerCommands({ rest, applicationId: '1', guildId, commands: wanted, signal: AbortSignal.timeout(WAIT_MS) });

beforeEach(async () => {
  puts = [];
  stored = [];
  breaks = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  rest = new REST({ api: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`, makeRequest }).setToken('token');
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rest.clearHandlerSweeper();
  rest.clearHashSweeper();
});

it('registers the commands globally, once', async () => {
  expect(await register(null)).toBe(true);
  expect(await register(null)).toBe(false);
  expect(puts.map(({ path }) => path)).toEqual(['/api/v10/applications/1/commands']);
  expect(puts[0]?.body.map(({ name }) => name)).toEqual(commands.map(({ data }) => data.name));
});

it('registers again when anything has changed', async () => {
  await register(null);
  const [first, ...others] = commands as [Command<never>, ...Command<never>[]];
  const changed = { ...first, data: { ...first.data, description: 'Something else' } } as Command<never>;
  expect(await register(null, [changed, ...others])).toBe(true);
  expect(await register(null, others)).toBe(true);
  expect(puts).toHaveLength(3);
});

it('registers again when other types of files are taken, once', async () => {
  const command = (types: string[]) => ({
    data: { type: 1, name: 'listen', description: 'x', options: [{ type: 11, name: 'audio', description: 'x', file_types: types }] },
  });
  await register(null, [command(['audio'])] as never);
  expect(await register(null, [command(['audio', '.caf'])] as never)).toBe(true);
  expect(await register(null, [command(['audio', '.caf'])] as never)).toBe(false);
});

it('registers again when a translation has changed, once', async () => {
  await register(null);
  const translated = inEveryLanguage(commands.map(({ data }) => ({ data })));
  const [first] = translated as { data: { description_localizations?: Record<string, string> } }[];
  if (!first) throw new Error('There are no commands.');
  first.data.description_localizations = { ...first.data.description_localizations, de: 'Etwas anderes' };
  expect(await register(null, translated as never)).toBe(true);
  expect(await register(null, translated as never)).toBe(false);
  expect(puts).toHaveLength(2);
});

it('leaves out of guild commands what only global commands have', async () => {
  const [first] = commands as [Command<never>];
  const limited = { ...first, data: { ...first.data, contexts: [0], integration_types: [0] } } as Command<never>;
  expect(await register('2', [limited])).toBe(true);
  expect(puts[0]?.path).toBe('/api/v10/applications/1/guilds/2/commands');
  expect(puts[0]?.body[0]).not.toHaveProperty('contexts');
  expect(await register('2', [limited])).toBe(false);
});

it('survives a connection that is closed during a request', async () => {
  breaks = 1;
  expect(await register(null)).toBe(true);
});

describe('commands of one guild', () => {
  const store = openSqliteStore(':memory:');
  let lines: string[];

  beforeEach(async () => {
    lines = [];
    await store.deleteAll('');
  });
  afterAll(() => store.close());

  /** A bot in two guilds, and where its commands are registered. */
  async function openRegistration() {
    const discord = await openLocalDiscord({ guilds: 2 });
    const [first = '', second = ''] = discord.guildIds;
    const client = await logIn(discord);
    const log = pino({ level: 'info' }, { write: (line: string) => lines.push(line) });
    return {
      discord,
      first,
      second,
      start: (guildId: string | null) =>
        keepRegistered({
          rest: client.rest,
          applicationId: discord.application.id,
          inviteUrl: 'https://invite.example',
          guildId,
          commands,
          store,
          log,
          signal: AbortSignal.timeout(WAIT_MS),
        }),
      places: () => new Set(discord.world.commands.map(({ guild_id }) => guild_id ?? 'everywhere')),
    };
  }

  it('are deleted when DISCORD_GUILD_ID is changed or unset, and nowhere else', async () => {
    const { discord, first, second, start, places } = await openRegistration();
    await start(first);
    expect(places()).toEqual(new Set([first]));
    await start(second);
    expect(places()).toEqual(new Set([second]));
    await start(null);
    expect(places()).toEqual(new Set(['everywhere']));
    const puts: string[] = [];
    discord.onRestRequest(({ method, path }) => method === 'PUT' && puts.push(path));
    await start(null);
    expect(puts).toEqual([]);
  });

  it('stay beside global ones, with one warning in the log', async () => {
    const { first, start, places } = await openRegistration();
    await start(null);
    expect(lines.join()).not.toContain('twice');
    await start(first);
    expect(places()).toEqual(new Set(['everywhere', first]));
    expect(lines.filter((line) => line.includes('show twice in that guild'))).toHaveLength(1);
  });

  it('are deleted at the next start if Discord refuses now', async () => {
    const { discord, first, start, places } = await openRegistration();
    await start(first);
    discord.failRest(/PUT .*\/guilds\//, { status: 403 });
    await start(null);
    expect(places()).toEqual(new Set([first, 'everywhere']));
    await start(null);
    expect(places()).toEqual(new Set(['everywhere']));
  });

  it('are deleted in a guild that removed the bot as soon as the bot is invited again', async () => {
    const service = await startMisbehavingService(answerJson(200, { total: 0, items: [] }));
    const parley = await startParley({ service: { url: service.url, key: 'key' } });
    const { discord, store } = parley;
    const application = discord.application.id;
    onTestFinished(async () => {
      await parley.close();
      await service.close();
    });
    await keepRegistered({
      rest: parley.bot().client.rest,
      applicationId: application,
      inviteUrl: parley.bot().inviteUrl,
      guildId: discord.guildId,
      commands,
      store,
      log: pino({ level: 'silent' }),
      signal: AbortSignal.timeout(WAIT_MS),
    });
    const stay = () => discord.world.commands.some(({ guild_id }) => guild_id === discord.guildId);
    discord.removeBot(discord.guildId);
    await parley.restartBot();
    expect(stay()).toBe(true);
    const gone = new Promise<void>((resolve) =>
      discord.onRestRequest(({ method, path }) => method === 'PUT' && path.includes('/guilds/') && resolve()),
    );
    discord.addBot(discord.guildId);
    await gone;
    expect(stay()).toBe(false);
  });
});
