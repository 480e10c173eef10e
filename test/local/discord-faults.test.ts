// The local Discord's fault injection, against the real discord.js and @discordjs/voice.

import { once } from 'node:events';
import {
  entersState,
  joinVoiceChannel,
  NetworkingStatusCode,
  type VoiceConnection,
  type VoiceConnectionReadyState,
  VoiceConnectionStatus,
} from '@discordjs/voice';
import { type Client, Events, type VoiceBasedChannel } from 'discord.js';
import { expect, onTestFinished, test } from 'vitest';
import { type LocalDiscord, type LocalDiscordOptions, trustCertificate } from '../../src/local/discord/index.ts';
import { logIn, openLocalDiscord, request } from '../helpers/local-discord.ts';
import { WAIT_MS } from '../helpers/waiter.ts';

async function setUp(options: LocalDiscordOptions = {}) {
  const discord = await openLocalDiscord(options);
  onTestFinished(trustCertificate(discord.certificate));
  return { discord, client: await logIn(discord) };
}

function startJoin(discord: LocalDiscord, client: Client, guildId = discord.guildId): VoiceConnection {
  const { guild, id: channelId } = client.channels.cache.get(discord.channelId('Lounge', guildId)) as VoiceBasedChannel;
  const connection = joinVoiceChannel({ guildId, channelId, adapterCreator: guild.voiceAdapterCreator, group: guildId });
  onTestFinished(() => void (connection.state.status !== VoiceConnectionStatus.Destroyed && connection.destroy()));
  connection.on('error', () => {});
  return connection;
}

function join(...where: Parameters<typeof startJoin>): Promise<VoiceConnection> {
  return entersState(startJoin(...where), VoiceConnectionStatus.Ready, WAIT_MS);
}

/** A command that the client responds to, and a member who runs it. */
async function withCommand(discord: LocalDiscord, client: Client) {
  const [command] = (await client.application?.commands.set([{ name: 'hi', description: 'd' }]))?.values() ?? [];
  client.on(Events.InteractionCreate, (interaction) => {
    if (interaction.isChatInputCommand()) interaction.reply('here').catch(() => {});
  });
  const member = discord.member();
  const run = () => member.call('run_command', { channel_id: discord.channelId('general'), command_id: command?.id as string });
  return { member, run };
}

test.each(['refused', 'silent'] as const)(
  'after an outage in which the gateway was %s, the client reconnects and misses no event',
  async (how) => {
    const { discord, client } = await setUp({ heartbeatMs: 300 });
    const { member, run } = await withCommand(discord, client);
    const lost = once(client, Events.ShardReconnecting);
    discord.gateway.outage(how);
    await lost;
    const answered = member.next('MESSAGE_CREATE');
    await run();
    const resumed = once(client, Events.ShardResume);
    discord.gateway.outage(null);
    await resumed;
    expect((await answered).content).toBe('here');
    // On a busy machine, it may find that its heartbeats are late, and connect again.
    await expect.poll(() => discord.gateway.sessions()).toMatchObject([{ connected: true }]);
  },
);

test('the client also survives a second outage while it recovers from the first', async () => {
  const { discord, client } = await setUp();
  const [before] = discord.gateway.sessions();
  const lost = once(client, Events.ShardReconnecting);
  discord.gateway.outage('refused');
  await lost;
  discord.gateway.outage('silent');
  discord.gateway.outage('refused');
  const resumed = once(client, Events.ShardResume);
  discord.gateway.outage(null);
  await resumed;
  expect(discord.gateway.sessions()).toMatchObject([{ id: before?.id, connected: true }]);
});

test('a session that is invalidated as resumable is resumed', async () => {
  const { discord, client } = await setUp();
  const [before] = discord.gateway.sessions();
  const resumed = once(client, Events.ShardResume);
  discord.gateway.invalidate(true);
  await resumed;
  expect(discord.gateway.sessions()).toMatchObject([{ id: before?.id, connected: true }]);
});

test('a forged interaction may press a button that its message does not have', async () => {
  const { discord, client } = await setUp();
  const { body } = await request(discord, 'POST', `/channels/${discord.channelId('general')}/messages`, { content: 'no buttons' });
  const pressed = once(client, Events.InteractionCreate);
  const press = {
    channelId: discord.channelId('general'),
    messageId: String(body.id),
    type: 3,
    data: { custom_id: 'none', component_type: 2 },
  };
  const id = discord.forgeInteraction(discord.member('Sam'), press);
  expect((await pressed)[0]).toMatchObject({ id, customId: 'none', message: { id: body.id } });
  const dm = await discord.member('Sam').call('open_dm', { user_id: discord.application.id });
  expect(() => discord.forgeInteraction(discord.member('Robin'), { ...press, channelId: dm.id })).toThrow(/no such channel/);
});

