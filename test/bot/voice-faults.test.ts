// Voice connections that break, one fault of each kind: no sound is lost, nothing leaves unencrypted, Discord is not flooded, and the cause is
// reported. More of them are in test/long.

import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { getVoiceConnection, NetworkingStatusCode } from '@discordjs/voice';
import { Events, type VoiceBasedChannel } from 'discord.js';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { holdTimers } from '../helpers/held-timers.ts';
import {
  by,
  bytesOf,
  expectResumed,
  expectStartedOver,
  heardBy,
  openInMidPlay,
  openVoiceFixture,
  PROBE_MS,
  probeUntilDead,
  say,
  speechOf,
  utteranceOf,
} from '../helpers/voice-fixture.ts';

let packets: Uint8Array[];
const clean = { plaintext: 0, undecryptable: 0 };
const played = { ended: 'played', seconds: 1 };

beforeAll(async () => {
  packets = await speechOf(50);
});

describe('in mid-play', () => {
  it('takes datagrams from the voice server alone', async () => {
    const { client, lounge, playback } = await openInMidPlay(packets, 10);
    const connection = getVoiceConnection(lounge.guildId, client.user.id);
    const state = connection?.state.status === 'ready' ? connection.state.networking.state : null;
    if (state?.code !== NetworkingStatusCode.Ready) throw new Error('The connection is not ready.');
    const { socket } = state.udp as unknown as { socket: Socket };
    const senders: number[] = [];
    socket.on('message', (_, { port }) => senders.push(port));
    const stranger = createSocket('udp4');
    onTestFinished(() => void stranger.close());
    const send = promisify(
      stranger.send.bind(stranger) as (data: string, port: number, address: string, done: (error: Error | null) => void) => void,
    );
    for (let count = 0; count < 5; count++) await send('not from the server', socket.address().port, '127.0.0.1');
    // Answered by the server after what the stranger has sent had arrived.
    state.udp.send(Buffer.alloc(8));
    await expect.poll(() => senders.length).toBeGreaterThan(0);
    expect(await playback.finished).toEqual(played);
    expect(new Set(senders)).toEqual(new Set([socket.remoteAddress().port]));
  });

  it('datagrams that are refused, as by a server that restarts, end nothing', async () => {
    const { client, sessions, lounge, listen, joins } = await openVoiceFixture();
    const receiver = await listen('Robin');
    const session = sessions.join(lounge);
    await session.ready;
    const connection = getVoiceConnection(lounge.guildId, client.user.id);
    const networking = connection?.state.status === 'ready' ? connection.state.networking : null;
    if (networking?.state.code !== NetworkingStatusCode.Ready) throw new Error('The connection is not ready.');
    const { udp } = networking.state;
    const { socket } = udp as unknown as { socket: Socket };
    const server = socket.remoteAddress();
    const nobody = createSocket('udp4').bind(0, '127.0.0.1');
    await once(nobody, 'listening');
    const { port } = nobody.address();
    nobody.close();
    const { send } = udp;
    const connectTo = async (remotePort: number) => {
      // Nothing can be sent in between.
      udp.send = () => {};
      socket.disconnect();
      socket.connect(remotePort, '127.0.0.1');
      await once(socket, 'connect');
      udp.send = send;
    };
    await connectTo(port);
    const refused = once(socket, 'error').catch((error: unknown) => [error]);
    const sending = setInterval(() => udp.send(Buffer.alloc(8)), 10);
    const [error] = await refused.finally(() => clearInterval(sending));
    expect(error).toMatchObject({ code: 'ECONNREFUSED' });
    await connectTo(server.port);
    expect(await say(session, () => packets).finished).toEqual(played);
    await receiver.heard(50);
    expect(session.state).toMatchObject({ status: 'ready' });
    expect(joins).toHaveLength(1);
    expect(networking.state).toMatchObject({ code: NetworkingStatusCode.Ready, udp });
  });

  it('a voice session that is over is rejoined, and an utterance that had hardly begun starts over', async () => {
    const { client, discord, lounge, joins, receiver, playback } = await openInMidPlay(packets, 10);
    discord.voice.faults.closeGateway(lounge.guildId, client.user.id, 4006);
    expect(await playback.finished).toEqual(played);
    await receiver.heardSilence(5);
    expectStartedOver(receiver, packets);
    expect(receiver.stats()).toMatchObject(clean);
    expect(joins).toHaveLength(2);
  });

  it('a voice gateway connection that breaks is resumed, and nothing is repeated', async () => {
    const { client, discord, lounge, joins, receiver, session, playback } = await openInMidPlay(packets, 10);
    discord.voice.faults.closeGateway(lounge.guildId, client.user.id, null);
    expect(await playback.finished).toEqual(played);
    await receiver.heardSilence(5);
    expectResumed(receiver, packets);
    expect(receiver.stats()).toMatchObject(clean);
    expect(joins).toHaveLength(1);
    expect(session.state).toMatchObject({ status: 'ready', encrypted: true });
  });

  it('a final close code fails each utterance, and nothing is rejoined', async () => {
    const { client, discord, sessions, lounge, listen, joins } = await openVoiceFixture();
    const receiver = await listen('Robin');
    const session = sessions.join(lounge);
    const playbacks = [0, 1, 2].map(() => say(session, () => [...packets, ...packets, ...packets]));
    await receiver.heard(10);
    discord.voice.faults.closeGateway(lounge.guildId, client.user.id, 4022);
    const outcomes = await Promise.all(playbacks.map(({ finished }) => finished));
    for (const outcome of outcomes) expect(outcome).toMatchObject({ ended: 'failed', cause: { kind: 'refused', code: 4022 } });
    expect(outcomes.map(({ seconds }) => seconds > 0.15)).toEqual([true, false, false]);
    expect(joins).toHaveLength(1);
    expect(session.state).toMatchObject({ status: 'closed', cause: { kind: 'refused' } });
    expect(sessions.get(lounge.guildId)).toBeUndefined();
  });

  it('a dropped main gateway does not interrupt the sound', async () => {
    const { client, discord, joins, receiver, playback } = await openInMidPlay(packets, 10);
    const resumed = once(client, 'shardResume');
    discord.gateway.dropConnections();
    await resumed;
    expect(await playback.finished).toEqual(played);
    await receiver.heard(50);
    expect(heardBy(receiver)).toEqual(bytesOf(packets));
    expect(joins).toHaveLength(1);
  });

  it('a dead UDP path is detected, and the bot rejoins and repeats what nobody heard', async () => {
    const timers = holdTimers(PROBE_MS);
    const short = packets.slice(0, 30);
    const { client, discord, joins, receiver, session, playback } = await openInMidPlay(short, 10);
    const { faults } = discord.voice;
    faults.dropUdp = true;
    client.on('voiceStateUpdate', (_, { id, channelId }) => {
      if (id === client.user.id && channelId === null) faults.dropUdp = false;
    });
    await expect.poll(() => session.items()[0]?.sentSeconds).toBe(0.6);
    // None of it counts as played until it is known to have arrived.
    await probeUntilDead(timers, joins);
    expect(await playback.finished).toEqual({ ended: 'played', seconds: 0.6 });
    await receiver.heardSilence(5);
    const heard = heardBy(receiver);
    expect(heard.length).toBeGreaterThanOrEqual(40);
    expect(heard.slice(-30)).toEqual(bytesOf(short));
    expect(receiver.stats()).toMatchObject(clean);
    expect(joins).toHaveLength(2);
  });
});

