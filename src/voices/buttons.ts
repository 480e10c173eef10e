// The buttons and menus of /voices. What they need is in their custom_id and the message, so that they work after a restart.
import type { ComponentInteraction, SlashCommand } from '../bot/command.ts';
import { UserError } from '../bot/user-error.ts';
import { checkMine, findVoice } from './catalogue.ts';
import { readChoices, toggleChoice } from './choices.ts';
import type { VoicesContext } from './context.ts';
import { loadCovers } from './covers.ts';
import { type Choice, readShownVoice, voiceMessage, withChoice } from './detail.ts';
import { readFilters, readPage } from './filters.ts';
import { loadPage } from './page.ts';
import { playSample } from './sample-playback.ts';

export const voicesButtons = {
  components: {
    /** `voices:button:page:owner`: turns to that page, or back to it. */
    voices: {
      browses: true,
      async run(interaction, context, [, number, owner]) {
        const { filters, page, ownerId } = readPosition(interaction, number, owner);
        await interaction.deferUpdate();
        await checkMine(filters, context, ownerId);
        await interaction.editReply(await loadPage(context, filters, page, ownerId));
      },
    },

    /** `voices-open:page:owner`, a menu of ids. */
    'voices-open': {
      browses: true,
      async run(interaction, context, [number, owner]) {
        const { filters, page, ownerId } = readPosition(interaction, number, owner);
        const [id = ''] = interaction.isStringSelectMenu() ? interaction.values : [];
        const title = interaction.isStringSelectMenu() ? interaction.component?.options.find(({ value }) => value === id)?.label : '';
        await interaction.deferUpdate();
        await checkMine(filters, context, ownerId);
        const voice = await findVoice(context, { id, title: title ?? '' }, filters, page);
        const [chosen, [cover = null]] = await Promise.all([
          readChoices(interaction, context, id),
          loadCovers(context.safeFetch, [voice], context.signal),
        ]);
        const header = interaction.message.embeds[0]?.toJSON() ?? {};
        await interaction.editReply(voiceMessage(voice, header, page, ownerId, chosen, cover));
      },
    },

    /** `voices-choose:choice:page:owner`. */
    'voices-choose': {
      browses: true,
      async run(interaction, context, [choice, number, owner]) {
        const { filters, page } = readPosition(interaction, number, owner);
        const shown = readShownVoice(interaction.message);
        if (!isChoice(choice)) throw new UserError((t) => t.general.expiredMessage);
        await interaction.deferUpdate();
        const isChosen = await toggleChoice(interaction, context, choice, shown.id, () => findVoice(context, shown, filters, page));
        await interaction.editReply({ components: withChoice(interaction.message.components, interaction.customId, choice, isChosen) });
      },
    },

    /** `voices-hear:sample:page:owner`. */
    'voices-hear': {
      spends: 'speech',
      async run(interaction, context, [sample, number, owner]) {
        await playShownVoice(interaction, context, { sample, number, owner });
      },
    },

    /** `voices-sample:page:owner`, a menu of samples. */
    'voices-sample': {
      spends: 'speech',
      async run(interaction, context, [number, owner]) {
        const [sample] = interaction.isStringSelectMenu() ? interaction.values : [];
        await playShownVoice(interaction, context, { sample, number, owner });
      },
    },
  },
} satisfies Partial<SlashCommand<VoicesContext>>;

async function playShownVoice(
  interaction: ComponentInteraction,
  context: VoicesContext,
  { sample, number, owner }: { sample: string | undefined; number: string | undefined; owner: string | undefined },
): Promise<void> {
  const { filters, page } = readPosition(interaction, number, owner);
  const shown = readShownVoice(interaction.message);
  await playSample(interaction, context, () => findVoice(context, shown, filters, page), Number(sample));
}

/** Which page the message shows. @throws UserError if it belongs to another member, or was changed */
function readPosition(interaction: ComponentInteraction, number: string | undefined, ownerId: string | undefined) {
  if (interaction.user.id !== ownerId) throw new UserError((t) => t.general.notYourButtons('/voices'));
  return { filters: readFilters(interaction.message), page: readPage(number), ownerId };
}

function isChoice(text: string | undefined): text is Choice {
  return text === 'mine' || text === 'favourite' || text === 'server';
}
