// Serves the page of the local Discord: its HTML, styles and modules, straight from the sources and from node_modules.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ModuleGraph, readModuleGraph } from './module-graph.ts';

interface PageFile {
  body: string;
  type: string;
  etag: string;
  /** Files of a package carry its version in their address, so a browser may keep them. */
  keep: boolean;
}

const styles = ['base.css', 'layout.css', 'messages.css', 'composer.css', 'overlays.css'];

/** Adds the page at `/` and its files below `/page/` to a server. They are read at the first visit and kept. */
export async function registerPage(app: FastifyInstance): Promise<void> {
  let files: Promise<Map<string, PageFile>> | undefined;
  let policy = '';

  const load = async (): Promise<Map<string, PageFile>> => {
    const graph = await readModuleGraph(new URL('./main.ts', import.meta.url));
    const page = await readPage(graph);
    policy = page.policy;
    return page.files;
  };

  const serve = async (request: FastifyRequest, reply: FastifyReply) => {
    files ??= load();
    const path = request.url.split('?', 1)[0] ?? '/';
    const file = (await files).get(path);
    if (!file) return reply.code(404).type('text/plain').send('There is no such file on this page.');
    reply.headers({
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': file.keep ? 'public, max-age=31536000, immutable' : 'no-cache',
      etag: file.etag,
    });
    if (request.headers['if-none-match'] === file.etag) return reply.code(304).send();
    return reply.type(file.type).send(file.body);
  };

  app.get('/', serve);
  app.get('/page/*', serve);
  app.get('/favicon.ico', async (_request, reply) => reply.redirect('/page/icon.svg'));
}

async function readPage(graph: ModuleGraph): Promise<{ files: Map<string, PageFile>; policy: string }> {
  const files = new Map<string, PageFile>();
  const add = (path: string, body: string, type: string): void => {
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
    files.set(path, { body, type, etag, keep: path.includes('@') });
  };

  for (const { url, code } of graph.modules.values()) add(url, code, 'text/javascript; charset=utf-8');
  for (const name of styles) add(`/page/${name}`, await readOwn(name), 'text/css; charset=utf-8');
  add('/page/icon.svg', await readOwn('icon.svg'), 'image/svg+xml');

  const importMap = JSON.stringify({ imports: graph.imports });
  const head = [
    `<script type="importmap">${importMap}</script>`,
    ...graph.preload.map((url) => `<link rel="modulepreload" href="${url}">`),
    ...styles.map((name) => `<link rel="stylesheet" href="/page/${name}">`),
  ].join('\n');
  add(
    '/',
    (await readOwn('index.html')).replace('<!-- head -->', () => head),
    'text/html; charset=utf-8',
  );

  return { files, policy: contentSecurityPolicy(importMap) };
}

/** Everything comes from the page's own origin; the one inline script is the import map, named by its hash. */
function contentSecurityPolicy(importMap: string): string {
  const hash = createHash('sha256').update(importMap).digest('base64');
  return [
    "default-src 'none'",
    `script-src 'self' 'wasm-unsafe-eval' 'sha256-${hash}'`,
    "style-src 'self'",
    // The shared elements set colours and sizes as style attributes.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function readOwn(name: string): Promise<string> {
  return readFile(new URL(name, import.meta.url), 'utf8');
}
