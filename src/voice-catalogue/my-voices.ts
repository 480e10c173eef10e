// /voice mine: a member's own voices, and what its buttons and its form do with them. Every change is made both at the voice service and in
// Parley's own record, or in neither.
import type { ChatInputCommandInteraction, ModalSubmitInteraction } from 'discord.js';
import { type Api, isNotFound } from '../api/index.ts';
import { asEdit } from '../discord/cards.ts';
import type { ComponentInteraction, SlashCommand } from '../discord/command.ts';
import { on } from '../discord/custom-ids.ts';
import { describeError, UserError } from '../discord/errors.ts';
import { asPlain } from '../text/untrusted-text.ts';
import type { OwnVoicesContext } from './own-voice-creation.ts';
import { checkTitle } from './own-voice-request.ts';
import { deleteQuestion, editForm, editFormId, MAX_DESCRIPTION, type MineEntry, mineId, mineMessage } from './own-voice-views.ts';
import type { OwnVoice } from './owners.ts';
import { type Cover, loadCovers } from './page.ts';
import type { VoiceRemoval } from './removal.ts';
import type { SafeFetch } from './safe-fetch.ts';
import { voiceUserOf } from './titles.ts';

export interface MineContext extends OwnVoicesContext {
  api: Api;
  safeFetch: SafeFetch;
  voiceRemoval: VoiceRemoval;
}

type MineInteraction = ChatInputCommandInteraction | ComponentInteraction | ModalSubmitInteraction;

/** Milliseconds that the list waits, at most, for the state of the voices at the service. */
const WAIT_MS = 3_000;

/** Shows the list in place of the message, or of the reply that was begun. @throws StoreError */
export async function showMine(interaction: MineInteraction, context: MineContext, news?: string): Promise<void> {
  const { userId, guildId } = voiceUserOf(interaction);
  const [voices, { voice: chosen }] = await Promise.all([context.voiceOwners.ofMember(userId), context.settings.member(userId)]);
  const entries = await loadEntries(voices, context);
  await interaction.editReply(asEdit(mineMessage(context.t, { entries, guildId, chosenId: chosen?.id ?? null, news })));
}

/** The member's voices with what the service knows about each. */
async function loadEntries(voices: OwnVoice[], { api, safeFetch, signal, log }: MineContext): Promise<MineEntry[]> {
  const wait = AbortSignal.any([signal, AbortSignal.timeout(WAIT_MS)]);
  const failures: unknown[] = [];
  const models = await Promise.all(
    voices.map(({ id }) =>
      api.getModel(id, { signal: wait }).catch((error: unknown) => {
        if (isNotFound(error)) return 'gone' as const;
        failures.push(error);
        return null;
      }),
    ),
  );
  if (failures.length > 0 && !signal.aborted) {
    log.warn(
      describeError(failures[0]),
      "the voice service could not be asked about a member's voices; they are listed without their state",
    );
  }
  const existingModels = models.filter((model) => model !== null && model !== 'gone');
  const covers = new Map<unknown, Cover | null>(
    (await loadCovers(safeFetch, existingModels, signal)).map((cover, index) => [existingModels[index], cover]),
  );
  return voices.map((voice, index) => {
    const model = models[index] ?? null;
    return { voice, model, cover: covers.get(model) ?? null };
  });
}

export const mineButtons = {
  components: [
    on(mineId, {
      browses: true,
      async run(interaction, context, { action, voice: id }) {
        const voice = await findMine(interaction, context, id);
        if (action === 'edit') {
          await interaction.showModal(editForm(context.t, voice));
          return;
        }
        const act = Object.hasOwn(actions, action) ? actions[action] : undefined;
        if (!act) throw new UserError((t) => t('general.expiredMessage'));
        await interaction.deferUpdate();
        if (action === 'delete') await interaction.editReply({ ...asEdit(deleteQuestion(context.t, voice)), attachments: [] });
        else await showMine(interaction, context, await act(voice, interaction, context));
      },
    }),
  ],
  modals: [
    on(editFormId, {
      browses: true,
      async run(interaction, context, { voice: id }) {
        const voice = await findMine(interaction, context, id);
        const title = checkTitle(interaction.fields.getTextInputValue('title'));
        const description = asPlain(interaction.fields.getTextInputValue('description'), MAX_DESCRIPTION);
        if (!interaction.isFromMessage()) throw new UserError((t) => t('general.expiredMessage'));
        await interaction.deferUpdate();
        await rename(voice, { title, description }, context);
        await showMine(interaction, context, context.t('ownVoices.mine.changed', { title }));
      },
    }),
  ],
} satisfies Partial<SlashCommand<MineContext>>;

