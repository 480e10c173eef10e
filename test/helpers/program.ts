// The program in its own process, started with `npm start` as an operator would.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { settings } from '../../src/config.ts';
import { makeFolder } from './folder.ts';
import { startArguments } from './start-command.ts';
import { createWaiter } from './waiter.ts';

export interface Program {
  child: ChildProcess;
  /** Lines of stdout, and of stderr. */
  out: string[];
  err: string[];
  /** Resolves with the first matching line of stdout. */
  line(pattern: RegExp): Promise<string>;
  /** Resolves when the process has ended and its output is complete. */
  ended: Promise<{ code: number | null; signal: string | null }>;
}

/** Without the settings of the person who runs the tests, and without .env: the working directory has none. */
export async function startProgram(env: Record<string, string> = {}): Promise<Program> {
  const folder = await makeFolder();
  const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !(name in settings)));
  const child = spawn(process.execPath, startArguments, {
    cwd: folder,
    env: { ...clean, DATA_DIR: join(folder, 'data'), PLAYGROUND_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  // Later than its exit: by then all that it has written has been read.
  let hasClosed = false;
  const closed = once(child, 'close').finally(() => {
    hasClosed = true;
    waiter.notify();
  });
  const waiter = createWaiter();
  const program: Program = {
    child,
    out: [],
    err: [],
    async line(pattern) {
      const found = await waiter.until(
        () => program.out.find((line) => pattern.test(line)) ?? (hasClosed ? null : undefined),
        () => `a line that fits ${pattern}; there is\n${[...program.out, ...program.err].join('\n')}`,
      );
      if (found === null) throw new Error(`The program exited: ${program.err.join('\n')}`);
      return found;
    },
    ended: closed.then(([code, signal]) => ({ code, signal })),
  };
  createInterface({ input: child.stdout }).on('line', (line) => {
    program.out.push(line);
    waiter.notify();
  });
  createInterface({ input: child.stderr }).on('line', (line) => program.err.push(line));
  return program;
}

/** What a store says that takes longer than a second, as it may on a busy machine. */
const TOO_SLOW = /Command timed out|the store answers too slowly/;

/** Warnings and errors in the log. */
export function warnings({ out }: Program): string[] {
  return out.filter((line) => line.startsWith('{') && JSON.parse(line).level >= 40 && !TOO_SLOW.test(line));
}
