// From the request for a voice to the question who speaks in the recordings: nothing is sent before that is answered.
import {
  type ChatInputCommandInteraction,
  type Guild,
  type Message,
  type MessageContextMenuCommandInteraction,
  MessageFlags,
  type ModalSubmitInteraction,
} from 'discord.js';
import { isAdmin } from '../discord/access.ts';
import { type Attachments, isRecording } from '../discord/attachments.ts';
import { asEdit, asPrivate, notice } from '../discord/cards.ts';
import type { ComponentInteraction, InteractionContext, SlashCommand } from '../discord/command.ts';
import { on } from '../discord/custom-ids.ts';
import { describeError, explainError, isExpected, UserError } from '../discord/errors.ts';
import type { IsOperator } from '../discord/operators.ts';
import { isGuest } from '../discord/permissions.ts';
import { createPressLock } from '../discord/press-lock.ts';
import { createProgress } from '../discord/progress.ts';
import type { Sentence } from '../locales/index.ts';
import { KEEP_QUESTION_MS, keepValue, type Store } from '../store/index.ts';
import type { Settings } from '../store/settings.ts';
import { toLanguageCodes } from './catalogue.ts';
import type { VoiceMaker } from './own-voice-maker.ts';
import {
  checkLanguage,
  checkRecordings,
  checkTitle,
  fetchMember,
  findMakerRefusal,
  MAX_RECORDINGS,
  type Maker,
  makerOf,
  readRequest,
  takeRequest,
  toRecording,
  type VoiceMakers,
  type VoiceRequest,
} from './own-voice-request.ts';
import {
  agreeId,
  cancelMakingId,
  consentId,
  consentQuestion,
  endMessage,
  progressMessage,
  readyMessage,
  refuseId,
  speakerQuestion,
  stageSentence,
  titleForm,
  titleFormId,
  useOwnId,
  withdrawId,
} from './own-voice-views.ts';
import { handleOf, isHandle, type OwnVoice, type VoiceOwners } from './owners.ts';

/** How long the question can be answered: the links to the recordings are valid for a day. */
const KEEP_WHILE_ASKING_MS = 20 * 3600_000;

/** The options of the command that take a recording. */
export const recordingOptions = ['recording', 'second_recording', 'third_recording'] as const;

/** @throws UserError if this member may not make voices here; StoreError */
async function checkMaker(maker: Maker, context: OwnVoicesContext): Promise<void> {
  const refusal = await findMakerRefusal(maker, context);
  if (refusal) throw new UserError(refusal);
}

/** `/voice create`: asks whose voice it is. @throws UserError, StoreError */
export async function createFromCommand(interaction: ChatInputCommandInteraction, context: OwnVoicesContext): Promise<void> {
  await interaction.deferReply({ flags: MessageFlags.Ephemeral });
  await checkMaker(makerOf(interaction), context);
  const { options, user } = interaction;
  const [language] = await toLanguageCodes([options.getString('language')?.trim() ?? ''].filter(Boolean), [], context.t);
  const request: VoiceRequest = {
    title: checkTitle(options.getString('title', true)),
    recordings: recordingOptions.flatMap((name) => options.getAttachment(name) ?? []).map(toRecording),
    language: language === undefined ? null : checkLanguage(language),
    isShared: (options.getBoolean('share') ?? false) && interaction.inCachedGuild(),
    isOwnVoiceMessage: false,
    speaker: null,
  };
  checkRecordings(request.recordings, context.attachments);
  const key = await keepValue(context.store, user.id, request, KEEP_QUESTION_MS);
  await interaction.editReply(asEdit(consentQuestion(context.t, request, key, context.privacyFacts.voiceService)));
}

/** Make a voice, on a message: asks for a title. @throws UserError, StoreError */
export async function createFromMessage(interaction: MessageContextMenuCommandInteraction, context: OwnVoicesContext): Promise<void> {
  await checkMaker(makerOf(interaction), context);
  const { targetMessage: message, user } = interaction;
  const recordings = [...message.attachments.values()].filter(isRecording).slice(0, MAX_RECORDINGS).map(toRecording);
  if (recordings.length === 0) throw new UserError(whyNoRecording(message));
  const isOwnMessage = message.author.id === user.id;
  if (!isOwnMessage) await checkSpeaker(interaction);
  checkRecordings(recordings, context.attachments);
  const request: VoiceRequest = {
    title: '',
    recordings,
    language: null,
    isShared: false,
    isOwnVoiceMessage: isOwnMessage && message.flags.has(MessageFlags.IsVoiceMessage),
    speaker: isOwnMessage ? null : { id: message.author.id, messageUrl: message.url },
  };
  const key = await keepValue(context.store, user.id, request, KEEP_QUESTION_MS);
  await interaction.showModal(titleForm(context.t, key, !isOwnMessage));
}

