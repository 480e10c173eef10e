// Voice connections that fail: what was said is not lost, nothing leaves unencrypted, Discord is not stormed, and the cause is told.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { PermissionFlagsBits } from 'discord.js';
import { beforeAll, describe, expect, it } from 'vitest';
import type { VoiceErrorKind } from '../src/voice/index.ts';
import { by, bytesOf, type Ear, openStage, type Stage, say, speechOf, utteranceOf } from './helpers/voice-session.ts';

let packets: Uint8Array[];
const clean = { plaintext: 0, undecryptable: 0 };
const opusOf = ({ sound }: Ear) => bytesOf(sound.map(({ opus }) => opus));

/** A beginning was heard, and then all of it. */
function expectBegunAnew(ear: Ear): void {
  const heard = opusOf(ear);
  const all = bytesOf(packets);
  const first = heard.length - all.length;
  expect(first).toBeGreaterThanOrEqual(20);
  expect(heard).toEqual([...all.slice(0, first), ...all]);
}

/** Nothing was heard twice, all in order, and no more is missing than what was on its way at the break. */
function expectGoneOn(ear: Ear, whole: Uint8Array[]): void {
  const all = bytesOf(whole);
  const indexes = opusOf(ear).map((packet) => all.indexOf(packet));
  expect(indexes).toEqual([...new Set(indexes)].sort((a, b) => a - b));
  expect(indexes.at(-1)).toBe(all.length - 1);
  expect(indexes.length).toBeGreaterThan(all.length - 10);
}

beforeAll(async () => {
  packets = await speechOf(60);
});

