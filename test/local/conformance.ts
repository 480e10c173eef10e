// The setup of the conformance tests: a service with three users, a client, the catalogue both raw and parsed, and a recording.
import { afterAll, beforeAll, expect } from 'vitest';
import { type Api, createApi, type VoiceModel } from '../../src/api/index.ts';
import { type RawResponse, send, sendJson, startTestVoiceService, type TestVoiceService } from '../helpers/voice-service.ts';

export type Json = Record<string, unknown>;

export const SENTENCE = 'The old man walked slowly down the road.';
/** When the second user's key expires. */
export const EXPIRES = '2030-01-01T00:00:00.000Z';

export interface Conformance {
  service: TestVoiceService;
  /** With the first user's key. */
  api: Api;
  /** The whole catalogue as the first user sees it, raw and through the client. */
  items: Json[];
  models: VoiceModel[];
  /** SENTENCE as a 16-bit mono WAV at 16,000 Hz. */
  recording: Buffer;
  /** The service's clock, in milliseconds since 1970. */
  now: number;
}

/** Starts everything before the tests of a file, and closes it after them. */
export function setUpConformance(): Conformance {
  const setup = { now: Date.parse('2026-06-01T00:00:00.000Z') } as Conformance;
  beforeAll(async () => {
    const service = await startTestVoiceService({
      keys: [
        { key: 'first-key', credit: '1000' },
        { key: 'second-key', userId: 'second', credit: '7.5', expiresAt: EXPIRES },
        { key: 'empty-key', userId: 'empty', credit: '0' },
      ],
      now: () => setup.now,
    });
    const api = createApi({ baseUrl: service.url, apiKey: service.key });
    Object.assign(setup, {
      service,
      api,
      items: (bodyOf(await send(service, '/model?page_size=100')) as { items: Json[] }).items,
      models: (await api.listModels({ pageSize: 100 })).items,
      recording: (await sendJson(service, '/v1/tts', { text: SENTENCE, format: 'wav', sample_rate: 16_000 })).bytes,
    });
  });
  afterAll(async () => {
    await setup.api?.close();
    await setup.service?.close();
  });
  return setup;
}

/** Asserts the status and returns the body. */
export function bodyOf(answer: RawResponse, status = 200): unknown {
  expect(answer.status, answer.bytes.toString().slice(0, 300)).toBe(status);
  return answer.json;
}
