// The processes of one bot under load: added, replaced and killed, with what their logs say.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

export interface BotProcesses {
  /** Starts one; resolves when it is ready. */
  add(): Promise<void>;
  /** Starts a new one, then ends the oldest with SIGTERM; resolves when that has exited. */
  replaceOldest(): Promise<void>;
  killOldest(): void;
  /** How many shards those have that run, by their logs. */
  held(): number;
  /** How many lines of all logs fit. */
  count(pattern: RegExp): number;
  /**
   * The longest from the end of an utterance in one process to the first sound in another of what waited meanwhile, where it was, and how many
   * there were. What was cut off by a kill doesn't count.
   */
  longestGap(): { ms: number; count: number; guild: string; command: string };
  /** How many of those that were told to end exited with an error. */
  badExits(): number;
  close(): Promise<void>;
}

interface Line {
  time: number;
  msg: string;
  shard?: number;
  command?: string;
  guild?: string;
  ended?: string;
  seconds?: number;
  name?: string;
}

interface BotProcess {
  by: number;
  child: ChildProcess;
  shards: Set<number>;
  isKilled: boolean;
}

const START_MS = 120_000;
const GRACE_MS = 15_000;

/** @param spawnBot starts one with this data folder @param logs where to keep their logs; null = nowhere */
export function createBotProcesses(
  spawnBot: (dataDir: string, stderr: 'inherit') => ChildProcess,
  { folder, logs }: { folder: string; logs: string | null },
): BotProcesses {
  const running: BotProcess[] = [];
  const lines: { line: Line; by: number }[] = [];
  const killed = new Set<number>();
  let started = 0;
  let bad = 0;

  async function add(): Promise<void> {
    const by = started++;
    const child = spawnBot(join(folder, `bot-${by}`), 'inherit');
    const kill = () => child.kill('SIGKILL');
    process.once('exit', kill);
    const bot: BotProcess = { by, child, shards: new Set(), isKilled: false };
    const ready = Promise.withResolvers<void>();
    const timer = setTimeout(() => ready.reject(new Error('A process was not ready in time.')), START_MS);
    child.once('exit', (code) => {
      process.off('exit', kill);
      running.splice(running.indexOf(bot), 1);
      if (code !== 0 && !bot.isKilled) bad++;
      ready.reject(new Error(`A process exited with ${code}.`));
    });
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (text) => {
      if (/Parley is ready/.test(text)) ready.resolve();
      if (!text.startsWith('{')) return;
      if (logs !== null) appendFileSync(join(logs, `bot-${by}.log`), `${text}\n`);
      const line = JSON.parse(text) as Line & { level: number };
      lines.push({ line, by });
      if (line.level >= 40) console.error(text);
      if (line.shard === undefined) return;
      if (line.msg === 'took a shard') bot.shards.add(line.shard);
      else bot.shards.delete(line.shard);
    });
    running.push(bot);
    await ready.promise.finally(() => clearTimeout(timer));
    ready.promise.catch(() => {});
  }

  async function end({ child }: BotProcess): Promise<void> {
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  }

  return {
    add,
    async replaceOldest() {
      const [oldest] = running;
      const added = add();
      // With no more shards than processes, it gets its first one from the process that ends.
      await Promise.race([added, sleep(GRACE_MS)]);
      await Promise.all([added, oldest && end(oldest)]);
    },
    killOldest() {
      const [oldest] = running;
      if (!oldest) return;
      oldest.isKilled = true;
      killed.add(oldest.by);
      // Gone for those who ask, though its log may still be read.
      oldest.shards.clear();
      oldest.child.kill('SIGKILL');
    },
    held: () => running.reduce((sum, { shards }) => sum + shards.size, 0),
    count: (pattern) => lines.filter(({ line }) => pattern.test(line.msg)).length,
    longestGap() {
      const begun = new Map<string, { guild: string; time: number }>();
      const lastEnd = new Map<string, { time: number; by: number }>();
      let longest = { ms: 0, count: 0, guild: '', command: '' };
      for (const { line, by } of lines.toSorted((a, b) => a.line.time - b.line.time)) {
        const { time, command = '' } = line;
        // One that is handed over begins once more.
        if (line.guild && !begun.has(command)) begun.set(command, { guild: line.guild, time });
        const { guild, time: asked } = begun.get(command) ?? { guild: '', time };
        if (line.msg === 'the last packet has left' && (line.seconds ?? 0) > 0) lastEnd.set(guild, { time, by });
        const before = lastEnd.get(guild);
        const isNext = line.msg === 'the first packet has left' && before && before.by !== by;
        if (!isNext || asked > before.time || killed.has(before.by)) continue;
        const ms = time - before.time;
        longest = { ...(ms > longest.ms ? { ms, guild, command } : longest), count: longest.count + 1 };
      }
      return longest;
    },
    badExits: () => bad,
    async close() {
      await Promise.all([...running].map(end));
    },
  };
}
