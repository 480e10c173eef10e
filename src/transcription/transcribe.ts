// From recordings to answers: each is read from Discord and passed on to the service as a stream, within its member's budget.
import { ApiError, mayHaveBeenBilled, type Transcript } from '../api/index.ts';
import { isGuest } from '../bot/permissions.ts';
import { UserError } from '../bot/user-error.ts';
import { en } from '../locales/en/index.ts';
import { loadSealingKey, seal } from '../store/index.ts';
import type { TranscriptFormat } from '../transcript/index.ts';
import { type Answer, type Asked, createAnswers } from './answers.ts';
import type { TranscriptionContext } from './context.ts';
import { createJobs } from './jobs.ts';
import { meterAudio } from './metered.ts';
import { linkOf, type Recording } from './recording.ts';
import { transcriptMessage } from './view.ts';

export interface Wish {
  /** BCP 47, or whatever the service takes; null = it finds out by itself. */
  language: string | null;
  /** Whether the times of the segments are shown. */
  timestamps: boolean;
  /** Attached beside the .json. */
  format: TranscriptFormat | null;
}

/** What services of this kind take at most; Discord knows the length of voice messages. */
const MAX_SECONDS = 3600;
/** Of a guest: the answers, one sentence that a failure may add, and what is said of those left out are five follow-ups at most. */
const GUEST_RECORDINGS = 4;
/** Reserved before anything is counted. */
const FIRST_SECONDS = 1;

const jobs = createJobs();

/** @throws UserError if the member has as many transcriptions under way as they may */
export function checkJobs({ user }: Asked): void {
  jobs.check(user.id);
}

/** @throws UserError for what needs no reading to be refused */
export function checkRecording({ attachments }: TranscriptionContext, recording: Recording): void {
  attachments.check(recording);
  const { name, duration } = recording;
  if (duration !== null && duration > MAX_SECONDS) throw new UserError(en.transcription.recordingTooLong(name, duration, MAX_SECONDS));
}

/**
 * One answer for each recording, one after the other. One that fails is told to the member alone and does not stop the others.
 * @param options `isDeferred`: the interaction's own answer is still empty and takes the first transcript
 * @throws UserError if the member has as many transcriptions under way as they may
 */
export async function transcribeAll(
  interaction: Asked,
  context: TranscriptionContext,
  recordings: Recording[],
  wish: Wish,
  options: { isPrivate: boolean; isDeferred: boolean },
): Promise<void> {
  const endJob = jobs.begin(interaction.user.id);
  try {
    await answerAll(interaction, context, recordings, wish, options);
  } finally {
    endJob();
  }
}

async function answerAll(...[interaction, context, recordings, wish, options]: Parameters<typeof transcribeAll>): Promise<void> {
  const key = await loadSealingKey(context.store, 'recordings');
  const answers = createAnswers(interaction, context, options);
  const taken = isGuest(interaction) ? recordings.slice(0, GUEST_RECORDINGS) : recordings;
  try {
    for (const recording of taken) {
      const answer = await answers.open(recording.name, en.transcription.readingStage(0, recording.size));
      try {
        const transcript = await transcribeOne(interaction, context, recording, wish, answer);
        const document = { transcript, name: recording.name, recording: seal(linkOf(recording), key), language: wish.language };
        const view = { owner: interaction.user.id, timestamps: wish.timestamps };
        await answer.finish(transcriptMessage(document, view, wish.format, interaction.attachmentSizeLimit));
      } catch (error) {
        await answer.fail(error);
      }
    }
    if (taken.length < recordings.length) await answers.note(new UserError(en.transcription.someLeftOut(taken.length, recordings.length)));
  } finally {
    answers.close();
  }
}

/**
 * Charged is the greater of what was counted and what the service says; where it says nothing, but may have charged for it, what was
 * counted or estimated. An upload that was broken off costs nothing.
 */
async function transcribeOne(
  interaction: Asked,
  context: TranscriptionContext,
  recording: Recording,
  wish: Wish,
  answer: Answer,
): Promise<Transcript> {
  const { api, attachments, credit, recordingLengths, signal } = context;
  const { name, size, contentType } = recording;
  checkRecording(context, recording);
  const guildId = isGuest(interaction) ? null : interaction.guildId;
  const reservation = await credit.reserve({
    kind: 'transcription',
    // What its sender says may be wrong in either direction: if it is less than is counted, that is taken in addition.
    amount: Math.max(FIRST_SECONDS, recording.duration ?? 0),
    guildId,
    memberId: interaction.user.id,
  });
  let used = 0;
  let audio: AsyncIterableIterator<Uint8Array> | null = null;
  try {
    const source = await attachments.openAudio(recording, signal, (bytes, isWhole) => {
      answer.stage(isWhole ? en.transcription.transcribingStage(Date.now()) : en.transcription.readingStage(bytes, size));
    });
    const metered = meterAudio(source, recordingLengths, reservation, size);
    audio = metered.audio;
    // Times are always asked for: they may not be shown, and the files want them.
    const request = { audio, size, filename: name, ...(contentType ? { contentType } : {}), language: wish.language };
    const transcript = await api.transcribe(request, { signal }).catch((error: unknown) => {
      const { seconds } = metered.length();
      if (mayHaveBeenBilled(error)) used = seconds;
      throw metered.refusal() ?? explainRefusal(error, name, wish);
    });
    const { seconds, isCounted } = metered.length();
    used = Math.max(transcript.duration, isCounted ? seconds : 0);
    return transcript;
  } finally {
    // Where the call is refused before it is made, nobody else ends the download. It may take its time over that.
    audio?.return?.().catch(() => {});
    await reservation.settle(used);
  }
}

/** What the member can do about a recording that the service refuses. */
function explainRefusal(error: unknown, name: string, { language }: Wish): unknown {
  if (!(error instanceof ApiError) || error.kind !== 'validation') return error;
  const { status, details, message } = error;
  const sentence = () => {
    if (status === 413) return en.transcription.tooLargeForService(name);
    if (language !== null && details.some(({ loc }) => loc.includes('language'))) return en.transcription.unknownLanguage(language);
    if (details.some(({ type }) => type === 'too_long') || /too long|longer than/i.test(message))
      return en.transcription.tooLongForService(name);
    return en.transcription.unreadable(name);
  };
  return new UserError(sentence(), { cause: error });
}
