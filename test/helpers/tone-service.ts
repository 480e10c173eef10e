// A voice service whose sounds tell what they say: the last number in a text becomes two tones, which a listener recognises.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDecoder } from 'libopus-wasm';
import { modelOnWire } from './catalogue.ts';
import { wavOf } from './speech.ts';
import { createWaiter } from './waiter.ts';

interface SpokenText {
  text: string;
  /** Null = the default one. */
  voice: string | null;
  speed: number;
}

export interface ToneService {
  url: string;
  key: string;
  /** Every text that it was asked to speak, in order. */
  spoken: SpokenText[];
  /** Waits for a text that it is asked to speak, from now on or before. */
  asked(fits: (spoken: SpokenText) => boolean): Promise<SpokenText>;
  /** Answers speech this way instead; null = as usual. It may answer later, or never. */
  behave: ((spoken: SpokenText, response: ServerResponse, usual: () => void) => void) | null;
  /** Ignores speeds. */
  ignoresSpeed: boolean;
  close(): Promise<void>;
}

const RATE = 16_000;
/** Of the sounds that it makes. */
export const CHARACTERS_PER_SECOND = 15;
const LOW = Array.from({ length: 16 }, (_, index) => 400 + 100 * index);
const HIGH = Array.from({ length: 16 }, (_, index) => 2200 + 200 * index);
/** The number of a text that says that messages were skipped, and the most that a text may have. */
export const SKIPPED = 255;

/**
 * @param voices of its catalogue, best first, in English or in the language before their colon: `de:anna`
 * @param firstByteMs how long it takes until the first byte
 */
export async function startToneService({ voices = [] as string[], firstByteMs = 0 } = {}): Promise<ToneService> {
  const waiter = createWaiter();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = await Array.fromAsync(request);
    if (request.url !== '/v1/tts') {
      answerFree(request.url ?? '', response);
      return;
    }
    const body = JSON.parse(Buffer.concat(chunks).toString()) as {
      text: string;
      reference_id?: string | null;
      prosody?: { speed?: number } | null;
    };
    const spoken = { text: body.text, voice: body.reference_id ?? null, speed: body.prosody?.speed ?? 1 };
    service.spoken.push(spoken);
    waiter.notify();
    const usual = async () => {
      if (firstByteMs > 0) await sleep(firstByteMs);
      response.writeHead(200, { 'content-type': 'audio/wav' });
      response.end(soundOf(spoken.text, service.ignoresSpeed ? 1 : spoken.speed));
    };
    if (service.behave) service.behave(spoken, response, () => void usual());
    else await usual();
  });
  const answerFree = (url: string, response: ServerResponse) => {
    const own = url.includes('self=true');
    const items = voices.map((voice) => {
      const [language = 'en', id = voice] = voice.includes(':') ? voice.split(':') : ['en', voice];
      return modelOnWire(id, { languages: [language] });
    });
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(url.startsWith('/model') ? { total: own ? 0 : items.length, items: own ? [] : items } : { credit: '50' }));
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const service: ToneService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key: 'key',
    spoken: [],
    asked: (fits) =>
      waiter.until(
        () => service.spoken.find(fits),
        () => `a text; there were ${JSON.stringify(service.spoken)}`,
      ),
    behave: null,
    ignoresSpeed: false,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return service;
}

/** The number that stands for a text. */
function numberOf(text: string): number {
  return /skipped/.test(text) ? SKIPPED : Number(/(\d+)\D*$/.exec(text)?.[1] ?? 0) % SKIPPED;
}

function soundOf(text: string, speed: number): Uint8Array {
  const number = numberOf(text);
  const [low, high] = [LOW[number >> 4] ?? 0, HIGH[number & 15] ?? 0];
  const samples = new Int16Array(Math.max(RATE / 5, Math.round((text.length / CHARACTERS_PER_SECOND / speed) * RATE)));
  for (let at = 0; at < samples.length; at++) {
    const turn = (2 * Math.PI * at) / RATE;
    samples[at] = 8_000 * (Math.sin(turn * low) + Math.sin(turn * high));
  }
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

export interface ToneListener {
  readonly heard: HeardSound[];
  /** Waits until this number has been heard, and for so many packets of it. */
  hears(number: number, packets?: number): Promise<HeardSound>;
}

/** @param onHeard of a member who listens */
export async function listenToTones(onHeard: (listener: (packet: { opus: Uint8Array }) => void) => void): Promise<ToneListener> {
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
    hears: (number, packets = 3) =>
      waiter.until(
        () => heard.find((sound) => sound.number === number && sound.packets >= packets),
        () => `the sound of ${number}; heard were ${heard.map((sound) => `${sound.number} (${sound.packets})`).join(', ')}`,
      ),
  };
}

/** Null if the two tones aren't clear, as where one sound ends and another begins. */
function recognise(samples: Float32Array): number | null {
  const [low, high] = [LOW, HIGH].map((frequencies) => {
    const powers = frequencies.map((hz) => powerAt(samples, hz));
    const best = powers.indexOf(Math.max(...powers));
    const others = powers.reduce((sum, power) => sum + power, 0) - (powers[best] ?? 0);
    return (powers[best] ?? 0) > 2 * others && (powers[best] ?? 0) > 1e-6 ? best : null;
  });
  return low == null || high == null ? null : (low << 4) | high;
}

/** Goertzel's algorithm, of 48 kHz. */
function powerAt(samples: Float32Array, hz: number): number {
  const factor = 2 * Math.cos((2 * Math.PI * hz) / 48_000);
  let [before, last] = [0, 0];
  for (let at = 0; at < samples.length; at++) {
    // The Hann window keeps the neighbours apart.
    const value = (samples[at] as number) * (0.5 - 0.5 * Math.cos((2 * Math.PI * at) / samples.length));
    [before, last] = [last, value + factor * last - before];
  }
  return (before * before + last * last - factor * before * last) / samples.length ** 2;
}
