// The account over real sockets: prices learnt from a real wallet, looks that are in nobody's way, and credit that is used up.
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Api, ApiError, createApi } from '../../src/api/index.ts';
import { type CreditNews, openAccount, type Pace } from '../../src/credit/index.ts';
import { createLog, type Log } from '../../src/log.ts';
import { openSqliteStore, type Store } from '../../src/store/index.ts';
import {
  answerAudio,
  answerJson,
  type Behaviour,
  hang,
  type MisbehavingService,
  startMisbehavingService,
} from '../helpers/misbehaving-service.ts';
import { startTestVoiceService } from '../helpers/voice-service.ts';

const AT_ONCE: Partial<Pace> = { settle: 0, look: 5 };

let store: Store;
beforeEach(() => {
  store = openSqliteStore(':memory:');
});
afterEach(() => store.close());

/** To its end. */
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

/** A service whose answers to each path can be changed at any time. */
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
  options: { pace?: Partial<Pace>; log?: Log; concurrency?: number; now?: () => number } = {},
) {
  const { log = createLog('silent'), concurrency = 5, ...others } = options;
  const api = createApi({ baseUrl: service.url, apiKey: service.key ?? 'key', concurrency, retries: { attempts: 1 } });
  onTestFinished(() => api.close());
  const account = await openAccount({ api, store, service: 'test', log, pace: AT_ONCE, ...others });
  const news: CreditNews[] = [];
  const stop = account.start((one) => news.push(one));
  onTestFinished(stop);
  return { account, api: account.api, news, stop };
}

describe('prices', () => {
  it('are learnt from ten calls, apart from others, and known after a restart', async () => {
    const service = await startTestVoiceService({ credit: '10' });
    onTestFinished(() => service.close());
    const { account, api, stop } = await open(service);
    for (let call = 0; call < 10; call++) {
      expect(account.worth('speech')).toMatchObject({ amount: null, samples: call, enough: 10 });
      expect(account.shareOfBalance({ kind: 'speech', amount: 100 })).toBeNull();
      await api.getCredit();
      await speak(api, 'a few words, '.repeat(call + 1));
      await api.getCredit();
    }
    const left = Number((await api.getCredit()).credit);
    // What the local service asks for a byte. It is not known to the bot.
    const price = 0.000015;
    expect(account.costOf({ kind: 'speech', amount: 1000 })).toBeCloseTo(1000 * price, 9);
    expect(account.worth('speech').amount).toBeCloseTo(left / price, 0);
    expect(account.shareOfBalance({ kind: 'speech', amount: 100_000 })).toBeCloseTo((100_000 * price) / left, 9);
    expect(account.shareOfBalance({ kind: 'speech', amount: 10 ** 9 })).toBe(1);
    expect(account.worth('transcription').amount).toBeNull();
    await stop();
    const { account: again, api: apiAgain } = await open(service);
    await apiAgain.getCredit();
    expect(again.worth('speech').amount).toBeCloseTo(left / price, 0);
  });

  it('are learnt beside many calls at once, with few looks, and without the calls that were left early', async () => {
    let balance = 10_000;
    const service = await startService({
      tts: (request, response) => {
        balance -= 3;
        answerAudio()(request, response);
      },
      wallet: (request, response) => answerJson(200, wallet(`${balance}`))(request, response),
    });
    const { account, api } = await open(service, { pace: { settle: 5, look: 20 }, concurrency: 10 });
    const samples = () => account.worth('speech').samples;
    await expect.poll(() => service.seen('/wallet')).toBe(1);
    for (let round = 1; round <= 10; round++) {
      await Promise.all(Array.from({ length: 10 }, () => speak(api, 'abc')));
      await expect.poll(samples).toBe(round);
      if (round !== 5) continue;
      const looks = service.seen('/wallet');
      const { audio } = await api.speak({ text: 'left early' });
      await audio[Symbol.asyncIterator]().return?.();
      await expect.poll(() => service.seen('/wallet')).toBeGreaterThan(looks);
      // Its window ends with the look that it brought about.
      await api.getCredit();
    }
    expect(account.costOf({ kind: 'speech', amount: 1 })).toBe(1);
    // One hundred and one calls.
    expect(service.seen('/wallet')).toBeLessThan(40);
  });
});

