// What a member is asked in private: whether to spend much of the credit, and which language to try after a refused one. A question's
// message holds all that its answer needs: the recordings as links, the options in its button or menu.
import { ButtonStyle } from 'discord.js';
import { ASK_FROM_SHARE, type CreditService } from '../charging/index.ts';
import { button, type CardMessage, card, cards, menu, row, text } from '../discord/cards.ts';
import { customId, part } from '../discord/custom-ids.ts';
import { UserError } from '../discord/errors.ts';
import type { Translator } from '../locales/index.ts';
import { languageName } from '../locales/language-names.ts';
import { asMarkdown } from '../text/untrusted-text.ts';
import type { TranscribeOptions } from './context.ts';
import { languageOptions } from './message.ts';
import { estimateSeconds, type Recording, toRecordingLines } from './recording.ts';
import { type TranscriptFormat, transcriptFormats } from './transcript-file.ts';

const chosenOptions = {
  isPrivate: part.flag,
  timestamps: part.flag,
  format: {
    write: (format: TranscriptFormat | null) => format ?? '',
    read: (written: string) => transcriptFormats.find((format) => format === written) ?? null,
  },
};
/** The answer to whether to spend much. No language is ''. */
export const agreedId = customId('transcribe-agreed', { ...chosenOptions, language: part.rest });
/** A menu: the answer to which language to try instead. */
export const otherLanguageId = customId('transcribe-in', chosenOptions);

/** Whether to transcribe recordings that cost much of the credit; null if they cost little or their price is unknown. */
export function confirmationFor(
  { credit, t }: { credit: Pick<CreditService, 'shareOfBalance'>; t: Translator },
  recordings: readonly Recording[],
  options: TranscribeOptions,
): CardMessage | null {
  const lines = toRecordingLines(recordings, t);
  const asked = recordings.slice(0, lines.length);
  const seconds = asked.reduce((sum, recording) => sum + estimateSeconds(recording), 0);
  const billed = asked.reduce((sum, recording) => sum + Math.ceil(estimateSeconds(recording)), 0);
  const share = credit.shareOfBalance({ kind: 'transcription', billed });
  if (share === null || share < ASK_FROM_SHARE || asked.length === 0) return null;
  const isExact = asked.every(({ duration }) => duration !== null && duration > 0);
  const question = isExact ? 'transcription.confirm' : 'transcription.confirmAtMost';
  const answerId = agreedId.write({ ...options, language: (options.language ?? '').toWellFormed() });
  return cards(
    card(
      'waiting',
      text(t(question, { seconds: Math.max(60, Math.round(seconds / 60) * 60), share: Math.min(1, share) })),
      text(lines.join('\n')),
      asked.length < recordings.length ? text(t('transcription.notAsked', { taken: asked.length, all: recordings.length })) : null,
      row(button(t('transcription.confirmButton'), answerId, ButtonStyle.Primary)),
    ),
  );
}

/** Asks which other language to transcribe a recording in, because the service refused this one. @param languages to offer */
export function languageQuestion(
  recording: Recording,
  refused: string,
  options: TranscribeOptions,
  languages: readonly string[],
  t: Translator,
): CardMessage {
  const languageMenu = menu(otherLanguageId.write(options), t('transcription.chooseLanguage'), languageOptions(languages, t));
  const lines = toRecordingLines([recording], t);
  return cards(card('failed', text(languageRefused(refused, t)), ...(lines.length > 0 ? [text(lines.join('\n')), row(languageMenu)] : [])));
}

function languageRefused(language: string, t: Translator): string {
  return t('transcription.languageRefused', { language: `**${asMarkdown(languageName(language, t.locale), 60) || '?'}**` });
}

// The voice service doesn't know a language; the member can choose another one.

export class LanguageRefusal extends UserError {
  readonly language: string;

  constructor(language: string, options: ErrorOptions = {}) {
    super((t) => languageRefused(language, t), options);
    this.language = language;
  }
}
