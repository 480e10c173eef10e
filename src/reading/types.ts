// Reading aloud as the commands see it: channels whose messages are spoken in a voice channel.
import type { Guild, GuildMember, Message, PartialMessage, VoiceBasedChannel } from 'discord.js';
import type { CreditService } from '../charging/index.ts';
import type { InteractionContext } from '../discord/command.ts';
import type { MessageAccess } from '../discord/message-access.ts';
import type { IsServerMuted } from '../discord/voice-channels.ts';
import type { Sentence } from '../locales/index.ts';
import type { GuildSettings, MemberSettings, Settings } from '../store/settings.ts';
import type { Playback, Sessions } from '../voice-session/types.ts';

/** A text channel that is read in a voice channel. */
export interface ReadChannel {
  /** Can be a thread, or the chat of a voice channel. */
  textChannelId: string;
  voiceChannelId: string;
  /** The member who started it; empty = they have had their data deleted; null = the server's settings say that it is always read. */
  startedBy: string | null;
}

/** One that a member has started. */
export type StartedChannel = ReadChannel & { startedBy: string };

/** Why reading is paused: somebody used /leave, or a moderator disconnected the bot. */
export type PauseCause = 'leave' | 'disconnect';

/** The messages of a member, or of a text channel. */
export type ReadOf = { memberId: string } | { textChannelId: string };

/** How reading goes in a guild. */
export interface ReadingStatus {
  channels: ReadChannel[];
  /** Channels that are always read, but stopped until everybody has left. */
  stopped: ReadChannel[];
  /** Messages that are waiting, and the seconds until one that is written now is heard. */
  waiting: number;
  delay: number;
  /** A factor; 1 unless there is too much to read. */
  speed: number;
  /** Names are left out, because there is too much to read. */
  isNameless: boolean;
  /** Messages that were not heard because there was too much to read, since the bot started. */
  skipped: number;
  /** Why the bot stays out of the voice channel until everybody has left; null = it doesn't. */
  pausedBy: PauseCause | null;
  /** The last message that failed, unless one was heard since. `at` in milliseconds since 1970. */
  problem: { sentence: Sentence; at: number } | null;
}

/** One message that a member has asked to hear. */
export interface ReadOnce {
  playback: Playback;
  /** What it took, once it has ended: `characters` that the service may have charged for. Never rejects. */
  used(): Promise<{ fromCache: boolean; characters: number }>;
}

/** The settings that a message is read with. */
export interface MessageSettings {
  /** The server's settings. */
  guild: GuildSettings;
  /** The author's settings. */
  member: MemberSettings;
}

export interface Reading {
  /** Resumes what was read before a restart, and what is always read. Call once the client is ready. Never rejects. */
  begin(): Promise<void>;
  /** Resolves when it is known which channels are read in all guilds that have arrived by now. */
  loaded(): Promise<void>;
  /** Loads again what is read in the guilds of a shard that another process has had. Never rejects. */
  reload(shardId: number): Promise<void>;
  /**
   * Joins the voice channel, and reads the text channel there from now on, even after a restart, instead of where it was read before. If it
   * is already read there, the bot only comes back (`resumed`). The caller checks who may do this, and that the bot may speak there.
   * @throws VoiceError `busy`, StoreError
   */
  start(guild: Guild, channel: StartedChannel): Promise<'started' | 'resumed'>;
  /**
   * Stops reading these text channels; returns those that it stopped. Channels that are always read pause until everybody has left the
   * voice channel.
   * @throws StoreError
   */
  stop(guildId: string, textChannelIds: readonly string[]): Promise<ReadChannel[]>;
  /** Stays out of the voice channel until everybody has left it, or until reading is started again: for /leave. Never rejects. */
  pause(guildId: string): Promise<void>;
  /** The channels that are read in this guild, without those that are stopped. */
  channels(guildId: string): ReadChannel[];
  status(guildId: string): ReadingStatus;
  /** Why a channel that is usually read in this voice channel is silent, and how to resume it; null = none is silent. */
  explainSilence(guildId: string, voiceChannelId: string): Sentence | null;
  /**
   * Reads one message in its author's voice, before everything that is read automatically. The caller checks who may ask for it; the
   * member's budgets pay. @throws UserError if nothing in it can be spoken; BudgetError, VoiceError, StoreError
   */
  readOnce(message: Message<true>, member: GuildMember, channel: VoiceBasedChannel, settings: MessageSettings): Promise<ReadOnce>;
  /**
   * Ends the messages of a member or a text channel in this guild, playing or waiting, in any process, and with `everywhere` in all guilds
   * of this process; resolves with how many it ended. Never rejects.
   */
  end(target: ReadOf, where: { guildId: string | null; everywhere?: boolean }): Promise<number>;
  /** The same in this process and guild. */
  endHere(guildId: string, target: ReadOf): number;
  /** Call with each message that somebody else has written. @param age seconds since then */
  handleMessage(message: Message, age: number): void;
  handleEdit(message: Message | PartialMessage): void;
  handleDeletion(message: Message | PartialMessage): void;
  /** Checks in the store whether another process has stopped or paused reading. Never rejects. */
  refresh(guildId: string): Promise<void>;
  /** Reads nothing new from now on. What is being read is finished, unless it is deleted or stopped meanwhile. */
  endSoon(): void;
  /** Call once the voice sessions are closed. */
  close(): void;
}

/** What the commands for reading aloud need besides the interaction. */
export interface ReadingCommandContext extends InteractionContext {
  reading: Reading;
  sessions: Sessions;
  settings: Settings;
  credit: CreditService;
  isServerMuted: IsServerMuted;
  /** Ids of voices that nothing is read in: they take longer to make than to hear. */
  slowVoices: () => readonly string[];
  /** Whether channels can be read now. */
  messageAccess: () => MessageAccess;
}
