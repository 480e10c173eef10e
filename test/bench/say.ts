// From a command in a text channel to the first packet at a listening member: two whole bots taking turns, each in its own process and on
// its own local Discord.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type LocalDiscord, startLocalDiscord } from '../../src/local/discord/index.ts';
import { commandsRegistered } from '../helpers/local-discord.ts';
import { startArguments } from '../helpers/program.ts';
import type { Bench } from './conversion.ts';
import { endProcess } from './processes.ts';
import { type Row, rowOf } from './rows.ts';
import { shortMp3 } from './sounds.ts';
import { type SteadyService, startSteadyService } from './steady-service.ts';

/** Arguments for node to run the usual bot. */
export const USUAL_BOT = [fileURLToPath(new URL('./usual-bot.ts', import.meta.url))];
const WAIT_MS = 20_000;
const TEXT_OPTION = 3;
/** A sound is over when nothing has come for this long, trailing silence included. */
const OVER_MS = 250;
/** Keeps within a member's cooldown of five commands in ten seconds. */
const PACE_MS = 2100;

interface Stand {
  /** Runs a command and waits for the first packet of sound; times are `performance.now()`. */
  run(command: string): Promise<{ askedAt: number; heardAt: number }>;
  /** Kicks the bot from the voice channel, and waits until it has left. */
  kick(): Promise<void>;
  close(): Promise<void>;
}

interface Comparison {
  service: SteadyService;
  parley: Stand;
  usual: Stand;
  close(): Promise<void>;
}

export async function benchSay(bench: Bench): Promise<Row[]> {
  const comparison = await openComparison(bench, 'say');
  const rows: Row[] = [];
  try {
    for (const trickling of [false, true]) {
      // Three pieces if trickling, otherwise short.
      comparison.service.sound = { bytes: await shortMp3(trickling ? 1.2 : 0.4), trickling };
      bench.progress(`say: connected, ${trickling ? 'trickling' : 'at once'}`);
      const rounds = trickling ? 6 : 25;
      const times: { parley: number[]; usual: number[] } = { parley: [], usual: [] };
      for (let round = -2; round < rounds; round++) {
        for (const who of ['parley', 'usual'] as const) {
          if (who === 'usual' && bench.usual.length === 0) continue;
          const { heardAt } = await comparison[who].run('say');
          if (round >= 0) times[who].push(heardAt - comparison.service.firstByteAt);
        }
      }
      const input = trickling ? '4 KB each 50 ms' : 'at once';
      const figure = `/say, connected: first byte (${input}) → first packet heard`;
      const shared = { part: 'say' as const, unit: 'ms', parley: times.parley, usual: { 'usual bot': times.usual } };
      rows.push(rowOf({ ...shared, figure, aim: { atMost: 25 } }));
      rows.push(rowOf({ ...shared, figure: `${figure}, p99`, about: 'p99', aim: { atMost: 45 } }));
    }
    return rows;
  } finally {
    await comparison.close();
  }
}

export async function benchCold(bench: Bench): Promise<Row[]> {
  const comparison = await openComparison(bench, 'cold');
  try {
    bench.progress('cold: command → first packet, beside the join alone');
    const times: Record<'say' | 'join' | 'usual', number[]> = { say: [], join: [], usual: [] };
    const kinds = { say: [comparison.parley, 'say'], join: [comparison.usual, 'join'], usual: [comparison.usual, 'say'] } as const;
    for (let round = -2; round < 8; round++) {
      for (const kind of ['say', 'join', 'usual'] as const) {
        if (kind === 'usual' && bench.usual.length === 0) continue;
        const [stand, command] = kinds[kind];
        const { askedAt, heardAt } = await stand.run(command);
        if (round >= 0) times[kind].push(heardAt - askedAt);
        await stand.kick();
      }
    }
    return [
      rowOf({
        part: 'cold',
        figure: '/say, cold: command → first packet heard',
        unit: 'ms',
        parley: times.say,
        usual: { 'the join alone': times.join, 'usual bot': times.usual },
        aim: { share: 1.15 },
      }),
    ];
  } finally {
    await comparison.close();
  }
}

