// The main gateway in trouble during playback, which continues without it or waits for it.
import { once } from 'node:events';
import { Events, Status } from 'discord.js';
import { beforeAll, expect, it } from 'vitest';
import { holdTimers } from '../helpers/held-timers.ts';
import { bytesOf, heardBy, openVoiceFixture, say, speechOf } from '../helpers/voice-fixture.ts';

let packets: Uint8Array[];
const clean = { plaintext: 0, undecryptable: 0 };

beforeAll(async () => {
  packets = await speechOf(60);
});

it('a dropped main gateway does not interrupt the sound', async () => {
  const { client, discord, sessions, lounge, listen, joins } = await openVoiceFixture();
  const receiver = await listen('Robin');
  const playback = say(sessions.join(lounge), () => packets);
  await receiver.heard(20);
  const resumed = once(client, 'shardResume');
  discord.gateway.dropConnections();
  await resumed;
  expect(await playback.finished).toEqual({ ended: 'played', seconds: 1.2 });
  await receiver.heard(60);
  expect(heardBy(receiver)).toEqual(bytesOf(packets));
  expect(joins).toHaveLength(1);
});

it('a main gateway session that cannot be resumed ends the voice connection, which is rejoined', async () => {
  const { discord, sessions, lounge, listen, joins } = await openVoiceFixture();
  const receiver = await listen('Robin');
  const playback = say(sessions.join(lounge), () => packets);
  await receiver.heard(20);
  discord.gateway.invalidate(false);
  expect(await playback.finished).toEqual({ ended: 'played', seconds: 1.2 });
  await receiver.heardSilence(5);
  expect(heardBy(receiver).at(-1)).toBe(bytesOf(packets).at(-1));
  expect(receiver.sound.length).toBeGreaterThan(50);
  expect(receiver.stats()).toMatchObject(clean);
  expect(joins).toHaveLength(2);
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

it('a voice session that ends during a main gateway outage is rejoined afterwards', async () => {
  const timers = holdTimers();
  const { client, discord, sessions, lounge, listen } = await openVoiceFixture({ establishMs: timers.ms });
  const receiver = await listen('Robin');
  const session = sessions.join(lounge);
  const playback = say(session, () => packets);
  await receiver.heard(20);
  discord.gateway.outage('refused');
  await expect.poll(() => lounge.guild.shard.status).not.toBe(Status.Ready);
  discord.voice.faults.closeGateway(lounge.guildId, client.user.id, 4006);
  await expect.poll(() => session.state.status).toBe('reconnecting');
  // It would be tried twice without the outage.
  for (let time = 0; time < 3; time++) timers.expire();
  expect(session.state.status).toBe('reconnecting');
  discord.gateway.outage(null);
  expect(await playback.finished).toEqual({ ended: 'played', seconds: 1.2 });
  await receiver.heardSilence(5);
  expect(heardBy(receiver).slice(-60)).toEqual(bytesOf(packets));
  expect(receiver.stats()).toMatchObject(clean);
});
