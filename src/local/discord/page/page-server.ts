// The local Discord's page: a small Discord client for the browser, so that a bot can be tried without Discord.
// This file serves it; main.ts starts it in the browser; protocol.ts defines what the two exchange.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

interface PageFile {
  body: Uint8Array;
  type: string;
  etag: string;
}

/** Everything comes from the page's own origin. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  // The elements of @skyra/discord-components-core set colours and sizes as style attributes.
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** By path. Read at the first visit, and shared by all local Discords of the process. */
let files: Promise<ReadonlyMap<string, PageFile>> | undefined;

/** Adds the page at `/`, and its files below `/page/`, to a server. */
export function registerPage(app: FastifyInstance): void {
  const serve = async (request: FastifyRequest, reply: FastifyReply) => {
    files ??= readFiles();
    const path = request.url.split('?', 1)[0] ?? '/';
    const file = (await files).get(path);
    if (!file) return reply.code(404).type('text/plain').send('There is no such file on this page.');
    reply.headers({
      'content-security-policy': contentSecurityPolicy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-cache',
      etag: file.etag,
    });
    if (request.headers['if-none-match'] === file.etag) return reply.code(304).send();
    return reply.type(file.type).send(file.body);
  };

  app.get('/', serve);
  app.get('/page/*', serve);
  app.get('/favicon.ico', async (_request, reply) => reply.redirect('/page/icon.svg'));
}

async function readFiles(): Promise<Map<string, PageFile>> {
  const [html, icon, bundles] = await Promise.all([
    readFile(new URL('./index.html', import.meta.url)),
    readFile(new URL('./icon.svg', import.meta.url)),
    bundleSources(),
  ]);
  return new Map([['/', pageFile(html, 'text/html; charset=utf-8')], ['/page/icon.svg', pageFile(icon, 'image/svg+xml')], ...bundles]);
}

/**
 * One script, what runs in the browser's sound thread, and one stylesheet. esbuild is imported only here, since most processes never serve the page; its child
 * process ends with the build. Its install script is not needed: that only makes its command-line tool start faster.
 */
async function bundleSources(): Promise<[address: string, PageFile][]> {
  const { build, stop } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: {
      main: fileURLToPath(new URL('./main.ts', import.meta.url)),
      'microphone-worklet': fileURLToPath(new URL('./voice/microphone-worklet.ts', import.meta.url)),
      styles: fileURLToPath(new URL('./styles/index.css', import.meta.url)),
    },
    bundle: true,
    format: 'esm',
    minify: true,
    target: 'es2022',
    outdir: '/',
    write: false,
    logLevel: 'silent',
  });
  await stop();
  return outputFiles.map(({ path, contents }) => {
    const type = path.endsWith('.css') ? 'text/css' : 'text/javascript';
    return [`/page/${basename(path)}`, pageFile(contents, `${type}; charset=utf-8`)];
  });
}

function pageFile(body: Uint8Array, type: string): PageFile {
  return { body, type, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
}
