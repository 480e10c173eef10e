// npm run load [-- --seconds N --json FILE]: with --processes N, see several-processes.ts and cold-starts.ts; otherwise 200 guilds, 50 of them speaking all the
// time, 20 commands a second; the bot, the voice service and the local Discord each have their own process. The exit code is 1 if an aim is
// missed.
import { writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { median, quantile } from '../bench/report.ts';
import { type LoadEnvironment, startLoadEnvironment } from './environment.ts';
import { type CommandRecord, createSimulatedMember, OVER } from './simulated-member.ts';
import { sentenceOf } from './texts.ts';

const GUILDS = 200;
const SPEAKING = 50;
const COMMANDS_A_SECOND = 20;
/** A bot too busy to return its metrics shows in the other figures. */
const UNREADABLE = () => {};
/** Until every speaking guild speaks, the code is warm, and enough garbage collections have shown how much memory is needed. */
const WARM_UP_S = 60;
/** The interval of Node's monitor, which its delays include. */
const MONITOR_MS = 10;
const SAMPLE_EVERY_MS = 5_000;
/** The last texts may still be playing or waiting. */
const LAST_MS = 60_000;
const OTHERS = ['queue', 'help', 'voices', 'credit', 'status'];
const PROCESSES = { bot: 'the bot', service: 'the voice service', discord: 'the local Discord and those who drive it' };

interface Sample {
  /** Event loop delay since the previous sample, in ms. */
  loopP99: number;
  /** Bytes. */
  memory: number;
}

type Four = [number, number, number, number];

interface Row {
  figure: string;
  value: number;
  unit: string;
  atMost: number | null;
}

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    json: { type: 'string' },
    processes: { type: 'string' },
    guilds: { type: 'string', default: '600' },
    speaking: { type: 'string', default: '60' },
    shards: { type: 'string', default: '6' },
    logs: { type: 'string' },
    'cold-starts': { type: 'string' },
  },
});
const seconds = Number(values.seconds);
if (values.processes !== undefined) {
  const [processes, guilds, speaking, shards] = [values.processes, values.guilds, values.speaking, values.shards].map(Number) as Four;
  const { logs = null, 'cold-starts': starts } = values;
  if (starts !== undefined) {
    const { startCold } = await import('./cold-starts.ts');
    process.exit((await startCold({ processes, guilds, shards, starts: Number(starts), logs })) ? 0 : 1);
  }
  const { loadSeveralProcesses } = await import('./several-processes.ts');
  const isMet = await loadSeveralProcesses({ processes, guilds, speaking, shards, seconds, commandsASecond: COMMANDS_A_SECOND, logs });
  process.exit(isMet ? 0 : 1);
}
console.error(`Starting ${GUILDS} guilds …`);
const environment = await startLoadEnvironment({ guilds: GUILDS });
const records: CommandRecord[] = [];
const waiting = new Map<string, number>();
const members = environment.discord.guildIds.map((guildId) =>
  createSimulatedMember(environment.discord, guildId, ({ command }) => {
    if (command === 'say') waiting.set(guildId, (waiting.get(guildId) ?? 0) - 1);
  }),
);
const speaking = members.slice(0, SPEAKING);
await Promise.all(speaking.map((member) => member.listen()));

/** Queues another text in a guild with fewer than two; otherwise runs some other command somewhere. */
function next(number: number): Promise<CommandRecord> {
  const silent = speaking.find(({ guildId }) => (waiting.get(guildId) ?? 0) < 2);
  if (silent) {
    waiting.set(silent.guildId, (waiting.get(silent.guildId) ?? 0) + 1);
    return silent.run('say', { text: sentenceOf(number) });
  }
  // 7 and 200 have no common factor, so every guild gets its turn.
  const member = members[(number * 7) % GUILDS] as (typeof members)[number];
  return number % 4 === 0 ? member.autocomplete('say', 'voice', 'a') : member.run(OTHERS[number % OTHERS.length] as string);
}

console.error(`Warming up for ${WARM_UP_S} s, then measuring for ${seconds} s …`);
const begun = performance.now();
const warm = begun + WARM_UP_S * 1000;
const end = warm + seconds * 1000;
const samples: Sample[] = [];
/** This process's own delay, which makes packets seem late. */
const ownDelay = monitorEventLoopDelay({ resolution: MONITOR_MS });
let cpuBefore = await environment.cpu();
let sampledAt = begun;
let isWarm = false;
for (let number = 0; performance.now() < end; number++) {
  void next(number).then((one) => records.push(one));
  if (!isWarm && performance.now() > warm) {
    isWarm = true;
    for (const member of speaking) member.takeIntervals();
    ownDelay.enable();
    cpuBefore = await environment.cpu();
  }
  if (performance.now() - sampledAt > SAMPLE_EVERY_MS) {
    sampledAt = performance.now();
    const isMeasured = sampledAt > warm;
    void sampleOf(environment).then((sample) => isMeasured && samples.push(sample), UNREADABLE);
  }
  // Scheduled from the start, so that a slow round is made up for.
  await sleep(Math.max(0, begun + ((number + 1) * 1000) / COMMANDS_A_SECOND - performance.now()));
}
const packets = speaking.map((member) => member.takeIntervals());
ownDelay.disable();
const cpuAfter = await environment.cpu();
for (const last = performance.now() + LAST_MS; performance.now() < last && records.some(({ doneAt }) => doneAt === null); )
  await sleep(100);
