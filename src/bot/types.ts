// What a bot needs to start, and what it can do.
import type { Client } from 'discord.js';
import type { CaptionsContext, CaptionsTiming } from '../captions/context.ts';
import type { Account, OperatorBudgets } from '../charging/index.ts';
import type { DictionaryContext } from '../dictionary/dictionaries.ts';
import type { CooldownOptions } from '../discord/access.ts';
import type { Command } from '../discord/command.ts';
import type { Log } from '../log.ts';
import type { Metrics, Traces } from '../monitoring/observers.ts';
import type { RemovalTiming } from '../posted-words/removals.ts';
import type { MemberData } from '../privacy/deletion.ts';
import type { PrivacyFacts } from '../privacy/view.ts';
import type { SharedShards } from '../processes/processes.ts';
import type { ReadingCommandContext } from '../reading/types.ts';
import type { SayContext } from '../say/context.ts';
import type { SettingsContext } from '../settings/panel-parts.ts';
import type { StatusContext } from '../status/facts.ts';
import type { Store } from '../store/index.ts';
import type { SpeechEngine } from '../synthesis/index.ts';
import type { TranscriptionContext } from '../transcription/context.ts';
import type { VoicesContext } from '../voice-catalogue/catalogue.ts';
import type { LanguageVoices } from '../voice-catalogue/language-voices.ts';
import type { MineContext } from '../voice-catalogue/my-voices.ts';
import type { VoiceMakers } from '../voice-catalogue/own-voice-request.ts';
import type { SessionOptions } from '../voice-session/sessions.ts';
import type { GuildDepartures } from './guild-departures.ts';

/** Everything that any of the commands uses: what features declare, and what only a command needs. */
export type BotContext = SayContext &
  VoicesContext &
  MineContext &
  DictionaryContext &
  SettingsContext &
  StatusContext &
  TranscriptionContext &
  ReadingCommandContext &
  CaptionsContext &
  MemberData & { privacyFacts: PrivacyFacts; stillIn: GuildDepartures['stillIn'] };

/** What the bot knows of its voice service. */
export interface VoiceServiceFacts {
  /** Its base address; links it returns are fetched with care. */
  url: string;
  /** Ids of voices that take longer to make than to hear: members can choose them, but nothing is read aloud in them. */
  slowVoices?: (() => readonly string[]) | undefined;
  /** Listens for voices that come or become another kind, without being told which. */
  onVoices?: ((listener: () => void) => void) | undefined;
  /** The scripts that its voices speak, by their Unicode names: they leave out the rest of a text. Absent = unknown. */
  spokenScripts?: readonly string[] | undefined;
  /** All that it transcribes (BCP 47); absent = unknown, and learned from its answers. */
  transcriptionLanguages?: readonly string[] | undefined;
  /** Whether it has to load its recogniser first, if it can tell. */
  isRecogniserStarting?: (() => boolean) | undefined;
}

export interface BotOptions {
  token: string;
  /** REST base without version; null = Discord's. */
  apiUrl: string | null;
  /** Origins that attachments may be read from. */
  cdnUrls: string[];
  /** Everything that members can ask for. */
  commands: Command<BotContext>[];
  /** Register the commands in this guild only; null = globally. */
  guildId: string | null;
  /** Whether to ask for the privileged intent that reading channels aloud needs. */
  readMessages: boolean;
  operatorIds: string[];
  service: VoiceServiceFacts;
  /** The account at the voice service, and the API that watches it. */
  account: Account;
  speech: SpeechEngine;
  /** Id of the voice to use if nobody has chosen one; absent = the service's own. */
  defaultVoice?: string | undefined;
  /** Which of the built-in voices speaks a language; null if the service's voices get texts in every language. */
  languageVoices: LanguageVoices | null;
  /** Who may make voices; operators unless given. */
  voiceMakers?: VoiceMakers;
  /** The operator's daily budgets. */
  budgets: OperatorBudgets;
  privacyFacts: PrivacyFacts;
  /** The voice service's model for recordings; `auto`, the default, is the one that suits each. */
  transcriptionModel?: string | undefined;
  /** Replaces the usual cooldowns of members. */
  cooldown?: CooldownOptions;
  /** The bot doesn't close it. */
  store: Store;
  log: Log;
  /** Milliseconds since 1970; tells how long guilds have been gone. */
  now?: () => number;
  metrics?: Metrics;
  traces?: Traces | undefined;
  /** Whether a call to the voice service can be made for captions and leave room for another. */
  canSpareCalls: () => boolean;
  /** Replaces limits of captions. */
  captionsTiming?: CaptionsTiming | undefined;
  /** Replaces how soon words that could not be deleted are tried again. */
  wordsTiming?: RemovalTiming | undefined;
  /** Replaces limits of the voice sessions. */
  voice?: Partial<SessionOptions>;
  /** Shards that are shared with other processes; absent = this process has all. The bot doesn't close them. */
  shards?: SharedShards | undefined;
  /** How many shards it has if they aren't shared; `auto`, the default, means as many as Discord recommends. */
  shardCount?: number | 'auto';
  /** Whether this process answers an interaction or reads a message, if several receive it. Never rejects. */
  isOurs?: ((event: { id: string; guildId: string | null }) => Promise<boolean>) | undefined;
  /** Called if the gateway closes for good (token reset, intents refused). */
  onLost?: (reason: string) => void;
}

export interface Bot {
  client: Client<true>;
  /** Known once the bot has started. */
  readonly inviteUrl: string;
  /**
   * Logs in. Resolves when the gateway is ready; the commands are registered in the background, however long Discord takes.
   * @throws ConfigError if the token or the intents are refused, or nothing answers at `apiUrl`
   */
  start(): Promise<void>;
  /** Resolves when the commands were registered for the first time, or could not be. */
  registered: Promise<void>;
  /** Opens and closes a shard that it shares with other processes. `open` resolves when its guilds have arrived. */
  openShard(shardId: number): Promise<void>;
  closeShard(shardId: number): Promise<void>;
  /** Whether it is connected to a shard, or about to be. */
  sessionOf(shardId: number): 'open' | 'opening' | 'none';
  /** Finishes what it is doing on a shard that another process has taken over, then closes the shard. Never rejects. */
  handOver(shardId: number): Promise<void>;
  /** Speaks the texts that were queued in processes whose shards this one has taken over. @throws StoreError */
  takeHandedOver(): Promise<void>;
  /** Whether the shard's guilds are all silent. */
  isSilent(shardId: number): boolean;
  /** Corrects replies of other processes that no longer run. */
  correctReplies(): Promise<void>;
  /** Sends them a direct message once it has logged in. Never rejects. */
  tellOperators(sentence: string): Promise<void>;
  /** How many guilds it speaks in. */
  speaking(): number;
  /** Is it connected to Discord and not shutting down? At first it needs all of its shards, later any of them. */
  isReady(): boolean;
  /** Does sound leave this process wherever something is playing? */
  isSending(): boolean;
  /**
   * Shuts down, also before it has started.
   * @param options `drain`: milliseconds that what is playing or being transcribed may take to finish
   */
  close(options?: { drain?: number }): Promise<void>;
}
