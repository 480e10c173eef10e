// The buttons and the form of making a voice. What they need is in their custom_id, or kept under a key in it, so that they work after a
// restart.
import type { Guild } from 'discord.js';
import { isAdmin } from '../bot/access.ts';
import { asEdit, asPrivate, notice } from '../bot/cards.ts';
import type { ComponentInteraction, SlashCommand } from '../bot/command.ts';
import { describeError, explainError, isExpected } from '../bot/error-boundary.ts';
import { createPressLock } from '../bot/press-lock.ts';
import { createProgress } from '../bot/progress.ts';
import { UserError } from '../bot/user-error.ts';
import { handleOf, isHandle, type OwnVoice } from '../voices/owners.ts';
import type { OwnVoicesContext } from './context.ts';
import { askForConsent, checkMaker } from './creation.ts';
import { fetchMember, findMakerRefusal, type Maker, makerOf } from './permission.ts';
import { readRequest, takeRequest, type VoiceRequest } from './request.ts';
import { endMessage, progressMessage, readyMessage, stageSentence } from './view.ts';

const COMMAND = '/voice create';

const answerLock = createPressLock();

export const creationButtons = {
  components: {
    /** `voice-consent:own|permission:key`, below a question that only the member sees. */
    'voice-consent': {
      spends: 'speech',
      async run(interaction, context, [kind, key = '']) {
        if (kind !== 'own' && kind !== 'permission') throw new UserError((t) => t.general.expiredMessage);
        const { id } = interaction.user;
        await answerLock(interaction, async () => {
          const maker = makerOf(interaction);
          await checkMaker(maker, context);
          const request = await takeRequest(context.store, id, key);
          // Another member speaks, and only they can agree.
          if (request.speaker !== null) throw new UserError((t) => t.general.expiredMessage);
          await make(interaction, context, request, { maker, consent: { kind, memberId: id, at: Date.now() }, isPublic: false });
        });
      },
    },

    /** `voice-withdraw:key`, below the same question. */
    'voice-withdraw': {
      async run(interaction, { store, words }, [key = '']) {
        const { title } = await takeRequest(store, interaction.user.id, key);
        await interaction.update(asEdit(endMessage(title, words.ownVoices.create.withdrawn, 'neutral')));
      },
    },

    /** `voice-agree:key:maker:speaker`: only the speaker can. */
    'voice-agree': {
      async run(interaction, context, [key = '', makerId = '', speakerId = '']) {
        const { id } = interaction.user;
        if (id !== speakerId) throw new UserError((t) => t.ownVoices.create.onlySpeaker(speakerId));
        await answerLock(interaction, async () => {
          const { title, speaker } = await readRequest(context.store, makerId, key);
          if (speaker?.id !== id) throw new UserError((t) => t.general.expiredMessage);
          const maker = await findMaker(interaction.guild, makerId);
          const refusal = maker ? await findMakerRefusal(maker, context) : null;
          const request = await takeRequest(context.store, makerId, key);
          if (!maker || refusal) {
            const { makerLeft, makerMayNot } = context.publicWords.ownVoices.create;
            await interaction.update(asEdit(endMessage(title, maker ? makerMayNot(makerId) : makerLeft(makerId), 'neutral')));
            return;
          }
          await make(interaction, context, request, { maker, consent: { kind: 'speaker', memberId: id, at: Date.now() }, isPublic: true });
        });
      },
    },

    /** `voice-refuse:key:maker:speaker`: by the speaker, or taken back by the member who asked. */
    'voice-refuse': {
      async run(interaction, context, [key = '', makerId = '', speakerId = '']) {
        const { id } = interaction.user;
        if (id !== speakerId && id !== makerId) throw new UserError((t) => t.ownVoices.create.onlySpeaker(speakerId));
        const { title } = await takeRequest(context.store, makerId, key);
        const { refused, takenBack } = context.publicWords.ownVoices.create;
        const sentence = id === speakerId ? refused(speakerId) : takenBack(makerId);
        await interaction.update(asEdit(endMessage(title, sentence, 'neutral')));
      },
    },

    /** `voice-cancel:tag:owner`. The message is changed by the process that makes the voice. */
    'voice-cancel': {
      whileDraining: true,
      async run(interaction, { voiceMaker, words }, [tag = '', ownerId]) {
        if (interaction.user.id !== ownerId) throw new UserError((t) => t.general.notYourButtons(COMMAND));
        const isCancelled = await voiceMaker.cancel(tag, ownerId);
        if (!isCancelled) throw new UserError((t) => t.general.expiredMessage);
        await interaction.reply(asPrivate(notice(words.ownVoices.create.cancelled, 'neutral')));
      },
    },

    /** `voice-use:owner:voice`: the id comes last, as it may contain anything. */
    'voice-use': {
      async run(interaction, context, [ownerId, ...id]) {
        const { title, ...voice } = await findOwned(interaction, context, ownerId, id);
        await context.settings.changeMember(interaction.user.id, (member) => ({ ...member, voice: { id: voice.id, title } }));
        await interaction.reply(asPrivate(notice(context.words.voices.choices.mine.chosen(title), 'done')));
      },
    },
  },

  modals: {
    /** `voice-title:key` */
    'voice-title': {
      leadsToSpending: 'speech',
      browses: true,
      run: (interaction, context, [key = '']) => askForConsent(interaction, context, key),
    },
  },
} satisfies Partial<SlashCommand<OwnVoicesContext>>;

