// /captions: what people say in a voice channel is written down as they say it, if they have agreed.
import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  type ChatInputCommandInteraction,
  InteractionContextType,
  MessageFlags,
} from 'discord.js';
import { captionsButtons } from '../src/captions/buttons.ts';
import type { CaptionsContext } from '../src/captions/context.ts';
import { checkStart, findStopRefusal } from '../src/captions/start-rules.ts';
import { asEdit, notice } from '../src/discord/cards.ts';
import type { SlashCommand } from '../src/discord/command.ts';
import { UserError } from '../src/discord/errors.ts';
import { described } from '../src/locales/command-texts.ts';

const { Subcommand } = ApplicationCommandOptionType;

export const captions = {
  data: {
    type: ApplicationCommandType.ChatInput,
    name: 'captions',
    ...described('commands.captions.description'),
    contexts: [InteractionContextType.Guild],
    options: [
      { type: Subcommand, name: 'start', ...described('commands.captions.start') },
      { type: Subcommand, name: 'stop', ...described('commands.captions.stop') },
    ],
  },

  checksFor: ({ options }) => (options.getSubcommand(false) === 'start' ? { spends: 'transcription' } : { whileDraining: true }),

  async run(interaction, context) {
    const subcommand = interaction.options.getSubcommand(false);
    if (subcommand === 'start') return start(interaction, context);
    if (subcommand === 'stop') return stop(interaction, context);
    throw new UserError((t) => t('general.unknownCommand'));
  },

  ...captionsButtons,
} satisfies SlashCommand<CaptionsContext>;

/** The panel is a message of its own, where the captions are; only the member who asked reads the reply. */
async function start(interaction: ChatInputCommandInteraction, context: CaptionsContext): Promise<void> {
  await interaction.deferReply({ flags: MessageFlags.Ephemeral });
  const { link } = await context.captions.start(await checkStart(interaction, context));
  await interaction.editReply(asEdit(notice(context.t('captions.started', { link }), 'done')));
}

async function stop(interaction: ChatInputCommandInteraction, { captions: openCaptions, t }: CaptionsContext): Promise<void> {
  const run = openCaptions.in(interaction.guildId);
  if (!run) throw new UserError((t) => t('captions.notOn'), { isEmptyState: true });
  const refusal = findStopRefusal(interaction, run);
  if (refusal) throw new UserError(refusal);
  await interaction.deferReply({ flags: MessageFlags.Ephemeral });
  await run.stop(interaction.user.id);
  await interaction.editReply(asEdit(notice(t('captions.stopped'), 'done')));
}
