// Voice in the local Discord as a whole: joins through the gateway, permissions and limits, moves, and the sound that members hear.

import { Readable } from 'node:stream';
import {
  createAudioPlayer,
  createAudioResource,
  entersState,
  joinVoiceChannel,
  StreamType,
  type VoiceConnection,
  VoiceConnectionStatus,
} from '@discordjs/voice';
import {
  type Client,
  Events,
  type GatewayChannelInfoDispatchData,
  GatewayDispatchEvents,
  GatewayOpcodes,
  PermissionFlagsBits as P,
  type VoiceBasedChannel,
  type VoiceState,
} from 'discord.js';
import { expect, onTestFinished, test } from 'vitest';
import { type LocalDiscord, type MemberClient, trustCertificate } from '../../src/local/discord/index.ts';
import { saySpeech } from '../../src/local/discord/member/speech.ts';
import { SILENCE } from '../../src/local/discord/voice/rtp.ts';
import { logIn, openLocalDiscord, request } from '../helpers/local-discord.ts';
import { oggOpusOf, tone } from '../helpers/sound.ts';
import { WAIT_MS } from '../helpers/waiter.ts';

async function setUp() {
  const discord = await openLocalDiscord();
  onTestFinished(trustCertificate(discord.certificate));
  const client = await logIn(discord);
  return { discord, client, member: discord.member() };
}

function join(discord: LocalDiscord, client: Client, name: string): VoiceConnection {
  const channel = client.channels.cache.get(discord.channelId(name)) as VoiceBasedChannel;
  const { guild } = channel;
  const group = discord.application.id;
  const connection = joinVoiceChannel({ channelId: channel.id, guildId: guild.id, adapterCreator: guild.voiceAdapterCreator, group });
  connection.on('error', () => {});
  onTestFinished(() => {
    if (connection.state.status !== VoiceConnectionStatus.Destroyed) connection.destroy();
  });
  return connection;
}

/** Waits until the bot is connected and in the encrypted group. */
async function waitUntilEncrypted(connection: VoiceConnection): Promise<void> {
  await entersState(connection, VoiceConnectionStatus.Ready, WAIT_MS);
  while (!connection.voicePrivacyCode) await new Promise((resolve) => connection.once('transitioned', resolve));
}

/** The application's next matching voice state. */
function nextState(client: Client, matches: (state: VoiceState) => boolean): Promise<VoiceState> {
  return new Promise((resolve) => {
    const listener = (_: VoiceState, state: VoiceState) => {
      if (state.id !== client.user?.id || !matches(state)) return;
      client.off(Events.VoiceStateUpdate, listener);
      resolve(state);
    };
    client.on(Events.VoiceStateUpdate, listener);
  });
}

/** Opcode 4 is handled in order: once a later request has succeeded, an earlier one has been refused. */
async function canJoin({ discord, client }: { discord: LocalDiscord; client: Client }, name: string): Promise<boolean> {
  const shard = client.guilds.cache.get(discord.guildId)?.shard;
  const createRequest = (channel: string) => ({
    guild_id: discord.guildId,
    channel_id: discord.channelId(channel),
    self_mute: false,
    self_deaf: false,
  });
  const seen: (string | null)[] = [];
  const granted = nextState(client, ({ channelId }) => {
    seen.push(channelId);
    return channelId === discord.channelId('Workshop');
  });
  shard?.send({ op: 4, d: createRequest(name) });
  shard?.send({ op: 4, d: createRequest('Workshop') });
  await granted;
  return seen.length === 2;
}

test('a member hears what the application plays, end-to-end encrypted', async () => {
  const { discord, client, member } = await setUp();
  await member.call('join_voice', { channel_id: discord.channelId('Lounge') });
  const connection = join(discord, client, 'Lounge');
  await waitUntilEncrypted(connection);
  expect(member.voicePrivacyCode()).toBe(connection.voicePrivacyCode);
  const heard = new Promise<void>((resolve) => {
    let count = 0;
    member.onHeard(({ user_id, opus }) => {
      if (user_id === discord.application.id && opus.length === 50 && ++count === 10) resolve();
    });
  });
  const frames = Array.from({ length: 15 }, (_, index) => Buffer.alloc(50, index + 1));
  const player = createAudioPlayer();
  onTestFinished(() => void player.stop(true));
  connection.subscribe(player);
  player.play(createAudioResource(Readable.from(frames), { inputType: StreamType.Opus }));
  await heard;
  expect(member.voiceStats()).toMatchObject({ plaintext: 0, undecryptable: 0 });
});

test('the application joins where it may connect, and receives no answer where it may not', async () => {
  const parts = await setUp();
  expect(await canJoin(parts, 'Lounge')).toBe(true);
  expect(await canJoin(parts, 'No bots')).toBe(false);
  expect(await canJoin(parts, 'Booth for one')).toBe(true);
});

test('a full channel accepts nobody else', async () => {
  const parts = await setUp();
  const other = parts.discord.member('Sam');
  await other.call('join_voice', { channel_id: parts.discord.channelId('Booth for one') });
  expect(await canJoin(parts, 'Booth for one')).toBe(false);
  const third = await canJoin(parts, 'Lounge');
  expect(third).toBe(true);
});

