// Voice channels that cannot be joined: Discord is not flooded with joins, and each utterance fails with the reason.
import type { VoiceBasedChannel } from 'discord.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { holdTimers } from '../helpers/held-timers.ts';
import { bytesOf, heardBy, openVoiceFixture, PROBE_MS, say, speechOf } from '../helpers/voice-fixture.ts';

let packets: Uint8Array[];

beforeAll(async () => {
  packets = await speechOf(20);
});

describe('a voice server that does not let us in', () => {
  it.each([4017, 4021, 4022])('is tried once if it refuses for good (%i)', async (code) => {
    const { discord, sessions, lounge, listen, joins } = await openVoiceFixture();
    await listen('Robin');
    discord.voice.faults.refuseWith = code;
    const playback = say(sessions.join(lounge), () => packets);
    expect(await playback.finished).toMatchObject({ ended: 'failed', seconds: 0, cause: { kind: 'refused', code } });
    expect(joins).toHaveLength(1);
    expect(sessions.get(lounge.guildId)).toBeUndefined();
  });

  it('is tried at most five times in a minute', async () => {
    const { discord, sessions, lounge, listen, joins } = await openVoiceFixture({ joinDelaysMs: [0, 0, 1, 1, 1] });
    await listen('Robin');
    discord.voice.faults.refuseWith = 4006;
    const playback = say(sessions.join(lounge), () => packets);
    expect(await playback.finished).toMatchObject({ ended: 'failed', cause: { kind: 'join-timeout', code: 4006 } });
    expect(joins).toHaveLength(5);
    // Asking again does not help: the main gateway's rate limit is shared by all guilds.
    discord.voice.faults.refuseWith = null;
    const again = say(sessions.join(lounge), () => packets);
    expect(await again.finished).toMatchObject({ ended: 'failed', cause: { kind: 'join-timeout' } });
    expect(joins).toHaveLength(5);
  });

  it('is awaited while it restarts', async () => {
    const timers = holdTimers();
    const { discord, sessions, lounge, listen, joins } = await openVoiceFixture({ joinDelaysMs: [0, 0, 1, timers.ms, 0] });
    const receiver = await listen('Robin');
    discord.voice.faults.refuseWith = 4006;
    const playback = say(sessions.join(lounge), () => packets);
    await expect.poll(timers.count).toBe(1);
    discord.voice.faults.refuseWith = null;
    timers.expire();
    expect(await playback.finished).toEqual({ ended: 'played', seconds: 0.4 });
    await receiver.heard(20);
    expect(joins).toHaveLength(4);
  });

  it('does not affect other guilds', async () => {
    const { client, discord, sessions, lounge, listen, joins } = await openVoiceFixture({ joinDelaysMs: [0, 0, 1, 1, 1] }, { guilds: 2 });
    await listen('Robin');
    const elsewhere = client.channels.cache.get(discord.channelId('Lounge', discord.guildIds[1])) as VoiceBasedChannel;
    const other = sessions.join(elsewhere);
    await other.ready;
    discord.voice.faults.refuseWith = 4006;
    const failing = say(sessions.join(lounge), () => packets);
    expect(await say(other, () => packets).finished).toEqual({ ended: 'played', seconds: 0.4 });
    expect(await failing.finished).toMatchObject({ ended: 'failed', cause: { kind: 'join-timeout' } });
    expect(joins).toHaveLength(1 + 5);
    expect(sessions.all()).toEqual([other]);
  });

  it('gets IP discovery again if the answer was lost, without another join', async () => {
    const timers = holdTimers(PROBE_MS);
    const { discord, sessions, lounge, listen, joins } = await openVoiceFixture();
    const receiver = await listen('Robin');
    let discoveries = 0;
    Object.defineProperty(discord.voice.faults, 'ignoreIpDiscovery', { get: () => discoveries++ === 0 });
    const playback = say(sessions.join(lounge), () => packets);
    await expect.poll(() => discoveries).toBe(1);
    timers.expire();
    expect(await playback.finished).toEqual({ ended: 'played', seconds: 0.4 });
    await receiver.heard(20);
    expect(discoveries).toBeGreaterThan(1);
    expect(joins).toHaveLength(1);
  });

  it('is rejoined once if it does not answer IP discovery', async () => {
    const { discord, sessions, lounge, listen, joins } = await openVoiceFixture({ establishMs: 400 });
    await listen('Robin');
    discord.voice.faults.ignoreIpDiscovery = true;
    const session = sessions.join(lounge);
    const playbacks = [0, 1].map(() => say(session, () => packets));
    const outcomes = await Promise.all(playbacks.map(({ finished }) => finished));
    for (const outcome of outcomes) expect(outcome).toMatchObject({ ended: 'failed', seconds: 0, cause: { kind: 'join-timeout' } });
    expect(joins).toHaveLength(2);
  });

  it('may let us in at the second attempt', async () => {
    const timers = holdTimers();
    const { client, discord, sessions, lounge, listen, joins } = await openVoiceFixture({ establishMs: timers.ms });
    const receiver = await listen('Robin');
    const { faults } = discord.voice;
    faults.ignoreIpDiscovery = true;
    client.on('voiceStateUpdate', (_, { id, channelId }) => {
      if (id === client.user.id && channelId === null) faults.ignoreIpDiscovery = false;
    });
    const playback = say(sessions.join(lounge), () => packets);
    await expect.poll(() => joins.length).toBe(1);
    timers.expire();
    expect(await playback.finished).toEqual({ ended: 'played', seconds: 0.4 });
    await receiver.heard(20);
    expect(heardBy(receiver)).toEqual(bytesOf(packets));
    expect(joins).toHaveLength(2);
  });

  it('is not trusted with an untrusted certificate', async () => {
    const { discord, sessions, lounge, listen, joins } = await openVoiceFixture();
    await discord.changeVoiceServer({ isTrusted: false });
    await listen('Robin');
    const session = sessions.join(lounge);
    const playbacks = [0, 1].map(() => say(session, () => packets));
    const outcomes = await Promise.all(playbacks.map(({ finished }) => finished));
    for (const outcome of outcomes) expect(outcome).toMatchObject({ ended: 'failed', seconds: 0, cause: { kind: 'untrusted' } });
    expect(joins).toHaveLength(1);
  });

  it.each([
    ['is full', 'Booth for one', 'channel-full', { establishMs: 400 }],
    ['we may not join', 'No bots', 'not-permitted', { establishMs: 400 }],
    // Here alone Discord answers, and may take its time.
    ['we may not speak in', 'Listen only', 'not-permitted', {}],
  ])('is distinguished from a channel that %s', async (_, name, kind, options) => {
    const { client, discord, sessions, listen, joins } = await openVoiceFixture(options);
    const channel = client.channels.cache.get(discord.channelId(name)) as VoiceBasedChannel;
    await listen('Robin', channel);
    const outcome = await say(sessions.join(channel), () => packets).finished;
    expect(outcome).toMatchObject({ ended: 'failed', seconds: 0, cause: { kind } });
    expect(joins).toHaveLength(1);
  });
});
