// `.bin/node` under an npm that removes it: what stands before every script of package.json that needs the Node of the packages.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const SCRIPT = 'src/runtime/link-node.js';

/** A clone in which only these packages have been installed, and no bin has been linked. */
function makeClone(packages: string[]): string {
  const clone = mkdtempSync(join(tmpdir(), 'parley-link-node-'));
  onTestFinished(() => rmSync(clone, { recursive: true, force: true }));
  mkdirSync(join(clone, 'node_modules'));
  for (const file of ['package.json', SCRIPT]) cpSync(join(root, file), join(clone, file));
  for (const name of packages) symlinkSync(join(root, 'node_modules', name), join(clone, 'node_modules', name));
  return clone;
}

const platformPackages = Object.keys(manifest.optionalDependencies).filter((name) => name.startsWith('node-'));

test('links the Node that was installed for this platform, also over a link that leads nowhere, and leaves a good one alone', () => {
  const own = execFileSync(process.execPath, ['-p', 'process.version'], { encoding: 'utf8' });
  const clone = makeClone(platformPackages.filter((name) => name.endsWith(`${process.platform}-${process.arch}`)));
  const link = join(clone, 'node_modules/.bin/node');
  execFileSync(process.execPath, [join(clone, SCRIPT)]);
  expect(execFileSync(link, ['--version'], { encoding: 'utf8' })).toBe(own);
  rmSync(link);
  symlinkSync('../gone/bin/node', link);
  execFileSync(process.execPath, [join(clone, SCRIPT)]);
  expect(execFileSync(link, ['--version'], { encoding: 'utf8' })).toBe(own);
  rmSync(link);
  symlinkSync(process.execPath, link);
  execFileSync(process.execPath, [join(clone, SCRIPT)]);
  expect(execFileSync(link, ['-p', 'process.execPath'], { encoding: 'utf8' }).trim()).toBe(process.execPath);
});

test('links nothing, and says nothing, if the Node that is installed runs the sources', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(makeClone([]), SCRIPT)], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

test('every script that needs that Node has it linked first, or is run by one that has', () => {
  const scripts = Object.entries(manifest.scripts as Record<string, string>);
  const needy = scripts.filter(([, command]) => /^(node(?! src\/runtime)|vitest)\b/.test(command)).map(([name]) => name);
  expect(needy).toEqual(['start', 'test', 'node']);
  expect(needy.filter((name) => manifest.scripts[`pre${name}`] !== `node ${SCRIPT}`)).toEqual([]);
});
