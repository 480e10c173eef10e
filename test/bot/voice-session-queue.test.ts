// The queue of a session as members see it: the play order, removing utterances, and staying.
import { once } from 'node:events';
import { beforeAll, describe, expect, it } from 'vitest';
import { by, bytesOf, hang, openVoiceFixture, say, speechOf, type TestUtterance, utteranceOf } from '../helpers/voice-fixture.ts';

let packets: Uint8Array[];

beforeAll(async () => {
  packets = await speechOf(20);
});

describe('the queue of a session', () => {
  it('plays members in turn, and lists its items in play order', async () => {
    const { sessions, lounge, listen } = await openVoiceFixture();
    const receiver = await listen('Robin');
    const session = sessions.join(lounge);
    const before = Date.now();
    const enqueue = (id: string, memberId: string, frames: Uint8Array[]) =>
      session.enqueue(
        utteranceOf(() => frames),
        { id, memberId, label: { voice: `voice of ${id}`, text: null, seconds: null } },
      );
    const robins = ['r1', 'r2', 'r3'].map((id, index) => enqueue(id, 'robin', packets.slice(index * 5, index * 5 + 5)));
    const sam = enqueue('s1', 'sam', packets.slice(15));
    expect([...robins, sam].map(({ id, position }) => [id, position])).toEqual([
      ['r1', 0],
      ['r2', 1],
      ['r3', 2],
      ['s1', 1],
    ]);
    const items = session.items();
    expect(items.map(({ id, position, playing }) => [id, position, playing])).toEqual([
      ['r1', 0, true],
      ['s1', 1, false],
      ['r2', 2, false],
      ['r3', 3, false],
    ]);
    expect(items[1]).toMatchObject({ memberId: 'sam', label: { voice: 'voice of s1', text: null, seconds: null } });
    // It is measured by another clock, which may be a little off.
    for (const { queuedAt } of items) expect(Math.abs(queuedAt - before)).toBeLessThan(60_000);
    const places = await Promise.all([...robins, sam].map(({ next }) => next));
    // The first one never waited in line.
    expect(places).toEqual([false, true, true, true]);
    await Promise.all([...robins, sam].map(({ finished }) => finished));
    await receiver.heard(20);
    const heard = bytesOf(receiver.sound.map(({ opus }) => opus));
    expect(heard).toEqual(bytesOf([...packets.slice(0, 5), ...packets.slice(15), ...packets.slice(5, 15)]));
    expect(session.items()).toEqual([]);
  });

  it('plays what waited in another process first, if that is known before the channel is joined, and makes nothing twice', async () => {
    const permitted = Promise.withResolvers<() => void>();
    const { sessions, lounge, listen } = await openVoiceFixture({ permit: () => permitted.promise });
    const receiver = await listen('Robin');
    const session = sessions.join(lounge);
    const parts = [0, 5, 10, 15].map((from) => utteranceOf(() => packets.slice(from, from + 5)));
    const [later, earliest, earlier, stopped] = parts as [TestUtterance, TestUtterance, TestUtterance, TestUtterance];
    const said = [session.enqueue(later, { id: '103', memberId: 'robin' })];
    for (const [id, utterance] of [
      ['102', earlier],
      ['100', stopped],
      ['101', earliest],
    ] as const)
      said.push(session.enqueue(utterance, { id, memberId: 'robin', wasHandedOver: true }));
    expect(session.items().map(({ id, playing }) => [id, playing])).toEqual([
      ['100', true],
      ['101', false],
      ['102', false],
      ['103', false],
    ]);
    // It waits for the channel: nothing has to be interrupted.
    session.remove('100');
    expect(await said[2]?.finished).toEqual({ ended: 'stopped', seconds: 0 });
    permitted.resolve(() => {});
    expect(await Promise.all(said.map(({ finished }) => finished))).toMatchObject(
      ['played', 'played', 'stopped', 'played'].map((ended) => ({ ended })),
    );
    await receiver.heard(15);
    expect(bytesOf(receiver.sound.map(({ opus }) => opus))).toEqual(bytesOf([...packets.slice(5, 15), ...packets.slice(0, 5)]));
    for (const { calls } of [later, earliest, earlier]) expect(calls.filter((call) => call === 'open')).toHaveLength(1);
  });

  it('prepares an utterance that moves ahead of the one that was next', async () => {
    const { sessions, lounge, listen } = await openVoiceFixture();
    const receiver = await listen('Robin');
    const session = sessions.join(lounge);
    say(session, async function* (signal) {
      yield* packets;
      await hang(signal);
    });
    await receiver.heard(3);
    const [second, third] = [utteranceOf(() => packets), utteranceOf(() => packets)];
    session.enqueue(second, by('robin'));
    expect(second.calls).toEqual(['prepare']);
    const sam = session.enqueue(third, by('sam'));
    expect(sam.position).toBe(1);
    expect(third.calls).toEqual(['prepare']);
  });

  it('removes an utterance by its id, waiting or playing, and touches no other', async () => {
    const { sessions, lounge, listen } = await openVoiceFixture();
    const receiver = await listen('Robin');
    const session = sessions.join(lounge);
    const utterances = [0, 1, 2].map(() => utteranceOf(() => packets));
    const [first, second, third] = utterances.map((utterance) => session.enqueue(utterance, by()));
    await receiver.heard(3);
    expect(session.remove(second?.id ?? '')).toBe(true);
    expect(await second?.finished).toEqual({ ended: 'stopped', seconds: 0 });
    expect(utterances[1]?.calls.at(-1)).toBe('cancel');
    expect(session.skip(third?.id)).toBe(false);
    expect(session.skip(first?.id)).toBe(true);
    expect((await first?.finished)?.ended).toBe('skipped');
    expect(session.remove(first?.id ?? '')).toBe(false);
    await third?.started;
    expect(session.remove(third?.id ?? '')).toBe(true);
    expect((await third?.finished)?.ended).toBe('stopped');
    expect(session.items()).toEqual([]);
  });

  it('refuses an id that is queued already', async () => {
    const { sessions, lounge } = await openVoiceFixture();
    const session = sessions.join(lounge);
    const options = by();
    const playback = session.enqueue(
      utteranceOf(() => packets),
      options,
    );
    expect(() =>
      session.enqueue(
        utteranceOf(() => packets),
        options,
      ),
    ).toThrow(RangeError);
    await playback.finished;
    expect(session.length).toBe(0);
  });
});

