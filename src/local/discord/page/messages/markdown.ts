// Parses Discord's dialect of Markdown into a tree.
//
// Not discord-markdown-parser 1.3.1 (on simple-markdown, the base of all such packages): it has no lists, accepts links to
// `javascript:`, and needs 1.4 s for 4,000 characters of `[](` and over 20 s for 16,000. This parser needs 0.4 s at most for
// 16,000 characters of anything tried in test/local/page-markdown.test.ts. @khanacademy/simple-markdown wants React.

export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'break' }
  | { kind: 'bold' | 'italic' | 'underline' | 'strike' | 'spoiler'; children: Inline[] }
  | { kind: 'code'; text: string }
  | { kind: 'link'; url: string; children: Inline[] }
  | { kind: 'user' | 'role' | 'channel'; id: string }
  | { kind: 'everyone'; text: string }
  | { kind: 'command'; name: string }
  | { kind: 'timestamp'; seconds: number; style: string }
  | { kind: 'emoji'; name: string; id: string };

export type Block =
  | { kind: 'paragraph'; children: Inline[] }
  | { kind: 'heading'; level: 1 | 2 | 3; children: Inline[] }
  | { kind: 'subtext'; children: Inline[] }
  | { kind: 'quote'; blocks: Block[] }
  | { kind: 'list'; ordered: boolean; start: number; items: ListItem[] }
  | { kind: 'code'; language: string; text: string };

export interface ListItem {
  children: Inline[];
  nested: Block[];
}

const CODE_BLOCK = /```(?:([\w+-]+)\n)?([\s\S]*?)```/g;
const LIST_LINE = /^( *)(?:[-*]|(\d{1,9})\.) +(.*)/s;

/** Parses a whole message. */
export function parseMarkdown(source: string): Block[] {
  const blocks: Block[] = [];
  let from = 0;
  for (const match of source.matchAll(CODE_BLOCK)) {
    const text = match[2] ?? '';
    if (text.trim() === '') continue;
    blocks.push(...parseLines(withoutLastBreak(source.slice(from, match.index)).split('\n')));
    blocks.push({ kind: 'code', language: match[1] ?? '', text: text.replace(/^\n|\n$/g, '') });
    from = match.index + match[0].length;
  }
  const rest = from === 0 ? source : source.slice(from).replace(/^\n/, '');
  if (rest !== '' || blocks.length === 0) blocks.push(...parseLines(rest.split('\n')));
  return blocks;
}

function withoutLastBreak(text: string): string {
  return text.replace(/\n$/, '');
}

/** As in Discord, a quote has no quotes within it. */
function parseLines(lines: string[], inQuote = false): Block[] {
  const blocks: Block[] = [];
  let paragraph: string[] = [];
  const endParagraph = (): void => {
    if (paragraph.some((line) => line !== '')) blocks.push({ kind: 'paragraph', children: parseInline(paragraph.join('\n')) });
    paragraph = [];
  };

  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const heading = /^(#{1,3}) +(.+)/s.exec(line);
    if (!inQuote && line.startsWith('>>> ')) {
      endParagraph();
      blocks.push({ kind: 'quote', blocks: parseLines([line.slice(4), ...lines.slice(at + 1)], true) });
      return blocks;
    }
    if (!inQuote && line.startsWith('> ')) {
      endParagraph();
      const quoted: string[] = [];
      while (lines[at]?.startsWith('> ')) quoted.push((lines[at++] ?? '').slice(2));
      at--;
      blocks.push({ kind: 'quote', blocks: parseLines(quoted, true) });
    } else if (heading) {
      endParagraph();
      blocks.push({ kind: 'heading', level: (heading[1] ?? '#').length as 1 | 2 | 3, children: parseInline(heading[2] ?? '') });
    } else if (line.startsWith('-# ')) {
      endParagraph();
      blocks.push({ kind: 'subtext', children: parseInline(line.slice(3)) });
    } else if (LIST_LINE.test(line)) {
      endParagraph();
      const end = endOfList(lines, at);
      blocks.push(...parseList(lines.slice(at, end)));
      at = end - 1;
    } else paragraph.push(line);
  }
  endParagraph();
  return blocks;
}

function endOfList(lines: string[], from: number): number {
  let at = from;
  while (at < lines.length && LIST_LINE.test(lines[at] ?? '')) at++;
  return at;
}

function parseList(lines: string[]): Block[] {
  const [, indent = '', number, first = ''] = LIST_LINE.exec(lines[0] ?? '') ?? [];
  const list: Block & { kind: 'list' } = { kind: 'list', ordered: number !== undefined, start: Number(number ?? 1), items: [] };
  list.items.push({ children: parseInline(first), nested: [] });
  for (let at = 1; at < lines.length; at++) {
    const [, deeper = '', itsNumber, text = ''] = LIST_LINE.exec(lines[at] ?? '') ?? [];
    if (deeper.length > indent.length) {
      let end = at;
      while ((LIST_LINE.exec(lines[end] ?? '')?.[1]?.length ?? 0) > indent.length) end++;
      list.items.at(-1)?.nested.push(...parseList(lines.slice(at, end)));
      at = end - 1;
    } else if ((itsNumber !== undefined) !== list.ordered) return [list, ...parseList(lines.slice(at))];
    else list.items.push({ children: parseInline(text), nested: [] });
  }
  return [list];
}

