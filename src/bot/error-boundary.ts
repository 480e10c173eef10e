// The one error boundary: whatever a command throws becomes a sentence for the member and, where it is our fault, a line in the log.
import { randomBytes } from 'node:crypto';
import {
  DiscordAPIError,
  DiscordjsError,
  DiscordjsErrorCodes,
  DiscordjsTypeError,
  HTTPError,
  type Interaction,
  MessageFlags,
  RateLimitError,
  RESTJSONErrorCodes,
  type RepliableInteraction,
} from 'discord.js';
import { ApiError } from '../api/index.ts';
import { AudioError, type AudioErrorKind } from '../audio/index.ts';
import { BudgetError } from '../credit/index.ts';
import { en } from '../locales/en/index.ts';
import type { Log } from '../log.ts';
import { StoreError } from '../store/index.ts';
import { VoiceError, type VoiceErrorKind } from '../voice/types.ts';
import type { ReportOptions } from './command.ts';
import { limits, truncate } from './discord-limits.ts';
import { UserError } from './user-error.ts';

/** Discord's codes: https://discord.com/developers/docs/topics/opcodes-and-status-codes#json */
const MISSING_ACCESS = [50001, 50013];
const UNKNOWN_MESSAGE = [10008, 10015, 50027];
const UNKNOWN_INTERACTION = [10062, 40060];

/** Invalid token and unknown webhook: how Discord answers when an interaction's 15 minutes are over. */
const TOKEN_ENDED = [401, 404];

/** Of a command, or a form, that Discord had from an earlier version of me: not what the present one asks for. */
const OTHER_OPTIONS = [
  DiscordjsErrorCodes.CommandInteractionOptionNotFound,
  DiscordjsErrorCodes.CommandInteractionOptionType,
  DiscordjsErrorCodes.CommandInteractionOptionEmpty,
];
const OTHER_FIELDS = [
  DiscordjsErrorCodes.ModalSubmitInteractionFieldNotFound,
  DiscordjsErrorCodes.ModalSubmitInteractionFieldType,
  DiscordjsErrorCodes.ModalSubmitInteractionFieldEmpty,
];

const BROKEN_SOUND: AudioErrorKind[] = ['stalled', 'truncated', 'crashed'];

/** The sentence for an error, or null for one that nobody had thought of. */
export function explainError(error: unknown): string | null {
  const chain = [...causes(error)];
  // The stream of an upload fails inside of a call: what the member needs to know is then the inner one.
  const known = chain.find((cause) => cause instanceof UserError) ?? chain.find(isKnown);
  if (known instanceof UserError) return known.message;
  if (known instanceof ApiError) return en.errors.api(known);
  if (known instanceof BudgetError) return en.errors.budget(known);
  if (known instanceof StoreError) return en.errors.storeFailed;
  if (known instanceof VoiceError) return en.errors.voice(known);
  if (known instanceof AudioError && known.kind === 'endless') return en.errors.endlessAudio;
  if (known instanceof AudioError) return BROKEN_SOUND.includes(known.kind) ? en.errors.brokenAudio : en.errors.badAudio;
  if (hasCode(known, OTHER_OPTIONS)) return en.general.unknownCommand;
  if (hasCode(known, OTHER_FIELDS)) return en.general.expiredMessage;
  if (known instanceof HTTPError) return en.errors.discordFailed(known.status);
  if (known instanceof RateLimitError) return en.errors.discordBusy(Date.now() + Math.max(known.retryAfter, known.timeToReset));
  if (known instanceof DiscordAPIError)
    return MISSING_ACCESS.includes(Number(known.code)) ? en.errors.noPermission : en.general.expiredMessage;
  return null;
}

function isKnown(error: Error): boolean {
  if (error instanceof DiscordAPIError) return [...MISSING_ACCESS, ...UNKNOWN_MESSAGE].includes(Number(error.code));
  if (hasCode(error, [...OTHER_OPTIONS, ...OTHER_FIELDS])) return true;
  return [ApiError, VoiceError, AudioError, BudgetError, StoreError, HTTPError, RateLimitError].some((kind) => error instanceof kind);
}

function hasCode(error: unknown, codes: DiscordjsErrorCodes[]): boolean {
  return (error instanceof DiscordjsError || error instanceof DiscordjsTypeError) && codes.includes(error.code);
}

/** Voice that ends by a wish: a moderator's, or of whoever ends me. */
const WISHED: VoiceErrorKind[] = ['member-muted', 'closing'];

