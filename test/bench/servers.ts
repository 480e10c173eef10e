// The CPU of a whole bot while it speaks in many servers: Parley and a usual bot take turns, each with all its child processes.
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type LocalDiscord, startLocalDiscord } from '../../src/local/discord/index.ts';
import { commandsRegistered } from '../helpers/local-discord.ts';
import { startArguments } from '../helpers/program.ts';
import type { Bench } from './conversion.ts';
import { endProcess, familyCpuMs } from './processes.ts';
import { type Row, rowOf } from './rows.ts';
import { startBot, USUAL_BOT, within } from './say.ts';
import { shortMp3 } from './sounds.ts';
import { type SteadyService, startSteadyService } from './steady-service.ts';

const SERVERS = [10, 50];
const ROUNDS = 5;
/** Before those, and not counted, for both bots: most of the first minute goes into compiling hot code, and bots run for weeks. */
const WARM_UP_ROUNDS = 1;
/** As long as most texts that are read aloud. */
const SOUND_SECONDS = 12;
/** Parley accepts this much sound for this much text, at 20 characters a second. */
const TEXT_LENGTH = 290;
const TEXT_OPTION = 3;
/** Until all have begun to speak. */
const BEGIN_MS = 5_000;
/** One sound in each server: its beginning, which takes most of a usual bot's work, counts as often as it occurs. */
const WINDOW_MS = SOUND_SECONDS * 1000;
/** A sound is over when none of it has arrived for this long. */
const OVER_MS = 300;
const FRAME_MS = 20;

interface Hall {
  /** Speaks everywhere for a while. Returns CPU in ms per second of sound heard, and the intervals between packets in ms. */
  measure(): Promise<{ cpu: number; intervals: number[] }>;
  close(): Promise<void>;
}

export async function benchServers(bench: Bench): Promise<Row[]> {
  const rows: Row[] = [];
  for (const servers of SERVERS) rows.push(...(await benchThatMany(bench, servers)));
  return rows;
}

async function benchThatMany(bench: Bench, servers: number): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-servers-'));
  const service = await startSteadyService(await shortMp3(SOUND_SECONDS));
  const halls: Partial<Record<'parley' | 'usual', Hall>> = {};
  const cpu: Record<'parley' | 'usual', number[]> = { parley: [], usual: [] };
  const intervals: Record<'parley' | 'usual', number[]> = { parley: [], usual: [] };
  try {
    bench.progress(`servers: ${servers}, starting two bots`);
    halls.parley = await openHall(startArguments, service, servers, folder);
    if (bench.usual.length > 0) halls.usual = await openHall(USUAL_BOT, service, servers, folder);
    for (let round = 1 - WARM_UP_ROUNDS; round <= ROUNDS; round++) {
      for (const who of ['parley', 'usual'] as const) {
        const figures = await halls[who]?.measure();
        if (!figures) continue;
        const run = round < 1 ? 'warm-up' : `run ${round} of ${ROUNDS}`;
        bench.progress(`servers: ${servers}, ${run}, ${who}: ${figures.cpu.toFixed(1)} ms/s`);
        if (round < 1) continue;
        cpu[who].push(figures.cpu);
        for (const interval of figures.intervals) intervals[who].push(interval);
      }
    }
  } finally {
    for (const hall of Object.values(halls)) await hall.close();
    await service.close();
    await rm(folder, { recursive: true, force: true });
  }
  const part = 'servers' as const;
  return [
    rowOf({
      part,
      figure: `CPU of the whole bot in ${servers} servers`,
      unit: 'ms per second of sound',
      parley: cpu.parley,
      usual: { 'usual bot': cpu.usual },
      aim: { share: 0.5 },
    }),
    rowOf({
      part,
      figure: `packet interval in ${servers} servers, whole bot, p99`,
      unit: 'ms',
      about: 'p99',
      parley: intervals.parley,
      usual: { 'usual bot': intervals.usual },
      aim: null,
    }),
  ];
}

async function openHall(args: string[], service: SteadyService, servers: number, folder: string): Promise<Hall> {
  const discord = await startLocalDiscord({ guilds: servers });
  let bot: ChildProcess;
  try {
    bot = await startBot(args, discord, service, await mkdtemp(join(folder, 'bot-')));
    await within(commandsRegistered(discord), 'the commands');
  } catch (error) {
    await discord.close();
    throw error;
  }
  const seats = await Promise.all(discord.guildIds.map((guildId, index) => takeSeat(discord, guildId, index)));

  return {
    async measure() {
      const stop = new AbortController();
      const talking = seats.map((seat, index) => seat.talk(stop.signal, (index * SOUND_SECONDS * 1000) / servers / 4));
      await sleep(BEGIN_MS);
      for (const seat of seats) seat.take();
      const before = familyCpuMs(bot.pid as number);
      await sleep(WINDOW_MS);
      const used = familyCpuMs(bot.pid as number) - before;
      const heard = seats.map((seat) => seat.take());
      stop.abort();
      await Promise.all(talking);
      const packets = heard.reduce((sum, times) => sum + times.length, 0);
      return { cpu: used / ((packets * FRAME_MS) / 1000), intervals: heard.flatMap(intervalsOf) };
    },
    async close() {
      await endProcess(bot);
      await discord.close();
    },
  };
}

interface Seat {
  /** Speaks one text after the other until the signal; resolves when the last one is over. */
  talk(signal: AbortSignal, delayMs: number): Promise<void>;
  /** The arrival times of the sound packets since the last call. */
  take(): number[];
}

async function takeSeat(discord: LocalDiscord, guildId: string, index: number): Promise<Seat> {
  // A different member in each server: a single one would be asked to slow down.
  const member = discord.member('Sam', { guildId });
  let times: number[] = [];
  let lastAt = 0;
  let onSound: (() => void) | null = null;
  member.onHeard(({ opus }) => {
    if (opus.length <= 3) return;
    lastAt = performance.now();
    times.push(lastAt);
    onSound?.();
  });
  const channel = (name: string) => discord.channelId(name, guildId);
  await member.call('join_voice', { channel_id: channel('Lounge') });
  const commands = await member.call('commands', { channel_id: channel('general') });
  const command = commands.find(({ name }) => name === 'say');
  if (!command) throw new Error('The bot has no command say.');
  let said = 0;

  /** Resolves when the text has been heard. */
  async function say(): Promise<void> {
    const heard = new Promise<void>((resolve) => {
      onSound = resolve;
    });
    const text = `This is sentence number ${++said} of server ${index}`.padEnd(TEXT_LENGTH, ' and on');
    await member.call('run_command', {
      channel_id: channel('general'),
      command_id: command?.id as string,
      options: [{ name: 'text', type: TEXT_OPTION, value: text }],
    });
    await within(heard, 'sound after /say');
    onSound = null;
    while (performance.now() - lastAt < OVER_MS) await sleep(OVER_MS / 5);
  }

  return {
    async talk(signal, delayMs) {
      await sleep(delayMs);
      while (!signal.aborted) await say();
    },
    take() {
      const taken = times;
      times = [];
      return taken;
    },
  };
}

/** Only within a sound: a gap longer than a pause lies between two sounds. */
function intervalsOf(times: number[]): number[] {
  return times.slice(1).flatMap((time, index) => (time - (times[index] as number) < OVER_MS ? [time - (times[index] as number)] : []));
}
