// The worked examples of CONTRIBUTING.md: their diffs fit the repository, and what the page says to run then passes.
import { execFile } from 'node:child_process';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { makeFolder } from '../helpers/folder.ts';

/** @throws Error with all that the program printed, unless it exits with 0 */
async function run(program: string, args: string[], options: { cwd: string; env?: NodeJS.ProcessEnv }): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { ...options, maxBuffer: 2 ** 24 }).catch((error) => {
    throw new Error(`${error.message}\n${error.stdout}`);
  });
  return stdout;
}

const root = join(import.meta.dirname, '../..');

interface Example {
  title: string;
  diffs: string[];
  commands: string[];
}

/** Sections of the page that have a diff. */
async function readExamples(): Promise<Example[]> {
  const page = await readFile(join(root, 'CONTRIBUTING.md'), 'utf8');
  return page
    .split(/^## /m)
    .map((section) => ({
      title: section.split('\n', 1)[0] ?? '',
      diffs: blocks(section, 'diff'),
      commands: blocks(section, 'sh').flatMap((block) => block.trim().split('\n')),
    }))
    .filter(({ diffs }) => diffs.length > 0);
}

function blocks(section: string, language: string): string[] {
  return [...section.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, block = '']) => block);
}

/** All files that belong to the repository, with the packages that are installed here. */
async function copyTree(): Promise<string> {
  const folder = await makeFolder();
  const files = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  for (const file of files.split('\0').filter(Boolean)) await cp(join(root, file), join(folder, file), { recursive: true });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

const examples = await readExamples();

test('CONTRIBUTING.md has three worked examples', () => {
  expect(examples.map(({ title }) => title)).toEqual(['Change a sentence', 'Add an option to `/say`', 'Add a call to the API module']);
});

test.each(examples)('$title: the diff applies, and the commands pass', async ({ diffs, commands }) => {
  const folder = await copyTree();
  for (const [index, diff] of diffs.entries()) {
    const file = join(folder, `${index}.diff`);
    await writeFile(file, diff);
    // Within somebody's repository, git would take the copy for a part of it, and skip files that aren't.
    await run('git', ['apply', file], { cwd: folder, env: { ...process.env, GIT_CEILING_DIRECTORIES: dirname(folder) } });
  }
  expect(commands).not.toEqual([]);
  for (const command of commands) await run('sh', ['-c', command], { cwd: folder });
});
