// A server passes from one process of the bot to another, and one of them is killed meanwhile: whatever is not spoken, its reply says so.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { en } from '../../src/locales/index.ts';
import { textOf } from '../helpers/member.ts';
import { redisServer, titled } from '../helpers/requirements.ts';
import { startToneService, type ToneService } from '../helpers/tone-service.ts';
import { openHandover, textOfLength } from './handover.ts';

const wait = { timeout: 60_000, interval: 20 };

let service: ToneService;
beforeAll(async () => {
  service = await startToneService();
});
afterAll(() => service?.close());

/** One text plays, and the sound of the next one is there already: both stay where they are. The third one is handed over. */
async function openQueue() {
  const house = await openHandover(service);
  const texts = [await house.say(textOfLength(20, 1), { speed: 0.6 })];
  await house.listener.hears(1);
  texts.push(await house.say(textOfLength(2, 2)), await house.say(textOfLength(2, 3)));
  const [playing, next, last] = texts as [(typeof texts)[0], (typeof texts)[0], (typeof texts)[0]];
  const hears = (number: number) => house.listener.heard.some((sound) => sound.number === number);
  return { ...house, playing, next, last, hears };
}

describe.skipIf(!redisServer.isMet)(titled('a text that waits while its server passes over', redisServer), () => {
  it('was taken by a process that is killed before it speaks: its reply says so', async () => {
    const { takeOver, start, second, last, ends, handedOver, hears } = await openQueue();
    await takeOver();
    await second.line(/a command has begun/);
    await expect.poll(handedOver, wait).toBe(0);
    second.child.kill('SIGKILL');
    await start();
    expect(await ends(last)).toContain('restarted');
    expect(hears(3)).toBe(false);
  });

  it('is taken by nobody: the process that it waited in says so before it ends', async () => {
    const { takeOver, first, second, last, handedOver, hears } = await openQueue();
    await takeOver();
    second.child.kill('SIGSTOP');
    await expect.poll(handedOver, wait).toBe(1);
    expect(await first.ended).toEqual({ code: 0, signal: null });
    expect(await last.sentence()).toContain(en('errors.voice.closing'));
    expect(await handedOver()).toBe(0);
    second.child.kill('SIGCONT');
    expect(hears(3)).toBe(false);
  });

  it('survives both processes: a third one speaks it', async () => {
    const { takeOver, start, first, second, playing, last, ends, handedOver } = await openQueue();
    await takeOver();
    second.child.kill('SIGSTOP');
    await expect.poll(handedOver, wait).toBe(1);
    for (const { child } of [first, second]) child.kill('SIGKILL');
    await start();
    expect(await ends(playing)).toContain('restarted');
    expect(await ends(last)).toMatch(/Spoken \(3/);
  });

  it('survives both processes, but nobody can read it: its reply says that it was lost', async () => {
    const { takeOver, start, first, second, playing, last, ends, handedOver, store } = await openQueue();
    await takeOver();
    second.child.kill('SIGSTOP');
    await expect.poll(handedOver, wait).toBe(1);
    for (const { child } of [first, second]) child.kill('SIGKILL');
    // As if the bot's token had been reset.
    const [[name] = ['']] = await store.list('handover:');
    await store.set(name, 'sealed with another key', { expiresInMs: 40_000 });
    await start();
    expect(await ends(playing)).toContain('restarted');
    expect(textOf(last.messages()[0] as never)).toContain('texts ahead');
    expect(await ends(last)).toContain('restarted');
    expect(await handedOver()).toBe(0);
  });
});
