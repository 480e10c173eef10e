// The local Discord's gateway, driven by the real discord.js and by bare sockets.
import { once } from 'node:events';
import { createInflate, inflateSync } from 'node:zlib';
import { type Client, Events, GatewayIntentBits, type Message } from 'discord.js';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import type { LocalDiscord } from '../../src/local/discord/index.ts';
import { createClient, keyOf, logIn, openLocalDiscord, request } from '../helpers/local-discord.ts';
import { createWaiter } from '../helpers/waiter.ts';

interface Payload {
  op: number;
  t: string | null;
  s: number | null;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the gateway says.
  d: any;
}

/** A socket that keeps what it was told. */
async function connect(discord: LocalDiscord) {
  const socket = new WebSocket(`${discord.url.replace('http', 'ws')}/gateway?v=10&encoding=json`);
  onTestFinished(() => socket.terminate());
  const heard: Payload[] = [];
  const waiter = createWaiter();
  socket.on('message', (data, isBinary) => {
    heard.push(JSON.parse(isBinary ? inflateSync(data as Buffer).toString() : data.toString()));
    waiter.notify();
  });
  const closed = once(socket, 'close').then(([code]) => code as number);
  const until = (fits: (payload: Payload) => boolean) =>
    waiter.until(
      () => heard.find(fits),
      () => `a payload that fits; there are ${heard.map(({ op, t }) => t ?? op).join(', ')}`,
    );
  await until(({ op }) => op === 10);
  const identify = (intents = GatewayIntentBits.Guilds as number, more = {}) =>
    socket.send(JSON.stringify({ op: 2, d: { token: discord.application.token, intents, properties: {}, ...more } }));
  return { socket, heard, closed, until, identify, say: (op: number, d: unknown) => socket.send(JSON.stringify({ op, d })) };
}

test('an unmodified client logs in and finds the guild, its channels and itself', async () => {
  const discord = await openLocalDiscord({ application: { name: 'Somebody', description: 'A bot' } });
  const client = await logIn(discord);
  const guild = client.guilds.cache.get(discord.guildId);
  expect(guild?.channels.cache.find(({ name }) => name === 'Lounge')?.isVoiceBased()).toBe(true);
  expect(guild?.members.me?.user.username).toBe('Somebody');
  expect((await client.application.fetch()).owner?.id).toBe(discord.member('Robin').userId);
});

test('a client that lost its connection resumes and misses nothing', async () => {
  const discord = await openLocalDiscord();
  const intents = [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages];
  const client = await logIn(discord, { intents });
  const heard: string[] = [];
  const third = new Promise<void>((resolve) => {
    client.on(Events.MessageCreate, (message) => {
      heard.push(message.id);
      if (heard.length === 3) resolve();
    });
  });
  const before = discord.gateway.sessions();
  const resumed = once(client, Events.ShardResume);
  const member = discord.member();
  const channel_id = discord.channelId('general');
  const sent = [await member.call('send_message', { channel_id, content: 'one' })];
  discord.gateway.dropConnections();
  sent.push(await member.call('send_message', { channel_id, content: 'two' }));
  sent.push(await member.call('send_message', { channel_id, content: 'three' }));
  await resumed;
  await third;
  expect(heard).toEqual(sent.map(({ id }) => id));
  expect(discord.gateway.sessions().map(({ id }) => id)).toEqual(before.map(({ id }) => id));
});

test('a client that is asked to reconnect resumes', async () => {
  const discord = await openLocalDiscord();
  const client = await logIn(discord);
  const resumed = once(client, Events.ShardResume);
  discord.gateway.requestReconnect();
  await resumed;
  expect(discord.gateway.online).toBe(true);
});

test('a client whose session is invalid begins a new one', async () => {
  const discord = await openLocalDiscord();
  const client = await logIn(discord);
  const [before] = discord.gateway.sessions();
  const ready = once(client, Events.ShardReady);
  discord.gateway.invalidate(false);
  await ready;
  const sessions = discord.gateway.sessions();
  expect(sessions).toHaveLength(1);
  expect(sessions[0]?.id).not.toBe(before?.id);
});

test('a client whose heartbeats go unanswered connects anew', async () => {
  const discord = await openLocalDiscord({ heartbeatMs: 200 });
  discord.gateway.ignoreHeartbeats = true;
  const client = await logIn(discord);
  await once(client, Events.ShardReconnecting);
  discord.gateway.ignoreHeartbeats = false;
  await once(client, Events.ShardResume);
});

