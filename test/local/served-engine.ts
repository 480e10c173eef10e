// The local voice service with an engine of an operator's own behind it, and what it logs.
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import type { ModelEntity } from '../../src/api/schemas.ts';
import type { VoiceServiceOptions } from '../../src/local/voice-service/index.ts';
import { creditOf, send, startTestVoiceService } from '../helpers/voice-service.ts';

/** The engine's. */
export const KEY = 'sk-planted-engine-key';
/** What is spoken. */
export const TEXT = 'The old man walked slowly down the road.';

export type ServedEngine = Awaited<ReturnType<typeof startServedEngine>>;

/** The service is closed when the test has finished. */
export async function openServedEngine(options: Partial<VoiceServiceOptions>): Promise<ServedEngine> {
  const served = await startServedEngine(options);
  onTestFinished(served.service.close);
  return served;
}

export async function startServedEngine(options: Partial<VoiceServiceOptions>) {
  const logged: { level: number; msg: string }[] = [];
  // Without what each of its lines begins with.
  const write = (line: string) => void logged.push(JSON.parse(line.replace('"voice service: ', '"')));
  const service = await startTestVoiceService({ ...options, log: pino({ level: 'info' }, { write }) });
  return {
    service,
    logged,
    models: async () => ((await send(service, '/model?page_size=100')).json as { items: ModelEntity[] }).items,
    credit: () => creditOf(service),
  };
}

/** An engine that speaks, at this address. */
export const openServedSpeech = (url: string, options: Partial<VoiceServiceOptions> = {}) =>
  openServedEngine({ speech: { url, key: KEY }, ...options });
