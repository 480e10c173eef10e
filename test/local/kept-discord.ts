// A local Discord that is closed and started again.
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type LocalDiscord, type LocalDiscordOptions, startLocalDiscord } from '../../src/local/discord/index.ts';
import { makeFolder } from '../helpers/folder.ts';
import { WAIT_MS } from '../helpers/waiter.ts';

/**
 * A local Discord that keeps what it has in a folder. `restart` closes it, and starts it again on the same folder; `stop` only closes it. The folder is
 * removed when the test ends.
 */
export async function openKeptDiscord(options: LocalDiscordOptions = {}) {
  const directory = join(await makeFolder(), 'kept');
  const warnings: string[] = [];
  const log = { debug: () => {}, warn: (_: object, message: string) => void warnings.push(message) };
  let running: LocalDiscord | null = null;
  const stop = async () => {
    await running?.close();
    running = null;
  };
  onTestFinished(stop);
  const restart = async (changes: LocalDiscordOptions = {}) => {
    await stop();
    running = await startLocalDiscord({ directory, log, responseMs: WAIT_MS, ...options, ...changes });
    return running;
  };
  return { discord: await restart(), directory, log, warnings, restart, stop };
}
