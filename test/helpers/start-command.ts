// The arguments that `npm start` passes to Node, usable from any folder.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../../', import.meta.url);
const { scripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { scripts: { start: string } };

export const startArguments: string[] = scripts.start
  .split(' ')
  .slice(1)
  .map((word) => (word.startsWith('-') ? word : fileURLToPath(new URL(word, root))));

/** For any other program of the repository: it starts in half the time. */
export const withCompileCache: string[] = ['--import', fileURLToPath(new URL('src/runtime/compile-cache.js', root))];
