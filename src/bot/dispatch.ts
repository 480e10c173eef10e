// From an interaction to the command it is meant for. Every interaction is answered.
import { type Interaction, InteractionType, type ModalSubmitInteraction } from 'discord.js';
import { BudgetError } from '../credit/index.ts';
import { sentences } from '../locales/en/index.ts';
import type { CommandOutcome } from '../monitoring/metrics.ts';
import type { Access, Ask } from './access.ts';
import { type Command, type ComponentInteraction, type Context, UserError } from './command.ts';
import { limits, truncate } from './embeds.ts';
import { answerFailure, answerPrivately, describe, explain, isTooLate } from './failures.ts';
import { createOpenReplies } from './open-replies.ts';

export interface Dispatcher {
  handle(interaction: Interaction): void;
  /** True where nobody has begun with the interaction of this id: the caller is then the one who answers it. */
  claim(id: string): boolean;
  /** From now on members are told to try again later, but for what ends what is being said. */
  stop(): void;
  /** Resolves when all that was begun has ended. */
  settled(): Promise<unknown>;
}

/** After a lost connection the gateway may tell once more what was told shortly before: the latest interactions, by their ids. */
const REMEMBERED = 1000;

/**
 * @param powers of all commands; each is given a log of its own, with the id of its interaction as `command`
 * @throws Error where two commands lay claim to the same name or custom_id.
 */
