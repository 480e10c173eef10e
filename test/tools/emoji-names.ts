// Makes src/reading/emoji-names again: `npm run emoji-names -- VERSION`, with a version of the npm package emojibase-data. That has the short
// names of Unicode's CLDR beside 48 MB of what nobody here reads, so it isn't a dependency.
import { execFileSync } from 'node:child_process';
import { cp, glob, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withoutVariants } from '../../src/reading/message-text.ts';

interface Emoji {
  unicode: string;
  label: string;
}

const [version = ''] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error('Usage: npm run emoji-names -- VERSION');
const target = join(import.meta.dirname, '../../src/reading/emoji-names');
const folder = await mkdtemp(join(tmpdir(), 'parley-emoji-'));
try {
  execFileSync('npm', ['install', '--prefix', folder, '--ignore-scripts', `emojibase-data@${version}`], { stdio: 'inherit' });
  const source = join(folder, 'node_modules/emojibase-data');
  await cp(join(source, 'LICENSE'), join(target, 'LICENSE'));
  for await (const file of glob('*/compact.json', { cwd: source })) {
    const language = file.split(/[/\\]/)[0] as string;
    // A region's names are not looked up.
    if (language.includes('-')) continue;
    const emoji: Emoji[] = JSON.parse(await readFile(join(source, file), 'utf8'));
    const names = Object.fromEntries(emoji.map(({ unicode, label }) => [withoutVariants(unicode), label]));
    await writeFile(join(target, `${language}.json`), `${JSON.stringify(names)}\n`);
  }
} finally {
  await rm(folder, { recursive: true });
}
