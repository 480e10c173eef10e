// Commands are registered once, and again only when they have changed.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { REST } from 'discord.js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { commands } from '../commands/index.ts';
import type { Command } from '../src/command.ts';
import { makeRequest } from '../src/discord-rest.ts';
import { registerCommands } from '../src/register.ts';

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
