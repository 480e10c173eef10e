// What source files import.

import { globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
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

/** A token of JavaScript: white space, a comment, a string, a regular expression, a word, a sign. */
const TOKEN =
  /(?<space>\s+|\/\/.*|\/\*[\s\S]*?\*\/)|(?<string>'(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*")|(?<regex>\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*)|(?<word>[\p{L}\p{N}_$]+)|(?<sign>[\s\S])/uy;
const TEMPLATE = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?<end>`|\$\{)/y;
const BEFORE_VALUE = /^(?:return|typeof|case|of|in|yield|await|[^\p{L}\p{N}_$)\]])$/u;

function matchAt(pattern: RegExp, code: string, at: number): RegExpExecArray {
  pattern.lastIndex = at;
  const token = pattern.exec(code);
  if (!token) throw new Error(`no token at ${code.slice(at, at + 40)}`);
  return token;
}

/** The regular expressions that are written out in JavaScript, in order. */
export function* literalsIn(code: string): Generator<RegExp> {
  /** Depths of the braces that end the expressions of templates. */
  const templates: number[] = [];
  let depth = 0;
  let before = ';';
  for (let at = 0; at < code.length; ) {
    const { groups = {}, 0: whole } = matchAt(TOKEN, code, at);
    const isDivision = groups.regex !== undefined && !BEFORE_VALUE.test(before);
    const token = isDivision ? '/' : whole;
    at += token.length;
    if (groups.space) continue;
    before = groups.string ? ')' : token;
    if (groups.regex && !isDivision) {
      const end = token.lastIndexOf('/');
      yield new RegExp(token.slice(1, end), token.slice(end + 1));
      before = ')';
    }
    const endsExpression = token === '}' && templates.at(-1) === depth;
    if (token === '`' || endsExpression) {
      if (endsExpression) templates.pop();
      const { groups: template, 0: text } = matchAt(TEMPLATE, code, at);
      at += text.length;
      if (template?.end === '`') before = ')';
      else templates.push(depth);
    } else if (token === '{') depth += 1;
    else if (token === '}') depth -= 1;
  }
}

/** Each once, with a file that it is in. */
export function writtenExpressions(): { regex: RegExp; file: string }[] {
  const written = new Map<string, { regex: RegExp; file: string }>();
  for (const file of globSync(['src/**/*.ts', 'commands/**/*.ts']))
    for (const regex of literalsIn(stripTypeScriptTypes(readFileSync(file, 'utf8')))) written.set(String(regex), { regex, file });
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
