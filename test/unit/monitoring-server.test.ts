// /healthz, /readyz and /metrics, as machines ask for them.
import { Gauge } from 'prom-client';
import { afterEach, expect, it } from 'vitest';
import type { Log } from '../../src/log.ts';
import { createPrometheus, type Prometheus } from '../../src/monitoring/prometheus.ts';
import { type HttpServer, startMonitoringServer } from '../../src/monitoring/server.ts';
import { holdTimers } from '../helpers/held-timers.ts';

let server: HttpServer | null = null;
let metrics: Prometheus;
const warnings: string[] = [];
const log = { warn: ({ reason }: { reason: string }, message: string) => void warnings.push(`${message}: ${reason}`) } as Pick<Log, 'warn'>;
const alive = () => true;
afterEach(async () => {
  await server?.close();
  server = null;
  warnings.length = 0;
});

async function serve(
  ready: () => Promise<Record<string, boolean>> = async () => ({}),
  metricsToken: string | null = null,
  isAlive = alive,
): Promise<string> {
  metrics = createPrometheus();
  server = await startMonitoringServer({ host: '127.0.0.1', port: 0, metrics, metricsToken, alive: isAlive, ready, log });
  return server.url;
}

it('says that the process lives, whatever else is the matter', async () => {
  const url = await serve(() => Promise.reject(new Error('nothing works')));
  const answer = await fetch(`${url}/healthz`);
  expect([answer.status, await answer.json()]).toEqual([200, { alive: true }]);
});

it('says when only a restart can help', async () => {
  const url = await serve(undefined, null, () => false);
  const answer = await fetch(`${url}/healthz`);
  expect([answer.status, await answer.json()]).toEqual([503, { alive: false }]);
});

it('is ready when every dependency is, and names those that are not', async () => {
  let discord = false;
  const url = await serve(async () => ({ discord, store: true }));
  const before = await fetch(`${url}/readyz`);
  expect([before.status, await before.json()]).toEqual([503, { discord: false, store: true }]);
  discord = true;
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
});

it('is not ready if readiness cannot be determined, or not in time', async () => {
  const url = await serve(() => Promise.reject(new Error('nothing works')));
  expect((await fetch(`${url}/readyz`)).status).toBe(503);
  await server?.close();
  const timers = holdTimers(2_000);
  const asking = fetch(`${await serve(() => new Promise(() => {}))}/readyz`);
  await expect.poll(timers.count).toBe(1);
  timers.expire();
  const slow = await asking;
  expect([slow.status, await slow.json()]).toEqual([503, { inTime: false }]);
});

it('returns metrics in the Prometheus format', async () => {
  const answer = await fetch(`${await serve()}/metrics?anything`);
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  const text = await answer.text();
  expect(text).toMatch(/^# TYPE parley_commands_total counter$/m);
  expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
});

it('reports why it cannot answer, once until it can again', async () => {
  let isBroken = true;
  const url = await serve(() => (isBroken ? Promise.reject(new Error('no store')) : Promise.resolve({})));
  new Gauge({
    name: 'figures',
    help: 'Cannot always be collected',
    registers: [metrics.registry],
    collect() {
      if (isBroken) throw new Error('no figures');
    },
  });
  const askAll = async () => {
    for (const path of ['readyz', 'readyz', 'metrics', 'metrics']) await fetch(`${url}/${path}`);
  };
  await askAll();
  expect(warnings).toEqual([expect.stringMatching(/^\/readyz .*no store$/), expect.stringMatching(/^\/metrics .*no figures$/)]);
  isBroken = false;
  await askAll();
  isBroken = true;
  await askAll();
  expect(warnings).toHaveLength(4);
});

it('requires the token for the metrics, and for nothing else', async () => {
  const url = await serve(async () => ({}), 'fig-ures');
  const ask = (authorization?: string) => fetch(`${url}/metrics`, authorization === undefined ? {} : { headers: { authorization } });
  for (const wrong of [undefined, '', 'Bearer', 'Bearer fig-ure', 'Bearer fig-ures2', 'Basic fig-ures', 'fig-ures']) {
    const answer = await ask(wrong);
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(await answer.text()).not.toContain('parley_');
  }
  expect(await (await ask('Bearer fig-ures')).text()).toContain('parley_commands_total');
  expect((await fetch(`${url}/metrics?token=fig-ures`)).status).toBe(401);
  for (const path of ['healthz', 'readyz']) expect((await fetch(`${url}/${path}`)).status).toBe(200);
});

it('answers nothing else', async () => {
  const url = await serve();
  expect((await fetch(`${url}/`)).status).toBe(404);
  expect((await fetch(`${url}/../etc/passwd`)).status).toBe(404);
  const posted = await fetch(`${url}/healthz`, { method: 'POST', body: 'x' });
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  expect((await fetch(`${url}/healthz`, { method: 'HEAD' })).status).toBe(200);
});

it('says in its error why it cannot listen', async () => {
  const port = Number(new URL(await serve()).port);
  const second = startMonitoringServer({
    host: '127.0.0.1',
    port,
    metrics: createPrometheus(),
    metricsToken: null,
    alive,
    ready: async () => ({}),
    log,
  });
  await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
