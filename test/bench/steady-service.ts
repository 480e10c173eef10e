// A voice service that always answers at once with the same sound, and records when the first byte left, to exclude its own time. It hears the
// same words in every recording.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { listenLocally } from '../helpers/misbehaving-service.ts';

export interface SteadyService {
  url: string;
  key: string;
  /** The MP3 that it answers with, in pieces or all at once. */
  sound: { bytes: Uint8Array; trickling: boolean };
  /** When the first byte of the last answer left (`performance.now()`). */
  firstByteAt: number;
  close(): Promise<void>;
}

const WORDS = { text: 'These are the words.', duration: 1, segments: [] };
const TRICKLE_BYTES = 4096;
const TRICKLE_MS = 50;

export async function startSteadyService(bytes: Uint8Array): Promise<SteadyService> {
  const server = createServer(async (request, response) => {
    request.resume();
    if (request.url !== '/v1/tts') {
      if (request.url === '/v1/asr') await once(request, 'end');
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(request.url === '/v1/asr' ? WORDS : { total: 0, items: [] }));
      return;
    }
    const { sound } = service;
    response.setHeader('content-type', 'audio/mpeg');
    service.firstByteAt = performance.now();
    if (!sound.trickling) {
      response.end(sound.bytes);
      return;
    }
    for (let at = 0; at < sound.bytes.length; at += TRICKLE_BYTES) {
      if (at > 0) await sleep(TRICKLE_MS);
      response.write(sound.bytes.subarray(at, at + TRICKLE_BYTES));
    }
    response.end();
  });
  const service: SteadyService = {
    ...(await listenLocally(server)),
    key: 'bench-key',
    sound: { bytes, trickling: false },
    firstByteAt: 0,
  };
  return service;
}
