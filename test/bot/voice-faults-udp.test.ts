// Datagrams that are lost while everything else works: the one fault that nothing reports.
import { setImmediate as turn } from 'node:timers/promises';
import { getVoiceConnection, NetworkingStatusCode } from '@discordjs/voice';
import { beforeAll, expect, it } from 'vitest';
import { type HeldTimers, holdTimers } from '../helpers/held-timers.ts';
import { bytesOf, heardBy, openVoiceFixture, say, speechOf } from '../helpers/voice-fixture.ts';

/** Between two datagrams that ask the voice server for an answer. */
const PROBE_MS = 1500;

let packets: Uint8Array[];
const clean = { plaintext: 0, undecryptable: 0 };

beforeAll(async () => {
  packets = await speechOf(60);
});

/** Lets probes go unanswered until the bot has joined again. */
function probeUntilDead(timers: HeldTimers, joins: unknown[]) {
  return expect
    .poll(() => {
      timers.expire();
      return joins.length;
    })
    .toBe(2);
}

it('a dead UDP path is detected, and the bot rejoins and repeats what nobody heard', async () => {
  const timers = holdTimers(PROBE_MS);
  const { client, discord, sessions, lounge, listen, joins } = await openVoiceFixture();
  const receiver = await listen('Robin');
  const session = sessions.join(lounge);
  const playback = say(session, () => packets);
  await receiver.heard(20);
  const { faults } = discord.voice;
  faults.dropUdp = true;
  client.on('voiceStateUpdate', (_, { id, channelId }) => {
    if (id === client.user.id && channelId === null) faults.dropUdp = false;
  });
  await expect.poll(() => session.items()[0]?.sentSeconds).toBe(1.2);
  // None of it counts as played until it is known to have arrived.
  await probeUntilDead(timers, joins);
  expect(await playback.finished).toEqual({ ended: 'played', seconds: 1.2 });
  await receiver.heardSilence(5);
  const heard = heardBy(receiver);
  expect(heard.length).toBeGreaterThanOrEqual(80);
  expect(heard.slice(-60)).toEqual(bytesOf(packets));
  expect(receiver.stats()).toMatchObject(clean);
  expect(joins).toHaveLength(2);
});

it('unheard packets are repeated even if the voice server disconnects before the dead path is detected', async () => {
  const timers = holdTimers(PROBE_MS);
  const long = await speechOf(180);
  const { client, discord, sessions, lounge, listen, joins } = await openVoiceFixture();
  const receiver = await listen('Robin');
  const session = sessions.join(lounge);
  const playback = say(session, () => long);
  await receiver.heard(110);
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