/**
 * A member's own to change, or known already: of used-up credit operators are told once, of what the service lacks the log. Never to be logged, for its sentence may
 * quote the member: the name of a file, what was typed.
 */
export function isExpected(error: unknown): boolean {
  return [...causes(error)].some(
    (cause) =>
      cause instanceof UserError ||
      cause instanceof BudgetError ||
      (cause instanceof ApiError && (cause.kind === 'credit' || isLacking(cause))) ||
      (cause instanceof VoiceError && WISHED.includes(cause.kind)),
  );
}

/** The service speaks and cannot do this: said in the log when it is first noticed. */
function isLacking({ kind, operation }: ApiError): boolean {
  return kind === 'unsupported' && operation !== 'speech';
}

/** The error and what caused it, the outermost first. */
function* causes(error: unknown): Generator<Error> {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth += 1) yield cause;
}

/** Answers the member with the sentence for `error`, and takes a public answer back unless it is to `keep`. Never rejects. */
export async function replyWithError(
  interaction: Interaction,
  error: unknown,
  log: Log,
  answer: 'take back' | 'keep' = 'take back',
  { addition, inPublic: sayInPublic }: ReportOptions = {},
): Promise<void> {
  const known = explainError(error);
  const reference = randomBytes(4).toString('hex');
  const sentence = [known ?? en.errors.unexpected(reference), addition].filter(Boolean).join(' ');
  const facts = { reference, guild: interaction.guildId, ...describeError(error) };
  if (known === null) log.error(facts, 'a command failed');
  else if (!isExpected(error)) log.warn(facts, 'a command could not be done');
  if (!interaction.isRepliable()) return;
  try {
    await replyPrivately(interaction, sentence, answer).catch((failure: unknown) => {
      if (!sayInPublic || !isTokenExpired(failure)) throw failure;
      return sayInPublic(mentionMember(interaction, sentence));
    });
  } catch (failure) {
    log.warn({ reference, ...describeError(failure) }, 'a failure could not be told');
  }
}

/** Says something to the member alone, whatever was answered before. */
export async function replyPrivately(
  interaction: RepliableInteraction,
  sentence: string,
  answer: 'take back' | 'keep' = 'take back',
): Promise<void> {
  const content = truncate(sentence, limits.content);
  if (!interaction.deferred && !interaction.replied) {
    await interaction.reply({ content, flags: MessageFlags.Ephemeral });
    return;
  }
  const isWaiting = interaction.deferred && !interaction.replied;
  if (isWaiting && interaction.ephemeral) {
    await interaction.editReply({ content });
    return;
  }
  // The first follow-up to a deferred answer would take its place and be as public as it was promised: so away with that first.
  // What follows a deleted answer is a message of its own. https://github.com/discord/discord-api-docs/issues/2739
  // A button that changes its own message has promised none: `ephemeral` is then null.
  if (answer === 'take back' && interaction.ephemeral === false) await interaction.deleteReply().catch(() => {});
  const sent = await interaction.followUp({ content, flags: MessageFlags.Ephemeral });
  // The answer could not be taken away, and this has taken its place, where everybody reads it.
  if (!sent.flags.has(MessageFlags.Ephemeral))
    await interaction.editReply({ message: sent, content: mentionMember(interaction, sentence) });
}

/** What was meant for the member alone, and can be said only where others read it: with their name. */
export function mentionMember({ user }: RepliableInteraction, sentence: string): string {
  return truncate(en.general.toMember(user.id, sentence), limits.content);
}

/** What may stand in a log of an error: never the request that Discord refused, for it holds what was said. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: typeof error };
  const { name, message, stack, cause } = error;
  const facts: Record<string, unknown> = { error: name, message, stack };
  for (const key of ['code', 'status', 'kind', 'requestId']) if (key in error) facts[key] = (error as never)[key];
  if (cause instanceof Error) facts.cause = `${cause.name}: ${cause.message}`;
  return facts;
}

/** Are the 15 minutes over in which Discord takes answers to an interaction? */
export function isTokenExpired(error: unknown): boolean {
  return error instanceof DiscordAPIError && TOKEN_ENDED.includes(error.status) && error.code !== RESTJSONErrorCodes.UnknownMessage;
}

/** The member does not see it any more: answered by another process, or too late. */
export function isTooLate(error: unknown): boolean {
  return error instanceof DiscordAPIError && UNKNOWN_INTERACTION.includes(Number(error.code));
}
