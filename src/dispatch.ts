// From an interaction to the command it is meant for. Every interaction is answered.
import type { Interaction } from 'discord.js';
import type { CheckAccess } from './access.ts';
import { type Command, type Context, UserError } from './command.ts';
import type { SpendingKind } from './credit/index.ts';
import { limits, truncate } from './embed.ts';
import { answerFailure, answerPrivately, describe, isTooLate } from './failures.ts';
import { sentences } from './sentences/index.ts';

export interface Dispatcher {
  handle(interaction: Interaction): void;
  /** From now on members are told to try again later. */
  stop(): void;
  /** Resolves when all that was begun has ended. */
  settled(): Promise<unknown>;
}

/** @throws Error where two commands lay claim to the same name or custom_id. */
export function createDispatcher(commands: Command[], context: Context, checkAccess: CheckAccess): Dispatcher {
  const { log } = context;
  const byName = index(commands.map((command) => [`${command.data.type}:${command.data.name}`, command]));
  const components = index(commands.flatMap((command) => Object.entries(command.components ?? {})));
  const modals = index(commands.flatMap((command) => Object.entries(command.modals ?? {})));
  const spendingParts = commands.flatMap((command) => Object.entries(command.spendingParts ?? {}));
  const spendingForms = commands.flatMap((command) => Object.entries(command.spendingForms ?? {}));
  const running = new Set<Promise<void>>();
  let stopped = false;

  async function run(interaction: Interaction): Promise<void> {
    if (interaction.isAutocomplete()) {
      const command = byName.get(`1:${interaction.commandName}`);
      const choices = command && 'complete' in command ? ((await command.complete?.(interaction, context)) ?? []) : [];
      await interaction.respond(
        choices.slice(0, limits.choices).map((choice) => ({ ...choice, name: truncate(choice.name, limits.choiceName) })),
      );
      return;
    }
    if (!interaction.isRepliable()) return;
    if (stopped) {
      await answerPrivately(interaction, sentences.closing);
    } else if (interaction.isChatInputCommand() || interaction.isMessageContextMenuCommand()) {
      const command = byName.get(`${interaction.commandType}:${interaction.commandName}`);
      if (!command) throw new UserError(sentences.unknownCommand);
      if (command.spends) await checkAccess(interaction, command.spends);
      // The key holds the type, so the interaction is of the command's own kind.
      await command.run(interaction as never, context);
    } else if (interaction.isMessageComponent()) {
      const [prefix = '', ...args] = interaction.customId.split(':');
      const handler = components.get(prefix);
      if (!handler) throw new UserError(sentences.expiredMessage);
      await checkPart(interaction, interaction.customId, spendingParts);
      await handler(interaction, context, args);
    } else if (interaction.isModalSubmit()) {
      const [prefix = '', ...args] = interaction.customId.split(':');
      const handler = modals.get(prefix);
      if (!handler) throw new UserError(sentences.expiredMessage);
      await checkPart(interaction, interaction.customId, spendingForms);
      await handler(interaction, context, args);
    } else {
      throw new UserError(sentences.unknownCommand);
    }
  }

  async function checkPart(interaction: Interaction, customId: string, spending: [string, SpendingKind][]): Promise<void> {
    const part = spending.find(([begin]) => `${customId}:`.startsWith(`${begin}:`));
    if (part) await checkAccess(interaction, part[1]);
  }

  return {
    handle(interaction) {
      const done = run(interaction)
        .catch((error: unknown) => {
          if (isTooLate(error)) log.warn({ interaction: interaction.id, ...describe(error) }, 'an answer came too late');
          else return answerFailure(interaction, error, log);
        })
        .finally(() => running.delete(done));
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

function index<T>(entries: [string, T][]): Map<string, T> {
  const map = new Map(entries);
  if (map.size < entries.length) throw new Error('Two commands lay claim to the same name or custom_id.');
  return map;
}
