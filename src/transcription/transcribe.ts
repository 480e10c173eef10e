// From recordings to replies: each is streamed from Discord to the voice service, within the member's budget.
import { ApiError, mayHaveBeenBilled, type Transcript } from '../api/index.ts';
import { isGuest } from '../bot/permissions.ts';
import { UserError } from '../bot/user-error.ts';
import { en } from '../locales/en/index.ts';
import type { Sentence } from '../locales/index.ts';
import { loadSealingKey, seal } from '../store/index.ts';
import type { TranscriptionContext } from './context.ts';
import { createJobLimit } from './job-limit.ts';
import { transcriptMessage } from './message.ts';
import { meterAudio } from './metered-audio.ts';
import { type Recording, toLink } from './recording.ts';
import { createReplies, type TranscriptionInteraction, type TranscriptReply } from './reply.ts';
import type { TranscriptFormat } from './transcript-file.ts';

export interface TranscribeOptions {
  /** BCP 47, or whatever the service accepts; null = detected by the service. */
  language: string | null;
  /** Shows the times of segments. */
  timestamps: boolean;
  /** Attached besides the .json. */
  format: TranscriptFormat | null;
  /** Only the member sees the replies. */
  isPrivate: boolean;
}

/** Seconds; the limit of known services. Discord tells the length of voice messages. */
const MAX_SECONDS = 3600;
/** Guests get five follow-ups at most: these replies, or one less and a failure, and the note about recordings left out. */
const MAX_GUEST_RECORDINGS = 4;
/** Seconds reserved before anything has been measured. */
const INITIAL_SECONDS = 1;

const jobLimit = createJobLimit();

/** @throws UserError if the member has as many transcriptions in progress as allowed */
export function checkJobLimit({ user }: TranscriptionInteraction): void {
  jobLimit.check(user.id);
}

/** @throws UserError for what can be refused without reading it */
export function checkRecording({ attachments }: Pick<TranscriptionContext, 'attachments'>, recording: Recording): void {
  attachments.check(recording);
  const { name, duration } = recording;
  if (duration !== null && duration > MAX_SECONDS)
    throw new UserError((t) => t.transcription.recordingTooLong(name, duration, MAX_SECONDS));
}

/**
 * Replies with one transcript after the other. The failure of one is reported to the member only, and doesn't stop the others.
 * @throws UserError if the member has as many transcriptions in progress as allowed
 */
export async function transcribeAll(
  interaction: TranscriptionInteraction,
  context: TranscriptionContext,
  recordings: Recording[],
  options: TranscribeOptions,
): Promise<void> {
  const endJob = jobLimit.begin(interaction.user.id);
  const replies = createReplies(interaction, context, options.isPrivate);
  try {
    const key = await loadSealingKey(context.store, 'recordings');
    const accepted = isGuest(interaction) ? recordings.slice(0, MAX_GUEST_RECORDINGS) : recordings;
    for (const recording of accepted) {
      const reply = await replies.open(recording.name, en.transcription.readingStage(0, recording.size));
      try {
        const transcript = await transcribeOne(interaction, context, recording, options, reply);
        const document = { transcript, name: recording.name, recording: seal(toLink(recording), key), language: options.language };
        const view = { owner: interaction.user.id, timestamps: options.timestamps };
        await reply.finish(transcriptMessage(document, view, options.format, interaction.attachmentSizeLimit));
      } catch (error) {
        await reply.fail(error);
      }
    }
    if (accepted.length < recordings.length)
      await context.reportError(interaction, new UserError((t) => t.transcription.someLeftOut(accepted.length, recordings.length)));
  } finally {
    replies.close();
    endJob();
  }
}

/**
 * Charges the larger of what was measured and what the service reports; if the call failed but may have been billed, what was measured or
 * estimated. An upload that broke off is free.
 */
async function transcribeOne(
  interaction: TranscriptionInteraction,
  context: TranscriptionContext,
  recording: Recording,
  options: TranscribeOptions,
  reply: TranscriptReply,
): Promise<Transcript> {
  const { api, attachments, credit, recordingLengths, signal } = context;
  const { name, size, contentType } = recording;
  checkRecording(context, recording);
  const reservation = await credit.reserve({
    kind: 'transcription',
    // The sender's claim may be wrong either way; if it is too low, the rest is reserved as it is measured.
    amount: Math.max(INITIAL_SECONDS, recording.duration ?? 0),
    guildId: isGuest(interaction) ? null : interaction.guildId,
    memberId: interaction.user.id,
  });
  let used = 0;
  let audio: AsyncIterableIterator<Uint8Array> | null = null;
  try {
    const source = await attachments.openAudio(recording, signal, (bytes, isComplete) => {
      reply.showProgress(isComplete ? en.transcription.transcribingStage(Date.now()) : en.transcription.readingStage(bytes, size));
    });
    const metered = meterAudio(source, recordingLengths, reservation, size);
    audio = metered.audio;
    // Timestamps are always requested: the files need them even if the message doesn't show them.
    const request = { audio, size, filename: name, ...(contentType ? { contentType } : {}), language: options.language };
    const transcript = await api.transcribe(request, { signal }).catch((error: unknown) => {
      if (mayHaveBeenBilled(error)) used = metered.length().seconds;
      throw metered.refusal() ?? explainRefusal(error, name, options);
    });
    const { seconds, isMeasured } = metered.length();
    used = Math.max(transcript.duration, isMeasured ? seconds : 0);
    return transcript;
  } finally {
    // If the call is refused before it is made, nothing else ends the download. Not awaited, because that may take a while.
    audio?.return?.().catch(() => {});
    await reservation.settle(used);
  }
}

/** Turns the service's refusal of a recording into what the member can do about it. */
function explainRefusal(error: unknown, name: string, { language }: TranscribeOptions): unknown {
  if (!(error instanceof ApiError) || error.kind !== 'validation') return error;
  const { status, details, message } = error;
  const sentence: Sentence = (t) => {
    if (status === 413) return t.transcription.tooLargeForService(name);
    if (language !== null && details.some(({ loc }) => loc.includes('language'))) return t.transcription.unknownLanguage(language);
    if (details.some(({ type }) => type === 'too_long') || /too long|longer than/i.test(message))
      return t.transcription.tooLongForService(name);
    return t.transcription.unreadable(name);
  };
  return new UserError(sentence, { cause: error });
}
