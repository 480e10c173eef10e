// The account over real sockets: prices, polls that do not delay calls, and credit that is used up.
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Api, ApiError, createApi } from '../../src/api/index.ts';
import { type AccountTiming, type CreditAlert, openAccount, type Prices, readPrices } from '../../src/charging/index.ts';
import { readConfig } from '../../src/config.ts';
import { localPrices } from '../../src/local/voice-service/money.ts';
import { createLog, type Log } from '../../src/log.ts';
import { openSqliteStore, type Store, StoreError } from '../../src/store/index.ts';
import {
  answerAudio,
  answerJson,
  type Behaviour,
  hang,
  type MisbehavingService,
  startMisbehavingService,
} from '../helpers/misbehaving-service.ts';
import { startTestVoiceService } from '../helpers/voice-service.ts';

const PRICES: Prices = localPrices;
const AT_ONCE: Partial<AccountTiming> = { settleMs: 0, pollMs: 5 };

let store: Store;
beforeEach(() => {
  store = openSqliteStore(':memory:');
});
afterEach(() => store.close());

/** Reads the speech to its end. */
async function speak(api: Api, text: string): Promise<void> {
  const { audio } = await api.speak({ text });
  for await (const _ of audio);
}

const wallet = (credit: string) => ({ _id: 'w', user_id: 'me', credit, created_at: null, updated_at: null });
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );

/** A service whose behaviour on each path can be changed at any time. */
async function startService(paths: {
  tts?: Behaviour;
  wallet?: Behaviour;
}): Promise<MisbehavingService & { paths: typeof paths; seen(path: string): number }> {
  const service = await startMisbehavingService((request, response) => {
    const behave = request.url?.startsWith('/wallet') ? paths.wallet : paths.tts;
    (behave ?? answerJson(200, wallet('10')))(request, response);
  });
  onTestFinished(() => service.close());
  const seen = (path: string) => service.requests.filter(({ url }) => url.startsWith(path)).length;
  return Object.assign(service, { paths, seen });
}

async function open(
  service: { url: string; key?: string },
  options: { timing?: Partial<AccountTiming>; prices?: Prices; log?: Log; concurrency?: number; now?: () => number } = {},
) {
  const { log = createLog('silent'), concurrency = 5, prices = PRICES, ...others } = options;
  const api = createApi({ baseUrl: service.url, apiKey: service.key ?? 'key', concurrency, retries: { attempts: 1 } });
  onTestFinished(() => api.close());
  const account = await openAccount({ api, store, service: 'test', log, prices, timing: AT_ONCE, ...others });
  const alerts: CreditAlert[] = [];
  const stop = account.start((alert) => alerts.push(alert));
  onTestFinished(stop);
  return { account, api: account.api, alerts, stop };
}

describe('prices', () => {
  it('say what an amount costs, which share of the balance that is, and what the balance pays for', async () => {
    const service = await startTestVoiceService({ credit: '10' });
    onTestFinished(() => service.close());
    const { account, api } = await open(service);
    await api.getCredit();
    await speak(api, 'a few words, '.repeat(10));
    const left = Number((await api.getCredit()).credit);
    // The local service's actual charge.
    expect(10 - left).toBeCloseTo(account.costOf({ kind: 'speech', billed: 130 }) ?? 0, 9);
    expect(account.affordable('speech')).toBeCloseTo(left / 0.000015, 0);
    expect(account.affordable('transcription')).toBeCloseTo(left / 0.0001, 3);
    expect(account.shareOfBalance({ kind: 'speech', billed: 100_000 })).toBeCloseTo(1.5 / left, 9);
    expect(account.shareOfBalance({ kind: 'speech', billed: 10 ** 9 })).toBe(1);
  });

  it('of a free model take no share of the balance, not even of an empty one', async () => {
    const service = await startService({ wallet: answerJson(200, wallet('0')) });
    const prices = readPrices(readConfig({ VOICE_MODEL: 's2.1-pro-free', PRICE_PER_HOUR: '0.36' }));
    const { account } = await open(service, { prices });
    await account.api.getCredit();
    expect(account.shareOfBalance({ kind: 'speech', billed: 1000 })).toBe(0);
    expect(account.shareOfBalance({ kind: 'transcription', billed: 1 })).toBe(1);
  });

  it('are unknown unless the operator has set them', async () => {
    const service = await startService({});
    const { account, api } = await open(service, { prices: readPrices(readConfig({})) });
    await api.getCredit();
    expect(account.costOf({ kind: 'speech', billed: 1000 })).toBeNull();
    expect(account.shareOfBalance({ kind: 'speech', billed: 1000 })).toBeNull();
    expect(account.affordable('transcription')).toBeNull();
  });
});

