// The voice session: utterances are heard in order and encrypted, and each one's outcome is reported.
import { once } from 'node:events';
import { beforeAll, describe, expect, it } from 'vitest';
import { by, bytesOf, hang, openVoiceFixture, type Receiver, say, speechOf, utteranceOf } from '../helpers/voice-fixture.ts';

let packets: Uint8Array[];
const opusOf = (heard: { opus: Uint8Array }[]) => bytesOf(heard.map(({ opus }) => opus));

/** Milliseconds of sound time between packets, beyond the 20 of the packet itself. */
function gaps(sound: { timestamp: number }[]): number[] {
  return sound.slice(1).map(({ timestamp }, index) => (timestamp - (sound[index]?.timestamp ?? 0)) / 48 - 20);
}

beforeAll(async () => {
  packets = await speechOf(20);
});

describe('an utterance', () => {
  it('is heard whole, in order and encrypted, with five frames of silence after it', async () => {
    const { sessions, lounge, listen } = await openVoiceFixture();
    const receiver = await listen('Robin');
    const session = sessions.join(lounge);
    const playback = say(session, () => packets);
    expect(playback.position).toBe(0);
    expect(await playback.finished).toEqual({ ended: 'played', seconds: 0.4 });
    await receiver.heardSilence(5);
    expect(opusOf(receiver.sound)).toEqual(bytesOf(packets));
    expect(gaps(receiver.sound).every((gap) => gap === 0)).toBe(true);
    expect(receiver.stats()).toEqual({ packets: 25, decrypted: 20, silence: 5, early: 0, plaintext: 0, undecryptable: 0, lost: 0 });
    await session.ready;
    expect(sessions.get(lounge.guildId)).toBe(session);
    expect(session.length).toBe(0);
  });

  it('is sent as soon as its first frame is available', async () => {
    const { sessions, lounge, listen } = await openVoiceFixture();
    const receiver = await listen('Robin');
    const session = sessions.join(lounge);
    say(session, async function* (signal) {
      yield* packets.slice(0, 1);
      await hang(signal);
    });
    await receiver.heard(1);
    expect(opusOf(receiver.sound)).toEqual(bytesOf(packets.slice(0, 1)));
  });

  it('is followed by the next one without a gap', async () => {
    const { sessions, lounge, listen } = await openVoiceFixture();
    const receiver = await listen('Robin');
    const session = sessions.join(lounge);
    const utterances = [0, 1, 2].map(() => utteranceOf(() => packets));
    const playbacks = utterances.map((utterance) => session.enqueue(utterance, by()));
    expect(playbacks.map(({ position }) => position)).toEqual([0, 1, 2]);
    expect(session.length).toBe(3);
    // The next one is prepared while the current one plays, the one after that is not.
    await playbacks[0]?.started;
    expect(utterances.map(({ calls }) => calls.includes('prepare'))).toEqual([true, true, false]);
    for (const playback of playbacks) expect(await playback.finished).toEqual({ ended: 'played', seconds: 0.4 });
    await receiver.heard(60);
    expect(opusOf(receiver.sound)).toEqual(bytesOf([...packets, ...packets, ...packets]));
    // Late frames let silence in between, which takes sound time; a standstill of the machine does not.
    expect(Math.max(...gaps(receiver.sound))).toBeLessThan(60);
    expect(utterances.every(({ calls }) => !calls.includes('cancel'))).toBe(true);
  });

  it('is interrupted by silence when its frames arrive late, without losing any', async () => {
    const { sessions, lounge, listen } = await openVoiceFixture();
    const receiver = await listen('Robin');
    const session = sessions.join(lounge);
    const { promise: resumed, resolve: resume } = Promise.withResolvers<void>();
    const playback = say(session, async function* () {
      yield* packets.slice(0, 10);
      await resumed;
      yield* packets.slice(10);
    });
    await receiver.heardSilence(5);
    expect(receiver.sound).toHaveLength(10);
    resume();
    expect(await playback.finished).toEqual({ ended: 'played', seconds: 0.4 });
    await receiver.heardSilence(10);
    expect(opusOf(receiver.sound)).toEqual(bytesOf(packets));
  });

  it('that fails, before its first frame or later, does not prevent the next one from playing', async () => {
    const { sessions, lounge, listen } = await openVoiceFixture();
    const receiver = await listen('Robin');
    const session = sessions.join(lounge);
    const early = new Error('nothing came');
    const late = new Error('it broke off');
    const playbacks = [
      utteranceOf(() => {
        throw early;
      }),
      utteranceOf(async function* () {
        yield* packets.slice(0, 7);
        throw late;
      }),
      utteranceOf(() => packets),
    ].map((utterance) => session.enqueue(utterance, by()));
    const outcomes = await Promise.all(playbacks.map(({ finished }) => finished));
    expect(outcomes).toEqual([
      { ended: 'failed', seconds: 0, cause: early },
      { ended: 'failed', seconds: 0.14, cause: late },
      { ended: 'played', seconds: 0.4 },
    ]);
    expect(await playbacks[0]?.started).toBeNull();
    expect(await playbacks[1]?.started).toBeGreaterThan(0);
    await receiver.heard(27);
    expect(opusOf(receiver.sound)).toEqual(bytesOf([...packets.slice(0, 7), ...packets]));
  });

  it('without frames counts as played at once', async () => {
    const { sessions, lounge } = await openVoiceFixture();
    const playback = say(sessions.join(lounge), () => []);
    expect(await playback.finished).toEqual({ ended: 'played', seconds: 0 });
    expect(await playback.started).toBeNull();
  });
});

