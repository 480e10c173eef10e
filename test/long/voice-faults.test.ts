// Voice connections that break in rarer ways than in test/bot: no sound is lost, and Discord is not flooded.

import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { holdTimers } from '../helpers/held-timers.ts';
import { startTestProcess } from '../helpers/program.ts';
import {
  bytesOf,
  expectResumed,
  expectStartedOver,
  heardBy,
  openInMidPlay,
  PROBE_MS,
  probeUntilDead,
  speechOf,
} from '../helpers/voice-fixture.ts';

/** How long the main gateway may take to explain a disconnection. */
const UNEXPLAINED_MS = 3000;

let packets: Uint8Array[];
const clean = { plaintext: 0, undecryptable: 0 };

beforeAll(async () => {
  packets = await speechOf(60);
});

it('a voice session that timed out (4009) is rejoined, and an utterance that had hardly begun starts over', async () => {
  const { client, discord, lounge, joins, receiver, playback } = await openInMidPlay(packets, 20);
  discord.voice.faults.closeGateway(lounge.guildId, client.user.id, 4009);
  expect(await playback.finished).toEqual({ ended: 'played', seconds: 1.2 });
  await receiver.heardSilence(5);
  expectStartedOver(receiver, packets);
  expect(receiver.stats()).toMatchObject(clean);
  expect(joins).toHaveLength(2);
});

it('after 3 s, an utterance resumes where a voice session that is over (4006) broke off', async () => {
  const long = await speechOf(200);
  const { client, discord, lounge, joins, receiver, playback } = await openInMidPlay(long, 165);
  discord.voice.faults.closeGateway(lounge.guildId, client.user.id, 4006);
  expect(await playback.finished).toEqual({ ended: 'played', seconds: 4 });
  await receiver.heardSilence(5);
  expectResumed(receiver, long);
  expect(receiver.stats()).toMatchObject(clean);
  expect(joins).toHaveLength(2);
});

it('a voice server that crashed (4015) is resumed, and nothing is repeated', async () => {
  const { client, discord, lounge, joins, receiver, session, playback } = await openInMidPlay(packets, 20);
  discord.voice.faults.closeGateway(lounge.guildId, client.user.id, 4015);
  expect(await playback.finished).toEqual({ ended: 'played', seconds: 1.2 });
  await receiver.heardSilence(5);
  expectResumed(receiver, packets);
  expect(receiver.stats()).toMatchObject(clean);
  expect(joins).toHaveLength(1);
  expect(session.state).toMatchObject({ status: 'ready', encrypted: true });
});

it('an unexplained disconnection (4014) is rejoined', async () => {
  const { client, discord, lounge, joins, receiver, session, playback } = await openInMidPlay(packets, 20);
  const timers = holdTimers(UNEXPLAINED_MS);
  discord.voice.faults.closeGateway(lounge.guildId, client.user.id, 4014);
  await expect.poll(() => session.state.status).toBe('reconnecting');
  timers.expire();
  expect(await playback.finished).toEqual({ ended: 'played', seconds: 1.2 });
  await receiver.heardSilence(5);
  expectStartedOver(receiver, packets);
  expect(joins).toHaveLength(2);
});

it('follows a change of the voice server', async () => {
  const { client, discord, lounge, joins, receiver, session, playback } = await openInMidPlay(packets, 20);
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
  expectStartedOver(receiver, packets);
  expect(receiver.stats()).toMatchObject(clean);
  expect(joins).toHaveLength(1);
});

it('unheard packets are repeated even if the voice server disconnects before the dead path is detected', async () => {
  const timers = holdTimers(PROBE_MS);
  const long = await speechOf(180);
  const { client, discord, lounge, joins, receiver, session, playback } = await openInMidPlay(long, 110);
  const { faults } = discord.voice;
  faults.dropUdp = true;
  client.on('voiceStateUpdate', (_, { id, channelId }) => {
    if (id === client.user.id && channelId === null) faults.dropUdp = false;
  });
  // It would resume there.
  await expect.poll(() => session.items()[0]?.sentSeconds).toBeGreaterThan(3);
  discord.world.emit({ t: 'VOICE_SERVER_UPDATE', d: { token: '', guild_id: lounge.guildId, endpoint: null }, to: 'bot' });
  await expect.poll(() => session.state.status).toBe('reconnecting');
  await probeUntilDead(timers, joins);
  expect(await playback.finished).toEqual({ ended: 'played', seconds: 3.6 });
  await receiver.heardSilence(5);
  expect(new Set(heardBy(receiver))).toEqual(new Set(bytesOf(long)));
  expect(receiver.stats()).toMatchObject(clean);
  expect(joins).toHaveLength(2);
});

// The time limit is shorter than the five minutes after which an idle session would leave.
it('leaves no timer and no socket behind: a program that has closed everything exits', { timeout: 120_000 }, async () => {
  const program = fileURLToPath(new URL('../fixtures/programs/voice-once.ts', import.meta.url));
  const { out, ended } = startTestProcess([program]);
  expect(await ended).toEqual({ code: 0, signal: null });
  expect(out).toEqual(['failed played']);
});
