// The cost of texts cut short by a shutdown: what was requested from the service may have been billed, the rest is free.
import { expect, it, onTestFinished } from 'vitest';
import { memberBudgetKey } from '../../src/charging/index.ts';
import { en } from '../../src/locales/index.ts';
import { type Member, textOf } from '../helpers/member.ts';
import { answer, answerJson, type Behaviour, hang, startMisbehavingService } from '../helpers/misbehaving-service.ts';
import { startParley } from '../helpers/parley.ts';
import { tone } from '../helpers/sound.ts';
import { wavOf } from '../helpers/speech.ts';

const DAY_MS = 24 * 3600_000;

const PLAYING = 'This is being heard for as long as it takes to ask for all the others, however slow the machine is.';
const PREPARED = 'This comes next, so it is made ready.';
const WAITING = 'Nobody was asked for this yet.';

const beep = Buffer.from(wavOf(tone(382, 30, 24_000, 0.24), 24_000));
const speak = answer(200, beep, { 'content-type': 'audio/wav' });

it.each<[string, Behaviour, number, (member: Member) => Promise<unknown>]>([
  ['at once, while the next text is ready', speak, 0, async () => {}],
  ['at once, while the call for the next text is under way', hang, 0, async () => {}],
  ['once the text that is heard was stopped', speak, 60_000, (member) => member.run('stop')],
])('a process that ends %s charges for the texts that the service was asked for', async (_, answerNext, drain, then) => {
  const askedFor: string[] = [];
  const service = await startMisbehavingService((request, response, body) => {
    if (request.url !== '/v1/tts') return answerJson(200, { total: 0, items: [], credit: '50' })(request, response);
    const { text } = JSON.parse(String(body));
    askedFor.push(text);
    (text === PLAYING ? speak : answerNext)(request, response);
  });
  const parley = await startParley({ service: { url: service.url, key: 'key' } });
  onTestFinished(async () => {
    await parley.close();
    await service.close();
  });
  const { member, other } = parley;
  await member.listen();
  await other.listen();
  const spentBy = async ({ client }: Member) =>
    (await parley.store.get(memberBudgetKey(Math.floor(Date.now() / DAY_MS), 'speech', client.userId))) ?? 0;

  const playing = await member.run('say', { text: PLAYING });
  await playing.message((message) => textOf(message).includes(en('say.speaking')));
  const prepared = await other.run('say', { text: PREPARED });
  await expect.poll(() => askedFor).toEqual([PLAYING, PREPARED]);
  const waiting = await member.run('say', { text: WAITING });
  await waiting.message((message) => textOf(message).includes(en('say.queued', { before: 2 })));

  const closed = parley.bot().close({ drain });
  const restarted = en('errors.voice.closing');
  const counted = en('say.chargedUnheard', { count: PREPARED.length });
  expect(await prepared.sentence()).toBe(`${restarted} ${counted}`);
  expect(await waiting.sentence()).toBe(restarted);
  await then(member);
  await closed;
  await expect.poll(() => Promise.all([spentBy(member), spentBy(other)])).toEqual([PLAYING.length, PREPARED.length]);
  expect(askedFor).toEqual([PLAYING, PREPARED]);
});
