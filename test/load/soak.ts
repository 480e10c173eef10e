// npm run soak [-- --minutes N --seed S]: members do everything at random while random faults occur. At the end it checks what Parley
// promises: each command answered, each text heard once or reported lost, nothing left over. The exit code is 1 if something is not so.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { below, createRandom } from '../helpers/random.ts';
import { startLoadEnvironment } from './environment.ts';
import { type InjectedFault, injectFault } from './faults.ts';
import { type CommandRecord, createSimulatedMember, OVER, type SimulatedMember } from './simulated-member.ts';
import { sentenceOf } from './texts.ts';

const GUILDS = 8;
const ACT_EVERY_MS = 250;
/** Longest time from the end of one fault to the start of the next. */
const CALM_MS = 6_000;
/** The longest that anything takes to finish once all is well: a rejoin, a minute of backing off, what was queued. */
const SETTLE_MS = 150_000;
/** By then caches are full, the code is compiled, and the threads that prepare sound have been started at least once. */
const WARM_UP_MS = 180_000;
/** Memory is compared between periods this long at the beginning and at the end. */
const JUDGED_MS = 120_000;
const SAMPLE_EVERY_MS = 2_000;
/** A shorter run is mostly warm-up, and its memory means nothing. */
const MEMORY_FROM_MINUTES = 10;
const MEMORY_GROWTH = 1.1;
/** If Discord makes the bot wait, a text may be reported as spoken this much later than it was heard. */
const TOLD_LATE_S = 4;
/** Replies tell whole seconds. */
const ROUNDING_S = 0.5;
/** Until a broken voice connection has been rejoined. */
const HEALING_S = 10;
/** How long the bot stays in a channel without listeners; what it says there counts as spoken. */
const AWAY_S = 40;
const FRAMES_A_SECOND = 50;

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '3' }, seed: { type: 'string' } } });
const minutes = Number(values.minutes);
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
console.log(`Seed ${seed}: to do the same again, npm run soak -- --minutes ${minutes} --seed ${seed}`);
const random = createRandom(seed);

const environment = await startLoadEnvironment({ guilds: GUILDS });
const { discord } = environment;
const records: CommandRecord[] = [];
const injectedFaults: InjectedFault[] = [];
let compared = 0;
const members = discord.guildIds.map((guildId) => createSimulatedMember(discord, guildId, () => {}));
await Promise.all(members.map((member) => member.listen()));
const atRest = await environment.figures();
/** `bytes` as the system counts them; `heap` is JavaScript's memory, whose minimum is what is really in use. */
const memory: { at: number; bytes: number; heap: number }[] = [];

const begun = performance.now();
const end = begun + minutes * 60_000;
let nextFaultAt = begun + 5_000;
let sampledAt = begun;
let fault: Promise<void> | null = null;
// Everywhere at the same time, so that whatever starts only under load has started before memory is compared.
for (const member of [...members, ...members])
  void member.run('say', { text: sentenceOf(below(500, random)) }).then((one) => records.push(one));
while (performance.now() < end) {
  void act(members[below(GUILDS, random)] as SimulatedMember).then((one) => one && records.push(one));
  if (fault === null && performance.now() > nextFaultAt) {
    const next = injectFault(environment, random);
    injectedFaults.push(next.fault);
    fault = next.over.then(() => {
      fault = null;
      nextFaultAt = performance.now() + random() * CALM_MS;
    });
  }
  if (performance.now() - sampledAt > SAMPLE_EVERY_MS) {
    sampledAt = performance.now();
    const at = sampledAt - begun;
    void environment.figures().then((figures) => {
      const heap = (figures.get('nodejs_heap_size_used_bytes') ?? 0) + (figures.get('nodejs_external_memory_bytes') ?? 0);
      memory.push({ at, bytes: figures.get('process_resident_memory_bytes') ?? 0, heap });
    });
  }
  await sleep(ACT_EVERY_MS);
}
await fault;
console.log(`${records.length} commands, ${injectedFaults.length} faults; waiting for everything to finish …`);
for (const last = performance.now() + SETTLE_MS; performance.now() < last && records.some(({ doneAt }) => doneAt === null); )
  await sleep(200);
await Promise.all(members.map((member) => member.run('leave')));
await sleep(5_000);

const problems = [...commandProblems(), ...soundProblems(), ...(await leftovers()), ...memoryProblems()];
for (const member of members) member.close();
const files = await readdir(join(environment.folder, 'bot'), { recursive: true });
for (const name of files.filter((one) => one.endsWith('.tmp'))) problems.push(`a temporary file is left: ${name}`);
const exitCode = await environment.close();
if (exitCode !== 0) problems.push(`after SIGTERM the bot ended with ${exitCode}`);
const fates = Map.groupBy(
  records,
  ({ command, text, failure }) => `${command.split(' ')[0]}: ${failure ?? OVER.exec(text)?.[0] ?? 'answered'}`,
);
for (const [fate, which] of [...fates].sort()) console.log(`${which.length} × ${fate}`);
for (const [what, which] of Map.groupBy(injectedFaults, ({ what }) => what)) console.log(`${which.length} × ${what}`);
const second = (at: number) => Math.round((at - begun) / 1000);
if (problems.length > 0)
  for (const { what, from, until } of injectedFaults) console.log(`From ${second(from)} to ${second(until)} s: ${what}`);
for (const problem of problems) console.log(`PROBLEM ${problem}`);
console.log(`${compared} texts that were reported as spoken while no connection was broken were checked against what was heard.`);
console.log(problems.length === 0 ? 'All promises were kept.' : `${problems.length} promises were broken (seed ${seed}).`);
process.exit(problems.length === 0 ? 0 : 1);

