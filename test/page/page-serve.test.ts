// The files of the page: all there, from its own origin, and no others.
import { win32 } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addressOf } from '../../src/local/discord/page/module-graph.ts';
import { registerPage } from '../../src/local/discord/page/serve.ts';

describe('the page’s files', () => {
  let app: FastifyInstance;
  const warnings: string[] = [];
  const hearWarning = (warning: Error) => warnings.push(warning.message);

  beforeAll(async () => {
    process.on('warning', hearWarning);
    app = Fastify();
    await registerPage(app);
  });
  afterAll(async () => {
    process.off('warning', hearWarning);
    await app.close();
  });

  const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers });

  test('come from the page’s own origin, by its policy and in its HTML', async () => {
    const page = await get('/?user=ben');
    expect(page.statusCode).toBe(200);
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval(?<!wasm-unsafe-eval)/);
    expect(page.body).not.toMatch(/(?:src|href)="https?:/);
  });

  test('are all there: every module preloaded and every entry of the import map', async () => {
    const { body } = await get('/');
    const preloaded = [...body.matchAll(/modulepreload" href="([^"]+)"/g)].map((match) => match[1] ?? '');
    const mapped = Object.values(JSON.parse(/importmap">(.*)<\/script>/.exec(body)?.[1] ?? '').imports as Record<string, string>);
    expect(preloaded.length).toBeGreaterThan(30);
    for (const url of [...preloaded, ...mapped]) {
      const file = await get(url);
      expect(file.statusCode, url).toBe(200);
      expect(file.headers['content-type']).toContain('text/javascript');
    }
  });

  test('are TypeScript without its types, and say nothing in the terminal', async () => {
    const { body } = await get('/page/state.ts');
    expect(body).toContain('export const state');
    expect(body).not.toContain('interface State');
    expect(warnings.filter((warning) => warning.includes('stripTypeScriptTypes'))).toEqual([]);
  });

  test('are no others of this machine', async () => {
    for (const url of [
      '/page/serve.ts',
      '/page/module-graph.ts',
      '/page/../serve.ts',
      '/page/%2e%2e/index.ts',
      '/page/..%2f..%2f..%2fpackage.json',
      '/page/modules/fastify/package.json',
      '/page//etc/passwd',
    ]) {
      expect((await get(url)).statusCode, url).toBe(404);
    }
  });

  test('are not sent again while they have not changed', async () => {
    const first = await get('/page/main.ts');
    const again = await get('/page/main.ts', { 'if-none-match': String(first.headers.etag) });
    expect(again.statusCode).toBe(304);
    expect(again.body).toBe('');
  });
});

test('addresses of the page’s modules have no backslashes on Windows', () => {
  const folder = 'C:\\parley\\src\\local\\discord\\page\\';
  expect(addressOf(folder, `${folder}main.ts`, win32)).toBe('/page/main.ts');
  expect(addressOf(folder, 'C:\\parley\\src\\local\\discord\\snowflake.ts', win32)).toBe('/page/../snowflake.ts');
  expect(addressOf(folder, `${folder}views\\card.ts`, win32)).toBe('/page/views/card.ts');
});