it('polls the balance far less often than it is called', async () => {
  const service = await startService({ tts: answerAudio() });
  const { api } = await open(service, { timing: { settleMs: 5, pollMs: 60_000 }, concurrency: 10 });
  await expect.poll(() => service.seen('/wallet')).toBe(1);
  for (let round = 0; round < 10; round++) await Promise.all(Array.from({ length: 10 }, () => speak(api, 'abc')));
  expect(service.seen('/wallet')).toBe(1);
});

it('polls the balance after a call whose sound was not read to its end', async () => {
  const service = await startService({ tts: answerAudio() });
  const { api } = await open(service, { timing: AT_ONCE });
  await expect.poll(() => service.seen('/wallet')).toBe(1);
  const { audio } = await api.speak({ text: 'left early' });
  const polls = service.seen('/wallet');
  await audio[Symbol.asyncIterator]().return?.();
  await expect.poll(() => service.seen('/wallet')).toBeGreaterThan(polls);
});

it('does not take a balance seen during calls for the level of the wallet', async () => {
  const held = Promise.withResolvers<void>();
  let credit = '100';
  const service = await startService({
    tts: (request, response) => void held.promise.then(() => answerAudio()(request, response)),
    wallet: (request, response) => answerJson(200, wallet(credit))(request, response),
  });
  const { account, api, alerts } = await open(service);
  await expect.poll(() => account.usedSinceTopUp().share).toBe(0);
  const call = speak(api, 'words');
  await expect.poll(() => service.seen('/v1')).toBe(1);
  // The service holds back more than the call costs in the end.
  credit = '40';
  await api.getCredit();
  expect(account.usedSinceTopUp().share).toBe(0);
  credit = '90';
  held.resolve();
  await call;
  await expect.poll(() => account.usedSinceTopUp().share).toBeCloseTo(0.1);
  expect(alerts).toEqual([]);
});

describe('a poll of the balance', () => {
  it('now and then sees what others have spent or paid in, without any call', async () => {
    const service = await startService({ wallet: answerJson(200, wallet('100')) });
    const { account } = await open(service, { timing: { ...AT_ONCE, idleMs: 20 } });
    await expect.poll(() => service.seen('/wallet')).toBeGreaterThan(5);
    service.paths.wallet = answerJson(200, wallet('25'));
    await expect.poll(() => account.usedSinceTopUp().share).toBe(0.75);
  });

  it('lets calls go first when the concurrency is reached', async () => {
    const held = Promise.withResolvers<void>();
    const service = await startService({ tts: (request, response) => void held.promise.then(() => answerAudio()(request, response)) });
    const { api } = await open(service, { concurrency: 1 });
    await expect.poll(() => service.seen('/wallet')).toBe(1);
    const first = speak(api, 'one');
    await service.request(2);
    const look = api.getCredit({ priority: 'background' });
    const second = speak(api, 'two');
    held.resolve();
    await Promise.all([first, second, look]);
    expect(service.requests.slice(1, 4).map(({ url }) => url.split('/')[1])).toEqual(['v1', 'v1', 'wallet']);
  });

  it('that fails or never ends disturbs no call, and is logged once', async () => {
    const service = await startService({ tts: answerAudio(), wallet: answerJson(500, { status: 500, message: 'no' }) });
    const log = createLog('silent');
    const warn = vi.spyOn(log, 'warn');
    const { account, api } = await open(service, { log });
    for (let call = 1; call <= 3; call++) {
      await speak(api, 'words');
      await expect.poll(() => service.seen('/wallet')).toBeGreaterThan(call);
    }
    expect(warn).toHaveBeenCalledTimes(1);
    service.paths.wallet = hang;
    await speak(api, 'words');
    expect(account.affordable('speech')).toBeNull();
    expect(account.shareOfBalance({ kind: 'speech', billed: 1 })).toBeNull();
  });
});

