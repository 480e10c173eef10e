// npm run bench:reading: from a message to its first sound, while more and more members write, next to a bot that just queues. Both have
// a local Discord of their own, the same messages at the same time, and the same voice service.
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { GatewayIntentBits } from 'discord.js';
import { type LocalDiscord, startLocalDiscord } from '../../src/local/discord/index.ts';
import { openSqliteStore } from '../../src/store/index.ts';
import { startArguments } from '../helpers/program.ts';
import { createRandom } from '../helpers/random.ts';
import { listenToTones, SKIPPED, startToneService, type ToneListener, type ToneService } from '../helpers/tone-service.ts';
import { endProcess, hasFfmpeg } from './processes.ts';
import { quantile, round, writeReport } from './report.ts';
import { startBot, within } from './say.ts';

/** As many as write, and how often each does, in seconds: one member leaves pauses, five fill the time, twenty write four times too much. */
const SCENES = [
  { writers: 1, every: 5 },
  { writers: 5, every: 12 },
  { writers: 20, every: 12 },
];
const SCENE_MS = 60_000;
/** What is heard later than this after the last message counts as never heard. */
const AFTERWARDS_MS = 45_000;
/** How long the service takes to answer. */
const FIRST_BYTE_MS = 200;
const USUAL_READER = [fileURLToPath(new URL('./usual-reader.ts', import.meta.url))];
const WORDS = 'so I think that we should really go there tomorrow if nobody minds and then have some of that cake'.split(' ');

interface Stand {
  write(writer: number, text: string): Promise<unknown>;
  listener: ToneListener;
  close(): Promise<void>;
}

interface Result {
  writers: number;
  bot: string;
  messages: number;
  heard: number;
  /** Seconds. */
  p50: number;
  p99: number;
}

const { values } = parseArgs({ options: { json: { type: 'string' } } });
const results: Result[] = [];
const folder = await mkdtemp(join(tmpdir(), 'parley-bench-reading-'));
const service = await startToneService({ voices: Array.from({ length: 24 }, (_, index) => `voice-${index}`), firstByteMs: FIRST_BYTE_MS });
try {
  for (const scene of SCENES) results.push(...(await play(scene)));
} finally {
  await service.close();
  await rm(folder, { recursive: true, force: true });
}
console.table(
  results.map(({ writers, bot, messages, heard, p50, p99 }) => ({ writers, bot, messages, heard, 'p50 (s)': p50, 'p99 (s)': p99 })),
);
await writeReport(values.json, { results });

async function play({ writers, every }: (typeof SCENES)[number]): Promise<Result[]> {
  console.error(`${writers} ${writers === 1 ? 'member writes' : 'members write'} for ${SCENE_MS / 1000} s`);
  const stands: Record<string, Stand> = { Parley: await openStand('Parley', startArguments, writers) };
  if (hasFfmpeg()) stands['usual bot'] = await openStand('usual bot', USUAL_READER, writers);
  const random = createRandom(writers);
  const count = Math.min(SKIPPED - 1, Math.round((SCENE_MS / 1000 / every) * writers));
  const plan = Array.from({ length: count }, (_, number) => ({
    at: random() * SCENE_MS,
    writer: number % writers,
    text: `${Array.from({ length: 3 + Math.floor(random() * 9) }, () => WORDS[Math.floor(random() * WORDS.length)]).join(' ')} ${number}`,
    number,
  })).sort((one, other) => one.at - other.at);
  const written = new Map<number, number>();
  const begun = performance.now();
  for (const { at, writer, text, number } of plan) {
    await sleep(Math.max(0, begun + at - performance.now()));
    written.set(number, performance.now());
    await Promise.all(Object.values(stands).map((stand) => stand.write(writer, text)));
  }
  await sleep(AFTERWARDS_MS);
  for (const stand of Object.values(stands)) await stand.close();
  return Object.entries(stands).map(([bot, { listener }]) => {
    const heard = listener.heard.filter(({ number, packets }) => written.has(number) && packets > 3);
    const seconds = heard.map(({ number, at }) => (at - (written.get(number) as number)) / 1000);
    return {
      writers,
      bot,
      messages: count,
      heard: heard.length,
      p50: round(quantile(seconds, 0.5), 3),
      p99: round(quantile(seconds, 0.99), 3),
    };
  });
}

async function openStand(who: string, args: string[], writers: number): Promise<Stand> {
  const discord = await startLocalDiscord({ members: Math.max(2, writers), privilegedIntents: GatewayIntentBits.MessageContent });
  const [text, lounge] = [discord.channelId('general'), discord.channelId('Lounge')];
  const dataDir = await mkdtemp(join(folder, 'bot-'));
  const listening = discord.member();
  const joined = listening.next('VOICE_STATE_UPDATE', ({ user_id }) => user_id === discord.application.id);
  await listening.call('join_voice', { channel_id: lounge });
  const listener = await listenToTones((onPacket) => listening.onHeard(onPacket));
  if (who === 'Parley') await haveRead(discord, dataDir, { text, lounge });
  const bot = await open(args, discord, service, dataDir, { READ_MESSAGES: 'on', TEXT_CHANNEL: text, VOICE_CHANNEL: lounge });
  await within(joined, 'the bot in the voice channel');
  const ids = [...discord.world.firstGuild.members.values()].filter(({ user }) => !user.bot).map(({ user }) => user.id);
  const clients = ids.map((id) => discord.member(id));
  return {
    write: async (writer, content) => clients[writer]?.call('send_message', { channel_id: text, content }),
    listener,
    async close() {
      await endProcess(bot);
      await discord.close();
    },
  };
}

/** As if a member had started it before. */
async function haveRead({ guildId, application }: LocalDiscord, dataDir: string, { text, lounge }: { text: string; lounge: string }) {
  const store = openSqliteStore(join(dataDir, 'parley.db'));
  await store.set(`reading:${guildId}`, [{ textChannelId: text, voiceChannelId: lounge, startedBy: application.id }]);
  await store.close();
}

async function open(
  args: string[],
  discord: LocalDiscord,
  { url, key }: ToneService,
  dataDir: string,
  env: Record<string, string>,
): Promise<ChildProcess> {
  try {
    return await startBot(args, discord, { url, key }, dataDir, env);
  } catch (error) {
    await discord.close();
    throw error;
  }
}
