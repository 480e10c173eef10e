// The regular expressions that the program's source has.
import { globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';

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
