// /healthz, /readyz and /metrics, as machines ask for them.
import { afterEach, expect, it } from 'vitest';
import { type HttpServer, startHttp } from '../src/http.ts';
import { createMetrics } from '../src/metrics.ts';

let server: HttpServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

async function serve(ready: () => Promise<Record<string, boolean>> = async () => ({})): Promise<string> {
  server = await startHttp({ host: '127.0.0.1', port: 0, metrics: createMetrics(), ready });
  return server.url;
}

it('says that the process lives, whatever else is the matter', async () => {
  const url = await serve(() => Promise.reject(new Error('nothing works')));
  const answer = await fetch(`${url}/healthz`);
  expect([answer.status, await answer.json()]).toEqual([200, { alive: true }]);
});

it('is ready when everything is, and says what is not', async () => {
  let discord = false;
  const url = await serve(async () => ({ discord, store: true }));
  const before = await fetch(`${url}/readyz`);
  expect([before.status, await before.json()]).toEqual([503, { discord: false, store: true }]);
  discord = true;
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
});

it('is not ready when that cannot be told, or not in time', async () => {
  const url = await serve(() => Promise.reject(new Error('nothing works')));
  expect((await fetch(`${url}/readyz`)).status).toBe(503);
  await server?.close();
  const slow = await fetch(`${await serve(() => new Promise(() => {}))}/readyz`);
  expect([slow.status, await slow.json()]).toEqual([503, { inTime: false }]);
});

it('gives figures in the format of Prometheus', async () => {
  const answer = await fetch(`${await serve()}/metrics?anything`);
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  const text = await answer.text();
  expect(text).toMatch(/^# TYPE parley_commands_total counter$/m);
  expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
});

it('answers nothing else', async () => {
  const url = await serve();
  expect((await fetch(`${url}/`)).status).toBe(404);
  expect((await fetch(`${url}/../etc/passwd`)).status).toBe(404);
  expect((await fetch(`${url}/healthz`, { method: 'POST', body: 'x' })).status).toBe(405);
  expect((await fetch(`${url}/healthz`, { method: 'HEAD' })).status).toBe(200);
});

it('says in its error why it cannot listen', async () => {
  const port = Number(new URL(await serve()).port);
  const second = startHttp({ host: '127.0.0.1', port, metrics: createMetrics(), ready: async () => ({}) });
  await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
