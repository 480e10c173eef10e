import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { createSpeech, type SpeechUtterance } from '../../src/synthesis/index.ts';
import { createUtterance } from '../../src/synthesis/utterance.ts';
import { countHeld } from '../helpers/garbage.ts';
import { answer, connect, hang, openMisbehavingService, stall, thrownBy } from '../helpers/misbehaving-service.ts';
import { inChunks, listen, tone } from '../helpers/sound.ts';
import { answerInParts, answerWav, expectNoResourcesInUse, frameReader, LONG, never, say, wav } from '../helpers/utterances.ts';

afterEach(expectNoResourcesInUse);

/** Spoken by no service: each piece has this sound. */
function utteranceOf(pieces: string[], soundOf: (piece: string) => AsyncIterable<Uint8Array>, signal?: AbortSignal): SpeechUtterance {
  const speak = async (piece: string) => ({
    speech: { audio: soundOf(piece), contentType: 'audio/wav', requestId: null, firstByteMs: 1 },
    formatHint: 'audio/wav',
    maxBytes: Number.POSITIVE_INFINITY,
  });
  const speakLive = () => Promise.reject(new Error('It is spoken piece by piece.'));
  return createUtterance({ pieces, voices: [{ referenceId: null, speak, speakLive, bytesOf: Buffer.byteLength }], signal });
}

