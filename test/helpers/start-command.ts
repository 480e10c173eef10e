// The arguments that `npm start` passes to Node, usable from any folder.
import { readFileSync } from 'node:fs';

const root = new URL('../../', import.meta.url);
const { scripts } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { scripts: { start: string } };

export const startArguments: string[] = scripts.start
  .split(' ')
  .slice(1)
  .map((word) => (word.startsWith('-') ? word : new URL(word, root).pathname));
