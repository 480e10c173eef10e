// What source files import.
import { parseAst } from 'vitest/node';

/** What a file imports, as it is written there, in any way there is. */
export function importsOf(code: string): string[] {
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