describe('credit that is used up', () => {
  const refusal = answerJson(402, { status: 402, message: 'no credit' });

  it('is discovered once; then calls are refused from memory until credit is seen, and operators are alerted once', async () => {
    const service = await startService({ tts: refusal, wallet: answerJson(200, wallet('0')) });
    const log = createLog('silent');
    const [warn, error] = [vi.spyOn(log, 'warn'), vi.spyOn(log, 'error')];
    const { account, api, alerts } = await open(service, { log });
    for (let call = 0; call < 20; call++) expect(await failure(speak(api, 'words'))).toMatchObject({ kind: 'credit', status: 402 });
    expect(await failure(api.transcribe({ audio: new Uint8Array(10) }))).toBeInstanceOf(ApiError);
    expect(service.seen('/v1')).toBe(1);
    expect(account.isUsedUp()).toBe(true);
    await expect.poll(() => alerts).toEqual([{ kind: 'usedUp' }]);
    expect([warn.mock.calls.length, error.mock.calls.length]).toEqual([1, 0]);
    // A top-up is noticed by the polls after the next calls, which are still refused.
    service.paths.tts = answerAudio();
    service.paths.wallet = answerJson(200, wallet('5'));
    await expect
      .poll(async () => {
        await failure(speak(api, 'words'));
        return account.isUsedUp();
      })
      .toBe(false);
    await speak(api, 'words');
    expect(alerts).toEqual([{ kind: 'usedUp' }]);
  });

  it('is tried again after a while if the balance cannot be read', async () => {
    let clock = Date.UTC(2030, 0, 1);
    const service = await startService({ tts: refusal, wallet: answerJson(403, { status: 403, message: 'no' }) });
    const { api, alerts } = await open(service, { timing: { ...AT_ONCE, refuseMs: 60_000 }, now: () => clock });
    await failure(speak(api, 'words'));
    clock += 59_999;
    await failure(speak(api, 'words'));
    expect(service.seen('/v1')).toBe(1);
    clock += 1;
    service.paths.tts = answerAudio();
    await speak(api, 'words');
    expect(alerts).toEqual([{ kind: 'usedUp' }]);
  });

  it('does not prevent a short text if only a long one is too expensive', async () => {
    const service = await startService({
      tts: (request, response) => (Number(request.headers['content-length']) > 200 ? refusal : answerAudio())(request, response),
      wallet: answerJson(200, wallet('0.001')),
    });
    const { account, api } = await open(service);
    expect(await failure(speak(api, 'long '.repeat(100)))).toMatchObject({ kind: 'credit' });
    await expect.poll(() => account.isUsedUp()).toBe(false);
    await speak(api, 'short');
  });
});

describe('without credit, but with a model that speaks for free', () => {
  /** Speaks, and refuses recordings. */
  const startFree = () =>
    startService({
      tts: (request, response) =>
        (request.url === '/v1/asr' ? answerJson(402, { status: 402, message: 'no credit' }) : answerAudio())(request, response),
      wallet: answerJson(200, wallet('0')),
    });
  const transcribe = (api: Api) => api.transcribe({ audio: new Uint8Array(10) });

  it('speech goes on while recordings are refused from memory, and operators are alerted once', async () => {
    const service = await startFree();
    const { account, api, alerts } = await open(service);
    for (let call = 1; call <= 3; call++) {
      expect(await failure(transcribe(api))).toMatchObject({ kind: 'credit' });
      await speak(api, 'words');
    }
    expect([account.isUsedUp('speech'), account.isUsedUp('transcription'), account.isUsedUp()]).toEqual([false, true, true]);
    expect(service.seen('/v1/asr')).toBe(1);
    await expect.poll(() => alerts).toEqual([{ kind: 'usedUp' }]);
  });

  it('so it does in other processes, and after a restart', async () => {
    const service = await startFree();
    const first = await open(service);
    await first.api.getCredit();
    await failure(transcribe(first.api));
    await expect.poll(() => first.alerts).toHaveLength(1);
    const other = await open(service);
    await other.api.getCredit();
    await speak(other.api, 'words');
    expect(await failure(transcribe(other.api))).toMatchObject({ kind: 'credit' });
    expect(service.seen('/v1/asr')).toBe(1);
    // The free time of the model is over.
    service.paths.tts = answerJson(402, { status: 402, message: 'no credit' });
    await failure(speak(other.api, 'words'));
    await expect.poll(() => store.get('account:test:level')).toMatchObject({ alertedAt: 100, speaks: false });
    expect([...first.alerts, ...other.alerts]).toEqual([{ kind: 'usedUp' }]);
  });
});

