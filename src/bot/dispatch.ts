// Routes each interaction to its command: checks it, runs it, and answers it whatever happens. The one place where commands are run.
import {
  type APIInteraction,
  type AutocompleteInteraction,
  type ChatInputCommandInteraction,
  type Client,
  GatewayDispatchEvents,
  type Interaction,
  InteractionResponseType,
  InteractionType,
  type RepliableInteraction,
  Routes,
  Status,
} from 'discord.js';
import { createOnceEach, createUnderWay } from '../async/waiting.ts';
import { BudgetError } from '../charging/index.ts';
import type { Access } from '../discord/access.ts';
import { asPrivate, limits, notice } from '../discord/cards.ts';
import type { BoundHandler, Checks, Command, InteractionContext, Resuming } from '../discord/command.ts';
import { describeError, explainError, isTooLate, replyPrivately, replyWithError, UserError } from '../discord/errors.ts';
import { type Translator, translatorFor } from '../locales/index.ts';
import type { Log } from '../log.ts';
import { type CommandOutcome, noTraces } from '../monitoring/observers.ts';
import { createSettingsSnapshot, type Settings } from '../store/settings.ts';
import { truncate } from '../text/untrusted-text.ts';
import { createOpenReplies } from './open-replies.ts';
import type { BotOptions } from './types.ts';

export interface DispatcherOptions<Features extends { settings: Settings }>
  extends Pick<BotOptions, 'store' | 'log' | 'isOurs' | 'traces'> {
  commands: Command<Features & InteractionContext>[];
  /** Everything that any of the commands uses. Each command gets a snapshot of `settings`. */
  features: Features;
  access: Access;
  /** Seals the tokens of interactions in the store. */
  sealingKey: Uint8Array;
  /** Aborted when the bot shuts down. */
  signal: AbortSignal;
  /** Id of this process, if there are others. */
  processId?: string | undefined;
  onEnd(command: string, outcome: CommandOutcome): void;
}

export interface Dispatcher {
  handle(interaction: Interaction): void;
  /** Continues with what another process has begun for a command and handed over. Resolves when that is queued, or has ended. */
  resume(interaction: ChatInputCommandInteraction, handedOver: object, claim: Resuming['claim']): Promise<void>;
  /** Returns true if nobody has started on the interaction with this id; the caller then has to answer it. */
  claim(id: string): boolean;
  /** From now on, tells members to try again later, except for commands that end speech. */
  stop(): void;
  /** Resolves when the commands running now in these guilds have ended; null = in direct messages. */
  current(isMeant: (guildId: string | null) => boolean): Promise<unknown>;
  /** Resolves when every command that was started has ended. */
  settled(): Promise<unknown>;
}

/** What an interaction is for: a command, or a handler of one. */
interface Route<C> {
  /** Name of the command. */
  name: string;
  checks: Checks;
  run(context: C): Promise<void>;
}

/** Milliseconds after which a command that is still running is noted in the store. Most end sooner, and cost the store nothing. */
const SLOW_MS = 2_000;