test('the application is suppressed where it may not speak, and in the audience of a stage', async () => {
  const { discord, client } = await setUp();
  const states: Record<string, boolean | null> = {};
  for (const name of ['Listen only', 'Stage', 'Lounge']) {
    const state = nextState(client, ({ channelId }) => channelId === discord.channelId(name));
    join(discord, client, name);
    states[name] = (await state).suppress;
  }
  expect(states).toEqual({ 'Listen only': true, Stage: true, Lounge: false });
});

test('a suppressed application is not heard until it may speak again', async () => {
  const { discord, client, member } = await setUp();
  const lounge = discord.channelId('Lounge');
  await member.call('join_voice', { channel_id: lounge });
  const connection = join(discord, client, 'Lounge');
  await waitUntilEncrypted(connection);
  const silenced = nextState(client, ({ suppress }) => suppress === true);
  discord.setPermissions(lounge, discord.application.id, { deny: P.Speak });
  await silenced;
  const heard: number[] = [];
  const last = new Promise<void>((resolve) => {
    member.onHeard(({ opus }) => {
      heard.push(opus[0] ?? 0);
      if (opus[0] === 2) resolve();
    });
  });
  const send = (mark: number) => connection.playOpusPacket(Buffer.alloc(50, mark));
  for (let count = 0; count < 5; count++) send(1);
  // Once a request has returned, earlier datagrams have been read.
  await request(discord, 'GET', '/users/@me');
  const restored = nextState(client, ({ suppress }) => suppress === false);
  discord.setPermissions(lounge, discord.application.id, {});
  await restored;
  send(2);
  await last;
  expect(heard).not.toContain(1);
});

test('an application muted by a moderator is not heard, even after rejoining, until unmuted', async () => {
  const { discord, client, member } = await setUp();
  const { id } = discord.application;
  expect(() => discord.setServerMute(id)).toThrow('voice channel');
  await member.call('join_voice', { channel_id: discord.channelId('Lounge') });
  const before = join(discord, client, 'Lounge');
  await waitUntilEncrypted(before);
  const muted = nextState(client, ({ serverMute }) => serverMute === true);
  discord.setServerMute(id);
  expect((await muted).suppress).toBe(false);
  const out = entersState(before, VoiceConnectionStatus.Disconnected, WAIT_MS);
  discord.moveUser(id, null);
  await out;
  const back = nextState(client, ({ channelId }) => channelId !== null);
  const connection = join(discord, client, 'Lounge');
  expect((await back).serverMute).toBe(true);
  await waitUntilEncrypted(connection);
  const heard = new Promise<number>((resolve) => member.onHeard(({ opus }) => resolve(opus[0] ?? 0)));
  connection.playOpusPacket(Buffer.alloc(50, 1));
  // Once a request has returned, the earlier datagram has been read.
  await request(discord, 'GET', '/users/@me');
  const unmuted = nextState(client, ({ serverMute }) => serverMute === false);
  discord.setServerMute(id, false);
  await unmuted;
  connection.playOpusPacket(Buffer.alloc(50, 2));
  expect(await heard).toBe(2);
});

test('a member whom the application deafens hears nothing until undeafened', async () => {
  const { discord, client, member } = await setUp();
  const sam = discord.member('Sam');
  const own = discord.world.firstGuild.roles.find(({ managed }) => managed);
  discord.setRolePermissions(own?.id as string, P.DeafenMembers);
  for (const one of [member, sam]) await one.call('join_voice', { channel_id: discord.channelId('Lounge') });
  const connection = join(discord, client, 'Lounge');
  await waitUntilEncrypted(connection);
  const deafen = async (deaf: boolean) => {
    const { body } = await request(discord, 'PATCH', `/guilds/${discord.guildId}/members/${sam.userId}`, { deaf });
    expect(body).toMatchObject({ deaf, mute: false });
  };
  const marksOf = (listener: MemberClient, last: number) =>
    new Promise<number[]>((resolve) => {
      const marks: number[] = [];
      listener.onHeard(({ opus }) => {
        marks.push(opus[0] ?? 0);
        if (opus[0] === last) resolve(marks);
      });
    });
  const [all, some, first] = [marksOf(member, 2), marksOf(sam, 2), marksOf(member, 1)];
  await deafen(true);
  connection.playOpusPacket(Buffer.alloc(50, 1));
  await first;
  await deafen(false);
  connection.playOpusPacket(Buffer.alloc(50, 2));
  expect(await all).toContain(1);
  expect(await some).not.toContain(1);
});

test('losing the permission to speak suppresses the application until it has it again', async () => {
  const { discord, client } = await setUp();
  const joined = nextState(client, ({ channelId }) => channelId !== null);
  join(discord, client, 'Lounge');
  await joined;
  const silenced = nextState(client, ({ suppress }) => suppress === true);
  discord.setPermissions(discord.channelId('Lounge'), discord.application.id, { deny: P.Speak });
  await silenced;
  const restored = nextState(client, ({ suppress }) => suppress === false);
  discord.setPermissions(discord.channelId('Lounge'), discord.application.id, {});
  await restored;
});

