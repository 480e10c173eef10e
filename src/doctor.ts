// `npm run doctor`: checks everything Parley needs and says what to do about each problem. With `-- --channel ID` it also joins that voice
// channel for a moment: the only way to see whether audio reaches Discord.
import { randomUUID } from 'node:crypto';
import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import {
  ApplicationFlags,
  ChannelType,
  Client,
  Events,
  GatewayIntentBits,
  type Guild,
  REST,
  type RESTGetAPIChannelResult,
  type RESTGetAPIGatewayBotResult,
  Routes,
  ShardClientUtil,
  SimpleShardingStrategy,
} from 'discord.js';
import { type Api, ApiError, type CallOptions, createApi, isNotFound, type VoiceModel } from './api/index.ts';
import { familyOf } from './api/models.ts';
import { orAborted } from './async/waiting.ts';
import { hasFfmpeg } from './audio/index.ts';
import { makeRequest, withFinalEnds } from './bot/client.ts';
import { explainGatewayClose, explainLoginError } from './bot/login-errors.ts';
import { type Config, ConfigError, explainFormerNames, loadEnvFile, readConfig, readsMessages } from './config.ts';
import { explainError } from './discord/errors.ts';
import { createInviteLink } from './discord/permissions.ts';
import { listMissingPermissions, nameInDiscord } from './discord/voice-channels.ts';
import { en } from './locales/index.ts';
import { openStore } from './open-store.ts';
import { explainMissingLocalDiscord, explainModelEnd, explainServiceError } from './startup-errors.ts';
import { openSession } from './voice-session/sessions.ts';
import { createJoinRateLimit } from './voice-session/voice-state-sender.ts';

export interface Finding {
  about: string;
  /** `note`: works, but may be worth knowing. */
  state: 'good' | 'note' | 'bad';
  /** What was found and, if it is bad, what to do. */
  text: string;
}

/** With fewer starts than this left today, a crash loop may have used them up. */
const FEW_STARTS = 50;
const FEW_BYTES = 100 * 1024 * 1024;
/** At most this many guilds are checked one by one. */
const MAX_GUILDS = 20;
/**
 * A bot that more users than this can see needs Discord's approval to read messages, renewed each year:
 * https://docs.discord.com/developers/gateway/getting-started-with-privileged-intent-review
 */
const USERS_FOR_APPROVAL = 10_000;
/** Milliseconds for each call to the service, while the operator is watching. */
const SERVICE_MS = 15_000;

/**
 * Checks everything and yields each finding as it comes. Never rejects.
 * @param channelId of a voice channel to join for a moment
 * @param serviceMs how long the voice service may take for each answer, in milliseconds
 */
export async function* examine(config: Config, channelId: string | null = null, serviceMs = SERVICE_MS): AsyncGenerator<Finding> {
  yield good('Node', process.version);
  yield await attempt('Store', () => examineStore(config));
  yield hasFfmpeg()
    ? good('ffmpeg', 'found: any format of the voice service can be played')
    : note('ffmpeg', 'not found, and not needed: MP3, WAV, PCM and Ogg/Opus are played without it');
  if (config.VOICE_API_URL && config.VOICE_API_KEY) yield* examineService(config.VOICE_API_URL, config.VOICE_API_KEY, config, serviceMs);
  else {
    yield note('Voice service', 'VOICE_API_URL is not set: the local voice service will be started');
    yield* examineEngines(config, serviceMs);
  }
  if (config.DISCORD_TOKEN) yield* examineDiscord(config, config.DISCORD_TOKEN, channelId);
  else yield await attempt('Discord', examineLocalDiscord);
}

const good = (about: string, text: string): Finding => ({ about, state: 'good', text });
const note = (about: string, text: string): Finding => ({ about, state: 'note', text });
const bad = (about: string, text: string): Finding => ({ about, state: 'bad', text });

function reasonOf(error: unknown): string {
  const sentence = explainError(error);
  if (sentence !== null) return toPlainText(sentence(en));
  return error instanceof Error ? error.message : String(error);
}

async function attempt(about: string, look: () => Promise<Finding>): Promise<Finding> {
  try {
    return await look();
  } catch (error) {
    return bad(about, reasonOf(error));
  }
}

async function examineLocalDiscord(): Promise<Finding> {
  await import('./local/discord/index.ts').catch((error) => {
    throw explainMissingLocalDiscord(error);
  });
  return note('Discord', 'DISCORD_TOKEN is not set: the local Discord will be started');
}