const whyNoRecording =
  ({ messageSnapshots }: Message): Sentence =>
  (t) =>
    messageSnapshots.size > 0 ? t('ownVoices.create.forwarded') : t('transcription.noAudioInMessage');

/** Can the member who speaks be asked? @throws UserError */
async function checkSpeaker({ targetMessage: message, guild, ...interaction }: MessageContextMenuCommandInteraction): Promise<void> {
  const { author, webhookId } = message;
  if (author.bot || webhookId !== null) throw new UserError((t) => t('ownVoices.create.fromBot'));
  if (!guild || isGuest(interaction)) throw new UserError((t) => t('ownVoices.create.cannotAskHere', { speaker: author.id }));
  if ((await fetchMember(guild, author.id)) === null) throw new UserError((t) => t('ownVoices.create.speakerLeft'));
}

/** Once there is a title, asks for the consent of the member who speaks. @throws UserError, StoreError */
async function askForConsent(interaction: ModalSubmitInteraction, context: OwnVoicesContext, formKey: string): Promise<void> {
  const { store, t, publicT, privacyFacts } = context;
  const { user, fields } = interaction;
  const title = checkTitle(fields.getTextInputValue('title'));
  // The request can be taken only once: a form that is sent again asks nobody a second time.
  const request: VoiceRequest = { ...(await takeRequest(store, user.id, formKey)), title };
  const expiresInMs = request.speaker === null ? KEEP_QUESTION_MS : KEEP_WHILE_ASKING_MS;
  const key = await keepValue(store, user.id, request, expiresInMs);
  const host = privacyFacts.voiceService;
  if (request.speaker === null) {
    await interaction.reply(asPrivate(consentQuestion(t, request, key, host)));
    return;
  }
  const { id: speakerId, messageUrl } = request.speaker;
  const question = speakerQuestion(publicT, { makerId: user.id, speakerId, messageUrl, title }, key, host);
  // The only message of Parley's that pings somebody, because nobody else can answer it.
  await interaction.reply({ ...question, allowedMentions: { users: [speakerId] } });
}

// The buttons and the form for making a voice. What they need is in their custom_id, or stored under a key in it, so they work after a
// restart.

const COMMAND = '/voice create';

const answerLock = createPressLock();

export const creationButtons = {
  components: [
    on(consentId, {
      spends: 'speech',
      async run(interaction, context, { kind, key }) {
        const { id } = interaction.user;
        await answerLock(interaction, async () => {
          const maker = makerOf(interaction);
          await checkMaker(maker, context);
          const request = await takeRequest(context.store, id, key);
          // Another member speaks, and only they can agree.
          if (request.speaker !== null) throw new UserError((t) => t('general.expiredMessage'));
          await make(interaction, context, request, { maker, consent: { kind, memberId: id, at: Date.now() }, isPublic: false });
        });
      },
    }),

    on(withdrawId, {
      async run(interaction, { store, t }, { key }) {
        const { title } = await takeRequest(store, interaction.user.id, key);
        await interaction.update(asEdit(endMessage(title, t('ownVoices.create.withdrawn'), 'neutral')));
      },
    }),

    on(agreeId, {
      async run(interaction, context, { key, makerId, speakerId }) {
        const { id } = interaction.user;
        if (id !== speakerId) throw new UserError((t) => t('ownVoices.create.onlySpeaker', { speaker: speakerId }));
        await answerLock(interaction, async () => {
          const { title, speaker } = await readRequest(context.store, makerId, key);
          if (speaker?.id !== id) throw new UserError((t) => t('general.expiredMessage'));
          const maker = await findMaker(interaction.guild, makerId);
          const refusal = maker ? await findMakerRefusal(maker, context) : null;
          const request = await takeRequest(context.store, makerId, key);
          if (!maker || refusal) {
            await interaction.update(
              asEdit(
                endMessage(
                  title,
                  maker
                    ? context.publicT('ownVoices.create.makerMayNot', { maker: makerId })
                    : context.publicT('ownVoices.create.makerLeft', { maker: makerId }),
                  'neutral',
                ),
              ),
            );
            return;
          }
          await make(interaction, context, request, { maker, consent: { kind: 'speaker', memberId: id, at: Date.now() }, isPublic: true });
        });
      },
    }),

    on(refuseId, {
      async run(interaction, context, { key, makerId, speakerId }) {
        const { id } = interaction.user;
        if (id !== speakerId && id !== makerId) throw new UserError((t) => t('ownVoices.create.onlySpeaker', { speaker: speakerId }));
        const { title } = await takeRequest(context.store, makerId, key);

        const sentence =
          id === speakerId
            ? context.publicT('ownVoices.create.refused', { speaker: speakerId })
            : context.publicT('ownVoices.create.takenBack', { maker: makerId });
        await interaction.update(asEdit(endMessage(title, sentence, 'neutral')));
      },
    }),

    // The message is changed by the process that makes the voice.
    on(cancelMakingId, {
      whileDraining: true,
      async run(interaction, { voiceMaker, t }, { tag, ownerId }) {
        if (interaction.user.id !== ownerId) throw new UserError((t) => t('general.notYourButtons', { command: COMMAND }));
        const isCancelled = await voiceMaker.cancel(tag, ownerId);
        if (!isCancelled) throw new UserError((t) => t('general.expiredMessage'));
        await interaction.reply(asPrivate(notice(t('ownVoices.create.cancelled'), 'neutral')));
      },
    }),

    on(useOwnId, {
      async run(interaction, context, { ownerId, voice: id }) {
        const { title, ...voice } = await findOwned(interaction, context, ownerId, id);
        await context.settings.changeMember(interaction.user.id, (member) => ({ ...member, voice: { id: voice.id, title } }));
        await interaction.reply(asPrivate(notice(context.t('voices.choices.mine.chosen', { title }), 'done')));
      },
    }),
  ],

  modals: [
    on(titleFormId, {
      leadsToSpending: 'speech',
      browses: true,
      run: (interaction, context, { key }) => askForConsent(interaction, context, key),
    }),
  ],
} satisfies Partial<SlashCommand<OwnVoicesContext>>;

