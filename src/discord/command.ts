// What a command is: a plain object with its definition, its checks and its handlers. commands/index.ts lists them.
import {
  type ApplicationCommandOptionChoiceData,
  type ApplicationCommandType,
  ApplicationIntegrationType,
  type AutocompleteInteraction,
  type ChatInputCommandInteraction,
  InteractionContextType,
  type MessageComponentInteraction,
  type MessageContextMenuCommandInteraction,
  type ModalSubmitInteraction,
  type RESTPostAPIChatInputApplicationCommandsJSONBody,
  type RESTPostAPIContextMenuApplicationCommandsJSONBody,
  type RepliableInteraction,
  type UserContextMenuCommandInteraction,
} from 'discord.js';
import type { SpendingKind } from '../charging/prices.ts';
import type { Sentence, Translator } from '../locales/index.ts';
import type { Log } from '../log.ts';
import type { CardMessage } from './cards.ts';

/**
 * What every command gets besides its interaction. A command that needs more declares it: `satisfies SlashCommand<SayContext>`, where
 * SayContext extends this interface. bot/features.ts provides all of it, and the compiler checks that nothing is missing.
 */
export interface InteractionContext {
  /** Each line carries the id of the interaction as `command`. */
  log: Log;
  /** Aborted when the bot shuts down. */
  signal: AbortSignal;
  /** Puts sentences into the member's language, for what only they see. */
  t: Translator;
  /** In the server's language, or the member's outside of servers: for what everybody sees. */
  publicT: Translator;
  /** Tells only the member what went wrong, and leaves the reply in place; an error that is thrown replaces it. Never rejects. */
  reportError(interaction: RepliableInteraction, error: unknown, options?: ReportOptions): Promise<void>;
  noteReply: NoteReply;
}

export interface ReportOptions {
  /** A sentence that follows the one for the error. */
  addition?: Sentence | undefined;
  /** Posts the sentence, with the member's name, after 15 minutes, when Discord no longer takes private replies. */
  inPublic?: (message: CardMessage) => Promise<unknown>;
}

/** The kind of a reply that is still going to change, as noted in the store. `thinking`: it says nothing else yet. */
export type ReplyKind = 'say' | 'transcript' | 'own-voice' | 'thinking';

/**
 * Notes a reply that is still going to change: if this process is killed, the next one edits the reply to say that it was interrupted, as
 * fits its kind (bot/open-replies.ts).
 * @param messageId null if it is not known: then it is the first reply, which the interaction's token reaches for 15 minutes
 */
export type NoteReply = (kind: ReplyKind, messageId: string | null | undefined, isPrivate: boolean) => NotedReply;

export interface NotedReply {
  /** Resolves after the first attempt to note it; if the store fails, others follow until it is noted or forgotten. */
  noted: Promise<unknown>;
  /** Call when the reply is final. The end of the command counts as such a call. */
  forget(): Promise<void>;
}

/** A button or a select menu. */
export type ComponentInteraction = Extract<RepliableInteraction, MessageComponentInteraction>;

/** What is checked before a command or a handler runs; see access.ts. */
export interface Checks {
  /** Costs credit: the server's rules and the cooldown apply. */
  spends?: SpendingKind;
  /** Leads to something that costs credit: the server's rules for that apply now, the cooldown does not. */
  leadsToSpending?: SpendingKind;
  /** Asks the voice service for something free: a cooldown of its own applies. */
  browses?: true;
  /** Reads a file that the member sends: a cooldown of its own applies. */
  readsFile?: true;
  /** Asks for such a file: refused during that cooldown, which it doesn't count against. */
  asksForFile?: true;
  /** Costs nothing, but others notice it: the server's rules about roles and channels apply. */
  restricted?: true;
  /** Also works while the bot drains, that is, waits for what is playing before it shuts down. */
  whileDraining?: true;
}

/** Handles a button, a select menu or a modal. @typeParam V what its custom_id says; see custom-ids.ts */
export interface Handler<I, C, V> extends Checks {
  /** Replaces the checks of the handler if they depend on what was chosen. */
  checksFor?: (interaction: I) => Checks;
  run: (interaction: I, context: C, values: V) => Promise<void>;
}

/** A handler with how the custom_ids begin that it handles; see `on` in custom-ids.ts. */
export interface BoundHandler<I, C> extends Omit<Handler<I, C, never>, 'run'> {
  prefix: string;
  run: (interaction: I, context: C) => Promise<void>;
}

interface Handlers<C> {
  /** Only offered if Parley is set to read messages. */
  needsMessages?: true;
  /** Buttons and select menus. */
  components?: BoundHandler<ComponentInteraction, C>[];
  modals?: BoundHandler<ModalSubmitInteraction, C>[];
}

type Choices = ApplicationCommandOptionChoiceData[];

/** How a command continues what another process has begun. */
export interface Resuming {
  /** Resolves with whether this process does it. Call before anything is done that members notice. @throws StoreError */
  claim(): Promise<boolean>;
  /** Call once it is queued. */
  onStart(): void;
}

export interface SlashCommand<C = InteractionContext> extends Checks, Handlers<C> {
  data: RESTPostAPIChatInputApplicationCommandsJSONBody & { type: ApplicationCommandType.ChatInput };
  /** Replaces the checks of the command if they depend on the subcommand. */
  checksFor?: (interaction: ChatInputCommandInteraction) => Checks;
  run: (interaction: ChatInputCommandInteraction, context: C) => Promise<void>;
  /** Continues what another process has begun and handed over; see handovers.ts. Resolves when that has ended. */
  resume?: (interaction: ChatInputCommandInteraction, context: C, handedOver: object, how: Resuming) => Promise<void>;
  /** Answers autocomplete, from memory and the store only: Discord waits 3 s and cannot be asked for more time. */
  complete?: (interaction: AutocompleteInteraction, context: C) => Choices | Promise<Choices>;
}

export interface MessageCommand<C = InteractionContext> extends Checks, Handlers<C> {
  data: RESTPostAPIContextMenuApplicationCommandsJSONBody & { type: ApplicationCommandType.Message };
  run: (interaction: MessageContextMenuCommandInteraction, context: C) => Promise<void>;
}

export interface UserCommand<C = InteractionContext> extends Checks, Handlers<C> {
  data: RESTPostAPIContextMenuApplicationCommandsJSONBody & { type: ApplicationCommandType.User };
  run: (interaction: UserContextMenuCommandInteraction, context: C) => Promise<void>;
}

export type Command<C = InteractionContext> = SlashCommand<C> | MessageCommand<C> | UserCommand<C>;

/** The definitions Discord is told about. */
export type CommandData = Command['data'];

/** For definitions: in servers with the app, in direct messages, and wherever members have installed it for themselves. */
export const EVERYWHERE = {
  integration_types: [ApplicationIntegrationType.GuildInstall, ApplicationIntegrationType.UserInstall],
  contexts: [InteractionContextType.Guild, InteractionContextType.BotDM, InteractionContextType.PrivateChannel],
};