test('a session ends when its owner says goodbye, and cannot be resumed', async () => {
  const discord = await openLocalDiscord();
  const first = await connect(discord);
  first.identify();
  const { d, s } = await first.until(({ t }) => t === 'READY');
  first.socket.close(1000);
  await first.closed;
  const second = await connect(discord);
  second.say(6, { token: discord.application.token, session_id: d.session_id, seq: s });
  expect((await second.until(({ op }) => op === 9)).d).toBe(false);
});

test('a wrong token, unknown intents, privileged intents and impossible shards are each refused with their own code', async () => {
  const discord = await openLocalDiscord();
  const cases: [number, Record<string, unknown>][] = [
    [4004, { token: 'wrong' }],
    [4013, { intents: 2 ** 30 }],
    [4014, { intents: GatewayIntentBits.MessageContent }],
    [4010, { shard: [3, 2] }],
  ];
  for (const [code, more] of cases) {
    const line = await connect(discord);
    line.identify(0, more);
    expect(await line.closed).toBe(code);
  }
  await expect(createClient(discord).login('wrong')).rejects.toThrow(/invalid token/i);
});

test('what is no JSON, comes before identify, has no known opcode or identifies twice ends the connection', async () => {
  const discord = await openLocalDiscord();
  const noJson = await connect(discord);
  noJson.socket.send('{');
  expect(await noJson.closed).toBe(4002);
  const nothing = await connect(discord);
  nothing.say(2, null);
  expect(await nothing.closed).toBe(4002);
  const tooEarly = await connect(discord);
  tooEarly.say(4, { guild_id: discord.guildId, channel_id: null, self_mute: false, self_deaf: false });
  expect(await tooEarly.closed).toBe(4003);
  const unknown = await connect(discord);
  unknown.identify();
  unknown.say(99, {});
  expect(await unknown.closed).toBe(4001);
  const twice = await connect(discord);
  twice.identify();
  twice.identify();
  expect(await twice.closed).toBe(4005);
});

test('the 121st send within a minute ends the connection with 4008', async () => {
  const discord = await openLocalDiscord();
  const line = await connect(discord);
  line.identify();
  for (let sent = 1; sent < 120; sent++) line.say(1, null);
  await line.until(() => line.heard.filter(({ op }) => op === 11).length === 119);
  line.say(1, null);
  expect(await line.closed).toBe(4008);
});

test('voice states are told only to whoever asked for them', async () => {
  const discord = await openLocalDiscord();
  const member = discord.member();
  await member.call('join_voice', { channel_id: discord.channelId('Lounge') });
  const deaf = await connect(discord);
  deaf.identify(GatewayIntentBits.Guilds);
  const told = await connect(discord);
  told.identify(GatewayIntentBits.Guilds | GatewayIntentBits.GuildVoiceStates);
  const isGuild = ({ t }: Payload) => t === 'GUILD_CREATE';
  expect((await deaf.until(isGuild)).d.voice_states).toEqual([]);
  expect((await told.until(isGuild)).d.voice_states).toMatchObject([{ user_id: member.userId }]);
  await member.call('join_voice', { channel_id: null });
  await told.until(({ t, d }) => t === 'VOICE_STATE_UPDATE' && d.channel_id === null);
  expect(deaf.heard.some(({ t }) => t === 'VOICE_STATE_UPDATE')).toBe(false);
});

test('the content of messages is withheld without the intent, but for what is addressed to the application', async () => {
  const discord = await openLocalDiscord({ privilegedIntents: GatewayIntentBits.MessageContent });
  const blind = GatewayIntentBits.Guilds | GatewayIntentBits.GuildMessages;
  const [one, two] = [
    await logIn(discord, { intents: blind }),
    await logIn(discord, { intents: blind | GatewayIntentBits.MessageContent }),
  ];
  const contents = (client: Client) =>
    new Promise<string[]>((resolve) => {
      const heard: string[] = [];
      client.on(Events.MessageCreate, (message: Message) => {
        heard.push(message.content);
        if (heard.length === 2) resolve(heard);
      });
    });
  const [blindHeard, heard] = [contents(one), contents(two)];
  const channel_id = discord.channelId('general');
  const mention = `<@${discord.application.id}> hello`;
  await discord.member().call('send_message', { channel_id, content: 'hello' });
  await discord.member().call('send_message', { channel_id, content: mention });
  expect(await blindHeard).toEqual(['', mention]);
  expect(await heard).toEqual(['hello', mention]);
});

