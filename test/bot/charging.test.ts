// What a failed call costs: it counts towards the daily budget and the usage only if the service may have charged for it.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { memberBudgetKey } from '../../src/charging/index.ts';
import { en } from '../../src/locales/index.ts';
import {
  answer,
  answerJson,
  answerToFree,
  type Behaviour,
  cut,
  hang,
  type MisbehavingService,
  reset,
  startMisbehavingService,
} from '../helpers/misbehaving-service.ts';
import { type Parley, startParley } from '../helpers/parley.ts';

const TEXT = 'Seventeen letters.';
const DAY_MS = 24 * 3600_000;

let service: MisbehavingService;
let parley: Parley;
/** Waits for answers only for so short a time that any may be too late. */
let hasty: Parley;
let behave: Behaviour = hang;

beforeAll(async () => {
  service = await startMisbehavingService((request, response) => {
    (answerToFree(request.url) ?? behave)(request, response);
  });
  const options = { service: { url: service.url, key: 'key' }, retries: { firstDelay: 1 }, breaker: { failures: 1000 } };
  [parley, hasty] = await Promise.all([startParley(options), startParley({ ...options, timeouts: { headers: 300, download: 300 } })]);
  await Promise.all([parley.member.listen(), hasty.member.listen()]);
});

afterAll(async () => {
  await parley?.close();
  await hasty?.close();
  await service?.close();
});

/** Characters taken from Robin's budget today. */
async function spentIn({ member, store }: Parley): Promise<number> {
  const key = memberBudgetKey(Math.floor(Date.now() / DAY_MS), 'speech', member.client.userId);
  return Number((await store.get(key)) ?? 0);
}

it.each<[string, Behaviour, number, number]>([
  ['is reset once it has all of the request', reset, 1, TEXT.length],
  ['is not answered in time', hang, 1, TEXT.length],
  ['breaks off before there is a sound', cut(10), 1, TEXT.length],
  ['is answered by something that is no sound', answerJson(200, { ok: true }), 1, TEXT.length],
  ['is refused', answerJson(422, []), 1, 0],
  ['is refused for now, three times', answer(503, 'busy'), 3, 0],
])('a /say whose call %s costs what the service may have charged', async (_, behaviour, calls, cost) => {
  behave = behaviour;
  const where = behaviour === hang ? hasty : parley;
  const before = await spentIn(where);
  const requestCount = service.requests.filter(({ url }) => url === '/v1/tts').length;
  const ways = [{}, { send_as: 'message' }, { send_as: 'file' }];
  await Promise.all(
    ways.map(async (options) => {
      const said = await where.member.run('say', { text: TEXT, ...options });
      expect((await said.sentence()).includes(en('errors.maybeCharged'))).toBe(cost > 0);
    }),
  );
  await expect.poll(() => spentIn(where)).toBe(before + ways.length * cost);
  expect(service.requests.filter(({ url }) => url === '/v1/tts')).toHaveLength(requestCount + ways.length * calls);
});

it('a /say without a connection to the service costs nothing', async () => {
  const before = await spentIn(parley);
  await service.close();
  const said = await parley.member.run('say', { text: TEXT });
  expect(await said.sentence()).toContain('can’t reach the voice service');
  await expect.poll(() => spentIn(parley)).toBe(before);
});
