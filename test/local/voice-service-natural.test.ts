// Natural voices in the local voice service, with tones in their place: where this machine keeps up with them, and where it doesn't.
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { createApi } from '../../src/api/index.ts';
import type { EngineEvent, NaturalSpeed } from '../../src/local/voice-service/engines/index.ts';
import { toSpeed } from '../../src/local/voice-service/engines/natural-speed.ts';
import type { VoiceServiceOptions } from '../../src/local/voice-service/index.ts';
import { priceOfSpeech } from '../../src/local/voice-service/money.ts';
import { followNaturalVoices } from '../../src/local/voice-service/natural-voices.ts';
import { makeFolder } from '../helpers/folder.ts';
import { openLive } from '../helpers/live-service.ts';
import { beginSpeech, createToneEngines, send, sendJson, spentBy, startTestVoiceService, toneEngines } from '../helpers/voice-service.ts';
import { createWaiter } from '../helpers/waiter.ts';

const FAST: NaturalSpeed = { realTimeFactor: 0.2, keepsUp: true };
/** Sound may begin after the clause with which 55 % of it is ready, which takes ten seconds with 220 characters. */
const SLOW: NaturalSpeed = { realTimeFactor: 1, keepsUp: false };
/** A clause of two seconds takes more than three. */
const TOO_SLOW: NaturalSpeed = { realTimeFactor: 1.6, keepsUp: false };
const LONG = 'The north wind and the sun were arguing about which of them was the stronger. '.repeat(4);
const TOO_LONG = "That's too long for this voice on this computer. Shorten it to about 220 characters, or choose a faster voice.";

const events: EngineEvent[] = [];
const waiter = createWaiter();
const onEvent = (event: EngineEvent) => {
  events.push(event);
  waiter.notify();
};
const fast = createToneEngines({ natural: FAST, onEvent });
const slow = createToneEngines({ natural: SLOW, onEvent });
const tooSlow = createToneEngines({ natural: TOO_SLOW, onEvent });
afterAll(() => Promise.all([fast, slow, tooSlow].map((engines) => engines.close())));

/** Engines for a test that leaves their process waiting for ever, or for which they mustn't know how slow a busy machine was a moment ago. */
function createOwn(natural: NaturalSpeed) {
  const engines = createToneEngines({ natural, onEvent });
  onTestFinished(() => engines.close());
  return engines;
}

async function start(options: Partial<VoiceServiceOptions>) {
  events.length = 0;
  const service = await startTestVoiceService(options);
  onTestFinished(service.close);
  const ids = async () => ((await send(service, '/model?page_size=100')).json as { items: { _id: string; tags: string[] }[] }).items;
  const speak = (text: string, fields: object = {}, headers = {}) =>
    sendJson(service, '/v1/tts', { text, format: 'wav', ...fields }, { headers });
  const hear = async (bytes: Uint8Array) => (await toneEngines().transcribe({ audio: bytes, timestamps: false })).text;
  return { service, ids, speak, hear };
}

/** Waits until so many pieces of one text have been made. */
const made = (pieces: number) =>
  waiter.until(
    () => events.some((event) => event.type === 'synthesised' && event.pieces === pieces) || undefined,
    () => `${pieces} pieces`,
  );

