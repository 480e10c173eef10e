// What source files import.
import { parseAst } from 'vitest/node';

/** An import or an export from another file at the beginning of a line, where Biome puts it. */
const STATEMENT = /^(?:import\s*|(?:import|export)\s[^'"`;=()]*\sfrom\s*)(['"])([^'"]+)\1/gm;

/** What a file imports, as it is written there, in any way there is. Formatted code is parsed only if it imports within a statement. */
export function importsOf(code: string): string[] {
  if (/^import\b/m.test(code) && !/\b(?:import|require)\s*\(/.test(code))
    return [...code.matchAll(STATEMENT)].map(([, , from = '']) => from);
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, source, callee, arguments: given } = node as Record<string, { name?: string; value?: unknown; 0?: { value?: unknown } }>;
    const from = String(type) === 'CallExpression' && callee?.name === 'require' ? given?.[0] : source;
    if (typeof from?.value === 'string') found.push(from.value);
    Object.values(node).forEach(visit);
  };
  visit(parseAst(code, { lang: 'ts' }));
  return found;
}
