import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { ApiError } from '../../src/api/index.ts';
import { AudioError } from '../../src/audio/index.ts';
import { openSqliteStore } from '../../src/store/index.ts';
import { createSpeech, createVoiceLevels, type SpeechEngine, type SpeechRequest } from '../../src/synthesis/index.ts';
import { answer, answerJson, type Behaviour, connect, openMisbehavingService, thrownBy } from '../helpers/misbehaving-service.ts';
import { heardSeconds, listen, measureTone, mp3Of, oggOpusOf, tone } from '../helpers/sound.ts';
import { answerInParts, answerWav, expectNoResourcesInUse, frameReader, LONG, never, say, wav } from '../helpers/utterances.ts';

afterEach(expectNoResourcesInUse);

/** Bytes of no format. */
const noise = Uint8Array.from({ length: 6000 }, (_, index) => (index * index * 31 + 7 * index) % 251);

describe('a short text', () => {
  test('is one call with everything that was requested, and is heard in full', async () => {
    const service = await openMisbehavingService(
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
    expect(await utterance.charged()).toBe(12);
  });

  test('is sent without what its member wrote for an instruction, which is spoken; only the mood that was asked for is one', async () => {
    const service = await openMisbehavingService(answerWav(tone(440, 0.5, 48_000)));
    const speech = createSpeech({ api: connect(service.url), format: 'wav', model: 's2.1-pro', moods: true });
    await listen(speech.utterance({ text: '[angry] He cast [Fireball]!', mood: 'sad' }).open(never));
    await speech.file({ text: '<|speaker:1|>He cast [Fireball]!' });
    const sent = service.requests.map(({ body }) => JSON.parse(body.toString()).text);
    expect(sent).toEqual(['[sad] angry He cast Fireball!', 'speaker:1 He cast Fireball!']);
  });

  test('is billed by the bytes that the service is sent, with its markers, however few characters they are', async () => {
    const service = await openMisbehavingService(answerWav(tone(440, 0.5, 48_000)));
    const speech = createSpeech({ api: connect(service.url), format: 'wav', model: 's2.1-pro', moods: true });
    const request = { text: '晴れです。 [Привет]', mood: 'calm' } as const;
    const utterance = speech.utterance(request);
    await listen(utterance.open(never));
    const [{ body }] = service.requests as [(typeof service.requests)[0]];
    const sent = JSON.parse(body.toString()).text;
    expect(sent).toBe('[calm] 晴れです。 [calm] Привет');
    const bytes = 5 * 3 + 1 + 6 * 2 + 2 * '[calm] '.length;
    expect([await utterance.charged(), await utterance.billed(), speech.bytesOf(request)]).toEqual([12, bytes, bytes]);
  });

  test('is wanted soon and as the voice makes it, but in full quality as a file, where the service knows that', async () => {
    const service = await openMisbehavingService(answerWav(tone(440, 0.5, 48_000)));
    const options = { api: connect(service.url), format: 'wav', model: 's2.1-pro' } as const;
    const speech = createSpeech({ ...options, delivery: true });
    await listen(speech.utterance({ text: 'Hello.', speed: 1.5 }).open(never));
    await listen(speech.utterance({ text: 'Hello.' }, { isDownload: true }).open(never));
    await speech.file({ text: 'Hello.' });
    await listen(createSpeech(options).utterance({ text: 'Hello.' }).open(never));
    const asked = service.requests.map(({ body }) => JSON.parse(body.toString())).map(({ latency, prosody }) => ({ latency, prosody }));
    expect(asked).toEqual([
      { latency: 'balanced', prosody: { speed: 1.5, normalize_loudness: false } },
      { latency: 'normal', prosody: { normalize_loudness: false } },
      { latency: 'normal' },
      {},
    ]);
  });

  test.each([
    ['names them', [{ loc: ['body', 'latency'], type: 'extra_forbidden', msg: 'Not allowed.' }], 422],
    ['says nothing about it', { status: 400, message: 'Bad request' }, 400],
  ])('is asked for without such wishes, once and for all, by a service that refuses them and %s', async (_, body, status) => {
    const service = await openMisbehavingService(answerJson(status, body), answerWav(tone(440, 0.5, 48_000)));
    const speech = createSpeech({ api: connect(service.url), format: 'wav', model: 's2.1-pro', delivery: true });
    for (const text of ['Hello.', 'Good evening.']) expect((await listen(speech.utterance({ text }).open(never))).failure).toBeNull();
    expect(service.requests.map(({ body }) => 'latency' in JSON.parse(body.toString()))).toEqual([true, false, false]);
  });

  test.each([
    ['the voice', [{ loc: ['body', 'reference_id'], type: 'x', msg: 'No such voice.' }]],
    ['the text', [{ loc: ['body', 'text'], type: 'too_long', msg: 'Too long.' }]],
  ])('is refused as before if %s is to blame', async (_, body) => {
    const service = await openMisbehavingService(answerJson(422, body));
    const speech = createSpeech({ api: connect(service.url), format: 'wav', model: 's2.1-pro', delivery: true });
    expect((await listen(speech.utterance({ text: 'Hello.' }).open(never))).failure).toMatchObject({ status: 422 });
    expect(service.requests).toHaveLength(1);
  });

  test('is requested once by prepare, and ready with its first frame while the rest is still to come', async () => {
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

  test('leaves the service free for others while it plays', async () => {
    const parts = answerInParts(wav(tone(440, 5, 48_000)), 'audio/wav');
    const service = await openMisbehavingService(parts.behave, answerWav(tone(440, 0.3, 48_000)));
    const speech = createSpeech({ api: connect(service.url, { concurrency: 1 }), format: 'wav' });
    const frames = frameReader(speech.utterance({ text: 'Hello.' }));
    await frames.next();
    (await parts.begun).end();
    // The only call there may be is over although one frame has been played.
    await speech.file({ text: 'Another.' });
    await frames.return?.();
  });
});

describe('a voice', () => {
  test('is brought to the common loudness from its first sound on if a second of it was heard', async () => {
    const service = await openMisbehavingService(answerWav(tone(997, 1.5, 48_000, 0.05)));
    const api = connect(service.url);
    const heard = async (speech: SpeechEngine, request: Omit<SpeechRequest, 'text'>) =>
      (await listen(speech.utterance({ text: 'Hello.', ...request }).open(never))).sound.subarray(4800, 62_400);
    const speech = createSpeech({ api, format: 'wav' });
    await heard(speech, { referenceId: 'quiet' });
    // −26 dBFS, to be heard at −16 LUFS: a sine of −16 dBFS.
    expect(measureTone(await heard(speech, { referenceId: 'quiet' }), 997, 48_000).amplitude).toBeCloseTo(0.158, 2);
    expect(measureTone(await heard(speech, { referenceId: 'quiet', volume: 0.5 }), 997, 48_000).amplitude).toBeCloseTo(0.079, 2);
    await heard(speech, {});
    expect(measureTone(await heard(speech, {}), 997, 48_000).amplitude).toBeCloseTo(0.158, 2);
    const asItIs = createSpeech({ api, format: 'wav', loudness: false });
    for (let count = 0; count < 2; count++) expect(measureTone(await heard(asItIs, {}), 997, 48_000).amplitude).toBeCloseTo(0.05, 2);
  });

  test('is remembered after a restart, under a name that does not reveal it', async () => {
    const service = await openMisbehavingService(answerWav(tone(997, 1.5, 48_000, 0.05)), answerWav(tone(997, 0.3, 48_000, 0.05)));
    const api = connect(service.url);
    const store = openSqliteStore(':memory:');
    onTestFinished(() => store.close());
    const heard = async (name: string) => {
      const speech = createSpeech({ api, format: 'wav', levels: createVoiceLevels(store, name) });
      return (await listen(speech.utterance({ text: 'Hello.', referenceId: 'quiet' }).open(never))).sound.subarray(4800, 12_000);
    };
    await heard('a');
    await expect.poll(async () => (await store.list('')).length).toBe(1);
    // Too short to measure it again.
    expect(measureTone(await heard('b'), 997, 48_000).amplitude).toBeCloseTo(0.05, 2);
    expect(measureTone(await heard('a'), 997, 48_000).amplitude).toBeCloseTo(0.158, 2);
    expect(JSON.stringify(await store.list(''))).not.toContain('quiet');
  });

  test('speaks even if its stored level cannot be read', async () => {
    const service = await openMisbehavingService(answerWav(tone(997, 0.6, 48_000, 0.05)));
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
    expect(await utterance.charged()).toBe(LONG.length - 2);
  });

  test('requests the next piece while one plays, and not before the first plays', async () => {
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

  test('that fails further on is heard up to that point, then says why', async () => {
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

  test('pauses in the middle for as long as a busy service asks, is heard in full, and costs no more', async () => {
    const sound = answerWav(tone(440, 0.3, 48_000));
    const busy = answer(429, '', { 'retry-after': '0.02' });
    // The client itself makes three attempts.
    const { service, utterance } = await say({ text: LONG }, sound, busy, busy, busy, busy, sound);
    const { failure, frames } = await listen(utterance.open(never));
    expect(failure).toBeNull();
    expect(frames).toBe(Math.ceil((0.9 * 48_000 + 312) / 960));
    expect(service.requests.length).toBe(7);
    expect(await utterance.charged()).toBe(LONG.length - 2);
  });

  test('pauses in the middle for a busy service that doesn’t say for how long, too', async () => {
    const sound = answerWav(tone(440, 0.3, 48_000));
    const busy = answerJson(429, { status: 429, message: 'Too many', reason: null });
    const { service, utterance } = await say({ text: LONG }, sound, busy, busy, busy, sound);
    expect((await listen(utterance.open(never))).failure).toBeNull();
    expect(service.requests.length).toBe(6);
  });

  test('is not paused for more than a minute, nor at its beginning', async () => {
    const sound = answerWav(tone(440, 0.3, 48_000));
    // After a pause, the service would answer.
    const { utterance } = await say({ text: LONG }, sound, answer(429, '', { 'retry-after': '61' }), sound);
    expect((await listen(utterance.open(never))).failure).toMatchObject({ kind: 'rate-limited' });
    const { utterance: other } = await say({ text: LONG }, answer(429, '', { 'retry-after': '11' }), sound);
    expect((await listen(other.open(never))).failure).toMatchObject({ kind: 'rate-limited' });
  });

  test('continues after a first piece that is too short for a frame', async () => {
    const { service, utterance } = await say({ text: LONG }, answerWav(tone(440, 0.01, 48_000)), answerWav(tone(440, 0.3, 48_000)));
    utterance.prepare();
    await utterance.ready;
    const { failure, frames } = await listen(utterance.open(never));
    expect(failure).toBeNull();
    expect(frames).toBe(Math.ceil((0.61 * 48_000 + 312) / 960));
    expect(service.requests.length).toBe(3);
  });

  test('whose first piece is not sound makes no second call', async () => {
    const { service, utterance } = await say({ text: LONG }, answer(200, noise, { 'content-type': 'audio/wav' }));
    const { failure } = await listen(utterance.open(never));
    expect(failure).toBeInstanceOf(AudioError);
    expect(service.requests.length).toBe(1);
  });

  test('of Ogg/Opus passes through without being decoded', async () => {
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
  test('before the first frame rejects `ready` and playing with the same error', async () => {
    const { utterance } = await say({ text: 'Hello.' }, answerJson(401, { status: 401, message: 'bad key' }));
    utterance.prepare();
    const error = await thrownBy(utterance.ready);
    expect(error).toMatchObject({ name: 'ApiError', kind: 'auth' });
    expect(await thrownBy(Array.fromAsync(utterance.open(never)))).toBe(error);
  });

  test('causes no unhandled rejection if `ready` goes unobserved', async () => {
    const { utterance, service } = await say({ text: 'Hello.' }, answerJson(500, { status: 500, message: 'broken' }));
    utterance.prepare();
    await service.request(1);
    // `ready` is left alone; the test run itself would fail of it.
    expect(await thrownBy(Array.fromAsync(utterance.open(never)))).toMatchObject({ kind: 'server' });
  });

  test('includes an answer that is not sound, whatever its label', async () => {
    for (const contentType of ['audio/wav', 'audio/mpeg', 'application/octet-stream']) {
      const { utterance } = await say({ text: 'Hello.' }, answer(200, noise, { 'content-type': contentType }));
      utterance.prepare();
      expect(await thrownBy(utterance.ready)).toBeInstanceOf(AudioError);
    }
  });

  test('includes sound that breaks off, after what came of it', async () => {
    const parts = answerInParts(wav(tone(440, 1, 48_000)).subarray(0, 40_000), 'audio/wav');
    const { utterance } = await say({ text: 'Hello.' }, parts.behave);
    const listening = listen(utterance.open(never));
    (await parts.begun).destroy();
    const { failure, frames } = await listening;
    expect(failure).toBeInstanceOf(ApiError);
    expect(frames).toBeGreaterThan(10);
  });
});
