// Utterances whose words are decided late, on a real service that waits for the test.
import { describe, expect, it, onTestFinished } from 'vitest';
import { createBudgetLedger } from '../../src/charging/spending.ts';
import { createPaidDraft, createPayment } from '../../src/discord/payment.ts';
import { createDeferredUtterance, type Draft } from '../../src/reading/deferred-utterance.ts';
import { openSqliteStore } from '../../src/store/index.ts';
import { createSpeech } from '../../src/synthesis/index.ts';
import { answer, connect, openMisbehavingService } from '../helpers/misbehaving-service.ts';
import { tone } from '../helpers/sound.ts';
import { answerWav, never } from '../helpers/utterances.ts';

/** Answers once the test says so. */
async function openLate() {
  const asked: { text: string; answer: () => void }[] = [];
  const settled: string[] = [];
  const service = await openMisbehavingService((request, response, body) => {
    const { text } = JSON.parse(String(body));
    asked.push({ text, answer: () => answerWav(tone(440, 0.2, 48_000))(request, response) });
  });
  const speech = createSpeech({ api: connect(service.url), format: 'wav' });
  const words = { now: 'First.', isStale: false };
  const late = createDeferredUtterance({
    draft(): Draft {
      const text = words.now;
      const utterance = speech.utterance({ text });
      return { utterance, settle: async () => void settled.push(`${text} ${await utterance.charged()}`) };
    },
    isStale: () => words.isStale,
    retryAfter: () => null,
  });
  return { late, words, asked, settled, service };
}

describe('an utterance whose words are decided late', () => {
  it('asks for nothing before its turn is near', async () => {
    const { late, words, service } = await openLate();
    expect(late.redraft()).toBe(true);
    expect(late.draft).toBeNull();
    words.now = 'Second.';
    late.prepare(null);
    expect(late.draft).not.toBeNull();
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

  it('ends at once if it is skipped while it waits for a busy service', async () => {
    const service = await openMisbehavingService(answer(429, '', { 'retry-after': '3600' }));
    const speech = createSpeech({ api: connect(service.url), format: 'wav' });
    const pausing = Promise.withResolvers<void>();
    const late = createDeferredUtterance({
      draft: () => ({ utterance: speech.utterance({ text: 'First.' }), settle: async () => {} }),
      isStale: () => false,
      retryAfter() {
        pausing.resolve();
        return 3_600_000;
      },
    });
    const skip = new AbortController();
    const opened = Array.fromAsync(late.open(skip.signal));
    await pausing.promise;
    skip.abort();
    await expect(opened).rejects.toThrow('aborted');
    expect(service.requests).toHaveLength(1);
  });
});

describe('what is reserved for a text', () => {
  const TEXT = 'First, then the second.';
  const spending = { kind: 'speech' as const, amount: TEXT.length, guildId: 'one', memberId: 'robin' };

  function openBudgets() {
    const store = openSqliteStore(':memory:');
    onTestFinished(() => store.close());
    const caps = { member: 100, memberHere: 100, guild: 100, guildMax: 100 };
    const budgets = createBudgetLedger(store, async () => ({ speech: caps, transcription: caps }));
    return { budgets, used: async () => (await budgets.today('speech', spending)).guild?.used };
  }

  it('is nothing if it is cancelled while the store is asked who may use the voice', async () => {
    const { budgets, used } = openBudgets();
    const service = await openMisbehavingService(answerWav(tone(440, 0.2, 48_000)));
    const asked = Promise.withResolvers<void>();
    const access = Promise.withResolvers<'catalogue'>();
    const accessOf = () => {
      asked.resolve();
      return access.promise;
    };
    const speech = createSpeech({ api: connect(service.url), format: 'wav', accessOf });
    const request = { text: TEXT, referenceId: 'alloy', scope: { guildId: 'one' } };
    const draft = createPaidDraft(budgets, spending, (permit) => speech.utterance(request, { permit }));
    draft.utterance.prepare();
    const opened = Array.fromAsync(draft.utterance.open(never));
    await asked.promise;
    draft.utterance.cancel();
    await draft.settle();
    access.resolve('catalogue');
    await expect(opened).rejects.toThrow();
    expect(await used()).toBe(0);
  });

  it('is returned if it is cancelled while it is being reserved', async () => {
    const { budgets, used } = openBudgets();
    const service = await openMisbehavingService(answerWav(tone(440, 0.2, 48_000)));
    const speech = createSpeech({ api: connect(service.url), format: 'wav' });
    const begun = Promise.withResolvers<void>();
    const reserve: typeof budgets.reserve = async (wanted) => {
      begun.resolve();
      return budgets.reserve(wanted);
    };
    const draft = createPaidDraft({ reserve }, spending, (permit) => speech.utterance({ text: TEXT }, { permit }));
    draft.utterance.prepare();
    await begun.promise;
    draft.utterance.cancel();
    await draft.settle();
    expect(await used()).toBe(0);
    expect(service.requests).toHaveLength(0);
  });

  it('is reserved once, however many voices are tried', async () => {
    const { budgets, used } = openBudgets();
    const service = await openMisbehavingService(
      answer(404, '{}', { 'content-type': 'application/json' }),
      answerWav(tone(440, 0.2, 48_000)),
    );
    const speech = createSpeech({ api: connect(service.url), format: 'wav' });
    const request = { text: TEXT, referenceId: 'gone' };
    const draft = createPaidDraft(budgets, spending, (permit) => speech.utterance(request, { fallbackIds: [null], permit }));
    await Array.fromAsync(draft.utterance.open(never));
    expect(service.requests).toHaveLength(2);
    await draft.settle();
    expect(await used()).toBe(TEXT.length);
  });

  it('includes what another process has reserved, whose sound is cached here and then deleted', async () => {
    const { budgets, used } = openBudgets();
    await budgets.reserve(spending);
    const payment = createPayment(budgets, { ...spending, amount: 0 }, TEXT.length, TEXT.length);
    await payment.reserve();
    await payment.reserveAll();
    await payment.settle(TEXT.length);
    expect(await used()).toBe(TEXT.length);
  });
});
