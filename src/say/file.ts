// Speech as a file: the service's own bytes, or the sound that was kept, under a name that says what is in it.
import { type AttachmentPayload, MessageFlags } from 'discord.js';
import { mayHaveBeenBilled } from '../api/index.ts';
import { isGuest } from '../bot/permissions.ts';
import { UserError } from '../bot/user-error.ts';
import { en } from '../locales/en/index.ts';
import { packetsToFile, type SpeechFile, SpeechTooLargeError } from '../speech/index.ts';
import { withoutUnseen } from '../text/foreign.ts';
import { type FileOptions, reply } from './answer.ts';
import type { SayContext } from './context.ts';
import { questionMessage, sayEmbed, speakerOf } from './message.ts';
import { type Asked, makePlan, type Plan, requestOf, shareToAsk, spendingOf } from './plan.ts';
import { explainRefusal, isVoiceGone, noteVoice, type Voice } from './voices.ts';
import type { Wish } from './wish.ts';

/** Answers with the sound as a file. */
export async function giveFile(interaction: Asked, context: SayContext, wish: Wish, options: FileOptions = {}): Promise<void> {
  const plan = await makePlan(interaction, context, wish, null);
  const kept = plan.pin?.packets ?? null;
  plan.pin?.release();
  const share = options.confirmed ? null : shareToAsk(plan, context);
  if (share !== null) {
    await interaction.reply({ ...questionMessage(plan, share, 'f', null), flags: MessageFlags.Ephemeral });
    return;
  }
  const reservation = await context.credit.reserve(spendingOf(interaction, plan));
  const answer = options.answer ?? reply(interaction, context, { isPrivate: options.isPrivate || isGuest(interaction) });
  try {
    await answer.begin();
    // Once it is spoken, or may have been, it is charged: also if it is too large to be given, or breaks off.
    const onSpoken = () => void reservation.settle(plan.spoken.length);
    const { voice, name, payload } = await makeFile(context, plan, { kept, maxBytes: interaction.attachmentSizeLimit, onSpoken });
    const status = [name, kept ? en.say.fromCache : en.say.characters(plan.spoken.length)].join(', ');
    await answer.show({ embeds: [sayEmbed({ speaker: speakerOf(interaction), plan, voice, status })], files: [payload] });
    await noteVoice(interaction, context, plan, voice).catch((error: unknown) => context.reportError(interaction, error));
  } finally {
    await reservation.settle(0);
  }
}

/** Of what is kept, else in the first of the voices that the service has. @throws UserError, ApiError, AudioError */
async function makeFile(
  { speech, signal }: Pick<SayContext, 'speech' | 'signal'>,
  plan: Plan,
  { kept, maxBytes, onSpoken }: { kept: readonly Uint8Array[] | null; maxBytes: number; onSpoken: () => void },
): Promise<{ voice: Voice; name: string; payload: AttachmentPayload }> {
  const left = [...plan.voices];
  for (;;) {
    const voice = left.shift() ?? null;
    try {
      const file = kept
        ? packetsToFile(kept, { volume: plan.volume, maxBytes })
        : await speech.file(requestOf(plan, voice), { signal, maxBytes, onSpoken });
      const name = fileName(plan.showText ? plan.wish.text : '', file);
      return { voice, name, payload: { name, attachment: Buffer.from(file.bytes) } };
    } catch (error) {
      if (mayHaveBeenBilled(error)) onSpoken();
      if (error instanceof SpeechTooLargeError) throw new UserError(en.say.fileTooLarge(maxBytes));
      if (left.length === 0 || !isVoiceGone(error)) throw explainRefusal(error, voice);
    }
  }
}

/** The first words, where they may be shown, in characters that every file system takes. */
function fileName(text: string, { extension }: SpeechFile): string {
  const words =
    withoutUnseen(text.slice(0, 200))
      .normalize('NFC')
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return `${Array.from(words.join('-')).slice(0, 40).join('').toLowerCase() || 'speech'}.${extension}`;
}
