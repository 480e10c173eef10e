// Transcription: recordings are streamed from Discord to the voice service, and their transcripts shown as messages and files.
//
// recording.ts, metered-audio.ts: what is transcribed, and how much of it is paid for
// index.ts, transcribe.ts, reply.ts, progress.ts, job-limit.ts, confirmation.ts: from the request to the reply
// message.ts, buttons.ts: a transcript as a message, and what its buttons do
// transcript-*.ts, subtitle-cues.ts, time-format.ts: a transcript as lines, pages and files; pure text, without Discord
import { type ChatInputCommandInteraction, type MessageContextMenuCommandInteraction, MessageFlags } from 'discord.js';
import { confirmationFor } from './confirmation.ts';
import type { TranscriptionContext } from './context.ts';
import type { Recording } from './recording.ts';
import { checkJobLimit, checkRecording, type TranscribeOptions, transcribeAll } from './transcribe.ts';

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
  const question = confirmationFor(context, recordings, options);
  if (question) {
    await interaction.reply(question);
    return;
  }
  const flags = options.isPrivate ? { flags: MessageFlags.Ephemeral as const } : {};
  const { interaction: callback } = await interaction.deferReply({ ...flags, withResponse: true });
  context.noteReply(callback.responseMessageId, options.isPrivate);
  await transcribeAll(interaction, context, recordings, options);
}
