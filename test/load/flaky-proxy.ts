// A proxy to an HTTP server that can refuse, hang, fail, or break off in the middle of a response.
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

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

/** @param target origin of the server, on this machine */
export async function startFlakyProxy(target: string): Promise<FlakyProxy> {
  const server = createServer((record, answer) => {
    record.on('error', () => {});
    answer.on('error', () => {});
    if (proxy.state === 'refuses') record.socket.resetAndDestroy();
    else if (proxy.state === 'fails') refuse(answer, 500, '{"status":500,"message":"a fault"}');
    else if (proxy.state === 'busy') refuse(answer, 429, '{"status":429,"message":"slow down"}', { 'retry-after': '1' });
    else if (proxy.state === 'nonsense') refuse(answer, 200, '<html>nothing of use</html>', { 'content-type': 'text/html' });
    else if (proxy.state !== 'hangs') forward(record, answer, proxy.state === 'breaks off');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  function forward(record: IncomingMessage, answer: ServerResponse, breaksOff: boolean): void {
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
  }

  const proxy: FlakyProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    state: 'well',
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}

function refuse(answer: ServerResponse, status: number, body: string, headers: Record<string, string> = {}): void {
  answer.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
}
