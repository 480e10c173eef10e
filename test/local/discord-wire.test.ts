// What bots of other libraries send, and the local Discord accepts like Discord.
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { GatewayIntentBits } from 'discord.js';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { HELLO_DELAY_MS } from '../../src/local/discord/gateway/hello.ts';
import type { LocalDiscord } from '../../src/local/discord/index.ts';
import { holdTimers } from '../helpers/held-timers.ts';
import { logIn, openLocalDiscord, request } from '../helpers/local-discord.ts';
import { createSchemaCheck } from '../helpers/openapi.ts';
import { createWaiter } from '../helpers/waiter.ts';

const checkSound = createSchemaCheck('SoundboardSoundResponse');

async function setUp(options: Parameters<typeof openLocalDiscord>[0] = {}) {
  const discord = await openLocalDiscord(options);
  const messages = `/channels/${discord.channelId('general')}/messages`;
  /** Sends a request with exactly these bytes as its body. */
  const post = async (path: string, body: string, headers: Record<string, string> = {}, method = 'POST') => {
    const authorization = `Bot ${discord.application.token}`;
    const response = await fetch(`${discord.apiUrl}${path}`, { method, body, headers: { authorization, ...headers } });
    return { status: response.status, body: JSON.parse((await response.text()) || 'null') };
  };
  return { discord, messages, post };
}

/** READY of a gateway session, or the code that the gateway closed it with. */
function identify(discord: LocalDiscord, query: string, wish: object = { intents: 1 }): Promise<number | Record<string, unknown>> {
  const socket = new WebSocket(`${discord.url.replace('http', 'ws')}/gateway${query}`);
  onTestFinished(() => socket.terminate());
  return new Promise((resolve) => {
    socket.on('close', resolve);
    socket.on('message', (data) => {
      const { op, t, d } = JSON.parse(String(data));
      if (op === 10) socket.send(JSON.stringify({ op: 2, d: { token: discord.application.token, properties: {}, ...wish } }));
      if (t === 'READY') resolve(d);
    });
  });
}

test('a JSON body may have parameters in its content type, and may be empty', async () => {
  const { messages, post } = await setUp();
  for (const type of ['application/json; charset=utf-8', 'application/json;charset=UTF-8', 'Application/JSON'])
    expect(await post(`/v10${messages}`, '{"content":"hi"}', { 'content-type': type }), type).toMatchObject({ body: { content: 'hi' } });
  const typing = `/v10${messages.replace('messages', 'typing')}`;
  expect(await post(typing, '', { 'content-type': 'application/json' })).toMatchObject({ status: 204 });
  expect(await post(typing, '{', { 'content-type': 'application/json' })).toMatchObject({ status: 400, body: { code: 50109 } });
});

test('every response has exactly the content type application/json, which some libraries compare', async () => {
  const { discord, messages } = await setUp();
  const answers = [
    request(discord, 'GET', '/gateway/bot'),
    request(discord, 'GET', '/nowhere'),
    request(discord, 'POST', messages, { content: '' }),
    request(discord, 'GET', '/users/@me', undefined, { authorization: 'Bot wrong' }),
  ];
  for (const { headers } of await Promise.all(answers)) expect(headers.get('content-type')).toBe('application/json');
});

test('a URL-encoded form may hold fields, or `payload_json`', async () => {
  const { messages, post } = await setUp();
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  expect(await post(`/v10${messages}`, 'content=a+b', type)).toMatchObject({ body: { content: 'a b' } });
  const form = new URLSearchParams({ payload_json: '{"content":"c","embeds":[{"title":"T"}]}' });
  expect(await post(`/v10${messages}`, form.toString(), type)).toMatchObject({ body: { content: 'c', embeds: [{ title: 'T' }] } });
  expect(await post(`/v10${messages}`, 'payload_json={', type)).toMatchObject({ status: 400, body: { code: 50109 } });
});

