// Restores node_modules/.bin/node before `start`, `test` and `node`, the script that runs all others. npm 10 (Node 20 and 22) removes it after
// installing: the Node packages for other platforms declare the same bin, and npm removes the bins of packages it skips. Downloads nothing.
// JavaScript, because it runs on whatever Node is installed.
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const modules = join(root, 'node_modules');
const isWindows = process.platform === 'win32';
const link = join(modules, '.bin', isWindows ? 'node.cmd' : 'node');

/** The oldest Node that runs the sources. */
const OLDEST = [24, 15];

const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const binary = isWindows ? 'node.exe' : 'node';
// npm installs only the one for this platform.
const name = Object.keys(optionalDependencies).find((one) => existsSync(join(modules, one, 'bin', binary)));

if (!name) {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
    console.error(
      `Parley needs Node ${OLDEST.join('.')} or later, and none was installed with it for ${process.platform}-${process.arch}. Run npm ci without --omit=optional, or install Node from https://nodejs.org.`,
    );
    process.exitCode = 1;
  }
} else if (!existsSync(link)) {
  mkdirSync(join(modules, '.bin'), { recursive: true });
  // Removes a dangling link.
  rmSync(link, { force: true });
  try {
    if (isWindows) writeFileSync(link, `@"%~dp0..\\${name}\\bin\\node.exe" %*\r\n`);
    else symlinkSync(join('..', name, 'bin', 'node'), link);
  } catch (error) {
    // Another script has just created it.
    if (error.code !== 'EEXIST') throw error;
  }
}
