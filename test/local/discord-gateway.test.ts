// The local Discord's gateway, through the real discord.js and raw sockets.
import { once } from 'node:events';
import { createInflate } from 'node:zlib';
import { type Client, Events, GatewayIntentBits, GatewayOpcodes, type Message } from 'discord.js';
import { expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { createClient, keyOf, logIn, openLocalDiscord, request } from '../helpers/local-discord.ts';
import { connectToGateway, type Payload } from '../helpers/raw-gateway.ts';

test('an unmodified client logs in and finds the guild, its channels and itself', async () => {
  const discord = await openLocalDiscord({ application: { name: 'Somebody', description: 'A bot' } });
  const client = await logIn(discord);
  const guild = client.guilds.cache.get(discord.guildId);
  expect(guild?.channels.cache.find(({ name }) => name === 'Lounge')?.isVoiceBased()).toBe(true);
  expect(guild?.members.me?.user.username).toBe('Somebody');
  expect((await client.application.fetch()).owner?.id).toBe(discord.member('Robin').userId);
});

test('a client that lost its connection resumes and misses no event', async () => {
  const discord = await openLocalDiscord();
  const intents = [GatewayIntentBits.Guilds, GatewayIntentBits.GuildMessages];
  const client = await logIn(discord, { intents });
  const received: string[] = [];
  const third = new Promise<void>((resolve) => {
    client.on(Events.MessageCreate, (message) => {
      received.push(message.id);
      if (received.length === 3) resolve();
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
  expect(received).toEqual(sent.map(({ id }) => id));
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

test('a client whose session is invalidated starts a new one', async () => {
  const discord = await openLocalDiscord();
  // The library would wait for five seconds between one Identify and the next.
  const client = await logIn(discord, { ws: { buildIdentifyThrottler: async () => ({ waitForIdentify: async () => {} }) } });
  const [before] = discord.gateway.sessions();
  const ready = once(client, Events.ShardReady);
  discord.gateway.invalidate(false);
  await ready;
  const sessions = discord.gateway.sessions();
  expect(sessions).toHaveLength(1);
  expect(sessions[0]?.id).not.toBe(before?.id);
});

test('a client whose heartbeats are not acknowledged reconnects', async () => {
  const discord = await openLocalDiscord({ heartbeatMs: 200 });
  discord.gateway.ignoreHeartbeats = true;
  const client = await logIn(discord);
  await once(client, Events.ShardReconnecting);
  discord.gateway.ignoreHeartbeats = false;
  await once(client, Events.ShardResume);
});

test('a session that the client closes with 1000 cannot be resumed', async () => {
  const discord = await openLocalDiscord();
  const first = await connectToGateway(discord);
  first.identify();
  const { d, s } = await first.until(({ t }) => t === 'READY');
  first.socket.close(1000);
  await first.closed;
  const second = await connectToGateway(discord);
  second.send(GatewayOpcodes.Resume, { token: discord.application.token, session_id: d.session_id, seq: s });
  expect((await second.until(({ op }) => op === GatewayOpcodes.InvalidSession)).d).toBe(false);
});

test('a wrong token, unknown intents, privileged intents and impossible shards each have their own close code', async () => {
  const discord = await openLocalDiscord();
  const cases: [number, Record<string, unknown>][] = [
    [4004, { token: 'wrong' }],
    [4013, { intents: 2 ** 30 }],
    [4014, { intents: GatewayIntentBits.MessageContent }],
    [4010, { shard: [3, 2] }],
  ];
  for (const [code, changes] of cases) {
    const connection = await connectToGateway(discord);
    connection.identify(0, changes);
    expect(await connection.closed).toBe(code);
  }
  await expect(createClient(discord).login('wrong')).rejects.toThrow(/invalid token/i);
});

test('invalid JSON, events before Identify, unknown opcodes and a second Identify close the connection', async () => {
  const discord = await openLocalDiscord();
  const noJson = await connectToGateway(discord);
  noJson.socket.send('{');
  expect(await noJson.closed).toBe(4002);
  const nothing = await connectToGateway(discord);
  nothing.send(GatewayOpcodes.Identify, null);
  expect(await nothing.closed).toBe(4002);
  const tooEarly = await connectToGateway(discord);
  tooEarly.send(GatewayOpcodes.VoiceStateUpdate, { guild_id: discord.guildId, channel_id: null, self_mute: false, self_deaf: false });
  expect(await tooEarly.closed).toBe(4003);
  const unknown = await connectToGateway(discord);
  unknown.identify();
  unknown.send(99, {});
  expect(await unknown.closed).toBe(4001);
  const twice = await connectToGateway(discord);
  twice.identify();
  twice.identify();
  expect(await twice.closed).toBe(4005);
});

test('the 121st event sent within a minute closes the connection with 4008', async () => {
  const discord = await openLocalDiscord();
  const connection = await connectToGateway(discord);
  connection.identify();
  for (let sent = 1; sent < 120; sent++) connection.send(GatewayOpcodes.Heartbeat, null);
  await connection.until(() => connection.received.filter(({ op }) => op === GatewayOpcodes.HeartbeatAck).length === 119);
  connection.send(GatewayOpcodes.Heartbeat, null);
  expect(await connection.closed).toBe(4008);
});

test('only sessions with the intent receive voice states', async () => {
  const discord = await openLocalDiscord();
  const member = discord.member();
  await member.call('join_voice', { channel_id: discord.channelId('Lounge') });
  const withoutIntent = await connectToGateway(discord);
  withoutIntent.identify(GatewayIntentBits.Guilds);
  const withIntent = await connectToGateway(discord);
  withIntent.identify(GatewayIntentBits.Guilds | GatewayIntentBits.GuildVoiceStates);
  const isGuild = ({ t }: Payload) => t === 'GUILD_CREATE';
  expect((await withoutIntent.until(isGuild)).d.voice_states).toEqual([]);
  expect((await withIntent.until(isGuild)).d.voice_states).toMatchObject([{ user_id: member.userId }]);
  await member.call('join_voice', { channel_id: null });
  await withIntent.until(({ t, d }) => t === 'VOICE_STATE_UPDATE' && d.channel_id === null);
  expect(withoutIntent.received.some(({ t }) => t === 'VOICE_STATE_UPDATE')).toBe(false);
});

test('without the intent, message content is withheld unless the message mentions the application', async () => {
  const discord = await openLocalDiscord({ privilegedIntents: GatewayIntentBits.MessageContent });
  const blind = GatewayIntentBits.Guilds | GatewayIntentBits.GuildMessages;
  const [one, two] = [
    await logIn(discord, { intents: blind }),
    await logIn(discord, { intents: blind | GatewayIntentBits.MessageContent }),
  ];
  const contents = (client: Client) =>
    new Promise<string[]>((resolve) => {
      const received: string[] = [];
      client.on(Events.MessageCreate, (message: Message) => {
        received.push(message.content);
        if (received.length === 2) resolve(received);
      });
    });
  const [withheld, received] = [contents(one), contents(two)];
  const channel_id = discord.channelId('general');
  const mention = `<@${discord.application.id}> hello`;
  await discord.member().call('send_message', { channel_id, content: 'hello' });
  await discord.member().call('send_message', { channel_id, content: mention });
  expect(await withheld).toEqual(['', mention]);
  expect(await received).toEqual(['hello', mention]);
});

test('a session of another shard does not receive the guild', async () => {
  const discord = await openLocalDiscord();
  const shard = Number((BigInt(discord.guildId) >> 22n) % 2n);
  const [mine, other] = [await connectToGateway(discord), await connectToGateway(discord)];
  mine.identify(GatewayIntentBits.Guilds, { shard: [shard, 2] });
  other.identify(GatewayIntentBits.Guilds, { shard: [1 - shard, 2] });
  expect((await mine.until(({ t }) => t === 'READY')).d.guilds).toHaveLength(1);
  expect((await other.until(({ t }) => t === 'READY')).d.guilds).toEqual([]);
});

test('a session that identifies with `compress` receives compressed events', async () => {
  const discord = await openLocalDiscord();
  const connection = await connectToGateway(discord);
  connection.identify(GatewayIntentBits.Guilds, { compress: true });
  expect((await connection.until(({ t }) => t === 'GUILD_CREATE')).d.id).toBe(discord.guildId);
});

test('a connection with `zlib-stream` is a single zlib stream', async () => {
  const discord = await openLocalDiscord();
  const socket = new WebSocket(`${discord.url.replace('http', 'ws')}/gateway?v=10&encoding=json&compress=zlib-stream`);
  onTestFinished(() => socket.terminate());
  const inflate = createInflate();
  socket.on('message', (data) => inflate.write(data));
  const [hello] = await once(inflate, 'data');
  expect(JSON.parse(String(hello))).toMatchObject({ op: GatewayOpcodes.Hello });
});

test('a resumed session receives what happened in the meantime, including a command', async () => {
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

test('each Identify counts against the daily limit of 1000', async () => {
  const discord = await openLocalDiscord();
  await logIn(discord);
  expect((await request(discord, 'GET', '/gateway/bot')).body).toMatchObject({ session_start_limit: { total: 1000, remaining: 999 } });
});

test('two sessions of one shard both receive every event, and one outlives the other', async () => {
  const discord = await openLocalDiscord();
  const intents = GatewayIntentBits.Guilds | GatewayIntentBits.GuildMessages;
  const [first, second] = [await connectToGateway(discord), await connectToGateway(discord)];
  for (const connection of [first, second]) {
    connection.identify(intents, { shard: [0, 1] });
    await connection.until(({ t }) => t === 'READY');
  }
  const write = () => discord.member().call('send_message', { channel_id: discord.channelId('general'), content: 'x' });
  const one = await write();
  for (const { until } of [first, second]) await until(({ t, d }) => t === 'MESSAGE_CREATE' && d.id === one.id);
  first.socket.close(1000);
  await first.closed;
  const two = await write();
  await second.until(({ t, d }) => t === 'MESSAGE_CREATE' && d.id === two.id);
});

test('the application leaves voice with the session that joined, unless another has taken over', async () => {
  const discord = await openLocalDiscord();
  const member = discord.member();
  const [first, second] = [await connectToGateway(discord), await connectToGateway(discord)];
  const voice = { guild_id: discord.guildId, channel_id: discord.channelId('Lounge'), self_mute: false, self_deaf: false };
  for (const connection of [first, second]) {
    connection.identify(GatewayIntentBits.Guilds);
    const { d } = await connection.until(({ t }) => t === 'READY');
    const joined = member.next('VOICE_STATE_UPDATE', ({ session_id }) => session_id === d.session_id);
    connection.send(GatewayOpcodes.VoiceStateUpdate, voice);
    await joined;
  }
  first.socket.close(1000);
  await first.closed;
  expect(discord.world.firstGuild.voiceStates.get(discord.application.id)?.channel_id).toBe(voice.channel_id);
  const left = member.next('VOICE_STATE_UPDATE', ({ channel_id }) => channel_id === null);
  second.socket.close(1000);
  expect((await left).user_id).toBe(discord.application.id);
});

test('shards that identify too soon after one another have to try again, if that is enforced', async () => {
  const discord = await openLocalDiscord({ shards: 3, identifyLimits: { isEnforced: true, maxConcurrency: 2 } });
  expect((await request(discord, 'GET', '/gateway/bot')).body).toMatchObject({ shards: 3, session_start_limit: { max_concurrency: 2 } });
  const connections = [await connectToGateway(discord), await connectToGateway(discord), await connectToGateway(discord)] as const;
  // No time passes from the first to the last, however busy the machine is.
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  onTestFinished(() => void clock.mockRestore());
  for (const [shard, { identify, until }] of connections.entries()) {
    identify(GatewayIntentBits.Guilds, { shard: [shard, 3] });
    await until(({ t, op }) => t === 'READY' || op === GatewayOpcodes.InvalidSession);
  }
  expect(connections.map(({ received }) => received.some(({ t }) => t === 'READY'))).toEqual([true, true, false]);
  expect((await connections[2].until(({ op }) => op === GatewayOpcodes.InvalidSession)).d).toBe(false);
  expect((await request(discord, 'GET', '/gateway/bot')).body).toMatchObject({ session_start_limit: { remaining: 998 } });
  // Of 5000 added to a fraction, a little less may be left.
  clock.mockReturnValue(performance.now() + 5001);
  const late = await connectToGateway(discord);
  late.identify(GatewayIntentBits.Guilds, { shard: [2, 3] });
  await late.until(({ t }) => t === 'READY');
});

test('an application that has used up its day loses its sessions and its token, if that is enforced', async () => {
  const discord = await openLocalDiscord({ identifyLimits: { isEnforced: true, maxConcurrency: 3, perDay: 2 } });
  const { token } = discord.application;
  const connections = [await connectToGateway(discord), await connectToGateway(discord), await connectToGateway(discord)];
  for (const [shard, { identify, until, closed }] of connections.entries()) {
    identify(GatewayIntentBits.Guilds, { shard: [shard, 3] });
    await (shard < 2 ? until(({ t }) => t === 'READY') : closed);
  }
  expect(await Promise.all(connections.map(({ closed }) => closed))).toEqual([4004, 4004, 4004]);
  const authorization = `Bot ${token}`;
  expect((await request(discord, 'GET', '/gateway/bot', undefined, { authorization })).status).toBe(401);
  expect((await request(discord, 'GET', '/gateway/bot')).body).toMatchObject({ session_start_limit: { total: 2, remaining: 0 } });
});

test('a WebSocket from another site, or by another host name, is refused', async () => {
  const discord = await openLocalDiscord();
  for (const headers of [{ origin: 'https://elsewhere.example' }, { host: 'elsewhere.example' }]) {
    const socket = new WebSocket(`${discord.url.replace('http', 'ws')}/member`, { headers });
    const [, response] = await once(socket, 'unexpected-response');
    expect(response.statusCode).toBe(403);
  }
});

test('without the key in the page’s address, nobody can act as a member or upload files', async () => {
  const discord = await openLocalDiscord();
  const connectMember = async (query: string) => {
    const socket = new WebSocket(`${discord.url.replace('http', 'ws')}/member${query}`);
    const opened = once(socket, 'open').then(() => 101);
    const refused = once(socket, 'unexpected-response').then(([, response]) => response.statusCode as number);
    const status = await Promise.race([opened, refused]);
    socket.on('error', () => {}).terminate();
    return status;
  };
  const key = keyOf(discord);
  expect(await connectMember('')).toBe(401);
  expect(await connectMember(`?user=Robin&key=${key.slice(1)}x`)).toBe(401);
  expect(await connectMember(`?user=Robin&key=${key}`)).toBe(101);
  const send = (query: string) => fetch(`${discord.url}/member/uploads?filename=a.txt${query}`, { method: 'POST', body: 'abc' });
  expect((await send('')).status).toBe(401);
  expect((await send(`&key=${key}`)).status).toBe(200);
  // The page itself is public, so it must not contain the key.
  expect(await (await fetch(discord.url)).text()).not.toContain(key);
});
