// Finds every module the page needs, starting from its first one, and gives each an address: nothing else is served.
import { readFile } from 'node:fs/promises';
import { findPackageJSON, stripTypeScriptTypes } from 'node:module';
import platform, { dirname, join, posix, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

interface PageModule {
  /** Where the browser finds it, such as `/page/main.ts` or `/page/modules/lit@3.3.3/index.js`. */
  url: string;
  code: string;
}

export interface ModuleGraph {
  modules: ReadonlyMap<string, PageModule>;
  /** What goes into the import map: bare specifier → address. */
  imports: Record<string, string>;
  /** Addresses to fetch at once, since they are imported statically. */
  preload: string[];
}

const pageFolder = fileURLToPath(new URL('.', import.meta.url));

/** Files to take in place of those that a package's own description names. */
const replacedFiles: Record<string, string> = {
  // Its `browser` entry is CommonJS, which a browser cannot import.
  '@eshaz/web-worker': 'browser.js',
  // Over a hundred small modules otherwise.
  mediabunny: 'dist/bundles/mediabunny.min.mjs',
};

/** Its enums are plain data, but come as CommonJS: these are handed on as a module made here. */
const enumsModule = 'discord-api-types/v10';
const enumsUsed = [
  'ApplicationCommandOptionType',
  'ApplicationCommandType',
  'ButtonStyle',
  'ChannelType',
  'ComponentType',
  'MessageFlags',
  'MessageType',
  'TextInputStyle',
] as const;

const importPattern = /(?:\bfrom|\bimport)\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)/g;

/** Reads the page's modules and those they import. `entry` is a file of this folder. */
export async function readModuleGraph(entry: URL): Promise<ModuleGraph> {
  const modules = new Map<string, PageModule>();
  const imports: Record<string, string> = {};
  const preload: string[] = [];
  const visited = new Set<string>();

  const visit = async (at: Place, isStatic: boolean): Promise<void> => {
    if (visited.has(at.url)) return;
    visited.add(at.url);
    const code = await readCode(at);
    if (code === undefined) return;
    modules.set(at.url, { url: at.url, code });
    if (isStatic) preload.push(at.url);
    for (const [, fixed, dynamic] of code.matchAll(importPattern)) {
      const specifier = fixed ?? dynamic;
      if (!specifier) continue;
      const target = await locate(specifier, at);
      if (!target) continue;
      if (!specifier.startsWith('.')) imports[specifier] = target.url;
      await visit(target, isStatic && dynamic === undefined);
    }
  };

  await visit(ownFile(fileURLToPath(entry)), true);
  return { modules, imports, preload };
}

/** A file and the address under which it is served. */
interface Place {
  file: string;
  url: string;
}

function ownFile(file: string): Place {
  return { file, url: addressOf(pageFolder, file) };
}

/** Where a file of `folder` is served, on any system: `path` is node:path as it is there. */
export function addressOf(folder: string, file: string, path: Pick<typeof platform, 'relative' | 'sep'> = platform): string {
  return `/page/${path.relative(folder, file).split(path.sep).join('/')}`;
}

async function locate(specifier: string, from: Place): Promise<Place | undefined> {
  if (specifier === enumsModule) return { file: enumsModule, url: '/page/modules/discord-enums.js' };
  if (specifier.startsWith('.')) {
    const file = resolve(dirname(from.file), specifier);
    return from.file.startsWith(pageFolder) ? ownFile(file) : { file, url: posix.join(posix.dirname(from.url), specifier) };
  }
  return locatePackageFile(specifier, from.file);
}

async function locatePackageFile(specifier: string, from: string): Promise<Place | undefined> {
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  if (!/^(@[\w.-]+\/)?[\w.-]+$/.test(name)) return undefined;
  let manifest: string | undefined;
  try {
    manifest = findPackageJSON(specifier, from);
  } catch {
    return undefined; // a word in a comment that only looks like an import
  }
  if (!manifest) return undefined;
  const description = JSON.parse(await readFile(manifest, 'utf8')) as { version: string; main?: string; exports?: unknown };
  const inside = replacedFiles[specifier] ?? exportedFile(description, `.${specifier.slice(name.length)}`);
  if (!inside) return undefined;
  return { file: join(dirname(manifest), inside), url: posix.join(`/page/modules/${name}@${description.version}`, inside) };
}

/** Follows a package's `exports` as a browser's bundler would (production build). */
function exportedFile(description: { main?: string; exports?: unknown }, subpath: string): string | undefined {
  const { exports } = description;
  if (exports === undefined) return subpath === '.' ? description.main : subpath;
  const perSubpath = exports as Record<string, unknown>;
  return chooseCondition(subpath in perSubpath ? perSubpath[subpath] : subpath === '.' ? exports : undefined);
}

function chooseCondition(target: unknown): string | undefined {
  if (typeof target === 'string') return target;
  if (typeof target !== 'object' || target === null) return undefined;
  for (const condition of ['browser', 'import', 'default']) {
    const found = chooseCondition((target as Record<string, unknown>)[condition]);
    if (found) return found;
  }
  return undefined;
}

async function readCode(at: Place): Promise<string | undefined> {
  if (at.file === enumsModule) return writeEnumsModule();
  if (!at.file.startsWith(pageFolder) && !at.file.includes(`${sep}node_modules${sep}`)) return undefined;
  try {
    const source = await readFile(at.file, 'utf8');
    return at.file.endsWith('.ts') ? stripTypes(source) : source;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || at.file.startsWith(pageFolder)) throw error;
    return undefined; // named in a comment of a package
  }
}

async function writeEnumsModule(): Promise<string> {
  const all: Record<string, unknown> = await import('discord-api-types/v10');
  return enumsUsed.map((name) => `export const ${name} = ${JSON.stringify(all[name])};\n`).join('');
}

/** Node warns once that this is experimental; the version of Node is pinned, so members of the terminal needn't read it. */
function stripTypes(source: string): string {
  const emitWarning = process.emitWarning;
  process.emitWarning = ((warning: string | Error, ...rest: unknown[]) => {
    if (!String(warning).includes('stripTypeScriptTypes')) Reflect.apply(emitWarning, process, [warning, ...rest]);
  }) as typeof process.emitWarning;
  try {
    return stripTypeScriptTypes(source);
  } finally {
    process.emitWarning = emitWarning;
  }
}
