// From recordings to replies: each is streamed from Discord to the voice service, within the member's budget.
//
//   recording.ts     what is transcribed, and how much of it is paid for; job.ts does it
//   questions.ts     what members are asked before
//   reply.ts         where transcripts are posted
//   message.ts       a transcript as a message; buttons.ts says what its buttons do
//   transcript-*.ts  a transcript as paragraphs, pages and files: pure text, without Discord
//   voice-messages/  what is transcribed as it arrives, without a command

import {
  type ChatInputCommandInteraction,
  type MessageContextMenuCommandInteraction,
  MessageFlags,
  type StringSelectMenuInteraction,
} from 'discord.js';
import { within } from '../async/waiting.ts';
import { asEdit, asPrivate, notice } from '../discord/cards.ts';
import { UserError } from '../discord/errors.ts';
import { isGuest } from '../discord/permissions.ts';
import { loadSealingKey, seal } from '../store/index.ts';
import type { TranscribeOptions, TranscriptionContext } from './context.ts';
import { checkRecording, close, type OpenedRecording, openRecording, type Payer, transcribeOne } from './job.ts';
import { transcriptMessage, type WordsReplyView } from './message.ts';
import { confirmationFor, LanguageRefusal, languageQuestion } from './questions.ts';
import { type Recording, toLink } from './recording.ts';
import { createReplies, type TranscriptionInteraction } from './reply.ts';
import { isWanted } from './voice-messages/rules.ts';

/** Guests get five follow-ups at most: these replies, or one less and a failure, and the note about recordings left out. */
const MAX_GUEST_RECORDINGS = 4;

/** The service takes a few calls at once; this leaves some to other members. */
const MAX_PER_MEMBER = 2;

/** How many transcriptions members have in progress. */
const inProgress = new Map<string, number>();

/** A recording that is being transcribed. */
interface Job {
  controller: AbortController;
  /** Resolves with the seconds that were charged, once nothing more happens to its message. */
  ended: Promise<number>;
}

/** Transcriptions under way, by the tags in their Cancel buttons. */
const jobs = new Map<string, Job>();

/**
 * Cancels what a Cancel button belongs to. Once the service has all of it, it may be billed, so it is charged.
 * @returns resolves with the seconds that were charged, once nothing more happens to its message @throws UserError if there is nothing to cancel any more, in this process at least
 */
export function cancelTranscription(tag: string): Promise<number> {
  const job = jobs.get(tag);
  if (!job) throw new UserError((t) => t('transcription.tooLateToCancel'));
  job.controller.abort();
  return job.ended;
}

/** @throws UserError if the member has as many transcriptions in progress as allowed */
export function checkJobLimit({ user }: TranscriptionInteraction): void {
  const count = inProgress.get(user.id) ?? 0;
  if (count >= MAX_PER_MEMBER) throw new UserError((t) => t('transcription.tooManyJobs', { most: MAX_PER_MEMBER }));
}

/** Counts a transcription until the returned function is called. @throws UserError like `checkJobLimit` */
function beginJob(interaction: TranscriptionInteraction): () => void {
  checkJobLimit(interaction);
  const { id } = interaction.user;
  inProgress.set(id, (inProgress.get(id) ?? 0) + 1);
  return () => {
    const left = (inProgress.get(id) ?? 0) - 1;
    if (left > 0) inProgress.set(id, left);
    else inProgress.delete(id);
  };
}

/**
 * Replies with one transcript after the other. The failure of one is reported to the member only, and doesn't stop the others.
 * @param begin begins the reply to a command. `isReadable` tells whether there is anything to transcribe: false if no recording can be
 * read, which is then reported
 * @throws UserError if the member has as many transcriptions in progress as allowed
 */
