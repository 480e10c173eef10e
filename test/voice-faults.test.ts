// Voice connections that fail: what was said is not lost, nothing leaves unencrypted, Discord is not stormed, and the cause is told.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { entersState, getVoiceConnection, VoiceConnectionStatus } from '@discordjs/voice';
import { beforeAll, describe, expect, it } from 'vitest';
import { by, bytesOf, type Ear, openStage, type Stage, speechOf, utteranceOf } from './helpers/voice-session.ts';

let packets: Uint8Array[];
const clean = { plaintext: 0, undecryptable: 0 };
const opusOf = ({ sound }: Ear) => bytesOf(sound.map(({ opus }) => opus));

/** Resolves when the voice server has let the bot in, whether or not the group is established. */
async function connected({ client, lounge }: Stage): Promise<void> {
  const connection = getVoiceConnection(lounge.guildId, client.user.id);
  if (!connection) throw new Error('There is no voice connection.');
  await entersState(connection, VoiceConnectionStatus.Ready, 10_000);
}

beforeAll(async () => {
  packets = await speechOf(60);
});

describe('without an encrypted group', () => {
  it('sends nothing, joins once more, and then says that the encryption was not established', async () => {
    const { discord, sessions, lounge, listen, joins } = await openStage({ establishMs: 400 });
    discord.voice.faults.withholdDave = true;
    const ear = await listen('Robin');
    const session = sessions.join(lounge);
    const playback = session.enqueue(
      utteranceOf(() => packets),
      by(),
    );
    const outcome = await playback.finished;
    expect(outcome).toMatchObject({ ended: 'failed', seconds: 0, cause: { name: 'VoiceError', kind: 'encryption-timeout' } });
    await expect(session.ready).rejects.toMatchObject({ kind: 'encryption-timeout' });
    expect(ear.stats().packets).toBe(0);
    expect(joins).toHaveLength(2);
    expect(sessions.get(lounge.guildId)).toBeUndefined();
  });

  it('waits for it, and then plays from the first frame', async () => {
    const stage = await openStage();
    const { discord, sessions, lounge, listen } = stage;
    discord.voice.faults.withholdDave = true;
    const ear = await listen('Robin');
    const session = sessions.join(lounge);
    const playback = session.enqueue(
      utteranceOf(() => packets),
      by(),
    );
    await connected(stage);
    expect(ear.stats().packets).toBe(0);
    discord.voice.faults.withholdDave = false;
    expect(await playback.finished).toEqual({ ended: 'played', seconds: 1.2 });
    await ear.heard(60);
    expect(opusOf(ear)).toEqual(bytesOf(packets));
    expect(ear.stats()).toMatchObject({ ...clean, early: 0 });
  });

  it('gets over a welcome that was spoilt on its way', async () => {
    const { discord, sessions, lounge, listen } = await openStage();
    const ear = await listen('Robin');
    discord.voice.faults.corruptNextWelcome = true;
    const playback = sessions.join(lounge).enqueue(
      utteranceOf(() => packets),
      by(),
    );
    expect(await playback.finished).toEqual({ ended: 'played', seconds: 1.2 });
    await ear.heardSilence(5);
    expect(ear.sound).toHaveLength(60);
    expect(ear.stats()).toMatchObject(clean);
  });
});

describe('a voice server that does not let us in', () => {
  it.each([4017, 4022])('is asked once where it refuses for good (%i)', async (code) => {
    const { discord, sessions, lounge, listen, joins } = await openStage();
    await listen('Robin');
    discord.voice.faults.refuseWith = code;
    const playback = sessions.join(lounge).enqueue(
      utteranceOf(() => packets),
      by(),
    );
    expect(await playback.finished).toMatchObject({ ended: 'failed', seconds: 0, cause: { kind: 'refused', code } });
    expect(joins).toHaveLength(1);
    expect(sessions.get(lounge.guildId)).toBeUndefined();
  });

  it('is asked five times in a minute at most, with pauses', async () => {
    const { discord, sessions, lounge, listen, joins } = await openStage();
    await listen('Robin');
    discord.voice.faults.refuseWith = 4006;
    const playback = sessions.join(lounge).enqueue(
      utteranceOf(() => packets),
      by(),
    );
    expect(await playback.finished).toMatchObject({ ended: 'failed', cause: { kind: 'join-timeout', code: 4006 } });
    expect(joins).toHaveLength(5);
    expect((joins[4] ?? 0) - (joins[0] ?? 0)).toBeGreaterThan(3000);
  });

  it('is asked once more where it does not answer IP discovery', async () => {
    const { discord, sessions, lounge, listen, joins } = await openStage({ establishMs: 400 });
    await listen('Robin');
    discord.voice.faults.ignoreIpDiscovery = true;
    const session = sessions.join(lounge);
    const playbacks = [0, 1].map(() =>
      session.enqueue(
        utteranceOf(() => packets),
        by(),
      ),
    );
    const outcomes = await Promise.all(playbacks.map(({ finished }) => finished));
    for (const outcome of outcomes) expect(outcome).toMatchObject({ ended: 'failed', seconds: 0, cause: { kind: 'join-timeout' } });
    expect(joins).toHaveLength(2);
  });

  it('may let us in at the second try', async () => {
    const { client, discord, sessions, lounge, listen, joins } = await openStage({ establishMs: 1500 });
    const ear = await listen('Robin');
    const { faults } = discord.voice;
    faults.ignoreIpDiscovery = true;
    client.on('voiceStateUpdate', (_, { id, channelId }) => {
      if (id === client.user.id && channelId === null) faults.ignoreIpDiscovery = false;
    });
    const playback = sessions.join(lounge).enqueue(
      utteranceOf(() => packets),
      by(),
    );
    expect(await playback.finished).toEqual({ ended: 'played', seconds: 1.2 });
    await ear.heard(60);
    expect(opusOf(ear)).toEqual(bytesOf(packets));
    expect(joins).toHaveLength(2);
  });
});

