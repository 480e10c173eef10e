// The files of the page: what is served, and nothing else.

import { execFile } from 'node:child_process';
import { cp, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { registerPage } from '../../src/local/discord/page/page-server.ts';
import { makeFolder } from '../helpers/folder.ts';

const root = join(import.meta.dirname, '..', '..');

describe('the page’s files', () => {
  let app: FastifyInstance;

  beforeAll(() => {
    app = Fastify();
    registerPage(app);
  });
  afterAll(() => app.close());

  const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });

  test('come only from the page’s own origin', async () => {
    const page = await get('/?user=ben');
    expect(page.statusCode).toBe(200);
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval';");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval(?<!wasm-unsafe-eval)/);
    expect(page.body).not.toMatch(/(?:src|href)="https?:|<script>/);
  });

  test('are one script, one stylesheet and an icon, none of which loads more', async () => {
    const { body } = await get('/');
    expect([...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url)).toEqual([
      '/page/icon.svg',
      '/page/styles.css',
      '/page/main.js',
    ]);
    const [icon, styles, script] = await Promise.all(['/page/icon.svg', '/page/styles.css', '/page/main.js'].map((url) => get(url)));
    expect(icon?.headers['content-type']).toBe('image/svg+xml');
    expect(styles?.headers['content-type']).toBe('text/css; charset=utf-8');
    expect(styles?.body).not.toMatch(/@import|url\(/);
    expect(script?.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(script?.body).not.toMatch(/\bimport\s*[("'{*]|\bfrom\s*["']/);
  });

  test('include no other file of this machine', async () => {
    for (const url of [
      '/page/page-server.ts',
      '/page/main.ts',
      '/page/../index.ts',
      '/page/%2e%2e/index.ts',
      '/page/..%2f..%2f..%2fpackage.json',
      '/page/modules/fastify/package.json',
      '/page//etc/passwd',
    ]) {
      expect((await get(url)).statusCode, url).toBe(404);
    }
  });

  test('are not sent again if they have not changed', async () => {
    const first = await get('/page/main.js');
    const again = await get('/page/main.js', { 'if-none-match': String(first.headers.etag) });
    expect(again.statusCode).toBe(304);
    expect(again.body).toBe('');
  });
});

// A copy of esbuild without `bin/`, the only place its install script writes to.
test('esbuild is loaded at the first visit, and works after npm ci --ignore-scripts', async () => {
  const folder = await makeFolder();
  const esbuild = join(folder, 'node_modules', 'esbuild');
  await cp(join(root, 'node_modules', 'esbuild'), esbuild, { recursive: true, filter: (path) => !path.endsWith('bin') });
  await symlink(join(root, 'node_modules', '@esbuild'), join(folder, 'node_modules', '@esbuild'), 'junction');
  const program = `
    import { createRequire, registerHooks } from 'node:module';
    import { pathToFileURL } from 'node:url';
    const copy = ${JSON.stringify(join(esbuild, 'lib', 'main.js'))};
    registerHooks({ resolve: (name, context, next) => name === 'esbuild' ? { url: String(pathToFileURL(copy)), shortCircuit: true } : next(name, context) });
    const { registerPage } = await import('./src/local/discord/page/page-server.ts');
    const { default: fastify } = await import('fastify');
    const app = fastify();
    registerPage(app);
    await app.ready();
    const isLoaded = () => copy in createRequire(import.meta.url).cache;
    const before = isLoaded();
    const { statusCode, body } = await app.inject('/page/main.js');
    console.log(JSON.stringify({ before, after: isLoaded(), statusCode, length: body.length }));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], { cwd: root });
  const { length, ...rest } = JSON.parse(stdout);
  expect(rest).toEqual({ before: false, after: true, statusCode: 200 });
  expect(length).toBeGreaterThan(100_000);
});
