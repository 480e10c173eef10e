// /voices: browses the catalogue of voices page by page, to look at, hear and choose each of them.
import { ApplicationCommandOptionType, ApplicationCommandType, MessageFlags } from 'discord.js';
import type { SlashCommand } from '../src/bot/command.ts';
import { en } from '../src/locales/en/index.ts';
import { asPlain } from '../src/text/untrusted-text.ts';
import { voicesButtons } from '../src/voices/buttons.ts';
import { checkMine } from '../src/voices/catalogue.ts';
import type { VoicesContext } from '../src/voices/context.ts';
import { type Filters, MAX_PAGE, SORTS } from '../src/voices/filters.ts';
import { loadPage } from '../src/voices/page.ts';

/** The longest of the options below. */
const MAX_FILTER_LENGTH = 60;

const text = (name: keyof Filters & string, description: string, max_length: number) =>
  ({ type: ApplicationCommandOptionType.String, name, description, max_length }) as const;

export const voices = {
  data: {
    type: ApplicationCommandType.ChatInput,
    name: 'voices',
    description: 'Browse the voices I can speak in',
    options: [
      text('title', 'Words of the title', 60),
      text('tag', 'Tags, separated by commas', 60),
      text('language', 'Languages spoken, such as en, de, separated by commas', 40),
      text('title_language', 'Languages of the title, separated by commas', 40),
      {
        type: ApplicationCommandOptionType.Boolean,
        name: 'mine',
        description: 'Only the own voices of the account I use (for whoever runs me)',
      },
      text('author', 'Id of an author', 60),
      {
        type: ApplicationCommandOptionType.String,
        name: 'sort',
        description: 'What comes first',
        choices: SORTS.map((value) => ({ name: en.voices.sorts[value], value })),
      },
      { type: ApplicationCommandOptionType.Integer, name: 'page', description: 'Page to begin with', min_value: 1, max_value: MAX_PAGE },
    ],
  },

  async run(interaction, context) {
    const { options } = interaction;
    const mine = options.getBoolean('mine') ?? false;
    const texts = ['title', 'tag', 'language', 'title_language', 'author', 'sort'].flatMap((name) => {
      // Cleaned first, as every page shows it and the next one reads it from there.
      const value = asPlain(options.getString(name) ?? '', MAX_FILTER_LENGTH);
      return value ? [[name, value]] : [];
    });
    const filters: Filters = { ...Object.fromEntries(texts), ...(mine ? { mine } : {}) };
    // The operators' own voices may be private.
    await interaction.deferReply(mine ? { flags: MessageFlags.Ephemeral } : {});
    await checkMine(filters, context, interaction.user.id);
    await interaction.editReply(await loadPage(context, filters, options.getInteger('page') ?? 1, interaction.user.id));
  },

  restricted: true,
  browses: true,

  ...voicesButtons,
} satisfies SlashCommand<VoicesContext>;
