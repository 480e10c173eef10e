// Voice connections that break: no sound is lost, nothing leaves unencrypted, Discord is not flooded, and the cause is reported.
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { getVoiceConnection } from '@discordjs/voice';
import type { VoiceBasedChannel } from 'discord.js';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { holdTimers } from '../helpers/held-timers.ts';
import { by, bytesOf, heardBy, openVoiceFixture, type Receiver, say, speechOf, utteranceOf } from '../helpers/voice-fixture.ts';
import { WAIT_MS } from '../helpers/waiter.ts';

/** How long the main gateway may take to explain a disconnection. */
const UNEXPLAINED_MS = 3000;

let packets: Uint8Array[];
const clean = { plaintext: 0, undecryptable: 0 };

/** Expects a beginning to have been heard, and then all of it. */
function expectStartedOver(receiver: Receiver): void {
  const heard = heardBy(receiver);
  const all = bytesOf(packets);
  const first = heard.length - all.length;
  expect(first).toBeGreaterThanOrEqual(20);
  expect(heard).toEqual([...all.slice(0, first), ...all]);
}

/** Expects nothing to be repeated, everything in order, and no more missing than what was in transit at the break. */
function expectResumed(receiver: Receiver, whole: Uint8Array[]): void {
  const all = bytesOf(whole);
  const indexes = heardBy(receiver).map((packet) => all.indexOf(packet));
  expect(indexes).toEqual([...new Set(indexes)].sort((a, b) => a - b));
  expect(indexes.at(-1)).toBe(all.length - 1);
  expect(indexes.length).toBeGreaterThan(all.length - 30);
}

beforeAll(async () => {
  packets = await speechOf(60);
});

describe('in mid-play', () => {
  it.each([4006, 4009])(
    'a voice session that is over (%i) is rejoined, and an utterance that had hardly begun starts over',
    async (code) => {
      const { client, discord, sessions, lounge, listen, joins } = await openVoiceFixture();
      const receiver = await listen('Robin');
      const playback = say(sessions.join(lounge), () => packets);
      await receiver.heard(20);
      discord.voice.faults.closeGateway(lounge.guildId, client.user.id, code);
      expect(await playback.finished).toEqual({ ended: 'played', seconds: 1.2 });
      await receiver.heardSilence(5);
      expectStartedOver(receiver);
      expect(receiver.stats()).toMatchObject(clean);
      expect(joins).toHaveLength(2);
    },
  );

  it('after 3 s, an utterance resumes where a voice session that is over (4006) broke off', async () => {
    const long = await speechOf(200);
    const { client, discord, sessions, lounge, listen, joins } = await openVoiceFixture();
    const receiver = await listen('Robin');
    const playback = say(sessions.join(lounge), () => long);
    await receiver.heard(165);
    discord.voice.faults.closeGateway(lounge.guildId, client.user.id, 4006);
    expect(await playback.finished).toEqual({ ended: 'played', seconds: 4 });
    await receiver.heardSilence(5);
    expectResumed(receiver, long);
    expect(receiver.stats()).toMatchObject(clean);
    expect(joins).toHaveLength(2);
  });

  it.each([4015, null])('a voice gateway connection that breaks (%s) is resumed, and nothing is repeated', async (code) => {
    const { client, discord, sessions, lounge, listen, joins } = await openVoiceFixture();
    const receiver = await listen('Robin');
    const session = sessions.join(lounge);
    const playback = say(session, () => packets);
    await receiver.heard(20);
    discord.voice.faults.closeGateway(lounge.guildId, client.user.id, code);
    expect(await playback.finished).toEqual({ ended: 'played', seconds: 1.2 });
    await receiver.heardSilence(5);
    expectResumed(receiver, packets);
    expect(receiver.stats()).toMatchObject(clean);
    expect(joins).toHaveLength(1);
    expect(session.state).toMatchObject({ status: 'ready', encrypted: true });
  });

  it('an unexplained disconnection (4014) is rejoined', async () => {
    const { client, discord, sessions, lounge, listen, joins } = await openVoiceFixture();
    const receiver = await listen('Robin');
    const session = sessions.join(lounge);
    const playback = say(session, () => packets);
    await receiver.heard(20);
    const timers = holdTimers(UNEXPLAINED_MS);
    discord.voice.faults.closeGateway(lounge.guildId, client.user.id, 4014);
    await expect.poll(() => session.state.status).toBe('reconnecting');
    timers.expire();
    expect(await playback.finished).toEqual({ ended: 'played', seconds: 1.2 });
    await receiver.heardSilence(5);
    expectStartedOver(receiver);
    expect(joins).toHaveLength(2);
  });

  it.each([4017, 4021, 4022])('a final close code (%i) fails each utterance, and nothing is rejoined', async (code) => {
    const { client, discord, sessions, lounge, listen, joins } = await openVoiceFixture();
    const receiver = await listen('Robin');
    const session = sessions.join(lounge);
    const playbacks = [0, 1, 2].map(() => say(session, () => packets));
    await receiver.heard(20);
    discord.voice.faults.closeGateway(lounge.guildId, client.user.id, code);
    const outcomes = await Promise.all(playbacks.map(({ finished }) => finished));
    for (const outcome of outcomes) expect(outcome).toMatchObject({ ended: 'failed', cause: { kind: 'refused', code } });
    expect(outcomes.map(({ seconds }) => seconds > 0.3)).toEqual([true, false, false]);
    expect(joins).toHaveLength(1);
    expect(session.state).toMatchObject({ status: 'closed', cause: { kind: 'refused' } });
    expect(sessions.get(lounge.guildId)).toBeUndefined();
  });

  it('follows a change of the voice server', async () => {
    const { client, discord, sessions, lounge, listen, joins } = await openVoiceFixture();
    const receiver = await listen('Robin');
    const session = sessions.join(lounge);
    const playback = say(session, () => packets);
    await receiver.heard(20);
    const { guildId } = lounge;
    const moveTo = (endpoint: string | null, token = '') =>
      discord.world.emit({ t: 'VOICE_SERVER_UPDATE', d: { token, guild_id: guildId, endpoint }, to: 'bot' });
    moveTo(null);
    await expect.poll(() => session.state.status).toBe('reconnecting');
    const sessionId = lounge.guild.members.me?.voice.sessionId ?? '';
    const { token } = discord.voice.admit({ guildId, channelId: lounge.id, userId: client.user.id, sessionId });
    moveTo(discord.voice.endpoint.replace('127.0.0.1', 'localhost'), token);
    expect(await playback.finished).toEqual({ ended: 'played', seconds: 1.2 });
    await receiver.heardSilence(5);
    expectStartedOver(receiver);
    expect(receiver.stats()).toMatchObject(clean);
    expect(joins).toHaveLength(1);
  });
});