describe('natural voices', () => {
  test('aren’t there before it is known how fast this machine is', async () => {
    const { ids, service } = await start({ engines: toneEngines() });
    expect(service.voices()).toMatchObject({ natural: null, defaults: { natural: null, standIn: 'clara' }, slow: [] });
    expect((await ids()).some(({ _id }) => _id === 'heart')).toBe(false);
    expect((await send(service, '/model/heart')).status).toBe(404);
  });

  test('come first and speak if no voice is chosen, where they keep up', async () => {
    const { ids, speak, hear, service } = await start({ engines: fast });
    expect(service.voices()).toMatchObject({ natural: FAST, defaults: { natural: { id: 'heart' } }, slow: [] });
    const listed = await ids();
    expect(listed.slice(0, 9).map(({ _id }) => _id)).toEqual([
      'heart',
      'bella',
      'nicole',
      'emma',
      'michael',
      'fenrir',
      'puck',
      'george',
      'clara',
    ]);
    expect(listed.filter(({ tags }) => tags.includes('slow'))).toEqual([]);
    expect(await hear((await speak('Hello.')).bytes)).toBe('af_heart. Hello.');
    expect(await hear((await speak('Hello.', { reference_id: 'george' })).bytes)).toBe('bm_george. Hello.');
    expect(await hear((await speak('Hello.', { reference_id: 'clara' })).bytes)).toBe('Hello.');
  });

  test('don’t speak unless they are chosen if Flite is to be the default', async () => {
    const { speak, hear, service } = await start({ engines: fast, defaultEngine: 'flite' });
    expect(service.voices().defaults).toEqual({ natural: null, standIn: 'clara' });
    expect(await hear((await speak('Hello.')).bytes)).toBe('Hello.');
  });

  test('come last, are tagged, and don’t speak unless they are chosen, where they don’t keep up', async () => {
    const { ids, speak, hear, service } = await start({ engines: tooSlow });
    const listed = await ids();
    const { defaults, slow: slowVoices } = service.voices();
    expect(defaults).toEqual({ natural: null, standIn: 'clara' });
    expect(slowVoices).toEqual(listed.filter(({ tags }) => tags[0] === 'slow').map(({ _id }) => _id));
    expect(listed.slice(-8).map(({ _id }) => _id)).toEqual(slowVoices);
    expect(await hear((await speak('Hello.')).bytes)).toBe('Hello.');
    expect(await hear((await speak('Hello.', { reference_id: 'heart' })).bytes)).toBe('af_heart. Hello.');
  });

  test('speak what they begin with within three seconds, if none is chosen; a longer text is spoken by the first voice that keeps up', async () => {
    const { speak, hear } = await start({ engines: slow });
    expect(await hear((await speak('Good morning, everybody.')).bytes)).toBe('af_heart. Good morning, everybody.');
    expect(await hear((await speak(LONG)).bytes)).toBe(LONG.trim());
  });

  test('are there, and the default, in the same run in which somebody comes', async () => {
    const engines = createToneEngines({ onEvent });
    onTestFinished(() => engines.close());
    const changed = createWaiter();
    const onVoices = changed.notify;
    const { service, ids, speak, hear } = await start({
      engines,
      onVoices,
      measuresNatural: { machine: 'this one', freeBytes: 4 * 1024 ** 3 },
    });
    expect(await hear((await speak('Hello.')).bytes)).toBe('Hello.');
    expect(service.voices().state).toBe('unknown');
    service.prepare();
    expect(service.voices()).toMatchObject({ state: 'measuring', defaults: { natural: null } });
    await changed.until(
      () => service.voices().state === 'known' || undefined,
      () => 'natural voices',
    );
    expect(await hear((await speak('Hello.')).bytes)).toBe('af_heart. Hello.');
    expect((await ids()).some(({ _id }) => _id === 'heart')).toBe(true);
  });

  test('are replaced by an engine of the operator’s', async () => {
    const engines = createToneEngines({ natural: FAST, speech: { url: 'http://127.0.0.1:1' } });
    onTestFinished(() => engines.close());
    expect(engines.natural).toBeNull();
  });

  test('fail alone with the text that ends their process, while other voices and the next text are spoken', async () => {
    const { speak, hear } = await start({ engines: fast });
    const dying = expect(speak('One. Die. Never said.')).rejects.toThrow('aborted');
    const others = await Promise.all(['clara', 'robert', 'alan'].map((reference_id) => speak('Hello.', { reference_id })));
    for (const { bytes } of others) expect(await hear(bytes)).toBe('Hello.');
    await dying;
    expect(await hear((await speak('Hello.')).bytes)).toBe('af_heart. Hello.');
    expect(events.filter(({ type }) => type === 'worker-lost')).toHaveLength(2);
  });

  test('make nothing more of a text that is skipped', async () => {
    const { service, speak } = await start({ engines: createOwn(FAST) });
    const speech = beginSpeech(service, { text: 'One. Wait. Three.', format: 'wav' });
    const response = await speech.response;
    speech.sent.destroy();
    await once(response, 'close').catch(() => {});
    // Nobody waits for what was skipped, though it would have taken for ever.
    expect((await speak('Hello.', { reference_id: 'clara' })).status).toBe(200);
    expect(events.filter((event) => event.type === 'synthesised' && event.pieces > 2)).toEqual([]);
  });

  test('speak several texts over websockets at once, sentence by sentence', async () => {
    const { service, hear } = await start({ engines: fast });
    const spoken = await Promise.all(
      ['One', 'Two', 'Three'].map(async (name) => {
        const live = await openLive(service);
        live.send({ event: 'start', request: { text: '', format: 'wav' } }, { event: 'text', text: `${name} begins. ${name} goes on. ` });
        await live.event('audio');
        live.send({ event: 'text', text: `${name} ends.` }, { event: 'stop' });
        expect(await live.event('finish')).toMatchObject({ reason: 'stop' });
        return hear(Buffer.concat(live.received.filter(({ event }) => event === 'audio').map(({ audio }) => audio as Uint8Array)));
      }),
    );
    expect(spoken).toEqual(
      ['One', 'Two', 'Three'].map((name) => ['begins', 'goes on', 'ends'].map((what) => `af_heart. ${name} ${what}.`).join(' ')),
    );
  });

  test('60 texts at once, in natural and other voices, are spoken or refused for being too many', async () => {
    const { speak, hear, service } = await start({ engines: fast, limits: { callsPerKey: 20 } });
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, index) => speak(`${index}.`, index % 2 === 0 ? {} : { reference_id: 'clara' })),
    );
    const spoken = answers.map((answer, index) => ({ ...answer, index })).filter(({ status }) => status === 200);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
    for (const { bytes, index } of spoken) expect(await hear(bytes)).toBe(index % 2 === 0 ? `af_heart. ${index}.` : `${index}.`);
    expect((await speak('Hello.')).status).toBe(200);
    expect(await spentBy(service)).toBe(spoken.reduce((sum, { index }) => sum + priceOfSpeech(`${index}.`), priceOfSpeech('Hello.')));
  });
});

