// /say as a file: the service's own bytes, or the cached sound, as a file named after the text and the voice.
import { mayHaveBeenBilled } from '../api/index.ts';
import { file as fileCard } from '../discord/cards.ts';
import { UserError } from '../discord/errors.ts';
import { isGuest } from '../discord/permissions.ts';
import type { Sentence } from '../locales/index.ts';
import { packetsToFile, type SpeechFile, SpeechTooLargeError, withVoiceFallback } from '../synthesis/index.ts';
import type { Voice } from '../voice-catalogue/voice-name.ts';
import type { SayContext, SayInteraction, SayRequest } from './context.ts';
import { leftOutOf } from './left-out.ts';
import { sayCard, speakerOf } from './message.ts';
import { billedFor, makePlan, type Plan, spendingOf, toSpeechRequest } from './plan.ts';
import { askFirst, type Question } from './question.ts';
import { explainRefusal, sayIfCharged } from './refusals.ts';
import { type Destination, offerEditing } from './refused-text.ts';
import { createReply, isRefusedAtOnce, type ReplyOptions } from './reply.ts';
import { rememberVoice, standInTitle } from './voice-choice.ts';

export interface FileOptions extends ReplyOptions {
  isPrivate?: boolean;
  /** Why it is a file if the member did not ask for one. */
  note?: Sentence;
  question?: Question;
}

/** Replies with the sound as a file. @throws UserError, BudgetError, ApiError, AudioError, StoreError */
export async function sendFile(
  interaction: SayInteraction,
  context: SayContext,
  request: SayRequest,
  options: FileOptions = {},
): Promise<void> {
  const destination: Destination = { output: options.isPrivate ? 'p' : 'f' };
  const plan = await makePlan(interaction, context, request, null, destination);
  const cached = plan.pin?.packets ?? null;
  plan.pin?.release();
  if (!options.isConfirmed && (await askFirst(interaction, context, plan, options.question ?? { output: 'f' }))) return;
  const reservation = await context.credit.reserve(spendingOf(interaction, plan));
  const isPrivate = options.isPrivate || isGuest(interaction);
  const reply = options.reply ?? createReply(interaction, context, { kind: 'response', isPrivate });
  const t = isPrivate ? context.t : context.publicT;
  options.onStart?.();
  // Sound that was made, or may have been, is charged, even if the file is too large or cut off.
  const onSpoken = () => void reservation.settle(plan.spoken.length, billedFor(plan, context));
  const limits = { cached, maxBytes: interaction.attachmentSizeLimit, memberId: interaction.user.id, onSpoken };
  const making = makeFile(context, plan, limits);
  try {
    if (!(await isRefusedAtOnce(reply, making))) await reply.begin();
    const { voice, file, standIn } = await making;
    const name = fileName(plan.showText ? plan.request.text : '', voice?.title ?? '', file.extension);
    const sentence = cached ? t('say.fromCache') : t('say.characters', { count: plan.spoken.length });
    const view = {
      speaker: speakerOf(interaction),
      plan,
      voice,
      standIn: standInTitle(standIn, context),
      status: { accent: 'done' as const, sentence },
      note: options.note?.(t) ?? null,
      leftOut: leftOutOf(plan, context),
    };
    await reply.show({ ...sayCard(t, view, fileCard(name)), files: [{ name, attachment: Buffer.from(file.bytes) }] });
    await rememberVoice(interaction, context, { wanted: plan.wanted, used: voice, isKept: options.keepsVoice ?? false });
  } catch (error) {
    sayIfCharged(error, plan.spoken.length);
    await offerEditing(error, interaction, context, request, destination);
    throw error;
  } finally {
    // If the reply couldn't begin, the file is still being made.
    await making.catch(() => {});
    await reservation.settle(0);
  }
}

/** Makes the file from the cached sound, otherwise in the first voice that the service has. @throws UserError, ApiError, AudioError */
async function makeFile(
  context: Pick<SayContext, 'speech' | 'signal' | 'voiceTitles'>,
  plan: Plan,
  options: { cached: readonly Uint8Array[] | null; maxBytes: number; memberId: string; onSpoken: () => void },
): Promise<{ voice: Voice; file: SpeechFile; standIn: string | null }> {
  const { speech, signal } = context;
  const { cached, maxBytes, memberId, onSpoken } = options;
  let voice = plan.voices[0];
  let standIn: string | null = null;
  const onStandIn = (id: string) => {
    standIn = id;
  };
  try {
    if (cached) return { voice, standIn, file: packetsToFile(cached, { volume: plan.volume, maxBytes }) };
    const file = await withVoiceFallback(plan.voices, (candidate) => {
      voice = candidate;
      return speech.file(toSpeechRequest(plan, candidate), { signal, maxBytes, memberId, onSpoken, onStandIn });
    });
    return { voice, file, standIn };
  } catch (error) {
    if (mayHaveBeenBilled(error)) onSpoken();
    if (error instanceof SpeechTooLargeError) throw new UserError((t) => t('say.fileTooLarge', { limit: maxBytes }));
    throw explainRefusal(error, voice, context);
  }
}

// File names for speech.

const MAX_TEXT = 40;
const MAX_VOICE = 30;

/**
 * "hello-there-clara.mp3": the first words of the text, then the voice. Only ASCII letters and digits, since a message's component refers to
 * the file by this name: https://discord.com/developers/docs/reference#editing-message-attachments-using-attachments-within-embeds
 */
export function fileName(text: string, voice: string, extension: string): string {
  const words = firstWords(text, MAX_TEXT);
  return `${[...(words.length > 0 ? words : ['speech']), ...firstWords(voice, MAX_VOICE)].join('-')}.${extension}`;
}

/** Whole words, unless the first one alone is too long. */
function firstWords(text: string, length: number): string[] {
  const latin = text
    .slice(0, 400)
    .replaceAll('ß', 'ss')
    .replaceAll('æ', 'ae')
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l')
    .replaceAll('Ł', 'L');
  const words =
    latin
      .normalize('NFKD')
      .replace(/[\p{M}'’]/gu, '')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  const [first = '', ...others] = words;
  if (first === '') return [];
  const kept = [first.slice(0, length)];
  let used = first.length;
  for (const word of others) {
    used += 1 + word.length;
    if (used > length) break;
    kept.push(word);
  }
  return kept;
}
