// Utterances from a service with made-up responses, and a check of what they leave behind.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, onTestFinished } from 'vitest';
import { resourcesInUse } from '../../src/audio/index.ts';
import { openSpeechCache, type SpeechCacheOptions } from '../../src/synthesis/cache.ts';
import { createSpeech, type SpeechRequest, type SpeechUtterance } from '../../src/synthesis/index.ts';
import { answer, type Behaviour, connect, openMisbehavingService } from './misbehaving-service.ts';
import { wavOf } from './speech.ts';

export const never = new AbortController().signal;
const SENTENCE = 'Here is a sentence that goes on for a while, so that only one of its kind fits into the first of all the pieces.';
/** Three pieces: sentences of 112 characters, of which one makes the first piece and two each of the others. */
export const LONG = Array(5).fill(SENTENCE).join(' ');

/** For `afterEach`: checks that no decoder, encoder or thread is left over. */
export function expectNoResourcesInUse(): void {
  expect(Object.values(resourcesInUse())).toEqual([0, 0, 0, 0]);
}

export const wav = (samples: Float32Array): Uint8Array => wavOf(samples, 48_000);

export const answerWav = (samples: Float32Array) => answer(200, wav(samples), { 'content-type': 'audio/wav' });

/** Begins an answer with these bytes; the rest is up to the test. */
export function answerInParts(first: Uint8Array, contentType: string) {
  const begun = Promise.withResolvers<ServerResponse>();
  const closed = Promise.withResolvers<void>();
  const behave = (_: IncomingMessage, response: ServerResponse) => {
    response.on('close', () => closed.resolve());
    response.writeHead(200, { 'content-type': contentType });
    response.write(first, () => begun.resolve(response));
  };
  return { behave, begun: begun.promise, closed: closed.promise };
}

export async function say(request: SpeechRequest, ...behaviours: [Behaviour, ...Behaviour[]]) {
  const service = await openMisbehavingService(...behaviours);
  const speech = createSpeech({ api: connect(service.url), format: 'wav' });
  return { service, speech, utterance: speech.utterance(request) };
}

export function frameReader(utterance: SpeechUtterance, signal: AbortSignal = never): AsyncIterator<Uint8Array> {
  return utterance.open(signal)[Symbol.asyncIterator]();
}

export async function openCacheIn(directory: string, options: Partial<SpeechCacheOptions> = {}) {
  const cache = await openSpeechCache({ directory, maxBytes: 1024 * 1024, service: 'a', ...options });
  onTestFinished(() => cache.close());
  return cache;
}
