// What the dashboard, the alerts and the autoscaler ask for is what a running bot publishes, down to the labels and their values.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { en } from '../../src/locales/index.ts';
import { createPrometheus } from '../../src/monitoring/prometheus.ts';
import { type HttpServer, startMonitoringServer } from '../../src/monitoring/server.ts';
import { makeFolder } from '../helpers/folder.ts';
import { textOf } from '../helpers/member.ts';
import { openingOf } from '../helpers/openings.ts';
import { type Parley, startParley } from '../helpers/parley.ts';
import { prometheus, titled } from '../helpers/requirements.ts';
import { startTestVoiceService, type TestVoiceService } from '../helpers/voice-service.ts';

const deploy = new URL('../../deploy/', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, deploy), 'utf8');

interface Dashboard {
  panels: { id: number; title: string; targets: { expr: string }[] }[];
}
const dashboard = JSON.parse(read('grafana/parley.json')) as Dashboard;
const alerts = parse(read('prometheus/alerts.yaml')).groups.flatMap((group: { rules: { alert: string; expr: string }[] }) => group.rules);
const scalesBy = parse(read('kubernetes/autoscaler.yaml')).spec.metrics[0].pods.metric.name as string;
const expressions: [where: string, expr: string][] = [
  ...dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }): [string, string] => [title, expr])),
  ...alerts.map(({ alert, expr }: { alert: string; expr: string }): [string, string] => [alert, expr]),
  ['the autoscaler', scalesBy],
];

let service: TestVoiceService;
let parley: Parley;
let http: HttpServer;
let published = '';

beforeAll(async () => {
  service = await startTestVoiceService();
  const metrics = createPrometheus();
  parley = await startParley({ service, metrics, timing: { settleMs: 10, pollMs: 50 } });
  http = await startMonitoringServer({
    host: '127.0.0.1',
    port: 0,
    metrics,
    metricsToken: null,
    alive: () => true,
    ready: async () => ({}),
    log: pino({ level: 'silent' }),
  });
  await parley.member.listen();
  const interaction = await parley.member.run('say', {
    text: 'The figures are read while this is spoken, which takes long enough on any machine.',
    voice: 'clara',
  });
  await interaction.message((message) => textOf(message).includes(en('say.speaking')));
  expect(await readMetrics()).toMatch(/^parley_servers_speaking 1$/m);
  await interaction.message((message) => textOf(message).includes(openingOf('say.spoken')));
  await vi.waitFor(
    async () => {
      published = await readMetrics();
      expect(published).toMatch(/^parley_utterances_total\{ended="played"\} 1$/m);
      expect(published).toMatch(/^parley_credit_left \d/m);
    },
    { timeout: 30_000 },
  );
});
afterAll(async () => {
  await http.close();
  await parley.close();
  await service.close();
});

const readMetrics = async () => (await fetch(`${http.url}/metrics`)).text();

/** The metrics of an expression, each with what is in the braces behind it. */
function namedIn(expr: string): { name: string; labels: string }[] {
  const found = expr.matchAll(/\b((?:parley|nodejs|process)_\w+)(?:\{([^}]*)\})?/g);
  return [...found].map(([, name = '', labels = '']) => ({ name, labels }));
}

test('every metric that is named is published', () => {
  const types = new Map([...published.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type = '']) => [name, type]));
  const named = expressions.flatMap(([where, expr]) => namedIn(expr).map(({ name }) => ({ where, name })));
  expect(named.length).toBeGreaterThan(30);
  const missing = named.filter(({ name }) => !types.has(name) && types.get(name.replace(/_(bucket|sum|count)$/, '')) !== 'histogram');
  expect(missing).toEqual([]);
});

test('labels that are asked for have the values they are compared with', () => {
  // Those that Prometheus adds, and causes that this run has not met.
  const others = /^(job|instance|le)$/;
  for (const [where, expr] of expressions) {
    for (const { name, labels } of namedIn(expr)) {
      for (const [, label = '', operator, value = ''] of labels.matchAll(/(\w+)(=~|!=|=)"([^"]*)"/g)) {
        if (others.test(label)) continue;
        const samples = published.split('\n').filter((line) => line.startsWith(`${name}{`));
        expect(samples.join(), `${where}: ${name} has the label ${label}`).toContain(`${label}="`);
        if (operator === '=' && value !== 'broken') expect(samples.join(), where).toContain(`${label}="${value}"`);
      }
    }
  }
});

test('frames, joins and shards are counted', () => {
  const sent = [...published.matchAll(/^parley_frames_total\{arrival="(?:on_time|late)"\} (\d+)$/gm)].map(([, count]) => Number(count));
  expect(sent).toHaveLength(2);
  expect(sent.reduce((sum, count) => sum + count)).toBeGreaterThan(50);
  expect(published).toMatch(/^parley_joins_total\{outcome="ready"\} 1$/m);
  expect(published).toMatch(/^parley_shards_held 1$/m);
  expect(published).toMatch(/^parley_shards 1$/m);
  expect(published).toMatch(/^parley_servers_speaking 0$/m);
});

test('the panels of the dashboard don’t share an id, and each asks for something', () => {
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
  expect(dashboard.panels.filter(({ targets }) => targets.length === 0)).toEqual([]);
});

test.runIf(prometheus.isMet)(
  titled('Prometheus accepts the alerts, every query of the dashboard, and its configuration', prometheus),
  async () => {
    const check = (...args: string[]) => spawnSync('promtool', ['check', ...args], { encoding: 'utf8', cwd: deploy });
    expect(check('rules', 'prometheus/alerts.yaml')).toMatchObject({ status: 0 });
    expect(check('config', '--syntax-only', 'prometheus/prometheus.yaml')).toMatchObject({ status: 0 });
    // As rules, which are checked without a server.
    const rules = expressions.map(([, expr], index) => ({ record: `query:${index}`, expr: expr.replaceAll('$__rate_interval', '5m') }));
    const folder = await makeFolder();
    const file = join(folder, 'queries.json');
    await writeFile(file, JSON.stringify({ groups: [{ name: 'queries', rules }] }));
    const checked = check('rules', file);
    expect(checked.status, checked.stderr).toBe(0);
    expect(checked.stdout).toContain(`${rules.length} rules found`);
  },
);

test.runIf(prometheus.isMet)(titled('every query of the dashboard finds something in what is published', prometheus), async () => {
  const samples = published.split('\n').filter((line) => /^\w/.test(line));
  // As Prometheus stores them, and growing, so that there are rates.
  const series = samples.map((line) => {
    const [, name, labels] = /^(\w+)(?:\{(.*)\})? /.exec(line) ?? [];
    return { series: `${name}{${[labels, 'job="parley"', 'instance="one"'].filter(Boolean).join(',')}}`, values: '1+1x40' };
  });
  const queries = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr.replaceAll('$__rate_interval', '1m')));
  const found = queries.map((expr) => ({
    expr: `count(${expr}) > bool 0`,
    eval_time: '10m',
    exp_samples: [{ labels: '{}', value: 1 }],
  }));
  const folder = await makeFolder();
  const file = join(folder, 'queries.json');
  await writeFile(file, JSON.stringify({ tests: [{ interval: '15s', input_series: series, promql_expr_test: found }] }));
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' });
  expect(status, stdout + stderr).toBe(0);
});
