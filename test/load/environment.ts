// What the load and soak tests run against: the bot and the voice service in their own processes, started as an operator starts them, and
// the local Discord in this one. A proxy that can fail sits between bot and service.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type LocalDiscord, startLocalDiscord } from '../../src/local/discord/index.ts';
import { freePort } from '../helpers/free-port.ts';
import { commandsRegistered } from '../helpers/registered-commands.ts';
import { startArguments } from '../helpers/start-command.ts';
import { type FlakyProxy, startFlakyProxy } from './flaky-proxy.ts';

export interface LoadEnvironment {
  discord: LocalDiscord;
  /** Between bot and voice service. */
  proxy: FlakyProxy;
  bot: ChildProcess;
  /** The bot's metrics, by `name` or `name{labels}`. */
  figures(): Promise<Map<string, number>>;
  /** Seconds of CPU that each process has used; NaN if the system does not report it. */
  cpu(): Promise<{ bot: number; service: number; discord: number }>;
  /** DATA_DIR of the bot and of the service. */
  folder: string;
  /** Ends the bot with SIGTERM, then everything else; returns the bot's exit code. */
  close(): Promise<number | null>;
}

const SERVICE = fileURLToPath(new URL('../../src/local/voice-service/main.ts', import.meta.url));
const KEY = 'load';
const START_MS = 60_000;

/** @param env additional variables for the bot */
export async function startLoadEnvironment(options: { guilds: number; env?: Record<string, string> }): Promise<LoadEnvironment> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-load-'));
  // Leaves nothing behind, however this process ends.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const discord = await startLocalDiscord({ guilds: options.guilds });
  const certificate = join(folder, 'voice.pem');
  await writeFile(certificate, discord.certificate);
  const service = start({ LOG_LEVEL: 'warn', VOICE_SERVICE_KEYS: KEY }, [
    ...[SERVICE, '--port', '0', '--credit', '1000000', '--data', join(folder, 'service')],
  ]);
  const serviceUrl = await saying(service, /voice service is ready: (\S+)/);
  const proxy = await startFlakyProxy(serviceUrl);
  const port = await freePort();
  const env = {
    ...{ DISCORD_TOKEN: discord.application.token, DISCORD_API_URL: discord.apiUrl, DISCORD_CDN_URLS: discord.cdnUrl },
    ...{ VOICE_API_URL: proxy.url, VOICE_API_KEY: KEY },
    ...{ DATA_DIR: join(folder, 'bot'), HTTP_PORT: String(port), LOG_LEVEL: 'error', NODE_EXTRA_CA_CERTS: certificate },
    // These tests must not run into the daily budgets.
    ...{ BUDGET_MEMBER_CHARACTERS: '0', BUDGET_MEMBER_MINUTES: '0', BUDGET_GUILD_CHARACTERS: '0', BUDGET_GUILD_MINUTES: '0' },
    ...options.env,
  };
  const bot = start(env, startArguments);
  await saying(bot, /Parley is ready/);
  await commandsRegistered(discord);

  return {
    ...{ discord, proxy, bot, folder },
    async figures() {
      const response = await fetch(`http://127.0.0.1:${port}/metrics`);
      return readFigures(await response.text());
    },
    async cpu() {
      const { user, system } = process.cpuUsage();
      return { bot: await cpuOf(bot), service: await cpuOf(service), discord: (user + system) / 1e6 };
    },
    async close() {
      bot.kill('SIGTERM');
      const code = await exitOf(bot);
      service.kill('SIGTERM');
      await exitOf(service);
      await proxy.close();
      await discord.close();
      await rm(folder, { recursive: true, force: true });
      return code;
    },
  };
}

function start(env: Record<string, string>, args: string[]): ChildProcess {
  // None of the operator's own settings.
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env: { PATH, ...env }, cwd: tmpdir() });
  process.once('exit', () => child.kill('SIGKILL'));
  return child;
}

/** The first match of the pattern in what the process prints; the rest is printed here. @throws Error if the process ends, or on timeout */
async function saying(child: ChildProcess, pattern: RegExp): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const timer = setTimeout(() => reject(new Error('A process did not start in time.')), START_MS);
  child.once('exit', (code) => reject(new Error(`A process exited with ${code} during its start.`)));
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (text) => {
    const found = pattern.exec(text);
    if (found) resolve(found[1] ?? '');
    else if (text.startsWith('{')) console.error(text);
  });
  return promise.finally(() => clearTimeout(timer));
}

async function exitOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
}

/** Linux counts in hundredths of a second. https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
async function cpuOf({ pid }: ChildProcess): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  // The fields follow the name, which may contain spaces; user time is the 14th field of the line, system time the 15th.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Parses the Prometheus text format. */
function readFigures(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]));
}
