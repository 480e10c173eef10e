// Text to frames over real sockets: when calls are made, how pieces join, what is freed, what is told when it fails.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { type Api, ApiError } from '../../src/api/index.ts';
import { AudioError, resourcesInUse } from '../../src/audio/index.ts';
import {
  createSpeech,
  createVoiceLevels,
  type Speech,
  type SpeechRequest,
  SpeechTooLargeError,
  type SpeechUtterance,
} from '../../src/speech/index.ts';
import { createUtterance } from '../../src/speech/utterance.ts';
import { openSqliteStore } from '../../src/store/index.ts';
import { connect, start } from '../helpers/api-client.ts';
import { countHeld } from '../helpers/garbage.ts';
import { answer, answerJson, type Behaviour, cut, hang, stall } from '../helpers/misbehaving-service.ts';
import { heardSeconds, inChunks, listen, measureTone, mp3Of, oggOpusOf, pcm16, tone } from '../helpers/sound.ts';
import { wavOf, wavWith } from '../helpers/speech.ts';
import { startTestVoiceService } from '../helpers/voice-service.ts';

const never = new AbortController().signal;
/** Three pieces: sentences of 112 characters, of which one makes the first piece and two each of the others. */
const SENTENCE = 'Here is a sentence that goes on for a while, so that only one of its kind fits into the first of all the pieces.';
const LONG = Array(5).fill(SENTENCE).join(' ');

afterEach(() => {
  expect(Object.values(resourcesInUse())).toEqual([0, 0, 0, 0, 0]);
});

function wav(samples: Float32Array): Uint8Array {
  return wavWith(pcm16(samples), { encoding: 1, bits: 16, channels: 1, sampleRate: 48_000 });
}

const answerWav = (samples: Float32Array) => answer(200, wav(samples), { 'content-type': 'audio/wav' });

/** Begins an answer with these bytes; the rest is up to the test. */
function answerInParts(
  first: Uint8Array,
  contentType: string,
): { behave: Behaviour; begun: Promise<ServerResponse>; closed: Promise<void> } {
  const begun = Promise.withResolvers<ServerResponse>();
  const closed = Promise.withResolvers<void>();
  const behave = (_: IncomingMessage, response: ServerResponse) => {
    response.on('close', () => closed.resolve());
    response.writeHead(200, { 'content-type': contentType });
    response.write(first, () => begun.resolve(response));
  };
  return { behave, begun: begun.promise, closed: closed.promise };
}

async function say(request: SpeechRequest, ...behaviours: [Behaviour, ...Behaviour[]]) {
  const service = await start(...behaviours);
  const speech = createSpeech({ api: connect(service.url), format: 'wav' });
  return { service, speech, utterance: speech.utterance(request) };
}

function frameReader(utterance: SpeechUtterance, signal: AbortSignal = never): AsyncIterator<Uint8Array> {
  return utterance.open(signal)[Symbol.asyncIterator]();
}

async function thrownBy(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.fail('it did not fail'),
    (error: unknown) => error,
  );
}

