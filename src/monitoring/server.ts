// The HTTP server for monitoring: health, readiness and metrics.
import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics } from 'prom-client';
import { within } from '../async/waiting.ts';
import { isLoopback } from '../config.ts';
import { createFailureLog, type Log } from '../log.ts';
import type { Prometheus } from './prometheus.ts';

export interface HttpOptions {
  host: string;
  /** 0 = any free port. */
  port: number;
  metrics: Prometheus;
  /** Bearer token that `/metrics` requires; null = none. */
  metricsToken: string | null;
  /** False if only a restart can help. */
  alive(): boolean;
  /** Whether each dependency works, by name. */
  ready(): Promise<Record<string, boolean>>;
  log: Pick<Log, 'warn'>;
}

export interface HttpServer {
  url: string;
  close(): Promise<void>;
}

/** Milliseconds after which a check counts as not ready. */
const READY_MS = 2_000;

/**
 * `/healthz` (200, or 503 once only a restart can help), `/readyz` (200 or 503, with what is missing), `/metrics` (Prometheus).
 * @throws Error with a code if the port cannot be listened on
 */
export async function startMonitoringServer({ host, port, metrics, metricsToken, alive, ready, log }: HttpOptions): Promise<HttpServer> {
  // Monitoring asks every few seconds.
  const readiness = createFailureLog(log, '/readyz cannot be answered; each further request tries again');
  const publishing = createFailureLog(log, '/metrics cannot be answered; each further request tries again');

  /** Never rejects. */
  async function listParts(): Promise<Record<string, boolean>> {
    try {
      const parts = await ready();
      readiness.succeeded();
      return parts;
    } catch (error) {
      readiness.failed(error);
      return { known: false };
    }
  }

  async function answer(path: string, { headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    if (path === '/healthz') {
      const isAlive = alive();
      sendJson(response, isAlive ? 200 : 503, { alive: isAlive });
    } else if (path === '/readyz') {
      const parts = await within(READY_MS, listParts(), { inTime: false });
      sendJson(response, Object.values(parts).every(Boolean) ? 200 : 503, parts);
    } else if (path === '/metrics') {
      if (metricsToken !== null && !isBearer(headers.authorization, metricsToken)) {
        response.setHeader('www-authenticate', 'Bearer');
        sendJson(response, 401, { message: 'Send METRICS_TOKEN as a bearer token: Authorization: Bearer …' });
        return;
      }
      const text = await metrics.registry.metrics();
      publishing.succeeded();
      response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(text);
    } else {
      sendJson(response, 404, { message: 'There are /healthz, /readyz and /metrics here.' });
    }
  }

  const server = createServer((request, response) => {
    if (isForeign(request, host)) {
      sendJson(response, 403, { message: 'Requests from pages of other sites, or under other host names, are not allowed.' });
      return;
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD');
      sendJson(response, 405, { message: 'Only GET and HEAD are answered here.' });
      return;
    }
    const path = request.url?.split('?')[0] ?? '';
    answer(path, request, response).catch((error: unknown) => {
      publishing.failed(error);
      sendJson(response, 500, { message: 'Metrics are unavailable right now.' });
    });
  });
  const listening = Promise.withResolvers<void>();
  server.once('error', listening.reject);
  server.listen(port, host, listening.resolve);
  await listening.promise;
  collectDefaultMetrics({ register: metrics.registry });
  const { port: actual, family, address } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${actual}`,
    async close() {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      server.closeAllConnections();
      await closed.promise;
    },
  };
}

/** Compares digests, so timing reveals nothing about the token. */
function isBearer(authorization: string | undefined, token: string): boolean {
  const sentToken = /^Bearer +(.+)/is.exec(authorization ?? '')?.[1] ?? '';
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(sentToken), digest(token));
}

/** Does a page of another site ask, through a browser on this machine: cross-origin, or by DNS rebinding? */
function isForeign({ headers }: IncomingMessage, host: string): boolean {
  if (headers.origin !== undefined && headers.origin !== `http://${headers.host}`) return true;
  return isLoopback(host) && !isLoopback((headers.host ?? '').replace(/:\d+$/, ''));
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(`${JSON.stringify(body)}\n`);
}
