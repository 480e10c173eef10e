// Reading aloud: messages of a text channel are spoken in a voice channel, everybody in their own voice, and never late.
//
//   guild-reader.ts  the queue of one guild: what is read next, in which words, and what is skipped
//   message-text.ts  what is heard of a message
//   intake.ts        from a message to its words and voice; read-rules.ts says whose messages are read
//   backlog.ts       how to keep up; pace.ts knows how long a text takes
//   presence.ts      when the bot is in the voice channel
//   problems.ts      what is said once if it fails
import { type Channel, Events, type Guild, type Message, type PartialMessage, type VoiceState } from 'discord.js';
import { describeError } from '../bot/error-boundary.ts';
import { VoiceError } from '../voice/types.ts';
import { createBudgetWatch } from './budget-watch.ts';
import type { ReadingContext, ReadingOptions } from './context.ts';
import { createGuildReader, type GuildReader } from './guild-reader.ts';
import { createKeptChannels } from './kept-channels.ts';
import { createMessageClock } from './message-clock.ts';
import { loadDetector } from './message-language.ts';
import { createNotices } from './notices.ts';
import { createPace } from './pace.ts';
import { createMarkUnheard } from './reactions.ts';
import { readOnce } from './read-once.ts';
import type { ReadChannel, Reading } from './types.ts';
import { createVoicePool } from './voice-pool.ts';

export type { Reading } from './types.ts';

/** What is read in a guild, and the reader that does it. */
interface ReadGuild {
  /** By members, from the store. */
  started: ReadChannel[];
  /** By the server's settings. */
  always: ReadChannel[];
  /** Of those, text channels that are stopped until everybody has left. */
  stopped: Set<string>;
  reader: GuildReader;
}

