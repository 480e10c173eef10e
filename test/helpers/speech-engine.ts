// The local voice service with an engine of the operator's own that speaks.
import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import type { ModelEntity } from '../../src/api/schemas.ts';
import { createEngines } from '../../src/local/voice-service/engines/index.ts';
import { send, startTestVoiceService, type TestVoiceService } from './voice-service.ts';

export const KEY = 'sk-planted-engine-key';
/** What is spoken. */
export const TEXT = 'The old man walked slowly down the road.';

interface Served {
  service: TestVoiceService;
  /** Lines of the log. */
  logged: { level: number; msg: string }[];
  models(): Promise<ModelEntity[]>;
  credit(): Promise<string>;
}

/** A voice service in front of the engine at this address. Closed when the test has finished. */
export async function serveEngine(url: string, { key = KEY as string | undefined, warm = false, waits = {} } = {}): Promise<Served> {
  const logged: Served['logged'] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const engines = createEngines({
    speech: { url, key },
    waits,
    onEvent: (event) => 'text' in event && log[event.type === 'engine-works' ? 'info' : 'warn'](event.text),
  });
  const service = await startTestVoiceService({ engines, warm, log });
  onTestFinished(() => service.close().then(engines.close));
  return {
    service,
    logged,
    models: async () => ((await send(service, '/model?page_size=100')).json as { items: ModelEntity[] }).items,
    credit: async () => ((await send(service, '/wallet/self/api-credit')).json as { credit: string }).credit,
  };
}

/** A response whose body is still coming. */
export function openSpeech({ url, key }: TestVoiceService, signal: AbortSignal | null = null): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return fetch(`${url}/v1/tts`, { method: 'POST', headers, body: JSON.stringify({ text: TEXT }), signal });
}
