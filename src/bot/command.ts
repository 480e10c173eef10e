// What a command is, and what it is given. Commands are plain objects; commands/index.ts lists them.
import type {
  ApplicationCommandOptionChoiceData,
  ApplicationCommandType,
  AutocompleteInteraction,
  ChatInputCommandInteraction,
  MessageComponentInteraction,
  MessageContextMenuCommandInteraction,
  ModalSubmitInteraction,
  RESTPostAPIChatInputApplicationCommandsJSONBody,
  RESTPostAPIContextMenuApplicationCommandsJSONBody,
  RepliableInteraction,
} from 'discord.js';
import type { Api } from '../api/index.ts';
import type { Budgets, Credit, SpendingKind } from '../credit/index.ts';
import type { Log } from '../log.ts';
import type { LengthMeters } from '../recording-length/index.ts';
import type { Settings } from '../settings/index.ts';
import type { Speech } from '../speech/index.ts';
import type { Store } from '../store/index.ts';
import type { IsServerMuted } from '../voice/server-mutes.ts';
import type { Sessions } from '../voice/types.ts';
import type { Links } from '../voices/safe-fetch.ts';
import type { VoiceTitles } from '../voices/titles.ts';
import type { Attachments } from './attachments.ts';
import type { NoteReply } from './open-replies.ts';

export interface TellOptions {
  /** A sentence that follows the one for the error. */
  addition?: string;
  /** Where else to say it, with the member's name, after the 15 minutes of an interaction in which Discord lets the member alone be told. */
  inPublic?: (sentence: string) => Promise<unknown>;
}

/** The powers of a command. */
export interface Context {
  api: Api;
  speech: Speech;
  sessions: Sessions;
  voiceTitles: VoiceTitles;
  attachments: Attachments;
  /** Count what is sent to be transcribed. */
  recordingLengths: LengthMeters;
  /** Reads what the voice service points at. */
  links: Links;
  /** What admins and members have chosen. */
  settings: Settings;
  credit: Credit;
  /** The operator's budgets of a day, which admins may tighten. */
  budgets: Budgets;
  store: Store;
  /** Spoken in where nobody has chosen a voice: `id` of the operator's; null = the service's own. */
  defaultVoice: string | null;
  keeping: Keeping;
  isServerMuted: IsServerMuted;
  /** The application's owner or team, and OPERATOR_IDS. May ask Discord: answer or defer first. */
  isOperator(userId: string): Promise<boolean>;
  /** Tells the member alone what went wrong, while the answer stands. What a command throws takes the answer back. Never rejects. */
  tell(interaction: RepliableInteraction, error: unknown, options?: TellOptions): Promise<void>;
  /**
   * Notes a reply that is still to change: should this process be killed, the next one says in it that it will not.
   * @param messageId null = not known, so that nothing is noted
   * @returns what is to be called when the reply is final; at the latest it is when its command has ended
   */
  noteReply: NoteReply;
  log: Log;
  /** Aborted when the bot ends. */
  signal: AbortSignal;
}

/** What /privacy has to tell of how I am run. */
export interface Keeping {
  /** Host that texts and recordings are sent to; null = a voice service on the machine that I run on. */
  voiceService: string | null;
  /** Bound of the cache of spoken sound, in bytes; 0 = nothing is kept. */
  cacheBytes: number;
}

/** A button or a select, of whichever kind. */
export type ComponentInteraction = Extract<RepliableInteraction, MessageComponentInteraction>;

interface Shared {
  /** It costs credit: who may not spend that is told so before it runs (src/bot/access.ts). */
  spends?: SpendingKind;
  /** Buttons and menus that cost credit as well, by how their custom_id begins: `{ 'say:replay': 'speech' }`. */
  spendingParts?: Record<string, SpendingKind>;
  /** The same of modals. */
  spendingForms?: Record<string, SpendingKind>;
  /** It asks the voice service for what costs nothing: a member who does that too often is told so before it runs. */
  browses?: true;
  /** Buttons and menus that do the same, by how their custom_id begins. */
  browsingParts?: readonly string[];
  /** The same of modals. */
  browsingForms?: readonly string[];
  /** It spends nothing, but others see what it does: the admins' rules about roles and channels apply all the same. */
  bound?: true;
  /** Buttons that only open what will spend credit later: the admins' rules for that apply at once, the cooldown does not. */
  openingParts?: Record<string, SpendingKind>;
  /** Works also while I am ending and wait for what is being said. */
  whileDraining?: true;
  /** The same of buttons and menus, by the first part of their custom_id. */
  drainingParts?: string[];
  /** Buttons and selects by the first part of their custom_id, which no two commands share; `args` are the other parts. */
  components?: Record<string, (interaction: ComponentInteraction, context: Context, args: string[]) => Promise<void>>;
  /** Modals, found in the same way. */
  modals?: Record<string, (interaction: ModalSubmitInteraction, context: Context, args: string[]) => Promise<void>>;
}

type Choices = ApplicationCommandOptionChoiceData[];

export interface SlashCommand extends Shared {
  data: RESTPostAPIChatInputApplicationCommandsJSONBody & { type: ApplicationCommandType.ChatInput };
  run(interaction: ChatInputCommandInteraction, context: Context): Promise<void>;
  /** Answers from memory and from the store: there are 3 s, and no deferring. */
  complete?(interaction: AutocompleteInteraction, context: Context): Choices | Promise<Choices>;
}

export interface MessageCommand extends Shared {
  data: RESTPostAPIContextMenuApplicationCommandsJSONBody & { type: ApplicationCommandType.Message };
  run(interaction: MessageContextMenuCommandInteraction, context: Context): Promise<void>;
}

export type Command = SlashCommand | MessageCommand;

/** Shown to the member as written: the cause, then the next step. */
export class UserError extends Error {
  override name = 'UserError';
}