describe('a slow voice', () => {
  const voice = { reference_id: 'heart' };

  test('begins once what is ready lasts longer than the rest will take', async () => {
    const { service } = await start({ engines: createOwn(SLOW) });
    const speech = beginSpeech(service, { ...voice, text: 'The first one. Wait. The third one.', format: 'wav' });
    const [chunk] = await once(await speech.response, 'data');
    expect(chunk.length).toBeGreaterThan(44);
    speech.sent.destroy();
  });

  test('doesn’t begin before that', async () => {
    const { service, speak } = await start({ engines: createOwn(SLOW) });
    const speech = beginSpeech(service, { ...voice, text: 'Hi. Wait. The third one is much longer than the first one is.', format: 'wav' });
    const begun = speech.response.then(() => 'begun');
    await made(2);
    const barrier = speak('Hello.', { reference_id: 'clara' }).then(() => 'not begun');
    expect(await Promise.race([begun, barrier])).toBe('not begun');
    speech.sent.destroy();
  });

  test('refuses a text that it would begin too late with, free of charge', async () => {
    const { service, speak } = await start({ engines: createOwn(SLOW) });
    const { status, json } = await speak(LONG, voice);
    expect(status).toBe(422);
    expect(json).toEqual([{ loc: ['text'], type: 'too_slow', msg: TOO_LONG, ctx: 'maximum 220', in: 'body' }]);
    // Whoever asks for it in place of another voice waits less long.
    const impatient = await speak(LONG.slice(0, 220), voice, { prefer: 'wait=5' });
    expect([impatient.status, (impatient.json as { ctx: string }[])[0]?.ctx]).toEqual([422, 'maximum 110']);
    expect(await spentBy(service)).toBe(0n);
    expect((await speak(LONG.slice(0, 220), voice)).status).toBe(200);
  });

  test('takes its time with what isn’t heard at once', async () => {
    const { service, speak, hear } = await start({ engines: slow });
    const api = createApi({ baseUrl: service.url, apiKey: service.key });
    onTestFinished(() => api.close());
    const speech = await api.speak({ text: LONG, referenceId: 'heart', format: 'wav' }, { isDownload: true });
    expect(await hear(Buffer.concat(await Array.fromAsync(speech.audio)))).toBe(`af_heart. ${LONG.trim()}`);
    expect((await speak(LONG, voice, { prefer: 'wait=5' })).status).toBe(422);
  });

  test('makes one text at a time, and asks to try again if that would take too long', async () => {
    const { service, speak } = await start({ engines: createOwn(SLOW) });
    const first = beginSpeech(service, { ...voice, text: `Wait. ${LONG.slice(0, 200)}`, format: 'wav' });
    await made(1);
    const { status, headers } = await speak(LONG.slice(0, 200), voice);
    expect(status).toBe(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(5);
    first.sent.destroy();
  });

  test('waits over a websocket until it knows how much there is', async () => {
    const { service, hear } = await start({ engines: createOwn(SLOW) });
    const text = (words: string) => ({ event: 'text', text: words });
    const refused = await openLive(service);
    refused.send({ event: 'start', request: { text: '', ...voice } }, ...LONG.split(/(?<=\. )/).map(text), { event: 'stop' });
    expect(await refused.event('finish')).toMatchObject({ reason: 'error', status: 422, message: `text: ${TOO_LONG}` });
    expect(await spentBy(service)).toBe(0n);

    const live = await openLive(service);
    live.send({ event: 'start', request: { text: '', format: 'wav', ...voice } }, text('One. '), { event: 'flush' }, text('Two.'), {
      event: 'stop',
    });
    expect(await live.event('finish')).toMatchObject({ reason: 'stop' });
    const audio = live.received.filter(({ event }) => event === 'audio').map((event) => event.audio as Uint8Array);
    expect(await hear(Buffer.concat(audio))).toBe('af_heart. One. Two.');
    expect(await spentBy(service)).toBe(priceOfSpeech('One. Two.'));
  });
});

describe('the speed of natural voices', () => {
  const known = { machine: 'this one', freeBytes: 4 * 1024 ** 3 };

  /** Follows them, with engines of their own; measuring them exactly takes a process of the lowest priority: long/natural-voices-speed. */
  async function follow({
    dir,
    natural,
    ...options
  }: { dir?: string; natural?: URL } & Partial<Parameters<typeof followNaturalVoices>[0]>) {
    const engines = createToneEngines({ onEvent, ...(natural && { builtIn: { natural } }) });
    const lines: string[] = [];
    const log = pino({ level: 'info' }, { write: (line) => lines.push(JSON.parse(line).msg) });
    const voices = await followNaturalVoices({ ...known, engines, log, dir: dir ?? (await makeFolder()), ...options });
    onTestFinished(async () => {
      await voices.close();
      await engines.close();
    });
    return { voices, engines, lines };
  }

  async function makeKnown(text: string): Promise<string> {
    const dir = await makeFolder();
    await writeFile(join(dir, 'natural-voices.json'), text);
    return dir;
  }
  /** As the version before wrote it. */
  const KEPT = JSON.stringify({ machine: known.machine, ...FAST, areNew: true });

  test.each([
    [0.05, true],
    [2, false],
  ])('is what a text takes: with %f s for a second of sound, whether they keep up is %s', (seconds, keepsUp) => {
    const made = (count: number) => Array.from({ length: count }, (_, index) => ({ at: seconds * (index + 1), ready: index + 1 }));
    expect(toSpeed(made(4), made(17))).toEqual({ realTimeFactor: seconds, keepsUp });
  });

  test('isn’t mistaken on a machine that other programs keep busy at that moment: only work on the clause counts', async () => {
    const natural = new URL('../fixtures/programs/faulty-natural-synthesiser.ts?fault=waits', import.meta.url);
    const { voices, engines, lines } = await follow({ natural });
    await voices.prepare();
    expect(voices.state()).toBe('known');
    expect(engines.natural?.realTimeFactor).toBeLessThan(0.5);
    expect(lines).toEqual([expect.stringMatching(/^voice service: natural voices take about 0\.\d s for a second of speech here$/)]);
  });

  test('is found out anew with the next visit if they seemed too slow on a busy machine, which nobody waits for', async () => {
    const natural = new URL('../fixtures/programs/faulty-natural-synthesiser.ts?fault=slows', import.meta.url);
    const { voices, engines } = await follow({ natural, isBusy: () => true });
    await voices.prepare();
    expect(engines.natural?.realTimeFactor).toBeGreaterThan(1.5);
    const again = voices.prepare();
    expect(voices.state()).toBe('known');
    await again;
    expect(engines.natural?.realTimeFactor).toBeLessThan(1);
  });

  test('isn’t found out anew where nothing else kept the machine busy', async () => {
    const natural = new URL('../fixtures/programs/faulty-natural-synthesiser.ts?fault=slows', import.meta.url);
    const { voices, engines } = await follow({ natural, isBusy: () => false });
    await voices.prepare();
    await voices.prepare();
    expect(engines.natural?.realTimeFactor).toBeGreaterThan(1.5);
  });

  test('is measured again if a version that measured by the clock found them slow, for it may have been wrong', async () => {
    const kept = JSON.stringify({ machine: known.machine, ...TOO_SLOW, areNew: false });
    expect((await follow({ dir: await makeKnown(kept) })).voices.state()).toBe('unknown');
  });

  test('counts at once if it is kept', async () => {
    const { voices, engines } = await follow({ dir: await makeKnown(KEPT) });
    expect(voices.state()).toBe('known');
    expect(engines.natural).toEqual(FAST);
  });

  test('is unknown on another machine, with another runtime, or if its file is damaged', async () => {
    expect((await follow({ dir: await makeKnown(KEPT), machine: 'another one' })).voices.state()).toBe('unknown');
    expect((await follow({ dir: await makeKnown(KEPT.slice(0, -5)) })).voices.state()).toBe('unknown');
  });

  test('doesn’t matter where less than 2 GB of memory are free: they aren’t loaded, which is said', async () => {
    const { voices, engines, lines } = await follow({ dir: await makeKnown(KEPT), freeBytes: 1024 ** 3 });
    await voices.prepare();
    expect([voices.state(), engines.natural]).toEqual(['absent', null]);
    expect(lines).toEqual([expect.stringContaining('less than 2 GB of memory')]);
  });

  test('doesn’t matter where they can’t be loaded, which is said in one sentence', async () => {
    const engine = new URL('../fixtures/programs/unloadable-recogniser.ts', import.meta.url);
    const { voices, lines } = await follow({ dir: await makeKnown(KEPT), engine });
    await voices.prepare();
    expect(voices.state()).toBe('absent');
    expect(lines).toEqual([expect.stringMatching(/^voice service: .* is missing\. Run npm ci --ignore-scripts again, then restart\.$/)]);
  });

  test('is found out with the next try if their process ends while a clause is timed; after three, others speak, which is said', async () => {
    const natural = new URL('../fixtures/programs/faulty-natural-synthesiser.ts?fault=dies', import.meta.url);
    const { voices, engines, lines } = await follow({ natural });
    for (const state of ['unknown', 'unknown', 'absent']) {
      await voices.prepare();
      expect([voices.state(), engines.natural]).toEqual([state, null]);
    }
    await voices.prepare();
    expect(lines).toEqual(Array(3).fill(expect.stringMatching(/^voice service: The engine stopped working/)));
    const { service, hear } = await start({ engines });
    expect(await hear((await sendJson(service, '/v1/tts', { text: 'Hello.', format: 'wav' })).bytes)).toBe('Hello.');
  });

  test('keeps them from being loaded where they would always be late', async () => {
    const kept = JSON.stringify({ machine: known.machine, ...TOO_SLOW, byWork: true, areNew: false });
    const natural = new URL('../fixtures/programs/faulty-natural-synthesiser.ts?fault=hangs', import.meta.url);
    const { voices, engines } = await follow({ dir: await makeKnown(kept), natural });
    await voices.prepare();
    expect(engines.natural).toEqual(TOO_SLOW);
  });

  test('isn’t waited for when the service is closed', async () => {
    const natural = new URL('../fixtures/programs/faulty-natural-synthesiser.ts?fault=hangs', import.meta.url);
    const { voices } = await follow({ natural });
    const preparing = voices.prepare();
    expect(voices.state()).toBe('measuring');
    await voices.close();
    await preparing;
  });
});
