// Utterances and the cache: repeated speech costs no call; skipped, broken off or deleted speech is not cached.
import { afterEach, describe, expect, test } from 'vitest';
import { createSpeech, type SpeechEngine } from '../../src/synthesis/index.ts';
import { makeFolder } from '../helpers/folder.ts';
import { answer, answerJson, type Behaviour, connect, openMisbehavingService, stall } from '../helpers/misbehaving-service.ts';
import { tone } from '../helpers/sound.ts';
import { wavOf } from '../helpers/speech.ts';
import { expectNoResourcesInUse, never, openCacheIn } from '../helpers/utterances.ts';

afterEach(expectNoResourcesInUse);

describe('an utterance', () => {
  const SENTENCE = 'Here is a sentence that goes on for a while, so that only one of its kind fits into the first of all the pieces.';
  const LONG = Array(3).fill(SENTENCE).join(' ');

  const answerWav = (seconds: number): Behaviour =>
    answer(200, wavOf(tone(440, seconds, 48_000), 48_000), {
      'content-type': 'audio/wav',
    });

  async function speaking(...behaviours: [Behaviour, ...Behaviour[]]) {
    const service = await openMisbehavingService(...behaviours);
    const api = connect(service.url);
    const cache = await openCacheIn(await makeFolder());
    return { service, api, cache, speech: createSpeech({ api, format: 'wav', model: 's1', cache }) };
  }

  test('that was said before takes no call, and is the same sound', async () => {
    const { speech, service, cache } = await speaking(answerWav(0.5), answerWav(0.4));
    const first = speech.utterance({ text: LONG, referenceId: 'v', scope: 'shared' });
    const frames = await Array.fromAsync(first.open(never));
    expect(first.isFromCache).toBe(false);
    expect(service.requests.length).toBe(2);
    await cache.close();
    const again = speech.utterance({ text: LONG, referenceId: 'v', scope: 'shared' });
    again.prepare();
    await again.ready;
    const repeated = await Array.fromAsync(again.open(never));
    expect(repeated.map((packet) => Array.from(packet))).toEqual(frames.map((packet) => Array.from(packet)));
    expect([again.isFromCache, await again.charged()]).toEqual([true, 0]);
    expect(service.requests.length).toBe(2);
  });

  test('in the default voice is requested again if the service means another one by it', async () => {
    const { api, cache, service } = await speaking(answerWav(0.1));
    const say = async (id: string, referenceId: string | null) => {
      const defaultVoices = { for: async () => ({ id, isStandIn: false }), replace: async () => {} };
      const speech = createSpeech({ api, format: 'wav', model: 's1', cache, defaultVoices });
      await Array.fromAsync(speech.utterance({ text: 'Hello.', referenceId, scope: 'shared' }).open(never));
      return service.requests.length;
    };
    expect(await say('clara', null)).toBe(1);
    expect(await say('clara', null)).toBe(1);
    expect(await say('heart', null)).toBe(2);
    expect(await say('heart', 'v')).toBe(3);
    expect(await say('clara', 'v')).toBe(3);
    expect(await say('clara', null)).toBe(3);
  });

  test('in a slow voice is one call with all of the text', async () => {
    const { api, service } = await speaking(answerWav(0.5));
    const speech = createSpeech({ api, format: 'wav', streaming: true, slowVoices: () => ['heart'] });
    await Array.fromAsync(speech.utterance({ text: LONG, referenceId: 'heart' }).open(never));
    expect(service.requests.map(({ body }) => JSON.parse(String(body)).text)).toEqual([LONG]);
  });

  test('with another text, voice, speed, volume, model or format, or in another server, is requested from the service', async () => {
    const { speech, service, api, cache } = await speaking(answerWav(0.1));
    const said = { text: 'Hello.', referenceId: 'v', speed: 1, scope: 'shared' } as const;
    const variants = [
      () => speech.utterance(said),
      () => speech.utterance({ ...said, text: 'Hello!' }),
      () => speech.utterance({ ...said, referenceId: 'w' }),
      () => speech.utterance({ ...said, referenceId: null }),
      () => speech.utterance({ ...said, speed: 1.2 }),
      () => speech.utterance({ ...said, volume: 0.5 }),
      () => speech.utterance({ ...said, scope: { guildId: '1' } }),
      () => speech.utterance({ ...said, scope: { guildId: '2' } }),
      () => speech.utterance({ ...said, scope: { userId: '1' } }),
      () => createSpeech({ api, format: 'wav', model: 's1', cache, loudness: false }).utterance(said),
      () => createSpeech({ api, format: 'wav', model: 's2', cache }).utterance(said),
      () => createSpeech({ api, format: 'pcm', model: 's1', cache }).utterance(said),
    ];
    for (let round = 0; round < 2; round++) {
      for (const variant of variants) await Array.fromAsync(variant().open(never));
      await cache.close();
      expect(service.requests.length).toBe(variants.length);
    }
  });

  /** Says it, waits until it is kept, and pins it for Robin. */
  async function pinned({ speech, cache }: Awaited<ReturnType<typeof speaking>>) {
    const request = { text: 'Hello.', scope: { guildId: '1' } };
    const frames = await Array.fromAsync(speech.utterance(request).open(never));
    await cache.close();
    return { request, frames, pin: await speech.pin(request, 'robin') };
  }

  test('that is pinned takes no call even if the cache has lost it, and is released once played', async () => {
    const all = await speaking(answerWav(0.3));
    const { request, frames, pin } = await pinned(all);
    await all.cache.clear();
    const again = all.speech.utterance(request, { pin, permit: () => Promise.reject(new Error('never asked')) });
    const repeated = await Array.fromAsync(again.open(never));
    expect(repeated.map((packet) => Array.from(packet))).toEqual(frames.map((packet) => Array.from(packet)));
    expect(again.isFromCache).toBe(true);
    expect(pin?.packets).toBeNull();
    expect(await all.speech.pin(request, 'robin')).toBeNull();
    expect(all.service.requests.length).toBe(1);
  });

  test('is not pinned for another server', async () => {
    const all = await speaking(answerWav(0.1));
    const { request } = await pinned(all);
    expect(await all.speech.pin({ ...request, scope: { guildId: '2' } }, 'robin')).toBeNull();
    expect(await all.speech.pin({ text: request.text }, 'robin')).toBeNull();
  });

  test.each([
    ['by its member', (speech: SpeechEngine) => speech.forget('robin'), false],
    ['by its member, after it was made ready', (speech: SpeechEngine) => speech.forget('robin'), true],
    ['with all others', (speech: SpeechEngine) => speech.clearCache(), true],
  ])('that was pinned and deleted %s is asked for only if it is permitted', async (_, remove, isReady) => {
    const all = await speaking(answerWav(0.3));
    const { request, frames, pin } = await pinned(all);
    const next = await all.speech.pin(request, 'robin');
    const refusal = new Error('no budget left');
    const refused = all.speech.utterance(request, { pin, permit: () => Promise.reject(refusal) });
    const permitted = all.speech.utterance(request, { pin: next, permit: async () => {} });
    for (const one of isReady ? [refused, permitted] : []) {
      one.prepare();
      await one.ready;
    }
    await all.cache.close();
    await remove(all.speech);
    await all.cache.clear();
    await expect(Array.fromAsync(refused.open(never))).rejects.toBe(refusal);
    expect(all.service.requests.length).toBe(1);
    expect(await Array.fromAsync(permitted.open(never))).toHaveLength(frames.length);
    expect(permitted.isFromCache).toBe(false);
    expect(all.service.requests.length).toBe(2);
  });

  test('that is deleted while it plays is played to its end', async () => {
    const all = await speaking(answerWav(0.3));
    const { request, frames, pin } = await pinned(all);
    const heard = all.speech.utterance(request, { pin }).open(never)[Symbol.asyncIterator]();
    await heard.next();
    await all.speech.forget('robin');
    let count = 1;
    while (!(await heard.next()).done) count++;
    expect(count).toBe(frames.length);
  });

  test('that is deleted while it is being made is not cached', async () => {
    const { speech, cache } = await speaking(answerWav(0.3));
    const being = speech.utterance({ text: 'Hello.', scope: 'shared' }, { memberId: 'robin' });
    const frames = being.open(never)[Symbol.asyncIterator]();
    await frames.next();
    await speech.forget('robin');
    while (!(await frames.next()).done);
    await cache.close();
    expect(cache.bytes).toBe(0);
  });

  test.each<[string, (speech: SpeechEngine) => unknown]>([
    ['its author’s data', (speech) => speech.forget('robin')],
    ['its voice', (speech) => speech.forgetVoice('v')],
    ['that message', (speech) => speech.forgetMessages({ messageId: '1' })],
    ['all that was written in its server', (speech) => speech.forgetMessages({ guildId: 'g' })],
  ])('of a message is not kept if %s is deleted while it is being made', async (_, remove) => {
    const { speech, service } = await speaking(answerWav(0.3));
    const say = () =>
      speech.utterance({ text: 'Hello.', referenceId: 'v', scope: { guildId: 'g' }, messageId: '1' }, { memberId: 'robin' });
    const frames = say().open(never)[Symbol.asyncIterator]();
    await frames.next();
    await remove(speech);
    while (!(await frames.next()).done);
    expect(service.requests.length).toBe(1);
    await Array.fromAsync(say().open(never));
    await Array.fromAsync(say().open(never));
    expect(service.requests.length).toBe(2);
  });

  test('that was skipped is not cached', async () => {
    const { speech, service, cache } = await speaking(answerWav(1));
    for await (const _frame of speech.utterance({ text: 'Hello.', scope: 'shared' }).open(never)) break;
    await cache.close();
    const again = speech.utterance({ text: 'Hello.', scope: 'shared' });
    await Array.fromAsync(again.open(never));
    expect(again.isFromCache).toBe(false);
    expect(service.requests.length).toBe(2);
  });

  test('that broke off is not cached', async () => {
    const { speech, cache } = await speaking(
      answerWav(0.3),
      answerJson(402, { status: 402, message: 'out of credit' }),
      answerWav(0.3),
      answerWav(0.3),
    );
    await expect(Array.fromAsync(speech.utterance({ text: LONG, scope: 'shared' }).open(never))).rejects.toMatchObject({ kind: 'credit' });
    await cache.close();
    expect(cache.bytes).toBe(0);
  });

  test('from the cache can be skipped and cancelled like any other', async () => {
    const { speech, cache } = await speaking(answerWav(0.5), stall(0));
    await Array.fromAsync(speech.utterance({ text: 'Hello.', scope: 'shared' }).open(never));
    await cache.close();
    const abort = new AbortController();
    const reason = new Error('skipped');
    const again = speech.utterance({ text: 'Hello.', scope: 'shared' });
    const frames = again.open(abort.signal)[Symbol.asyncIterator]();
    await frames.next();
    abort.abort(reason);
    await expect(
      (async () => {
        while (!(await frames.next()).done);
      })(),
    ).rejects.toBe(reason);
    const third = speech.utterance({ text: 'Hello.', scope: 'shared' });
    third.cancel();
    await expect(third.ready).rejects.toMatchObject({ name: 'AbortError' });
  });
});
