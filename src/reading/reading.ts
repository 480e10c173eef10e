// Reading aloud: speaks the messages of a text channel in a voice channel, each author in their own voice, and never late.
//
//   guild-reader.ts    the messages of one guild, from their arrival to their end: what is read next, and what is skipped
//   intake.ts          from a message to its words and voice, and whose messages are read
//   message-text.ts    what is heard of a message
//   queued-message.ts  in which words it is read when its turn comes
//   backlog.ts         how to keep up, by how long a text takes
//   presence.ts        when the bot is in the voice channel
//   notices.ts         what its channel is told: what is not heard, and what fails
import { isDeepStrictEqual } from 'node:util';
import { type Channel, Events, type Guild, type Message, type PartialMessage, type VoiceState } from 'discord.js';
import { createInTurn, createOnceEach, createUnderWay, type InTurn } from '../async/waiting.ts';
import { describeError } from '../discord/errors.ts';
import { createNotices } from '../discord/notices.ts';
import { listenersIn } from '../discord/voice-channels.ts';
import { startDetector } from '../text/language.ts';
import { createSpeechRateEstimator } from './backlog.ts';
import type { ReadingContext, ReadingOptions } from './context.ts';
import { createGuildReader, type GuildReader } from './guild-reader.ts';
import { createBudgetWatch, createMarkUnheard } from './notices.ts';
import { createPersistedChannels, NO_SILENCE, type Silence } from './persisted-channels.ts';
import { createReadsOnce } from './read-once.ts';
import type { ReadChannel, Reading, ReadingStatus, ReadOf } from './types.ts';
import { createVoicePool } from './voice-pool.ts';

export type { Reading } from './types.ts';

/** What is read in a guild, and the reader that does it. */
interface ReadGuild {
  /** Channels that members have had read, from the store. */
  started: ReadChannel[];
  /** Channels that are always read, according to the server's settings. */
  always: ReadChannel[];
  /** Ids of text channels in `always` that are stopped until everybody has left. */
  stopped: Set<string>;
  /** What is silent, as stored, and the write in progress. */
  silence: Silence;
  saving: Promise<void>;
  inTurn: InTurn;
  reader: GuildReader;
}

/**
 * Reads channels aloud. It listens to the client's events at once, and is given messages, but reads nothing before `begin` has loaded which
 * channels are read. After `endSoon` it reads nothing new; `close`, to be called once the voice sessions are closed, removes the listeners from the client.
 */
