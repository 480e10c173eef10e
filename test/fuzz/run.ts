// The process that attacks and is attacked: the targets take turns until the time is up. Started by fuzz.ts.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createRandom } from '../helpers/random.ts';
import { startFuzzEnvironment } from './environment.ts';
import { startJobs } from './jobs.ts';
import { type OpenTarget, TARGET_NAMES, type Target, type TargetName } from './target.ts';
import { openCatalogue } from './targets/catalogue.ts';
import { openGateway } from './targets/gateway.ts';
import { openInteractions } from './targets/interactions.ts';
import { openJson } from './targets/json.ts';
import { openMsgpack } from './targets/msgpack.ts';
import { openMultipart } from './targets/multipart.ts';
import { openUploads } from './targets/uploads.ts';
import { openVoice } from './targets/voice.ts';

/** The target in progress. */
export interface News {
  target: string;
  number: number;
}

const TARGETS: Record<TargetName, OpenTarget> = {
  uploads: openUploads,
  msgpack: openMsgpack,
  multipart: openMultipart,
  json: openJson,
  interactions: openInteractions,
  gateway: openGateway,
  voice: openVoice,
  catalogue: openCatalogue,
};

const TURN_MS = 2_000;
/** Then everything is restarted: what the tests' own helpers keep must not look like a leak, and shutting down is tested too. */
const ROUND_MS = 600_000;
const CASE_MS = 240_000;
const BLOCKED_MS = 5_000;
/** On a busy machine a process may just wait for its turn: a block only counts if this much CPU time was used in it. */
const COMPUTED_SHARE = 0.4;
const MOST_MEMORY_MIB = 3_072;
const MOST_PROBLEMS = 10;
/** Problems reported of one kind; further ones are only counted. */
const MOST_ALIKE = 2;

const [minutes = '2', seed = '1', only = '', one = ''] = process.argv.slice(2);
const begun = performance.now();
const end = begun + Number(minutes) * 60_000;
const problems: string[] = [];
const outcomes = new Map<TargetName, Map<string, number>>();
const next = new Map<TargetName, number>();
const passedOver = new Map<string, number>();
let now: { target: TargetName; number: number } | null = null;
let jobsDone = 0;

const delay = monitorEventLoopDelay({ resolution: 20 });
delay.enable();
watchEventLoop();
process.send?.(null);
setInterval(() => process.send?.(null), 1_000).unref();
for (const event of ['uncaughtException', 'unhandledRejection'] as const) process.on(event, onStray);

while (performance.now() < end && problems.length < MOST_PROBLEMS) {
  await round(Math.min(end, performance.now() + ROUND_MS));
  if (one !== '') break;
}
report();
process.exit(problems.length === 0 ? 0 : 1);

async function round(until: number): Promise<void> {
  const environment = await startFuzzEnvironment();
  const jobs = await startJobs(environment, environment.othersKey, problem);
  const targets: [TargetName, Target][] = [];
  for (const name of TARGET_NAMES) if (only === '' || name === only) targets.push([name, await TARGETS[name](environment)]);
  if (one === '') {
    while (performance.now() < until && problems.length < MOST_PROBLEMS)
      for (const [name, target] of targets) await turn(name, target, until);
  } else for (const [name, target] of targets) await attack(name, target, Number(one));
  now = null;
  await jobs.close();
  jobsDone += jobs.done();
  for (const [, target] of targets) await target.close?.();
  await environment.close();
}

async function turn(name: TargetName, target: Target, until: number): Promise<void> {
  const last = Math.min(until, performance.now() + TURN_MS);
  while (performance.now() < last && problems.length < MOST_PROBLEMS) {
    const number = next.get(name) ?? 0;
    next.set(name, number + 1);
    await attack(name, target, number);
  }
}

/** The case with this number; always the same. */
async function attack(name: TargetName, target: Target, number: number): Promise<void> {
  now = { target: name, number };
  process.send?.(now satisfies News);
  const random = createRandom(Math.imul(Number(seed), 0x9e37_79b1) + Math.imul(TARGET_NAMES.indexOf(name) + 1, 0x85eb_ca6b) + number);
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`it did not end within ${CASE_MS / 1000} s`)), CASE_MS);
  try {
    count(name, await Promise.race([target.attack(random), promise]));
  } catch (error) {
    count(name, 'failed');
    problem((error as Error).message);
  } finally {
    clearTimeout(timer);
  }
  const mib = process.resourceUsage().maxRSS / 1024;
  if (mib > MOST_MEMORY_MIB && !problems.some((each) => each.includes('memory'))) problem(`${Math.round(mib)} MiB of memory are used`);
}

function count(name: TargetName, outcome: string): void {
  const counts = outcomes.get(name) ?? new Map<string, number>();
  outcomes.set(name, counts);
  counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
}

function problem(what: string): void {
  const where = now === null ? 'at the end' : `${now.target}, case ${now.number}`;
  const again = now === null ? '' : `\nTo repeat it: npm run fuzz -- --seed ${seed} --only ${now.target} --case ${now.number}`;
  const isAlike = (other: string) => other.slice(0, 40) === what.slice(0, 40);
  if (problems.filter(isAlike).length >= MOST_ALIKE) return;
  problems.push(what);
  console.log(`PROBLEM ${where}: ${what}${again}`);
}

/**
 * Nobody had waited for it. What a library throws that was told nonsense by Discord's gateways is passed over by the bot's process, too
 * (see main.ts), and is only counted; anything that goes through our own code is a problem.
 */
function onStray(error: unknown): void {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const isOurs = /\/(src|commands)\//.test(stack.replaceAll(/^.*node_modules.*$/gm, ''));
  const isNonsense = now?.target === 'gateway' || now?.target === 'voice';
  const name = error instanceof Error ? error.name : typeof error;
  if (isOurs || !isNonsense) problem(`nobody caught ${stack.slice(0, 1_500)}`);
  else passedOver.set(name, (passedOver.get(name) ?? 0) + 1);
}

function watchEventLoop(): void {
  let before = performance.now();
  let cpu = process.threadCpuUsage();
  setInterval(() => {
    const [at, used] = [performance.now(), process.threadCpuUsage(cpu)];
    const computed = (used.user + used.system) / 1000;
    if (at - before > BLOCKED_MS && computed > COMPUTED_SHARE * BLOCKED_MS)
      problem(`the event loop was blocked for ${Math.round(at - before)} ms, ${Math.round(computed)} of them computing`);
    before = at;
    cpu = process.threadCpuUsage();
  }, 100).unref();
}

function report(): void {
  const seconds = Math.round((performance.now() - begun) / 1000);
  for (const [name, counts] of outcomes) {
    const all = [...counts].sort((a, b) => b[1] - a[1]).map(([outcome, times]) => `${times} × ${outcome}`);
    console.log(`${name}: ${[...counts.values()].reduce((sum, times) => sum + times, 0)} cases: ${all.join(', ')}`);
  }
  for (const [what, times] of passedOver) console.log(`${times} × a ${what} was thrown by a library that a gateway sent nonsense`);
  const ms = (nanoseconds: number) => Math.round(nanoseconds / 1e6);
  console.log(
    `${seconds} s; ${jobsDone} jobs of others; event loop delay ${ms(delay.percentile(99))} ms (99 %), ${ms(delay.max)} ms at most; ` +
      `${Math.round(process.resourceUsage().maxRSS / 1024)} MiB of memory at most`,
  );
  console.log(problems.length === 0 ? 'Everything was answered correctly.' : `${problems.length} problems (seed ${seed}).`);
}
