// The buttons and menus of /voices. What they need is in their custom_id and the message, so that they work after a restart.
import { type MessageEditOptions, MessageFlags } from 'discord.js';
import { asEdit, notice } from '../bot/cards.ts';
import type { ComponentInteraction, SlashCommand } from '../bot/command.ts';
import { UserError } from '../bot/user-error.ts';
import type { Words } from '../locales/index.ts';
import { checkMine, findVoice, titleOf } from './catalogue.ts';
import { chooseVoice, readChoices, toggleChoice } from './choices.ts';
import type { VoicesContext } from './context.ts';
import { loadCovers } from './covers.ts';
import { type Choice, readShownVoice, voiceMessage, withChoice } from './detail.ts';
import { readFilters, readPage } from './filters.ts';
import { type VoiceUser, voiceUserOf } from './owners.ts';
import { loadPage, type Position } from './page.ts';
import { playSample } from './sample-playback.ts';

export const voicesButtons = {
  components: {
    /** `voices:button:page:owner`: turns to that page, or back to it. */
    voices: {
      browses: true,
      async run(interaction, context, [, number, owner]) {
        const position = readPosition(interaction, number, owner);
        await interaction.deferUpdate();
        await checkMine(position.filters, context, position.ownerId);
        await interaction.editReply(asEdit(await loadPage(wordsOf(interaction, context), context, position, viewerOf(interaction))));
      },
    },

    /** `voices-share:page:owner`: shows the page to everybody. */
    'voices-share': {
      browses: true,
      restricted: true,
      async run(interaction, context, [number, owner]) {
        const position = { ...readPosition(interaction, number, owner), canShare: false };
        if (position.filters.mine) throw new UserError((t) => t.voices.ownVoicesStayPrivate);
        // Not a reply of its own before it is known that there is a page.
        await interaction.deferUpdate();
        await interaction.followUp(await loadPage(context.publicWords, context, position, everybodyIn(interaction)));
      },
    },

    /** `voices-listen:page:owner`, a menu of ids. */
    'voices-listen': {
      spends: 'speech',
      async run(interaction, context, [number, owner]) {
        const where = { ...readPosition(interaction, number, owner), viewer: viewerOf(interaction) };
        const picked = readPicked(interaction);
        const find = () => findVoice(context, picked, where);
        await playSample(interaction, context, find, ({ samples }) => samples.findIndex(({ audio }) => audio.trim() !== ''));
      },
    },

    /** `voices-use:page:owner`, a menu of ids. */
    'voices-use': {
      browses: true,
      async run(interaction, context, [number, owner]) {
        const where = { ...readPosition(interaction, number, owner), viewer: viewerOf(interaction) };
        const picked = readPicked(interaction);
        await interaction.deferReply({ flags: MessageFlags.Ephemeral });
        const voice = await findVoice(context, picked, where);
        await chooseVoice(interaction, context, 'mine', voice);
        await interaction.editReply(asEdit(notice(context.words.voices.choices.mine.chosen(titleOf(voice)), 'done')));
      },
    },

    /** `voices-open:page:owner`, a menu of ids. */
    'voices-open': {
      browses: true,
      async run(interaction, context, [number, owner]) {
        const position = readPosition(interaction, number, owner);
        const picked = readPicked(interaction);
        await interaction.deferUpdate();
        await checkMine(position.filters, context, position.ownerId);
        const voice = await findVoice(context, picked, { ...position, viewer: viewerOf(interaction) });
        const [chosen, [cover = null]] = await Promise.all([
          readChoices(interaction, context, voice.id),
          loadCovers(context.safeFetch, [voice], context.signal),
        ]);
        await interaction.editReply(asEdit(voiceMessage(wordsOf(interaction, context), voice, position, chosen, cover)));
      },
    },

    /** `voices-choose:choice:page:owner`. */
    'voices-choose': {
      browses: true,
      async run(interaction, context, [choice, number, owner]) {
        const position = readPosition(interaction, number, owner);
        const { message, customId } = interaction;
        const shown = readShownVoice(message);
        if (!isChoice(choice)) throw new UserError((t) => t.general.expiredMessage);
        await interaction.deferUpdate();
        // What everybody hears by default must be a voice that everybody may use.
        const viewer = choice === 'server' ? everybodyIn(interaction) : viewerOf(interaction);
        const find = async () => {
          const own = choice === 'server' ? await context.voiceOwners.find(shown.id) : null;
          const isUnshared = own?.ownerId === interaction.user.id && !(await context.voiceOwners.mayUse(own.id, viewer));
          if (own && isUnshared) throw new UserError((t) => t.ownVoices.mine.shareFirst(own.title));
          return findVoice(context, shown, { ...position, viewer });
        };
        const isChosen = await toggleChoice(interaction, context, choice, shown.id, find);
        const { components, attachments } = withChoice(wordsOf(interaction, context), message.components, customId, choice, isChosen);
        await interaction.editReply({ flags: MessageFlags.IsComponentsV2, components, attachments } as MessageEditOptions);
        const { chosen, givenUp } = context.words.voices.choices[choice];
        const sentence = (isChosen ? chosen : givenUp)(shown.title);
        await interaction.followUp({ ...notice(sentence, 'done'), flags: MessageFlags.IsComponentsV2 | MessageFlags.Ephemeral });
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
  const where = { ...readPosition(interaction, number, owner), viewer: viewerOf(interaction) };
  const shown = readShownVoice(interaction.message);
  await playSample(
    interaction,
    context,
    () => findVoice(context, shown, where),
    () => Number(sample),
  );
}

/** Which page the message shows. @throws UserError if it belongs to another member, or was changed */
function readPosition(interaction: ComponentInteraction, number: string | undefined, ownerId: string | undefined): Position {
  if (interaction.user.id !== ownerId) throw new UserError((t) => t.general.notYourButtons('/voices'));
  const filters = readFilters(interaction.message);
  return { filters, page: readPage(number), ownerId, canShare: isPrivate(interaction) && !filters.mine };
}

/** The voice picked in a menu. */
function readPicked(interaction: ComponentInteraction): { id: string; title: string } {
  if (!interaction.isStringSelectMenu()) return { id: '', title: '' };
  const [id = ''] = interaction.values;
  return { id, title: interaction.component?.options.find(({ value }) => value === id)?.label ?? '' };
}

function isPrivate({ message }: ComponentInteraction): boolean {
  return message.flags.has(MessageFlags.Ephemeral);
}

/** Who sees the message. */
function viewerOf(interaction: ComponentInteraction): VoiceUser {
  return isPrivate(interaction) ? voiceUserOf(interaction) : everybodyIn(interaction);
}

function everybodyIn(interaction: ComponentInteraction): VoiceUser {
  return { ...voiceUserOf(interaction), userId: '' };
}

function wordsOf(interaction: ComponentInteraction, { words, publicWords }: VoicesContext): Words {
  return isPrivate(interaction) ? words : publicWords;
}

function isChoice(text: string | undefined): text is Choice {
  return text === 'mine' || text === 'favourite' || text === 'server';
}
