// The voice that is named for texts without one: the most used that speaks the server's language, the same for all processes and requests.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { followDefaultVoices } from '../../src/local/voice-service/default-voices.ts';
import { createLog } from '../../src/log.ts';
import { openSqliteStore, type Store } from '../../src/store/index.ts';
import { createSpeech } from '../../src/synthesis/index.ts';
import { createDefaultVoices } from '../../src/voice-catalogue/default-voices.ts';
import { modelOnWire } from '../helpers/catalogue.ts';
import { holdTimers } from '../helpers/held-timers.ts';
import { answerJson, type Behaviour, connect, hang, openMisbehavingService } from '../helpers/misbehaving-service.ts';
import { listen, tone } from '../helpers/sound.ts';
import { answerWav, expectNoResourcesInUse, LONG, never } from '../helpers/utterances.ts';

let store: Store;
beforeEach(() => {
  store = openSqliteStore(':memory:');
});
afterEach(() => store.close());
afterEach(expectNoResourcesInUse);

const voice = (id: string, task_count: number, languages: string[], more = {}) => modelOnWire(id, { task_count, languages, ...more });
const catalogue = [
  voice('private', 9000, ['de'], { visibility: 'private' }),
  voice('sings', 9000, ['de'], { type: 'svc' }),
  voice('training', 9000, ['de'], { state: 'training' }),
  voice('of-a-member', 9000, ['de']),
  voice('rare', 10, ['de']),
  voice('usual', 500, ['en', 'de_AT']),
  voice('most-used', 8000, ['en']),
];
const speak = answerWav(tone(440, 0.3, 48_000));

/** A service with these voices, which filters none, and a process that uses it. @param gone ids of voices that don't speak any more */
async function open(list: Behaviour = answerJson(200, { total: 7, items: catalogue }), gone: string[] = []) {
  /** The voices that it was asked for. */
  const asked: (string | null)[] = [];
  const service = await openMisbehavingService((request, response, body) => {
    if (request.url !== '/v1/tts') return list(request, response);
    const id = JSON.parse(String(body)).reference_id ?? null;
    asked.push(id);
    (gone.includes(id) ? answerJson(404, { status: 404, message: 'Not found' }) : speak)(request, response);
  });
  const begin = () => {
    const api = connect(service.url);
    const made = async (ids: Iterable<string>) => new Set(ids).intersection(new Set(['of-a-member']));
    const voices = createDefaultVoices({ api, store, service: service.url, voiceOwners: { made }, log: createLog('silent') });
    const defaultVoices = {
      for: async () => ({ id: await voices.for('de'), isStandIn: false }),
      replace: (_: unknown, id: string) => voices.replace('de', id),
    };
    return { voices, speech: createSpeech({ api, format: 'wav', defaultVoices }) };
  };
  return { service, asked, begin, ...begin() };
}

