// Reading aloud: speaks the messages of a text channel in a voice channel, each author in their own voice, and never late.
//
//   read-guild.ts      which channels of one guild are read, and which are silent for a while
//   guild-reader.ts    the messages of one guild, from their arrival to their end: what is read next, and what is skipped
//   intake.ts          from a message to its words and voice, and whose messages are read
//   message-text.ts    what is heard of a message
//   queued-message.ts  in which words it is read when its turn comes
//   backlog.ts         how to keep up, by how long a text takes
//   presence.ts        when the bot is in the voice channel
//   notices.ts         what its channel is told: what is not heard, and what fails
import { type Channel, Events, type Guild, type Message, type PartialMessage, type VoiceState } from 'discord.js';
import { createOnceEach, createUnderWay, keepTrying } from '../async/waiting.ts';
import { describeError } from '../discord/errors.ts';
import { createNotices } from '../discord/notices.ts';
import { whileStoreFails } from '../store/index.ts';
import { startDetector } from '../text/language.ts';
import { createSpeechRateEstimator } from './backlog.ts';
import type { ReadingContext, ReadingOptions } from './context.ts';
import type { GuildReader } from './guild-reader.ts';
import { createBudgetWatch, createMarkUnheard } from './notices.ts';
import { createPersistedChannels } from './persisted-channels.ts';
import { createReadGuild, type ReadGuild } from './read-guild.ts';
import { createReadsOnce } from './read-once.ts';
import type { ReadChannel, Reading, ReadingStatus, ReadOf } from './types.ts';
import { createVoicePool } from './voice-pool.ts';

export type { Reading } from './types.ts';

/**
 * Reads channels aloud. It listens to the client's events at once, and is given messages, but reads nothing before `begin` has loaded which
 * channels are read. After `endSoon` it reads nothing new; `close`, to be called once the voice sessions are closed, removes the listeners from the client.
 */
export function createReading(options: ReadingOptions): Reading {
  const { client, settings, store, log, speech } = options;
  const notices = createNotices(options);
  const context: ReadingContext = {
    ...options,
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
    const readGuild = createReadGuild(guild, context, persisted, () => isEnding);
    // While nothing is read anywhere, nobody needs to know who comes and goes.
    if (guilds.size === 0) client.on(Events.VoiceStateUpdate, onVoiceState);
    guilds.set(guild.id, readGuild);
    return readGuild;
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

  /**
   * Loads from the store which channels are read in this guild. Resolves after the first attempt; others follow until it works. Never rejects.
   */
  async function loadGuild(guild: Guild): Promise<void> {
    if (!options.canRead()) return;
    const load = async () => {
      // It may have left, or its shard may have moved, since the last attempt.
      if (isEnding || client.guilds.cache.get(guild.id) !== guild) return;
      const [stored, { reading }] = await readUnchanged(guild.id);
      const isRead = stored.channels.length > 0 || reading.always.length > 0 || guilds.has(guild.id);
      if (isRead && !isEnding) open(guild).restore(stored, reading.always);
    };
    const warn = (error: unknown) =>
      log.warn({ guild: guild.id, ...describeError(error) }, 'could not load which channels are read aloud in a guild');
    await keepTrying(load, whileStoreFails(warn));
  }

  async function loadAll(): Promise<void> {
    for (const guild of [...client.guilds.cache.values()]) {
      await loadGuild(guild);
      await persisted.noteStarters(guild.id, guilds.get(guild.id)?.started ?? []).catch((error: unknown) => {
        log.warn({ guild: guild.id, ...describeError(error) }, 'could not note who has started reading in a guild');
      });
    }
  }

  const endHere = (guildId: string, target: ReadOf) => guilds.get(guildId)?.reader.removeAll(target) ?? 0;

  /** Ends what another process, which may not answer, still reads. */
  async function endElsewhere(guildId: string, targets: readonly ReadOf[]): Promise<number> {
    try {
      return await options.endElsewhere(guildId, targets);
    } catch (error) {
      log.warn({ guild: guildId, ...describeError(error) }, 'could not tell another process to stop reading');
      return 0;
    }
  }

  const status = (guildId: string) => guilds.get(guildId)?.status() ?? IDLE;

  function find(message: { guildId: string | null; channelId: string }): { reader: GuildReader; channel: ReadChannel } | null {
    const readGuild = guilds.get(message.guildId ?? '');
    const channel = readGuild?.channels().find(({ textChannelId }) => textChannelId === message.channelId);
    return readGuild && channel ? { reader: readGuild.reader, channel } : null;
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
    readGuild.review();
  }

  function onChannelGone(channel: Channel): void {
    if (channel.isDMBased()) return;
    speech.forgetMessages({ guildId: channel.guildId });
    once.end((message) => message.channelId === channel.id);
    void guilds.get(channel.guildId)?.removeChannel(channel.id);
  }

  function forgetGuild({ id }: Guild): void {
    speech.forgetMessages({ guildId: id });
    guilds.get(id)?.close();
    if (guilds.delete(id) && guilds.size === 0) client.off(Events.VoiceStateUpdate, onVoiceState);
  }

  function forgetShard(_: unknown, shardId: number): void {
    for (const { guild } of guilds.values()) if (guild.shardId === shardId) forgetGuild(guild);
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
    open(guild).setAlways(reading.always);
  });

  return {
    begin: () => loads.add(loadAll()),
    loaded: () => loads.current(),
    async reload(shardId) {
      // What was read before still is until the store has answered: this process has to read the messages of this moment.
      await Promise.all(client.guilds.cache.filter((guild) => guild.shardId === shardId).map(load));
    },
    start: (guild, channel) => open(guild).start(channel),
    async stop(guildId, textChannelIds) {
      const readGuild = guilds.get(guildId);
      if (!readGuild) return [];
      const stopped = await readGuild.stop(textChannelIds);
      const targets = stopped.map(({ textChannelId }) => ({ textChannelId }));
      await Promise.all([readGuild.saving, endElsewhere(guildId, targets)]);
      return stopped;
    },
    pause: async (guildId) => guilds.get(guildId)?.pause(),
    channels: (guildId) => guilds.get(guildId)?.channels() ?? [],
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
      if (readGuild) await load(readGuild.guild);
    },
    endSoon() {
      isEnding = true;
      // Not the guilds: in a closed one nothing is read, and what is being read is finished first.
      for (const { reader } of guilds.values()) reader.close();
    },
    close() {
      for (const readGuild of guilds.values()) readGuild.close();
      unwatch();
      for (const [event, listener] of listeners) client.off(event, listener as () => void);
      client.off(Events.VoiceStateUpdate, onVoiceState);
    },
  };
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
