// A question before much of the credit is spent. All that the answer needs is in its message: links in the embeds, the wish in the button.
import { type APIEmbed, ButtonStyle, ComponentType, type InteractionReplyOptions, type Message, MessageFlags } from 'discord.js';
import { COLOR, customId, limits } from '../bot/discord-limits.ts';
import { ASK_FROM_SHARE, type CreditService } from '../credit/index.ts';
import { en } from '../locales/en/index.ts';
import { asMarkdown } from '../text/untrusted-text.ts';
import { type TranscriptFormat, transcriptFormats } from '../transcript/index.ts';
import { estimateSeconds, linkOf, type Recording, readLink } from './recording.ts';
import type { Wish } from './transcribe.ts';

/** Embeds of a message. */
const MAX_RECORDINGS = 10;

/** The question that is asked in private first; null where the recordings cost little, or nobody knows how much. */
export function askFirst(
  { credit }: { credit: Pick<CreditService, 'shareOfBalance'> },
  recordings: Recording[],
  wish: Wish,
  isPrivate: boolean,
): InteractionReplyOptions | null {
  const seconds = recordings.reduce((sum, recording) => sum + estimateSeconds(recording), 0);
  const share = credit.shareOfBalance({ kind: 'transcription', amount: seconds });
  if (share === null || share < ASK_FROM_SHARE) return null;
  const minutes = Math.max(1, Math.round(seconds / 60));
  return {
    content: en.transcription.confirm(
      minutes,
      share,
      recordings.every(({ duration }) => duration !== null && duration > 0),
    ),
    embeds: recordings.slice(0, MAX_RECORDINGS).map(embedOf),
    components: [
      {
        type: ComponentType.ActionRow,
        components: [
          {
            type: ComponentType.Button,
            style: ButtonStyle.Primary,
            label: en.transcription.confirmButton,
            custom_id: customId('transcribe-agreed', isPrivate ? 1 : 0, ...partsOf(wish)),
          },
        ],
      },
    ],
    flags: MessageFlags.Ephemeral,
  };
}

/** What was agreed to. */
export function readAgreed(message: Message, [isPrivate, ...parts]: string[]): { recordings: Recording[]; wish: Wish; isPrivate: boolean } {
  const recordings = message.embeds.flatMap(({ url }) => readLink(url ?? '') ?? []);
  return { recordings, wish: readWish(parts), isPrivate: isPrivate === '1' };
}

function embedOf(recording: Recording): APIEmbed {
  const url = linkOf(recording);
  return {
    color: COLOR,
    title: asMarkdown(recording.name, 200) || en.transcription.title,
    ...(url.length <= limits.url ? { url } : {}),
  };
}

/** The language comes last: it may hold colons. */
function partsOf({ language, timestamps, format }: Wish): (string | number)[] {
  return [timestamps ? 1 : 0, format ?? '', (language ?? '').toWellFormed()];
}

function readWish([timestamps, format, ...language]: string[]): Wish {
  return {
    timestamps: timestamps === '1',
    format: transcriptFormats.find((one): one is TranscriptFormat => one === format) ?? null,
    language: language.join(':') || null,
  };
}
