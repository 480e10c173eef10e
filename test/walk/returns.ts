// The files that a path returns to. Calls between files are followed as they happen: if a file calls one that has led to it, a reader has to
// go back to that one. Timers, events, and what goes on after an `await` are called by no file; a stream that is read, an export of a file
// that the caller imports, and a function that runs within the call it was passed to, as with `map`, don't lead back either.
import { registerHooks } from 'node:module';
import { posix } from 'node:path';
import { getCallSites } from 'node:util';
import { parseAst } from 'vitest/node';
import { importsOf } from '../helpers/source-text.ts';

export const ROOT = new URL('../../', import.meta.url).href;
/** Without what stands in for Discord and the voice service, and without sentences. */
export const OF_THE_BOT = /^(src|commands)\/(?!local\/|locales\/).*\.ts$/;

declare global {
  /** Called at the beginning of each function of the bot. */
  var functionBegins: (file: string) => void;
}

export interface Returns {
  /** The files that were returned to since it was last called, with the functions that were called there, and from where. */
  take(): string[];
}

interface Node {
  type: string;
  start: number;
  end: number;
  generator?: boolean;
  body?: Node | null;
  key?: { name?: string; property?: { name?: string } };
}

/** From one file to others. */
type Graph = Map<string, Set<string>>;

/** Call before any file of the bot is imported. */
export function followCalls(): Returns {
  const imports: Graph = new Map();
  let callees: Graph = new Map();
  let returns: Graph = new Map();

  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const file = fileOf(url);
      if (file === null || loaded.source == null) return loaded;
      const code = loaded.source.toString();
      imports.set(file, new Set(importsOf(code).map((written) => posix.join(posix.dirname(file), written))));
      return { ...loaded, source: markFunctions(code, file) };
    },
  });

  globalThis.functionBegins = (file) => {
    // This function is the first of them, the one that begins the second.
    const [, begun, caller] = getCallSites(3).map(({ functionName, scriptName }) => ({ functionName, file: fileOf(scriptName) }));
    if (!caller?.file || caller.file === file) return;
    const stack = new Set(getCallSites(100).flatMap(({ scriptName }, index) => (index < 2 ? [] : (fileOf(scriptName) ?? []))));
    if (!stack.has(file) && !leadsTo(imports, caller.file, file) && leadsTo(callees, file, caller.file))
      add(returns, file, `${begun?.functionName || '(unnamed)'} from ${caller.file}`);
    for (const one of stack) if (!leadsTo(callees, file, one)) add(callees, one, file);
  };

  return {
    take() {
      const taken = [...returns].map(([file, calls]) => `${file}  ${[...calls].join(', ')}`);
      callees = new Map();
      returns = new Map();
      return taken.sort();
    },
  };
}

function fileOf(url: string): string | null {
  const file = url.startsWith(ROOT) ? url.slice(ROOT.length) : '';
  return OF_THE_BOT.test(file) ? file : null;
}

function add(graph: Graph, from: string, to: string): void {
  graph.set(from, (graph.get(from) ?? new Set()).add(to));
}

function leadsTo(graph: Graph, from: string, to: string, seen = new Set<string>()): boolean {
  if (from === to) return true;
  if (seen.has(from)) return false;
  seen.add(from);
  return [...(graph.get(from) ?? [])].some((next) => leadsTo(graph, next, to, seen));
}

/** Writes a call into each function, except for those that return the next part of a stream. */
function markFunctions(code: string, file: string): string {
  const call = `functionBegins(${JSON.stringify(file)})`;
  const inserted: [at: number, text: string][] = [];
  const visit = (node: Node | null, ofStream: boolean): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, body, generator, key } = node;
    if (/Function(Declaration|Expression)$/.test(type) && body && !generator && !ofStream) {
      if (body.type === 'BlockStatement' || body.type === 'FunctionBody') inserted.push([body.start + 1, `${call};`]);
      else inserted.push([body.start, `(${call}, `], [body.end, ')']);
    }
    const isOfStream = type === 'Property' && /^(next|return|throw|asyncIterator)$/.test(key?.name ?? key?.property?.name ?? '');
    for (const [name, child] of Object.entries(node)) visit(child, isOfStream && name === 'value');
  };
  visit(parseAst(code, { lang: 'ts' }) as unknown as Node, false);
  return inserted.sort(([a], [b]) => b - a).reduce((marked, [at, text]) => marked.slice(0, at) + text + marked.slice(at), code);
}
