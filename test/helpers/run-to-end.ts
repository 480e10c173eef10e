// A command in the folder of the repository.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/** @throws Error with all that it printed, unless it exits with 0 */
export async function runToEnd(command: string, ...args: string[]): Promise<void> {
  const child = spawn(command, args, { cwd: new URL('../../', import.meta.url), stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill());
  const [out, err, [code, signal]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  if (code !== 0) throw new Error(`${[command, ...args].join(' ')} ended with ${signal ?? code}:\n${out}${err}`);
}
