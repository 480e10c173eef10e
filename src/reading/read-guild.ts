// The channels of one guild that are read aloud: which are read where, and which of them are silent until everybody has left.
import { isDeepStrictEqual } from 'node:util';
import type { Guild } from 'discord.js';
import { createInTurn, keepTrying } from '../async/waiting.ts';
import { describeError } from '../discord/errors.ts';
import { listenersIn } from '../discord/voice-channels.ts';
import { whileStoreFails } from '../store/index.ts';
import type { ReadingContext } from './context.ts';
import { createGuildReader, type GuildReader } from './guild-reader.ts';
import { NO_SILENCE, type PersistedChannels, type Silence } from './persisted-channels.ts';
import type { ReadChannel, ReadingStatus, StartedChannel } from './types.ts';

/** A channel that the server's settings say is always read. */
type AlwaysRead = Omit<ReadChannel, 'startedBy'>;

export interface ReadGuild {
  readonly guild: Guild;
  /** Reads the messages in its channels. */
  readonly reader: GuildReader;
  /** Channels that members have had read, also those that aren't there now. */
  readonly started: readonly ReadChannel[];
  /** Resolves when it is stored what is silent, or has failed for the first time. Never rejects. */
  readonly saving: Promise<void>;
  /** The channels that are read, without those that are stopped. */
  channels(): ReadChannel[];
  status(): ReadingStatus;
  /** Takes over what the store says, and ends what is no longer read. */
  restore(stored: { channels: ReadChannel[]; silence: Silence }, always: readonly AlwaysRead[]): void;
  /** Takes over what the settings say, and ends what is no longer read. */
  setAlways(always: readonly AlwaysRead[]): void;
  /** Call when somebody has moved, and when the channels that are read have changed. */
  review(): void;
  /** See Reading. */
  start(channel: StartedChannel): Promise<'started' | 'resumed'>;
  /** Returns the channels that it stopped. What is silent then is still being stored. @throws StoreError */
  stop(textChannelIds: readonly string[]): Promise<ReadChannel[]>;
  /** Never rejects. */
  pause(): Promise<void>;
  /** Call when a channel was deleted. Never rejects. */
  removeChannel(channelId: string): Promise<void>;
  /** Call when the bot has lost the guild: nothing new is read in it. */
  close(): void;
}

/**
 * What becomes of a text channel:
 *
 *     not read ── /read start ──▶ started ── /read stop, or it is deleted ──▶ not read
 *        │
 *        └── an admin's choice ──▶ always ── /read stop ──▶ stopped
 *                                    ▲                         │
 *                                    └── everybody has left, or /read start
 *
 * Besides, the whole guild is paused by /leave, or if a moderator disconnects the bot, until everybody has left, or /read start.
 * @param isEnding whether nothing new is read any more
 */