describe('a short text', () => {
  test('is one call with all that was asked for, and is heard whole', async () => {
    const service = await start(
      answer(200, await mp3Of([tone(440, 0.5, 44_100)], 44_100), { 'content-type': 'audio/mpeg', 'x-request-id': 'r1' }),
    );
    const speech = createSpeech({ api: connect(service.url), format: 'mp3', model: 's2' });
    const utterance = speech.utterance({ text: 'Hello there.', referenceId: 'voice-1', speed: 1.5 });
    const { sound, failure } = await listen(utterance.open(never));
    expect(failure).toBeNull();
    expect(heardSeconds(sound, 48_000)).toBeCloseTo(0.5, 1);
    await utterance.ready;
    expect(service.requests.length).toBe(1);
    const [{ body, headers }] = service.requests as [(typeof service.requests)[0]];
    expect(JSON.parse(body.toString())).toMatchObject({
      text: 'Hello there.',
      reference_id: 'voice-1',
      format: 'mp3',
      prosody: { speed: 1.5 },
    });
    expect(headers.model).toBe('s2');
    expect(utterance.facts).toMatchObject({ calls: 1, characters: 12, contentType: 'audio/mpeg' });
    expect(utterance.facts.bytes).toBeGreaterThan(3000);
    expect(utterance.facts.firstByteMs).toBeGreaterThan(0);
  });

  test('is called for by prepare, once, and ready with its first frame while the rest is still to come', async () => {
    const whole = wav(tone(440, 1, 48_000));
    const parts = answerInParts(whole.subarray(0, 20_000), 'audio/wav');
    const { service, utterance } = await say({ text: 'Hello.' }, parts.behave);
    utterance.prepare();
    utterance.prepare();
    await utterance.ready;
    expect(service.requests.length).toBe(1);
    (await parts.begun).end(whole.subarray(20_000));
    const { sound, failure } = await listen(utterance.open(never));
    expect(failure).toBeNull();
    expect(heardSeconds(sound, 48_000)).toBeCloseTo(1, 1);
    expect(service.requests.length).toBe(1);
  });

  test('leaves the service free for others while it is being played', async () => {
    const parts = answerInParts(wav(tone(440, 5, 48_000)), 'audio/wav');
    const { utterance } = await say({ text: 'Hello.' }, parts.behave);
    const frames = frameReader(utterance);
    await frames.next();
    (await parts.begun).end();
    // All bytes are taken although one frame has been played.
    await expect.poll(() => utterance.facts.bytes, { timeout: 20_000 }).toBe(5 * 96_000 + 44);
    await frames.return?.();
  });
});

describe('a voice', () => {
  test('is brought to one loudness with the others, from its first sound on if a second of that is there', async () => {
    const service = await start(answerWav(tone(997, 1.5, 48_000, 0.05)));
    const api = connect(service.url);
    const heard = async (speech: Speech, request: Omit<SpeechRequest, 'text'>) =>
      (await listen(speech.utterance({ text: 'Hello.', ...request }).open(never))).sound.subarray(4800, 62_400);
    const speech = createSpeech({ api, format: 'wav' });
    await heard(speech, { referenceId: 'quiet' });
    // −26 dBFS, to be heard at −16 LUFS: a sine of −16 dBFS.
    expect(measureTone(await heard(speech, { referenceId: 'quiet' }), 997, 48_000).amplitude).toBeCloseTo(0.158, 2);
    expect(measureTone(await heard(speech, { referenceId: 'quiet', volume: 0.5 }), 997, 48_000).amplitude).toBeCloseTo(0.079, 2);
    expect(measureTone(await heard(speech, {}), 997, 48_000).amplitude).toBeCloseTo(0.158, 2);
    const asItIs = createSpeech({ api, format: 'wav', loudness: false });
    for (let count = 0; count < 2; count++) expect(measureTone(await heard(asItIs, {}), 997, 48_000).amplitude).toBeCloseTo(0.05, 2);
  });

  test('is known after a restart, by a name that does not tell which it is', async () => {
    const service = await start(answerWav(tone(997, 1.5, 48_000, 0.05)), answerWav(tone(997, 0.3, 48_000, 0.05)));
    const api = connect(service.url);
    const store = openSqliteStore(':memory:');
    onTestFinished(() => store.close());
    const heard = async (name: string) => {
      const speech = createSpeech({ api, format: 'wav', levels: createVoiceLevels(store, name) });
      return (await listen(speech.utterance({ text: 'Hello.', referenceId: 'quiet' }).open(never))).sound.subarray(4800, 12_000);
    };
    await heard('a');
    await expect.poll(async () => (await store.list('')).length).toBe(1);
    // Too short to find it out anew.
    expect(measureTone(await heard('b'), 997, 48_000).amplitude).toBeCloseTo(0.05, 2);
    expect(measureTone(await heard('a'), 997, 48_000).amplitude).toBeCloseTo(0.158, 2);
    expect(JSON.stringify(await store.list(''))).not.toContain('quiet');
  });

  test('is spoken in all the same if what is known of it cannot be read', async () => {
    const service = await start(answerWav(tone(997, 0.6, 48_000, 0.05)));
    const store = openSqliteStore(':memory:');
    await store.close();
    const told: unknown[] = [];
    const levels = createVoiceLevels(store, 'a', (error) => told.push(error));
    const utterance = createSpeech({ api: connect(service.url), format: 'wav', levels }).utterance({ text: 'Hello.' });
    expect((await listen(utterance.open(never))).frames).toBeGreaterThan(10);
    await expect.poll(() => told.length).toBe(2);
  });
});