describe('a service that books calls later', () => {
  const BOOKED_MS = 35_000;

  it('counts what calls have cost at once, for 35 s at most, and never twice', async () => {
    let clock = Date.parse('2026-11-01T12:00:04Z');
    const now = () => clock;
    const service = await startTestVoiceService({ credit: '10', like: 'hosted', now });
    onTestFinished(() => service.close());
    await store.close();
    store = openSqliteStore(':memory:', now);
    const timing = { settleMs: BOOKED_MS, pollMs: 60_000, idleMs: 600_000 };
    const [one, other] = [await open(service, { timing, now }), await open(service, { timing, now })];
    const left = async ({ account, api }: typeof one) => Number((await api.getCredit()).credit) - account.unbooked();
    expect(await left(one)).toBe(10);
    await speak(one.api, 'a few words, '.repeat(10));
    const cost = one.account.costOf({ kind: 'speech', billed: 130 }) ?? 0;
    expect((await one.api.getCredit()).credit).toBe('10.000000');
    for (const account of [one, other]) await expect.poll(() => left(account)).toBeCloseTo(10 - cost, 9);
    // Booked, though it may still be on its way for all that is known here.
    clock += 27_000;
    expect((await one.api.getCredit()).credit).toBe((10 - cost).toFixed(6));
    for (const account of [one, other]) expect(await left(account)).toBeCloseTo(10 - cost, 9);
    clock += 9_000;
    expect(await left(other)).toBeCloseTo(10 - cost, 9);
    expect(other.account.unbooked()).toBe(0);
  });

  it('alerts once the balance shows what calls have cost, or, where prices are unknown, once it must', async () => {
    let clock = Date.UTC(2030, 0, 1);
    let credit = '100';
    const service = await startService({
      tts: answerAudio(),
      wallet: (request, response) => answerJson(200, wallet(credit))(request, response),
    });
    const timing = { settleMs: BOOKED_MS, pollMs: 60_000 };
    const { api, alerts, account } = await open(service, { timing, now: () => clock, prices: readPrices(readConfig({})) });
    await expect.poll(() => account.usedSinceTopUp().share).toBe(0);
    await speak(api, 'words');
    credit = '40';
    clock += BOOKED_MS - 1;
    await api.getCredit();
    expect(alerts).toEqual([]);
    clock += 1;
    await api.getCredit();
    expect(alerts).toEqual([{ kind: 'used', percent: 50, left: '40' }]);
    const priced = await open(service, { timing, now: () => clock, prices: { perMillionBytes: 1_000_000, perHour: 1 } });
    await priced.api.getCredit();
    await speak(priced.api, 'twenty!'.padEnd(20, '!'));
    credit = '25';
    clock += 2_000;
    await priced.api.getCredit();
    expect(priced.alerts).toEqual([]);
    expect(priced.account.unbooked()).toBeCloseTo(5, 9);
    credit = '20';
    await priced.api.getCredit();
    expect(priced.alerts).toEqual([{ kind: 'used', percent: 75, left: '20' }]);
  });

  it.each([null, 7, 'nonsense', { cost: 'much' }, { cost: -5, balance: 1, at: 1 }, { cost: 1e9, balance: {}, at: 'now' }])(
    'ignores %j where a call should be stored',
    async (nonsense) => {
      const service = await startService({});
      await store.set('unbooked:test:1', nonsense as never);
      const { account, api } = await open(service, { timing: { settleMs: BOOKED_MS } });
      await api.getCredit();
      expect(account.unbooked()).toBe(0);
    },
  );
});

it('alerts at 50 and 90 % once, even across a restart', async () => {
  let credit = '100';
  const service = await startService({
    tts: answerAudio(),
    wallet: (request, response) => answerJson(200, wallet(credit))(request, response),
  });
  const first = await open(service);
  await first.api.getCredit();
  credit = '49.5';
  await first.api.getCredit();
  await first.api.getCredit();
  await first.stop();
  const second = await open(service);
  await second.api.getCredit();
  credit = '3';
  await Promise.all([second.api.getCredit(), second.api.getCredit()]);
  await second.stop();
  expect(first.alerts).toEqual([{ kind: 'used', percent: 50, left: '49.5' }]);
  expect(second.alerts).toEqual([{ kind: 'used', percent: 90, left: '3' }]);
  expect(second.account.usedSinceTopUp().share).toBeCloseTo(0.97);
});