type Action = (voice: OwnVoice, interaction: ComponentInteraction, context: MineContext) => Promise<string | undefined>;

/** What the buttons do, and say afterwards. */
const actions: Record<string, Action> = {
  list: async () => undefined,
  // The list that follows asks for confirmation.
  delete: async () => undefined,

  async use({ id, title }, { user }, { settings, t }) {
    await settings.changeMember(user.id, (member) => ({ ...member, voice: { id, title } }));
    return t('voices.choices.mine.chosen', { title });
  },

  async drop({ id, title }, { user }, { settings, t }) {
    await settings.changeMember(user.id, (member) => ({ ...member, voice: member.voice?.id === id ? null : member.voice }));
    return t('voices.choices.mine.givenUp', { title });
  },

  async share({ id, title }, interaction, { voiceOwners, t }) {
    const { guildId } = voiceUserOf(interaction);
    if (guildId === null) throw new UserError((t) => t('general.expiredMessage'));
    await voiceOwners.change(id, (voice) => ({ ...voice, sharedWith: [...new Set([...voice.sharedWith, guildId])] }));
    return t('ownVoices.mine.nowShared', { title });
  },

  /** In a server, stops sharing with that server; elsewhere, with all servers. */
  async unshare({ id, title, sharedWith }, interaction, { voiceOwners, settings, t }) {
    const { guildId } = voiceUserOf(interaction);
    const isEnded = (sharedGuildId: string) => guildId === null || sharedGuildId === guildId;
    await voiceOwners.change(id, (voice) => ({
      ...voice,
      sharedWith: voice.sharedWith.filter((sharedGuildId) => !isEnded(sharedGuildId)),
    }));
    await settings.changeVoices(new Map([[id, null]]), { memberIds: [], guildIds: sharedWith.filter(isEnded) });
    return t('ownVoices.mine.nowPrivate', { title });
  },

  async 'delete-now'({ id, title }, _, { voiceRemoval, store, t }) {
    const isGone = await voiceRemoval.remove(id);
    await store.scrub();

    return isGone ? t('ownVoices.mine.deleted', { title }) : t('ownVoices.mine.deletedLater', { title });
  },
};

/** @throws UserError if the voice is another's, or gone; StoreError */
async function findMine({ user }: MineInteraction, { voiceOwners }: MineContext, id: string): Promise<OwnVoice> {
  const voice = await voiceOwners.find(id);
  if (voice?.ownerId !== user.id) throw new UserError((t) => t('ownVoices.mine.gone'));
  return voice;
}

/** @throws UserError if the voice is gone; ApiError, StoreError: then everything is as it was */
async function rename(voice: OwnVoice, changes: { title: string; description: string }, context: MineContext): Promise<void> {
  const { api, voiceRemoval, signal, log } = context;
  const { id, title, description } = voice;
  try {
    await api.updateModel(id, changes, { signal });
    if (!(await voiceRemoval.rename(id, changes))) throw new UserError((t) => t('ownVoices.mine.gone'));
  } catch (error) {
    if (isNotFound(error)) throw new UserError((t) => t('voices.gone', { title }), { cause: error });
    // The service may have taken the change although its answer was lost.
    await Promise.all([api.updateModel(id, { title, description }, { signal }), voiceRemoval.rename(id, { title, description })]).catch(
      (failure: unknown) => log.warn(describeError(failure), 'a voice may have been renamed at the voice service only'),
    );
    throw error;
  }
}
