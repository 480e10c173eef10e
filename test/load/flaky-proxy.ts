// A proxy to an HTTP server that can refuse, hang, fail, or break off in the middle of a response.
import { createServer, request } from 'node:http';
import { answer, answerJson, type Behaviour, hang, listenLocally, reset } from '../helpers/misbehaving-service.ts';

/** What happens to requests from now on. */
export type ProxyState = 'well' | 'refuses' | 'fails' | 'busy' | 'hangs' | 'breaks off' | 'nonsense';

export const FAULTS: ProxyState[] = ['refuses', 'fails', 'busy', 'hangs', 'breaks off', 'nonsense'];

export interface FlakyProxy {
  url: string;
  state: ProxyState;
  close(): Promise<void>;
}

/** Bytes of a response that still get through before it breaks off. */
const BREAK_AFTER = 2000;

const BEHAVIOURS: Partial<Record<ProxyState, Behaviour>> = {
  refuses: reset,
  fails: answerJson(500, { status: 500, message: 'a fault' }),
  busy: answerJson(429, { status: 429, message: 'slow down' }, { 'retry-after': '1' }),
  hangs: hang,
  nonsense: answer(200, '<html>nothing of use</html>', { 'content-type': 'text/html' }),
};

/** @param target origin of the server, on this machine */
export async function startFlakyProxy(target: string): Promise<FlakyProxy> {
  const server = createServer((record, answer) => {
    record.on('error', () => {});
    answer.on('error', () => {});
    (BEHAVIOURS[proxy.state] ?? forward)(record, answer);
  });

  const forward: Behaviour = (record, answer) => {
    const breaksOff = proxy.state === 'breaks off';
    const onward = request(new URL(record.url ?? '/', target), { method: record.method, headers: record.headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      let sent = 0;
      response.on('error', () => answer.destroy());
      response.on('data', (chunk: Buffer) => {
        sent += chunk.length;
        if (breaksOff && sent > BREAK_AFTER) {
          response.destroy();
          record.socket.resetAndDestroy();
        } else if (!answer.write(chunk)) {
          response.pause();
          answer.once('drain', () => response.resume());
        }
      });
      response.on('end', () => answer.end());
    });
    onward.on('error', () => answer.destroy());
    answer.on('close', () => onward.destroy());
    record.pipe(onward);
  };

  const proxy: FlakyProxy = { state: 'well', ...(await listenLocally(server)) };
  return proxy;
}
