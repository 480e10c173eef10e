// The main gateway in trouble, and voice state updates that it answers late, never, or when they are obsolete.

import { once } from 'node:events';
import { type Client, Status } from 'discord.js';
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { holdTimers } from '../helpers/held-timers.ts';
import { bytesOf, heardBy, openInMidPlay, openVoiceFixture, say, speechOf } from '../helpers/voice-fixture.ts';

let packets: Uint8Array[];
const clean = { plaintext: 0, undecryptable: 0 };

beforeAll(async () => {
  packets = await speechOf(60);
});

it('a main gateway session that cannot be resumed ends the voice connection, which is rejoined', async () => {
  const { discord, joins, receiver, playback } = await openInMidPlay(packets, 20);
  discord.gateway.invalidate(false);
  expect(await playback.finished).toEqual({ ended: 'played', seconds: 1.2 });
  await receiver.heardSilence(5);
  expect(heardBy(receiver).at(-1)).toBe(bytesOf(packets).at(-1));
  expect(receiver.sound.length).toBeGreaterThan(50);
  expect(receiver.stats()).toMatchObject(clean);
  expect(joins).toHaveLength(2);
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

/** Holds back what is sent to the main gateway, as the gateway library does at its rate limit, until it is released or lost. */
function holdSends(client: Client<true>) {
  const shard = client.ws.shards.first();
  if (!shard) throw new Error('The client has no shard.');
  const send = shard.send.bind(shard);
  const held: Parameters<typeof send>[] = [];
  shard.send = (...payload) => void held.push(payload);
  return {
    held: held as readonly unknown[],
    release() {
      shard.send = send;
      for (const payload of held) send(...payload);
    },
    lose() {
      shard.send = send;
    },
  };
}

function whereIs({ user, guilds }: Client<true>): string | null {
  return guilds.cache.first()?.voiceStates.cache.get(user.id)?.channelId ?? null;
}

it('a leave during a main gateway outage takes effect when the gateway is back', async () => {
  const { client, discord, sessions, lounge, listen } = await openVoiceFixture();
  await listen('Robin');
  const session = sessions.join(lounge);
  await session.ready;
  discord.gateway.outage('refused');
  await expect.poll(() => lounge.guild.shard.status).not.toBe(Status.Ready);
  session.leave();
  expect(sessions.all()).toEqual([]);
  const resumed = once(client, 'shardResume');
  discord.gateway.outage(null);
  await resumed;
  await expect.poll(() => whereIs(client)).toBeNull();
  // And can rejoin.
  expect(await say(sessions.join(lounge), () => packets).finished).toEqual({ ended: 'played', seconds: 1.2 });
});

it('a late answer to a leave between two joins is not mistaken for a kick', async () => {
  const timers = holdTimers();
  const { client, sessions, lounge, listen, joins } = await openVoiceFixture({ establishMs: timers.ms });
  const receiver = await listen('Robin');
  const sends = holdSends(client);
  const session = sessions.join(lounge);
  const playbacks = [0, 1].map(() => say(session, () => packets));
  // Nothing is answered in time: a leave and another join.
  timers.expire();
  await expect.poll(() => sends.held.length).toBe(3);
  sends.release();
  expect(joins).toHaveLength(2);
  for (const { finished } of playbacks) expect(await finished).toEqual({ ended: 'played', seconds: 1.2 });
  await receiver.heard(120);
  expect(heardBy(receiver)).toEqual([...bytesOf(packets), ...bytesOf(packets)]);
  expect(sessions.get(lounge.guildId)).toBe(session);
});

it('a delayed join is not sent if a moderator has moved the bot in the meantime', async () => {
  const { client, discord, sessions, lounge, workshop, listen, joins } = await openVoiceFixture({
    joinDelaysMs: [0, 0, 60_000, 60_000, 60_000],
  });
  const there = await listen('Sam', workshop);
  const session = sessions.join(lounge);
  await session.ready;
  const { faults } = discord.voice;
  let refusals = 0;
  Object.defineProperty(faults, 'refuseWith', {
    configurable: true,
    get() {
      refusals += 1;
      return 4006;
    },
  });
  faults.closeGateway(lounge.guildId, client.user.id, 4006);
  // The second join is refused too, and the third is delayed. That it was sent isn't enough: it might arrive after the move.
  await expect.poll(() => refusals).toBe(1);
  const moved = once(client, 'voiceStateUpdate');
  Object.defineProperty(faults, 'refuseWith', { value: null });
  discord.moveUser(client.user.id, workshop.id);
  await moved;
  expect(await say(session, () => packets).finished).toEqual({ ended: 'played', seconds: 1.2 });
  expect(session.channelId).toBe(workshop.id);
  expect(whereIs(client)).toBe(workshop.id);
  expect(joins).toHaveLength(2);
  await there.heard(60);
  expect(heardBy(there)).toEqual(bytesOf(packets));
});

it('a first join waits for a main gateway that dropped before answering, however old the process is', async () => {
  const now = performance.now.bind(performance);
  onTestFinished(() => void vi.restoreAllMocks());
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 3_600_000);
  const timers = holdTimers();
  const { client, discord, sessions, lounge, listen } = await openVoiceFixture({ establishMs: timers.ms });
  await listen('Robin');
  const sends = holdSends(client);
  const session = sessions.join(lounge);
  const playback = say(session, () => packets);
  discord.gateway.outage('refused');
  await expect.poll(() => lounge.guild.shard.status).not.toBe(Status.Ready);
  // It would be tried twice without the outage.
  for (let time = 0; time < 3; time++) timers.expire();
  expect(session.state.status).toBe('connecting');
  sends.lose();
  discord.gateway.outage(null);
  expect(await playback.finished).toEqual({ ended: 'played', seconds: 1.2 });
});
