// From the wish to make a voice to the question who speaks in the recordings: nothing is sent before somebody has answered it.
import type { ChatInputCommandInteraction, Message, MessageContextMenuCommandInteraction, ModalSubmitInteraction } from 'discord.js';
import { MessageFlags } from 'discord.js';
import { isRecording } from '../bot/attachments.ts';
import { asEdit, asPrivate } from '../bot/cards.ts';
import { isGuest } from '../bot/permissions.ts';
import { UserError } from '../bot/user-error.ts';
import type { Sentence } from '../locales/index.ts';
import { KEEP_QUESTION_MS } from '../store/index.ts';
import { toLanguageCode } from '../voices/languages.ts';
import type { OwnVoicesContext } from './context.ts';
import { fetchMember, findMakerRefusal, type Maker, makerOf } from './permission.ts';
import {
  checkLanguage,
  checkRecordings,
  checkTitle,
  keepRequest,
  MAX_RECORDINGS,
  takeRequest,
  toRecording,
  type VoiceRequest,
} from './request.ts';
import { consentQuestion, speakerQuestion, titleForm } from './view.ts';

/** How long somebody may think about it: the links to the recordings are valid for a day. */
const KEEP_WHILE_ASKING_MS = 20 * 3600_000;

/** The options of the command that take a recording. */
export const recordingOptions = ['recording', 'second_recording', 'third_recording'] as const;

/** @throws UserError if this member may not make voices here; StoreError */
export async function checkMaker(maker: Maker, context: OwnVoicesContext): Promise<void> {
  const refusal = await findMakerRefusal(maker, context);
  if (refusal) throw new UserError(refusal);
}

/** `/voice create`: asks whose voice it is. @throws UserError, StoreError */
export async function createFromCommand(interaction: ChatInputCommandInteraction, context: OwnVoicesContext): Promise<void> {
  await interaction.deferReply({ flags: MessageFlags.Ephemeral });
  await checkMaker(makerOf(interaction), context);
  const { options, user } = interaction;
  const language = options.getString('language')?.trim();
  const request: VoiceRequest = {
    title: checkTitle(options.getString('title', true)),
    recordings: recordingOptions.flatMap((name) => options.getAttachment(name) ?? []).map(toRecording),
    language: language ? checkLanguage(toLanguageCode(language, [], context.words)) : null,
    isShared: (options.getBoolean('share') ?? false) && interaction.inCachedGuild(),
    isOwnVoiceMessage: false,
    speaker: null,
  };
  checkRecordings(request.recordings, context.attachments);
  const key = await keepRequest(context.store, user.id, request, KEEP_QUESTION_MS);
  await interaction.editReply(asEdit(consentQuestion(context.words, request, key, context.privacyFacts.voiceService)));
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
  const key = await keepRequest(context.store, user.id, request, KEEP_QUESTION_MS);
  await interaction.showModal(titleForm(context.words, key, !isOwnMessage));
}

const whyNoRecording =
  ({ messageSnapshots }: Message): Sentence =>
  (t) =>
    messageSnapshots.size > 0 ? t.ownVoices.create.forwarded : t.transcription.noAudioInMessage;

/** Can the member who speaks be asked? @throws UserError */
async function checkSpeaker({ targetMessage: message, guild, ...interaction }: MessageContextMenuCommandInteraction): Promise<void> {
  const { author, webhookId } = message;
  if (author.bot || webhookId !== null) throw new UserError((t) => t.ownVoices.create.fromBot);
  if (!guild || isGuest(interaction)) throw new UserError((t) => t.ownVoices.create.cannotAskHere(author.id));
  if ((await fetchMember(guild, author.id)) === null) throw new UserError((t) => t.ownVoices.create.speakerLeft);
}

/** The title is there: asks whoever has to agree. @throws UserError, StoreError */
export async function askForConsent(interaction: ModalSubmitInteraction, context: OwnVoicesContext, formKey: string): Promise<void> {
  const { store, words, publicWords, privacyFacts } = context;
  const { user, fields } = interaction;
  const title = checkTitle(fields.getTextInputValue('title'));
  // Once: a form that is sent again asks nobody a second time.
  const request = { ...(await takeRequest(store, user.id, formKey)), title };
  const expiresInMs = request.speaker === null ? KEEP_QUESTION_MS : KEEP_WHILE_ASKING_MS;
  const key = await keepRequest(store, user.id, request, expiresInMs);
  const host = privacyFacts.voiceService;
  if (request.speaker === null) {
    await interaction.reply(asPrivate(consentQuestion(words, request, key, host)));
    return;
  }
  const { id: speakerId, messageUrl } = request.speaker;
  const question = speakerQuestion(publicWords, { makerId: user.id, speakerId, messageUrl, title }, key, host);
  // The only message of Parley's that pings somebody: nobody else can answer it.
  await interaction.reply({ ...question, allowedMentions: { users: [speakerId] } });
}