test('a command during an outage longer than 3 seconds fails for the member', async () => {
  const { discord, client } = await setUp();
  const { member, run } = await withCommand(discord, client);
  discord.gateway.outage('refused');
  const failed = member.next('INTERACTION_FAILURE');
  const { interaction_id } = await run();
  discord.expireInteractions('initial responses');
  expect(await failed).toMatchObject({ interaction_id });
  const resumed = once(client, Events.ShardResume);
  discord.gateway.outage(null);
  await resumed;
});

test('an injected REST fault applies to the given number of requests', async () => {
  const discord = await openLocalDiscord();
  const path = `/channels/${discord.channelId('general')}/messages`;
  const send = () => request(discord, 'POST', path, { content: 'x' });
  discord.failRest(/^POST .*\/messages$/, { status: 429, retryAfterSeconds: 600 }, 2);
  for (let time = 1; time <= 2; time++) {
    const { status, headers, body } = await send();
    expect([status, headers.get('retry-after'), body.retry_after]).toEqual([429, '600', 600]);
  }
  expect((await send()).status).toBe(200);
  discord.failRest(/^POST /, { status: 500 });
  expect((await send()).status).toBe(500);
  discord.failRest(/^POST /, 'reset');
  await expect(send()).rejects.toThrow();
  const { promise: until, resolve: letGo } = Promise.withResolvers<void>();
  discord.failRest(/^POST /, { until });
  const both = [send(), send()];
  expect((await Promise.race(both)).status).toBe(200);
  letGo();
  expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200]);
  discord.failRest(/^GET .*\/messages$/, 'hang');
  const asked = fetch(`${discord.apiUrl}/v10${path}`, { signal: AbortSignal.timeout(200) });
  await expect(asked).rejects.toMatchObject({ name: 'TimeoutError' });
});

test.each([4006, 4009, 4014, 4015, 4017, 4021, 4022, null])('the voice connection can be closed with %s', async (code) => {
  const { discord, client } = await setUp();
  const { state } = await join(discord, client);
  const networking = (state as VoiceConnectionReadyState).networking;
  const ended = new Promise<number | string>((resolve) => {
    networking.on('close', resolve);
    networking.on('stateChange', (_, after) => after.code === NetworkingStatusCode.Resuming && resolve('resuming'));
  });
  discord.closeVoiceGateway(code);
  expect(await ended).toBe(code === 4015 || code === null ? 'resuming' : code);
});

test('calls continue at another voice server, at once or after a gap without one', async () => {
  const { discord, client } = await setUp();
  const connection = await join(discord, client);
  const [first, states] = [discord.voice.endpoint, [] as string[]];
  connection.on('stateChange', (_, { status }) => states.push(status));
  for (const options of [{}, { gap: 20 }]) {
    const ready = new Promise((resolve) => connection.once(VoiceConnectionStatus.Ready, resolve));
    await discord.changeVoiceServer(options);
    await ready;
  }
  expect(discord.voice.endpoint).not.toBe(first);
  expect(states).toContain(VoiceConnectionStatus.Disconnected);
  const member = discord.member();
  await member.call('join_voice', { channel_id: discord.channelId('Lounge') });
  await expect.poll(() => connection.voicePrivacyCode ?? '').toBe(await codeOf(() => member.voicePrivacyCode()));
});

test('clients refuse a voice server with an untrusted certificate, and accept the next one', async () => {
  const { discord, client } = await setUp();
  const connection = await join(discord, client);
  const refused = once(connection, 'error').then(([error]) => error as NodeJS.ErrnoException);
  await discord.changeVoiceServer({ isTrusted: false });
  expect((await refused).code).toMatch(/CERT/);
  const ready = new Promise((resolve) => connection.once(VoiceConnectionStatus.Ready, resolve));
  await discord.changeVoiceServer();
  await ready;
});

test('UDP can be dropped for one guild only', async () => {
  const { discord, client } = await setUp({ guilds: 2 });
  const [one, two] = discord.guildIds as [string, string];
  discord.voice.faults.dropUdpOf.add(one);
  const deaf = startJoin(discord, client, one);
  await once(deaf, VoiceConnectionStatus.Connecting);
  await join(discord, client, two);
  expect(deaf.state.status).toBe(VoiceConnectionStatus.Connecting);
});

async function codeOf(code: () => string): Promise<string> {
  await expect.poll(code).not.toBe('');
  return code();
}