describe('skipping and stopping', () => {
  it('ends the current utterance within a frame or two, frees it, and begins the next', async () => {
    const { sessions, lounge, listen } = await openVoiceFixture();
    const receiver = await listen('Robin');
    const session = sessions.join(lounge);
    const current = utteranceOf(async function* (signal) {
      yield* packets.slice(0, 15);
      await hang(signal);
    });
    const first = session.enqueue(current, by());
    const second = say(session, () => packets);
    await receiver.heard(5);
    expect(session.skip()).toBe(true);
    const outcome = await first.finished;
    expect(outcome.ended).toBe('skipped');
    const sent = Math.round(outcome.seconds * 50);
    expect(await second.finished).toEqual({ ended: 'played', seconds: 0.4 });
    await receiver.heard(sent + 20);
    expect(opusOf(receiver.sound)).toEqual(bytesOf([...packets.slice(0, sent), ...packets]));
    expect(current.calls).toEqual(['prepare', 'open', 'cancel', 'returned']);
  });

  it('skips an utterance whose first frame has not come yet', async () => {
    const { sessions, lounge, listen } = await openVoiceFixture();
    await listen('Robin');
    const session = sessions.join(lounge);
    const opened = Promise.withResolvers<void>();
    const playback = say(session, async function* (signal) {
      opened.resolve();
      yield await hang(signal);
    });
    await opened.promise;
    session.skip();
    expect(await playback.finished).toEqual({ ended: 'skipped', seconds: 0 });
    expect(await playback.started).toBeNull();
  });

  it('skips an utterance that waits for the connection, without opening it', async () => {
    const { sessions, lounge } = await openVoiceFixture();
    const session = sessions.join(lounge);
    const waiting = utteranceOf(() => packets);
    const playback = session.enqueue(waiting, by());
    session.skip();
    expect(await playback.finished).toEqual({ ended: 'skipped', seconds: 0 });
    expect(waiting.calls).toEqual(['prepare', 'cancel']);
  });

  it('stops all utterances, returns how many there were, and stays', async () => {
    const { sessions, lounge, listen } = await openVoiceFixture();
    const receiver = await listen('Robin');
    const session = sessions.join(lounge);
    expect(session.skip()).toBe(false);
    expect(session.stop()).toBe(0);
    const utterances = [0, 1, 2].map(() => utteranceOf(() => packets));
    const playbacks = utterances.map((utterance) => session.enqueue(utterance, by()));
    await receiver.heard(3);
    expect(session.stop()).toBe(3);
    const outcomes = await Promise.all(playbacks.map(({ finished }) => finished));
    expect(outcomes.map(({ ended }) => ended)).toEqual(['stopped', 'stopped', 'stopped']);
    expect(outcomes.slice(1).map(({ seconds }) => seconds)).toEqual([0, 0]);
    expect(utterances[2]?.calls).toEqual(['cancel']);
    expect(await say(session, () => packets).finished).toEqual({ ended: 'played', seconds: 0.4 });
  });
});