export function createReading(options: ReadingOptions): Reading {
  const { client, settings, store, log, speech } = options;
  const notices = createNotices(options);
  const context: ReadingContext = {
    ...options,
    ownId: () => client.user.id,
    speechRate: createSpeechRateEstimator(),
    pool: createVoicePool(options),
    notices,
    markUnheard: createMarkUnheard(client, log),
    watchBudget: createBudgetWatch({ ...options, notices }),
  };
  const once = createReadsOnce(context);
  const persisted = createPersistedChannels(store);
  const guilds = new Map<string, ReadGuild>();
  const isNew = createOnceEach();
  /** Nothing new is read, but what is being read is finished. */
  let isEnding = false;
  const loads = createUnderWay();

  function open(guild: Guild): ReadGuild {
    const existing = guilds.get(guild.id);
    if (existing) return existing;
    // Started now, because the first message should be heard at once.
    startDetector();
    const reader = createGuildReader(guild, context, () => channelsOf(guild.id));
    const readGuild: ReadGuild = {
      started: [],
      always: [],
      stopped: new Set(),
      silence: NO_SILENCE,
      saving: Promise.resolve(),
      inTurn: createInTurn(),
      reader,
    };
    // While nothing is read anywhere, nobody needs to know who comes and goes.
    if (guilds.size === 0) client.on(Events.VoiceStateUpdate, onVoiceState);
    guilds.set(guild.id, readGuild);
    return readGuild;
  }

  function channelsOf(guildId: string): ReadChannel[] {
    const guild = guilds.get(guildId);
    if (!guild) return [];
    const { cache } = guild.reader.guild.channels;
    // Channels may be deleted while nobody notices. Archived threads are missing, too, and are there again with their next message.
    const isThere = ({ textChannelId, voiceChannelId }: ReadChannel) => cache.has(textChannelId) && cache.has(voiceChannelId);
    const isStarted = (id: string) => guild.started.some(({ textChannelId }) => textChannelId === id);
    const always = guild.always.filter(({ textChannelId }) => !isStarted(textChannelId) && !guild.stopped.has(textChannelId));
    return [...guild.started, ...always].filter(isThere);
  }

  const load = (guild: Guild) => loads.add(loadGuild(guild));

  /** What the store says about a guild; reads again if something was changed here meanwhile. @throws StoreError */
  async function readUnchanged(guildId: string) {
    for (;;) {
      const saving = guilds.get(guildId)?.saving;
      await saving;
      const stored = await Promise.all([persisted.load(guildId), settings.guild(guildId)]);
      if (guilds.get(guildId)?.saving === saving) return stored;
    }
  }

  /** Loads from the store which channels are read in this guild. Failures are logged. */
  async function loadGuild(guild: Guild): Promise<void> {
    if (!options.canRead()) return;
    try {
      const [{ channels, silence }, { reading }] = await readUnchanged(guild.id);
      if (isEnding || (channels.length === 0 && reading.always.length === 0 && !guilds.has(guild.id))) return;
      const loaded = open(guild);
      loaded.silence = silence;
      loaded.stopped = new Set(silence.stopped);
      loaded.reader.presence.pause(silence.pausedBy);
      setChannels(loaded, channels, reading.always);
    } catch (error) {
      log.warn({ guild: guild.id, ...describeError(error) }, 'could not load which channels are read aloud in a guild');
    }
  }

  async function loadAll(): Promise<void> {
    for (const guild of [...client.guilds.cache.values()]) {
      await loadGuild(guild);
      await persisted.noteStarters(guild.id, guilds.get(guild.id)?.started ?? []).catch((error: unknown) => {
        log.warn({ guild: guild.id, ...describeError(error) }, 'could not note who has started reading in a guild');
      });
    }
  }

  /** Takes over these channels, and ends what is no longer read. */
  function setChannels(readGuild: ReadGuild, started: ReadChannel[], always: Omit<ReadChannel, 'startedBy'>[]): void {
    const { guild, presence } = readGuild.reader;
    const before = channelsOf(guild.id);
    readGuild.started = started;
    readGuild.always = always.map((channel) => ({ ...channel, startedBy: null }));
    const now = presence.pausedBy === null ? channelsOf(guild.id) : [];
    const ended = before.filter((channel) => !now.some((other) => isSame(channel, other)));
    for (const channel of ended) readGuild.reader.removeAll(channel);
    review(readGuild);
  }

  /** Call when somebody has moved, and when the channels that are read have changed. */
  function review(readGuild: ReadGuild): void {
    const { guild, presence } = readGuild.reader;
    if (isEnding) presence.noticeDisconnect();
    else presence.review();
    for (const id of readGuild.stopped) {
      const channel = readGuild.always.find(({ textChannelId }) => textChannelId === id);
      if (!channel || listenersIn(guild, channel.voiceChannelId).length === 0) readGuild.stopped.delete(id);
    }
    void keepSilence(readGuild);
  }

  /** Stores for the next process what is silent until everybody has left. Failures are logged. */
  function keepSilence(readGuild: ReadGuild): Promise<void> {
    readGuild.saving = readGuild.inTurn(async () => {
      const { guild, presence } = readGuild.reader;
      const silence = { pausedBy: presence.pausedBy, stopped: [...readGuild.stopped] };
      if (isDeepStrictEqual(silence, readGuild.silence)) return;
      try {
        await persisted.saveSilence(guild.id, silence);
        readGuild.silence = silence;
      } catch (error) {
        log.warn({ guild: guild.id, ...describeError(error) }, 'could not save that reading is paused in a guild');
      }
    });
    return readGuild.saving;
  }

  const endHere = (guildId: string, target: ReadOf) => guilds.get(guildId)?.reader.removeAll(target) ?? 0;

  /** Ends what another process, which may not answer, still reads. */
  async function endElsewhere(guildId: string, targets: readonly ReadOf[]): Promise<number> {
    try {
      return (await options.endElsewhere?.(guildId, targets)) ?? 0;
    } catch (error) {
      log.warn({ guild: guildId, ...describeError(error) }, 'could not tell another process to stop reading');
      return 0;
    }
  }

  function status(guildId: string): ReadingStatus {
    const readGuild = guilds.get(guildId);
    if (!readGuild) return IDLE;
    const channels = channelsOf(guildId);
    const stopped = readGuild.always.filter(
      (channel) => readGuild.stopped.has(channel.textChannelId) && !channels.some((other) => isSame(channel, other)),
    );
    return { ...readGuild.reader.status(), channels, stopped, pausedBy: readGuild.reader.presence.pausedBy };
  }

  function find(message: { guildId: string | null; channelId: string }): { reader: GuildReader; channel: ReadChannel } | null {
    const guild = guilds.get(message.guildId ?? '');
    const channel = guild && channelsOf(message.guildId ?? '').find(({ textChannelId }) => textChannelId === message.channelId);
    return channel ? { reader: guild.reader, channel } : null;
  }

  function handleMessage(message: Message, age: number): void {
    const route = find(message);
    if (!route || !message.inGuild() || isEnding || !isNew(message.id)) return;
    route.reader.take(message, route.channel, age, options.isOurs?.(message) ?? true);
  }

  function handleEdit(message: Message | PartialMessage): void {
    // Discord also reports an edit when it has looked up a link.
    if (message.partial || message.editedTimestamp !== null) speech.forgetMessages({ messageId: message.id });
    const route = find(message);
    if (route && !message.partial && message.inGuild()) route.reader.change(message, route.channel);
  }

  function handleDeletion({ id, guildId }: Message | PartialMessage): void {
    speech.forgetMessages({ messageId: id });
    once.end((message) => message.id === id);
    guilds.get(guildId ?? '')?.reader.remove(id);
  }

  function onVoiceState(_: VoiceState, { guild }: VoiceState): void {
    const readGuild = guilds.get(guild.id);
    if (!readGuild) return;
    readGuild.reader.removeTimedOut();
    review(readGuild);
  }

  async function onChannelGone(channel: Channel): Promise<void> {
    if (channel.isDMBased()) return;
    speech.forgetMessages({ guildId: channel.guildId });
    once.end((message) => message.channelId === channel.id);
    const readGuild = guilds.get(channel.guildId);
    if (!readGuild) return;
    readGuild.reader.removeAll({ textChannelId: channel.id });
    const isGone = ({ textChannelId, voiceChannelId }: ReadChannel) => [textChannelId, voiceChannelId].includes(channel.id);
    const ended = readGuild.started.filter(isGone);
    if (ended.length === 0 && !readGuild.always.some(isGone)) return;
    readGuild.started = readGuild.started.filter((readChannel) => !isGone(readChannel));
    review(readGuild);
    if (ended.length === 0) return;
    for (const { textChannelId } of ended) readGuild.reader.tell(textChannelId, (t) => t('readingNotices.channelGone'));
    await persisted.remove(channel.guildId, isGone).catch((error: unknown) => {
      log.warn(describeError(error), 'could not remove a deleted channel from those that are read aloud');
    });
  }

  function forgetGuild({ id }: Guild): void {
    speech.forgetMessages({ guildId: id });
    guilds.get(id)?.reader.close();
    if (guilds.delete(id) && guilds.size === 0) client.off(Events.VoiceStateUpdate, onVoiceState);
  }

  function forgetShard(_: unknown, shardId: number): void {
    for (const { reader } of guilds.values()) if (reader.guild.shardId === shardId) forgetGuild(reader.guild);
  }

  /** Discord doesn't report deletions from before a new session. */
  const onNewSession = () => speech.forgetMessages('all');

  const listeners = [
    [Events.ChannelDelete, onChannelGone],
    [Events.ThreadDelete, onChannelGone],
    [Events.GuildCreate, load],
    [Events.GuildAvailable, load],
    [Events.GuildDelete, forgetGuild],
    [Events.ShardDisconnect, forgetShard],
    [Events.ShardReady, onNewSession],
  ] as const;
  for (const [event, listener] of listeners) client.on(event, listener as () => void);
  const unwatch = settings.watchGuilds((guildId, { reading, muted }) => {
    const guild = client.guilds.cache.get(guildId);
    for (const memberId of muted) guilds.get(guildId)?.reader.removeAll({ memberId });
    if (!guild || !options.canRead() || (!guilds.has(guildId) && reading.always.length === 0)) return;
    const readGuild = open(guild);
    setChannels(readGuild, readGuild.started, reading.always);
  });

  return {
    begin: () => loads.add(loadAll()),
    loaded: () => loads.current(),
    async reload(shardId) {
      forgetShard(null, shardId);
      await Promise.all(client.guilds.cache.filter((guild) => guild.shardId === shardId).map(load));
    },
    async start(guild, channel) {
      const readGuild = open(guild);
      const { presence } = readGuild.reader;
      const { pausedBy } = presence;
      // Joins before the channel is stored: what is refused must not take effect later.
      presence.start(channel.voiceChannelId);
      const isResumed = [...readGuild.started, ...readGuild.always].some((readChannel) => isSame(readChannel, channel));
      const isMoved = readGuild.started.some(
        (readChannel) => readChannel.textChannelId === channel.textChannelId && !isSame(readChannel, channel),
      );
      // A channel that is always read isn't also noted as started by a member; nor as started elsewhere, which would count instead.
      try {
        if (!isResumed) readGuild.started = await persisted.add(guild.id, channel);
        else if (isMoved)
          readGuild.started = await persisted.remove(guild.id, ({ textChannelId }) => textChannelId === channel.textChannelId);
      } catch (error) {
        presence.pause(pausedBy);
        presence.review();
        throw error;
      }
      readGuild.stopped.delete(channel.textChannelId);
      await keepSilence(readGuild);
      // Somebody may have asked meanwhile whether this channel is read.
      presence.review();
      return isResumed ? 'resumed' : 'started';
    },
    async stop(guildId, textChannelIds) {
      const readGuild = guilds.get(guildId);
      if (!readGuild) return [];
      const stopped = channelsOf(guildId).filter(({ textChannelId }) => textChannelIds.includes(textChannelId));
      readGuild.started = await persisted.remove(guildId, ({ textChannelId }) => textChannelIds.includes(textChannelId));
      for (const { textChannelId } of readGuild.always) if (textChannelIds.includes(textChannelId)) readGuild.stopped.add(textChannelId);
      for (const channel of stopped) readGuild.reader.removeAll(channel);
      readGuild.reader.presence.review();
      await Promise.all([
        keepSilence(readGuild),
        endElsewhere(
          guildId,
          stopped.map(({ textChannelId }) => ({ textChannelId })),
        ),
      ]);
      return stopped;
    },
    async pause(guildId) {
      const readGuild = guilds.get(guildId);
      if (!readGuild || channelsOf(guildId).length === 0) return;
      readGuild.reader.presence.pause('leave');
      await keepSilence(readGuild);
    },
    channels: channelsOf,
    status,
    explainSilence(guildId, voiceChannelId) {
      const { channels, stopped, pausedBy } = status(guildId);
      const isHere = (channel: ReadChannel) => channel.voiceChannelId === voiceChannelId;
      if (pausedBy !== null && channels.some(isHere)) return (t) => t(`reading.status.paused.${pausedBy}`);
      const silent = stopped.filter(isHere).map(({ textChannelId }) => textChannelId);
      return silent.length > 0 ? (t) => t('reading.status.stopped', { textChannels: silent }) : null;
    },
    readOnce: once.read,
    async end(target, { guildId, everywhere = false }) {
      const here = everywhere ? [...guilds.keys()] : [guildId ?? ''];
      const ended = here.reduce((sum, id) => sum + endHere(id, target), 0);
      return guildId === null ? ended : ended + (await endElsewhere(guildId, [target]));
    },
    endHere,
    handleMessage,
    handleEdit,
    handleDeletion,
    async refresh(guildId) {
      const readGuild = guilds.get(guildId);
      if (readGuild) await load(readGuild.reader.guild);
    },
    endSoon() {
      isEnding = true;
      for (const { reader } of guilds.values()) reader.close();
    },
    close() {
      unwatch();
      for (const [event, listener] of listeners) client.off(event, listener as () => void);
      client.off(Events.VoiceStateUpdate, onVoiceState);
    },
  };
}

function isSame(a: ReadChannel, b: ReadChannel): boolean {
  return a.textChannelId === b.textChannelId && a.voiceChannelId === b.voiceChannelId;
}

const IDLE: ReadingStatus = {
  channels: [],
  stopped: [],
  pausedBy: null,
  problem: null,
  waiting: 0,
  delay: 0,
  speed: 1,
  isNameless: false,
  skipped: 0,
};
