// What source files import.

import { globSync, readFileSync } from 'node:fs';
import { parseAst } from 'vitest/node';

interface Node {
  type: string;
  name?: string;
  value?: unknown;
  source?: Node;
  callee?: Node;
  arguments?: Node[];
  regex?: { pattern: string; flags: string };
}

/** Every node of the syntax tree of a file in TypeScript. */
function* nodesOf(code: string): Generator<Node> {
  const open: unknown[] = [parseAst(code, { lang: 'ts' })];
  for (let node = open.pop(); open.length > 0 || node !== undefined; node = open.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    if ('type' in node) yield node as Node;
    open.push(...Object.values(node).reverse());
  }
}

/** An import or an export from another file at the beginning of a line, where Biome puts it. */
const STATEMENT = /^(?:import\s*|(?:import|export)\s[^'"`;=()]*\sfrom\s*)(['"])([^'"]+)\1/gm;

/** What a file imports, as it is written there, in any way there is. Formatted code is parsed only if it imports within a statement. */
export function importsOf(code: string): string[] {
  if (/^import\b/m.test(code) && !/\b(?:import|require)\s*\(/.test(code))
    return [...code.matchAll(STATEMENT)].map(([, , from = '']) => from);
  return [...nodesOf(code)].flatMap(({ type, callee, arguments: given, source }) => {
    const from = type === 'CallExpression' && callee?.name === 'require' ? given?.[0] : source;
    return typeof from?.value === 'string' ? [from.value] : [];
  });
}

/** The regular expressions that are written out in a file, in order. */
export const literalsIn = (code: string): RegExp[] =>
  [...nodesOf(code)].flatMap(({ regex }) => (regex ? [new RegExp(regex.pattern, regex.flags)] : []));

/** Each once, with a file that it is in. */
export function writtenExpressions(): { regex: RegExp; file: string }[] {
  const written = new Map<string, { regex: RegExp; file: string }>();
  for (const file of globSync(['src/**/*.ts', 'commands/**/*.ts']))
    for (const regex of literalsIn(readFileSync(file, 'utf8'))) written.set(String(regex), { regex, file });
  return [...written.values()];
}

/** Links and pictures, without those in code. */
export function linksIn(markdown: string): string[] {
  const text = withoutCode(markdown);
  const inline = [...text.matchAll(/\]\(([^)\s]+)\)/g)];
  const attributes = [...text.matchAll(/\b(?:src|srcset|href)="([^"]+)"/g)];
  return [...inline, ...attributes].map(([, target = '']) => target);
}

/** Anchors of all headings. A heading that is there again gets a number. */
export function anchorsIn(markdown: string): Set<string> {
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
