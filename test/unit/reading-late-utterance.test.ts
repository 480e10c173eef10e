// Utterances whose words are decided late, on a real service that waits for the test.
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createLateUtterance, type Draft } from '../../src/reading/late-utterance.ts';
import { createSpeech } from '../../src/speech/index.ts';
import { connect, start } from '../helpers/api-client.ts';
import { tone } from '../helpers/sound.ts';
import { answerWav, never } from '../helpers/utterances.ts';

/** Answers once the test says so. */
async function openLate() {
  const asked: { text: string; answer: () => void }[] = [];
  const settled: string[] = [];
  const service = await start((request, response: ServerResponse) => {
    const { text } = JSON.parse((service.requests.at(-1)?.body ?? '{}').toString());
    asked.push({ text, answer: () => answerWav(tone(440, 0.2, 48_000))(request, response) });
  });
  const speech = createSpeech({ api: connect(service.url), format: 'wav' });
  const words = { now: 'First.', isStale: false };
  const late = createLateUtterance(
    (): Draft => {
      const text = words.now;
      const utterance = speech.utterance({ text });
      return { utterance, settle: async () => void settled.push(`${text} ${await utterance.charged()}`) };
    },
    () => words.isStale,
  );
  return { late, words, asked, settled, service };
}

describe('an utterance whose words are decided late', () => {
  it('asks for nothing before its turn is near', async () => {
    const { late, words, service } = await openLate();
    expect(late.redraft()).toBe(true);
    expect(late.isDrafted).toBe(false);
    words.now = 'Second.';
    late.prepare(null);
    expect(late.isDrafted).toBe(true);
    expect(JSON.parse((await service.request(1)).body.toString())).toMatchObject({ text: 'Second.' });
    late.cancel();
    await expect(late.ready).rejects.toThrow();
  });

  it('says the new words if they change while it is already waiting for its sound', async () => {
    const { late, words, asked, settled, service } = await openLate();
    late.prepare(null);
    const frames = late.open(never)[Symbol.asyncIterator]();
    const first = frames.next();
    await service.request(1);
    words.now = 'Second.';
    expect(late.redraft()).toBe(true);
    await service.request(2);
    expect(asked.map(({ text }) => text)).toEqual(['First.', 'Second.']);
    asked[1]?.answer();
    expect((await first).done).toBe(false);
    expect(late.redraft()).toBe(false);
    for (let result = await first; !result.done; ) result = await frames.next();
    await late.settle();
    // What was asked for and not heard may have been charged.
    expect(settled.toSorted()).toEqual(['First. 6', 'Second. 7']);
  });

  it('is made anew when something else moved ahead of it and its words depend on that', async () => {
    const { late, words, service } = await openLate();
    late.prepare(null);
    late.prepare({ memberId: 'Sam', background: false, endedAt: null });
    await service.request(1);
    words.isStale = true;
    words.now = 'Second.';
    late.prepare({ memberId: 'Sam', background: false, endedAt: null });
    expect(JSON.parse((await service.request(2)).body.toString())).toMatchObject({ text: 'Second.' });
    late.cancel();
  });
});
