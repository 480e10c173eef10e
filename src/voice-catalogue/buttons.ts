// The buttons and menus of /voices. What they need is in their custom_id and the message, so that they work after a restart.
import { type MessageEditOptions, MessageFlags } from 'discord.js';
import type { VoiceModel } from '../api/index.ts';
import { isAdmin } from '../discord/access.ts';
import { asEdit, asPrivate, notice } from '../discord/cards.ts';
import type { ComponentInteraction, SlashCommand } from '../discord/command.ts';
import { on } from '../discord/custom-ids.ts';
import { UserError } from '../discord/errors.ts';
import type { Translator } from '../locales/index.ts';
import type { ChosenVoice } from '../store/settings.ts';
import { checkMine, findVoice, readFilters, type VoicesContext } from './catalogue.ts';
import { type Choice, type Choices, readShownVoice, voiceMessage, withChoice } from './detail.ts';
import type { VoiceUser } from './owners.ts';
import {
  chooseId,
  hearId,
  listenId,
  loadCovers,
  loadPage,
  openId,
  type Position,
  type ShownIn,
  sampleId,
  shareId,
  turnId,
  useId,
} from './page.ts';
import { playSample } from './samples.ts';
import { canSpeak, voiceUserOf } from './titles.ts';
import { titleOf } from './voice-name.ts';

export const voicesButtons = {
  components: [
    on(turnId, {
      browses: true,
      async run(interaction, context, shownIn) {
        const position = readPosition(interaction, shownIn);
        await interaction.deferUpdate();
        await checkMine(position.filters, context, position.ownerId);
        await interaction.editReply(asEdit(await loadPage(translatorOf(interaction, context), context, position, viewerOf(interaction))));
      },
    }),

    on(shareId, {
      browses: true,
      restricted: true,
      async run(interaction, context, shownIn) {
        const position = { ...readPosition(interaction, shownIn), canShare: false };
        if (position.filters.mine) throw new UserError((t) => t('voices.ownVoicesStayPrivate'));
        // No new reply until it is certain that there is a page to show.
        await interaction.deferUpdate();
        await interaction.followUp(await loadPage(context.publicT, context, position, everybodyIn(interaction)));
      },
    }),

    on(listenId, {
      spends: 'speech',
      async run(interaction, context, shownIn) {
        const where = { ...readPosition(interaction, shownIn), viewer: viewerOf(interaction) };
        const picked = readPicked(interaction);
        const find = () => findVoice(context, picked, where);
        await playSample(interaction, context, find, ({ samples }) => samples.findIndex(({ audio }) => audio.trim() !== ''));
      },
    }),

    on(useId, {
      browses: true,
      async run(interaction, context, shownIn) {
        const where = { ...readPosition(interaction, shownIn), viewer: viewerOf(interaction) };
        const picked = readPicked(interaction);
        await interaction.deferReply({ flags: MessageFlags.Ephemeral });
        const voice = await findVoice(context, picked, where);
        await chooseVoice(interaction, context, 'mine', voice);
        await interaction.editReply(asEdit(notice(context.t('voices.choices.mine.chosen', { title: titleOf(voice) }), 'done')));
      },
    }),

    on(openId, {
      browses: true,
      async run(interaction, context, shownIn) {
        const position = readPosition(interaction, shownIn);
        const picked = readPicked(interaction);
        await interaction.deferUpdate();
        await checkMine(position.filters, context, position.ownerId);
        const voice = await findVoice(context, picked, { ...position, viewer: viewerOf(interaction) });
        const [chosen, [cover = null]] = await Promise.all([
          readChoices(interaction, context, voice.id),
          loadCovers(context.safeFetch, [voice], context.signal),
        ]);
        await interaction.editReply(asEdit(voiceMessage(translatorOf(interaction, context), voice, position, chosen, cover)));
      },
    }),

    on(chooseId, {
      browses: true,
      async run(interaction, context, { choice, ...shownIn }) {
        const position = readPosition(interaction, shownIn);
        const { message, customId } = interaction;
        const shown = readShownVoice(message);
        await interaction.deferUpdate();
        // The server's default must be a voice that everybody may use.
        const viewer = choice === 'server' ? everybodyIn(interaction) : viewerOf(interaction);
        const find = async () => {
          const own = choice === 'server' ? await context.voiceOwners.find(shown.id) : null;
          const isOwn = own?.ownerId === interaction.user.id;
          if (isOwn && (await context.voiceOwners.accessOf(own.id, viewer)) === 'refused')
            throw new UserError((t) => t('ownVoices.mine.shareFirst', { title: own.title }));
          return findVoice(context, shown, { ...position, viewer });
        };
        const isChosen = await toggleChoice(interaction, context, choice, shown.id, find);
        const { components, attachments } = withChoice(translatorOf(interaction, context), message.components, customId, choice, isChosen);
        await interaction.editReply({ flags: MessageFlags.IsComponentsV2, components, attachments } as MessageEditOptions);

        const sentence = context.t(`voices.choices.${choice}.${isChosen ? 'chosen' : 'givenUp'}`, { title: shown.title });
        await interaction.followUp(asPrivate(notice(sentence, 'done')));
      },
    }),

    on(hearId, {
      spends: 'speech',
      async run(interaction, context, { sample, ...shownIn }) {
        await playShownVoice(interaction, context, sample, shownIn);
      },
    }),

    on(sampleId, {
      spends: 'speech',
      async run(interaction, context, shownIn) {
        const sample = Number(interaction.isStringSelectMenu() ? interaction.values[0] : Number.NaN);
        await playShownVoice(interaction, context, sample, shownIn);
      },
    }),
  ],
} satisfies Partial<SlashCommand<VoicesContext>>;