export function createDispatcher(
  commands: Command[],
  powers: Omit<Context, 'tell' | 'noteReply'>,
  access: Access,
  onEnd: (command: string, outcome: CommandOutcome) => void = () => {},
): Dispatcher {
  const byName = index(commands.map((command) => [`${command.data.type}:${command.data.name}`, command]));
  const components = index(commands.flatMap((command) => Object.entries(command.components ?? {})));
  const modals = index(commands.flatMap((command) => Object.entries(command.modals ?? {})));
  const owners = new Map(
    commands.flatMap(({ data, components, modals }) => Object.keys({ ...components, ...modals }).map((prefix) => [prefix, data.name])),
  );
  const askingParts = commands.flatMap(({ spendingParts, browsingParts }) => asksOf(spendingParts, browsingParts));
  const askingForms = commands.flatMap(({ spendingForms, browsingForms }) => asksOf(spendingForms, browsingForms));
  const openingParts = commands.flatMap((command) => Object.entries(command.openingParts ?? {}));
  const drainingParts = new Set(commands.flatMap((command) => command.drainingParts ?? []));
  const running = new Set<Promise<void>>();
  const seen = new Set<string>();
  let stopped = false;

  /** The command that an interaction belongs to: one of ours, whatever a custom_id says. */
  function nameOf(interaction: Interaction): string {
    if (interaction.isAutocomplete()) return 'autocomplete';
    if (interaction.isCommand()) return byName.get(`${interaction.commandType}:${interaction.commandName}`)?.data.name ?? 'unknown';
    return owners.get(interaction.customId.split(':')[0] ?? '') ?? 'unknown';
  }

  async function run(interaction: Interaction, context: Context): Promise<void> {
    if (interaction.isAutocomplete()) {
      const command = byName.get(`1:${interaction.commandName}`);
      const choices = command && 'complete' in command ? ((await command.complete?.(interaction, context)) ?? []) : [];
      await interaction.respond(
        choices.slice(0, limits.choices).map((choice) => ({ ...choice, name: truncate(choice.name, limits.choiceName) })),
      );
      return;
    }
    if (!interaction.isRepliable()) return;
    if (stopped && !endsSpeech(interaction)) {
      await answerPrivately(interaction, sentences.closing);
    } else if (interaction.isChatInputCommand() || interaction.isMessageContextMenuCommand()) {
      const command = byName.get(`${interaction.commandType}:${interaction.commandName}`);
      if (!command) throw new UserError(sentences.unknownCommand);
      if (command.bound) await access.checkRules(interaction, null);
      const asks = command.spends ?? (command.browses ? 'browsing' : null);
      if (asks) await access.checkAsk(interaction, asks);
      // The key holds the type, so the interaction is of the command's own kind.
      await command.run(interaction as never, context);
    } else if (interaction.isMessageComponent()) {
      const [prefix = '', ...args] = interaction.customId.split(':');
      const handler = components.get(prefix);
      if (!handler) throw new UserError(sentences.expiredMessage);
      await checkPart(interaction, askingParts, access.checkAsk);
      await checkPart(interaction, openingParts, access.checkRules);
      await handler(interaction, context, args);
    } else if (interaction.isModalSubmit()) {
      const [prefix = '', ...args] = interaction.customId.split(':');
      const handler = modals.get(prefix);
      if (!handler) throw new UserError(sentences.expiredMessage);
      await checkPart(interaction, askingForms, access.checkAsk);
      await handler(interaction, context, args);
    } else {
      throw new UserError(sentences.unknownCommand);
    }
  }

  async function checkPart<T extends Ask>(
    interaction: ComponentInteraction | ModalSubmitInteraction,
    parts: [string, T][],
    check: (interaction: Interaction, kind: T) => Promise<void>,
  ): Promise<void> {
    const part = parts.find(([begin]) => `${interaction.customId}:`.startsWith(`${begin}:`));
    if (part) await check(interaction, part[1]);
  }

  /** What ends sooner for it must not be refused because of the end. */
  function endsSpeech(interaction: Interaction): boolean {
    if (interaction.isCommand()) return byName.get(`${interaction.commandType}:${interaction.commandName}`)?.whileDraining ?? false;
    return interaction.isMessageComponent() && drainingParts.has(interaction.customId.split(':')[0] ?? '');
  }

  async function runWatched(interaction: Interaction): Promise<void> {
    const name = nameOf(interaction);
    const log = powers.log.child({ command: interaction.id });
    const begun = performance.now();
    let outcome: CommandOutcome = 'done';
    const replies = createOpenReplies(interaction, powers.store, log);
    const context: Context = {
      ...powers,
      log,
      noteReply: replies.note,
      tell(asked, error, options) {
        outcome = outcomeOf(error);
        return answerFailure(asked, error, log, 'keep', options);
      },
    };
    const level = interaction.isAutocomplete() ? 'debug' : 'info';
    log[level]({ name, kind: InteractionType[interaction.type], guild: interaction.guildId }, 'a command has begun');
    try {
      await run(interaction, context);
    } catch (error) {
      outcome = outcomeOf(error);
      if (outcome === 'late') log.warn(describe(error), 'an answer came too late');
      else await answerFailure(interaction, error, log);
    }
    await replies.close();
    log[level]({ name, outcome, ms: Math.round(performance.now() - begun) }, 'a command has ended');
    onEnd(name, outcome);
  }

  function claim(id: string): boolean {
    if (seen.has(id)) return false;
    seen.add(id);
    if (seen.size > REMEMBERED) seen.delete(seen.values().next().value as string);
    return true;
  }

  return {
    claim,
    handle(interaction) {
      if (!claim(interaction.id)) return;
      const done = runWatched(interaction).finally(() => running.delete(done));
      running.add(done);
    },
    stop() {
      stopped = true;
    },
    async settled() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

function asksOf(spending: Record<string, Ask> = {}, browsing: readonly string[] = []): [string, Ask][] {
  return [...Object.entries(spending), ...browsing.map((begin): [string, Ask] => [begin, 'browsing'])];
}

function index<T>(entries: [string, T][]): Map<string, T> {
  const map = new Map(entries);
  if (map.size < entries.length) throw new Error('Two commands lay claim to the same name or custom_id.');
  return map;
}

function outcomeOf(error: unknown): CommandOutcome {
  if (isTooLate(error)) return 'late';
  if (error instanceof UserError || error instanceof BudgetError) return 'refused';
  return explain(error) === null ? 'broken' : 'failed';
}
