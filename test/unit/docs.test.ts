// The docs: their links lead somewhere, and README stays short.
import { globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it, test } from 'vitest';

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

/** Links and pictures, without those in code. */
function linksIn(markdown: string): string[] {
  const text = withoutCode(markdown);
  const inline = [...text.matchAll(/\]\(([^)\s]+)\)/g)];
  const attributes = [...text.matchAll(/\b(?:src|srcset|href)="([^"]+)"/g)];
  return [...inline, ...attributes].map(([, target = '']) => target);
}

/** Anchors of all headings. A heading that is there again gets a number. */
function anchorsIn(markdown: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of withoutFences(markdown).matchAll(/^#{1,6} +(.+?) *$/gm)) {
    const slug = toSlug(heading);
    let anchor = slug;
    for (let number = 1; anchors.has(anchor); number += 1) anchor = `${slug}-${number}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** As GitHub does it: what is shown of the heading in lower case, without punctuation, spaces as hyphens. */
function toSlug(heading: string): string {
  const shown = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '');
  return shown
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-');
}

const withoutFences = (markdown: string) => markdown.replaceAll(/^( *)```.*?^\1```/gms, '');
const withoutCode = (markdown: string) => withoutFences(markdown).replaceAll(/`[^`\n]*`/g, 'code');

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