async function playShownVoice(interaction: ComponentInteraction, context: VoicesContext, sample: number, shownIn: ShownIn): Promise<void> {
  const where = { ...readPosition(interaction, shownIn), viewer: viewerOf(interaction) };
  const shown = readShownVoice(interaction.message);
  await playSample(
    interaction,
    context,
    () => findVoice(context, shown, where),
    () => sample,
  );
}

/** Which page the message shows. @throws UserError if it belongs to another member, or was edited */
function readPosition(interaction: ComponentInteraction, { page, ownerId }: ShownIn): Position {
  if (interaction.user.id !== ownerId) throw new UserError((t) => t('general.notYourButtons', { command: '/voices' }));
  const filters = readFilters(interaction.message);
  return { filters, page, ownerId, canShare: isPrivate(interaction) && !filters.mine };
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

function translatorOf(interaction: ComponentInteraction, { t, publicT }: VoicesContext): Translator {
  return isPrivate(interaction) ? t : publicT;
}

// Choosing a voice as one's own, as a favourite or for the server, and undoing that.

/** Most favourites: as many as a select menu has options. */
const MAX_FAVOURITES = 25;

type Chooser = Pick<ComponentInteraction, 'user' | 'guildId' | 'memberPermissions'>;

/** What this voice is chosen as, as far as this member may know. @throws StoreError */
async function readChoices({ user, guildId, memberPermissions }: Chooser, { settings }: VoicesContext, id: string): Promise<Choices> {
  const [member, guild] = await Promise.all([settings.member(user.id), guildId === null ? null : settings.guild(guildId)]);
  return {
    mine: member.voice?.id === id,
    favourite: member.favourites.some((voice) => voice.id === id),
    server: guild && isAdmin(memberPermissions) ? guild.voice?.id === id : null,
  };
}

/**
 * Chooses the voice, or gives it up if it was chosen; returns whether it is chosen now. `find` is called only to choose it, so that a
 * deleted voice can be given up. @throws UserError, StoreError, whatever `find` throws
 */
async function toggleChoice(
  interaction: Chooser,
  context: VoicesContext,
  choice: Choice,
  id: string,
  find: () => Promise<VoiceModel>,
): Promise<boolean> {
  const { [choice]: isChosen } = await readChoices(interaction, context, id);
  if (isChosen === null) throw new UserError((t) => t('voices.serverVoiceForAdmins'));
  if (isChosen) await save(interaction, context, choice, id, null);
  else await chooseVoice(interaction, context, choice, await find());
  return !isChosen;
}

/** @throws UserError if the voice cannot speak; StoreError */
async function chooseVoice(interaction: Chooser, context: VoicesContext, choice: Choice, model: VoiceModel): Promise<void> {
  const title = titleOf(model);
  if (!canSpeak(model)) throw new UserError((t) => t('voices.cannotSpeak', { title }));
  await save(interaction, context, choice, model.id, { id: model.id, title });
}

/** @param voice null = none, or no longer a favourite */
async function save(
  { user, guildId }: Chooser,
  { settings }: VoicesContext,
  choice: Choice,
  id: string,
  voice: ChosenVoice | null,
): Promise<void> {
  if (choice === 'favourite') {
    await settings.changeMember(user.id, (member) => {
      const others = member.favourites.filter((favourite) => favourite.id !== id);
      return { ...member, favourites: voice ? [voice, ...others].slice(0, MAX_FAVOURITES) : others };
    });
  } else if (choice === 'mine') {
    await settings.changeMember(user.id, (member) => ({ ...member, voice }));
  } else if (guildId !== null) {
    await settings.changeGuild(guildId, (guild) => ({ ...guild, voice }));
  }
}
