// /voices: browses the catalogue of voices page by page, to look at, hear and choose each of them.
import { ApplicationCommandOptionType, ApplicationCommandType, MessageFlags } from 'discord.js';
import { asEdit } from '../src/bot/cards.ts';
import type { SlashCommand } from '../src/bot/command.ts';
import { described, named, type Sentence } from '../src/locales/index.ts';
import { completeFilter } from '../src/voices/autocomplete.ts';
import { voicesButtons } from '../src/voices/buttons.ts';
import { checkMine } from '../src/voices/catalogue.ts';
import type { VoicesContext } from '../src/voices/context.ts';
import { type Filters, MAX_FILTER_LENGTH, MAX_PAGE, SORTS, typedFilters } from '../src/voices/filters.ts';
import { loadPage } from '../src/voices/page.ts';

const text = (name: keyof Filters, sentence: Sentence, more: { autocomplete?: true } = {}) =>
  ({ type: ApplicationCommandOptionType.String, name, ...described(sentence), max_length: MAX_FILTER_LENGTH, ...more }) as const;

const flag = (name: keyof Filters, sentence: Sentence) =>
  ({ type: ApplicationCommandOptionType.Boolean, name, ...described(sentence) }) as const;

export const voices = {
  data: {
    type: ApplicationCommandType.ChatInput,
    name: 'voices',
    ...described((t) => t.commands.voices.description),
    options: [
      text('title', (t) => t.commands.voices.title),
      text('tag', (t) => t.commands.voices.tag, { autocomplete: true }),
      text('language', (t) => t.commands.voices.language, { autocomplete: true }),
      text('author', (t) => t.commands.voices.author, { autocomplete: true }),
      {
        type: ApplicationCommandOptionType.String,
        name: 'sort',
        ...described((t) => t.commands.voices.sort),
        choices: SORTS.map((value) => ({ ...named((t) => t.voices.sorts[value]), value })),
      },
      text('title_language', (t) => t.commands.voices.titleLanguage, { autocomplete: true }),
      flag('all', (t) => t.commands.voices.all),
      flag('mine', (t) => t.commands.voices.mine),
      {
        type: ApplicationCommandOptionType.Integer,
        name: 'page',
        ...described((t) => t.commands.voices.page),
        min_value: 1,
        max_value: MAX_PAGE,
      },
    ],
  },

  async run(interaction, context) {
    const filters = typedFilters(interaction, context);
    const page = interaction.options.getInteger('page') ?? 1;
    await interaction.deferReply({ flags: MessageFlags.Ephemeral });
    await checkMine(filters, context, interaction.user.id);
    // The operators' own voices may be private.
    const position = { filters, page, ownerId: interaction.user.id, canShare: !filters.mine };
    await interaction.editReply(asEdit(await loadPage(context.words, context, position)));
  },

  complete: completeFilter,

  browses: true,

  ...voicesButtons,
} satisfies SlashCommand<VoicesContext>;
