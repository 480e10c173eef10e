// A bot that is kicked, moved, muted, or no longer allowed to speak: each utterance fails once, with the reason.
import { once } from 'node:events';
import { PermissionFlagsBits } from 'discord.js';
import { beforeAll, expect, it } from 'vitest';
import type { VoiceErrorKind } from '../../src/voice-session/index.ts';
import { by, bytesOf, heardBy, openVoiceFixture, say, speechOf, utteranceOf, type VoiceFixture } from '../helpers/voice-fixture.ts';

/** For what is heard to its end. */
let packets: Uint8Array[];
/** For what is ended. */
let long: Uint8Array[];
const clean = { plaintext: 0, undecryptable: 0 };

beforeAll(async () => {
  long = await speechOf(150);
  packets = long.slice(0, 30);
});

it('a kick ends all utterances and the session, and the bot can be asked to rejoin', async () => {
  const { client, discord, sessions, lounge, listen } = await openVoiceFixture();
  const receiver = await listen('Robin');
  const session = sessions.join(lounge);
  const utterances = [0, 1].map(() => utteranceOf(() => long));
  const playbacks = utterances.map((utterance) => session.enqueue(utterance, by()));
  await receiver.heard(8);
  discord.moveUser(client.user.id, null);
  const [current, queued] = await Promise.all(playbacks.map(({ finished }) => finished));
  expect(current).toMatchObject({ ended: 'failed', cause: { kind: 'kicked' } });
  expect(current?.seconds).toBeGreaterThan(0.1);
  expect(queued).toMatchObject({ ended: 'failed', seconds: 0, cause: { kind: 'kicked' } });
  expect(utterances.map(({ calls }) => calls.includes('cancel'))).toEqual([true, true]);
  expect(session.length).toBe(0);
  expect(sessions.get(lounge.guildId)).toBeUndefined();

  const before = receiver.sound.length;
  const again = sessions.join(lounge);
  expect(again).not.toBe(session);
  expect(await say(again, () => packets).finished).toEqual({ ended: 'played', seconds: 0.6 });
  await receiver.heard(before + 30);
  expect(heardBy(receiver).slice(before)).toEqual(bytesOf(packets));
});

it('the bot can rejoin after any number of kicks', async () => {
  const { client, discord, sessions, lounge, listen } = await openVoiceFixture();
  await listen('Robin');
  // Discord allows five joins in a minute that fail.
  for (let round = 0; round < 6; round++) {
    const playback = say(sessions.join(lounge), () => long);
    expect(await playback.started).not.toBeNull();
    discord.moveUser(client.user.id, null);
    expect(await playback.finished).toMatchObject({ ended: 'failed', cause: { kind: 'kicked' } });
  }
});

it('after a move by a moderator, playback continues in the new channel', async () => {
  const { client, discord, sessions, lounge, workshop, listen, joins } = await openVoiceFixture();
  const here = await listen('Robin', lounge);
  const there = await listen('Sam', workshop);
  const session = sessions.join(lounge);
  const playback = say(session, () => packets);
  await here.heard(8);
  discord.moveUser(client.user.id, workshop.id);
  expect(await playback.finished).toEqual({ ended: 'played', seconds: 0.6 });
  expect(session.channelId).toBe(workshop.id);
  await there.heardSilence(5);
  // It had hardly begun, so the members of the new channel hear all of it.
  expect(heardBy(there)).toEqual(bytesOf(packets));
  expect(here.stats()).toMatchObject(clean);
  expect(there.stats()).toMatchObject({ ...clean, early: 0 });
  expect(joins).toHaveLength(1);
});

it("a moderator's mute ends the utterances but not the session, which works again once unmuted", async () => {
  const { client, discord, sessions, lounge, listen, joins } = await openVoiceFixture();
  const receiver = await listen('Robin');
  const session = sessions.join(lounge);
  const playbacks = [0, 1].map(() => say(session, () => long));
  await receiver.heard(8);
  discord.setServerMute(client.user.id);
  const [current, queued] = await Promise.all(playbacks.map(({ finished }) => finished));
  expect(current).toMatchObject({ ended: 'failed', cause: { kind: 'muted' } });
  expect(queued).toMatchObject({ ended: 'failed', seconds: 0, cause: { kind: 'muted' } });
  const refused = utteranceOf(() => packets);
  expect(await session.enqueue(refused, by()).finished).toMatchObject({ ended: 'failed', seconds: 0, cause: { kind: 'muted' } });
  expect(refused.calls).toEqual(['cancel']);

  const unmuted = once(client, 'voiceStateUpdate');
  discord.setServerMute(client.user.id, false);
  await unmuted;
  expect(sessions.get(lounge.guildId)).toBe(session);
  const before = receiver.sound.length;
  expect(await say(session, () => packets).finished).toEqual({ ended: 'played', seconds: 0.6 });
  await receiver.heard(before + 30);
  expect(heardBy(receiver).slice(before)).toEqual(bytesOf(packets));
  expect(joins).toHaveLength(1);
});

it('an earlier mute is noticed on the next join, and the bot stays, so it can be unmuted', async () => {
  const { client, discord, sessions, lounge, listen } = await openVoiceFixture();
  await listen('Robin');
  const first = sessions.join(lounge);
  await first.ready;
  const muted = once(client, 'voiceStateUpdate');
  discord.setServerMute(client.user.id);
  await muted;
  const left = once(client, 'voiceStateUpdate');
  first.leave();
  await left;
  const session = sessions.join(lounge);
  expect(await say(session, () => packets).finished).toMatchObject({ ended: 'failed', seconds: 0, cause: { kind: 'muted' } });
  await session.ready;
  const unmuted = once(client, 'voiceStateUpdate');
  discord.setServerMute(client.user.id, false);
  await unmuted;
  expect(await say(session, () => packets).finished).toMatchObject({ ended: 'played' });
});

it.each([
  ['a channel that is deleted', 'channel-gone', ({ discord, lounge }) => discord.deleteChannel(lounge.id)],
  [
    'the permission to speak, taken away,',
    'not-permitted',
    ({ client, discord, lounge }) => discord.setPermissions(lounge.id, client.user.id, { deny: PermissionFlagsBits.Speak }),
  ],
  [
    'a move to a channel where speaking is not permitted',
    'not-permitted',
    ({ client, discord }) => discord.moveUser(client.user.id, discord.channelId('Listen only')),
  ],
] satisfies [string, VoiceErrorKind, (fixture: VoiceFixture) => void][])(
  '%s ends the session, and each utterance fails with the reason',
  async (_, kind, fault) => {
    const fixture = await openVoiceFixture();
    const { sessions, lounge, listen, joins } = fixture;
    const receiver = await listen('Robin');
    const session = sessions.join(lounge);
    const playbacks = [0, 1, 2].map(() => say(session, () => long));
    await receiver.heard(8);
    fault(fixture);
    const outcomes = await Promise.all(playbacks.map(({ finished }) => finished));
    for (const outcome of outcomes) expect(outcome).toMatchObject({ ended: 'failed', cause: { kind } });
    expect(session.state).toMatchObject({ status: 'closed', cause: { kind } });
    expect(sessions.get(lounge.guildId)).toBeUndefined();
    expect(joins).toHaveLength(1);
  },
);