test('the application follows when it is moved, disconnected, or its channel is deleted', async () => {
  const { discord, client } = await setUp();
  const connection = join(discord, client, 'Lounge');
  await entersState(connection, VoiceConnectionStatus.Ready, WAIT_MS);
  const moved = nextState(client, ({ channelId }) => channelId === discord.channelId('Workshop'));
  discord.moveUser(discord.application.id, discord.channelId('Workshop'));
  await moved;
  await entersState(connection, VoiceConnectionStatus.Ready, WAIT_MS);
  const out = entersState(connection, VoiceConnectionStatus.Disconnected, WAIT_MS);
  discord.moveUser(discord.application.id, null);
  await out;
  const back = nextState(client, ({ channelId }) => channelId !== null);
  connection.rejoin({ channelId: discord.channelId('Lounge'), selfDeaf: false, selfMute: false });
  await back;
  const gone = nextState(client, ({ channelId }) => channelId === null);
  discord.deleteChannel(discord.channelId('Lounge'));
  await gone;
});

test('an application that logs out leaves voice', async () => {
  const { discord, client, member } = await setUp();
  const connection = join(discord, client, 'Lounge');
  await entersState(connection, VoiceConnectionStatus.Ready, WAIT_MS);
  const left = member.next('VOICE_STATE_UPDATE', ({ channel_id }) => channel_id === null);
  await client.destroy();
  expect((await left).user_id).toBe(discord.application.id);
});

test('the application sets the status of a voice channel that it is in and may set it for, reads all of a guild, and it goes with the last person', async () => {
  const { discord, client, member } = await setUp();
  const lounge = discord.channelId('Lounge');
  const setStatus = async (status: string | null) => (await request(discord, 'PUT', `/channels/${lounge}/voice-status`, { status })).status;
  discord.setPermissions(lounge, discord.application.id, { allow: P.SetVoiceChannelStatus });
  expect(await setStatus('Not there')).toBe(403);
  const connection = join(discord, client, 'Lounge');
  await entersState(connection, VoiceConnectionStatus.Ready, WAIT_MS);
  const seen = member.next('VOICE_CHANNEL_STATUS_UPDATE', ({ id }) => id === lounge);
  expect(await setStatus('Quiz night')).toBe(204);
  expect((await seen).status).toBe('Quiz night');
  expect(await setStatus('x'.repeat(501))).toBe(400);
  const info = new Promise<GatewayChannelInfoDispatchData>((resolve) => client.ws.once(GatewayDispatchEvents.ChannelInfo, resolve));
  const shard = client.guilds.cache.get(discord.guildId)?.shard;
  shard?.send({ op: GatewayOpcodes.RequestChannelInfo, d: { guild_id: discord.guildId, fields: ['status'] } });
  expect((await info).channels).toContainEqual({ id: lounge, status: 'Quiz night' });
  const cleared = member.next('VOICE_CHANNEL_STATUS_UPDATE', ({ status }) => status === null);
  connection.destroy();
  await cleared;
});

test('members hear what another one says, unless that one is muted, by themselves or others, deaf, or may not speak', async () => {
  const discord = await openLocalDiscord();
  const [robin, sam] = [discord.member(), discord.member('Sam')];
  const lounge = discord.channelId('Lounge');
  for (const member of [robin, sam]) await member.call('join_voice', { channel_id: lounge });
  await expect
    .poll(() => robin.voicePrivacyCode() !== '' && robin.voicePrivacyCode() === sam.voicePrivacyCode(), { interval: 5 })
    .toBe(true);
  const { packets } = await oggOpusOf(tone(424, 0.5, 48_000, 0.24), { frameMs: 60, channels: 2 });
  const heard: Uint8Array[] = [];
  robin.onHeard(({ user_id, opus }) => user_id === sam.userId && heard.push(opus.slice()));

  await saySpeech(sam.microphone, packets, { speed: Infinity });
  const expected = [...packets, ...Array(5).fill(SILENCE)].map((packet) => Buffer.from(packet).toString('hex'));
  expect(heard.map((packet) => Buffer.from(packet).toString('hex'))).toEqual(expected);

  const mute: [on: () => unknown, off: () => unknown][] = [
    [() => sam.call('set_voice', { self_mute: true }), () => sam.call('set_voice', { self_mute: false })],
    [() => sam.call('set_voice', { self_deaf: true }), () => sam.call('set_voice', { self_deaf: false })],
    [() => discord.setServerMute(sam.userId), () => discord.setServerMute(sam.userId, false)],
    [() => discord.setPermissions(lounge, sam.userId, { deny: P.Speak }), () => discord.setPermissions(lounge, sam.userId, {})],
  ];
  for (const [on, off] of mute) {
    heard.length = 0;
    await on();
    await saySpeech(sam.microphone, packets, { speed: Infinity });
    expect(heard).toEqual([]);
    await off();
    await saySpeech(sam.microphone, packets, { speed: Infinity });
    expect(heard).toHaveLength(expected.length);
  }
});
