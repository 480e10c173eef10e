// What a process writes into its log while it can't use the store.
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { createInteractionClaims } from '../../src/processes/claims.ts';
import { createIdentifyThrottler, createSessionLimit } from '../../src/processes/identify-throttler.ts';
import { createPeerRpc } from '../../src/processes/peer-rpc.ts';
import { createRegisterOnce } from '../../src/processes/registration.ts';
import { openSqliteStore, StoreError } from '../../src/store/index.ts';

const leases = { id: 'here', has: () => true, processes: async () => [] };

/** A store that is gone, and what is logged meanwhile. */
function openGoneStore() {
  const store = openSqliteStore(':memory:');
  const closing = new AbortController();
  onTestFinished(() => {
    closing.abort();
    return store.close();
  });
  const state = { isGone: true, refused: 0 };
  const refuse = () => {
    state.refused++;
    return Promise.reject(new StoreError('the store failed', { cause: new Error('WRONGPASS') }));
  };
  const own = new Proxy(store, { get: (target, name) => (state.isGone ? refuse : Reflect.get(target, name)) });
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(JSON.parse(line)) });
  return { store: own, log, signal: closing.signal, state, lines };
}

type Gone = ReturnType<typeof openGoneStore>;

const things: [what: string, start: (gone: Gone) => Promise<unknown>][] = [
  [
    'opens sessions',
    ({ store, log, signal }) => {
      const ask = async () => ({ total: 100, remaining: 100, reset_after: 3_600_000, max_concurrency: 1 });
      const limit = createSessionLimit({ store, log, shardCount: 1, ask, onLow: () => {} });
      return createIdentifyThrottler(store, { maxConcurrency: 1, limit, log }).waitForIdentify(0, signal);
    },
  ],
  [
    'registers commands',
    ({ store, log, signal }) => createRegisterOnce(store, { leases, commands: '', log })(async () => true, { signal, again: false }),
  ],
  [
    'serves other processes',
    ({ store, log, signal }) => {
      const served = Promise.withResolvers<void>();
      const end = createPeerRpc(store, { id: 'here', log }).serve(async () => {
        served.resolve();
        return null;
      });
      signal.addEventListener('abort', end);
      return served.promise;
    },
  ],
];

it.each(things)('a process that %s says once that the store is gone, and why, and continues when it is back', async (_, start) => {
  const gone = openGoneStore();
  const done = start(gone);
  await expect.poll(() => gone.state.refused, { interval: 10 }).toBeGreaterThan(1);
  gone.state.isGone = false;
  await gone.store.set('question:here:1', 'a question');
  await done;
  expect(gone.lines).toEqual([expect.objectContaining({ reason: 'StoreError: the store failed', cause: 'WRONGPASS' })]);
});

it('a process that answers without a claim says once why', async () => {
  const { store, log, lines } = openGoneStore();
  const isOurs = createInteractionClaims(store, { leases, shardCount: 1, log });
  for (const id of ['1', '2']) expect(await isOurs({ id, guildId: null })).toBe(true);
  expect(lines).toEqual([expect.objectContaining({ reason: 'StoreError: the store failed', cause: 'WRONGPASS' })]);
});
