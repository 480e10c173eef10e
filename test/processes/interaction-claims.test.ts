// Which process answers an event that several receive, and which may speak in a voice channel.
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createLog } from '../../src/log.ts';
import { createInteractionClaims, createVoiceClaims } from '../../src/processes/claims.ts';
import { openSqliteStore, type Store, StoreError } from '../../src/store/index.ts';

const facts = { host: 'here', pid: 1, startedAt: 0, guilds: 0, speaking: 0, outage: null, settings: {}, commands: '', cache: null };
const event = { id: '1', guildId: null };
const wait = { interval: 10 };

let store: Store;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  store = openSqliteStore(':memory:');
});
afterEach(() => store.close());

/** A process with the only shard or without it, whose connection to the store can be cut. */
function join(id: string, has = false) {
  const state = { has, isCut: false, refused: 0 };
  const refuse = () => {
    state.refused++;
    return Promise.reject(new StoreError('cut'));
  };
  const own = new Proxy(store, {
    get: (target, name) => (state.isCut ? refuse : Reflect.get(target, name)),
  });
  const process = { id, shardCount: 1, shards: [], most: null, isLeaving: false, offers: [], facts };
  const leases = { id, has: () => state.has, processes: async () => [process] };
  return {
    state,
    answers: createInteractionClaims(own, { leases, shardCount: 1, log: createLog('silent') }),
    enterVoice: createVoiceClaims(own, { leases, shardCount: 1 }).permit,
  };
}

describe('an event', () => {
  it('is answered by the process that has the shard, and not once more by the one that gets it next', async () => {
    const [first, second] = [join('first', true), join('second')];
    expect(await Promise.all([first.answers(event), second.answers(event)])).toEqual([true, false]);
    second.state.has = true;
    expect(await second.answers(event)).toBe(false);
    expect(await first.answers(event)).toBe(false);
  });

  it('is answered by the process that gets the shard, if it arrives during a handoff', async () => {
    const [first, second] = [join('first'), join('second')];
    await store.set('shard:0', { process: 'second', token: 1 });
    const answered = Promise.all([first.answers(event), second.answers(event)]);
    second.state.has = true;
    expect(await answered).toEqual([false, true]);
  });

  it('is answered after the store was gone, as soon as the shard is certain again', async () => {
    const only = join('only');
    only.state.isCut = true;
    const answered = only.answers(event);
    only.state.isCut = false;
    only.state.has = true;
    expect(await answered).toBe(true);
    expect(await only.answers(event)).toBe(false);
  });

  it('is answered without the store: at once by the process that has the shard, late by others', async () => {
    const [sure, unsure] = [join('sure', true), join('unsure')];
    for (const { state } of [sure, unsure]) state.isCut = true;
    const late = unsure.answers(event);
    expect(await sure.answers(event)).toBe(true);
    await expect.poll(() => unsure.state.refused, wait).toBeGreaterThan(1);
    vi.advanceTimersByTime(2_000);
    expect(await late).toBe(true);
  });

  it('is answered although the store takes no leases, as it is full, unless another process has the shard', async () => {
    const full = new Proxy(store, {
      get: (target, name) => (name === 'get' ? target.get : () => Promise.reject(new StoreError('full'))),
    });
    const answers = createInteractionClaims(full, { leases: { id: 'one', has: () => false }, shardCount: 1, log: createLog('silent') });
    const answerLate = async () => {
      const answered = answers(event);
      vi.advanceTimersByTime(2_000);
      return answered;
    };
    expect(await answerLate()).toBe(true);
    await store.set('shard:0', { process: 'other', token: 1 });
    expect(await answerLate()).toBe(false);
  });

  it('is left to the other process if the store is back before this one gives up waiting', async () => {
    const [sure, unsure] = [join('sure', true), join('unsure')];
    unsure.state.isCut = true;
    const answered = unsure.answers(event);
    expect(await sure.answers(event)).toBe(true);
    unsure.state.isCut = false;
    expect(await answered).toBe(false);
  });
});

describe('a voice channel', () => {
  it('is free for the next process, although the store was gone when the first one left', async () => {
    const first = join('1', true);
    const guildId = '100000000000000000';
    const leave = await first.enterVoice(guildId, new AbortController().signal);
    first.state.isCut = true;
    leave();
    await expect.poll(() => first.state.refused, wait).toBeGreaterThan(0);
    first.state.isCut = false;
    await expect.poll(() => store.get(`voice:${guildId}`), wait).toBeNull();
  });
});