/** @throws Error if two commands have the same name or handle the same custom_id. */
export function createDispatcher<Features extends { settings: Settings }>(options: DispatcherOptions<Features>): Dispatcher {
  type Context = Features & InteractionContext;
  const { commands, features, access, store, sealingKey, log: parentLog, signal, processId, isOurs, traces = noTraces, onEnd } = options;
  const byName = uniqueMap(commands.map((command) => [nameKey(command.data), command]));
  const components = uniqueMap(commands.flatMap(({ data, components }) => named(data.name, components)));
  const modals = uniqueMap(commands.flatMap(({ data, modals }) => named(data.name, modals)));
  /** Interactions that are being handled, with their guilds. */
  const running = createUnderWay<string | null>();
  /** Tells the first time that somebody starts on an interaction. */
  const claim = createOnceEach();
  let stopped = false;

  /** Answers the interaction whatever happens, and records how that went. */
  async function answer(interaction: Interaction, route = findRoute(interaction)): Promise<void> {
    const name = interaction.isAutocomplete() ? 'autocomplete' : (route?.name ?? 'unknown');
    const log = parentLog.child({ command: interaction.id });
    const level = interaction.isAutocomplete() ? 'debug' : 'info';
    const startedAt = performance.now();
    log[level]({ name, kind: InteractionType[interaction.type], guild: interaction.guildId }, 'a command has begun');
    const outcome = await traces.command(name, interaction.id, () => runInContext(interaction, route, log));
    log[level]({ name, outcome, ms: Math.round(performance.now() - startedAt) }, 'a command has ended');
    onEnd(name, outcome);
  }

  /** Runs the command with all it may use. If it fails, the member is told. */
  async function runInContext(interaction: Interaction, route: Route<Context> | null, log: Log): Promise<CommandOutcome> {
    let outcome: CommandOutcome = 'done';
    const t = translatorFor(interaction.locale);
    const settings = createSettingsSnapshot(features.settings);
    const publicT = await findPublicTranslator(interaction, settings);
    const replies = createOpenReplies(interaction, { t, publicT, store, sealingKey, log, processId });
    const context: Context = {
      ...features,
      settings,
      log,
      signal,
      t,
      publicT,
      noteReply: replies.note,
      reportError(reported, error, reportOptions) {
        outcome = outcomeOf(error);
        return replyWithError(reported, error, log, 'keep', reportOptions);
      },
    };
    const slow = setTimeout(replies.noteThinking, SLOW_MS);
    try {
      if (interaction.isAutocomplete()) await complete(interaction, context);
      else if (interaction.isRepliable()) await checkAndRun(interaction, route, context);
    } catch (error) {
      outcome = outcomeOf(error);
      if (outcome === 'late') log.warn(describeError(error), 'an answer came too late');
      else await replyWithError(interaction, error, log);
    }
    clearTimeout(slow);
    await replies.close();
    return outcome;
  }

  async function checkAndRun(interaction: RepliableInteraction, route: Route<Context> | null, context: Context): Promise<void> {
    if (stopped && !route?.checks.whileDraining) {
      await replyPrivately(interaction, (t) => t('general.restarting'));
      return;
    }
    if (!route) {
      const isForm = interaction.isMessageComponent() || interaction.isModalSubmit();
      throw new UserError((t) => (isForm ? t('general.expiredMessage') : t('general.unknownCommand')));
    }
    await traces.step('access', () => access.check(interaction, route.checks, context.settings));
    await route.run(context);
  }

  async function complete(interaction: AutocompleteInteraction, context: Context): Promise<void> {
    const command = byName.get(nameKey({ type: interaction.commandType, name: interaction.commandName }));
    const choices = command && 'complete' in command ? ((await command.complete?.(interaction, context)) ?? []) : [];
    await interaction.respond(
      choices.slice(0, limits.choices).map((choice) => ({ ...choice, name: truncate(choice.name, limits.choiceName) })),
    );
  }

  function findRoute(interaction: Interaction): Route<Context> | null {
    if (interaction.isCommand()) {
      const command = byName.get(nameKey({ type: interaction.commandType, name: interaction.commandName }));
      if (!command) return null;
      const checks = interaction.isChatInputCommand() && 'checksFor' in command ? command.checksFor?.(interaction) : null;
      // The key includes the type, so the interaction is of the kind the command expects.
      return { name: command.data.name, checks: checks ?? command, run: (context) => command.run(interaction as never, context) };
    }
    if (interaction.isMessageComponent()) return findHandler(components, interaction);
    return interaction.isModalSubmit() ? findHandler(modals, interaction) : null;
  }

  /** If the store fails, and for the choices shown at every key, which only their member sees, the server's own language has to do. */
  async function findPublicTranslator(interaction: Interaction, settings: Settings): Promise<Translator> {
    const { guildId, guildLocale, locale } = interaction;
    const chosen =
      guildId === null || interaction.isAutocomplete()
        ? null
        : await settings.guild(guildId).then(
            ({ language }) => language,
            () => null,
          );
    return translatorFor(chosen ?? guildLocale ?? locale);
  }

  return {
    claim,
    async resume(interaction, handedOver, claimHandover) {
      const command = byName.get(nameKey({ type: interaction.commandType, name: interaction.commandName }));
      const resume = command && 'resume' in command ? command.resume : undefined;
      // Not claimed, so the process that left it tells the member.
      if (!command || !resume) return;
      const queued = Promise.withResolvers<void>();
      const run = (context: Context) => resume(interaction, context, handedOver, { claim: claimHandover, onStart: queued.resolve });
      running
        .add(answer(interaction, { name: command.data.name, checks: {}, run }), interaction.guildId)
        .then(queued.resolve, queued.reject);
      await queued.promise;
    },
    handle(interaction) {
      if (!claim(interaction.id)) return;
      const answered = isOurs ? isOurs(interaction).then((isIt) => (isIt ? answer(interaction) : undefined)) : answer(interaction);
      void running.add(answered, interaction.guildId);
    },
    stop() {
      stopped = true;
    },
    current: running.current,
    settled: running.settled,
  };
}

