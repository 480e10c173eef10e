// /say with `as_file`: the service's own bytes, or the cached sound, as a file named after the text.
import { MessageFlags } from 'discord.js';
import { mayHaveBeenBilled } from '../api/index.ts';
import { isGuest } from '../bot/permissions.ts';
import { UserError } from '../bot/user-error.ts';
import { en } from '../locales/en/index.ts';
import { packetsToFile, type SpeechFile, SpeechTooLargeError, withVoiceFallback } from '../speech/index.ts';
import { withoutInvisible } from '../text/untrusted-text.ts';
import type { SayContext } from './context.ts';
import { confirmMessage, sayEmbed, speakerOf } from './message.ts';
import { makePlan, type Plan, type SayInteraction, shareToConfirm, spendingOf, toSpeechRequest } from './plan.ts';
import { createReply, type ReplyOptions } from './reply.ts';
import type { SayRequest } from './request.ts';
import { explainRefusal, rememberVoice, type Voice } from './voices.ts';

export interface FileOptions extends ReplyOptions {
  isPrivate?: boolean;
}

/** Replies with the sound as a file. @throws UserError, BudgetError, ApiError, AudioError, StoreError */
export async function sendFile(
  interaction: SayInteraction,
  context: SayContext,
  request: SayRequest,
  options: FileOptions = {},
): Promise<void> {
  const plan = await makePlan(interaction, context, request, null);
  const cached = plan.pin?.packets ?? null;
  plan.pin?.release();
  const share = options.isConfirmed ? null : shareToConfirm(plan, context);
  if (share !== null) {
    await interaction.reply({ ...confirmMessage(plan, share, 'f', null), flags: MessageFlags.Ephemeral });
    return;
  }
  const reservation = await context.credit.reserve(spendingOf(interaction, plan));
  const reply = options.reply ?? createReply(interaction, context, { isPrivate: options.isPrivate || isGuest(interaction) });
  options.onStart?.();
  try {
    await reply.begin();
    // Once it is spoken, or may have been, it is charged, even if the file is too large or breaks off.
    const onSpoken = () => void reservation.settle(plan.spoken.length);
    const { voice, file } = await makeFile(context, plan, { cached, maxBytes: interaction.attachmentSizeLimit, onSpoken });
    const name = fileName(plan.showText ? plan.request.text : '', file);
    const status = [name, cached ? en.say.fromCache : en.say.characters(plan.spoken.length)].join(', ');
    await reply.show({
      embeds: [sayEmbed({ speaker: speakerOf(interaction), plan, voice, status })],
      files: [{ name, attachment: Buffer.from(file.bytes) }],
    });
    await rememberVoice(interaction, context, plan.voices[0], voice);
  } finally {
    await reservation.settle(0);
  }
}

/** From the cache, otherwise in the first voice that the service has. @throws UserError, ApiError, AudioError */
async function makeFile(
  { speech, signal }: Pick<SayContext, 'speech' | 'signal'>,
  plan: Plan,
  { cached, maxBytes, onSpoken }: { cached: readonly Uint8Array[] | null; maxBytes: number; onSpoken: () => void },
): Promise<{ voice: Voice; file: SpeechFile }> {
  let voice = plan.voices[0];
  try {
    if (cached) return { voice, file: packetsToFile(cached, { volume: plan.volume, maxBytes }) };
    const file = await withVoiceFallback(plan.voices, (candidate) => {
      voice = candidate;
      return speech.file(toSpeechRequest(plan, candidate), { signal, maxBytes, onSpoken });
    });
    return { voice, file };
  } catch (error) {
    if (mayHaveBeenBilled(error)) onSpoken();
    if (error instanceof SpeechTooLargeError) throw new UserError((t) => t.say.fileTooLarge(maxBytes));
    throw explainRefusal(error, voice);
  }
}

/** The first words, unless the text is hidden, in characters that every file system accepts. */
function fileName(text: string, { extension }: SpeechFile): string {
  const words =
    withoutInvisible(text.slice(0, 200))
      .normalize('NFC')
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return `${Array.from(words.join('-')).slice(0, 40).join('').toLowerCase() || 'speech'}.${extension}`;
}