describe('an utterance that is no longer wanted', () => {
  test('makes no call if it was not prepared', async () => {
    const { service, speech, utterance } = await say({ text: 'Hello.' }, hang);
    // Had it made one, that would have come first.
    const later = speech.utterance({ text: 'Later.' });
    later.prepare();
    await service.request(1);
    utterance.cancel();
    expect(await thrownBy(utterance.ready)).toMatchObject({ name: 'AbortError' });
    expect(await thrownBy(Array.fromAsync(utterance.open(never)))).toMatchObject({ name: 'AbortError' });
    expect(service.requests.map(({ body }) => JSON.parse(body.toString()).text)).toEqual(['Later.']);
    later.cancel();
    await thrownBy(later.ready);
  });

  test('ends its call before it is answered', async () => {
    const { service, utterance } = await say({ text: 'Hello.' }, hang);
    utterance.prepare();
    const { disconnected } = await service.request(1);
    utterance.cancel();
    await disconnected;
    await thrownBy(utterance.ready);
  });

  test('ends its call in mid-sound, when cancelled', async () => {
    const parts = answerInParts(wav(tone(440, 1, 48_000)).subarray(0, 40_000), 'audio/wav');
    const { utterance } = await say({ text: 'Hello.' }, parts.behave);
    utterance.prepare();
    await utterance.ready;
    utterance.cancel();
    await parts.closed;
  });

  test('ends its call in mid-sound, when the signal it is played with is aborted', async () => {
    const abort = new AbortController();
    const reason = new Error('skipped');
    const parts = answerInParts(wav(tone(440, 1, 48_000)).subarray(0, 40_000), 'audio/wav');
    const { utterance } = await say({ text: 'Hello.' }, parts.behave);
    const listening = listen(utterance.open(abort.signal));
    await utterance.ready;
    abort.abort(reason);
    expect((await listening).failure).toBe(reason);
    await parts.closed;
  });

  test('ends both calls of a long text, when the loop is left', async () => {
    const first = answerInParts(wav(tone(440, 1, 48_000)).subarray(0, 40_000), 'audio/wav');
    const { service, utterance } = await say({ text: LONG }, first.behave, hang);
    const frames = frameReader(utterance);
    await frames.next();
    const { disconnected } = await service.request(2);
    await frames.return?.();
    await Promise.all([first.closed, disconnected]);
    expect(service.requests.length).toBe(2);
  });

  test.each(['skipped', 'left'] as const)('releases both pieces, including the one that is waiting, when it is %s', async (how) => {
    const closed = { 'First.': Promise.withResolvers<void>(), 'Second.': Promise.withResolvers<void>() };
    const isFull = Promise.withResolvers<void>();
    /** Goes on for as long as it is read; what waits for its turn is read up to a bound of 16 of these. */
    async function* sound(piece: keyof typeof closed): AsyncGenerator<Uint8Array> {
      try {
        yield wav(tone(440, 2, 48_000));
        for (let chunks = 0; ; chunks++) {
          if (piece === 'Second.' && chunks === 10) isFull.resolve();
          yield new Uint8Array(65_536);
          await turn();
        }
      } finally {
        closed[piece].resolve();
      }
    }
    const utterance = utteranceOf(['First.', 'Second.'], (piece) => sound(piece as keyof typeof closed));
    const abort = new AbortController();
    const frames = frameReader(utterance, abort.signal);
    await frames.next();
    await isFull.promise;
    if (how === 'left') await frames.return?.();
    else abort.abort();
    await Promise.all([closed['First.'].promise, closed['Second.'].promise]);
  });

  test('ends at once while it pauses for a busy service, and has cost what was heard', async () => {
    const abort = new AbortController();
    const refused = Promise.withResolvers<void>();
    const service = await openMisbehavingService(answerWav(tone(440, 0.1, 48_000)), answer(429, '', { 'retry-after': '30' }));
    const api = connect(service.url, { onCall: ({ outcome }) => outcome === 'rate-limited' && refused.resolve() });
    const utterance = createSpeech({ api, format: 'wav' }).utterance({ text: LONG });
    const listening = listen(utterance.open(abort.signal));
    await refused.promise;
    await turn();
    abort.abort();
    expect((await listening).failure).toMatchObject({ name: 'AbortError' });
    expect(await utterance.charged()).toBe(112);
    expect(service.requests.length).toBe(2);
  });

  test('is released while a frame is awaited', async () => {
    const service = await openMisbehavingService(stall(400, 200, 'audio/wav'));
    const api = connect(service.url, { timeouts: { idle: 100 } });
    const frames = frameReader(createSpeech({ api, format: 'wav' }).utterance({ text: 'Hello.' }));
    const waiting = frames.next().catch((error: unknown) => error);
    expect(await frames.return?.()).toMatchObject({ done: true });
    await waiting;
  });

  test.each<[string, (utterance: SpeechUtterance) => unknown]>([
    ['was heard', async (utterance) => expect((await listen(utterance.open(never))).failure).toBeNull()],
    [
      'was left',
      async (utterance) => {
        for await (const _packet of utterance.open(never)) break;
      },
    ],
    ['was cancelled', (utterance) => utterance.cancel()],
    [
      'was cancelled when it was prepared',
      async (utterance) => {
        utterance.prepare();
        await utterance.ready;
        utterance.cancel();
      },
    ],
    ['has failed', async (utterance) => expect((await listen(utterance.open(never))).failure).not.toBeNull()],
  ])('can be garbage-collected when it %s, even while the signal it was made with lives on', async (how, use) => {
    const { signal } = new AbortController();
    const kept = await countHeld(async () => {
      const bytes = how === 'has failed' ? new Uint8Array(0) : wav(tone(440, 0.2, 48_000));
      const utterance = utteranceOf(['Hello.'], () => inChunks(bytes, 5000), signal);
      await use(utterance);
      return new WeakRef(utterance.charged);
    });
    expect(kept).toBe(0);
  });

  test('is cancelled by the signal it was made with', async () => {
    const service = await openMisbehavingService(hang);
    const bot = new AbortController();
    const utterance = createSpeech({ api: connect(service.url), format: 'mp3' }).utterance({ text: 'Hello.' }, { signal: bot.signal });
    utterance.prepare();
    const { disconnected } = await service.request(1);
    bot.abort(new Error('the bot ends'));
    await disconnected;
    expect(await thrownBy(utterance.ready)).toBeInstanceOf(Error);
  });
});