describe('in mid-play', () => {
  it.each([4006, 4009])('a voice session that is over (%i) is joined again, and what had hardly begun is begun anew', async (code) => {
    const { client, discord, sessions, lounge, listen, joins } = await openStage();
    const ear = await listen('Robin');
    const playback = say(sessions.join(lounge), () => packets);
    await ear.heard(20);
    discord.voice.faults.closeGateway(lounge.guildId, client.user.id, code);
    expect(await playback.finished).toEqual({ ended: 'played', seconds: 1.2 });
    await ear.heardSilence(5);
    expectBegunAnew(ear);
    expect(ear.stats()).toMatchObject(clean);
    expect(joins).toHaveLength(2);
  });

  it('a voice session that is over (4006) after 3 s have been heard goes on where it was', async () => {
    const long = await speechOf(200);
    const { client, discord, sessions, lounge, listen, joins } = await openStage();
    const ear = await listen('Robin');
    const playback = say(sessions.join(lounge), () => long);
    await ear.heard(165);
    discord.voice.faults.closeGateway(lounge.guildId, client.user.id, 4006);
    expect(await playback.finished).toEqual({ ended: 'played', seconds: 4 });
    await ear.heardSilence(5);
    expectGoneOn(ear, long);
    expect(ear.stats()).toMatchObject(clean);
    expect(joins).toHaveLength(2);
  });

  it.each([4015, null])('a voice gateway that breaks off (%s) is resumed, and nothing is said twice', async (code) => {
    const { client, discord, sessions, lounge, listen, joins } = await openStage();
    const ear = await listen('Robin');
    const session = sessions.join(lounge);
    const playback = say(session, () => packets);
    await ear.heard(20);
    discord.voice.faults.closeGateway(lounge.guildId, client.user.id, code);
    expect(await playback.finished).toEqual({ ended: 'played', seconds: 1.2 });
    await ear.heardSilence(5);
    expectGoneOn(ear, packets);
    expect(ear.stats()).toMatchObject(clean);
    expect(joins).toHaveLength(1);
    expect(session.state).toMatchObject({ status: 'ready', encrypted: true });
  });

  it('being disconnected (4014) without a reason is taken for a mistake: it is joined again', async () => {
    const { client, discord, sessions, lounge, listen, joins } = await openStage({ establishMs: 1000 });
    const ear = await listen('Robin');
    const session = sessions.join(lounge);
    const playback = say(session, () => packets);
    await ear.heard(20);
    discord.voice.faults.closeGateway(lounge.guildId, client.user.id, 4014);
    await expect.poll(() => session.state.status).toBe('reconnecting');
    expect(await playback.finished).toEqual({ ended: 'played', seconds: 1.2 });
    await ear.heardSilence(5);
    expectBegunAnew(ear);
    expect(joins).toHaveLength(2);
  });

  it.each([4017, 4021, 4022])('an end for good (%i) is told to each who waits, and nothing is joined again', async (code) => {
    const { client, discord, sessions, lounge, listen, joins } = await openStage();
    const ear = await listen('Robin');
    const session = sessions.join(lounge);
    const playbacks = [0, 1, 2].map(() => say(session, () => packets));
    await ear.heard(20);
    discord.voice.faults.closeGateway(lounge.guildId, client.user.id, code);
    const outcomes = await Promise.all(playbacks.map(({ finished }) => finished));
    for (const outcome of outcomes) expect(outcome).toMatchObject({ ended: 'failed', cause: { kind: 'refused', code } });
    expect(outcomes.map(({ seconds }) => seconds > 0.3)).toEqual([true, false, false]);
    expect(joins).toHaveLength(1);
    expect(session.state).toMatchObject({ status: 'closed', cause: { kind: 'refused' } });
    expect(sessions.get(lounge.guildId)).toBeUndefined();
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
    expectBegunAnew(ear);
    expect(ear.stats()).toMatchObject(clean);
    expect(joins).toHaveLength(2);
  });

  it('a change of the voice server is followed', async () => {
    const { client, discord, sessions, lounge, listen, joins } = await openStage();
    const ear = await listen('Robin');
    const session = sessions.join(lounge);
    const playback = say(session, () => packets);
    await ear.heard(20);
    const { guildId } = lounge;
    const moveTo = (endpoint: string | null, token = '') =>
      discord.world.tell({ t: 'VOICE_SERVER_UPDATE', d: { token, guild_id: guildId, endpoint }, to: 'bot' });
    moveTo(null);
    await expect.poll(() => session.state.status).toBe('reconnecting');
    const sessionId = lounge.guild.members.me?.voice.sessionId ?? '';
    const { token } = discord.voice.admit({ guildId, channelId: lounge.id, userId: client.user.id, sessionId });
    moveTo(discord.voice.endpoint.replace('127.0.0.1', 'localhost'), token);
    expect(await playback.finished).toEqual({ ended: 'played', seconds: 1.2 });
    await ear.heardSilence(5);
    expectBegunAnew(ear);
    expect(ear.stats()).toMatchObject(clean);
    expect(joins).toHaveLength(1);
  });

  it('a kick ends the current and the queued utterances and the session; it can be asked to come again', async () => {
    const { client, discord, sessions, lounge, listen } = await openStage();
    const ear = await listen('Robin');
    const session = sessions.join(lounge);
    const utterances = [0, 1].map(() => utteranceOf(() => packets));
    const playbacks = utterances.map((utterance) => session.enqueue(utterance, by()));
    await ear.heard(20);
    discord.moveUser(client.user.id, null);
    const [current, queued] = await Promise.all(playbacks.map(({ finished }) => finished));
    expect(current).toMatchObject({ ended: 'failed', cause: { kind: 'kicked' } });
    expect(current?.seconds).toBeGreaterThan(0.3);
    expect(queued).toMatchObject({ ended: 'failed', seconds: 0, cause: { kind: 'kicked' } });
    expect(utterances.map(({ calls }) => calls.includes('cancel'))).toEqual([true, true]);
    expect(session.length).toBe(0);
    expect(sessions.get(lounge.guildId)).toBeUndefined();

    const before = ear.sound.length;
    const again = sessions.join(lounge);
    expect(again).not.toBe(session);
    expect(await say(again, () => packets).finished).toEqual({ ended: 'played', seconds: 1.2 });
    await ear.heard(before + 60);
    expect(opusOf(ear).slice(before)).toEqual(bytesOf(packets));
  });

  it('a kick may be followed by another wish as often as they come', async () => {
    const { client, discord, sessions, lounge, listen } = await openStage();
    await listen('Robin');
    for (let round = 0; round < 8; round++) {
      const playback = say(sessions.join(lounge), () => packets);
      expect(await playback.started).not.toBeNull();
      discord.moveUser(client.user.id, null);
      expect(await playback.finished).toMatchObject({ ended: 'failed', cause: { kind: 'kicked' } });
    }
  });

  it('a move by a moderator goes on in the new channel', async () => {
    const { client, discord, sessions, lounge, workshop, listen, joins } = await openStage();
    const here = await listen('Robin', lounge);
    const there = await listen('Sam', workshop);
    const session = sessions.join(lounge);
    const playback = say(session, () => packets);
    await here.heard(20);
    discord.moveUser(client.user.id, workshop.id);
    expect(await playback.finished).toEqual({ ended: 'played', seconds: 1.2 });
    expect(session.channelId).toBe(workshop.id);
    await there.heardSilence(5);
    // Hardly begun: those in the new channel hear all of it.
    expect(opusOf(there)).toEqual(bytesOf(packets));
    expect(here.stats()).toMatchObject(clean);
    expect(there.stats()).toMatchObject({ ...clean, early: 0 });
    expect(joins).toHaveLength(1);
  });

  it.each([
    ['a channel that is deleted', 'channel-gone', ({ discord, lounge }) => discord.deleteChannel(lounge.id)],
    [
      'the permission to speak, taken away,',
      'not-permitted',
      ({ client, discord, lounge }) => discord.setPermissions(lounge.id, client.user.id, { deny: PermissionFlagsBits.Speak }),
    ],
    [
      'a move to a channel to speak in which is not permitted',
      'not-permitted',
      ({ client, discord }) => discord.moveUser(client.user.id, discord.channelId('Listen only')),
    ],
  ] satisfies [string, VoiceErrorKind, (stage: Stage) => void][])(
    '%s ends the session, and each who waits is told why',
    async (_, kind, fault) => {
      const stage = await openStage();
      const { sessions, lounge, listen, joins } = stage;
      const ear = await listen('Robin');
      const session = sessions.join(lounge);
      const playbacks = [0, 1, 2].map(() => say(session, () => packets));
      await ear.heard(20);
      fault(stage);
      const outcomes = await Promise.all(playbacks.map(({ finished }) => finished));
      for (const outcome of outcomes) expect(outcome).toMatchObject({ ended: 'failed', cause: { kind } });
      expect(session.state).toMatchObject({ status: 'closed', cause: { kind } });
      expect(sessions.get(lounge.guildId)).toBeUndefined();
      expect(joins).toHaveLength(1);
    },
  );
});

it('leaves no timer and no socket behind: a program that has closed everything ends by itself', async () => {
  const program = new URL('helpers/voice-once.ts', import.meta.url).pathname;
  // Shorter than the five minutes without a word after which a session would leave.
  const { stdout } = await promisify(execFile)(process.execPath, [program], { timeout: 50_000 });
  expect(stdout).toBe('failed played\n');
});
