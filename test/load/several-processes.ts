// npm run load -- --processes N [--guilds N --speaking N --shards N --seconds S --logs FOLDER]: N processes of one bot on a real Redis. Under load each is replaced by
// a new one, Redis is restarted, and one process is killed: no command is lost, none is answered twice, nothing is heard twice.
import { setTimeout as sleep } from 'node:timers/promises';
import { quantile } from '../bench/report.ts';
import { atUsualPace, listenToTones, SKIPPED } from '../helpers/tone-service.ts';
import { openSharedEnvironment } from './shared-environment.ts';
import { type CommandRecord, createSimulatedMember, type SimulatedMember } from './simulated-member.ts';
import { sentenceOf } from './texts.ts';

export interface SharedLoadOptions {
  processes: number;
  guilds: number;
  /** How many of them speak all the time. */
  speaking: number;
  shards: number;
  /** Under load before, between and after the faults. */
  seconds: number;
  commandsASecond: number;
  /** Folder for the log of each process; null = none is kept. */
  logs: string | null;
}

interface SaidText {
  record: CommandRecord;
  member: SimulatedMember;
  /** By `listenToTones`. */
  heardAs: number;
  /** The length of its sound. */
  seconds: number;
}

interface Fault {
  what: string;
  /** `performance.now()` */
  from: number;
  until: number;
}

const LAST_MS = 90_000;
/** After a kill, until the shards are identified again. */
const BACK_MS = 30_000;
/** Packets of 20 ms, of which one is recognised: all of them would keep two cores busy. */
const SAMPLE_EVERY = 10;
/** What a text may seem longer or shorter for that. */
const SAMPLE_SECONDS = (2 * SAMPLE_EVERY) / 50;
const OTHERS = ['queue', 'help', 'voices', 'credit', 'status'];