describe('in mid-play', () => {
  it.each([4006, 4015, null])('a closed voice gateway (%s) interrupts for a moment, and no frame leaves unencrypted', async (code) => {
    const { client, discord, sessions, lounge, listen, joins } = await openStage();
    const ear = await listen('Robin');
    const playback = sessions.join(lounge).enqueue(
      utteranceOf(() => packets),
      by(),
    );
    await ear.heard(20);
    discord.voice.faults.closeGateway(lounge.guildId, client.user.id, code);
    expect(await playback.finished).toEqual({ ended: 'played', seconds: 1.2 });
    await ear.heardSilence(5);
    // What was on its way when the server closed is lost.
    expect(ear.sound.length).toBeGreaterThan(50);
    expect(opusOf(ear).at(-1)).toBe(bytesOf(packets).at(-1));
    expect(ear.stats()).toMatchObject(clean);
    expect(joins).toHaveLength(code === 4006 ? 2 : 1);
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
    expect(
      await again.enqueue(
        utteranceOf(() => packets),
        by(),
      ).finished,
    ).toEqual({ ended: 'played', seconds: 1.2 });
    await ear.heard(before + 60);
    expect(opusOf(ear).slice(before)).toEqual(bytesOf(packets));
  });

  it('a move by a moderator goes on in the new channel', async () => {
    const { client, discord, sessions, lounge, workshop, listen, joins } = await openStage();
    const here = await listen('Robin', lounge);
    const there = await listen('Sam', workshop);
    const session = sessions.join(lounge);
    const playback = session.enqueue(
      utteranceOf(() => packets),
      by(),
    );
    await here.heard(20);
    discord.moveUser(client.user.id, workshop.id);
    expect(await playback.finished).toEqual({ ended: 'played', seconds: 1.2 });
    expect(session.channelId).toBe(workshop.id);
    await there.heardSilence(5);
    expect(here.sound.length + there.sound.length).toBeGreaterThan(50);
    expect(opusOf(there)).toEqual(bytesOf(packets).slice(-there.sound.length));
    expect(here.stats()).toMatchObject(clean);
    expect(there.stats()).toMatchObject({ ...clean, early: 0 });
    expect(joins).toHaveLength(1);
  });

  it('a dropped main gateway is not noticed by those who listen', async () => {
    const { client, discord, sessions, lounge, listen, joins } = await openStage();
    const ear = await listen('Robin');
    const playback = sessions.join(lounge).enqueue(
      utteranceOf(() => packets),
      by(),
    );
    await ear.heard(20);
    const resumed = once(client, 'shardResume');
    discord.gateway.drop();
    await resumed;
    expect(await playback.finished).toEqual({ ended: 'played', seconds: 1.2 });
    await ear.heard(60);
    expect(opusOf(ear)).toEqual(bytesOf(packets));
    expect(joins).toHaveLength(1);
  });

  it('a main gateway session that cannot be resumed takes the voice with it; it is joined again', async () => {
    const { discord, sessions, lounge, listen, joins } = await openStage();
    const ear = await listen('Robin');
    const playback = sessions.join(lounge).enqueue(
      utteranceOf(() => packets),
      by(),
    );
    await ear.heard(20);
    discord.gateway.invalidate(false);
    expect(await playback.finished).toEqual({ ended: 'played', seconds: 1.2 });
    await ear.heardSilence(5);
    expect(opusOf(ear).at(-1)).toBe(bytesOf(packets).at(-1));
    expect(ear.sound.length).toBeGreaterThan(50);
    expect(ear.stats()).toMatchObject(clean);
    expect(joins).toHaveLength(2);
  });
});

it('leaves no timer and no socket behind: a program that has closed everything ends by itself', async () => {
  const program = new URL('helpers/voice-once.ts', import.meta.url).pathname;
  // Shorter than the five minutes without a word after which a session would leave.
  const { stdout } = await promisify(execFile)(process.execPath, [program], { timeout: 50_000 });
  expect(stdout).toBe('failed played\n');
});
