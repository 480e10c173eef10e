// A voice service whose sounds tell what they say: the last number in a text becomes two tones, which a listener recognises.

import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDecoder } from 'libopus-wasm';
import { OPUS_RATE } from '../../src/audio/opus.ts';
import { modelOnWire } from './catalogue.ts';
import { answerJson, startMisbehavingService } from './misbehaving-service.ts';
import { RATE, samplesOf, wavOf } from './speech.ts';
import { findPair, pairAt } from './tones.ts';
import { createWaiter } from './waiter.ts';

interface SpokenText {
  text: string;
  /** Null = the default one. */
  voice: string | null;
  speed: number;
}

interface SpeechOnWire {
  text: string;
  reference_id?: string | null;
  prosody?: { speed?: number } | null;
}

export type ToneService = Awaited<ReturnType<typeof startToneService>>;

/** The number of a text that says that messages were skipped, and the most that a text may have. */
export const SKIPPED = 255;

/** Seconds of the shortest sound: twice as many packets as a listener needs to recognise it. */
export const SHORTEST = 0.12;

/** Seconds: people speak 15 characters a second. */
export const atUsualPace = (text: string) => text.length / 15;

/** @param firstByteMs how long it takes until the first byte @param secondsOf how long a text takes to say */
export async function startToneService({ voices = [] as string[], firstByteMs = 0, secondsOf = atUsualPace } = {}) {
  const waiter = createWaiter();
  const server = await startMisbehavingService((request, response, body) => {
    if (request.url !== '/v1/tts') return answerFree(request.url ?? '')(request, response);
    const { text, reference_id: voice = null, prosody } = JSON.parse(String(body)) as SpeechOnWire;
    const spoken = { text, voice, speed: prosody?.speed ?? 1 };
    service.spoken.push(spoken);
    waiter.notify();
    const usual = async () => {
      if (firstByteMs > 0) await sleep(firstByteMs);
      response.writeHead(200, { 'content-type': 'audio/wav' });
      response.end(soundOf(spoken.text, secondsOf(spoken.text) / (service.ignoresSpeed ? 1 : spoken.speed)));
    };
    if (service.behave) service.behave(spoken, response, () => void usual());
    else void usual();
  });
  const answerFree = (url: string) => {
    const { pathname, searchParams } = new URL(url, 'http://service');
    const models = service.voices.map((voice) => {
      const [language = 'en', id = voice] = voice.includes(':') ? voice.split(':') : ['en', voice];
      return modelOnWire(id, { languages: [language] });
    });
    const page = Number(searchParams.get('page_number') ?? 1);
    const size = Number(searchParams.get('page_size') ?? 10);
    const items = searchParams.get('self') === 'true' ? [] : models.slice((page - 1) * size, page * size);
    const list = { total: models.length, items };
    const model = models.find(({ _id }) => pathname === `/model/${_id}`);
    const answer = pathname === '/model' ? list : pathname.startsWith('/model/') ? model : { credit: '50' };
    return answer ? answerJson(200, answer) : answerJson(404, { status: 404, message: 'Not found' });
  };
  const service = {
    ...server,
    key: 'key',
    /** Every text that it was asked to speak, in order. */
    spoken: [] as SpokenText[],
    /** Waits for a text that it is asked to speak, from now on or before. */
    asked: (fits: (spoken: SpokenText) => boolean): Promise<SpokenText> =>
      waiter.until(
        () => service.spoken.find(fits),
        () => `a text; there were ${JSON.stringify(service.spoken)}`,
      ),
    /** Answers speech this way instead; null = as usual. It may answer later, or never. */
    behave: null as ((spoken: SpokenText, response: ServerResponse, usual: () => void) => void) | null,
    ignoresSpeed: false,
    /** The voices in its catalogue, best first, in English or in the language before the colon: `de:anna`. */
    voices,
  };
  return service;
}

/** The number that stands for a text. */
function numberOf(text: string): number {
  return /skipped/.test(text) ? SKIPPED : Number(/(\d+)\D*$/.exec(text)?.[1] ?? 0) % SKIPPED;
}

function soundOf(text: string, seconds: number): Uint8Array {
  const number = numberOf(text);
  // A hundredth of a second, after which all tones begin anew.
  const period = samplesOf(0.01, RATE, (at) => 8_000 * pairAt(number, at / RATE));
  const samples = new Int16Array(Math.max(SHORTEST * RATE, Math.round(seconds * RATE))).map(
    (_, at) => period[at % period.length] as number,
  );
  return wavOf(samples, RATE);
}

/** What was heard, one after the other. */
interface HeardSound {
  number: number;
  /** `performance.now()` of its first packet. */
  at: number;
  /** 20 ms each. */
  packets: number;
}

export type ToneListener = Awaited<ReturnType<typeof listenToTones>>;

/** @param onHeard of a member who listens */
export async function listenToTones(onHeard: (listener: (packet: { opus: Uint8Array }) => void) => void) {
  const decoder = await createDecoder({ channels: 1 });
  const waiter = createWaiter();
  const heard: HeardSound[] = [];
  onHeard(({ opus }) => {
    if (opus.length <= 3) return;
    const number = recognise(decoder.decodeFloat(opus));
    const last = heard.at(-1);
    if (number === null) return;
    if (last?.number === number) last.packets += 1;
    else heard.push({ number, at: performance.now(), packets: 1 });
    waiter.notify();
  });
  return {
    heard,
    /** Waits until this number has been heard, and for so many packets of it. */
    hears: (number: number, packets = 3): Promise<HeardSound> =>
      waiter.until(
        () => heard.find((sound) => sound.number === number && sound.packets >= packets),
        () => `the sound of ${number}; heard were ${heard.map((sound) => `${sound.number} (${sound.packets})`).join(', ')}`,
      ),
  };
}

/** Null if the two tones aren't clear, as where one sound ends and another begins. */
function recognise(samples: Float32Array): number | null {
  const { byte, low, high } = findPair(samples, OPUS_RATE);
  return [low, high].every(({ power, others }) => power > 1e-6 && power > 2 * others) ? byte : null;
}