describe('a session set to stay', () => {
  it('stays while idle and alone, until that is unset', async () => {
    const { client, sessions, lounge, listen } = await openVoiceFixture({ idleMs: 40, aloneMs: 40 });
    const session = sessions.join(lounge);
    session.setStay(true);
    const receiver = await listen('Robin');
    await say(session, () => packets).finished;
    await receiver.member.call('join_voice', { channel_id: null });
    // Far longer than it would have stayed otherwise.
    await expect.poll(() => session.state).toMatchObject({ status: 'ready', encrypted: false });
    await say(session, () => packets).finished;
    expect(session.stay).toBe(true);
    expect(sessions.all()).toEqual([session]);
    const left = (async () => {
      for (;;) {
        const [, after] = await once(client, 'voiceStateUpdate');
        if (after.id === client.user.id && after.channelId === null) return;
      }
    })();
    session.setStay(false);
    await left;
    expect(session.state).toMatchObject({ status: 'closed', cause: { kind: 'disconnected' } });
    expect(sessions.all()).toEqual([]);
  });
});

it('reports its status, since when, and the round trip to Discord', async () => {
  const { discord, sessions, lounge, listen } = await openVoiceFixture();
  discord.voice.faults.withholdDave = true;
  await listen('Robin');
  const began = Date.now();
  const session = sessions.join(lounge);
  expect(session.state).toMatchObject({ status: 'connecting', encrypted: false });
  await expect.poll(() => session.state.status).toBe('encrypting');
  discord.voice.faults.withholdDave = false;
  await session.ready;
  expect(session.state).toMatchObject({ status: 'ready', encrypted: true });
  expect(session.state.since).toBeGreaterThanOrEqual(began);
  await expect.poll(() => 'ping' in session.state && session.state.ping.udp).toBeGreaterThan(0);
  session.leave();
  expect(session.state).toMatchObject({ status: 'closed', encrypted: false, cause: { kind: 'disconnected' } });
});