/** The voice of a button, for its owner. @param id or its handle, split at its colons @throws UserError if it's another's, or gone; StoreError */
export async function findOwned(
  { user }: ComponentInteraction,
  { voiceOwners }: Pick<OwnVoicesContext, 'voiceOwners'>,
  ownerId: string | undefined,
  id: string[],
): Promise<OwnVoice> {
  if (user.id !== ownerId) throw new UserError((t) => t.general.notYourButtons(COMMAND));
  const wanted = id.join(':');
  const voice = isHandle(wanted)
    ? (await voiceOwners.ofMember(user.id)).find((one) => handleOf(one.id) === wanted)
    : await voiceOwners.find(wanted);
  if (voice?.ownerId !== ownerId) throw new UserError((t) => t.ownVoices.create.gone);
  return voice;
}

/** Null if they have left the server since. */
async function findMaker(guild: Guild | null, userId: string): Promise<Maker | null> {
  const member = guild && (await fetchMember(guild, userId));
  if (!member) return null;
  return { userId, guildId: member.guild.id, isAdmin: isAdmin(member.permissions), roleIds: [...member.roles.cache.keys()] };
}

interface Agreement {
  maker: Maker;
  consent: OwnVoice['consent'];
  /** Everybody reads how it goes. */
  isPublic: boolean;
}

/** Makes the voice, with its progress in place of the question, and how it ended. @throws DiscordAPIError */
async function make(
  interaction: ComponentInteraction,
  context: OwnVoicesContext,
  request: VoiceRequest,
  { maker: { userId: ownerId, guildId }, consent, isPublic }: Agreement,
): Promise<void> {
  const t = isPublic ? context.publicWords : context.words;
  const { title, recordings, language, isShared } = request;
  const show = (message: Parameters<typeof asEdit>[0]) => interaction.editReply(asEdit(message));
  await interaction.deferUpdate();
  context.noteReply(interaction.message.id, !isPublic);
  try {
    const job = await context.voiceMaker.begin({ ownerId, guildId, title, recordings, language, isShared, consent });
    const begun = { tag: job.tag, ownerId };
    const progressOf = (sentence: string) => progressMessage(t, title, sentence, begun);
    await show(progressOf(stageSentence(t, { kind: 'sending', share: 0 }))).catch(async (error: unknown) => {
      await job.abandon();
      throw error;
    });
    const progress = createProgress((sentence) => show(progressOf(sentence)));
    const voice = await job.run((stage) => progress.set(() => stageSentence(t, stage))).finally(progress.end);
    await show(voice === null ? endMessage(title, t.ownVoices.create.cancelled, 'neutral') : readyMessage(t, voice, language));
  } catch (error) {
    const sentence = explainError(error)?.(t) ?? t.ownVoices.create.notMade;
    // The member who agreed has made no mistake: the sentence is for the one who wants the voice.
    await show(endMessage(title, isPublic ? t.general.toMember(ownerId, sentence) : sentence));
    if (!isExpected(error)) context.log.warn(describeError(error), 'a voice could not be made');
  }
}