async function examineStore(config: Config): Promise<Finding> {
  const { DATA_DIR, CACHE_MB, REDIS_URL } = config;
  const key = `doctor:${randomUUID()}`;
  let disk: StatsFs;
  try {
    const store = await openStore(config, { isVisitor: true });
    try {
      await store.set(key, 'written');
      if ((await store.get(key)) !== 'written') throw new Error('what was written could not be read');
      await store.delete(key);
    } finally {
      await store.close();
    }
    disk = await statfs(DATA_DIR);
  } catch (error) {
    if (error instanceof ConfigError) return bad('Store', error.message);
    return bad(
      'Store',
      `DATA_DIR: ${DATA_DIR} cannot be used (${(error as Error).message}). Set DATA_DIR to a folder that I can write to.`,
    );
  }
  const free = disk.bavail * disk.bsize;
  const wanted = Math.max(FEW_BYTES, CACHE_MB * 1024 * 1024);
  const space = `${Math.floor(free / 1024 / 1024)} MB free`;
  return free < wanted
    ? note('Store', `works, but there is little space (${space}): free some, or lower CACHE_MB`)
    : good('Store', `${REDIS_URL ? `${new URL(REDIS_URL).host} and ${DATA_DIR}` : DATA_DIR} can be read and written (${space})`);
}

/** Findings about what a service lacks that only speaks. /v1/tts cannot be tried without spending credit. */
const lacking: Record<string, string> = {
  'Voice service':
    'answers and has no catalogue, so voices are told by their ids. If it should have one, check VOICE_API_URL; only /say shows whether it speaks',
  Credit: 'the voice service tells no balance',
};

async function* examineService(baseUrl: string, apiKey: string, config: Config, limitMs: number): AsyncGenerator<Finding> {
  const api = createApi({ baseUrl, apiKey, model: config.VOICE_MODEL, retries: { attempts: 1 } });
  /** How many calls at a time the service says that the account may have. */
  let allowed = null as number | null;
  api.followConcurrency((calls) => {
    allowed = calls;
  });
  /** Each call gets the whole time limit. */
  const ask = (about: string, look: (call: CallOptions) => Promise<Finding>) => {
    const signal = AbortSignal.timeout(limitMs);
    return attempt(about, () =>
      look({ signal }).catch((error: unknown) => {
        if (error instanceof ApiError && error.kind === 'unsupported') return note(about, lacking[about] ?? error.message);
        if (signal.aborted) return bad(about, `did not answer within ${limitMs / 1000} s: check VOICE_API_URL`);
        const sentence = explainServiceError(error, baseUrl);
        if (sentence !== null) return bad(about, sentence);
        throw error;
      }),
    );
  };
  try {
    const service = await ask('Voice service', async (call) => {
      const before = performance.now();
      const { total, items, isWindow } = await api.listModels({ pageSize: 100 }, call);
      const tookMs = Math.round(performance.now() - before);
      // As /voices counts them: those that can speak and that everybody may see, unless there are too many to look at.
      const isListed = ({ type, state, visibility }: VoiceModel) => type === 'tts' && state === 'trained' && visibility === 'public';
      const count = items.length < total ? total : items.filter(isListed).length;
      return good(
        'Voice service',
        [`answers in ${tookMs} ms`, `${count}${isWindow ? '+' : ''} voices`, ...describeCalls(allowed, config)].join('; '),
      );
    });
    yield service;
    const modelEnd = explainModelEnd(config);
    if (modelEnd !== null) yield note('Model', modelEnd);
    if (service.state === 'bad') {
      yield note('Credit', 'was not asked for, as the voice service cannot be used');
      return;
    }
    const { DEFAULT_VOICE } = config;
    // Without a catalogue, there is no address to ask.
    if (DEFAULT_VOICE !== undefined && service.state === 'good') yield await ask('Default voice', examineVoice(api, DEFAULT_VOICE));
    yield await ask('Credit', async (call) => {
      const { credit } = await api.getCredit(call);
      const isEmpty = !/[1-9]/.test(credit) || credit.trim().startsWith('-');
      if (!isEmpty) return good('Credit', `${credit} credit is left`);
      const advice = 'Top up the API credit at the voice service: a subscription there doesn’t cover it.';
      return familyOf(config.VOICE_MODEL) === 'free'
        ? note(
            'Credit',
            `${credit}: ${config.VOICE_MODEL} speaks without any, so speech is fine, but nothing can be transcribed. ${advice}`,
          )
        : bad('Credit', `${credit}: nothing is left. ${advice}`);
    });
  } finally {
    await api.close();
  }
}