export function createReading(options: ReadingOptions): Reading {
  const { client, sessions, settings, store, log, speech } = options;
  const notices = createNotices(options);
  const clock = createMessageClock(client, options.now);
  const context: ReadingContext = {
    ...options,
    ownId: () => client.user.id,
    pace: createPace(),
    pool: createVoicePool(options),
    notices,
    markUnheard: createMarkUnheard(client, log),
    watchBudget: createBudgetWatch({ ...options, notices }),
  };
  const kept = createKeptChannels(store);
  const guilds = new Map<string, ReadGuild>();
  let isClosed = false;
  let claims = Promise.resolve();
  let loads: Promise<unknown> = Promise.resolve();

  function open(guild: Guild): ReadGuild {
    const known = guilds.get(guild.id);
    if (known) return known;
    // Not with the first message, which is to be heard at once.
    loadDetector();
    const reader = createGuildReader(guild, context, () => channelsOf(guild.id));
    const made: ReadGuild = { started: [], always: [], stopped: new Set(), reader };
    guilds.set(guild.id, made);
    return made;
  }

  function channelsOf(guildId: string): ReadChannel[] {
    const guild = guilds.get(guildId);
    if (!guild) return [];
    const isStarted = (id: string) => guild.started.some(({ textChannelId }) => textChannelId === id);
    const always = guild.always.filter(({ textChannelId }) => !isStarted(textChannelId) && !guild.stopped.has(textChannelId));
    return [...guild.started, ...always];
  }

  function note<T>(loading: Promise<T>): Promise<T> {
    loads = Promise.all([loads, loading]);
    return loading;
  }

  const load = (guild: Guild) => note(loadGuild(guild));

  /** Reads from the store what is read in this guild. Failures are logged. */
  async function loadGuild(guild: Guild): Promise<void> {
    if (!options.canRead()) return;
    try {
      const [started, { reading }] = await Promise.all([kept.load(guild.id), settings.guild(guild.id)]);
      if (isClosed || (started.length === 0 && reading.always.length === 0)) return;
      const loaded = open(guild);
      loaded.started = started;
      setAlways(guild, reading.always);
    } catch (error) {
      log.warn({ guild: guild.id, ...describeError(error) }, 'what is read aloud in a guild could not be loaded');
    }
  }

  async function loadAll(): Promise<void> {
    for (const guild of [...client.guilds.cache.values()]) await loadGuild(guild);
  }

  function setAlways(guild: Guild, always: Omit<ReadChannel, 'startedBy'>[]): void {
    const known = open(guild);
    known.always = always.map((channel) => ({ ...channel, startedBy: null }));
    known.reader.presence.review();
  }

  function find(message: { guildId: string | null; channelId: string }): { reader: GuildReader; channel: ReadChannel } | null {
    const guild = guilds.get(message.guildId ?? '');
    const channel = guild && channelsOf(message.guildId ?? '').find(({ textChannelId }) => textChannelId === message.channelId);
    return channel ? { reader: guild.reader, channel } : null;
  }

  function onMessage(message: Message): void {
    // Every message tells the time.
    const age = clock.ageOf(message.id);
    const found = find(message);
    if (!found || !message.inGuild()) return;
    const { reader, channel } = found;
    const isOurs = options.isOurs?.(message);
    if (!isOurs) reader.take(message, channel, age);
    // One after the other, or a later message could overtake.
    else claims = claims.then(async () => void ((await isOurs) && reader.take(message, channel, age)));
  }

  function onEdit(_: unknown, message: Message | PartialMessage): void {
    const found = find(message);
    if (found && !message.partial && message.inGuild()) found.reader.change(message, found.channel);
  }

  function onDelete({ id, guildId }: Message | PartialMessage): void {
    speech.forgetMessage(id);
    guilds.get(guildId ?? '')?.reader.remove(id);
  }

  function onVoiceState(_: VoiceState, { guild }: VoiceState): void {
    const known = guilds.get(guild.id);
    if (!known) return;
    known.reader.removeTimedOut();
    known.reader.presence.review();
    for (const { textChannelId, voiceChannelId } of known.always)
      if (!guild.voiceStates.cache.some((state) => state.channelId === voiceChannelId && state.id !== client.user.id))
        known.stopped.delete(textChannelId);
  }

  async function onChannelGone(channel: Channel): Promise<void> {
    if (channel.isDMBased()) return;
    const known = guilds.get(channel.guildId);
    if (!known) return;
    known.reader.removeAll({ textChannelId: channel.id });
    const ended = known.started.filter(({ textChannelId, voiceChannelId }) => [textChannelId, voiceChannelId].includes(channel.id));
    if (ended.length === 0) return;
    known.started = known.started.filter((one) => !ended.includes(one));
    known.reader.presence.review();
    for (const { textChannelId } of ended) known.reader.tell(textChannelId, (t) => t.readingNotices.channelGone);
    await kept.save(channel.guildId, known.started).catch((error: unknown) => {
      log.warn(describeError(error), 'a deleted channel could not be removed from what is read aloud');
    });
  }

  function forgetGuild({ id }: Guild): void {
    guilds.get(id)?.reader.close();
    guilds.delete(id);
  }

  const listeners = [
    [Events.MessageCreate, onMessage],
    [Events.MessageUpdate, onEdit],
    [Events.MessageDelete, onDelete],
    [Events.MessageBulkDelete, (messages: Map<string, Message | PartialMessage>) => messages.forEach(onDelete)],
    [Events.VoiceStateUpdate, onVoiceState],
    [Events.ChannelDelete, onChannelGone],
    [Events.ThreadDelete, onChannelGone],
    [Events.GuildCreate, load],
    [Events.GuildAvailable, load],
    [Events.GuildDelete, forgetGuild],
  ] as const;
  for (const [event, listener] of listeners) client.on(event, listener as () => void);
  const unwatch = settings.watchGuilds((guildId, { reading }) => {
    const guild = client.guilds.cache.get(guildId);
    if (guild && options.canRead() && (guilds.has(guildId) || reading.always.length > 0)) setAlways(guild, reading.always);
  });

  return {
    begin: () => note(loadAll()),
    loaded: async () => void (await loads),
    async start(guild, channel) {
      const known = open(guild);
      const session = sessions.get(guild.id);
      const isElsewhere = session !== undefined && session.channelId !== channel.voiceChannelId;
      if (isElsewhere && session.length > 0) throw new VoiceError('busy', 'speaking in another channel of the guild');
      const started = [...known.started.filter(({ textChannelId }) => textChannelId !== channel.textChannelId), channel];
      await kept.save(guild.id, started);
      known.started = started;
      known.stopped.delete(channel.textChannelId);
      known.reader.presence.resume();
      known.reader.presence.join(channel.voiceChannelId);
    },
    async stop(guildId, textChannelId) {
      const known = guilds.get(guildId);
      if (!known) return [];
      const stopped = channelsOf(guildId).filter((one) => textChannelId === undefined || one.textChannelId === textChannelId);
      const started = known.started.filter((one) => !stopped.includes(one));
      await kept.save(guildId, started);
      known.started = started;
      for (const one of known.always) {
        if (textChannelId === undefined || one.textChannelId === textChannelId) known.stopped.add(one.textChannelId);
      }
      for (const one of stopped) known.reader.removeAll(one);
      known.reader.presence.leaveUnread();
      return stopped;
    },
    pause: (guildId) => guilds.get(guildId)?.reader.presence.pause(),
    channels: channelsOf,
    status: (guildId) => ({ ...(guilds.get(guildId)?.reader.status() ?? IDLE), channels: channelsOf(guildId) }),
    readOnce: (message, member, channel) => readOnce(message, member, channel, context),
    stopMember(guildId, memberId) {
      const readers = guildId === null ? [...guilds.values()] : [guilds.get(guildId)];
      return readers.reduce((sum, known) => sum + (known?.reader.removeAll({ memberId }) ?? 0), 0);
    },
    close() {
      isClosed = true;
      unwatch();
      clock.close();
      for (const [event, listener] of listeners) client.off(event, listener as () => void);
      for (const { reader } of guilds.values()) reader.close();
    },
  };
}

const IDLE = { waiting: 0, delay: 0, speed: 1, isNameless: false, skipped: 0, isPaused: false, problem: null };