test('multipart may hold fields next to the files, or `payload_json` of any content type', async () => {
  const { discord, messages } = await setUp();
  const send = (payload: string | Blob, field = 'payload_json') => {
    const form = new FormData();
    if (typeof payload === 'string') form.append(field, payload);
    else form.append(field, payload, 'blob');
    form.append('files[0]', new Blob(['x']), 'x.txt');
    return request(discord, 'POST', messages, form);
  };
  const attachments = [{ filename: 'x.txt' }];
  expect((await send('hi', 'content')).body).toMatchObject({ content: 'hi', attachments });
  expect((await send('{"content":"hi"}')).body).toMatchObject({ content: 'hi', attachments });
  expect((await send(new Blob(['{"content":"hi"}'], { type: 'application/json; charset=utf-8' }))).body).toMatchObject({
    ...{ content: 'hi', attachments },
  });
  const many = new FormData();
  for (let index = 0; index < 11; index++) many.append(`files[${index}]`, new Blob(['x']), 'x.txt');
  expect(await request(discord, 'POST', messages, many)).toMatchObject({ status: 400, body: { code: 50035 } });
});

test('JSON that is nested too deeply is refused', async () => {
  const { post } = await setUp();
  const body = `{"recipient_id":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
  expect(await post('/v10/users/@me/channels', body, { 'content-type': 'application/json' })).toMatchObject({
    status: 400,
    body: { code: 50109 },
  });
});

test('an id sent as a number is accepted and not rounded', async () => {
  const { discord, post } = await setUp();
  const { userId } = discord.member('Sam');
  const type = { 'content-type': 'application/json' };
  // Another id that is the same number after rounding.
  const stranger = String(BigInt(userId) + (BigInt(userId) % 2n === 0n ? 1n : -1n));
  expect(Number(stranger)).toBe(Number(userId));
  expect(await post('/v10/users/@me/channels', `{"recipient_id":${userId}}`, type)).toMatchObject({
    status: 200,
    body: { recipients: [{ id: userId }] },
  });
  expect(await post('/v10/users/@me/channels', `{"recipient_id":${stranger}}`, type)).toMatchObject({ status: 400 });
  const form = new FormData();
  form.append(
    'payload_json',
    new Blob([`{"content":"<@${userId}>","allowed_mentions":{"users":[${userId}]}}`], { type: 'application/json' }),
  );
  const messages = `/channels/${discord.channelId('general')}/messages`;
  expect((await request(discord, 'POST', messages, form)).body).toMatchObject({ mentions: [{ id: userId }] });

  const socket = new WebSocket(`${discord.url.replace('http', 'ws')}/gateway?v=10`);
  onTestFinished(() => socket.terminate());
  const chunk = new Promise<Record<string, unknown>>((resolve) => {
    socket.on('message', (data) => {
      const { op, t, d } = JSON.parse(String(data));
      if (op === 10) socket.send(JSON.stringify({ op: 2, d: { token: discord.application.token, intents: 1, properties: {} } }));
      if (t === 'GUILD_CREATE') socket.send(`{"op":8,"d":{"guild_id":${discord.guildId},"user_ids":[${userId},${stranger}]}}`);
      if (t === 'GUILD_MEMBERS_CHUNK') resolve(d);
    });
  });
  expect(await chunk).toMatchObject({ members: [{ user: { id: userId } }], not_found: [stranger] });
});

test('the token starts with the application’s id', async () => {
  const { discord } = await setUp();
  const [first = '', ...others] = discord.application.token.split('.');
  expect(Buffer.from(first, 'base64').toString()).toBe(discord.application.id);
  expect(others).toHaveLength(2);
});

test('REST serves every version that Discord does, and requests without one', async () => {
  const { discord, post } = await setUp();
  for (const version of ['/v10', '/v9', '/v8', '/v6', '']) {
    const response = await fetch(`${discord.apiUrl}${version}/users/@me`, {
      headers: { authorization: `Bot ${discord.application.token}` },
    });
    expect([version, response.status, await response.json()]).toMatchObject([version, 200, { id: discord.application.id }]);
  }
  expect(await post('/v11/users/@me/channels', '{}', { 'content-type': 'application/json' })).toMatchObject({
    status: 400,
    body: { code: 50041 },
  });
});

test('the gateway serves every version that Discord does, and connections without one', async () => {
  const { discord } = await setUp();
  expect(await identify(discord, '?v=10')).toMatchObject({ v: 10 });
  expect(await identify(discord, '/?v=9&encoding=json')).toMatchObject({ v: 9 });
  expect(await identify(discord, '')).toMatchObject({ v: 6 });
  expect(await identify(discord, '?v=5')).toBe(4012);
  expect(await identify(discord, '?v=11')).toBe(4012);
  expect(await identify(discord, '?v=10', {})).toBe(4013);
  expect(await identify(discord, '?v=7', {})).toMatchObject({ v: 7 });
});

test('before version 10, an enabled message content intent need not be requested', async () => {
  const { discord } = await setUp({ privilegedIntents: GatewayIntentBits.MessageContent });
  await identify(discord, '?v=9', { intents: GatewayIntentBits.GuildMessages });
  await identify(discord, '?v=10', { intents: GatewayIntentBits.GuildMessages });
  const reads = discord.gateway.sessions().map(({ intents }) => (intents & GatewayIntentBits.MessageContent) !== 0);
  expect(reads).toEqual([true, false]);
});

test('an unknown route is a 404, and is logged once without ids and tokens', async () => {
  const warnings: object[] = [];
  const log = { debug: () => {}, warn: (facts: object) => void warnings.push(facts) };
  const { discord, messages } = await setUp({ log });
  const paths = [
    '/stage-instances/1',
    '/stage-instances/2',
    `/webhooks/1/${'Ab1_'.repeat(20)}/slack`,
    `${messages}/search`,
    `${messages}/1/crosspost`,
  ];
  for (const path of paths) expect(await request(discord, 'GET', path)).toMatchObject({ status: 404, body: { code: 0 } });
  expect(warnings).toEqual([
    { route: 'GET /stage-instances/:id' },
    { route: 'GET /webhooks/:id/:other/slack' },
    { route: 'GET /channels/:id/messages/search' },
    { route: 'GET /channels/:id/messages/:id/crosspost' },
  ]);
});

test('there are Discord’s default soundboard sounds, and no guild has its own', async () => {
  const { discord } = await setUp();
  const { body } = await request(discord, 'GET', '/soundboard-default-sounds');
  expect(body).toHaveLength(6);
  for (const sound of body as never as object[]) checkSound(sound);
  const client = await logIn(discord);
  const sounds = await client.guilds.fetchSoundboardSounds({ guildIds: [discord.guildId] });
  expect(sounds.get(discord.guildId)?.size).toBe(0);
  expect((await client.guilds.cache.get(discord.guildId)?.soundboardSounds.fetch())?.size).toBe(0);
});

/** Asks for a WebSocket. `until`: what has arrived once this has. */
function requestUpgrade(socket: Socket, path: string, host: string): { until(last: string): Promise<string> } {
  onTestFinished(() => void socket.destroy());
  let read = '';
  const waiter = createWaiter();
  socket.on('data', (chunk) => {
    read += chunk.toString('latin1');
    waiter.notify();
  });
  const headers = ['Upgrade: websocket', 'Connection: Upgrade', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=='];
  socket.write([`GET ${path} HTTP/1.1`, `Host: ${host}`, ...headers, '', ''].join('\r\n'));
  return {
    until: (last) =>
      waiter.until(
        () => (read.includes(last) ? read : undefined),
        () => `${JSON.stringify(last)} in ${JSON.stringify(read)}`,
      ),
  };
}

test('in both gateways, Hello never arrives in the same packet as the upgrade response', async () => {
  const { discord } = await setUp();
  const { host, port } = new URL(discord.url);
  const { endpoint } = discord.voice;
  // However busy this process is, the time before Hello begins with the response and is over only after that was read.
  const delays = holdTimers(HELLO_DELAY_MS);
  for (const open of [
    () => requestUpgrade(connectTcp(Number(port), '127.0.0.1'), '/gateway?v=10', host),
    () =>
      requestUpgrade(connectTls({ port: Number(endpoint.split(':')[1]), host: '127.0.0.1', ca: discord.certificate }), '/?v=8', endpoint),
  ]) {
    const { until } = open();
    expect(await until('\r\n\r\n')).toMatch(/^HTTP\/1.1 101 .*\r\n\r\n$/s);
    expect(delays.count()).toBe(1);
    delays.expire();
    await until('heartbeat_interval');
  }
});
