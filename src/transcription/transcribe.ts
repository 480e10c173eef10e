// From recordings to replies: each is streamed from Discord to the voice service, within the member's budget.
import { ApiError, mayHaveBeenBilled, type Transcript } from '../api/index.ts';
import { isGuest } from '../bot/permissions.ts';
import { UserError } from '../bot/user-error.ts';
import type { Sentence, Words } from '../locales/index.ts';
import { loadSealingKey, seal } from '../store/index.ts';
import type { TranscribeOptions, TranscriptionContext } from './context.ts';
import { createJobLimit } from './job-limit.ts';
import { LanguageRefusal } from './language-refusal.ts';
import { transcriptMessage } from './message.ts';
import { type MeteredAudio, meterAudio } from './metered-audio.ts';
import { createPace } from './pace.ts';
import { languageQuestion } from './questions.ts';
import { type Recording, toLink } from './recording.ts';
import { createReplies, type TranscriptionInteraction, type TranscriptReply } from './reply.ts';

/** Seconds; the limit of known services. Discord tells the length of voice messages. */
const MAX_SECONDS = 3600;
/** Guests get five follow-ups at most: these replies, or one less and a failure, and the note about recordings left out. */
const MAX_GUEST_RECORDINGS = 4;
/** Seconds reserved before anything has been measured. */
const INITIAL_SECONDS = 1;
/** Seconds between two changes of the time shown while the service transcribes. */
const STEP_SECONDS = 5;
/** How many times the expected time may pass before the service counts as slow. */
const LATE_FACTOR = 1.5;

const jobLimit = createJobLimit();
const pace = createPace();

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
  const t = options.isPrivate ? context.words : context.publicWords;
  const replies = createReplies(interaction, context, options.isPrivate);
  try {
    const key = await loadSealingKey(context.store, 'recordings');
    const accepted = isGuest(interaction) ? recordings.slice(0, MAX_GUEST_RECORDINGS) : recordings;
    for (const recording of accepted) {
      const reply = await replies.open(recording);
      try {
        const transcript = await transcribeOne(interaction, context, recording, options, reply);
        const { name, source } = recording;
        const document = { transcript, name, recording: seal(toLink(recording), key), source, language: options.language };
        const languages = context.transcriptionLanguages.offered();
        const view = { owner: interaction.user.id, timestamps: options.timestamps, languages };
        const files = { format: options.format, maxBytes: interaction.attachmentSizeLimit };
        await reply.finish(transcriptMessage(document, view, files, t));
      } catch (error) {
        await reply.fail(error, questionAfter(error, context, recording, options));
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
  let metered: MeteredAudio | null = null;
  let sentAt: number | null = null;
  try {
    const source = await attachments.openAudio(recording, signal, (bytes, isComplete) => {
      if (!isComplete) {
        reply.showProgress((t) => t.transcription.reading(bytes, size));
        return;
      }
      sentAt = Date.now();
      reply.showProgress(waitingStage(sentAt, pace.expect(Math.max(metered?.length().seconds ?? 0, recording.duration ?? 0))));
    });
    metered = meterAudio(source, recordingLengths, reservation, size);
    const { audio, length, refusal } = metered;
    // Timestamps are always requested: the files need them even if the message doesn't show them.
    const request = { audio, size, filename: name, ...(contentType ? { contentType } : {}), language: options.language };
    const transcript = await api.transcribe(request, { signal }).catch((error: unknown) => {
      if (mayHaveBeenBilled(error)) used = length().seconds;
      throw refusal() ?? explainRefusal(error, name, options, context);
    });
    const { seconds, isMeasured } = length();
    used = Math.max(transcript.duration, isMeasured ? seconds : 0);
    if (sentAt !== null) pace.note(used, Date.now() - sentAt);
    if (options.language !== null) context.transcriptionLanguages.accept(options.language);
    return transcript;
  } finally {
    // If the call is refused before it is made, nothing else ends the download. Not awaited, because that may take a while.
    metered?.audio.return?.().catch(() => {});
    await reservation.settle(used);
  }
}

/** How long the service has been at it, of what it usually takes. Every few seconds are enough: each change is an edit of the message. */
function waitingStage(sentAt: number, expectedMs: number | null): (t: Words) => string {
  return (t) => {
    if (expectedMs === null) return t.transcription.transcribingSince(sentAt);
    const elapsedMs = Date.now() - sentAt;
    const elapsed = Math.floor(elapsedMs / 1000 / STEP_SECONDS) * STEP_SECONDS;
    if (elapsedMs > LATE_FACTOR * expectedMs + 1000 * STEP_SECONDS) return t.transcription.takingLonger(elapsed);
    return t.transcription.transcribing(elapsed, Math.max(STEP_SECONDS, Math.ceil(expectedMs / 1000)));
  };
}

/** Turns the service's refusal of a recording into what the member can do about it. */
function explainRefusal(
  error: unknown,
  name: string,
  { language }: TranscribeOptions,
  { transcriptionLanguages }: Pick<TranscriptionContext, 'transcriptionLanguages'>,
): unknown {
  if (!(error instanceof ApiError) || error.kind !== 'validation') return error;
  const { status, details, message } = error;
  const aboutLanguage = details.filter(({ loc }) => loc.includes('language'));
  if (language !== null && status !== 413 && aboutLanguage.length > 0) {
    transcriptionLanguages.refuse(language, aboutLanguage);
    return new LanguageRefusal(language, { cause: error });
  }
  const isTooLong = details.some(({ type }) => type === 'too_long') || /too long|longer than/i.test(message);
  const sentence: Sentence = (t) => {
    if (status === 413) return t.transcription.tooLargeForService(name);
    return isTooLong ? t.transcription.tooLongForService(name) : t.transcription.unreadable(name);
  };
  return new UserError(sentence, { cause: error });
}

/** After a refused language: which other one to try; null after any other error. */
function questionAfter(error: unknown, context: TranscriptionContext, recording: Recording, options: TranscribeOptions) {
  if (!(error instanceof LanguageRefusal)) return null;
  return languageQuestion(recording, error.language, options, context.transcriptionLanguages.offered(), context.words);
}
