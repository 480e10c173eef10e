// Texts of several sentences over the websocket: one continuous sound, no more sent than is needed, and HTTP wherever it fails.
import { decode, encode } from '@msgpack/msgpack';
import { afterEach, describe, expect, test } from 'vitest';
import type { ApiOptions } from '../../src/api/index.ts';
import { wavHeader } from '../../src/audio/wav.ts';
import { createSpeech, type SpeechEngine } from '../../src/synthesis/index.ts';
import { createLiveChoice } from '../../src/synthesis/live-texts.ts';
import { cutIntoPieces, cutIntoSentences } from '../../src/synthesis/speakable.ts';
import { createUtterance } from '../../src/synthesis/utterance.ts';
import { makeFolder } from '../helpers/folder.ts';
import { type Event, type LiveClient, type LiveService, openLiveService } from '../helpers/live-service.ts';
import { answerJson, type Behaviour, connect, thrownBy } from '../helpers/misbehaving-service.ts';
import { listen, measureTone, oggOpusOf, pcm16, tone } from '../helpers/sound.ts';

import { answerWav, expectNoResourcesInUse, frameReader, LONG, never, openCacheIn } from '../helpers/utterances.ts';

afterEach(expectNoResourcesInUse);

const SENTENCES = cutIntoSentences(LONG);
const SECONDS = 1.5;
/** So fast that each is expected to take not much longer than that, or the next one would be held back for a second. */
const SPEED = 2;
/** So many samples of one tone for each sentence, without a break. */
const SAMPLES = SECONDS * 48_000 + 77;
const SOUND = pcm16(tone(440, (SAMPLES * SENTENCES.length) / 48_000, 48_000));
const HEADER = wavHeader(0xffff_0000, { rate: 48_000 });
const overHttp: Behaviour = answerWav(tone(220, 0.3, 48_000));

/** What the service does with each event. */
function onEvent(client: LiveClient, act: (event: Event) => void): void {
  client.socket.on('message', (data) => act(decode(data as Buffer) as Event));
}

const audio = (client: LiveClient, bytes: Uint8Array) => client.send({ event: 'audio', audio: bytes });
const textsOf = ({ received }: Pick<LiveClient, 'received'>) => received.filter(({ event }) => event === 'text').map(({ text }) => text);

/** Speaks each sentence as soon as it has come. */
function speakWell(client: LiveClient): void {
  let count = 0;
  onEvent(client, ({ event }) => {
    if (event === 'start') audio(client, HEADER);
    if (event === 'text') audio(client, SOUND.subarray(2 * SAMPLES * count, 2 * SAMPLES * ++count));
    if (event === 'stop') client.send({ event: 'finish', reason: 'stop' });
  });
}

/** Speaks one sentence, and then does something else with the second. */
const speakOneThen = (act: (client: LiveClient) => void) => (client: LiveClient) => {
  let count = 0;
  onEvent(client, ({ event }) => {
    if (event !== 'text') return;
    if (++count > 1) return act(client);
    audio(client, HEADER);
    audio(client, SOUND.subarray(0, 2 * SAMPLES));
  });
};

interface Serving {
  service: LiveService;
  speech: SpeechEngine;
}

async function serve(
  behave: (client: LiveClient) => void,
  options: Partial<ApiOptions> = {},
  http = overHttp,
  refused = 0,
): Promise<Serving> {
  const service = await openLiveService(behave, http, refused);
  const api = connect(service.url, { retries: { attempts: 1 }, ...options });
  return { service, speech: createSpeech({ api, format: 'wav', streaming: true }) };
}