function examineVoice(api: Pick<Api, 'getModel'>, id: string) {
  return async (call: CallOptions): Promise<Finding> => {
    const about = 'Default voice';
    try {
      const { title, type, state } = await api.getModel(id, call);
      return type === 'tts' && state === 'trained'
        ? good(about, title)
        : bad(about, `DEFAULT_VOICE: ${title} can’t speak. Set the id of another voice.`);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      return bad(about, 'DEFAULT_VOICE: the voice service has no voice with this id. Set another, or leave it empty.');
    }
  };
}

/** How many calls there may be at a time, if the service says so. */
function describeCalls(allowed: number | null, { VOICE_API_CONCURRENCY: most }: Config): string[] {
  if (allowed === null) return [];
  return [
    most === 'auto' || most >= allowed
      ? `${allowed} calls at a time`
      : `${most} of ${allowed} calls at a time, as VOICE_API_CONCURRENCY says`,
  ];
}

/** Checks the engines behind the local voice service, and loads the code for that only if any are set. */
async function* examineEngines(config: Config, limitMs: number): AsyncGenerator<Finding> {
  const { LOCAL_SPEECH_URL, LOCAL_SPEECH_KEY, LOCAL_TRANSCRIPTION_URL, LOCAL_TRANSCRIPTION_KEY } = config;
  if (!LOCAL_SPEECH_URL) {
    const { findEspeak } = await import('./local/voice-service/engines/index.ts');
    yield (await findEspeak())
      ? good('espeak-ng', 'found: German, Spanish, French, Italian, Japanese, Korean, Polish, Portuguese and Chinese are spoken, too')
      : note('espeak-ng', 'not found: the built-in voices speak only English. Install it for nine more languages, then restart Parley');
    yield await examineNaturalVoices(config);
  }
  if (!LOCAL_SPEECH_URL && !LOCAL_TRANSCRIPTION_URL) return;
  const { checkSpeechEngine, checkTranscriptionEngine } = await import('./local/voice-service/engines/index.ts');
  const waits = { firstMs: limitMs, nextMs: limitMs };
  if (LOCAL_SPEECH_URL)
    yield await attempt('Speech engine', async () => {
      const voices = await checkSpeechEngine({ url: LOCAL_SPEECH_URL, key: LOCAL_SPEECH_KEY }, waits);
      return good('Speech engine', `answers; ${voices} voices`);
    });
  if (LOCAL_TRANSCRIPTION_URL)
    yield await attempt('Transcription engine', async () => {
      await checkTranscriptionEngine({ url: LOCAL_TRANSCRIPTION_URL, key: LOCAL_TRANSCRIPTION_KEY }, waits);
      return good('Transcription engine', 'answers');
    });
}

async function examineNaturalVoices({ DATA_DIR, LOCAL_DEFAULT_ENGINE }: Config): Promise<Finding> {
  const about = 'Natural voices';
  const { folderIn, lookForNaturalVoices } = await import('./local/voice-service/index.ts');
  const { absence, speed, isPrompt } = await lookForNaturalVoices(folderIn(DATA_DIR));
  if (absence) return note(about, absence.text);
  if (!speed) return good(about, 'installed. How fast they are here is found out at the start, or with the first command');
  const took = `${speed.realTimeFactor.toFixed(1)} s for a second of speech`;
  if (!isPrompt) return note(about, `take ${took} here, so a simpler voice speaks unless a member chooses one of them`);
  if (LOCAL_DEFAULT_ENGINE === 'flite') return note(about, `take ${took} here; LOCAL_DEFAULT_ENGINE has a simpler voice speak`);
  return good(about, `take ${took} here${speed.keepsUp ? '' : ': short texts are spoken in one, longer ones in a simpler voice'}`);
}

async function* examineDiscord(config: Config, token: string, channelId: string | null): AsyncGenerator<Finding> {
  const apiUrl = config.DISCORD_API_URL ?? null;
  const rest = { makeRequest, retries: 1, ...(apiUrl ? { api: apiUrl } : {}) };
  let client: Client<true> | null = null;
  try {
    const shards = await chooseShards(new REST(rest).setToken(token), config, channelId);
    client = await logIn(
      new Client<true>({
        intents: [GatewayIntentBits.Guilds, GatewayIntentBits.GuildVoiceStates],
        rest,
        ws: { buildStrategy: (manager) => withFinalEnds(new SimpleShardingStrategy(manager)) },
        ...shards,
      }),
      token,
    );
  } catch (error) {
    const problem = explainLoginError(error, apiUrl);
    yield bad('Discord', problem instanceof ConfigError ? problem.message : `the gateway did not let me in: ${(problem as Error).message}`);
    return;
  }
  try {
    yield good('Discord', `the token belongs to ${client.user.username}`);
    yield examineMessageAccess(client, readsMessages(config));
    yield await attempt('Gateway', async () => {
      const { session_start_limit: starts } = (await client.rest.get(Routes.gatewayBot())) as RESTGetAPIGatewayBotResult;
      const text = `${starts.remaining} of ${starts.total} starts left for today`;
      return starts.remaining < FEW_STARTS ? note('Gateway', `${text}: does it keep restarting?`) : good('Gateway', text);
    });
    yield* examineGuilds(client, config);
    yield channelId === null
      ? note('Sound', 'not tried: `npm run doctor -- --channel ID` joins that voice channel for a moment')
      : await attempt('Sound', () => examineSound(client, channelId));
  } finally {
    await client.destroy();
  }
}

