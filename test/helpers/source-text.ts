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