export async function transcribeAll(
  interaction: TranscriptionInteraction,
  context: TranscriptionContext,
  recordings: Recording[],
  options: TranscribeOptions,
  begin: (isReadable: Promise<boolean>) => Promise<void> = async () => {},
): Promise<void> {
  const endJob = beginJob(interaction);
  try {
    const accepted = isGuest(interaction) ? recordings.slice(0, MAX_GUEST_RECORDINGS) : recordings;
    const failures: unknown[] = [];
    const opening = openFirst(interaction, context, accepted, failures);
    await begin(opening.then((first) => first !== null)).catch(async (error: unknown) => {
      await close(await opening);
      throw error;
    });
    const first = await opening;
    if (first) await transcribeFrom(interaction, context, first, accepted, options);
    // Reported only now: the first message after a deferred reply takes its place.
    for (const error of failures) await context.reportError(interaction, error);
    if (accepted.length < recordings.length)
      await context.reportError(
        interaction,
        new UserError((t) => t('transcription.someLeftOut', { taken: accepted.length, all: recordings.length })),
      );
  } finally {
    endJob();
  }
}

/**
 * Replaces the words below a voice message by those in another language. Unless that works, they stay.
 * @param language null = detected by the service @throws UserError, BudgetError, ApiError, StoreError
 */
export async function transcribeAgain(
  interaction: StringSelectMenuInteraction,
  context: TranscriptionContext,
  recording: Recording,
  language: string | null,
  reply: WordsReplyView,
): Promise<void> {
  const { transcriptionLanguages, signal, store, publicT, words } = context;
  const isStopped = await words.watchStops([reply.speakerId]);
  const options: TranscribeOptions = { language, timestamps: false, format: null, isPrivate: false };
  if (language !== null && transcriptionLanguages.wasRefused(language)) throw new LanguageRefusal(language);
  if (confirmationFor(context, [recording], options)) throw new UserError((t) => t('voiceMessages.littleCredit'));
  await checkSpeaker(interaction, context, reply);
  const endJob = beginJob(interaction);
  try {
    const opened = await openRecording(payerOf(interaction), context, recording, signal);
    const transcript = await transcribeOne(context, opened, language);
    if (await isStopped()) throw new UserError((t) => t('voiceMessages.speakerOptedOut'));
    const sealed = seal(toLink(recording), await loadSealingKey(store, 'recordings'));
    const document = { transcript, name: recording.name, recording: sealed, source: null, language };
    const view = { owner: interaction.user.id, timestamps: false, languages: transcriptionLanguages.offered(), reply };
    const message = transcriptMessage(document, view, { format: null, maxBytes: interaction.attachmentSizeLimit }, publicT);
    await interaction.editReply({ ...asEdit(message), attachments: [] });
  } finally {
    endJob();
  }
}

/** Whoever forwarded a message can't have its words read again once the one who speaks in it has opted out. @throws UserError, StoreError */
async function checkSpeaker(
  { user, guildId }: TranscriptionInteraction,
  { settings }: TranscriptionContext,
  { speakerId }: WordsReplyView,
) {
  if (speakerId === user.id || guildId === null) return;
  const [speaker, { transcripts }] = await Promise.all([settings.member(speakerId), settings.guild(guildId)]);
  if (!isWanted(speaker, transcripts)) throw new UserError((t) => t('voiceMessages.speakerOptedOut'));
}

/** @param first of the recordings that is transcribed, with all after it */
async function transcribeFrom(
  interaction: TranscriptionInteraction,
  context: TranscriptionContext,
  first: OpenedRecording,
  recordings: readonly Recording[],
  options: TranscribeOptions,
): Promise<void> {
  const t = options.isPrivate ? context.t : context.publicT;
  const replies = createReplies(interaction, context, options.isPrivate);
  try {
    const key = await loadSealingKey(context.store, 'recordings');
    for (const [index, recording] of recordings.entries()) {
      if (index < recordings.indexOf(first.recording)) continue;
      const tag = `${interaction.id}-${index}`;
      const reply = await replies.open(recording, tag);
      const controller = new AbortController();
      const { promise: ended, resolve: end } = Promise.withResolvers<number>();
      let charged = 0;
      jobs.set(tag, { controller, ended });
      try {
        const signal = AbortSignal.any([context.signal, controller.signal]);
        const opened = recording === first.recording ? first : await openRecording(payerOf(interaction), context, recording, signal);
        const transcript = await transcribeOne(context, opened, options.language, {
          signal,
          showProgress: reply.showProgress,
          onCharged(seconds) {
            charged = seconds;
          },
        });
        jobs.delete(tag);
        const { name, source } = recording;
        const document = { transcript, name, recording: seal(toLink(recording), key), source, language: options.language };
        const languages = context.transcriptionLanguages.offered();
        const view = { owner: interaction.user.id, timestamps: options.timestamps, languages };
        const files = { format: options.format, maxBytes: interaction.attachmentSizeLimit };
        await reply.finish(transcriptMessage(document, view, files, t));
      } catch (error) {
        if (controller.signal.aborted) await reply.leave();
        else await reply.fail(error, questionAfter(error, context, recording, options));
      } finally {
        jobs.delete(tag);
        end(charged);
      }
    }
  } finally {
    await close(first);
    replies.close();
  }
}

