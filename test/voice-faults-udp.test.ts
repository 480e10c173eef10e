// Datagrams that get lost while everything else goes on: the one fault that nothing tells of.
import { beforeAll, expect, it } from 'vitest';
import { bytesOf, heardBy, openStage, say, speechOf } from './helpers/voice-session.ts';

let packets: Uint8Array[];
const clean = { plaintext: 0, undecryptable: 0 };

beforeAll(async () => {
  packets = await speechOf(60);
});

it('a dead path for sound is noticed within 10 s and joined anew, and what nobody heard is said again', async () => {
  const { client, discord, sessions, lounge, listen, joins } = await openStage();
  const ear = await listen('Robin');
  const session = sessions.join(lounge);
  const playback = say(session, () => packets);
  await ear.heard(20);
  const { faults } = discord.voice;
  faults.dropUdp = true;
  const diedAt = performance.now();
  client.on('voiceStateUpdate', (_, { id, channelId }) => {
    if (id === client.user.id && channelId === null) faults.dropUdp = false;
  });
  // All of it has been sent by then, but it does not count as played.
  expect(await playback.finished).toEqual({ ended: 'played', seconds: 1.2 });
  expect((joins[1] ?? 0) - diedAt).toBeLessThan(10_000);
  await ear.heardSilence(5);
  const heard = heardBy(ear);
  expect(heard.length).toBeGreaterThanOrEqual(80);
  expect(heard.slice(-60)).toEqual(bytesOf(packets));
  expect(ear.stats()).toMatchObject(clean);
  expect(joins).toHaveLength(2);
});