/** Each shard costs one of the day's starts, so only the first is opened, and those of the servers that are named. */
async function chooseShards(rest: REST, config: Config, channelId: string | null): Promise<{ shards: number[]; shardCount: number }> {
  const { shards: recommended } = (await rest.get(Routes.gatewayBot())) as RESTGetAPIGatewayBotResult;
  const shardCount = config.SHARD_COUNT === 'auto' ? recommended : config.SHARD_COUNT;
  const channel = channelId && ((await rest.get(Routes.channel(channelId)).catch(() => null)) as RESTGetAPIChannelResult | null);
  const guildIds = [config.DISCORD_GUILD_ID, channel && 'guild_id' in channel ? channel.guild_id : undefined];
  const named = guildIds.flatMap((id) => (id === undefined ? [] : [ShardClientUtil.shardIdForGuildId(id, shardCount)]));
  return { shards: [...new Set([0, ...named])], shardCount };
}

/** @throws what `explainLoginError` explains; the client is then destroyed */
async function logIn(client: Client<true>, token: string): Promise<Client<true>> {
  client.on(Events.Error, () => {});
  const lost = new AbortController();
  client.once(Events.ShardDisconnect, ({ code }) => lost.abort(new ConfigError(explainGatewayClose(code))));
  const ready = new Promise<Client<true>>((resolve) => client.once(Events.ClientReady, resolve));
  try {
    await orAborted(client.login(token), lost.signal);
    return await orAborted(ready, lost.signal);
  } catch (error) {
    await client.destroy();
    throw error;
  }
}

function examineMessageAccess(client: Client<true>, isWanted: boolean): Finding {
  const about = 'Messages';
  const { flags } = client.application;
  if (!isWanted) return good(about, 'no privileged intent is needed; READ_MESSAGES=on would let me read channels aloud');
  if (flags?.has(ApplicationFlags.GatewayMessageContent))
    return good(about, 'I can read them, as READ_MESSAGES asks, with Discord’s approval: renew it each year in the developer portal');
  // Applications that Discord has not approved have the "limited" flag.
  if (!flags?.has(ApplicationFlags.GatewayMessageContentLimited))
    return bad(about, 'READ_MESSAGES is on, but "Message Content Intent" is off. Turn it on on the Bot page of the developer portal.');
  // An estimate: Discord counts members of several servers once, and other shards are unknown here.
  const knownMembers = client.guilds.cache.reduce((sum, { memberCount }) => sum + memberCount, 0);
  const users = Math.round((knownMembers * (client.options.shardCount ?? 1)) / client.ws.shards.size);
  const rule = `from ${USERS_FOR_APPROVAL.toLocaleString('en')} users on, Discord has to approve that`;
  if (users < USERS_FOR_APPROVAL)
    return good(about, `I can read them, as READ_MESSAGES asks; ${rule} (now about ${users.toLocaleString('en')})`);
  return note(
    about,
    `I can read them, but about ${users.toLocaleString('en')} users can see me, and ${rule}: apply in the developer portal`,
  );
}

function* examineGuilds(client: Client<true>, config: Config): Generator<Finding> {
  const wanted = config.DISCORD_GUILD_ID ?? null;
  const invite = createInviteLink(client.application.id, { readsMessages: readsMessages(config) });
  if (client.guilds.cache.size === 0) yield bad('Servers', `I am not in any. Open ${invite} and choose yours.`);
  if (wanted !== null && !client.guilds.cache.has(wanted))
    yield bad('Servers', `DISCORD_GUILD_ID: I am not in that server. Open ${invite} and choose it, or set another id.`);
  for (const guild of [...client.guilds.cache.values()].slice(0, MAX_GUILDS)) yield examineGuild(guild, invite);
  const more = client.guilds.cache.size - MAX_GUILDS;
  if (more > 0) yield note('Servers', `${more} more were not checked`);
}