export function createReadGuild(guild: Guild, context: ReadingContext, persisted: PersistedChannels, isEnding: () => boolean): ReadGuild {
  const { log } = context;
  /** Channels that members have had read, from the store. */
  let started: ReadChannel[] = [];
  /** Channels that are always read, according to the server's settings. */
  let always: ReadChannel[] = [];
  /** Ids of text channels in `always` that are stopped until everybody has left. */
  let stopped = new Set<string>();
  /** What is silent, as stored. */
  let storedSilence = NO_SILENCE;
  /** Storing it has failed, and is tried again. */
  let isUnstored = false;
  let saving = Promise.resolve();
  let isClosed = false;
  const inTurn = createInTurn();
  const reader = createGuildReader(guild, context, channels);
  const { presence } = reader;

  function channels(): ReadChannel[] {
    if (isClosed) return [];
    const { cache } = guild.channels;
    // Channels may be deleted while nobody notices. Archived threads are missing, too, and are there again with their next message.
    const isThere = ({ textChannelId, voiceChannelId }: ReadChannel) => cache.has(textChannelId) && cache.has(voiceChannelId);
    const isStarted = (id: string) => started.some(({ textChannelId }) => textChannelId === id);
    const unstarted = always.filter(({ textChannelId }) => !isStarted(textChannelId) && !stopped.has(textChannelId));
    return [...started, ...unstarted].filter(isThere);
  }

  function setChannels(nowStarted: ReadChannel[], nowAlways: readonly AlwaysRead[]): void {
    const before = channels();
    started = nowStarted;
    always = nowAlways.map((channel) => ({ ...channel, startedBy: null }));
    const now = presence.pausedBy === null ? channels() : [];
    for (const channel of before) if (!now.some((other) => isSame(channel, other))) reader.removeAll(channel);
    review();
  }

  function review(): void {
    if (isEnding()) presence.noticeDisconnect();
    else presence.review();
    for (const id of stopped) {
      const channel = always.find(({ textChannelId }) => textChannelId === id);
      if (!channel || listenersIn(guild, channel.voiceChannelId).length === 0) stopped.delete(id);
    }
    void keepSilence();
  }

  /** What was read from the store before this is outdated. */
  function noteChange(): Promise<void> {
    saving = Promise.resolve();
    return saving;
  }

  /** @throws StoreError */
  async function storeSilence(): Promise<void> {
    const silence = { pausedBy: presence.pausedBy, stopped: [...stopped] };
    // An attempt that failed may have been stored all the same.
    const isStored = !isUnstored && isDeepStrictEqual(silence, storedSilence);
    if (!isClosed && !isStored) await persisted.saveSilence(guild.id, silence);
    storedSilence = silence;
    if (isUnstored) noteChange();
    isUnstored = false;
  }

  /**
   * Stores for the next process what is silent until everybody has left. Resolves after the first attempt; others follow until it works.
   * Never rejects.
   */
  function keepSilence(): Promise<void> {
    // The next attempt stores what is silent by then.
    if (isUnstored) return noteChange();
    const warn = (error: unknown) => {
      isUnstored = true;
      log.warn({ guild: guild.id, ...describeError(error) }, 'could not save that reading is paused in a guild');
    };
    saving = keepTrying(() => inTurn(storeSilence), whileStoreFails(warn)).then(() => {});
    return saving;
  }

  return {
    guild,
    reader,
    get started() {
      return started;
    },
    get saving() {
      return saving;
    },
    channels,
    status() {
      const read = channels();
      const silent = always.filter((channel) => stopped.has(channel.textChannelId) && !read.some((other) => isSame(channel, other)));
      return { ...reader.status(), channels: read, stopped: silent, pausedBy: presence.pausedBy };
    },
    restore({ channels: nowStarted, silence }, nowAlways) {
      // What isn't stored yet is newer.
      if (!isUnstored) {
        storedSilence = silence;
        stopped = new Set(silence.stopped);
        presence.pause(silence.pausedBy);
      }
      setChannels(nowStarted, nowAlways);
    },
    setAlways: (nowAlways) => setChannels(started, nowAlways),
    review,
    async start(channel) {
      const { pausedBy } = presence;
      // Joins before the channel is stored: what is refused must not take effect later.
      presence.start(channel.voiceChannelId);
      const isResumed = [...started, ...always].some((other) => isSame(other, channel));
      const isMoved = started.some((other) => other.textChannelId === channel.textChannelId && !isSame(other, channel));
      // A channel that is always read isn't also noted as started by a member; nor as started elsewhere, which would count instead.
      try {
        if (!isResumed) started = await persisted.add(guild.id, channel);
        else if (isMoved) started = await persisted.remove(guild.id, ({ textChannelId }) => textChannelId === channel.textChannelId);
      } catch (error) {
        presence.pause(pausedBy);
        presence.review();
        throw error;
      }
      stopped.delete(channel.textChannelId);
      await keepSilence();
      // Somebody may have asked meanwhile whether this channel is read.
      presence.review();
      return isResumed ? 'resumed' : 'started';
    },
    async stop(textChannelIds) {
      const isMeant = ({ textChannelId }: ReadChannel) => textChannelIds.includes(textChannelId);
      const ended = channels().filter(isMeant);
      started = await persisted.remove(guild.id, isMeant);
      for (const { textChannelId } of always.filter(isMeant)) stopped.add(textChannelId);
      for (const channel of ended) reader.removeAll(channel);
      presence.review();
      void keepSilence();
      return ended;
    },
    async pause() {
      if (channels().length === 0) return;
      presence.pause('leave');
      await keepSilence();
    },
    async removeChannel(channelId) {
      reader.removeAll({ textChannelId: channelId });
      const isGone = ({ textChannelId, voiceChannelId }: ReadChannel) => [textChannelId, voiceChannelId].includes(channelId);
      const ended = started.filter(isGone);
      if (ended.length === 0 && !always.some(isGone)) return;
      started = started.filter((channel) => !isGone(channel));
      review();
      if (ended.length === 0) return;
      for (const { textChannelId } of ended) reader.tell(textChannelId, (t) => t('readingNotices.channelGone'));
      await persisted.remove(guild.id, isGone).catch((error: unknown) => {
        log.warn(describeError(error), 'could not remove a deleted channel from those that are read aloud');
      });
    },
    close() {
      isClosed = true;
      reader.close();
    },
  };
}

function isSame(a: AlwaysRead, b: AlwaysRead): boolean {
  return a.textChannelId === b.textChannelId && a.voiceChannelId === b.voiceChannelId;
}