async function act(member: SimulatedMember): Promise<CommandRecord | null> {
  const dice = random();
  if (dice < 0.4) return member.run('say', { text: sentenceOf(below(500, random)) });
  if (dice < 0.6) return member.press(/./);
  if (dice < 0.7) return member.autocomplete('say', 'voice', 'abcdefgh'.slice(0, below(8, random)));
  const others = ['queue', 'voices', 'credit', 'status', 'help', 'privacy', 'skip', 'stop'];
  return member.run(others[below(others.length, random)] as string);
}

/** Each command is answered in time, once, and its work is done or reported to have failed. */
function commandProblems(): string[] {
  return records.flatMap(({ command, guildId, askedAt, failure, doneAt }) => {
    const excuse = injectedFaults.find(
      ({ keepsFromAnswering, from, until }) => keepsFromAnswering && askedAt < until + 3_000 && askedAt + 3_000 > from,
    );
    if (failure !== null) return excuse ? [] : [`${command} in ${guildId} was not answered: ${failure}`];
    return doneAt !== null
      ? []
      : [`${command} in ${guildId}, asked ${Math.round((askedAt - begun) / 1000)} s after the start, was never finished`];
  });
}

/** What was reported as spoken was heard, and nothing was heard twice, except as a broken connection explains. */
function soundProblems(): string[] {
  return members.flatMap((member) => {
    const here = records.filter(({ guildId, command }) => guildId === member.guildId && command === 'say');
    const seconds = here.reduce((sum, one) => sum + (secondsOf(one) ?? 0), 0);
    const ended = here.filter(({ text }) => /Skipped|Stopped/.test(text)).length;
    const breaks = injectedFaults.filter(({ breaksVoiceIn }) => breaksVoiceIn === 'all' || breaksVoiceIn === member.guildId);
    const heard = member.heard() / FRAMES_A_SECOND;
    const found = here.filter((one) => isCalm(one, breaks)).flatMap((one) => missing(one, member));
    if (heard > seconds + 3 * breaks.length + 8 * ended + ROUNDING_S * here.length)
      found.push(`${member.guildId}: ${heard.toFixed(1)} s were heard of ${seconds.toFixed(1)} s: something was heard twice`);
    if (member.spoilt() > 0) found.push(`${member.guildId}: ${member.spoilt()} packets were unencrypted, or could not be opened`);
    return found;
  });
}

/** How many seconds were reported as spoken; null if it was not spoken to its end. */
function secondsOf({ text }: CommandRecord): number | null {
  const found = /Spoken \((?:(\d+) minutes?)?(?:, )?(?:(\d+) second)?/.exec(text);
  return found && 60 * Number(found[1] ?? 0) + Number(found[2] ?? 0);
}

/** Spoken while the listeners were there and no connection was broken. */
function isCalm(one: CommandRecord, breaks: InjectedFault[]): boolean {
  const seconds = secondsOf(one);
  if (seconds === null || one.doneAt === null) return false;
  const [from, until] = [one.doneAt - (seconds + TOLD_LATE_S) * 1000, one.doneAt];
  return !breaks.some((each) => each.from < until && each.until + (each.sendsAway ? AWAY_S : HEALING_S) * 1000 > from);
}

function missing(one: CommandRecord, member: SimulatedMember): string[] {
  const [seconds, doneAt] = [secondsOf(one) ?? 0, one.doneAt ?? 0];
  compared += 1;
  const heard = member.heard(doneAt - (seconds + TOLD_LATE_S) * 1000, doneAt) / FRAMES_A_SECOND;
  // A sound may end with, or contain, packets of silence.
  return heard >= 0.9 * seconds - 0.2 - ROUNDING_S
    ? []
    : [`${one.guildId}: ${seconds} s were reported as spoken, ${heard.toFixed(1)} s were heard`];
}

/** Nothing is in use that was not before the first command. */
async function leftovers(): Promise<string[]> {
  const now = await environment.figures();
  return [...now].flatMap(([name, value]) => {
    const isHeld = /^parley_(audio_resources|voice_sessions|queue_depth|commands_running)/.test(name);
    return isHeld && value > (atRest.get(name) ?? 0) ? [`${value - (atRest.get(name) ?? 0)} more of ${name} than at rest`] : [];
  });
}

function memoryProblems(): string[] {
  if (minutes < MEMORY_FROM_MINUTES) return [];
  const early = memory.filter(({ at }) => at > WARM_UP_MS && at < WARM_UP_MS + JUDGED_MS);
  const late = memory.filter(({ at }) => at > minutes * 60_000 - JUDGED_MS);
  // V8 shrinks its young generation in a lull, so the minimum would be that of one moment; the heap grows until a collection.
  const half = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
  const [warm, last] = [early, late].map((part) => half(part.map(({ bytes }) => bytes))) as [number, number];
  const [warmHeap, lastHeap] = [early, late].map((part) => Math.min(...part.map(({ heap }) => heap))) as [number, number];
  const mib = (bytes: number) => (bytes / 1024 / 1024).toFixed(0);
  console.log(
    `Memory: ${mib(warm)} MiB after warming up, ${mib(last)} MiB at the end; held by JavaScript ${mib(warmHeap)} and ${mib(lastHeap)} MiB`,
  );
  return !(last <= warm * MEMORY_GROWTH) ? [`memory grew from ${mib(warm)} to ${mib(last)} MiB`] : [];
}
