// What captions need, and what commands see of them.
import type { Client, GuildMember, GuildTextBasedChannel, TextChannel, VoiceBasedChannel } from 'discord.js';
import type { CreditService } from '../charging/index.ts';
import type { Attachments } from '../discord/attachments.ts';
import type { InteractionContext } from '../discord/command.ts';
import type { PostedWords } from '../posted-words/posted-words.ts';
import type { Removals } from '../posted-words/removals.ts';
import type { Store } from '../store/index.ts';
import type { GuildSettings, Settings } from '../store/settings.ts';
import type { SpeechEngine } from '../synthesis/index.ts';
import type { AcceptedLanguages } from '../transcription/context.ts';
import type { Sessions } from '../voice-session/types.ts';
import type { ListeningContext } from './listening.ts';
import type { WriterOptions } from './writer.ts';

export interface CaptionsOptions extends Omit<ListeningContext, 'callMs'> {
  client: Client<true>;
  sessions: Sessions;
  settings: Settings;
  speech: SpeechEngine;
  credit: CreditService;
  store: Store;
  words: PostedWords;
  attachments: Attachments;
  /** Aborted when the bot shuts down. */
  signal: AbortSignal;
  transcriptionLanguages: AcceptedLanguages;
  /** The id of the operator's default voice; null = the service's own. */
  defaultVoice: string | null;
  /** The host that sound is sent to; null = the service on the bot's own machine. */
  service: string | null;
  /** With several processes: whether this one has the shard now, and no other may act on it. Absent = there is only one. */
  hasShard?: ((shardId: number) => boolean) | undefined;
  /** Whether another process is in the server's voice channels. @throws StoreError */
  isElsewhere?: ((guildId: string) => Promise<boolean>) | undefined;
  /** Whether a call to the voice service can be made for captions and leave room for another. */
  canSpareCalls: () => boolean;
  /** Milliseconds since 1970. */
  now: () => number;
  timing?: CaptionsTiming | undefined;
}

/** Replaces these, in milliseconds. */
export interface CaptionsTiming {
  /** How long captions wait for somebody who is captioned. */
  emptyMs?: number;
  /** Between two spoken announcements to people who join. */
  sayAgainMs?: number;
  /** Between two edits of a message with captions, and the silence after which a new message begins. */
  pauses?: WriterOptions['pauses'];
  /** Between two edits of the panel, and its age from which another one is posted instead. */
  panelMs?: number;
  panelAgeMs?: number;
  /** Between two checks of captioned members' roles. */
  rolesMs?: number;
  /** Discord may take this long to say what the status of the voice channel is. */
  askStatusMs?: number;
  /** Until the next attempt at what could not be stored. */
  storeAgainMs?: number;
  /** Between two extensions of the record of who said which line. */
  renewMs?: number;
}

/** What is to be captioned where, and who asks for it. */
export interface Start {
  member: GuildMember;
  voice: VoiceBasedChannel;
  /** Where the command was used. */
  startedIn: GuildTextBasedChannel;
  /** Where they are written: the chat of the voice channel, or in a thread that is still to be created in this channel. */
  written: { in: 'chat' } | { in: 'thread'; parent: TextChannel };
  settings: GuildSettings;
}

/** Captions that are on in a guild, as the commands see them. */
export interface OpenCaptions {
  readonly voiceChannelId: string;
  readonly startedBy: string;
  /** The address of the panel. */
  readonly link: string;
  /** Whether this message is a panel of theirs, the latest or one before. */
  hasPanel(messageId: string): boolean;
  /** Ids of the members who are captioned. */
  readonly captioned: readonly string[];
  /** Whether agreement is kept for the server. */
  readonly isKept: boolean;
  /** @throws UserError if the member has a role that is never captioned; StoreError */
  agree(memberId: string): Promise<void>;
  /** @throws UserError if they aren't captioned; StoreError */
  setLanguage(memberId: string, language: string | null): Promise<void>;
  /** Removes what the member has said so far. Resolves with how many lines that was, and with what is left to do. @throws UserError, StoreError */
  deleteWords(memberId: string): ReturnType<Removals['remove']>;
  /** Ends the captions with a sentence and the transcript. Never rejects. */
  stop(byMemberId: string): Promise<void>;
  /** Ends the captions because the bot is about to leave; resolves once it may. The sentence and the transcript follow. Never rejects. */
  prepareLeaving(): Promise<void>;
}

export interface Captions {
  /** The captions that are on in the guild. */
  in(guildId: string | null): OpenCaptions | undefined;
  /** Resolves once the panel is there. @throws UserError, VoiceError, DiscordAPIError, StoreError */
  start(start: Start): Promise<OpenCaptions>;
  /**
   * Withdraws the member's agreement, also where captions are on in another process; here, they are no longer heard from this moment on.
   * Resolves with whether that is stored; if it isn't, attempts follow until it is. Never rejects.
   * @param guildId null = in all servers
   */
  withdraw(guildId: string | null, memberId: string): Promise<boolean>;
  /** The servers in which the member's agreement is kept. @throws StoreError */
  agreedIn(memberId: string): Promise<string[]>;
  /** Withdraws the member's agreement in all servers, and removes their words from captions that are on, in any process. @throws StoreError */
  forget(memberId: string): Promise<void>;
  /** Takes up what other processes have left behind, once the client is ready. Never rejects. */
  begin(): Promise<void>;
  /** The same for a shard that has come back. */
  reload(shardId: number): Promise<void>;
  /** Leaves the captions of a shard to another process, or those of all shards to the next. Never rejects. */
  handOver(shardId: number | 'all'): Promise<void>;
  /** Removes its listeners from the client. */
  close(): void;
}

/** What `/captions` and its buttons need. */
export interface CaptionsContext extends InteractionContext {
  captions: Captions;
  words: PostedWords;
  settings: Settings;
}
