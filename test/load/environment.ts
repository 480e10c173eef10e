// What the load and soak tests run against: the bot and the voice service in their own processes, started as an operator starts them, and
// the local Discord in this one. A proxy that can fail sits between bot and service.

import type { ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LocalDiscord, startLocalDiscord } from '../../src/local/discord/index.ts';
import { commandsRegistered } from '../helpers/local-discord.ts';
import { freePort, type Program, startArguments, startProcess, voiceServiceArguments } from '../helpers/program.ts';
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

const KEY = 'load';

/** @param env additional variables for the bot */
export async function startLoadEnvironment(options: { guilds: number; env?: Record<string, string> }): Promise<LoadEnvironment> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-load-'));
  // Leaves nothing behind, however this process ends.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const discord = await startLocalDiscord({ guilds: options.guilds });
  const certificate = join(folder, 'voice.pem');
  await writeFile(certificate, discord.certificate);
  const serviceArguments = [...voiceServiceArguments, '--credit', '1000000', '--data', join(folder, 'service')];
  const service = start({ LOG_LEVEL: 'warn', VOICE_SERVICE_KEYS: KEY }, serviceArguments);
  const serviceUrl = /http:\S+/.exec(await service.line(/voice service is ready/))?.[0] ?? '';
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
  await bot.line(/Parley is ready/);
  await commandsRegistered(discord);

  return {
    ...{ discord, proxy, folder, bot: bot.child },
    async figures() {
      const response = await fetch(`http://127.0.0.1:${port}/metrics`);
      return readFigures(await response.text());
    },
    async cpu() {
      const { user, system } = process.cpuUsage();
      return { bot: await cpuOf(bot.child), service: await cpuOf(service.child), discord: (user + system) / 1e6 };
    },
    async close() {
      bot.child.kill('SIGTERM');
      const { code } = await bot.ended;
      service.child.kill('SIGTERM');
      await service.ended;
      await proxy.close();
      await discord.close();
      await rm(folder, { recursive: true, force: true });
      return code;
    },
  };
}

/** None of the operator's own settings; what it says on stderr, and the log, are printed here. */
function start(env: Record<string, string>, args: string[]): Program {
  const program = startProcess(args, {
    env: { PATH: process.env.PATH, ...env },
    cwd: tmpdir(),
    onLine: (line) => line.startsWith('{') && console.error(line),
  });
  program.child.stderr.pipe(process.stderr);
  process.once('exit', () => program.child.kill('SIGKILL'));
  return program;
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
