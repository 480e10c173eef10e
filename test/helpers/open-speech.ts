// Speech of the local voice service caught in the middle: held back or broken off by the engines, or read in part by the client.
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { EngineError, type Engines } from '../../src/local/voice-service/engines/index.ts';
import { parseCredit } from '../../src/local/voice-service/money.ts';
import { send, type TestVoiceService } from './voice-service.ts';

/** The given engines, whose speech waits before its chunk `at` until `release` is called, or fails there. */
export function interruptSpeech(engines: Engines, at: number, how: 'wait' | 'fail') {
  const released = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  const interrupted: Engines = {
    ...engines,
    async *speak(wanted) {
      let count = 0;
      const aborted = new Promise<void>((resolve) => wanted.signal?.addEventListener('abort', () => resolve(), { once: true }));
      for await (const chunk of engines.speak(wanted)) {
        if (count++ === at) {
          reached.resolve();
          if (how === 'fail') throw new EngineError('crashed', 'The voice broke off. Try again.');
          await Promise.race([released.promise, aborted]);
        }
        yield chunk;
      }
    },
  };
  return { engines: interrupted, reached: reached.promise, release: released.resolve };
}

/** A request whose response can be read in part, and whose connection can be broken. */
export function openSpeech(service: TestVoiceService, body: object): { sent: ClientRequest; response: Promise<IncomingMessage> } {
  const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' };
  const sent = request(`${service.url}/v1/tts`, { method: 'POST', agent: false, headers });
  sent.on('error', () => {});
  const response = once(sent, 'response').then(([message]) => message as IncomingMessage);
  response.catch(() => {});
  sent.end(JSON.stringify(body));
  return { sent, response };
}

/** Micro-credits spent or held so far by the service's first key, which had 1000 credits. */
export async function spentBy(service: TestVoiceService): Promise<bigint> {
  const { json } = await send(service, '/wallet/self/api-credit');
  return parseCredit('1000') - parseCredit((json as { credit: string }).credit);
}