async function openComparison(bench: Bench, part: string): Promise<Comparison> {
  bench.progress(`${part}: two bots are starting`);
  const closing: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const end of closing.toReversed()) await end();
  };
  try {
    const folder = await mkdtemp(join(tmpdir(), 'parley-bench-say-'));
    closing.push(() => rm(folder, { recursive: true, force: true }));
    const service = await startSteadyService(await shortMp3(0.4));
    closing.push(() => service.close());
    const stands: Stand[] = [];
    for (const args of [startArguments, USUAL_BOT]) {
      const stand = await openStand(args, service, await mkdtemp(join(folder, 'bot-')));
      closing.push(() => stand.close());
      stands.push(stand);
    }
    const [parley, usual] = stands as [Stand, Stand];
    return { service, parley, usual, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openStand(args: string[], service: SteadyService, folder: string): Promise<Stand> {
  const discord = await startLocalDiscord();
  let bot: ChildProcess;
  try {
    bot = await startBot(args, discord, service, folder);
    await commandsRegistered(discord);
  } catch (error) {
    await discord.close();
    throw error;
  }
  const member = discord.member();
  let lastSoundAt = 0;
  let onSound: ((at: number) => void) | null = null;
  member.onHeard(({ opus }) => {
    if (opus.length <= 3) return;
    lastSoundAt = performance.now();
    onSound?.(lastSoundAt);
  });
  await member.call('join_voice', { channel_id: discord.channelId('Lounge') });
  const { commands } = await member.call('hello', {});
  let said = 0;
  let askedAt = 0;

  return {
    async run(name) {
      const command = commands.find((one) => one.name === name);
      if (!command) throw new Error(`The bot has no command ${name}.`);
      const heard = new Promise<number>((resolve) => {
        onSound = resolve;
      });
      await sleep(Math.max(0, askedAt + PACE_MS - performance.now()));
      askedAt = performance.now();
      await member.call('run_command', {
        channel_id: discord.channelId('general'),
        command_id: command.id,
        // Never the same text, so that nothing comes from a cache.
        options: name === 'say' ? [{ name: 'text', type: TEXT_OPTION, value: `This is sentence number ${++said}.` }] : [],
      });
      const heardAt = await within(heard, `sound after /${name}`);
      onSound = null;
      while (performance.now() - lastSoundAt < OVER_MS) await sleep(OVER_MS / 5);
      return { askedAt, heardAt };
    },
    async kick() {
      const left = member.next(
        'VOICE_STATE_UPDATE',
        ({ user_id, channel_id }) => user_id === discord.application.id && channel_id === null,
      );
      discord.moveUser(discord.application.id, null);
      await within(left, 'the bot to be out of the channel');
      // Until the bot has seen it too.
      await sleep(200);
    },
    async close() {
      await endProcess(bot);
      await discord.close();
    },
  };
}

/** Resolves when the bot reports that it is ready. @param env further variables */
export async function startBot(
  args: string[],
  discord: LocalDiscord,
  service: Pick<SteadyService, 'url' | 'key'>,
  folder: string,
  env: Record<string, string> = {},
): Promise<ChildProcess> {
  const certificate = join(folder, 'certificate.pem');
  await writeFile(certificate, discord.certificate);
  const child = spawn(process.execPath, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: {
      PATH: process.env.PATH,
      DISCORD_TOKEN: discord.application.token,
      DISCORD_API_URL: discord.apiUrl,
      DISCORD_CDN_URLS: discord.cdnUrl,
      VOICE_API_URL: service.url,
      VOICE_API_KEY: service.key,
      DATA_DIR: folder,
      CACHE_MB: '0',
      // No daily budgets.
      BUDGET_MEMBER_CHARACTERS: '0',
      BUDGET_GUILD_CHARACTERS: '0',
      LOG_LEVEL: 'error',
      NODE_EXTRA_CA_CERTS: certificate,
      ...env,
    },
  });
  const ready = new Promise<void>((resolve, reject) => {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      if (/ready/i.test(text)) resolve();
    });
    child.once('exit', (code) => reject(new Error(`The bot ended with ${code} before it was ready.`)));
  });
  try {
    await within(ready, 'the bot to be ready');
  } catch (error) {
    await endProcess(child);
    throw error;
  }
  return child;
}

export async function within<T>(promise: Promise<T>, what: string): Promise<T> {
  const waited = new AbortController();
  const expired = sleep(WAIT_MS, undefined, { signal: waited.signal }).then(() => {
    throw new Error(`Waited in vain for ${what}.`);
  });
  expired.catch(() => {});
  try {
    return await Promise.race([promise, expired]);
  } finally {
    waited.abort();
  }
}
