// Transcription: recordings are streamed from Discord to the voice service, and their transcripts shown as messages and files.
//
// recording.ts, metered-audio.ts: what is transcribed, and how much of it is paid for
// index.ts, transcribe.ts, reply.ts, eta.ts, job-limit.ts: from the request to the reply
// questions.ts, recording-lines.ts, accepted-languages.ts, languages.ts: what members are asked, and the languages they choose from
// message.ts, buttons.ts: a transcript as a message, and what its buttons do
// transcript-*.ts, paragraphs.ts, subtitle-cues.ts, time-format.ts: a transcript as paragraphs, pages and files; pure text, without Discord
import { setTimeout as sleep } from 'node:timers/promises';
import { type ChatInputCommandInteraction, type MessageContextMenuCommandInteraction, MessageFlags } from 'discord.js';
import { asEdit, notice } from '../bot/cards.ts';
import type { TranscribeOptions, TranscriptionContext } from './context.ts';
import { asPrivate, confirmationFor, languageQuestion } from './questions.ts';
import type { Recording } from './recording.ts';
import { checkJobLimit, checkRecording, transcribeAll } from './transcribe.ts';

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
  { noteReply, words }: TranscriptionContext,
  isPrivate: boolean,
  isReadable: Promise<boolean>,
): Promise<void> {
  const timeout = sleep(TIMEOUT_MS, 'unknown' as const, { ref: false });
  const known = isPrivate ? 'unknown' : await Promise.race([isReadable, timeout]);
  if (known === false) return;
  const isEphemeral = known === 'unknown';
  const { interaction: callback } = await interaction.deferReply({
    ...(isEphemeral && { flags: MessageFlags.Ephemeral }),
    withResponse: true,
  });
  noteReply(callback.responseMessageId, isEphemeral);
  if (isEphemeral && !isPrivate && (await isReadable)) await interaction.editReply(asEdit(notice(words.general.started, 'done')));
}

/** What must be asked before anything is read; null = nothing. */
export function questionFor(context: TranscriptionContext, recordings: readonly Recording[], options: TranscribeOptions) {
  const { transcriptionLanguages, words } = context;
  const [first] = recordings;
  const { language } = options;
  if (first && language !== null && transcriptionLanguages.wasRefused(language))
    return languageQuestion(first, language, options, transcriptionLanguages.offered(), words);
  return confirmationFor(context, recordings, options);
}
