// Whole programs at a service like the hosted ones: which voice they name, and what they learn of its limits together.
import { afterEach, describe, expect, it } from 'vitest';
import { modelOnWire } from '../helpers/catalogue.ts';
import { filesOf, type Member } from '../helpers/member.ts';
import { answer, answerJson, answerToFree, openMisbehavingService } from '../helpers/misbehaving-service.ts';
import { openProgramFixture } from '../helpers/program-fixture.ts';
import { redisServer, titled } from '../helpers/requirements.ts';
import { samplesOf, wavOf } from '../helpers/speech.ts';
import { openSharedBot, shardsOf } from './shared-bot.ts';

const wait = { timeout: 60_000, interval: 100 };
const RATE = 24_000;
const sound = answer(
  200,
  wavOf(
    samplesOf(0.2, RATE, (index) => 8_000 * Math.sin(index / 10)),
    RATE,
  ),
  { 'content-type': 'audio/wav' },
);

/** Speaks once `release` is called for a text, or at once if nothing is held. */
async function startHeldService() {
  const held: (() => void)[] = [];
  const state = { allowed: null as number | null, isHolding: false, most: 0 };
  const service = await openMisbehavingService((request, response) => {
    if (state.allowed !== null) response.setHeader('ratelimit-limit-concurrency', state.allowed);
    const voices = [modelOnWire('rare', { task_count: 1, languages: ['en'] }), modelOnWire('usual', { task_count: 9, languages: ['en'] })];
    if (request.url?.startsWith('/model')) return answerJson(200, { total: 2, items: voices })(request, response);
    const free = answerToFree(request.url);
    if (free) return free(request, response);
    const speak = () => sound(request, response);
    if (!state.isHolding) return speak();
    held.push(speak);
    state.most = Math.max(state.most, held.length);
  });
  return { ...service, key: 'key', state, held };
}

const inFile = async (member: Member, text: string) =>
  (await member.run('say', { text, send_as: 'file' })).message((message) => filesOf(message).length > 0);

let release = () => {};
afterEach(() => release());

it('a program names a voice for each text, since the service might change its own in between', async () => {
  const service = await startHeldService();
  const { start, member } = await openProgramFixture(service);
  await start();
  await inFile(member, 'Good morning.');
  const spoken = service.requests.filter(({ url }) => url === '/v1/tts').map(({ body }) => JSON.parse(body.toString()));
  expect(spoken).toMatchObject([{ reference_id: 'usual' }]);
});

describe.skipIf(!redisServer.isMet)(titled('two processes', redisServer), () => {
  it('have as many calls at a time as the latest answer to either of them says', async () => {
    const service = await startHeldService();
    const { state, held } = service;
    state.allowed = 15;
    const bot = await openSharedBot(service, { guilds: 6, shards: 2, identifyLimits: { maxConcurrency: 2 } });
    const programs = [await bot.start(), await bot.start()];
    await expect.poll(() => programs.map((program) => shardsOf(program).length), wait).toEqual([1, 1]);
    await expect.poll(bot.connected, wait).toBe(2);
    const [one, other] = programs.map((program) => bot.membersByShard.get(shardsOf(program)[0] ?? -1)) as [Member, Member];
    const learnt = (index: number) =>
      programs[index]?.out.flatMap((line) => /"calls":(\d+),.*calls at a time/.exec(line)?.[1] ?? []).at(-1);
    await expect.poll(() => learnt(0), wait).toBe('15');

    state.allowed = 2;
    await inFile(one, 'The first one.');
    // No answer to the other process says so.
    state.allowed = null;
    await expect.poll(() => [learnt(0), learnt(1)], wait).toEqual(['2', '2']);

    state.isHolding = true;
    release = () => {
      state.isHolding = false;
      for (const speak of held.splice(0)) speak();
    };
    const files = [one, other, one, other, one, other].map((member, number) => inFile(member, `Number ${number} of six.`));
    for (let spoken = 0; spoken < files.length; spoken++) {
      await expect.poll(() => held.length, wait).toBeGreaterThan(0);
      held.shift()?.();
    }
    await Promise.all(files);
    expect(state.most).toBeLessThanOrEqual(2);
  });
});
