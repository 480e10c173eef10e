// What members say becomes captions: recorded speech as Opus packets, the process that finds speech, and a voice service that answers as told.
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createOggDemuxer } from '../../src/audio/ogg/demuxer.ts';
import { type Caption, createListening, type Listening } from '../../src/captions/listening.ts';
import { createSpeechFinder, type SpeechFinder } from '../../src/captions/speech-finder.ts';
import { createCapsLookup, createCreditService, openAccount, readPrices, toOperatorBudgets } from '../../src/charging/index.ts';
import { readConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { openSqliteStore } from '../../src/store/index.ts';
import { createSettings } from '../../src/store/settings.ts';
import { createAcceptedLanguages } from '../../src/transcription/context.ts';
import { holdTimers } from '../helpers/held-timers.ts';
import { answerJson, type Behaviour, connect, hang, openMisbehavingService, type SeenRequest } from '../helpers/misbehaving-service.ts';
import { createRandom } from '../helpers/random.ts';
import { PACKET_MS, soundsOf, toPackets } from '../helpers/sound.ts';
import { librivoxRecordings, RATE } from '../helpers/speech.ts';
import { gain, joinSounds, NOISES } from './distorted-speech.ts';

const clips = librivoxRecordings().map(({ speech }) => speech) as [Float32Array, Float32Array, Float32Array, Float32Array, Float32Array];
const [, short, , , other] = clips;
const heard = (text: string, duration = 1) => answerJson(200, { text, duration, segments: [] });

let finder: SpeechFinder;
let packets: { short: Uint8Array[]; other: Uint8Array[] };
/** A little more than a second. */
let words: Uint8Array[];
beforeAll(async () => {
  finder = createSpeechFinder();
  packets = { short: await toPackets(short), other: await toPackets(other) };
  words = packets.short.slice(25, 85);
});
afterAll(() => finder.close());

/** Captions of one guild with a service that meets each call with the next behaviour. */
async function listen(
  behaviours: [Behaviour, ...Behaviour[]],
  {
    minutes = 60,
    guildMinutes = 0,
    hint = null,
    speechFinder = finder,
    callMs,
    concurrency = 8,
    known = null,
  }: {
    minutes?: number;
    guildMinutes?: number;
    hint?: string | null;
    speechFinder?: SpeechFinder;
    callMs?: number;
    concurrency?: number;
    /** The languages that the service says it takes. */
    known?: string[] | null;
  } = {},
) {
  const service = await openMisbehavingService(...behaviours);
  const api = connect(service.url, { concurrency, retries: { attempts: 1, firstDelay: 1, maxDelay: 1 } });
  const store = openSqliteStore(':memory:');
  const log = createLog('silent');
  const account = await openAccount({ api, store, service: 'test', log, prices: readPrices(readConfig({})) });
  const budgets = toOperatorBudgets(readConfig({ BUDGET_MEMBER_MINUTES: String(minutes), BUDGET_GUILD_MINUTES: String(guildMinutes) }));
  const credit = createCreditService({ store, account, capsOf: createCapsLookup(budgets, createSettings(store)) });
  const captions: Caption[] = [];
  const events: string[] = [];
  let cost = 0;
  let billed = 0;
  let asked = 0;
  const languages = createAcceptedLanguages(known);
  const listening = createListening(
    { api, credit, speechFinder, transcriptionLanguages: languages, log, callMs },
    {
      guildId: '1',
      language() {
        asked += 1;
        return hint;
      },
      onCaption: (caption) => captions.push(caption),
      onBehind: (seconds) => events.push(`behind ${seconds}`),
      onDropped: (userId) => events.push(`dropped ${userId}`),
      onOutOfBudget: (userId, resetsAt) => events.push(`out of budget ${userId} ${resetsAt > Date.now()}`),
      onForeign: (userId, language) => events.push(`foreign ${userId} ${language}`),
      onFailure: (error) => events.push(`failure ${(error as Error).message}`),
      onCost: (seconds, billedSeconds) => {
        cost += seconds;
        billed += billedSeconds;
      },
    },
  );
  onTestFinished(() => {
    listening.close();
    store.close();
  });
  await listening.ready;
  const budget = () => credit.todaysBudgets('transcription', { guildId: '1', memberId: 'Robin' });
  return {
    ...{ service, api, listening, captions, events, languages, budget },
    texts: () => captions.map(({ text }) => text),
    cost: () => cost,
    billed: () => billed,
    counted: async () => (await credit.usageOf('1', 1)).billedSeconds,
    /** How many calls have been prepared: the member's language is looked up just before a call is made. */
    asked: () => asked,
    usage: async () => (await budget()).member.used,
  };
}

/** When each member will have said what they say so far. */
const spokenUntil = new WeakMap<Listening, Map<string, number>>();

/** How long ago it seems to have been said, in milliseconds: longer than what a member says next takes, less than captions may be behind. */
const AGO_MS = 10_000;

/** All at once, as if it had been said some time ago, but after what the member has said before: nobody says two things at a time. */
function say(listening: Listening, userId: string, opus: readonly Uint8Array[], options: Partial<Parameters<typeof soundsOf>[2]> = {}) {
  const until = spokenUntil.get(listening) ?? new Map<string, number>();
  spokenUntil.set(listening, until);
  const { at = Math.max(performance.now() - AGO_MS - opus.length * PACKET_MS, until.get(userId) ?? Number.NEGATIVE_INFINITY), ...others } =
    options;
  until.set(userId, at + opus.length * PACKET_MS);
  const sounds = soundsOf(userId, opus, { ...others, at });
  for (const sound of sounds) listening.hear(sound);
  return sounds;
}

/** The packets of the file in a request. */
function sentPackets({ body }: SeenRequest): { data: Uint8Array; samples: number }[] {
  return createOggDemuxer()
    .push(body.subarray(body.indexOf('OggS'), body.lastIndexOf('\r\n--')))
    .flatMap((item) => (item.kind === 'packet' ? [item] : []));
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
const hexOf = (opus: Uint8Array) => Buffer.from(opus).toString('hex');
const secondsOf = (request: SeenRequest) => sum(sentPackets(request).map(({ samples }) => samples)) / 48_000;

const doubted = (text: string) => answerJson(200, { text, duration: 1, segments: [], doubtful: true });
const refusedAsForeign = answerJson(422, [{ loc: ['audio'], type: 'foreign_speech', msg: 'This does not sound like English.' }]);

describe('what a member says to a service that knows one language', () => {
  it('is marked while it sounds like another, left out once three of four stretches do, and a caption again once it sounds right', async () => {
    const answers = [doubted('One.'), doubted('Two.'), doubted('Three.'), refusedAsForeign, heard('Five.'), heard('Six.'), heard('Seven.')];
    const { service, listening, texts, events, cost } = await listen(answers as [Behaviour, ...Behaviour[]], { known: ['en'] });
    const sayThen = (seen: () => unknown) => {
      say(listening, 'Robin', words);
      return expect.poll(seen);
    };
    await sayThen(texts).toEqual(['One. [?]']);
    await sayThen(texts).toEqual(['One. [?]', 'Two. [?]']);
    await sayThen(() => events).toEqual(['foreign Robin en']);
    await sayThen(() => service.requests).toHaveLength(4);
    const paid = cost();
    await sayThen(() => texts().at(-1)).toBe('Five.');
    // What was refused cost nothing.
    expect(cost() - paid).toBeCloseTo(paid / 3, 0);
    await sayThen(() => texts().at(-1)).toBe('Six.');
    await sayThen(() => texts().at(-1)).toBe('Seven.');
    await sayThen(() => service.requests).toHaveLength(8);
    const hints = service.requests.map(({ body }) => /name="language"\r\n\r\n(\w+)/.exec(body.toString('latin1'))?.[1] ?? null);
    expect(hints).toEqual(['en', 'en', 'en', null, null, null, null, 'en']);
    expect(events).toEqual(['foreign Robin en']);
  });

  it('counts as another language where the service understands nothing of seconds of speech', async () => {
    const { listening, texts, events, service } = await listen([doubted('')], { known: ['en'] });
    for (let count = 1; count <= 3; count++) {
      say(listening, 'Robin', packets.short);
      await expect.poll(() => service.requests).toHaveLength(count);
    }
    await expect.poll(() => events).toEqual(['foreign Robin en']);
    expect(texts()).toEqual([]);
  });

  it('is taken for that language if the member has chosen it', async () => {
    const { listening, texts, events } = await listen([doubted('So it was.')], { known: ['en'], hint: 'en' });
    for (let count = 1; count <= 4; count++) {
      say(listening, 'Robin', words);
      await expect.poll(texts).toHaveLength(count);
    }
    expect(texts()).toEqual(Array(4).fill('So it was. [?]'));
    expect(events).toEqual([]);
  });
});

describe('what a member says', () => {
  it('is sent once they pause, as the packets themselves, with little more than the speech, and becomes a caption', async () => {
    const { service, listening, captions, texts, usage, cost } = await listen([heard(' It was\n so. ')]);
    const quiet = await toPackets(joinSounds([new Float32Array(RATE), short], 1));
    const [first] = say(listening, 'Robin', quiet);
    const request = await service.request(1);
    await expect.poll(texts).toEqual(['It was so.']);
    const packed = new Set(quiet.map((opus) => Buffer.from(opus).toString('hex')));
    expect(sentPackets(request).every(({ data }) => packed.has(Buffer.from(data).toString('hex')))).toBe(true);
    const length = short.length / RATE;
    expect(secondsOf(request)).toBeGreaterThan(length - 0.3);
    expect(secondsOf(request)).toBeLessThan(length + 0.6);
    // After the two seconds of silence.
    const begin = performance.timeOrigin + (first?.at ?? 0) + 2000;
    expect(Math.abs((captions[0]?.startedAt ?? 0) - begin)).toBeLessThan(500);
    expect(Math.abs((captions[0]?.endedAt ?? 0) - begin - length * 1000)).toBeLessThan(500);
    // Whole seconds are paid for.
    await expect.poll(usage).toBe(Math.ceil(secondsOf(request)));
    expect(cost()).toBeCloseTo(secondsOf(request));
  });

  it('is several captions if they pause, and each speaker has their own', async () => {
    const { service, listening, captions, cost, billed, counted, usage } = await listen([heard('words', 0)]);
    const twice = await toPackets(joinSounds([short, other], 1.2));
    const at = performance.now() - 20_000;
    say(listening, 'Robin', twice, { at });
    say(listening, 'Sam', packets.other, { at: at + 1000 });
    await service.request(3);
    await expect.poll(() => captions.map(({ userId }) => userId).sort()).toEqual(['Robin', 'Robin', 'Sam']);
    // Budgets count whole seconds, of everything that a member says rather than of each sentence.
    const seconds = service.requests.map(secondsOf);
    const packetsOfSam = new Set(packets.other.map(hexOf));
    const isOfSam = (request: SeenRequest) => sentPackets(request).every(({ data }) => packetsOfSam.has(hexOf(data)));
    const ofRobin = service.requests.filter((request) => !isOfSam(request)).map(secondsOf);
    expect(ofRobin).toHaveLength(2);
    expect(cost()).toBeCloseTo(sum(seconds));
    expect(sum(ofRobin.map(Math.ceil))).toBeGreaterThan(Math.ceil(sum(ofRobin)));
    await expect.poll(usage).toBe(Math.ceil(sum(ofRobin)));
    // The service bills each request, rounded up.
    expect(billed()).toBe(sum(seconds.map(Math.ceil)));
    await expect.poll(counted).toBe(billed());
  });

  it('goes on over a short pause in which nothing is sent, and over lost packets', async () => {
    const { service, listening, captions } = await listen([heard('words')]);
    const half = packets.short.length >> 1;
    const at = performance.now() - 10_000;
    say(listening, 'Robin', packets.short.slice(0, half), { at });
    const isLost = (number: number) => number % 8 === 3;
    say(listening, 'Robin', packets.short.slice(half), { at: at + half * PACKET_MS + 300, isLost });
    const request = await service.request(1);
    await expect.poll(() => captions.length).toBe(1);
    // Silence where nothing was sent, and packets without a frame for what was lost.
    expect(secondsOf(request)).toBeGreaterThan(short.length / RATE);
    expect(sentPackets(request).filter(({ data }) => data.length === 1).length).toBeGreaterThan(3);
    expect(service.requests).toHaveLength(1);
  });

  it('is sent in consecutive pieces if they never pause, each once and in order', async () => {
    const length = 40;
    let looked = 0;
    const watched: SpeechFinder = {
      ...finder,
      open: (guildId, listener) =>
        finder.open(guildId, {
          ...listener,
          onPassed(position) {
            looked += 1;
            listener.onPassed(position);
          },
        }),
    };
    const pieces = Array.from({ length }, (_, number) => heard(`Piece ${number + 1}.`, 0));
    const { service, listening, texts, events } = await listen(pieces as [Behaviour, ...Behaviour[]], { speechFinder: watched });
    // Two seconds of speech, again and again.
    const speech = packets.short.slice(25, 125);
    const spoken = Array.from({ length: 50 * length }, (_, number) => speech[number % speech.length] as Uint8Array);
    // As it is said, but faster: what says itself to be later is never late.
    const at = performance.now();
    const sounds = soundsOf('Robin', spoken, { at, pauses: false });
    for (let seconds = 10; seconds <= length; seconds += 10) {
      for (const sound of sounds.slice(50 * (seconds - 10), 50 * seconds)) listening.hear(sound);
      // The process that finds speech tells what it has looked at after each second, in whole frames.
      await expect.poll(() => looked * 1.024, { interval: 1 }).toBeGreaterThan(seconds - 1.1);
    }
    await listening.finish(30_000);
    const lengths = service.requests.map(secondsOf);
    expect(lengths.length).toBeGreaterThanOrEqual(3);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(15.1);
    expect(texts()).toEqual(lengths.map((_, index) => `Piece ${index + 1}.`));
    expect(events).toEqual([]);
    const sent = service.requests.flatMap((request) => sentPackets(request).map(({ data }) => hexOf(data)));
    const said = spoken.map(hexOf);
    const begin = said.indexOf(sent[0] as string);
    expect(begin).toBeLessThan(25);
    expect(sent).toEqual(said.slice(begin, begin + sent.length));
    // But for what was quiet at the very end.
    expect(sent.length).toBeGreaterThan(spoken.length - 50);
  });

  it('is not sent if it is noise, a keyboard or knocks', async () => {
    const { service, listening } = await listen([heard('invented')]);
    for (const [number, kind] of (['white', 'pink', 'keyboard', 'knocks', 'hum', 'wind'] as const).entries()) {
      const noise = NOISES[kind](5 * RATE, createRandom(number));
      say(listening, kind, await toPackets(number % 2 ? gain(noise, 4) : noise));
    }
    await listening.finish(30_000);
    expect(service.requests).toEqual([]);
  });

  it('is ended and delivered when captions end', async () => {
    const { listening, texts } = await listen([heard('the last words')]);
    say(listening, 'Robin', packets.short, { pauses: false });
    await listening.finish(30_000);
    expect(texts()).toEqual(['the last words']);
  });
});

describe('the voice service', () => {
  it('is not sent what was said while that would take the last call that something else could make', async () => {
    const { service, listening, api, asked, texts } = await listen([hang, hang, heard('At last.')], { concurrency: 2 });
    const [first, second] = [new AbortController(), new AbortController()];
    api.speak({ text: 'The first.' }, { signal: first.signal }).catch(() => {});
    await service.request(1);
    say(listening, 'Robin', packets.short);
    await expect.poll(asked).toBe(1);
    api.speak({ text: 'The second.' }, { signal: second.signal }).catch(() => {});
    await service.request(2);
    first.abort();
    second.abort();
    await expect.poll(texts).toEqual(['At last.']);
    expect(service.requests.map(({ url }) => url)).toEqual(['/v1/tts', '/v1/tts', '/v1/asr']);
  });

  it('that takes five calls at a time gets three things of what twelve members say at once, and then the next ones', async () => {
    const released = Promise.withResolvers<void>();
    const answer: Behaviour = (...given) => void released.promise.then(() => heard('words')(...given));
    const { service, listening, asked, texts, events } = await listen([answer], { concurrency: 5 });
    for (let member = 1; member <= 12; member++) say(listening, `Member ${member}`, words);
    // One more waits for its turn.
    await expect.poll(asked).toBe(4);
    await service.request(3);
    expect(service.requests).toHaveLength(3);
    released.resolve();
    await expect.poll(texts).toEqual(Array.from({ length: 12 }, () => 'words'));
    expect([service.requests.length, events]).toEqual([12, []]);
  });

  it('that refuses Ogg/Opus gets WAV from then on', async () => {
    const refuse = answerJson(422, [{ loc: ['body', 'audio'], type: 'value_error', msg: 'unsupported format' }]);
    const { service, listening, texts, events } = await listen([refuse, heard('one'), heard('two')]);
    say(listening, 'Robin', packets.short);
    await expect.poll(texts).toEqual(['one']);
    say(listening, 'Robin', packets.other);
    await expect.poll(texts).toEqual(['one', 'two']);
    const kinds = service.requests.map(({ body }) => (body.includes('OggS') ? 'ogg' : body.includes('RIFF') ? 'wav' : ''));
    expect(kinds).toEqual(['ogg', 'wav', 'wav']);
    // 16 bits at 16 kHz.
    const wav = service.requests[1]?.body as Buffer;
    expect(Math.abs(wav.length / 32_000 - secondsOf(service.requests[0] as SeenRequest))).toBeLessThan(0.1);
    expect(events).toEqual([]);
  });

  it('that refuses a language is not given it again', async () => {
    const refuse = answerJson(422, [{ loc: ['body', 'language'], type: 'enum', msg: "Input should be 'en'" }]);
    const { service, listening, texts, languages } = await listen([refuse, heard('one')], { hint: 'cy' });
    say(listening, 'Robin', packets.short);
    await expect.poll(texts).toEqual(['one']);
    say(listening, 'Robin', packets.short);
    await expect.poll(texts).toHaveLength(2);
    expect(service.requests.map(({ body }) => body.includes('name="language"'))).toEqual([true, false, false]);
    expect(languages.wasRefused('cy')).toBe(true);
  });

  it('that refuses a language with no more than a 400 is not given it again', async () => {
    const { service, listening, texts, languages } = await listen([answerJson(400, { status: 400, message: 'no' }), heard('one')], {
      hint: 'cy',
    });
    say(listening, 'Robin', packets.short);
    await expect.poll(texts).toEqual(['one']);
    say(listening, 'Robin', packets.short);
    await expect.poll(texts).toHaveLength(2);
    expect(service.requests.map(({ body }) => body.includes('name="language"'))).toEqual([true, false, false]);
    expect(service.requests.every(({ body }) => body.includes('OggS'))).toBe(true);
    expect(languages.wasRefused('cy')).toBe(true);
  });

  it('that takes neither the format nor says so is given another format, in the language that it knows', async () => {
    const no = answerJson(400, { status: 400, message: 'no' });
    const { service, listening, texts, languages } = await listen([no, no, heard('one')], { hint: 'cy' });
    say(listening, 'Robin', packets.short);
    await expect.poll(texts).toEqual(['one']);
    expect(service.requests.map(({ body }) => [body.includes('name="language"'), body.includes('OggS')])).toEqual([
      [true, true],
      [false, true],
      [true, false],
    ]);
    expect(languages.wasRefused('cy')).toBe(false);
  });

  it('is asked for no times, which captions have from the sound', async () => {
    const { service, listening, texts } = await listen([heard('one')]);
    say(listening, 'Robin', packets.short);
    await expect.poll(texts).toEqual(['one']);
    expect(service.requests[0]?.body.toString('latin1')).toMatch(/name="ignore_timestamps"\r\n\r\ntrue/);
  });

  it.each<[string, Behaviour]>([
    ['has no credit', answerJson(402, { status: 402, message: 'no credit' })],
    ['fails', answerJson(500, { status: 500, message: 'broken' })],
    ['answers nonsense', answerJson(200, { words: 'none' })],
    ['answers nothing', answerJson(200, '')],
  ])('that %s is reported once, and what was said is not sent twice', async (_, behaviour) => {
    const { service, listening, events, texts } = await listen([behaviour]);
    say(listening, 'Robin', packets.short);
    await expect.poll(() => events).toEqual([expect.stringMatching(/^failure/), 'dropped Robin']);
    expect(service.requests).toHaveLength(1);
    expect(texts()).toEqual([]);
  });

  it.each<[string, Behaviour]>([
    ['asks to wait', answerJson(429, { status: 429, message: 'too many' }, { 'retry-after': '0.3' })],
    ['is being replaced', answerJson(503, { status: 503, message: 'starting' }, { 'retry-after': '0.3' })],
  ])('that %s is sent the same sound again, and then what was said meanwhile', async (_, behaviour) => {
    const { service, listening, captions, events, cost, usage } = await listen([behaviour, heard('first', 0), heard('second', 0)]);
    const at = performance.now() - 10_000;
    say(listening, 'Robin', packets.short, { at });
    await service.request(1);
    say(listening, 'Sam', packets.other, { at: at + 5_000 });
    await expect.poll(() => captions.map(({ userId, text }) => `${userId} ${text}`)).toEqual(['Robin first', 'Sam second']);
    expect(events).toEqual([]);
    const [refused, again, other] = service.requests.map(secondsOf) as [number, number, number];
    expect([service.requests.length, again]).toEqual([3, refused]);
    expect(cost()).toBeCloseTo(again + other);
    await expect.poll(usage).toBe(Math.ceil(again));
  });

  it('that fails at the sound with 503 is sent it twice at most, and the words are missing', async () => {
    const failing = answerJson(503, { status: 503, message: 'upstream ASR service timed out', reason: null });
    const { service, listening, events, texts } = await listen([failing, failing, heard('later', 0)]);
    say(listening, 'Robin', packets.short);
    await expect.poll(() => events).toEqual([expect.stringMatching(/^failure/), 'dropped Robin']);
    say(listening, 'Robin', packets.other);
    await expect.poll(texts).toEqual(['later']);
    expect(service.requests).toHaveLength(3);
  });

  it('that is too busy without saying for how long is sent the same sound again', async () => {
    const { service, listening, events, texts } = await listen([
      answerJson(429, { status: 429, message: 'Too many' }),
      heard('at last', 0),
    ]);
    say(listening, 'Robin', packets.short);
    await expect.poll(texts).toEqual(['at last']);
    expect(service.requests).toHaveLength(2);
    expect(events).toEqual([]);
  });

  it('that asks to wait as captions end loses what was said, which is reported', async () => {
    const { service, listening, events } = await listen([answerJson(429, { status: 429, message: 'too many' }, { 'retry-after': '60' })]);
    say(listening, 'Robin', packets.short);
    await service.request(1);
    await listening.finish(500);
    expect(events).toEqual(['dropped Robin']);
  });

  it('that never answers is given up, with the words missing, and asked for the next ones', async () => {
    const timers = holdTimers();
    const { service, listening, texts, events } = await listen([hang, heard('later')], { callMs: timers.ms });
    say(listening, 'Robin', packets.short);
    const { disconnected } = await service.request(1);
    timers.expire();
    await disconnected;
    say(listening, 'Robin', packets.other);
    await expect.poll(texts).toEqual(['later']);
    expect(events).toEqual([expect.stringMatching(/^failure/), 'dropped Robin']);
    expect(service.requests).toHaveLength(2);
  });

  it('that hears no words makes no caption', async () => {
    const { service, listening, texts, events } = await listen([heard('  ')]);
    say(listening, 'Robin', packets.short);
    await service.request(1);
    await listening.finish(30_000);
    expect([...texts(), ...events]).toEqual([]);
  });
});

describe('a member', () => {
  it('whose budget is used up is told so once, and is no longer sent', async () => {
    const { service, listening, events, texts } = await listen([heard('words', 58)], { minutes: 1 });
    say(listening, 'Robin', packets.short);
    await expect.poll(texts).toHaveLength(1);
    say(listening, 'Robin', packets.other);
    await expect.poll(() => events).toEqual(['out of budget Robin true']);
    say(listening, 'Robin', packets.other);
    say(listening, 'Sam', packets.short);
    await expect.poll(texts).toHaveLength(2);
    await listening.finish(30_000);
    expect(events).toEqual(['out of budget Robin true']);
    expect(service.requests).toHaveLength(2);
  });

  it('spends the server’s budget as well: once that is used up, nobody is sent', async () => {
    const { service, listening, events, texts, budget } = await listen([heard('words', 58)], { guildMinutes: 1 });
    say(listening, 'Robin', packets.short);
    await expect.poll(texts).toHaveLength(1);
    await expect.poll(async () => (await budget()).guild?.used).toBe(58);
    say(listening, 'Sam', packets.other);
    await expect.poll(() => events).toEqual(['out of budget null true']);
    say(listening, 'Robin', packets.short);
    await listening.finish(30_000);
    expect(events).toEqual(['out of budget null true']);
    expect(service.requests).toHaveLength(1);
  });

  it('who no longer agrees has their call aborted, and nothing of theirs is delivered, however far it has come', async () => {
    const { service, listening, texts, events } = await listen([hang, heard('of another')]);
    say(listening, 'Robin', packets.short);
    const { disconnected } = await service.request(1);
    const [sound] = say(listening, 'Robin', packets.other, { pauses: false });
    listening.forget('Robin');
    await disconnected;
    say(listening, 'Sam', packets.short);
    await expect.poll(texts).toEqual(['of another']);
    await listening.finish(30_000);
    expect(service.requests).toHaveLength(2);
    expect(events).toEqual([]);
    expect(sound?.kind === 'packet' && sound.opus.every((byte) => byte === 0)).toBe(true);
  });
});

it('finds speech in each server, and of each member, in turn: neither many who speak nor one with a backlog holds up another', async () => {
  await finder.load();
  const ended: string[] = [];
  const speak = (guildId: string, userId: string, count: number) => {
    const speaker = finder.open(guildId, { onSpoken() {}, onPassed() {}, onLost() {} });
    onTestFinished(speaker.forget);
    for (const [number, opus] of packets.short.slice(0, count).entries()) speaker.hear({ position: number * 960, samples: 960, opus });
    return async () => {
      await speaker.end();
      ended.push(userId);
    };
  };
  const crowd = Array.from({ length: 20 }, (_, number) => speak('crowded', `one of many ${number}`, 30));
  const speakers = [...crowd, speak('quiet', 'with a backlog', 120), speak('quiet', 'with a word', 30)];
  await Promise.all(speakers.map((end) => end()));
  expect(ended[0]).toBe('with a word');
  expect(ended.indexOf('with a backlog')).toBeLessThan(ended.indexOf('one of many 0'));
});

it('tells each who ends what a member says that it has ended', async () => {
  await finder.load();
  const speaker = finder.open('1', { onSpoken() {}, onPassed() {}, onLost() {} });
  onTestFinished(speaker.forget);
  await Promise.all([speaker.end(), speaker.end()]);
});

it('goes on in another process if the one that finds speech dies: says what was lost, and loses nothing said until then', async () => {
  const script = new URL('../fixtures/programs/mortal-speech-process.ts', import.meta.url);
  const speechFinder = createSpeechFinder({ script, restartMs: 1_500 });
  onTestFinished(speechFinder.close);
  const { listening, texts, events } = await listen([heard('words')], { speechFinder });
  say(listening, 'Robin', [...packets.short, Uint8Array.of(0xff, 0xff)], { pauses: false });
  await expect.poll(() => events).toEqual(['failure the process that finds speech: it ended with exit code 7', 'dropped Robin']);
  say(listening, 'Robin', packets.other);
  await expect.poll(texts).toEqual(['words']);
});

it('gives up a process that does not answer', async () => {
  const speechFinder = createSpeechFinder({ answerMs: 0 });
  onTestFinished(speechFinder.close);
  const { listening, events } = await listen([hang], { speechFinder });
  say(listening, 'Robin', packets.short);
  await expect.poll(() => events[0]).toBe('failure the process that finds speech: no sign of life for 0 s');
});

it('goes on with a process that has had nothing to say for a while, since nobody spoke', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const speechFinder = createSpeechFinder();
  onTestFinished(speechFinder.close);
  await speechFinder.load();
  const lost: Error[] = [];
  const speaker = speechFinder.open('1', { onSpoken() {}, onPassed() {}, onLost: (error) => lost.push(error) });
  const silence = (position: number) => ({ position, samples: 960, opus: null });
  speaker.hear(silence(0));
  vi.advanceTimersByTime(60_000);
  speaker.hear(silence(960));
  expect(await speechFinder.decode('1', [silence(0)])).toHaveLength(640);
  expect(lost).toEqual([]);
});
