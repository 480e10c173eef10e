// /voices: the catalogue in pages, and each voice to be looked at, heard and chosen. What a page needs to be turned travels with the
// message, so that it works after a restart.
import { type APIEmbed, ApplicationCommandOptionType, ApplicationCommandType, MessageFlags } from 'discord.js';
import type { ComponentInteraction, SlashCommand } from '../src/bot/command.ts';
import { UserError } from '../src/bot/user-error.ts';
import { en } from '../src/locales/en/index.ts';
import { asPlain } from '../src/text/untrusted-text.ts';
import { choicesOf, choose } from '../src/voices/choose.ts';
import type { VoicesContext } from '../src/voices/context.ts';
import { loadCovers } from '../src/voices/cover.ts';
import { type Choice, shownVoice, voiceMessage, withChoice } from '../src/voices/detail.ts';
import { type Filters, MAX_PAGE, readFilters, readPage, SORTS } from '../src/voices/filters.ts';
import { findVoice, listPage } from '../src/voices/find.ts';
import { hear } from '../src/voices/hear.ts';
import { voicesMessage } from '../src/voices/page.ts';

/** What can be typed for any of them. */
const LONGEST_FILTER = 60;

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
      // As it is shown on every page, where it is read back.
      const value = asPlain(options.getString(name) ?? '', LONGEST_FILTER);
      return value ? [[name, value]] : [];
    });
    const filters: Filters = { ...Object.fromEntries(texts), ...(mine ? { mine } : {}) };
    // The own voices may be private ones: they are not shown around.
    await interaction.deferReply(mine ? { flags: MessageFlags.Ephemeral } : {});
    await checkMine(filters, context, interaction.user.id);
    await interaction.editReply(await pageMessage(context, filters, options.getInteger('page') ?? 1, interaction.user.id));
  },

  restricted: true,
  browses: true,

  components: {
    /** `voices:button:page:owner`: turns to that page, or goes back to it. */
    voices: {
      browses: true,
      async run(interaction, context, [, number, owner]) {
        const place = placeOf(interaction, number, owner);
        await interaction.deferUpdate();
        await checkMine(place.filters, context, place.owner);
        await interaction.editReply(await pageMessage(context, place.filters, place.page, place.owner));
      },
    },

    /** `voices-open:page:owner`, a menu of ids. */
    'voices-open': {
      browses: true,
      async run(interaction, context, [number, owner]) {
        const { filters, page, ...place } = placeOf(interaction, number, owner);
        const [id = ''] = interaction.isStringSelectMenu() ? interaction.values : [];
        const title = interaction.isStringSelectMenu() ? interaction.component?.options.find(({ value }) => value === id)?.label : '';
        await interaction.deferUpdate();
        await checkMine(filters, context, place.owner);
        const voice = await findVoice(context, { id, title: title ?? '' }, filters, page);
        const [chosen, [cover = null]] = await Promise.all([
          choicesOf(interaction, context, id),
          loadCovers(context.safeFetch, [voice], context.signal),
        ]);
        await interaction.editReply(voiceMessage(voice, headOf(interaction), page, place.owner, chosen, cover));
      },
    },

    /** `voices-choose:choice:page:owner`. */
    'voices-choose': {
      browses: true,
      async run(interaction, context, [choice, number, owner]) {
        const { filters, page } = placeOf(interaction, number, owner);
        const seen = shownVoice(interaction.message);
        if (!isChoice(choice)) throw new UserError(en.general.expiredMessage);
        await interaction.deferUpdate();
        const isChosen = await choose(interaction, context, choice, seen.id, () => findVoice(context, seen, filters, page));
        await interaction.editReply({ components: withChoice(interaction.message.components, interaction.customId, choice, isChosen) });
      },
    },

    /** `voices-hear:sample:page:owner`. */
    'voices-hear': {
      spends: 'speech',
      async run(interaction, context, [sample, number, owner]) {
        await hearSample(interaction, context, sample, number, owner);
      },
    },

    /** `voices-sample:page:owner`, a menu of samples. */
    'voices-sample': {
      spends: 'speech',
      async run(interaction, context, [number, owner]) {
        await hearSample(interaction, context, interaction.isStringSelectMenu() ? interaction.values[0] : undefined, number, owner);
      },
    },
  },
} satisfies SlashCommand<VoicesContext>;

async function pageMessage(context: VoicesContext, filters: Filters, page: number, owner: string) {
  const found = await listPage(context, filters, page);
  return voicesMessage(found, filters, page, owner, await loadCovers(context.safeFetch, found.items, context.signal));
}

async function hearSample(
  interaction: ComponentInteraction,
  context: VoicesContext,
  sample: string | undefined,
  number: string | undefined,
  owner: string | undefined,
): Promise<void> {
  const { filters, page } = placeOf(interaction, number, owner);
  const seen = shownVoice(interaction.message);
  await hear(interaction, context, () => findVoice(context, seen, filters, page), Number(sample));
}

/** What the message is a page of. @throws UserError where it is another member's, or was changed */
function placeOf(interaction: ComponentInteraction, number: string | undefined, owner: string | undefined) {
  if (interaction.user.id !== owner) throw new UserError(en.general.notYourButtons('/voices'));
  return { filters: readFilters(interaction.message), page: readPage(number), owner };
}

function headOf({ message }: ComponentInteraction): APIEmbed {
  return message.embeds[0]?.toJSON() ?? {};
}

/** @throws UserError where somebody else than an operator wants to see the own voices */
async function checkMine(filters: Filters, context: VoicesContext, userId: string): Promise<void> {
  if (filters.mine && !(await context.isOperator(userId))) throw new UserError(en.voices.ownVoicesForOperators);
}

function isChoice(text: string | undefined): text is Choice {
  return text === 'mine' || text === 'favourite' || text === 'server';
}
