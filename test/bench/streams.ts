// Many guilds at once, over real sockets, end-to-end encrypted: how many one core can serve, and how evenly packets arrive.
import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Listener, VoiceServer } from '../../src/local/discord/voice/types.ts';
import { startVoiceServer } from '../../src/local/discord/voice/voice-server.ts';
import type { Bench } from './conversion.ts';
import { ask, canPin, endProcess, startProcess } from './processes.ts';
import { type Row, rowOf } from './rows.ts';
import type { Order, Seat, SenderWay } from './sender-process.ts';

const FRAME_MS = 20;
/** A packet this long after the previous one is a whole tick late. */
const LATE_MS = 2 * FRAME_MS;
/** Tolerated share of late packets, since the machine has other work. */
const LATE_SHARE = 0.01;
/** Tolerates the 100 ms of silence between sounds of the usual player, and the start of ffmpeg, which takes as long again. */
const HEARD_SHARE = 0.9;
/** As long as the sound, so that sounds begin and end evenly over time. */
const SPREAD_MS = 3000;
const WINDOW_MS = 3000;
/** Attempts for each number of streams, since the machine's other load varies. */
const ATTEMPTS = 3;
/** Factor from one number of streams to the next. */
const STEP = 1.35;
const GUILDS = 50;

interface Heard {
  /** Milliseconds between packets of the same guild. */
  intervals: number[];
  packets: number;
  /** Gaps in the sequence numbers, as counted by the listeners. */
  lost: number;
}

/** A bot's process, and its voice server in this process, with a listener in each guild. */
interface Arena {
  /** Plays in this many guilds, and returns what was heard in the middle of it. */
  play(streams: number): Promise<Heard>;
  close(): Promise<void>;
}

export async function benchStreams(bench: Bench): Promise<Row[]> {
  const core = canPin() ? 0 : undefined;
  if (core === undefined) bench.progress('streams: not kept to one core, taskset is not there');
  const usual: Record<string, number[]> = {};
  for (const way of bench.usual) usual[way] = [await findMost(bench, way, core, 20)];
  const parley = [await findMost(bench, 'parley', core, 72)];
  return [rowOf({ part: 'streams', figure: 'streams on one core without a late tick', unit: 'streams', parley, usual, aim: { more: 3 } })];
}

/** The largest number of guilds served on time, raised by a third in each step. */
async function findMost(bench: Bench, way: SenderWay, core: number | undefined, first: number): Promise<number> {
  const arena = await openArena(bench, way, core);
  const isEnough = async (streams: number) => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      bench.progress(`streams: ${way}, ${streams}`);
      if (isInTime(await arena.play(streams), streams)) return true;
    }
    return false;
  };
  try {
    let streams = first;
    while (streams >= 1 && !(await isEnough(streams))) streams = Math.floor(streams / STEP / STEP);
    if (streams < first) return streams;
    while (await isEnough(Math.round(streams * STEP))) streams = Math.round(streams * STEP);
    return streams;
  } finally {
    await arena.close();
  }
}

function isInTime({ intervals, packets }: Heard, streams: number): boolean {
  const late = intervals.filter((interval) => interval > LATE_MS).length;
  const wanted = (streams * WINDOW_MS) / FRAME_MS;
  return late <= wanted * LATE_SHARE && packets >= wanted * HEARD_SHARE;
}

export async function benchGuilds(bench: Bench): Promise<Row[]> {
  const intervals: Record<string, number[]> = {};
  const lost: Record<string, number[]> = {};
  // The other usual way cannot hold this many encoders in one process.
  for (const way of [...bench.usual.slice(0, 1), 'parley' as const]) {
    bench.progress(`guilds: ${way}, ${GUILDS}`);
    const arena = await openArena(bench, way, undefined);
    try {
      const heard = await arena.play(GUILDS);
      intervals[way] = heard.intervals;
      lost[way] = [heard.lost];
    } finally {
      await arena.close();
    }
  }
  const { parley = [], ...usual } = intervals;
  const { parley: parleyLost = [], ...usualLost } = lost;
  const part = 'guilds';
  return [
    rowOf({ part, figure: `packet interval at ${GUILDS} listeners, p99`, unit: 'ms', about: 'p99', parley, usual, aim: { atMost: 25 } }),
    rowOf({
      part,
      figure: `packets lost at ${GUILDS} listeners`,
      unit: 'packets',
      parley: parleyLost,
      usual: usualLost,
      aim: { atMost: 0 },
    }),
  ];
}

async function openArena(bench: Bench, way: SenderWay, core: number | undefined): Promise<Arena> {
  const server = await startVoiceServer();
  const child = startProcess('./sender-process.ts', core === undefined ? {} : { core });
  const send = (order: Order) => ask<'done'>(child, order);
  const guilds: Guild[] = [];
  await send({ order: 'begin', way, sound: bench.sounds.short, endpoint: server.endpoint, certificate: server.certificate });
  return {
    async play(streams) {
      await fill(server, child, guilds, streams);
      await send({ order: 'play', streams, spreadMs: SPREAD_MS });
      for (const guild of guilds) guild.times = [];
      const before = guilds.reduce((sum, { listener }) => sum + listener.stats().lost, 0);
      await sleep(WINDOW_MS);
      const lost = guilds.reduce((sum, { listener }) => sum + listener.stats().lost, 0) - before;
      const times = guilds.map((guild) => guild.times);
      await send({ order: 'stop' });
      // Keeps trailing silence and exiting processes out of the next measurement.
      await sleep(500);
      return {
        intervals: times.flatMap(intervalsOf),
        packets: times.reduce((sum, one) => sum + one.filter((time) => time !== null).length, 0),
        lost,
      };
    },
    async close() {
      await endProcess(child);
      await server.close();
    },
  };
}

interface Guild {
  listener: Listener;
  /** When each packet arrived; null for silence between sounds. */
  times: (number | null)[];
}

function intervalsOf(times: (number | null)[]): number[] {
  return times.flatMap((time, index) => {
    const before = times[index - 1] ?? null;
    return time === null || before === null ? [] : [time - before];
  });
}

/** Adds guilds up to this number, with a listener in each, and has the bot join them. */
async function fill(server: VoiceServer, child: ChildProcess, guilds: Guild[], wanted: number): Promise<void> {
  const seats: Seat[] = [];
  while (guilds.length < wanted) {
    const id = (kind: number) => `10900000000${kind}${String(guilds.length).padStart(7, '0')}`;
    const where = { guildId: id(1), channelId: id(2) };
    const guild: Guild = { listener: server.listen({ ...where, userId: id(3) }), times: [] };
    guild.listener.onHeard(({ opus }) => {
      guild.times.push(opus.length > 3 ? performance.now() : null);
    });
    guilds.push(guild);
    const userId = id(4);
    seats.push({ ...where, userId, ...server.admit({ ...where, userId, sessionId: `session-${userId}` }) });
  }
  await ask<'done'>(child, { order: 'join', seats } satisfies Order);
}