describe('a long text', () => {
  test('is spoken in pieces that join without a gap or a click', async () => {
    const whole = tone(440, 1.2, 48_000);
    const cuts = [0, 19_277, 38_333, whole.length];
    const answers = [0, 1, 2].map((index) => answerWav(whole.subarray(cuts[index], cuts[index + 1])));
    const { service, utterance } = await say({ text: LONG }, ...(answers as [Behaviour]));
    const { sound, frames, failure } = await listen(utterance.open(never));
    expect(failure).toBeNull();
    expect(service.requests.map(({ body }) => JSON.parse(body.toString()).text).join(' ')).toBe(LONG);
    expect(service.requests.length).toBe(3);
    expect(frames).toBe(Math.ceil((whole.length + 312) / 960));
    for (const join of [19_277, 38_333]) {
      expect(measureTone(sound.subarray(join - 480, join + 1440), 440, 48_000).snr).toBeGreaterThan(30);
    }
    expect(utterance.facts).toMatchObject({ calls: 3, characters: LONG.length - 2 });
  });

  test('asks for the next piece while one is played, and not before the first is', async () => {
    const first = wav(tone(440, 0.5, 48_000));
    const parts = answerInParts(first.subarray(0, 30_000), 'audio/wav');
    const { service, utterance } = await say({ text: LONG }, parts.behave, answerWav(tone(440, 0.3, 48_000)));
    utterance.prepare();
    await utterance.ready;
    expect(service.requests.length).toBe(1);
    const frames = frameReader(utterance);
    await frames.next();
    // The first answer has not ended yet.
    await service.request(2);
    (await parts.begun).end(first.subarray(30_000));
    let count = 1;
    while (!(await frames.next()).done) count++;
    expect(count).toBe(Math.ceil((1.1 * 48_000 + 312) / 960));
    expect(service.requests.length).toBe(3);
  });

  test('that fails further on is heard up to there, then says why', async () => {
    const { utterance } = await say(
      { text: LONG },
      answerWav(tone(440, 0.5, 48_000)),
      answerJson(402, { status: 402, message: 'out of credit' }),
    );
    const { failure, frames } = await listen(utterance.open(never));
    expect(failure).toMatchObject({ name: 'ApiError', kind: 'credit' });
    expect(frames).toBeGreaterThanOrEqual(24);
    await utterance.ready;
  });

  test('of Ogg/Opus goes through without being decoded', async () => {
    const files = [
      await oggOpusOf(tone(440, 0.3, 48_000)),
      await oggOpusOf(tone(440, 0.4, 48_000)),
      await oggOpusOf(tone(440, 0.2, 48_000)),
    ];
    const answers = files.map(({ file }) => answer(200, file, { 'content-type': 'audio/ogg' }));
    const { utterance } = await say({ text: LONG }, ...(answers as [Behaviour]));
    expect(await Array.fromAsync(utterance.open(never))).toEqual(files.flatMap(({ packets }) => packets));
  });
});