describe('a text of several sentences', () => {
  test('goes to one websocket sentence by sentence, and is one sound without a gap or a click', async () => {
    const { service, speech } = await serve(speakWell);
    const utterance = speech.utterance({ text: LONG, referenceId: 'clara', speed: SPEED });
    const { sound, frames, failure } = await listen(utterance.open(never));
    expect(failure).toBeNull();
    const [client] = service.clients as [LiveClient];
    expect(client.received[0]).toEqual({
      event: 'start',
      request: { text: '', format: 'wav', reference_id: 'clara', prosody: { speed: SPEED } },
    });
    expect(textsOf(client)).toEqual(SENTENCES);
    expect(SENTENCES.join('')).toBe(LONG);
    // Each is spoken at once, whatever the service would rather wait for.
    expect(client.received.slice(1, 3).map(({ event }) => event)).toEqual(['text', 'flush']);
    expect(frames).toBe(Math.ceil((SAMPLES * SENTENCES.length + 312) / 960));
    for (let join = SAMPLES; join < SAMPLES * SENTENCES.length; join += SAMPLES)
      expect(measureTone(sound.subarray(join - 480, join + 1440), 440, 48_000).snr).toBeGreaterThan(30);
    expect(await utterance.charged()).toBe(LONG.length);
    expect([service.clients.length, service.texts()]).toEqual([1, []]);
  });

  test('is heard before the service has more than its first sentence, and gets no further ahead of the listener than over HTTP', async () => {
    // As long as these sentences take to say.
    const seconds = 8;
    const { service, speech } = await serve((client) => {
      onEvent(client, ({ event }) => {
        if (event === 'start') audio(client, HEADER);
        if (event === 'text') audio(client, pcm16(tone(440, seconds, 48_000)));
      });
    });
    const utterance = speech.utterance({ text: LONG });
    utterance.prepare();
    await utterance.ready;
    const [client] = service.clients as [LiveClient];
    expect(textsOf(client)).toEqual(SENTENCES.slice(0, 1));
    const frames = frameReader(utterance);
    await frames.next();
    await expect.poll(() => textsOf(client).length).toBe(2);
    for (let count = 1; count < 50 * (seconds + 1); count++) await frames.next();
    // The second sentence is being heard, the third is under way: over HTTP it would be up to four.
    await expect.poll(() => textsOf(client).length).toBe(3);
    expect(await utterance.charged()).toBe(SENTENCES.slice(0, 3).join('').length);
    await frames.return?.();
    await client.closed;
    expect(await utterance.charged()).toBe(SENTENCES.slice(0, 3).join('').length);
    expect(service.texts()).toEqual([]);
  });

  test('of Ogg/Opus passes through without being decoded', async () => {
    const { file, packets } = await oggOpusOf(tone(440, 2, 48_000));
    const service = await openLiveService((client) => {
      onEvent(client, ({ event }) => {
        if (event === 'stop') for (const message of [{ event: 'audio', audio: file }, { event: 'finish' }]) client.send(message);
      });
    });
    const speech = createSpeech({ api: connect(service.url), format: 'opus', streaming: true });
    // So short that nothing has to be heard before the last sentence is sent.
    const text = 'Good morning to all of you, and welcome to the house. It is a quarter past nine, and it has been raining for a while.';
    expect(await Array.fromAsync(speech.utterance({ text }).open(never))).toEqual(packets);
    expect(textsOf(service.clients[0] as LiveClient).join('')).toBe(text);
  });

  test('of a hundred tiny sentences is sent in sizeable pieces, and bears a thousand tiny answers', async () => {
    const text = 'No. '.repeat(100).trim();
    const sound = pcm16(tone(440, 2, 48_000));
    const { service, speech } = await serve((client) => {
      onEvent(client, ({ event }) => {
        if (event === 'start') audio(client, HEADER);
        if (event === 'text') audio(client, sound);
        if (event !== 'stop') return;
        for (let count = 0; count < 1000; count++) audio(client, sound.subarray(count, count + 1));
        client.send({ event: 'finish' });
      });
    });
    const { failure, frames } = await listen(speech.utterance({ text }).open(never));
    expect(failure).toBeNull();
    const sent = textsOf(service.clients[0] as LiveClient) as string[];
    expect(sent.join('')).toBe(text);
    expect(sent.length).toBeLessThan(7);
    expect(frames).toBeGreaterThan(sent.length * 100);
  });

  test('has its sentences marked with the mood, and never shows it in what they cost', async () => {
    const service = await openLiveService(speakWell, overHttp);
    const speech = createSpeech({ api: connect(service.url), format: 'wav', model: 's1', streaming: true, moods: true });
    const utterance = speech.utterance({ text: LONG, mood: 'happy', speed: SPEED });
    expect((await listen(utterance.open(never))).failure).toBeNull();
    expect(textsOf(service.clients[0] as LiveClient)).toEqual(SENTENCES.map((sentence) => `(happy) ${sentence}`));
    expect(await utterance.charged()).toBe(LONG.length);
    expect(await utterance.billed()).toBe(SENTENCES.length * '(happy) '.length + Buffer.byteLength(LONG));
  });

  test('has what its member wrote for an instruction taken out, even if its ends are in two sentences', async () => {
    const service = await openLiveService(speakWell, overHttp);
    const speech = createSpeech({ api: connect(service.url), format: 'wav', model: 's2.1-pro', streaming: true, moods: true });
    const padding = ', and nobody who was there could say what it was that he had wanted to do';
    const text = `He cast <|speaker: one${padding}. And then 1|> he cast [Fire${padding}. Then ball] at me${padding}.`;
    expect((await listen(speech.utterance({ text, mood: 'sad', speed: SPEED }).open(never))).failure).toBeNull();
    const sent = textsOf(service.clients[0] as LiveClient) as string[];
    const spoken = ['He cast speaker: one', 'And then 1 he cast Fire', 'Then ball at me'];
    expect(sent.map((sentence) => sentence.trim())).toEqual(spoken.map((begin) => `[sad] ${begin}${padding}.`));
  });

  test('is spoken in the voice that is named for it, and over HTTP, in one request, if none can be', async () => {
    let named: string | null = 'usual';
    const service = await openLiveService(speakWell, overHttp);
    const defaultVoices = { for: async () => ({ id: named, isStandIn: false }), replace: async () => {} };
    const speech = createSpeech({ api: connect(service.url), format: 'wav', streaming: true, defaultVoices });
    const speak = async () => (await listen(speech.utterance({ text: LONG, speed: SPEED }).open(never))).failure;
    expect(await speak()).toBeNull();
    expect(service.clients[0]?.received[0]).toMatchObject({ event: 'start', request: { reference_id: 'usual' } });
    named = null;
    expect(await speak()).toBeNull();
    expect([service.clients.length, service.texts()]).toEqual([1, [LONG]]);
  });

  test('is cached like any other', async () => {
    const service = await openLiveService(speakWell, overHttp);
    const cache = await openCacheIn(await makeFolder());
    const speech = createSpeech({ api: connect(service.url), format: 'wav', streaming: true, cache });
    const first = await Array.fromAsync(speech.utterance({ text: LONG, speed: SPEED, scope: 'shared' }).open(never));
    await cache.close();
    const again = speech.utterance({ text: LONG, speed: SPEED, scope: 'shared' });
    expect((await Array.fromAsync(again.open(never))).length).toBe(first.length);
    expect(again.isFromCache).toBe(true);
    expect(service.clients).toHaveLength(1);
  });

  test('leaves the websocket after half a minute without being heard, and its rest is spoken over HTTP', async () => {
    const { service } = await serve(speakWell);
    const api = connect(service.url);
    const toPiece = async (speech: ReturnType<typeof api.speak>) => ({
      speech: await speech,
      formatHint: 'audio/wav',
      maxBytes: Number.POSITIVE_INFINITY,
    });
    const utterance = createUtterance({
      pieces: cutIntoPieces(LONG),
      live: { sentences: SENTENCES, choice: createLiveChoice(), idleMs: 1 },
      voices: [
        {
          referenceId: null,
          speak: (text) => toPiece(api.speak({ text, format: 'wav' })),
          speakLive: (texts) => toPiece(api.speakLive({ format: 'wav' }, texts, { flush: true })),
          bytesOf: Buffer.byteLength,
        },
      ],
    });
    utterance.prepare();
    await utterance.ready;
    const [client] = service.clients as [LiveClient];
    await client.closed;
    expect(service.texts()).toEqual([]);
    const { failure } = await listen(utterance.open(never));
    expect(failure).toBeNull();
    expect([...textsOf(client), ...service.texts()].map((text) => String(text).trim()).join(' ')).toBe(LONG);
    expect(await utterance.charged()).toBe(LONG.length - service.texts().length + 1);
  });

  test('that is a single sentence, or short, is one call over HTTP', async () => {
    const { service, speech } = await serve(speakWell);
    for (const text of [SENTENCES[0] as string, 'Hello. How are you?']) await Array.fromAsync(speech.utterance({ text }).open(never));
    expect(service.clients).toHaveLength(0);
    expect(service.texts()).toHaveLength(2);
  });

  test('does not wait for a turn, and leaves one to other calls', async () => {
    const { service, speech } = await serve(speakWell, { concurrency: 2 });
    expect((await listen(speech.utterance({ text: LONG }).open(never))).failure).toBeNull();
    expect(service.clients).toHaveLength(0);
    expect(service.texts()).toHaveLength(3);
  });

  test('uses HTTP unless it may use the websocket', async () => {
    const service = await openLiveService(speakWell, overHttp);
    await Array.fromAsync(
      createSpeech({ api: connect(service.url), format: 'wav' })
        .utterance({ text: LONG })
        .open(never),
    );
    expect([service.clients.length, service.texts().length]).toEqual([0, 3]);
  });
});

