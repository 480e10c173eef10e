// Programs in processes of their own, started as an operator would, and a free port for those that have to be told one.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { settings } from '../../src/config.ts';
import { makeFolder } from './folder.ts';
import { createWaiter } from './waiter.ts';

const fileOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const { scripts } = JSON.parse(readFileSync(fileOf('package.json'), 'utf8')) as { scripts: { start: string } };

/** What `npm start` passes to Node, usable from any folder. */
export const startArguments = scripts.start
  .split(' ')
  .slice(1)
  .map((word) => (word.startsWith('-') ? word : fileOf(word)));
/** For any other program of the repository: it starts in half the time. */
export const withCompileCache = ['--import', fileOf('src/runtime/compile-cache.js')];
export const localDiscordArguments = [...withCompileCache, fileOf('src/local/discord/main.ts'), '--port', '0'];
export const voiceServiceArguments = [...withCompileCache, fileOf('src/local/voice-service/main.ts'), '--port', '0'];

interface ProcessOptions {
  /** Node by default. */
  command?: string;
  cwd?: string | URL | undefined;
  env?: Record<string, string | undefined>;
  /** Called with each line of stdout, and what ends the process. */
  onLine?: (line: string, kill: () => void) => unknown;
}

export type Program = ReturnType<typeof startProcess>;

/** A process that the caller ends. */
export function startProcess(args: string[], { command = process.execPath, cwd, env = process.env, onLine }: ProcessOptions = {}) {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  /** Lines of stdout, and of stderr. */
  const [out, err]: [string[], string[]] = [[], []];
  const waiter = createWaiter();
  let isGone = false;
  // Later than its exit: by then all that it has written has been read.
  const ended = once(child, 'close').then(([code, signal]) => {
    isGone = true;
    waiter.notify();
    return { code: code as number | null, signal: signal as NodeJS.Signals | null };
  });
  const printed = () => [...out, ...err].slice(-20).join('\n');
  createInterface({ input: child.stdout }).on('line', (line) => {
    out.push(line);
    onLine?.(line, () => child.kill('SIGKILL'));
    waiter.notify();
  });
  createInterface({ input: child.stderr }).on('line', (line) => err.push(line));
  return {
    child,
    out,
    err,
    /** Resolves when the process has ended and its output is complete. */
    ended,
    /** Resolves with the first matching line of stdout. @throws Error at once if the process ends instead, with what it printed last */
    async line(pattern: RegExp): Promise<string> {
      const found = await waiter.until(
        () => out.find((line) => pattern.test(line)) ?? (isGone ? null : undefined),
        () => `a line that fits ${pattern}; the last ones are\n${printed()}`,
      );
      if (found === null) throw new Error(`It ended before a line that fits ${pattern}; its last ones were\n${printed()}`);
      return found;
    },
  };
}

/** The same, killed when the test ends. */
export function startTestProcess(...given: Parameters<typeof startProcess>): Program {
  const program = startProcess(...given);
  onTestFinished(() => void program.child.kill('SIGKILL'));
  return program;
}

/** Without the settings of the person who runs the tests. */
export const environmentWithoutSettings = () => Object.fromEntries(Object.entries(process.env).filter(([name]) => !(name in settings)));

/**
 * `npm start`, without .env: the working directory has none. Flite speaks, so nothing is loaded and measured when a page is opened, and with the
 * usual priority, because it is waited for.
 */
export async function startProgram(env: Record<string, string> = {}): Promise<Program> {
  const cwd = await makeFolder();
  const own = { DATA_DIR: join(cwd, 'data'), PLAYGROUND_PORT: '0', LOCAL_DEFAULT_ENGINE: 'flite', ENGINE_PRIORITY: 'normal' };
  return startTestProcess(startArguments, { cwd, env: { ...environmentWithoutSettings(), ...own, ...env } });
}

/** The page's address. */
export const pageOf = async (program: Program) => (await program.line(/^Parley is ready: open/)).split(' ').at(-1) ?? '';

/** `npm run local-discord`: resolves with the page's address and the settings that it prints for bots. */
export async function startLocalDiscordProgram(...args: string[]) {
  const program = startTestProcess([...localDiscordArguments, ...args]);
  await program.line(/^export NODE_EXTRA_CA_CERTS=/);
  const settings = program.out.flatMap((line) => {
    const [, name, value] = /^export (\w+)='(.*)'$/.exec(line) ?? [];
    return name && value ? [[name, value]] : [];
  });
  const page = /ready: open (\S+)/.exec(program.out.join('\n'))?.[1] ?? '';
  return { ...program, page, settings: Object.fromEntries(settings) as Record<string, string> };
}

/** `npm run voice-service`. @param keys VOICE_SERVICE_KEYS; '' = it makes one and prints it */
export async function startVoiceServiceProgram(keys: string, ...args: string[]) {
  const program = startTestProcess([...voiceServiceArguments, ...args], { env: { ...process.env, VOICE_SERVICE_KEYS: keys } });
  const url = /http:\S+/.exec(await program.line(/ready: http:/))?.[0] ?? '';
  return { ...program, url, key: keys || (await program.line(/API key.*: \S+$/)).split(' ').at(-1) };
}

/** What a store says that takes longer than a second, as it may on a busy machine. */
const TOO_SLOW = /Command timed out|the store answers too slowly/;

/** Warnings and errors in the log. */
export function warnings({ out }: Program): string[] {
  return out.filter((line) => line.startsWith('{') && JSON.parse(line).level >= 40 && !TOO_SLOW.test(line));
}

/** Systems give ports from here on to whoever asks for any, as all other tests do: one of them could be taken before it is used. */
const FIRST_GIVEN = 32_768;

export async function freePort(): Promise<number> {
  const port = randomInt(FIRST_GIVEN - 12_000, FIRST_GIVEN);
  const server = createServer().listen(port, '127.0.0.1');
  const isFree = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  await new Promise((resolve) => server.close(resolve));
  return isFree ? port : freePort();
}