test('a session of another shard is not told of the guild', async () => {
  const discord = await openLocalDiscord();
  const shard = Number((BigInt(discord.guildId) >> 22n) % 2n);
  const [mine, other] = [await connect(discord), await connect(discord)];
  mine.identify(GatewayIntentBits.Guilds, { shard: [shard, 2] });
  other.identify(GatewayIntentBits.Guilds, { shard: [1 - shard, 2] });
  expect((await mine.until(({ t }) => t === 'READY')).d.guilds).toHaveLength(1);
  expect((await other.until(({ t }) => t === 'READY')).d.guilds).toEqual([]);
});

test('a session that asks for it is sent compressed events', async () => {
  const discord = await openLocalDiscord();
  const line = await connect(discord);
  line.identify(GatewayIntentBits.Guilds, { compress: true });
  expect((await line.until(({ t }) => t === 'GUILD_CREATE')).d.id).toBe(discord.guildId);
});

test('a connection that asks for it is one stream of zlib', async () => {
  const discord = await openLocalDiscord();
  const socket = new WebSocket(`${discord.url.replace('http', 'ws')}/gateway?v=10&encoding=json&compress=zlib-stream`);
  onTestFinished(() => socket.terminate());
  const inflate = createInflate();
  socket.on('message', (data) => inflate.write(data));
  const [hello] = await once(inflate, 'data');
  expect(JSON.parse(String(hello))).toMatchObject({ op: 10 });
});

test('what happens while the connection is lost is told when the session is resumed, a command too', async () => {
  const discord = await openLocalDiscord();
  const client = await logIn(discord);
  const [command] = (await client.application.commands.set([{ name: 'hi', description: 'd' }])).values();
  client.on(Events.InteractionCreate, (interaction) => {
    if (interaction.isChatInputCommand()) void interaction.reply('here');
  });
  const member = discord.member();
  const answered = member.next('MESSAGE_CREATE');
  const offline = member.next('PRESENCE_UPDATE', ({ status }) => status === 'offline');
  discord.gateway.dropConnections();
  await offline;
  await member.call('run_command', { channel_id: discord.channelId('general'), command_id: command?.id as string });
  expect((await answered).content).toBe('here');
});

test('each identify counts against the thousand of a day', async () => {
  const discord = await openLocalDiscord();
  await logIn(discord);
  expect((await request(discord, 'GET', '/gateway/bot')).body).toMatchObject({ session_start_limit: { total: 1000, remaining: 999 } });
});

test('whoever connects from another page, or by a name that leads here, is refused', async () => {
  const discord = await openLocalDiscord();
  for (const headers of [{ origin: 'https://elsewhere.example' }, { host: 'elsewhere.example' }]) {
    const socket = new WebSocket(`${discord.url.replace('http', 'ws')}/member`, { headers });
    const [, response] = await once(socket, 'unexpected-response');
    expect(response.statusCode).toBe(403);
  }
});

test('who has not the key of the page’s address speaks as no member and sends no files', async () => {
  const discord = await openLocalDiscord();
  const knock = async (query: string) => {
    const socket = new WebSocket(`${discord.url.replace('http', 'ws')}/member${query}`);
    const opened = once(socket, 'open').then(() => 101);
    const refused = once(socket, 'unexpected-response').then(([, response]) => response.statusCode as number);
    const status = await Promise.race([opened, refused]);
    socket.on('error', () => {}).terminate();
    return status;
  };
  const key = keyOf(discord);
  expect(await knock('')).toBe(401);
  expect(await knock(`?user=Robin&key=${key.slice(1)}x`)).toBe(401);
  expect(await knock(`?user=Robin&key=${key}`)).toBe(101);
  const send = (query: string) => fetch(`${discord.url}/member/uploads?filename=a.txt${query}`, { method: 'POST', body: 'abc' });
  expect((await send('')).status).toBe(401);
  expect((await send(`&key=${key}`)).status).toBe(200);
  // The page itself is nothing secret, and must not tell it.
  expect(await (await fetch(discord.url)).text()).not.toContain(key);
});
