// The docs: their links lead somewhere, and README stays short.
import { globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { anchorsIn, linksIn } from '../helpers/source-text.ts';

const root = join(import.meta.dirname, '../..');
const pages = globSync('**/*.md', { cwd: root, exclude: (name) => /^(node_modules|data|\.git)$/.test(name) }).sort();
const read = (page: string) => readFileSync(join(root, page), 'utf8');

/** What is wrong with a link; null if it leads somewhere, or out of the repository. */
function problemOf(link: string, page: string): string | null {
  if (/^[a-z]+:/.test(link)) return null;
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : relative(root, join(root, dirname(page), path));
  if (target.startsWith('..')) return `${link} leads out of the repository`;
  const stats = statSync(join(root, target), { throwIfNoEntry: false });
  if (!stats) return `${link}: there is no ${target}`;
  if (anchor === undefined || /\.md$/.test(target) === false) return null;
  return anchorsIn(read(target)).has(anchor) ? null : `${link}: ${target} has no heading #${anchor}`;
}

test.each(pages)('every link in %s leads to a file and a heading that exist', (page) => {
  expect(linksIn(read(page)).flatMap((link) => problemOf(link, page) ?? [])).toEqual([]);
});

test('every page is linked from another one', () => {
  const linked = new Set(
    pages.flatMap((page) =>
      linksIn(read(page)).map((link) => relative(root, join(root, dirname(page), (link.split('#')[0] ?? '').replace(/\/$/, '/README.md')))),
    ),
  );
  expect(pages.filter((page) => page !== 'README.md' && !page.startsWith('test/fixtures') && !linked.has(page))).toEqual([]);
});

test('README has at most 120 lines', () => {
  expect(read('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(120);
});

describe('reading Markdown', () => {
  it('finds links and pictures, but none in code', () => {
    const page = 'See [a](x.md#y), [`b`](z.ts) and `[c](c.md)`.\n```sh\n[d](d.md)\n```\n<img src="e.png"> ![f](f.png)';
    expect(linksIn(page)).toEqual(['x.md#y', 'z.ts', 'f.png', 'e.png']);
  });

  it('names headings as GitHub does', () => {
    const page =
      '# How do I stop it?\n## A `/say`\n## Why SQLite, and not [one](x.md)?\n## Same\n## Same\n```\n# no heading\n```\n### VOICE_MODEL';
    expect([...anchorsIn(page)]).toEqual(['how-do-i-stop-it', 'a-say', 'why-sqlite-and-not-one', 'same', 'same-1', 'voice_model']);
  });
});