describe('a session', () => {
  it('moves to another channel when silent, and is busy otherwise', async () => {
    const { sessions, lounge, workshop, listen } = await openVoiceFixture();
    const there = await listen('Robin', workshop);
    const here = await listen('Sam', lounge);
    const session = sessions.join(lounge);
    const playback = say(session, () => packets);
    expect(() => sessions.join(workshop)).toThrow(expect.objectContaining({ kind: 'busy' }));
    await playback.finished;
    expect(sessions.join(workshop)).toBe(session);
    expect(session.channelId).toBe(workshop.id);
    expect(await say(session, () => packets).finished).toEqual({ ended: 'played', seconds: 0.4 });
    await there.heard(20);
    expect(opusOf(there.sound)).toEqual(bytesOf(packets));
    expect(here.sound).toHaveLength(20);
    expect(there.stats()).toMatchObject({ plaintext: 0, undecryptable: 0 });
  });

  it('moves immediately, any number of times', async () => {
    const { sessions, lounge, workshop } = await openVoiceFixture();
    const session = sessions.join(lounge);
    for (let round = 0; round < 4; round++) {
      await session.ready;
      sessions.join(workshop);
      await session.ready;
      sessions.join(lounge);
    }
    await session.ready;
    expect(sessions.get(lounge.guildId)).toBe(session);
    expect(session.channelId).toBe(lounge.id);
  });

  it('leaves when idle for a while', async () => {
    const { client, sessions, lounge, listen } = await openVoiceFixture({ idleMs: 50 });
    await listen('Robin');
    const session = sessions.join(lounge);
    await say(session, () => packets).finished;
    for (;;) {
      const [, after] = await once(client, 'voiceStateUpdate');
      if (after.id === client.user.id && after.channelId === null) break;
    }
    expect(sessions.get(lounge.guildId)).toBeUndefined();
    const late = await say(session, () => packets).finished;
    expect(late).toMatchObject({ ended: 'failed', seconds: 0, cause: { kind: 'disconnected' } });
    await expect(session.ready).rejects.toMatchObject({ kind: 'disconnected' });
  });

  it('leaves a while after the last listener has', async () => {
    const { sessions, lounge, listen } = await openVoiceFixture({ aloneMs: 50 });
    const receiver = await listen('Robin');
    const playback = say(sessions.join(lounge), async function* (signal) {
      yield* packets;
      await hang(signal);
    });
    await receiver.heard(3);
    await receiver.member.call('join_voice', { channel_id: null });
    expect((await playback.finished).ended).toBe('stopped');
    expect(sessions.get(lounge.guildId)).toBeUndefined();
  });

  it('plays on unsent while nobody is there, and is heard encrypted by a member who joins', async () => {
    const { sessions, lounge, listen } = await openVoiceFixture();
    const session = sessions.join(lounge);
    let receiver: Receiver | undefined;
    let rounds = 0;
    const playback = say(session, function* () {
      for (; (receiver?.sound.length ?? 0) <= 10; rounds++) yield* packets;
    });
    await playback.started;
    receiver = await listen('Robin');
    expect(await playback.finished).toEqual({ ended: 'played', seconds: (rounds * packets.length) / 50 });
    await receiver.heardSilence(5);
    expect(receiver.sound.length).toBeGreaterThan(10);
    expect(receiver.stats()).toMatchObject({ plaintext: 0, undecryptable: 0 });
  });

  it('is heard by a second member who joins in mid-play, and by the first one without a break', async () => {
    const { sessions, lounge, listen } = await openVoiceFixture();
    const first = await listen('Robin');
    let second: Receiver | undefined;
    let rounds = 0;
    const playback = say(sessions.join(lounge), function* () {
      for (; (second?.sound.length ?? 0) <= 10; rounds++) yield* packets;
    });
    await first.heard(10);
    second = await listen('Sam');
    await playback.finished;
    const all = Array.from({ length: rounds }, () => packets).flat();
    await first.heard(all.length);
    expect(opusOf(first.sound)).toEqual(bytesOf(all));
    await second.heardSilence(5);
    expect(second.sound.length).toBeGreaterThan(10);
    expect(second.stats()).toMatchObject({ plaintext: 0, undecryptable: 0 });
    expect(first.stats()).toMatchObject({ plaintext: 0, undecryptable: 0, lost: 0 });
  });
});

describe('closing', () => {
  it('lets the current utterance finish with its silence, and drops the rest', async () => {
    const { sessions, lounge, workshop, listen } = await openVoiceFixture();
    const receiver = await listen('Robin');
    const session = sessions.join(lounge);
    const first = say(session, () => packets);
    const second = say(session, () => packets);
    await receiver.heard(3);
    await sessions.close({ drain: 30_000 });
    expect(await first.finished).toEqual({ ended: 'played', seconds: 0.4 });
    expect(await second.finished).toMatchObject({ ended: 'failed', seconds: 0, cause: { kind: 'closing' } });
    await receiver.heardSilence(5);
    expect(opusOf(receiver.sound)).toEqual(bytesOf(packets));
    expect(sessions.get(lounge.guildId)).toBeUndefined();
    expect(() => sessions.join(workshop)).toThrow(expect.objectContaining({ kind: 'disconnected' }));
  });

  it('waits no longer than asked', async () => {
    const { sessions, lounge, listen } = await openVoiceFixture();
    await listen('Robin');
    const playback = say(sessions.join(lounge), async function* (signal) {
      yield* packets;
      await hang(signal);
    });
    await playback.started;
    await sessions.close({ drain: 50 });
    expect(await playback.finished).toMatchObject({ ended: 'failed', cause: { kind: 'closing' } });
  });

  it('ends everything at once without a drain time', async () => {
    const { sessions, lounge, listen } = await openVoiceFixture();
    await listen('Robin');
    const session = sessions.join(lounge);
    const playbacks = [0, 1].map(() => say(session, () => packets));
    await playbacks[0]?.started;
    await sessions.close();
    const outcomes = await Promise.all(playbacks.map(({ finished }) => finished));
    const closing = { ended: 'failed', cause: { kind: 'closing' } };
    expect(outcomes).toMatchObject([closing, closing]);
    expect(outcomes[0]?.seconds).toBeLessThan(0.4);
  });
});