it('counts the seconds of what was transcribed, and nothing for what was refused', async () => {
  let balance = 100;
  const transcript = { text: 'x', duration: 2.5, segments: [] };
  const service = await startService({
    tts: (request, response) => {
      balance -= 5;
      answerJson(200, transcript)(request, response);
    },
    wallet: (request, response) => answerJson(200, wallet(`${balance}`))(request, response),
  });
  const { account, api } = await open(service);
  const pay = service.paths.tts;
  for (let call = 0; call < 10; call++) {
    await api.getCredit();
    await api.transcribe({ audio: new Uint8Array(100) });
    service.paths.tts = answerJson(422, []);
    await failure(api.transcribe({ audio: new Uint8Array(100) }));
    await failure(api.speak({ text: 'words' }));
    if (pay) service.paths.tts = pay;
    await api.getCredit();
  }
  expect(account.costOf({ kind: 'transcription', amount: 60 })).toBe(120);
  expect(account.worth('transcription').amount).toBe(25);
  expect(account.worth('speech').samples).toBe(0);
});

describe('a look at the balance', () => {
  it('lets calls go first where all places are taken', async () => {
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

  it('that fails or never ends disturbs no call, and is noted once', async () => {
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
    expect(account.worth('speech').amount).toBeNull();
    expect(account.shareOfBalance({ kind: 'speech', amount: 1 })).toBeNull();
  });
});

describe('credit that is used up', () => {
  const refusal = answerJson(402, { status: 402, message: 'no credit' });

  it('is asked for once; then calls are refused from memory until credit is seen, and operators are told once', async () => {
    const service = await startService({ tts: refusal, wallet: answerJson(200, wallet('0')) });
    const log = createLog('silent');
    const [warn, error] = [vi.spyOn(log, 'warn'), vi.spyOn(log, 'error')];
    const { account, api, news } = await open(service, { log });
    for (let call = 0; call < 20; call++) expect(await failure(speak(api, 'words'))).toMatchObject({ kind: 'credit', status: 402 });
    expect(await failure(api.transcribe({ audio: new Uint8Array(10) }))).toBeInstanceOf(ApiError);
    expect(service.seen('/v1')).toBe(1);
    expect(account.isOut()).toBe(true);
    await expect.poll(() => news).toEqual([{ kind: 'out' }]);
    expect([warn.mock.calls.length, error.mock.calls.length]).toEqual([1, 0]);
    // Topped up: seen beside the next calls, which are still refused, and without anybody's doing anything else.
    service.paths.tts = answerAudio();
    service.paths.wallet = answerJson(200, wallet('5'));
    await expect
      .poll(async () => {
        await failure(speak(api, 'words'));
        return account.isOut();
      })
      .toBe(false);
    await speak(api, 'words');
    expect(news).toEqual([{ kind: 'out' }]);
  });

  it('is tried again after a while where the balance cannot be seen', async () => {
    let clock = Date.UTC(2030, 0, 1);
    const service = await startService({ tts: refusal, wallet: answerJson(403, { status: 403, message: 'no' }) });
    const { api, news } = await open(service, { pace: { ...AT_ONCE, out: 60_000 }, now: () => clock });
    await failure(speak(api, 'words'));
    clock += 59_999;
    await failure(speak(api, 'words'));
    expect(service.seen('/v1')).toBe(1);
    clock += 1;
    service.paths.tts = answerAudio();
    await speak(api, 'words');
    expect(news).toEqual([{ kind: 'out' }]);
  });

  it('does not keep a short text from being spoken where only a long one is too dear', async () => {
    const service = await startService({
      tts: (request, response) => (Number(request.headers['content-length']) > 200 ? refusal : answerAudio())(request, response),
      wallet: answerJson(200, wallet('0.001')),
    });
    const { account, api } = await open(service);
    expect(await failure(speak(api, 'long '.repeat(100)))).toMatchObject({ kind: 'credit' });
    await expect.poll(() => account.isOut()).toBe(false);
    await speak(api, 'short');
  });
});

it('tells of 50 and 90 % once, also over a restart', async () => {
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
  expect(first.news).toEqual([{ kind: 'used', percent: 50, left: '49.5' }]);
  expect(second.news).toEqual([{ kind: 'used', percent: 90, left: '3' }]);
  expect(second.account.used().part).toBeCloseTo(0.97);
});