type Rule = [pattern: RegExp, toNode: (match: RegExpExecArray, depth: number) => Inline];

/** Marks nested deeper than this stay as they are, so that no text overflows the stack. */
const MAX_DEPTH = 100;

const wrap =
  (kind: 'bold' | 'italic' | 'underline' | 'strike' | 'spoiler') =>
  (match: RegExpExecArray, depth: number): Inline => ({ kind, children: parseInline(match[1] ?? '', depth + 1) });
const link = (match: RegExpExecArray): Inline => ({
  kind: 'link',
  url: match[1] ?? '',
  children: [{ kind: 'text', text: match[1] ?? '' }],
});

/** Tried in this order at each marker; sticky, so that they match only there. */
const RULES: Rule[] = [
  [/\\([^0-9A-Za-z\s])/y, (match) => ({ kind: 'text', text: match[1] ?? '' })],
  [/(`+)([^`]|[^`][\s\S]*?[^`])\1(?!`)/y, (match) => ({ kind: 'code', text: match[2] ?? '' })],
  [/\*\*((?:\\[\s\S]|[^\\])+?)\*\*(?!\*)/y, wrap('bold')],
  [/__((?:\\[\s\S]|[^\\])+?)__(?!_)/y, wrap('underline')],
  [/\*(?![\s*])((?:\*\*|\\[\s\S]|[^*\\])+?)\*(?!\*)/y, wrap('italic')],
  [/_((?:__|\\[\s\S]|[^_\\])+?)_(?![\w])/y, wrap('italic')],
  [/~~((?:\\[\s\S]|[^\\])+?)~~/y, wrap('strike')],
  [/\|\|([\s\S]+?)\|\|/y, wrap('spoiler')],
  [
    /\[((?:\\.|[^[\]\\])+)\]\(<?(https?:\/\/[^\s<>)]+)>?(?: +"[^"]*")?\)/y,
    (match, depth) => ({ kind: 'link', url: match[2] ?? '', children: parseInline(match[1] ?? '', depth + 1) }),
  ],
  [/<(https?:\/\/[^\s<>]+)>/y, link],
  [/(https?:\/\/[^\s<>|]+[^\s<>|.,:;"'\])*_~])/y, link],
  [/<@!?(\d{5,20})>/y, (match) => ({ kind: 'user', id: match[1] ?? '' })],
  [/<@&(\d{5,20})>/y, (match) => ({ kind: 'role', id: match[1] ?? '' })],
  [/<#(\d{5,20})>/y, (match) => ({ kind: 'channel', id: match[1] ?? '' })],
  [/<t:(-?\d{1,13})(?::([tTdDfFR]))?>/y, (match) => ({ kind: 'timestamp', seconds: Number(match[1]), style: match[2] ?? 'f' })],
  [/<a?:(\w{2,32}):(\d{5,20})>/y, (match) => ({ kind: 'emoji', name: match[1] ?? '', id: match[2] ?? '' })],
  [/<\/([-\w ]{1,98}):\d{5,20}>/y, (match) => ({ kind: 'command', name: match[1] ?? '' })],
  [/@(?:everyone|here)\b/y, (match) => ({ kind: 'everyone', text: match[0] })],
  [/\n/y, () => ({ kind: 'break' })],
];
/** Characters at which a rule can match; everything else is text. */
const MARKER = /[\\`*_~|[<h@\n]/g;

/** Parses the text of a line, or of the several lines of a paragraph. */
export function parseInline(source: string, depth = 0): Inline[] {
  if (depth > MAX_DEPTH) return [{ kind: 'text', text: source }];
  const nodes: Inline[] = [];
  const addText = (text: string): void => {
    const last = nodes.at(-1);
    if (last?.kind === 'text') last.text += text;
    else if (text) nodes.push({ kind: 'text', text });
  };

  let at = 0;
  while (at < source.length) {
    MARKER.lastIndex = at;
    const next = MARKER.exec(source)?.index ?? source.length;
    addText(source.slice(at, next));
    at = next;
    if (at >= source.length) break;
    const match = matchRule(source, at, depth);
    if (!match) addText(source[at++] ?? '');
    else {
      if (match.node.kind === 'text') addText(match.node.text);
      else nodes.push(match.node);
      at = match.end;
    }
  }
  return nodes;
}

function matchRule(source: string, at: number, depth: number): { node: Inline; end: number } | undefined {
  for (const [pattern, toNode] of RULES) {
    pattern.lastIndex = at;
    const match = pattern.exec(source);
    if (match) return { node: toNode(match, depth), end: at + match[0].length };
  }
  return undefined;
}
