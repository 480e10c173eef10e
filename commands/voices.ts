// /voices: browses the catalogue of voices page by page, to look at, hear and choose each of them.
import { ApplicationCommandOptionType, ApplicationCommandType, MessageFlags } from 'discord.js';
import { asEdit } from '../src/discord/cards.ts';
import type { SlashCommand } from '../src/discord/command.ts';
import { type CommandKey, described, named } from '../src/locales/command-texts.ts';
import { completeFilter } from '../src/voice-catalogue/autocomplete.ts';
import { voicesButtons } from '../src/voice-catalogue/buttons.ts';
import {
  checkMine,
  type Filters,
  MAX_FILTER_LENGTH,
  MAX_PAGE,
  SORTS,
  typedFilters,
  type VoicesContext,
} from '../src/voice-catalogue/catalogue.ts';
import { loadPage } from '../src/voice-catalogue/page.ts';
import { voiceUserOf } from '../src/voice-catalogue/titles.ts';

const typed = (name: keyof Filters, text: CommandKey, more: { autocomplete?: true } = {}) =>
  ({ type: ApplicationCommandOptionType.String, name, ...described(text), max_length: MAX_FILTER_LENGTH, ...more }) as const;

const flag = (name: keyof Filters, text: CommandKey) => ({ type: ApplicationCommandOptionType.Boolean, name, ...described(text) }) as const;

export const voices = {
  data: {
    type: ApplicationCommandType.ChatInput,
    name: 'voices',
    ...described('commands.voices.description'),
    options: [
      typed('title', 'commands.voices.title'),
      typed('tag', 'commands.voices.tag', { autocomplete: true }),
      typed('language', 'commands.voices.language', { autocomplete: true }),
      typed('author', 'commands.voices.author', { autocomplete: true }),
      {
        type: ApplicationCommandOptionType.String,
        name: 'sort',
        ...described('commands.voices.sort'),
        choices: SORTS.map((value) => ({ ...named(`commands.voices.sorts.${value}`), value })),
      },
      typed('title_language', 'commands.voices.titleLanguage', { autocomplete: true }),
      flag('all', 'commands.voices.all'),
      flag('mine', 'commands.voices.mine'),
      {
        type: ApplicationCommandOptionType.Integer,
        name: 'page',
        ...described('commands.voices.page'),
        min_value: 1,
        max_value: MAX_PAGE,
      },
    ],
  },

  async run(interaction, context) {
    await interaction.deferReply({ flags: MessageFlags.Ephemeral });
    const filters = await typedFilters(interaction, context);
    const page = interaction.options.getInteger('page') ?? 1;
    await checkMine(filters, context, interaction.user.id);
    // The operators' own voices may be private.
    const position = { filters, page, ownerId: interaction.user.id, canShare: !filters.mine };
    await interaction.editReply(asEdit(await loadPage(context.t, context, position, voiceUserOf(interaction))));
  },

  complete: completeFilter,

  browses: true,

  ...voicesButtons,
} satisfies SlashCommand<VoicesContext>;
