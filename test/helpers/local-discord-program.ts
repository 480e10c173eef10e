// `npm run local-discord` in a process of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { withCompileCache } from './start-command.ts';

/** For `node`; the arguments of the program follow. */
export const localDiscordArguments = [...withCompileCache, fileURLToPath(new URL('../../src/local/discord/main.ts', import.meta.url))];

/** Resolves with the page's address and the settings that it prints for bots. */
export async function startLocalDiscordProgram(
  ...args: string[]
): Promise<{ child: ChildProcess; page: string; settings: Record<string, string> }> {
  const child = spawn(process.execPath, [...localDiscordArguments, '--port', '0', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let page = '';
  const settings: Record<string, string> = {};
  for await (const line of createInterface({ input: child.stdout })) {
    page ||= /ready: open (\S+)/.exec(line)?.[1] ?? '';
    const [, name, value] = /^export (\w+)='(.*)'$/.exec(line) ?? [];
    if (name && value) settings[name] = value;
    if ('NODE_EXTRA_CA_CERTS' in settings) return { child, page, settings };
  }
  throw new Error('it ended before it was ready');
}