describe('the voice for texts without one', () => {
  test('is the most used that can speak, that everybody may use, and that speaks the language, whatever the service lists', async () => {
    const { voices } = await open();
    expect(await voices.for('de')).toBe('usual');
    expect(await voices.for('de-CH')).toBe('usual');
    expect(await voices.for('en-US')).toBe('most-used');
    expect(await voices.for('ja')).toBe('most-used');
  });

  test('stays the same after a restart and in other processes, though others are used more by then', async () => {
    let items = catalogue;
    const { voices, begin, service } = await open((...exchange) => answerJson(200, { total: 7, items })(...exchange));
    expect(await voices.for('de')).toBe('usual');
    items = [voice('new', 99_999, ['de'])];
    const before = service.requests.length;
    expect(await Promise.all([begin().voices.for('de'), begin().voices.for('de')])).toEqual(['usual', 'usual']);
    expect(service.requests).toHaveLength(before);
    // Two that ask at once agree, too.
    expect(new Set(await Promise.all([begin(), begin()].map((process) => process.voices.for('fr'))))).toEqual(new Set(['new']));
  });

  test('is replaced once it is gone, unless another process has done so', async () => {
    let items = catalogue;
    const { voices, begin } = await open((...exchange) => answerJson(200, { total: 7, items })(...exchange));
    const other = begin().voices;
    expect([await voices.for('de'), await other.for('de')]).toEqual(['usual', 'usual']);
    items = [voice('new', 5, ['de'])];
    await voices.replace('de', 'usual');
    expect(await voices.for('de')).toBe('new');
    items = [voice('newer', 50, ['de'])];
    await other.replace('de', 'usual');
    expect(await other.for('de')).toBe('new');
  });

  test.each([
    ['the service has no catalogue', answerJson(404, { status: 404, message: 'Not found' })],
    ['the catalogue is empty', answerJson(200, { total: 0, items: [] })],
    ['nobody may use any of its voices', answerJson(200, { total: 1, items: catalogue.slice(0, 4) })],
    ['it answers with nonsense', answerJson(200, ['usual'])],
    ['it fails', answerJson(500, { status: 500, message: 'broken' })],
  ])('is not named if %s', async (_, list) => {
    const { voices } = await open(list);
    expect(await voices.for('de')).toBeNull();
  });

  test('is not named if it doesn’t answer in time', async () => {
    const { voices } = await open(hang);
    const timers = holdTimers(1_500);
    const named = voices.for('de');
    timers.expire();
    expect(await named).toBeNull();
  });

  test('is chosen anew if what is stored is of another version', async () => {
    const { voices, begin } = await open();
    await voices.for('de');
    const [[key]] = (await store.list('default-voice:')) as [[string, unknown]];
    await store.set(key, { id: 7 });
    expect(await begin().voices.for('de')).toBe('usual');
    expect(await store.get(key)).toEqual({ id: 'usual' });
  });
});

describe('a text without a voice', () => {
  test('is spoken in one voice by all of its requests, and as a file', async () => {
    const { speech, asked } = await open();
    expect((await listen(speech.utterance({ text: LONG }).open(never))).failure).toBeNull();
    await speech.file({ text: 'Hello.' });
    await listen(speech.utterance({ text: 'Hello.', referenceId: 'chosen' }).open(never));
    expect(asked).toEqual(['usual', 'usual', 'usual', 'usual', 'chosen']);
  });

  test('is spoken in the named voice, too, if that one stands in for another', async () => {
    const { speech, asked } = await open(undefined, ['chosen']);
    const utterance = speech.utterance({ text: LONG, referenceId: 'chosen' }, { fallbackIds: [null] });
    expect((await listen(utterance.open(never))).failure).toBeNull();
    expect(asked).toEqual(['chosen', 'usual', 'usual', 'usual']);
    expect(utterance.referenceId).toBeNull();
  });

  test('is one request if no voice can be named', async () => {
    const { speech, asked, service } = await open(answerJson(404, { status: 404, message: 'Not found' }));
    const utterance = speech.utterance({ text: LONG });
    expect((await listen(utterance.open(never))).failure).toBeNull();
    expect(asked).toEqual([null]);
    expect(JSON.parse(service.requests.find(({ url }) => url === '/v1/tts')?.body.toString() ?? '').text).toBe(LONG);
    expect(await utterance.charged()).toBe(LONG.length);
  });

  test('is one request in the service’s own default if the named voice is gone, and the next text has another voice', async () => {
    let items = catalogue;
    const { speech, asked } = await open((...exchange) => answerJson(200, { total: 7, items })(...exchange), ['usual', 'new']);
    expect((await listen(speech.utterance({ text: LONG }).open(never))).failure).toBeNull();
    expect(asked).toEqual(['usual', null]);
    items = [voice('new', 5, ['de'])];
    await speech.file({ text: 'Hello.' });
    items = [voice('newer', 5, ['de'])];
    expect((await listen(speech.utterance({ text: LONG }).open(never))).failure).toBeNull();
    expect(asked.slice(2)).toEqual(['new', null, 'newer', 'newer', 'newer']);
  });

  test('keeps its own default where that is always the same voice, as at the local service', async () => {
    const { service, asked } = await open();
    const speech = createSpeech({ api: connect(service.url), format: 'wav' });
    expect((await listen(speech.utterance({ text: LONG }).open(never))).failure).toBeNull();
    expect(asked).toEqual([null, null, null]);
  });
});

