// The local Discord as a workspace of its own: which packages it and the bot have, and where there is a DOM.
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importsOf } from '../helpers/source-text.ts';

interface Manifest {
  dependencies: Record<string, string>;
  devDependencies?: Record<string, string>;
}

const root = join(import.meta.dirname, '../..');
const WORKSPACE = 'src/local/discord';
const readManifest = (folder: string): Manifest => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
const bot = readManifest('.');
const workspace = readManifest(WORKSPACE);

const files = globSync('{src,commands,test}/**/*.ts', { cwd: root }).map((file) => file.replaceAll('\\', '/'));
const isInWorkspace = (file: string) => file.startsWith(`${WORKSPACE}/`);
const isOfBot = (file: string) => !isInWorkspace(file) && !file.startsWith('test/');

const found = new Map<string, string[]>();

/** The packages that a file imports, or whose files it reads. */
function packagesOf(file: string): string[] {
  const known = found.get(file);
  if (known) return known;
  const code = readFileSync(join(root, file), 'utf8');
  const read = [...code.matchAll(/\bresolve\('([^']+)'\)/g)].map(([, written = '']) => written);
  const packages = [...importsOf(code), ...read].flatMap((written) => /^(?!\.|node:)(@[^/]+\/)?[^/]+/.exec(written)?.[0] ?? []);
  found.set(file, packages);
  return packages;
}

/** `file: package`, for each package that these files use and a manifest doesn't have. */
const missingIn = ({ dependencies }: Manifest, belongs: (file: string) => boolean) =>
  files.filter(belongs).flatMap((file) =>
    packagesOf(file)
      .filter((name) => !(name in dependencies))
      .map((name) => `${file}: ${name}`),
  );

describe('dependencies', () => {
  it('of the bot are enough for it, without those of the local Discord and of the tests', () => {
    expect(missingIn(bot, isOfBot)).toEqual([]);
  });

  it('of the local Discord are enough for it, without those of the bot', () => {
    expect(missingIn(workspace, isInWorkspace)).toEqual([]);
  });

  it('are in both only if the bot uses them, too, and then in one version', () => {
    const usedByBot = new Set(files.filter(isOfBot).flatMap(packagesOf));
    // @discordjs/voice looks for these ciphers itself.
    usedByBot.add('@noble/ciphers');
    expect(Object.keys(workspace.dependencies).filter((name) => name in bot.dependencies && !usedByBot.has(name))).toEqual([]);
    const all = { ...bot.dependencies, ...bot.devDependencies };
    expect(Object.entries(workspace.dependencies).filter(([name, version]) => (all[name] ?? version) !== version)).toEqual([]);
  });
});

describe('type checking', () => {
  it('knows no `document` in the bot, whatever types its packages bring along', () => {
    // @ts-expect-error `tsc` fails if there is one. On the page, it fails if there is none.
    expect(typeof document).toBe('undefined');
  });

  it('leaves out no file', () => {
    const filesOf = (project: string): string[] => {
      const tsc = [join(root, 'node_modules/typescript/bin/tsc'), '--project', project, '--showConfig'];
      const { files } = JSON.parse(execFileSync(process.execPath, tsc, { cwd: root, encoding: 'utf8' })) as { files: string[] };
      return files.map((file) => join(project, file).replaceAll('\\', '/'));
    };
    const checked = new Set([...filesOf('.'), ...filesOf(WORKSPACE)]);
    expect(files.filter((file) => !checked.has(file))).toEqual([]);
  });

  it('is done for both by `npm run check`', () => {
    expect(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts.check).toContain(`tsc && tsc --project ${WORKSPACE} && `);
  });
});