describe('what goes wrong', () => {
  test('before the first frame rejects ready, and whoever plays it is told the same', async () => {
    const { utterance } = await say({ text: 'Hello.' }, answerJson(401, { status: 401, message: 'bad key' }));
    utterance.prepare();
    const error = await thrownBy(utterance.ready);
    expect(error).toMatchObject({ name: 'ApiError', kind: 'auth' });
    expect(await thrownBy(Array.fromAsync(utterance.open(never)))).toBe(error);
  });

  test('and nobody waits to hear of makes no unhandled rejection', async () => {
    const { utterance, service } = await say({ text: 'Hello.' }, answerJson(500, { status: 500, message: 'broken' }));
    utterance.prepare();
    await service.request(1);
    // `ready` is left alone; the test run itself would fail of it.
    expect(await thrownBy(Array.fromAsync(utterance.open(never)))).toMatchObject({ kind: 'server' });
  });

  test('is told when the answer is no sound, whatever its label', async () => {
    for (const contentType of ['audio/wav', 'audio/mpeg', 'application/octet-stream']) {
      const noise = Uint8Array.from({ length: 6000 }, (_, index) => (index * index * 31 + 7 * index) % 251);
      const { utterance } = await say({ text: 'Hello.' }, answer(200, noise, { 'content-type': contentType }));
      utterance.prepare();
      expect(await thrownBy(utterance.ready)).toBeInstanceOf(AudioError);
    }
  });

  test('is told when the sound breaks off, after what came of it', async () => {
    const parts = answerInParts(wav(tone(440, 1, 48_000)).subarray(0, 40_000), 'audio/wav');
    const { utterance } = await say({ text: 'Hello.' }, parts.behave);
    const listening = listen(utterance.open(never));
    (await parts.begun).destroy();
    const { failure, frames } = await listening;
    expect(failure).toBeInstanceOf(ApiError);
    expect(frames).toBeGreaterThan(10);
  });
});