function payerOf(interaction: TranscriptionInteraction): Payer {
  return { guildId: isGuest(interaction) ? null : interaction.guildId, memberId: interaction.user.id };
}

/**
 * The first recording that can be read: if there is none, the member is told in private. @param failures receives why others can't be read
 */
async function openFirst(
  interaction: TranscriptionInteraction,
  context: TranscriptionContext,
  recordings: readonly Recording[],
  failures: unknown[],
): Promise<OpenedRecording | null> {
  for (const recording of recordings) {
    try {
      return await openRecording(payerOf(interaction), context, recording, context.signal);
    } catch (error) {
      failures.push(error);
    }
  }
  return null;
}

/** After a refused language: which other one to try; null after any other error. */
function questionAfter(error: unknown, context: TranscriptionContext, recording: Recording, options: TranscribeOptions) {
  if (!(error instanceof LanguageRefusal)) return null;
  return languageQuestion(recording, error.language, options, context.transcriptionLanguages.offered(), context.t);
}

/** Milliseconds; Discord waits 3 s for the first answer. */
const TIMEOUT_MS = 1_200;

/** Replies with the transcripts, or asks first if they would cost much of the credit. @throws UserError, StoreError */
export async function startTranscription(
  interaction: ChatInputCommandInteraction | MessageContextMenuCommandInteraction,
  context: TranscriptionContext,
  recordings: Recording[],
  options: TranscribeOptions,
): Promise<void> {
  const [first] = recordings;
  if (recordings.length === 1 && first) checkRecording(context, first);
  checkJobLimit(interaction);
  const question = questionFor(context, recordings, options);
  if (question) {
    await interaction.reply(asPrivate(question));
    return;
  }
  const begin = (isReadable: Promise<boolean>) => beginReply(interaction, context, options.isPrivate, isReadable);
  await transcribeAll(interaction, context, recordings, options, begin);
}

/** In public only once it is known that there is something to transcribe; in private if that takes too long. */
async function beginReply(
  interaction: ChatInputCommandInteraction | MessageContextMenuCommandInteraction,
  { noteReply, t }: TranscriptionContext,
  isPrivate: boolean,
  isReadable: Promise<boolean>,
): Promise<void> {
  const readable = isPrivate ? 'unknown' : await within(TIMEOUT_MS, isReadable, 'unknown' as const);
  if (readable === false) return;
  const isEphemeral = readable === 'unknown';
  const { interaction: callback } = await interaction.deferReply({
    ...(isEphemeral && { flags: MessageFlags.Ephemeral }),
    withResponse: true,
  });
  noteReply('transcript', callback.responseMessageId, isEphemeral);
  if (isEphemeral && !isPrivate && (await isReadable)) await interaction.editReply(asEdit(notice(t('general.started'), 'done')));
}

/** What must be asked before anything is read; null = nothing. */
export function questionFor(context: TranscriptionContext, recordings: readonly Recording[], options: TranscribeOptions) {
  const { transcriptionLanguages, t } = context;
  const [first] = recordings;
  const { language } = options;
  if (first && language !== null && transcriptionLanguages.wasRefused(language))
    return languageQuestion(first, language, options, transcriptionLanguages.offered(), t);
  return confirmationFor(context, recordings, options);
}