function nameKey({ type, name }: { type: number; name: string }): string {
  return `${type}:${name}`;
}

interface NamedHandler<I, C> extends BoundHandler<I, C> {
  name: string;
}

function named<I, C>(name: string, handlers: BoundHandler<I, C>[] = []): [string, NamedHandler<I, C>][] {
  return handlers.map((handler) => [handler.prefix, { ...handler, name }]);
}

/** The one with the longest prefix that the custom_id begins with, part by part. */
function findHandler<I extends { customId: string }, C>(handlers: Map<string, NamedHandler<I, C>>, interaction: I): Route<C> | null {
  const parts = interaction.customId.split(':');
  for (let length = parts.length; length > 0; length--) {
    const handler = handlers.get(parts.slice(0, length).join(':'));
    if (handler) {
      const { name, run, checksFor } = handler;
      return { name, checks: checksFor?.(interaction) ?? handler, run: (context) => run(interaction, context) };
    }
  }
  return null;
}

function uniqueMap<T>(entries: [string, T][]): Map<string, T> {
  const map = new Map(entries);
  if (map.size < entries.length) throw new Error('Two commands have the same name or handle the same custom_id.');
  return map;
}

function outcomeOf(error: unknown): CommandOutcome {
  if (isTooLate(error)) return 'late';
  if (error instanceof UserError || error instanceof BudgetError) return 'refused';
  return explainError(error) === null ? 'broken' : 'failed';
}

// Answers interactions that discord.js does not pass on, because it fails on them or doesn't know their kind. Members are waiting even so.

/** Discord waits 3 s. discord.js gets the first half: it may hold back interactions while it loads its guilds. */
const WAIT_MS = 1_500;

export function answerUnhandledInteractions(
  client: Client,
  { claim, isOurs, log }: Pick<Dispatcher, 'claim'> & Pick<BotOptions, 'isOurs' | 'log'>,
): void {
  async function answer({ id, token, type, ...interaction }: APIInteraction, shardId: number): Promise<void> {
    if (!claim(id) || (isOurs && !(await isOurs({ id, guildId: interaction.guild_id ?? null })))) return;
    const t = translatorFor('locale' in interaction ? interaction.locale : null);
    // It is held back until the shard's guilds are there, so there is nothing wrong with it.
    const isLoading = client.ws.shards.get(shardId)?.status !== Status.Ready;
    const body =
      type === InteractionType.ApplicationCommandAutocomplete
        ? { type: InteractionResponseType.ApplicationCommandAutocompleteResult, data: { choices: [] } }
        : {
            type: InteractionResponseType.ChannelMessageWithSource,
            data: asPrivate(notice(t(isLoading ? 'general.restarting' : 'general.unreadableInteraction'))),
          };
    const problem = isLoading ? 'an interaction came before the guilds were there' : 'an interaction could not be read';
    try {
      await client.rest.post(Routes.interactionCallback(id, token), { body, auth: false });
      log.warn({ command: id, type }, `${problem}; the member was told`);
    } catch (error) {
      log.warn({ command: id, type, ...describeError(error) }, `${problem}, and telling the member failed`);
    }
  }

  client.ws.on(GatewayDispatchEvents.InteractionCreate, (interaction: APIInteraction | null, shardId: number) => {
    // Without an id and a token there is no answering it.
    if (!interaction?.id || !interaction.token) return;
    setTimeout(() => void answer(interaction, shardId), WAIT_MS).unref();
  });
}