/** @returns whether all aims were met */
export async function loadSeveralProcesses(options: SharedLoadOptions): Promise<boolean> {
  const { guilds, shards, commandsASecond, seconds } = options;
  const { discord, redis, bots, close } = await openSharedEnvironment({ guilds, shards, logs: options.logs });
  /** While a shard moves, it is open in two processes. */
  const identified = () => new Set(discord.gateway.sessions().flatMap(({ shard, connected }) => (connected ? [shard] : []))).size;
  const untilIdentified = async () => {
    while (identified() < shards || bots.held() < shards) await sleep(100);
  };

  console.error(`Starting ${options.processes} processes for ${guilds} servers on ${shards} shards …`);
  for (let count = 0; count < options.processes; count++) await bots.add();
  await untilIdentified();

  const records: CommandRecord[] = [];
  const waiting = new Map<string, number>();
  const members = discord.guildIds.map((guildId) =>
    createSimulatedMember(discord, guildId, ({ command }) => {
      if (command === 'say') waiting.set(guildId, (waiting.get(guildId) ?? 0) - 1);
    }),
  );
  const speaking = members.slice(0, options.speaking);
  await Promise.all(speaking.map((member) => member.listen()));
  const listeners = new Map(await Promise.all(speaking.map(async (member) => [member, await listenToTones(sampled(member))] as const)));

  let number = 0;
  let isEnding = false;
  const said: SaidText[] = [];
  const counts = new Map<SimulatedMember, number>();
  function next(): Promise<CommandRecord> {
    number++;
    const silent = speaking.find(({ guildId }) => (waiting.get(guildId) ?? 0) < 2);
    if (silent) {
      waiting.set(silent.guildId, (waiting.get(silent.guildId) ?? 0) + 1);
      const count = counts.get(silent) ?? 0;
      counts.set(silent, count + 1);
      const heardAs = count % SKIPPED;
      const text = `${sentenceOf(number)} ${heardAs}`;
      const asked = silent.run('say', { text });
      void asked.then((record) => said.push({ record, member: silent, heardAs, seconds: atUsualPace(text) }));
      return asked;
    }
    const member = members[(number * 7) % guilds] as (typeof members)[number];
    return number % 4 === 0 ? member.autocomplete('say', 'voice', 'a') : member.run(OTHERS[number % OTHERS.length] as string);
  }
  const begun = performance.now();
  const asking = (async () => {
    for (let round = 1; !isEnding; round++) {
      void next().then((one) => records.push(one));
      await sleep(Math.max(0, begun + (round * 1000) / commandsASecond - performance.now()));
    }
  })();

  const faults: Fault[] = [];
  async function during(what: string, act: () => Promise<unknown>): Promise<Fault> {
    console.error(`${what} …`);
    const from = performance.now();
    await act();
    const fault = { what, from, until: performance.now() };
    faults.push(fault);
    console.error(`${what}: ${((fault.until - fault.from) / 1000).toFixed(1)} s`);
    await sleep((seconds * 1000) / 4);
    return fault;
  }

  await sleep((seconds * 1000) / 4);
  for (let count = 1; count <= options.processes; count++)
    await during(`replacing process ${count} of ${options.processes}`, bots.replaceOldest);
  const outage = await during('restarting Redis', async () => {
    await redis.stop();
    await redis.start();
  });
  const kill = await during('killing a process', async () => {
    bots.killOldest();
    await untilIdentified();
  });
  isEnding = true;
  await asking;
  for (const last = performance.now() + LAST_MS; performance.now() < last && records.some(({ doneAt }) => doneAt === null); )
    await sleep(200);

  const isLost = ({ failure, answeredAt, doneAt }: CommandRecord) => failure !== null || answeredAt === null || doneAt === null;
  const interrupted = ({ text }: CommandRecord) => /I restarted before/.test(text);
  const isIn = ({ askedAt }: CommandRecord, { from, until }: Fault) => askedAt > from - 3_000 && askedAt < until;
  const lost = records.filter(isLost);
  const inKill = lost.filter((one) => isIn(one, kill));
  const others = lost.filter((one) => !inKill.includes(one));
  const secondsHeard = ({ member, heardAs }: SaidText) => {
    const samples = (listeners.get(member)?.heard ?? []).filter((one) => one.number === heardAs);
    return samples.reduce((sum, { packets }) => sum + (packets * SAMPLE_EVERY) / 50, 0);
  };
  const twice = said.filter((one) => secondsHeard(one) > 1.1 * one.seconds + SAMPLE_SECONDS);
  const unheard = said.filter((one) => /Spoken \(/.test(one.record.text) && secondsHeard(one) < 0.9 * one.seconds - SAMPLE_SECONDS);
  const gap = bots.longestGap();
  const delays = records.flatMap(({ askedAt, answeredAt }) => (answeredAt === null ? [] : [answeredAt - askedAt]));
  const rows: [figure: string, value: number, atMost: number | null][] = [
    ['commands asked', records.length, null],
    ['texts spoken to their end', records.filter(({ text }) => /Spoken \(/.test(text)).length, null],
    ['commands lost', others.length, 0],
    ['commands lost between the kill and the identification of its shards', inKill.length, null],
    ['texts reported as lost because of the kill', records.filter(interrupted).length, null],
    [
      'refused in one sentence while Redis was restarted',
      records.filter((one) => isIn(one, outage) && /settings|store|save/i.test(one.text)).length,
      null,
    ],
    ['answered twice, or too late', bots.count(/an answer came too late/), 0],
    ['texts heard twice', twice.length, 0],
    ['texts reported as spoken that were not heard to their end', unheard.length, 0],
    ['seconds from the kill until all shards are identified again', (kill.until - kill.from) / 1000, BACK_MS / 1000],
    ['texts that waited in one process and were spoken by another', gap.count, null],
    ['longest silence before one of these, seconds', gap.ms / 1000, 10],
    ['time to the first answer, p99, ms', quantile(delays, 0.99), null],
    ['exit codes other than 0', bots.badExits(), 0],
  ];
  for (const [figure, value, atMost] of rows) {
    const aim = atMost === null ? '' : `  (at most ${atMost}: ${value <= atMost ? 'met' : 'MISSED'})`;
    console.log(`${figure.padEnd(72)} ${Number(value.toFixed(2))}${aim}`);
  }
  for (const { id, command, askedAt, failure, text } of others.slice(0, 10))
    console.log(`lost at ${((askedAt - begun) / 1000).toFixed(1)} s: ${command} ${id}, ${failure ?? text.slice(0, 100)}`);
  console.log(`the longest silence was in ${gap.guild}, before ${gap.command}`);
  for (const { what, from, until } of faults)
    console.log(`${((from - begun) / 1000).toFixed(1)} to ${((until - begun) / 1000).toFixed(1)} s: ${what}`);

  for (const member of members) member.close();
  await close();
  return rows.every(([, value, atMost]) => atMost === null || value <= atMost);
}

/** One in `SAMPLE_EVERY` of the packets with sound that it hears. */
function sampled({ onHeard }: SimulatedMember): SimulatedMember['onHeard'] {
  let count = 0;
  return (listener) =>
    onHeard((packet) => {
      if (packet.opus.length > 3 && count++ % SAMPLE_EVERY === 0) listener(packet);
    });
}