describe('a websocket that fails before the first byte of sound', () => {
  const onText = (act: (client: LiveClient) => void) => (client: LiveClient) => void client.event('flush').then(() => act(client));
  test.each<[string, (client: LiveClient) => void, object?]>([
    ['sends rubbish', onText(({ socket }) => socket.send(Buffer.from([0xc1, 0xff, 0x00])))],
    ['sends text', onText(({ socket }) => socket.send('{"event":"audio"}'))],
    ['sends JSON for sound', onText((client) => audio(client, Buffer.from(JSON.stringify({ error: 'x'.repeat(500) }))))],
    ['sends nothing for a minute', () => {}, { headers: 1_000 }],
    [
      'sends a thousand events that say nothing',
      onText((client) => {
        for (let count = 0; count < 1000; count++) client.send({ event: 'log', message: 'Still thinking.' });
      }),
      { headers: 1_000 },
    ],
    ['closes at once', ({ socket }) => socket.close(1000)],
    ['closes in the middle of a word', onText(({ socket }) => socket.close(1011))],
    ['is reset', onText(({ socket }) => socket.terminate())],
    ['finishes with an error', onText((client) => client.send({ event: 'finish', reason: 'error', message: 'No.', status: 503 }))],
    ['has too many at once', onText((client) => client.send({ event: 'error', error: 'Too many.', max_concurrency: 1 }))],
    ['finishes without sound', onText((client) => client.send({ event: 'finish' }))],
  ])('and %s: the text is spoken over HTTP, unnoticed, and charged once', async (_, behave, timeouts = {}) => {
    const { service, speech } = await serve(behave, { timeouts });
    const utterance = speech.utterance({ text: LONG });
    const { failure, sound } = await listen(utterance.open(never));
    expect(failure).toBeNull();
    expect(measureTone(sound.subarray(4800, 40_000), 220, 48_000).snr).toBeGreaterThan(30);
    expect(service.texts().join(' ')).toBe(LONG);
    expect(await utterance.charged()).toBe(LONG.length - 2);
    await service.clients[0]?.closed;
  });

  test('is not asked again for a while', async () => {
    const { service, speech } = await serve(({ socket }) => socket.terminate());
    for (const _ of [1, 2, 3]) await Array.fromAsync(speech.utterance({ text: LONG }).open(never));
    expect(service.clients).toHaveLength(1);
    expect(service.texts()).toHaveLength(9);
  });

  test('because the service has too much to do at the moment is tried again with the next text', async () => {
    const { service, speech } = await serve(speakWell, {}, overHttp, 1);
    for (const clients of [0, 1]) {
      const utterance = speech.utterance({ text: LONG, speed: SPEED });
      expect((await listen(utterance.open(never))).failure).toBeNull();
      expect(service.clients).toHaveLength(clients);
      expect(service.texts().join(' ')).toBe(LONG);
    }
  });

  test('is not blamed if HTTP fails as well, whose error is the one that is told', async () => {
    const { service, speech } = await serve(
      (client) => void client.event('text').then(() => client.send({ event: 'finish', reason: 'error', status: 402 })),
      {},
      answerJson(402, { status: 402, message: 'Out of credit.' }),
    );
    for (const count of [1, 2]) {
      const utterance = speech.utterance({ text: LONG });
      const error = await thrownBy(Array.fromAsync(utterance.open(never)));
      expect(error).toMatchObject({ kind: 'credit', status: 402 });
      expect([await utterance.charged(), await utterance.billed()]).toEqual([0, 0]);
      expect([service.clients.length, service.texts().length]).toEqual([count, count]);
    }
  });

  test('because it does not know the voice: the next one speaks', async () => {
    const { service, speech } = await serve(
      (client) => {
        onEvent(client, ({ request }) => {
          const { reference_id: voice } = (request ?? {}) as { reference_id?: string };
          if (voice === 'gone') client.send({ event: 'finish', reason: 'error', status: 404 });
        });
        speakWell(client);
      },
      {},
      answerJson(404, { status: 404, message: 'There is no such voice.' }),
    );
    const utterance = speech.utterance({ text: LONG, referenceId: 'gone', speed: SPEED }, { fallbackIds: [null] });
    expect((await listen(utterance.open(never))).failure).toBeNull();
    expect(utterance.referenceId).toBeNull();
    expect(await utterance.charged()).toBe(LONG.length);
    expect([service.clients.length, service.texts().length]).toEqual([2, 1]);
  });

  test('because it is not wanted any more: it is closed, and nothing is asked for over HTTP', async () => {
    const { service, speech } = await serve(() => {});
    const utterance = speech.utterance({ text: LONG });
    utterance.prepare();
    await expect.poll(() => service.clients[0]?.received.length).toBe(3);
    utterance.cancel();
    await thrownBy(utterance.ready);
    await service.clients[0]?.closed;
    // The service may have made it.
    expect(await utterance.charged()).toBe(SENTENCES[0]?.length);
    expect(service.texts()).toEqual([]);
  });
});