it('leaves no timer and no socket behind: a program that has closed everything exits', async () => {
  const program = fileURLToPath(new URL('../helpers/voice-once.ts', import.meta.url));
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const written = text(child.stdout);
  let isDone = false;
  child.stdout.once('data', () => {
    isDone = true;
  });
  await expect.poll(() => isDone, { timeout: WAIT_MS }).toBe(true);
  // Shorter than the five minutes after which an idle session would leave.
  await expect.poll(() => child.exitCode, { timeout: 50_000 }).toBe(0);
  expect(await written).toBe('failed played\n');
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
    await receiver.heard(10);
    const failure = new Error('the frame could not be encrypted');
    const connection = getVoiceConnection(lounge.guildId, client.user.id);
    if (!connection) throw new Error('the bot is not connected');
    connection.playOpusPacket = () => {
      throw failure;
    };
    const later = say(failing, () => packets, 'sam');
    for (const { finished } of [broken, later])
      expect(await finished).toMatchObject({ ended: 'failed', cause: { name: 'VoiceError', kind: 'sending-failed', cause: failure } });
    expect(await heardElsewhere.finished).toEqual({ ended: 'played', seconds: 1.2 });
    expect(sessions.all()).toEqual([other]);
    expect(await say(sessions.join(lounge), () => packets).finished).toEqual({ ended: 'played', seconds: 1.2 });
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
    expect(await after.finished).toEqual({ ended: 'played', seconds: 1.2 });
  });
});

it('sound that has not left for seconds, although it could, is noticed', async () => {
  const { sessions, lounge, listen } = await openVoiceFixture();
  const receiver = await listen('Robin');
  const playback = say(sessions.join(lounge), () => packets);
  await receiver.heard(10);
  expect(sessions.areSending()).toBe(true);
  const now = performance.now();
  const clock = vi.spyOn(performance, 'now').mockReturnValue(now + 3_100);
  expect(sessions.areSending()).toBe(false);
  clock.mockRestore();
  expect(await playback.finished).toEqual({ ended: 'played', seconds: 1.2 });
  expect(sessions.areSending()).toBe(true);
});
