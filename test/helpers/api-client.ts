// A client and the service it talks to, both closed when the test ends.
import { expect, onTestFinished } from 'vitest';
import { type ApiClient, ApiError, type ApiOptions, createApi } from '../../src/api/index.ts';
import { type Behaviour, type MisbehavingService, startMisbehavingService, startSilentServer } from './misbehaving-service.ts';

export const apiKey = 'key-that-nobody-may-see';

/** A client with retries that don't keep a test waiting. */
export function connect(baseUrl: string, options: Partial<ApiOptions> = {}): ApiClient {
  const api = createApi({ baseUrl, apiKey, retries: { firstDelay: 1 }, ...options });
  onTestFinished(() => api.close());
  return api;
}

export async function start(...behaviours: [Behaviour, ...Behaviour[]]): Promise<MisbehavingService> {
  const service = await startMisbehavingService(...behaviours);
  onTestFinished(() => service.close());
  return service;
}

export async function startSilent(): Promise<Awaited<ReturnType<typeof startSilentServer>>> {
  const silent = await startSilentServer();
  onTestFinished(() => silent.close());
  return silent;
}

/** What the call rejects with, which must be an ApiError. */
export async function failureOf(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    () => expect.fail('the call succeeded'),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
}

export async function readAll(audio: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of audio) chunks.push(chunk);
  return Buffer.concat(chunks);
}