describe('an utterance that is not wanted any more', () => {
  test('makes no call when it was not prepared', async () => {
    const { service, utterance } = await say({ text: 'Hello.' }, hang);
    utterance.cancel();
    expect(await thrownBy(utterance.ready)).toMatchObject({ name: 'AbortError' });
    expect(await thrownBy(Array.fromAsync(utterance.open(never)))).toMatchObject({ name: 'AbortError' });
    expect(service.requests.length).toBe(0);
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

  test('ends its call in mid-sound, when the signal it is played with says so', async () => {
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

  test.each(['skipped', 'left'] as const)('lets go of both pieces, also of the one that waits for its turn, when it is %s', async (how) => {
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
    const utterance = createUtterance(['First.', 'Second.'], async (text) => ({
      speech: { audio: sound(text as keyof typeof closed), contentType: 'audio/wav', requestId: null, firstByteMs: 1 },
      label: 'audio/wav',
    }));
    const abort = new AbortController();
    const frames = frameReader(utterance, abort.signal);
    await frames.next();
    await isFull.promise;
    if (how === 'left') await frames.return?.();
    else abort.abort();
    await Promise.all([closed['First.'].promise, closed['Second.'].promise]);
  });

  test('is let go while a frame is waited for', async () => {
    const { utterance } = await say({ text: 'Hello.' }, stall(400, 200, 'audio/wav'));
    const frames = frameReader(utterance);
    const waiting = frames.next().catch((error: unknown) => error);
    expect(await frames.return?.()).toMatchObject({ done: true });
    await waiting;
  });

  test.each<[string, (utterance: SpeechUtterance) => unknown]>([
    ['was heard', async (utterance) => expect((await listen(utterance.open(never))).failure).toBeNull()],
    ['was left', (utterance) => frameReader(utterance).return?.()],
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
  ])('is kept by nothing when it %s, though the signal it was made with lives on', async (how, use) => {
    const { signal } = new AbortController();
    const kept = await countHeld(async () => {
      const bytes = how === 'has failed' ? new Uint8Array(0) : wav(tone(440, 0.2, 48_000));
      const speech = { audio: inChunks(bytes, 5000), contentType: 'audio/wav', requestId: null, firstByteMs: 1 };
      const utterance = createUtterance(['Hello.'], async () => ({ speech, label: 'audio/wav' }), { signal });
      await use(utterance);
      return new WeakRef(utterance.facts);
    });
    expect(kept).toBe(0);
  });

  test('is cancelled by the signal it was made with', async () => {
    const service = await start(hang);
    const bot = new AbortController();
    const utterance = createSpeech({ api: connect(service.url), format: 'mp3' }).utterance({ text: 'Hello.' }, { signal: bot.signal });
    utterance.prepare();
    const { disconnected } = await service.request(1);
    bot.abort(new Error('the bot ends'));
    await disconnected;
    expect(await thrownBy(utterance.ready)).toBeInstanceOf(Error);
  });
});

describe('a file', () => {
  const speechWith = async (format: 'mp3' | 'pcm', behaviour: Behaviour) => {
    const service = await start(behaviour);
    return { service, speech: createSpeech({ api: connect(service.url), format }) };
  };

  test("is the service's own bytes, from one call however long the text", async () => {
    const mp3 = await mp3Of([tone(440, 0.5, 44_100)], 44_100);
    const { service, speech } = await speechWith('mp3', answer(200, mp3, { 'content-type': 'application/octet-stream' }));
    const file = await speech.file({ text: LONG });
    expect(file).toMatchObject({ contentType: 'audio/mpeg', extension: 'mp3' });
    expect(Buffer.from(file.bytes)).toEqual(Buffer.from(mp3));
    expect(service.requests.length).toBe(1);
  });

  test('of bare samples gets a header that players need', async () => {
    const pcm = pcm16(tone(440, 0.1, 44_100));
    const { speech } = await speechWith('pcm', answer(200, pcm, { 'content-type': 'application/octet-stream' }));
    const file = await speech.file({ text: 'Hello.' });
    expect(file).toMatchObject({ contentType: 'audio/wav', extension: 'wav' });
    expect(Buffer.from(file.bytes)).toEqual(Buffer.from(wavOf(pcm, 44_100)));
  });

  test('past its bound is refused as soon as it is, and the call ended', async () => {
    const parts = answerInParts(Buffer.alloc(50_000, 0x55), 'audio/mpeg');
    const { speech } = await speechWith('mp3', parts.behave);
    expect(await thrownBy(speech.file({ text: 'Hello.' }, { maxBytes: 20_000 }))).toMatchObject({
      name: 'SpeechTooLargeError',
      maxBytes: 20_000,
    });
    expect(new SpeechTooLargeError(8 * 1024 * 1024).message).toContain('8.0 MiB');
    await parts.closed;
  });

  test('that is cut off, or is stopped, is none', async () => {
    const { speech } = await speechWith('mp3', cut(5000));
    expect(await thrownBy(speech.file({ text: 'Hello.' }))).toBeInstanceOf(ApiError);
    const slow = await speechWith('mp3', stall(5000));
    const abort = new AbortController();
    const file = thrownBy(slow.speech.file({ text: 'Hello.' }, { signal: abort.signal }));
    const { disconnected } = await slow.service.request(1);
    abort.abort();
    expect(await file).toMatchObject({ kind: 'aborted' });
    await disconnected;
  });
});

test('the local voice service is heard in every format it offers', async () => {
  await using service = await startTestVoiceService();
  const api: Api = connect(service.url, { apiKey: service.key });
  for (const format of ['mp3', 'wav', 'pcm', 'opus'] as const) {
    const utterance = createSpeech({ api, format }).utterance({ text: 'The sea was calm, and the sky was blue.' });
    const { sound, failure } = await listen(utterance.open(never));
    expect(failure).toBeNull();
    expect(heardSeconds(sound, 48_000)).toBeGreaterThan(1.5);
    expect(heardSeconds(sound, 48_000)).toBeLessThan(4);
  }
});
