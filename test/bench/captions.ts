// What captions take, from the members' packets to their words: over the local Discord, with recorded speech, and a voice service that answers
// at once. npm run bench:captions [-- --only time,cpu,bot,words] [--rounds 2] [--json FILE]; about fifteen minutes. Nothing in it is random.

import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createApi } from '../../src/api/index.ts';
import { packetsToOgg } from '../../src/audio/index.ts';
import { type LocalDiscord, type MemberClient, startLocalDiscord } from '../../src/local/discord/index.ts';
import { saySpeech } from '../../src/local/discord/member/speech.ts';
import type { SpeakerFaults } from '../../src/local/discord/voice/types.ts';
import { toPackets } from '../helpers/sound.ts';
import { countWordErrors, librivoxRecordings, RATE, wordsOf } from '../helpers/speech.ts';
import { builtInEngines, startTestVoiceService } from '../helpers/voice-service.ts';
import type { Order, Report } from './captioner-process.ts';
import { openCaptioningBot } from './captioning-bot.ts';
import { interval } from './interval.ts';
import { ask, endProcess, startProcess } from './processes.ts';
import { describeMachine, quantile, round, writeReport } from './report.ts';
import { shortMp3 } from './sounds.ts';
import { startSteadyService } from './steady-service.ts';

const { values: options } = parseArgs({
  options: { only: { type: 'string', default: 'time,cpu,bot,words' }, rounds: { type: 'string', default: '2' }, json: { type: 'string' } },
});

const SPEAKERS = [1, 4, 8];
const BAD_NETWORK: SpeakerFaults = { seed: 1, loss: 0.1, jitterMs: 40 };
/** Milliseconds between what one member says and what they say next. */
const PAUSE_MS = 1500;
/** Until everything has been delivered. */
const SETTLE_MS = 3000;
/** Members who speak in the bot's channel, and how often /say is used with them and without. */
const BOT_SPEAKERS = 4;
const SAY_ROUNDS = 20;
/** Milliseconds after the last word of a clip in which no line of the next one can be there. */
const LAST_LINE_MS = 3200;
/** Speech is louder. */
const LOUD = 0.02;
/** What a caption's times may differ from those of its speech. */
const TOLERANCE_MS = 700;

interface Clip {
  text: string;
  wav: Uint8Array;
  packets: Uint8Array[];
  /** Milliseconds from the beginning to the end of the last word. */
  lastWordMs: number;
  ms: number;
}

interface Said {
  userId: string;
  clip: Clip;
  /** Milliseconds since 1970. */
  at: number;
}

const clips: Clip[] = await Promise.all(
  librivoxRecordings().map(async ({ audio, speech, text }) => {
    const lastLoud = speech.findLastIndex((sample) => Math.abs(sample) > LOUD);
    const [packets, lastWordMs, ms] = [await toPackets(speech), (lastLoud / RATE) * 1000, (speech.length / RATE) * 1000];
    return { text, wav: audio, packets, lastWordMs, ms };
  }),
);

interface Stage {
  /** Has so many members speak, one clip after the other, each beginning with another. */
  speak(speakers: number, rounds: number, faults: SpeakerFaults | null): Promise<{ said: Said[]; report: Report }>;
  /** Whether the captioner calls the service, or answers itself without a word. */
  makeCalls(made: boolean): Promise<void>;
  /** How much CPU is used while nobody speaks, in ms per second: connected, and hearing. */
  idle(): Promise<number>;
  close(): Promise<void>;
}

