// Puts node_modules/.bin/node back before a script of package.json runs. npm 10, which comes with Node 20 and 22, removes it at the end of
// an installation: the packages of Node for other platforms declare the same bin, and npm takes away what it skips together with its bins.
// Nothing is downloaded here. JavaScript, because it runs on whatever Node is installed.
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
// npm installs the one for this platform alone.
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
  // A link that leads nowhere.
  rmSync(link, { force: true });
  try {
    if (isWindows) writeFileSync(link, `@"%~dp0..\\${name}\\bin\\node.exe" %*\r\n`);
    else symlinkSync(join('..', name, 'bin', 'node'), link);
  } catch (error) {
    // Another script has just made it.
    if (error.code !== 'EEXIST') throw error;
  }
}