it('alerts once if several processes share the account', async () => {
  let credit = '100';
  const service = await startService({ wallet: (request, response) => answerJson(200, wallet(credit))(request, response) });
  const all = [await open(service), await open(service), await open(service)];
  for (const { api } of all) await api.getCredit();
  credit = '40';
  await Promise.all(all.map(({ api }) => api.getCredit()));
  credit = '5';
  await Promise.all(all.map(({ api }) => api.getCredit()));
  await Promise.all(all.map(({ stop }) => stop()));
  const alerts = all.flatMap((one) => one.alerts);
  // Each by whichever process noticed it first.
  expect(alerts.map((alert) => (alert.kind === 'used' ? alert.percent : alert.kind)).sort()).toEqual([50, 90]);
});

it('alerts once if several processes notice while the store is gone, as soon as it is back', async () => {
  let credit = '100';
  let isGone = false;
  store = new Proxy(store, {
    get: (target, name) => (isGone ? () => Promise.reject(new StoreError('gone')) : Reflect.get(target, name)),
  });
  const service = await startService({ wallet: (request, response) => answerJson(200, wallet(credit))(request, response) });
  const all = [await open(service), await open(service)];
  for (const { api } of all) await api.getCredit();
  credit = '40';
  isGone = true;
  await Promise.all(all.map(({ api }) => api.getCredit()));
  isGone = false;
  await Promise.all(all.map(({ api }) => api.getCredit()));
  await Promise.all(all.map(({ stop }) => stop()));
  expect(all.flatMap((one) => one.alerts)).toEqual([{ kind: 'used', percent: 50, left: '40' }]);
});

describe('several processes that share the account', () => {
  /** The service, with a balance that can be changed, and two processes. */
  async function openTwo() {
    const state = { credit: '100' };
    const service = await startService({ wallet: (request, response) => answerJson(200, wallet(state.credit))(request, response) });
    const [one, other] = [await open(service), await open(service)];
    for (const { api } of [one, other]) await api.getCredit();
    const stop = () => Promise.all([one.stop(), other.stop()]);
    return { state, service, one, other, stop };
  }

  it('know of a top-up that only one of them has seen', async () => {
    const { state, one, other } = await openTwo();
    state.credit = '300';
    await one.api.getCredit();
    state.credit = '270';
    await other.api.getCredit();
    expect(other.account.usedSinceTopUp().share).toBeCloseTo(0.1);
    await one.api.getCredit();
    expect(one.account.usedSinceTopUp()).toEqual(other.account.usedSinceTopUp());
  });

  it('do not take a balance that another has seen since for a top-up', async () => {
    const { state, service, one, other, stop } = await openTwo();
    const late = Promise.withResolvers<void>();
    state.credit = '40';
    service.paths.wallet = (request, response) => void late.promise.then(() => answerJson(200, wallet('40'))(request, response));
    const seen = service.seen('/wallet');
    const look = one.api.getCredit();
    await service.request(seen + 1);
    service.paths.wallet = answerJson(200, wallet('20'));
    await other.api.getCredit();
    late.resolve();
    await look;
    await other.api.getCredit();
    expect(other.account.usedSinceTopUp().share).toBeCloseTo(0.8);
    await stop();
    expect([...one.alerts, ...other.alerts]).toEqual([{ kind: 'used', percent: 75, left: '20' }]);
  });

  it('refuse calls once one of them has found the credit used up', async () => {
    const { service, one, other } = await openTwo();
    service.paths.tts = answerJson(402, { status: 402, message: 'no credit' });
    service.paths.wallet = answerJson(200, wallet('0'));
    await one.api.getCredit();
    await failure(speak(one.api, 'words'));
    await expect.poll(() => one.alerts.at(-1)).toEqual({ kind: 'usedUp' });
    await other.api.getCredit();
    expect(other.account.isUsedUp()).toBe(true);
    const asked = service.seen('/v1');
    expect(await failure(speak(other.api, 'words'))).toMatchObject({ kind: 'credit' });
    expect(service.seen('/v1')).toBe(asked);
  });
});