const spoilt = members.reduce((sum, member) => sum + member.spoilt(), 0);
for (const member of members) member.close();
const exitCode = await environment.close();

const counted = records.filter(({ askedAt }) => askedAt > warm);
const delays = counted.flatMap(({ askedAt, answeredAt }) => (answeredAt === null ? [] : [answeredAt - askedAt]));
const half = Math.floor(samples.length / 2);
/** The minimum, because it grows between two collections. */
const memory = (part: Sample[]) => Math.min(...part.map(({ memory }) => memory));
const rows: Row[] = [
  { figure: 'commands asked', value: counted.length, unit: '', atMost: null },
  { figure: 'commands a second', value: counted.length / seconds, unit: '', atMost: null },
  { figure: 'texts spoken to their end', value: counted.filter(({ text }) => /Spoken/.test(text)).length, unit: '', atMost: null },
  { figure: 'commands lost (not answered, or not done in the end)', value: counted.filter(isLost).length, unit: '', atMost: 0 },
  { figure: 'time to the first answer, median', value: median(delays), unit: 'ms', atMost: null },
  { figure: 'time to the first answer, p99', value: quantile(delays, 0.99), unit: 'ms', atMost: null },
  { figure: 'time to the first answer, longest', value: Math.max(...delays), unit: 'ms', atMost: 3000 },
  { figure: 'packets lost on the way to 50 listeners', value: packets.reduce((sum, { lost }) => sum + lost, 0), unit: '', atMost: 0 },
  {
    figure: 'time between packets at 50 listeners, p99',
    value: quantile(
      packets.flatMap(({ intervals }) => intervals),
      0.99,
    ),
    unit: 'ms',
    atMost: 25,
  },
  { figure: 'event loop delay p99, median of 5 s each', value: median(samples.map(({ loopP99 }) => loopP99)), unit: 'ms', atMost: 15 },
  { figure: 'event loop delay p99, worst 5 s', value: Math.max(...samples.map(({ loopP99 }) => loopP99)), unit: 'ms', atMost: null },
  {
    figure: 'the same of the process of the local Discord, which listens',
    value: ownDelay.percentile(99) / 1e6 - MONITOR_MS,
    unit: 'ms',
    atMost: null,
  },
  ...(['bot', 'service', 'discord'] as const).map((process) => ({
    ...{ figure: `CPU of ${PROCESSES[process]}`, value: (cpuAfter[process] - cpuBefore[process]) / seconds, unit: 'cores', atMost: null },
  })),
  {
    figure: 'memory, second half beside the first',
    value: memory(samples.slice(half)) / memory(samples.slice(0, half)),
    unit: '×',
    atMost: 1.1,
  },
  { figure: 'memory at the end', value: (samples.at(-1)?.memory ?? 0) / 1024 / 1024, unit: 'MiB', atMost: null },
  { figure: 'packets unencrypted, or that could not be opened', value: spoilt, unit: '', atMost: 0 },
  { figure: 'exit code after SIGTERM', value: exitCode ?? -1, unit: '', atMost: 0 },
];
for (const { figure, value, unit, atMost } of rows) {
  const aim = atMost === null ? '' : `  (at most ${atMost}: ${value <= atMost ? 'met' : 'MISSED'})`;
  console.log(`${figure.padEnd(62)} ${Number(value.toFixed(2))} ${unit}${aim}`);
}
const fates = Map.groupBy(
  records.filter(({ command }) => command === 'say'),
  ({ text }) =>
    OVER.exec(text)?.[0] ??
    text
      .split('\n')
      .find((line) => / [.!?(]|\. /.test(line))
      ?.slice(0, 60) ??
    'nothing',
);
for (const [fate, which] of [...fates].sort(([, a], [, b]) => b.length - a.length).slice(0, 8))
  console.log(`/say: ${which.length} × ${fate}`);
for (const one of counted.filter(isLost).slice(0, 5)) console.log(`lost: ${one.command}, ${one.failure ?? one.text.slice(0, 100)}`);
const machine = { cores: availableParallelism(), load: loadavg()[0], node: process.version };
if (values.json) await writeFile(values.json, JSON.stringify({ machine, seconds, rows, samples }, null, 2));
process.exit(rows.some(({ value, atMost }) => atMost !== null && !(value <= atMost)) ? 1 : 0);

function isLost({ failure, answeredAt, doneAt }: CommandRecord): boolean {
  return failure !== null || answeredAt === null || doneAt === null;
}

async function sampleOf({ figures }: LoadEnvironment): Promise<Sample> {
  const all = await figures();
  return {
    loopP99: (all.get('nodejs_eventloop_lag_p99_seconds') ?? Number.NaN) * 1000 - MONITOR_MS,
    memory: all.get('process_resident_memory_bytes') ?? 0,
  };
}
