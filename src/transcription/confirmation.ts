// A question before much of the credit is spent. Its message holds all that the answer needs: the recordings as links in its embeds, the
// options in its button.
import { type APIEmbed, ButtonStyle, ComponentType, type InteractionReplyOptions, type Message, MessageFlags } from 'discord.js';
import { COLOR, customId, limits } from '../bot/discord-limits.ts';
import { ASK_FROM_SHARE, type CreditService } from '../credit/index.ts';
import { en } from '../locales/en/index.ts';
import { asMarkdown } from '../text/untrusted-text.ts';
import { estimateSeconds, fromLink, type Recording, toLink } from './recording.ts';
import type { TranscribeOptions } from './transcribe.ts';
import { transcriptFormats } from './transcript-file.ts';

/** Discord's limit of embeds in a message. */
const MAX_RECORDINGS = 10;

/** The private question to ask first, or null if the recordings cost little or their price is unknown. */
export function confirmationFor(
  { credit }: { credit: Pick<CreditService, 'shareOfBalance'> },
  recordings: Recording[],
  options: TranscribeOptions,
): InteractionReplyOptions | null {
  const seconds = recordings.reduce((sum, recording) => sum + estimateSeconds(recording), 0);
  const share = credit.shareOfBalance({ kind: 'transcription', amount: seconds });
  if (share === null || share < ASK_FROM_SHARE) return null;
  const minutes = Math.max(1, Math.round(seconds / 60));
  const isExact = recordings.every(({ duration }) => duration !== null && duration > 0);
  return {
    content: en.transcription.confirm(minutes, share, isExact),
    embeds: recordings.slice(0, MAX_RECORDINGS).map(toEmbed),
    components: [
      {
        type: ComponentType.ActionRow,
        components: [
          {
            type: ComponentType.Button,
            style: ButtonStyle.Primary,
            label: en.transcription.confirmButton,
            custom_id: customId('transcribe-agreed', ...toArgs(options)),
          },
        ],
      },
    ],
    flags: MessageFlags.Ephemeral,
  };
}

/** What the member agreed to by pressing the button. @param args the parts of its custom_id */
export function readConfirmation(message: Message, args: string[]): { recordings: Recording[]; options: TranscribeOptions } {
  const recordings = message.embeds.flatMap(({ url }) => fromLink(url ?? '') ?? []);
  return { recordings, options: fromArgs(args) };
}

function toEmbed(recording: Recording): APIEmbed {
  const url = toLink(recording);
  return {
    color: COLOR,
    title: asMarkdown(recording.name, 200) || en.transcription.title,
    ...(url.length <= limits.url ? { url } : {}),
  };
}

/** The language comes last because it may contain colons. */
function toArgs({ isPrivate, timestamps, format, language }: TranscribeOptions): (string | number)[] {
  return [isPrivate ? 1 : 0, timestamps ? 1 : 0, format ?? '', (language ?? '').toWellFormed()];
}

function fromArgs([isPrivate, timestamps, format, ...language]: string[]): TranscribeOptions {
  return {
    isPrivate: isPrivate === '1',
    timestamps: timestamps === '1',
    format: transcriptFormats.find((one) => one === format) ?? null,
    language: language.join(':') || null,
  };
}