async function openStage(service: { url: string; key: string }): Promise<Stage> {
  const discord = await startLocalDiscord({ members: Math.max(...SPEAKERS) + 1 });
  const child = startProcess('./captioner-process.ts');
  const order = (one: Order) => ask<Report>(child, one);
  const members = await join(discord);
  const channelId = discord.channelId('Lounge');
  const { apiUrl, certificate, application } = discord;
  await order({ order: 'begin', apiUrl, certificate, token: application.token, channelId, service });
  return {
    async speak(speakers, rounds, faults) {
      const speaking = members.slice(0, speakers);
      for (const { userId } of speaking) {
        if (faults) discord.voice.faults.speakers.set(userId, { ...faults });
        else discord.voice.faults.speakers.delete(userId);
      }
      await order({ order: 'report' });
      const said = await sayClips(speaking, rounds);
      await sleep(SETTLE_MS);
      return { said, report: await order({ order: 'report' }) };
    },
    async makeCalls(made) {
      await order({ order: 'calls', made });
    },
    async idle() {
      await order({ order: 'report' });
      await sleep(5000);
      const { cpu, seconds } = await order({ order: 'report' });
      return cpu.bot / seconds;
    },
    async close() {
      await endProcess(child);
      await discord.close();
    },
  };
}

async function sayClips(members: readonly MemberClient[], rounds: number, signal?: AbortSignal): Promise<Said[]> {
  const said = await Promise.all(
    members.map(async (member, number) => {
      const all: Said[] = [];
      // They don't begin at the same instant.
      await sleep(number * 370);
      for (let turn = 0; turn < rounds * clips.length && !signal?.aborted; turn++) {
        const clip = clips[(turn + number) % clips.length] as Clip;
        all.push({ userId: member.userId, clip, at: now() });
        await saySpeech(member.microphone, clip.packets, signal ? { signal } : {});
        await sleep(PAUSE_MS);
      }
      return all;
    }),
  );
  return said.flat();
}

async function join(discord: LocalDiscord): Promise<MemberClient[]> {
  const ids = [...(discord.world.guilds.get(discord.guildId)?.members.keys() ?? [])].filter((id) => id !== discord.application.id);
  const members = ids.slice(0, Math.max(...SPEAKERS)).map((id) => discord.member(id));
  for (const member of members) await member.call('join_voice', { channel_id: discord.channelId('Lounge') });
  return members;
}

/** The captions of what was said; the reader pauses within a clip, so there may be several. */
function captionsOf({ userId, clip, at }: Said, { captions }: Report) {
  return captions.filter(
    (caption) => caption.userId === userId && caption.startedAt > at - TOLERANCE_MS && caption.endedAt < at + clip.ms + TOLERANCE_MS,
  );
}

const now = () => performance.timeOrigin + performance.now();

const figure = (values: number[], share: number) => round(quantile(values, share), 3);

const met = (values: number[], share: number, most: number) =>
  `${figure(values, share)} ms, at most ${most}: ${quantile(values, share) <= most ? 'met' : 'missed'}`;

async function measureTime() {
  const service = await startSteadyService(await shortMp3(0.4));
  const stage = await openStage(service);
  const rows: Record<string, string | number>[] = [];
  const all = { calls: [] as number[], words: [] as number[] };
  try {
    console.error('warming up');
    await stage.speak(2, 1, null);
    const idle = await stage.idle();
    for (const speakers of SPEAKERS) {
      for (const faults of [null, BAD_NETWORK]) {
        console.error(`${speakers} speakers, ${faults ? 'a bad network' : 'a good network'}`);
        const rounds = Number(options.rounds) * (speakers === 1 ? 2 : 1);
        const { said, report } = await stage.speak(speakers, rounds, faults);
        const delays = said.map((one) => Math.max(...captionsOf(one, report).map(({ at }) => at)) - one.at - one.clip.lastWordMs);
        const words = delays.filter(Number.isFinite);
        all.calls.push(...report.callDelays);
        all.words.push(...words);
        const spoken = said.reduce((sum, { clip }) => sum + clip.ms / 1000, 0);
        rows.push({
          speakers,
          network: faults ? '10 % lost, 40 ms jitter' : 'good',
          'clips, without a caption': `${said.length}, ${said.length - words.length}`,
          'decision → call, ms, p50': figure(report.callDelays, 0.5),
          p99: figure(report.callDelays, 0.99),
          'last word → words, ms, p50': figure(words, 0.5),
          'p99 ': figure(words, 0.99),
          'CPU, ms/s: bot': round((report.cpu.bot - idle * report.seconds) / spoken, 3),
          'finding speech': round(report.cpu.speechFinder / spoken, 3),
          'memory, MB: bot': Math.round(report.memory.bot),
          'finding speech ': Math.round(report.memory.speechFinder),
          concealed: `${round((100 * report.lost) / (report.lost + report.heard), 3)} %`,
          problems: report.problems.length,
        });
        for (const problem of new Set(report.problems)) console.error(`  ${problem}`);
      }
    }
    console.log('From packets to words. CPU is for each second of each speaker.');
    console.table(rows);
    console.log(`decision → call: p50 ${met(all.calls, 0.5, 50)}; p99 ${met(all.calls, 0.99, 150)}`);
    console.log(`last word → words: p50 ${met(all.words, 0.5, 1500)}; p99 ${met(all.words, 0.99, 2500)}`);
  } finally {
    await stage.close();
    await service.close();
  }
  return rows;
}