function examineGuild(guild: Guild, invite: string): Finding {
  const about = `Server ${guild.id}`;
  const { me } = guild.members;
  const channels = guild.channels.cache.filter((channel) => channel.type === ChannelType.GuildVoice);
  const closed = me ? channels.filter((channel) => listMissingPermissions(channel, me).length > 0) : channels;
  if (channels.size === 0) return note(about, 'has no voice channel that I can see');
  if (closed.size === channels.size)
    return bad(
      about,
      `I can’t speak in any of its ${channels.size} voice channels. Ask an admin to open ${invite} again, or to allow me there.`,
    );
  return closed.size > 0
    ? note(about, `I can speak in ${channels.size - closed.size} of ${channels.size} voice channels`)
    : good(about, `I can speak in all of its ${channels.size} voice channels`);
}

/**
 * Tries the voice gateway, UDP in both directions (Discord returns our own address over it) and the encrypted group. To Discord, a running
 * Parley is the same member, who can be in only one voice channel of a guild, and it must not be pulled out of its own.
 */
async function examineSound(client: Client<true>, channelId: string): Promise<Finding> {
  const channel = await client.channels.fetch(channelId).catch(() => null);
  if (channel?.type !== ChannelType.GuildVoice)
    return bad('Sound', `${channelId} is not a voice channel that I can see. Copy the id of one that is.`);
  const missing = channel.guild.members.me ? listMissingPermissions(channel, channel.guild.members.me) : [];
  if (missing.length > 0)
    return bad('Sound', `I need ${nameInDiscord(missing, en).join(' and ')} in channel ${channelId}. Ask an admin to allow that.`);
  if (channel.guild.members.me?.voice.channelId)
    return note(
      'Sound',
      'not tried: I am in a voice channel of that server already, and would be pulled out of it. Try again when I have left, or name a channel of another server.',
    );
  const before = performance.now();
  // Not createSessions, which after a gateway outage leaves channels it does not know.
  const session = openSession(channel, { idleMs: 60_000, aloneMs: 60_000, rateLimit: createJoinRateLimit() }, () => {});
  client.on(Events.VoiceStateUpdate, (_, state) => state.guild.id === channel.guildId && session.handleVoiceState(state));
  try {
    await session.ready;
    return good('Sound', `voice gateway, UDP and encryption work (${Math.round(performance.now() - before)} ms)`);
  } catch (error) {
    return bad('Sound', `${reasonOf(error)} If no channel works: does the firewall allow outgoing UDP to ports 50000 and up?`);
  } finally {
    // Ending this gateway session leaves the channel it joined. Asking to leave could hit a channel that the running Parley has joined
    // meanwhile, so the gateway is closed first.
    await client.destroy();
    session.close();
  }
}

const MARKS = { good: '✓', note: '·', bad: '✗' } as const;

/** Prints the findings; the exit code is 1 if any of them is bad. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { channel: { type: 'string' } } });
  loadEnvFile();
  const config = readConfig();
  const print = ({ about, state, text }: Finding) => console.log(`${MARKS[state]} ${about}: ${text}`);
  for (const sentence of explainFormerNames()) print(note('Settings', sentence));
  for await (const finding of examine(config, values.channel ?? null)) {
    print(finding);
    if (finding.state === 'bad') process.exitCode = 1;
  }
}

if (import.meta.main) {
  await main().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  });
}

// Turns sentences written for Discord into plain text for a terminal.

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;
const relative = new Intl.RelativeTimeFormat('en');

/** One line without any markup of Discord's. @param now milliseconds since 1970 */
export function toPlainText(markdown: string, now = Date.now()): string {
  return markdown
    .replace(/<t:(-?\d+)(?::[a-zA-Z])?>/g, (_, seconds) => fromNow(Number(seconds) - now / 1000))
    .replace(/<#(\d+)>/g, 'channel $1')
    .replace(/<@&(\d+)>/g, 'role $1')
    .replace(/<@!?(\d+)>/g, 'user $1')
    .replace(/<\/([^:<>]+):\d+>/g, '/$1')
    .replace(/\[([^[\]]+)\]\(<?(https?:[^)>]+)>?\)/g, '$1 ($2)')
    .replace(/\\([!-/:-@[-`{-~])|^-# |[`*]|\|\|/gm, (_, escaped?: string) => escaped ?? '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** @param seconds from now; negative ones are in the past */
function fromNow(seconds: number): string {
  const whole = Math.round(seconds);
  const [unit, size] = UNITS.find(([, unitSize]) => Math.abs(whole) >= unitSize) ?? ['second', 1];
  return relative.format(Math.round(whole / size), unit);
}