it('without an encrypted group, it sends nothing, rejoins once, then fails because encryption was not established', async () => {
  const timers = holdTimers();
  const { discord, sessions, lounge, listen, joins } = await openVoiceFixture({ establishMs: timers.ms });
  discord.voice.faults.withholdDave = true;
  const receiver = await listen('Robin');
  const session = sessions.join(lounge);
  const playback = say(session, () => packets);
  for (const join of [1, 2]) {
    await expect.poll(() => joins.length).toBe(join);
    await expect.poll(() => session.state.status).toBe('encrypting');
    timers.expire();
  }
  const outcome = await playback.finished;
  expect(outcome).toMatchObject({ ended: 'failed', seconds: 0, cause: { name: 'VoiceError', kind: 'encryption-timeout' } });
  await expect(session.ready).rejects.toMatchObject({ kind: 'encryption-timeout' });
  expect(receiver.stats().packets).toBe(0);
  expect(joins).toHaveLength(2);
  expect(sessions.get(lounge.guildId)).toBeUndefined();
});

describe('a guild in which sending fails', () => {
  it('is left with the cause, while others are heard to the end and a new session speaks', async () => {
    const { client, discord, sessions, lounge, listen } = await openVoiceFixture({}, { guilds: 2 });
    const receiver = await listen('Robin');
    const elsewhere = client.channels.cache.get(discord.channelId('Lounge', discord.guildIds[1])) as VoiceBasedChannel;
    const other = sessions.join(elsewhere);
    const failing = sessions.join(lounge);
    await Promise.all([other.ready, failing.ready]);
    const heardElsewhere = say(other, () => packets);
    const broken = say(failing, () => packets);
    await receiver.heard(5);
    const failure = new Error('the frame could not be encrypted');
    const connection = getVoiceConnection(lounge.guildId, client.user.id);
    if (!connection) throw new Error('the bot is not connected');
    connection.playOpusPacket = () => {
      throw failure;
    };
    const later = say(failing, () => packets, 'sam');
    for (const { finished } of [broken, later])
      expect(await finished).toMatchObject({ ended: 'failed', cause: { name: 'VoiceError', kind: 'sending-failed', cause: failure } });
    expect(await heardElsewhere.finished).toEqual(played);
    expect(sessions.all()).toEqual([other]);
    expect(await say(sessions.join(lounge), () => packets).finished).toEqual(played);
  });

  it('does not keep others from being left at the end', async () => {
    const { client, discord, sessions, lounge } = await openVoiceFixture({}, { guilds: 2 });
    const elsewhere = client.channels.cache.get(discord.channelId('Lounge', discord.guildIds[1])) as VoiceBasedChannel;
    const joined = [sessions.join(lounge), sessions.join(elsewhere)];
    await Promise.all(joined.map(({ ready }) => ready));
    const connections = [lounge, elsewhere].map(({ guildId }) => getVoiceConnection(guildId, client.user.id));
    const failure = new Error('the shard is gone');
    const uncaught: unknown[] = [];
    const listeners = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException').on('uncaughtException', (error) => uncaught.push(error));
    if (connections[0])
      connections[0].destroy = () => {
        throw failure;
      };
    await sessions.close();
    await new Promise((resolve) => setImmediate(resolve));
    process.removeAllListeners('uncaughtException');
    for (const listener of listeners) process.on('uncaughtException', listener);
    expect(uncaught).toEqual([failure]);
    expect(connections[1]?.state.status).toBe('destroyed');
  });

  it('an utterance that cannot be prepared fails alone', async () => {
    const { sessions, lounge } = await openVoiceFixture();
    const session = sessions.join(lounge);
    const failure = new Error('no words for this');
    const odd = utteranceOf(() => packets);
    odd.prepare = () => {
      throw failure;
    };
    const [broken, after] = [session.enqueue(odd, by()), say(session, () => packets)];
    expect(await broken.finished).toEqual({ ended: 'failed', seconds: 0, cause: failure });
    expect(await after.finished).toEqual(played);
  });
});