describe('a websocket that fails after sound was heard', () => {
  test.each<[string, (client: LiveClient) => void, object, object?]>([
    ['closes in the middle of a word', ({ socket }) => socket.close(1011), { kind: 'protocol' }],
    ['is reset', ({ socket }) => socket.terminate(), { kind: 'protocol' }],
    ['sends rubbish', ({ socket }) => socket.send(Buffer.from([0xc1])), { kind: 'protocol' }],
    ['finishes with an error', (client) => client.send({ event: 'finish', reason: 'error', status: 402 }), { kind: 'credit' }],
    ['sends nothing for a minute', () => {}, { kind: 'timeout' }, { idle: 1_000 }],
  ])(
    'and %s ends the text there, as broken HTTP does: heard up to then, told, cached nowhere, and not asked for again',
    async (_, fail, error, timeouts = {}) => {
      const service = await openLiveService(speakOneThen(fail), overHttp);
      const cache = await openCacheIn(await makeFolder());
      const api = connect(service.url, { timeouts });
      const speech = createSpeech({ api, format: 'wav', streaming: true, cache });
      const utterance = speech.utterance({ text: LONG, scope: 'shared' });
      const { failure, sound } = await listen(utterance.open(never));
      expect(failure).toMatchObject({ name: 'ApiError', mayHaveBeenBilled: true, ...error });
      expect(sound.length).toBeGreaterThan(0.9 * SAMPLES);
      expect(await utterance.charged()).toBe(textsOf(service.clients[0] as LiveClient).join('').length);
      expect(service.texts()).toEqual([]);
      await cache.close();
      expect(cache.bytes).toBe(0);
      // The next text doesn't risk it.
      await Array.fromAsync(speech.utterance({ text: LONG }).open(never));
      expect([service.clients.length, service.texts().length]).toEqual([1, 3]);
    },
  );

  test('and sends what is no sound ends the text there', async () => {
    const { service, speech } = await serve((client) => {
      onEvent(
        client,
        ({ event }) =>
          event === 'text' &&
          audio(
            client,
            Uint8Array.from({ length: 6000 }, (_, at) => (at * at * 31 + 7 * at) % 251),
          ),
      );
    });
    expect((await listen(speech.utterance({ text: LONG }).open(never))).failure).toMatchObject({ name: 'AudioError' });
    expect(service.texts()).toEqual([]);
    await Array.fromAsync(speech.utterance({ text: LONG }).open(never));
    expect([service.clients.length, service.texts().length]).toEqual([1, 3]);
  });

  test('and never stops is cut off, and the next texts are spoken over HTTP', async () => {
    const { service, speech } = await serve((client) => {
      onEvent(client, ({ event }) => {
        if (event === 'start') audio(client, HEADER);
        if (event !== 'text') return;
        const more = () => {
          if (client.socket.readyState !== client.socket.OPEN) return;
          // Right after it is written, there would be no time to read.
          client.socket.send(encode({ event: 'audio', audio: new Uint8Array(960_000) }), () => setImmediate(more));
        };
        more();
      });
    });
    const text = 'It is a quarter past nine, and it has been raining for a while. The train is late again, as it always is when it rains.';
    const { failure } = await listen(speech.utterance({ text, speed: 2 }).open(never));
    expect(failure).toMatchObject({ name: 'AudioError', kind: 'endless' });
    for (let times = 0; times < 2; times++) await Array.fromAsync(speech.utterance({ text }).open(never));
    expect([service.clients.length, service.texts().length]).toEqual([1, 2]);
  });
});
