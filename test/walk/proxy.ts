// Stands between the bot and the voice service, and records what the bot asks for. A request can be held back, so that something is still
// under way for as long as a step needs it.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decode } from '@msgpack/msgpack';
import { WebSocket, WebSocketServer } from 'ws';
import type { Recorder } from './recorder.ts';

export interface RecordingProxy {
  url: string;
  /** Holds back the next request for this path. `arrived` resolves once it is there; `release` lets it pass. */
  hold(path: string): { arrived: Promise<void>; release(): void };
  close(): Promise<void>;
}

export async function startProxy(target: string, recorder: Recorder): Promise<RecordingProxy> {
  const holds: { path: string; arrive(): void; released: Promise<void> }[] = [];

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method, url = '/', headers } = incoming;
    const body = Buffer.concat(await Array.fromAsync(incoming as AsyncIterable<Buffer>));
    const hold = holds.findIndex(({ path }) => url.startsWith(path));
    const [held] = hold === -1 ? [] : holds.splice(hold, 1);
    if (held) {
      recorder.hold(1);
      held.arrive();
      await Promise.race([held.released, once(outgoing, 'close')]);
      recorder.hold(-1);
    }
    const asked = `${method} ${url} ${describeHeaders(headers)} ${describeBody(headers['content-type'] ?? '', body)}`;
    if (outgoing.destroyed) {
      recorder.serviceLine(asked, `${asked} → given up`);
      return;
    }
    const sent = request(new URL(url, target), { method, headers: { ...headers, connection: 'close' } }, (response) => {
      recorder.serviceLine(asked, `${asked} → ${response.statusCode}`);
      outgoing.writeHead(response.statusCode ?? 502, response.rawHeaders);
      response.pipe(outgoing);
      response.on('error', () => outgoing.destroy());
    });
    sent.on('error', () => outgoing.destroy());
    outgoing.on('close', () => sent.destroy());
    sent.end(body);
  }

  const server = createServer((incoming, outgoing) => {
    pass(incoming, outgoing).catch(() => outgoing.destroy());
  });
  const sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  server.on('upgrade', (incoming, socket, head) => {
    const { url = '/', headers } = incoming;
    const { authorization = '', ...others } = headers;
    const own = Object.fromEntries(
      Object.entries(others).filter(([name]) => !/^(host|connection|upgrade|sec-websocket-.*)$/.test(name)),
    ) as Record<string, string>;
    const onwards = new WebSocket(new URL(url, target.replace('http', 'ws')), {
      headers: { ...own, authorization },
      perMessageDeflate: false,
    });
    const texts: string[] = [];
    const finish = () => {
      if (texts.length > 0) recorder.serviceLine(texts.join(), `live ${url} ${describeHeaders(headers)} ${texts.splice(0).join(' ')}`);
    };
    onwards.once('unexpected-response', (_, response) => {
      socket.end(`HTTP/1.1 ${response.statusCode} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    });
    onwards.once('error', () => socket.destroy());
    onwards.once('open', () => {
      sockets.handleUpgrade(incoming, socket, head, (bot) => {
        bot.on('message', (data, isBinary) => {
          texts.push(isBinary ? JSON.stringify(decode(data as Buffer)) : String(data));
          onwards.send(data, { binary: isBinary });
        });
        onwards.on('message', (data, isBinary) => bot.send(data, { binary: isBinary }));
        bot.on('error', () => onwards.terminate());
        bot.on('close', () => {
          finish();
          onwards.close();
        });
        onwards.on('close', () => {
          finish();
          bot.close();
        });
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold(path) {
      const arrived = Promise.withResolvers<void>();
      const released = Promise.withResolvers<void>();
      holds.push({ path, arrive: arrived.resolve, released: released.promise });
      return { arrived: arrived.promise, release: released.resolve };
    },
    async close() {
      for (const client of sockets.clients) client.terminate();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const IGNORED = /^(host|connection|date|transfer-encoding|content-length|upgrade|sec-websocket-key)$/;

function describeHeaders(headers: IncomingHttpHeaders): string {
  const shown = Object.entries(headers).filter(([name]) => !IGNORED.test(name));
  return JSON.stringify(
    Object.fromEntries(
      shown.map(([name, value]) => [name, name === 'authorization' ? '<key>' : String(value).replace(/boundary=.*/, 'boundary=<random>')]),
    ),
  );
}

function describeBody(contentType: string, body: Buffer): string {
  const boundary = /boundary="?([^";]+)/.exec(contentType)?.[1];
  if (!boundary) return describePart(body);
  const parts = body.toString('latin1').split(`--${boundary}`).slice(1, -1);
  return parts
    .map((part) => {
      const at = part.indexOf('\r\n\r\n');
      return `[${part.slice(0, at).trim().replaceAll('\r\n', ' ')}] ${describePart(Buffer.from(part.slice(at + 4, -2), 'latin1'))}`;
    })
    .join(' ');
}

function describePart(bytes: Buffer): string {
  const text = bytes.toString();
  const isText = Buffer.from(text).equals(bytes) && !text.includes('\0');
  if (isText && bytes.length < 20_000) return text;
  return `${bytes.length} bytes ${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}`;
}