/**
 * The captioner's CPU for each second of each speaker: the whole process, garbage collection and the system's part included, beyond what it
 * uses while nobody speaks. It writes no messages and speaks no announcement. What calls cost is the difference that they make.
 */
async function measureCpu() {
  const service = await startSteadyService(await shortMp3(0.4));
  const stage = await openStage(service);
  const rows: Record<string, string | number>[] = [];
  try {
    console.error('warming up');
    await stage.speak(BOT_SPEAKERS, Number(options.rounds), null);
    const idle = await stage.idle();
    for (const speakers of SPEAKERS) {
      const measure = async (made: boolean) => {
        console.error(`${speakers} speakers, ${made ? 'with' : 'without'} calls`);
        await stage.makeCalls(made);
        const { said, report } = await stage.speak(speakers, Number(options.rounds), null);
        const spoken = said.reduce((sum, { clip }) => sum + clip.ms / 1000, 0);
        for (const problem of new Set(report.problems)) console.error(`  ${problem}`);
        return { bot: (report.cpu.bot - idle * report.seconds) / spoken, finder: report.cpu.speechFinder / spoken };
      };
      const [alone, withCalls] = [await measure(false), await measure(true)];
      rows.push({
        speakers,
        'receiving, ms/s': round(alone.bot, 3),
        'calls, ms/s': round(withCalls.bot - alone.bot, 3),
        'finding speech, ms/s': round(alone.finder, 3),
        'aim: 6, 15': alone.bot <= 6 && alone.finder <= 15 ? 'met' : 'missed',
        load: describeMachine().load,
      });
    }
    console.log(`CPU for each second of each speaker, beyond ${round(idle, 3)} ms/s while nobody speaks`);
    console.table(rows);
  } finally {
    await stage.close();
    await service.close();
  }
  return rows;
}