/** The voice of a button, for its owner. @param id or its handle @throws UserError if it's another's, or gone; StoreError */
export async function findOwned(
  { user }: ComponentInteraction,
  { voiceOwners }: Pick<OwnVoicesContext, 'voiceOwners'>,
  ownerId: string,
  id: string,
): Promise<OwnVoice> {
  if (user.id !== ownerId) throw new UserError((t) => t('general.notYourButtons', { command: COMMAND }));
  const voice = isHandle(id)
    ? (await voiceOwners.ofMember(user.id)).find((ownVoice) => handleOf(ownVoice.id) === id)
    : await voiceOwners.find(id);
  if (voice?.ownerId !== ownerId) throw new UserError((t) => t('ownVoices.create.gone'));
  return voice;
}

/** Null if the member has left the server since. */
async function findMaker(guild: Guild | null, userId: string): Promise<Maker | null> {
  const member = guild && (await fetchMember(guild, userId));
  if (!member) return null;
  return { userId, guildId: member.guild.id, isAdmin: isAdmin(member.permissions), roleIds: [...member.roles.cache.keys()] };
}

interface Agreement {
  maker: Maker;
  consent: OwnVoice['consent'];
  /** Whether everybody can see the progress. */
  isPublic: boolean;
}

/** Makes the voice, and replaces the question with its progress, then with the result. @throws DiscordAPIError */
async function make(
  interaction: ComponentInteraction,
  context: OwnVoicesContext,
  request: VoiceRequest,
  { maker: { userId: ownerId, guildId }, consent, isPublic }: Agreement,
): Promise<void> {
  const t = isPublic ? context.publicT : context.t;
  const { title, recordings, language, isShared } = request;
  const show = (message: Parameters<typeof asEdit>[0]) => interaction.editReply(asEdit(message));
  await interaction.deferUpdate();
  context.noteReply('own-voice', interaction.message.id, !isPublic);
  try {
    const job = await context.voiceMaker.begin({ ownerId, guildId, title, recordings, language, isShared, consent });
    const jobRef = { tag: job.tag, ownerId };
    const progressOf = (sentence: string) => progressMessage(t, title, sentence, jobRef);
    await show(progressOf(stageSentence(t, { kind: 'sending', share: 0 }))).catch(async (error: unknown) => {
      await job.abandon();
      throw error;
    });
    const progress = createProgress((sentence) => show(progressOf(sentence)));
    const voice = await job.run((stage) => progress.set(() => stageSentence(t, stage))).finally(progress.end);
    await show(voice === null ? endMessage(title, t('ownVoices.create.cancelled'), 'neutral') : readyMessage(t, voice, language));
  } catch (error) {
    const sentence = explainError(error)?.(t) ?? t('ownVoices.create.notMade');
    // In public, the sentence is addressed to the one who wants the voice, not to the member who agreed.
    await show(endMessage(title, isPublic ? t('general.toMember', { member: ownerId, sentence }) : sentence));
    if (!isExpected(error)) context.log.warn(describeError(error), 'a voice could not be made');
  }
}

/** What making voices needs besides the interaction. */
export interface OwnVoicesContext extends InteractionContext {
  attachments: Attachments;
  settings: Settings;
  store: Store;
  isOperator: IsOperator;
  voiceMaker: VoiceMaker;
  voiceMakers: VoiceMakers;
  voiceOwners: VoiceOwners;
  /** `voiceService`: the host that recordings are sent to; null = the service on this machine. */
  privacyFacts: { voiceService: string | null };
}