it('sound that has not left for seconds, although it could, is noticed', async () => {
  const { sessions, playback } = await openInMidPlay(packets, 5);
  expect(sessions.areSending()).toBe(true);
  const now = performance.now();
  const clock = vi.spyOn(performance, 'now').mockReturnValue(now + 3_100);
  expect(sessions.areSending()).toBe(false);
  clock.mockRestore();
  expect(await playback.finished).toEqual(played);
  expect(sessions.areSending()).toBe(true);
});

it("a member who left during a new main gateway session's start is noticed when it is ready", async () => {
  const { client, sessions, lounge, listen } = await openVoiceFixture({ aloneMs: 100 });
  const receiver = await listen('Robin');
  const session = sessions.join(lounge);
  await session.ready;
  // A new session's guilds replace the cached ones without events for members who left in the meantime.
  client.removeAllListeners(Events.VoiceStateUpdate);
  await receiver.member.call('join_voice', { channel_id: null });
  await expect.poll(() => lounge.guild.voiceStates.cache.get(receiver.member.userId)?.channelId ?? null).toBeNull();
  expect(sessions.get(lounge.guildId)).toBe(session);
  client.emit(Events.ShardReady, lounge.guild.shardId, undefined);
  await expect.poll(() => sessions.get(lounge.guildId)).toBeUndefined();
});

it('leaving a channel just after its UDP socket was opened leaves nothing behind that throws', async () => {
  const { client, sessions, lounge } = await openVoiceFixture();
  const session = sessions.join(lounge);
  const opened = Promise.withResolvers<void>();
  const connection = getVoiceConnection(lounge.guildId, client.user.id);
  connection?.on('stateChange', (before, after) => {
    if (!('networking' in after) || ('networking' in before && before.networking === after.networking)) return;
    after.networking.on('stateChange', (_, { code }) => {
      if (code !== NetworkingStatusCode.UdpHandshaking) return;
      session.leave();
      opened.resolve();
    });
  });
  await opened.promise;
  // The library sends its first datagram a turn later; an error thrown there fails the test.
  await turn();
  await turn();
  expect(connection?.state.status).toBe('destroyed');
});