describe('the local voices for texts without one', () => {
  const natural = { id: 'heart', base: 'af_heart', speed: { realTimeFactor: 1, keepsUp: false } };
  const TOO_LONG = 'The north wind and the sun were arguing about which of them was the stronger. '.repeat(4);
  const decided = { state: 'known', defaults: { natural, standIn: 'clara' } };

  test('are a natural one for what it begins with soon, else the first that keeps up', async () => {
    const voices = followDefaultVoices({ voices: () => decided, onVoices() {} });
    expect(await voices.for({ text: 'Good morning, everybody.' })).toEqual({ id: 'heart', isStandIn: false });
    expect(await voices.for({ text: TOO_LONG })).toEqual({ id: 'clara', isStandIn: true });
  });

  test('are waited for while it is found out whether a natural one speaks', async () => {
    let now = { state: 'measuring', defaults: { natural: null as typeof natural | null, standIn: 'clara' } };
    const listeners: (() => void)[] = [];
    const voices = followDefaultVoices({ voices: () => now, onVoices: (listener) => void listeners.push(listener) });
    expect(voices.known({ text: 'Hello.' })).toEqual({ id: 'clara', isStandIn: true });
    const spoken = voices.for({ text: 'Hello.' });
    now = decided;
    for (const listener of listeners) listener();
    expect(await spoken).toEqual({ id: 'heart', isStandIn: false });
  });

  test('aren’t waited for again if it takes so long that a text has waited in vain', async () => {
    const measuring = { state: 'measuring', defaults: { natural: null, standIn: 'clara' } };
    const voices = followDefaultVoices({ voices: () => measuring, onVoices() {}, waitMs: 50 });
    expect(await voices.for({ text: 'Hello.' })).toEqual({ id: 'clara', isStandIn: true });
    const next = voices.for({ text: 'Hello.' }).then(() => 'at once');
    expect(await Promise.race([next, nextTurn('later')])).toBe('at once');
  });

  test.each([
    ['is too slow for the text', answerJson(422, [{ loc: ['text'], type: 'too_slow', msg: 'Too long.', ctx: 'maximum 20', in: 'body' }])],
    ['can’t be loaded', answerJson(500, { status: 500, message: 'The engine could not be loaded.' })],
  ])('pass a text on to the one that keeps up if the natural one %s', async (_, refusal) => {
    const asked: string[] = [];
    const service = await openMisbehavingService((request, response, body) => {
      const { reference_id } = JSON.parse(String(body));
      asked.push(reference_id);
      (reference_id === 'heart' ? refusal : speak)(request, response);
    });
    const defaultVoices = followDefaultVoices({ voices: () => decided, onVoices() {} });
    const speech = createSpeech({ api: connect(service.url), format: 'wav', defaultVoices });
    const utterance = speech.utterance({ text: 'Hello.' });
    expect((await Array.fromAsync(utterance.open(never))).length).toBeGreaterThan(0);
    expect(utterance.standIn).toBe('clara');
    const onStandIn: string[] = [];
    await speech.file({ text: 'Hello.' }, { onStandIn: (id) => onStandIn.push(id) });
    expect(onStandIn).toEqual(['clara']);
    // A failed service may have been asked twice.
    expect(asked.filter((id, at) => id !== asked[at - 1])).toEqual(['heart', 'clara', 'heart', 'clara']);
    // The one that is heard at once has to begin soon, while there is another.
    const waits = service.requests.map(({ headers }) => headers.prefer);
    expect([waits[0], waits[asked.indexOf('clara')]]).toEqual(['wait=5', undefined]);
  });

  test('are asked for once if the one that keeps up is named and gone; the service’s own default speaks then', async () => {
    const asked: (string | null)[] = [];
    const service = await openMisbehavingService((request, response, body) => {
      const { reference_id = null } = JSON.parse(String(body));
      asked.push(reference_id);
      (reference_id === 'clara' ? answerJson(404, { status: 404, message: 'Not found' }) : speak)(request, response);
    });
    const defaultVoices = followDefaultVoices({ voices: () => decided, onVoices() {} });
    const speech = createSpeech({ api: connect(service.url), format: 'wav', defaultVoices });
    expect((await listen(speech.utterance({ text: TOO_LONG }).open(never))).failure).toBeNull();
    expect(asked).toEqual(['clara', null]);
  });
});