/** What a member sees in the channel, and whether /say begins as soon as without captions. */
async function measureBot() {
  const service = await startSteadyService(await shortMp3(0.4));
  const bot = await openCaptioningBot(service, BOT_SPEAKERS);
  const { world, guildId, voice } = bot.discord;
  const nameOf = (userId: string) => {
    const member = world.guilds.get(guildId)?.members.get(userId);
    return member?.nick ?? member?.user.global_name ?? member?.user.username ?? '';
  };
  const timesOfSay = async () => {
    const times: number[] = [];
    for (let round = -2; round < SAY_ROUNDS; round++) {
      const time = await bot.say();
      if (round >= 0) times.push(time);
    }
    return times;
  };
  const rows: Record<string, string | number>[] = [];
  try {
    console.error('/say alone');
    const alone = await timesOfSay();
    await bot.start();
    for (const speakers of [1, BOT_SPEAKERS]) {
      for (const faults of [null, BAD_NETWORK]) {
        console.error(`in the channel: ${speakers} speakers, ${faults ? 'a bad network' : 'a good network'}`);
        for (const { userId } of bot.members) {
          if (faults) voice.faults.speakers.set(userId, { ...faults });
          else voice.faults.speakers.delete(userId);
        }
        const said = await sayClips(bot.members.slice(0, speakers), Number(options.rounds));
        await sleep(SETTLE_MS);
        const delays = said.map(({ userId, clip, at }) => {
          const lastWordAt = at + clip.lastWordMs;
          const shown = bot.lines.filter(
            (line) => line.name === nameOf(userId) && line.at > lastWordAt && line.at < lastWordAt + LAST_LINE_MS,
          );
          return Math.max(...shown.map((line) => line.at)) - lastWordAt;
        });
        const seen = delays.filter(Number.isFinite);
        rows.push({
          speakers,
          network: faults ? '10 % lost, 40 ms jitter' : 'good',
          'clips, without a line': `${said.length}, ${said.length - seen.length}`,
          'last word → its line, ms, p50': figure(seen, 0.5),
          p99: figure(seen, 0.99),
          aim: `1500, 2500: ${quantile(seen, 0.5) <= 1500 && quantile(seen, 0.99) <= 2500 ? 'met' : 'missed'}`,
        });
      }
    }
    console.error('/say while members are captioned');
    for (const { userId } of bot.members) voice.faults.speakers.delete(userId);
    const speaking = new AbortController();
    const spoken = sayClips(bot.members, 1000, speaking.signal);
    const beside = await timesOfSay();
    speaking.abort();
    await spoken;
    console.log('As members see them');
    console.table(rows);
    for (const [share, most] of [
      [0.5, 5],
      [0.99, 20],
    ] as const) {
      const more = [quantile(beside, share) - quantile(alone, share)];
      console.log(`/say, first byte → first packet, p${share * 100}: ${figure(alone, share)} ms alone; more by ${met(more, 0.5, most)}`);
    }
    return { rows, alone, beside };
  } finally {
    await bot.close();
    await service.close();
  }
}

/** The local recogniser: through captions, and the same recordings sent as files. */
async function measureWords() {
  const service = await startTestVoiceService({ engines: builtInEngines() });
  const { key } = service;
  const api = createApi({ baseUrl: service.url, apiKey: key });
  const stage = await openStage({ url: service.url, key });
  const rows: Record<string, string | number>[] = [];
  const add = (how: string, heard: { text: string; words: string }[]) => {
    const words = heard.reduce((sum, { text }) => sum + wordsOf(text).length, 0);
    const errors = heard.reduce((sum, one) => sum + countWordErrors(wordsOf(one.text), wordsOf(one.words)), 0);
    rows.push({ how, words, errors, 'of 100': round((100 * errors) / words, 3), '95 %': interval(errors, words) });
  };
  try {
    const asFiles = async (audioOf: (clip: Clip) => Uint8Array) => {
      const heard: { text: string; words: string }[] = [];
      for (const clip of clips) heard.push({ text: clip.text, words: (await api.transcribe({ audio: audioOf(clip) })).text });
      return heard;
    };
    add('WAV files', await asFiles(({ wav }) => wav));
    add('Ogg/Opus files', await asFiles(({ packets }) => packetsToOgg(packets)));
    for (const [how, faults] of [
      ['captions', null],
      ['captions, 10 % lost, 40 ms jitter', BAD_NETWORK],
    ] as const) {
      const { said, report } = await stage.speak(1, Number(options.rounds), faults);
      add(
        how,
        said.map((one) => ({
          text: one.clip.text,
          words: captionsOf(one, report)
            .map(({ text }) => text)
            .join(' '),
        })),
      );
      for (const problem of new Set(report.problems)) console.error(`  ${problem}`);
    }
    console.log('Words wrong with the built-in recogniser, with 95 % intervals');
    console.table(rows);
  } finally {
    await stage.close();
    await api.close();
    await service.close();
    await builtInEngines().close();
  }
  return rows;
}

const { processor, cores, load, node } = describeMachine();
console.error(`${cores} cores of ${processor}, load ${load}, Node ${node}.`);
const asked = options.only.split(',');
const time = asked.includes('time') ? await measureTime() : [];
const cpu = asked.includes('cpu') ? await measureCpu() : [];
const bot = asked.includes('bot') ? await measureBot() : null;
const words = asked.includes('words') ? await measureWords() : [];
await writeReport(options.json, { time, cpu, bot, words });
