// Commands are registered once, and again only when they have changed.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { REST } from 'discord.js';
import { pino } from 'pino';
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { commands } from '../../commands/index.ts';
import type { Command } from '../../src/bot/command.ts';
import { keepRegistered } from '../../src/bot/command-registration.ts';
import { registerCommands } from '../../src/bot/register.ts';
import { makeRequest } from '../../src/bot/rest.ts';
import { openSqliteStore } from '../../src/store/index.ts';
import { logIn, openLocalDiscord } from '../helpers/local-discord.ts';
import { answerJson, startMisbehavingService } from '../helpers/misbehaving-service.ts';
import { startParley } from '../helpers/parley.ts';

let puts: { path: string; body: Record<string, unknown>[] }[];
let stored: Record<string, unknown>[];
let breaks = 0;

/** As Discord answers: what was sent, with what it adds and fills in, in an order of its own. */
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
    response.end(JSON.stringify(stored));
  });
});

let rest: REST;

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

it('registers the commands everywhere, once', async () => {
  expect(await registerCommands(rest, '1', null, commands)).toBe(true);
  expect(await registerCommands(rest, '1', null, commands)).toBe(false);
  expect(puts.map(({ path }) => path)).toEqual(['/api/v10/applications/1/commands']);
  expect(puts[0]?.body.map(({ name }) => name)).toEqual(commands.map(({ data }) => data.name));
});

it('registers them again when anything has changed', async () => {
  await registerCommands(rest, '1', null, commands);
  const [first, ...others] = commands as [Command, ...Command[]];
  const changed = { ...first, data: { ...first.data, description: 'Something else' } } as Command;
  expect(await registerCommands(rest, '1', null, [changed, ...others])).toBe(true);
  expect(await registerCommands(rest, '1', null, others)).toBe(true);
  expect(puts).toHaveLength(3);
});

it('registers them in one guild without what only global commands have', async () => {
  const [first] = commands as [Command];
  const limited = { ...first, data: { ...first.data, contexts: [0], integration_types: [0] } } as Command;
  expect(await registerCommands(rest, '1', '2', [limited])).toBe(true);
  expect(puts[0]?.path).toBe('/api/v10/applications/1/guilds/2/commands');
  expect(puts[0]?.body[0]).not.toHaveProperty('contexts');
  expect(await registerCommands(rest, '1', '2', [limited])).toBe(false);
});

it('comes through a connection that is closed under it', async () => {
  breaks = 1;
  expect(await registerCommands(rest, '1', null, commands)).toBe(true);
});

describe('commands of one guild', () => {
  const store = openSqliteStore(':memory:');
  let lines: string[];

  beforeEach(async () => {
    lines = [];
    await store.deleteAll('');
  });
  afterAll(() => store.close());

  /** A bot on a Discord with two guilds, and which commands are registered where. */
  async function openRegistration() {
    const discord = await openLocalDiscord({ guilds: 2 });
    const [first = '', second = ''] = discord.guildIds;
    const client = await logIn(discord);
    const log = pino({ level: 'info' }, { write: (line: string) => lines.push(line) });
    return {
      ...{ discord, first, second },
      start: (guildId: string | null) =>
        keepRegistered({
          ...{ rest: client.rest, applicationId: discord.application.id, guildId, commands, store, log },
          signal: AbortSignal.timeout(20_000),
        }),
      places: () => new Set(discord.world.commands.map(({ guild_id }) => guild_id ?? 'everywhere')),
    };
  }

  it('are deleted there when DISCORD_GUILD_ID is changed or unset, and only there', async () => {
    const { discord, first, second, start, places } = await openRegistration();
    await start(first);
    expect(places()).toEqual(new Set([first]));
    await start(second);
    expect(places()).toEqual(new Set([second]));
    await start(null);
    expect(places()).toEqual(new Set(['everywhere']));
    const puts: string[] = [];
    discord.rest.onRequest(({ method, path }) => method === 'PUT' && puts.push(path));
    await start(null);
    expect(puts).toEqual([]);
  });

  it('stay beside those that are everywhere, which is said in one line', async () => {
    const { first, start, places } = await openRegistration();
    await start(null);
    expect(lines.join()).not.toContain('twice');
    await start(first);
    expect(places()).toEqual(new Set(['everywhere', first]));
    expect(lines.filter((line) => line.includes('show twice in that guild'))).toHaveLength(1);
  });

  it('are deleted at the next start if Discord refuses that now', async () => {
    const { discord, first, start, places } = await openRegistration();
    await start(first);
    discord.failRest(/PUT .*\/guilds\//, { status: 403 });
    await start(null);
    expect(places()).toEqual(new Set([first, 'everywhere']));
    await start(null);
    expect(places()).toEqual(new Set(['everywhere']));
  });

  it('are deleted in a guild that had put the bot out, as soon as it invites the bot again', async () => {
    const service = await startMisbehavingService(answerJson(200, { total: 0, items: [] }));
    const parley = await startParley({ service: { url: service.url, key: 'key' } });
    const { discord, store } = parley;
    const application = discord.application.id;
    onTestFinished(async () => {
      await parley.close();
      await service.close();
    });
    await keepRegistered({
      ...{
        rest: parley.bot().client.rest,
        applicationId: application,
        guildId: discord.guildId,
        commands,
        store,
        log: pino({ level: 'silent' }),
      },
      signal: AbortSignal.timeout(20_000),
    });
    const stay = () => discord.world.commands.some(({ guild_id }) => guild_id === discord.guildId);
    discord.putOut(discord.guildId);
    await parley.restartBot();
    expect(stay()).toBe(true);
    const gone = new Promise<void>((resolve) =>
      discord.rest.onRequest(({ method, path }) => method === 'PUT' && path.includes('/guilds/') && resolve()),
    );
    discord.invite(discord.guildId);
    await gone;
    expect(stay()).toBe(false);
  });
});
