// The one error boundary: whatever a command throws becomes a sentence for the member and, if it is our fault, a line in the log.
import { randomBytes } from 'node:crypto';
import {
  type APIComponentInContainer,
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
import { ApiError, type ApiErrorKind } from '../api/index.ts';
import { AudioError, type AudioErrorKind } from '../audio/index.ts';
import { BudgetError } from '../charging/index.ts';
import { joinSentences, relative } from '../locales/format.ts';
import { en, type Sentence, type Translator, translatorFor } from '../locales/index.ts';
import type { Log } from '../log.ts';
import { StoreError } from '../store/index.ts';
import { asCode, asMarkdown } from '../text/untrusted-text.ts';
import { VoiceError, type VoiceErrorKind } from '../voice-session/types.ts';
import { type Accent, asEdit, asPrivate, type CardMessage, notice } from './cards.ts';
import type { ReportOptions } from './command.ts';

/** Discord's codes: https://discord.com/developers/docs/topics/opcodes-and-status-codes#json */
const MISSING_ACCESS = [50001, 50013];
const UNKNOWN_MESSAGE = [10008, 10015, 50027];
/** What a message says is blocked, by the server's AutoMod or by Discord itself. */
const REFUSED_TEXT = [200000, 200001, 240000];
const UNKNOWN_INTERACTION = [10062, 40060];

/** Invalid token and unknown webhook: Discord's answers once the 15 minutes of an interaction are over. */
const TOKEN_EXPIRED_STATUSES = [401, 404];

/** Error codes of discord.js for a command that was registered by an earlier version, with other options. */
const OPTION_MISMATCH = [
  DiscordjsErrorCodes.CommandInteractionOptionNotFound,
  DiscordjsErrorCodes.CommandInteractionOptionType,
  DiscordjsErrorCodes.CommandInteractionOptionEmpty,
];
/** The same for a modal. */
const FIELD_MISMATCH = [
  DiscordjsErrorCodes.ModalSubmitInteractionFieldNotFound,
  DiscordjsErrorCodes.ModalSubmitInteractionFieldType,
  DiscordjsErrorCodes.ModalSubmitInteractionFieldEmpty,
];

/** Refusals without a fault of the service. */
const REFUSALS: ApiErrorKind[] = ['validation', 'rate-limited', 'credit', 'aborted'];

const BROKEN_AUDIO: AudioErrorKind[] = ['stalled', 'truncated'];

/** Speech that was ended on purpose, by a moderator or a shutdown. */
const INTENDED_ENDS: VoiceErrorKind[] = ['member-muted', 'closing'];

/** The sentence for an error; null if it is unexpected. */
export function explainError(error: unknown): Sentence | null {
  const chain = [...causes(error)];
  // An upload's stream fails inside a call: the inner error is then the one the member needs to know.
  const forMember = chain.find((cause) => cause instanceof UserError);
  return forMember?.sentence ?? chain.map(explainKnown).find((sentence) => sentence !== null) ?? null;
}

/** Without its causes. */
function explainKnown(error: Error): Sentence | null {
  if (error instanceof ApiError) return (t) => apiSentence(t, error);
  if (error instanceof BudgetError) return (t) => budgetSentence(t, error);
  if (error instanceof StoreError) return (t) => t('errors.storeFailed');
  if (error instanceof VoiceError) return (t) => voiceSentence(t, error);
  if (error instanceof AudioError && error.kind === 'endless') return (t) => t('errors.endlessAudio');
  if (error instanceof AudioError) return (t) => (BROKEN_AUDIO.includes(error.kind) ? t('errors.brokenAudio') : t('errors.badAudio'));
  if (hasCode(error, OPTION_MISMATCH)) return (t) => t('general.unknownCommand');
  if (hasCode(error, FIELD_MISMATCH)) return (t) => t('general.expiredMessage');
  if (error instanceof HTTPError) return (t) => t('errors.discordFailed', { status: error.status });
  if (error instanceof RateLimitError)
    return (t) => t('errors.discordBusy', { at: Date.now() + Math.max(error.retryAfter, error.timeToReset) });
  const code = error instanceof DiscordAPIError ? Number(error.code) : 0;
  if (REFUSED_TEXT.includes(code)) return (t) => t('errors.refusedText');
  if (MISSING_ACCESS.includes(code)) return (t) => t('errors.noPermission');
  return UNKNOWN_MESSAGE.includes(code) ? (t) => t('general.expiredMessage') : null;
}

function hasCode(error: unknown, codes: DiscordjsErrorCodes[]): boolean {
  return (error instanceof DiscordjsError || error instanceof DiscordjsTypeError) && codes.includes(error.code);
}

/**
 * Can the member deal with this, or has it been reported elsewhere (used-up credit to operators, a missing feature of the service in the
 * log)? Such an error must not be logged: its sentence may quote the member's file name or text.
 */
export function isExpected(error: unknown): boolean {
  return [...causes(error)].some(
    (cause) =>
      cause instanceof UserError ||
      cause instanceof BudgetError ||
      (cause instanceof ApiError && (cause.kind === 'credit' || isMissingFeature(cause))) ||
      (cause instanceof VoiceError && INTENDED_ENDS.includes(cause.kind)),
  );
}

function isMissingFeature({ kind, operation }: ApiError): boolean {
  return kind === 'unsupported' && operation !== 'speech';
}

/** The error and its causes, outermost first. */
function* causes(error: unknown): Generator<Error> {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth += 1) yield cause;
}

type Controls = (t: Translator) => APIComponentInContainer | null;

const controlsOf = new WeakMap<object, Controls>();

/** Puts buttons below the sentence that the member reads for this error. */
export function putControls(error: object, controls: Controls): void {
  controlsOf.set(error, controls);
}

const additionOf = new WeakMap<object, Sentence>();

/** Has this sentence follow the one that the member reads for this error. */
export function putAddition(error: object, addition: Sentence): void {
  additionOf.set(error, addition);
}

/** What happens to a public reply when the member is told of an error. */
type OnReply = 'take back' | 'keep';

/**
 * Logs an error, unless it is expected. Returns the sentence for it, which has the reference that is in the log if it can't say what is wrong.
 * @param messages what is logged: `known` if the sentence says what is wrong; without it, nothing is logged then
 */
export function logAndExplain(
  error: unknown,
  log: Log,
  guildId: string | null,
  messages: { unknown: string; known?: string },
): { sentence: Sentence; reference: string } {
  const sentence = explainError(error);
  const reference = randomBytes(4).toString('hex');
  const facts = { reference, guild: guildId, ...describeError(error) };
  if (sentence === null) log.error(facts, messages.unknown);
  else if (messages.known !== undefined && !isExpected(error)) log.warn(facts, messages.known);
  return { sentence: sentence ?? ((t) => t('errors.unexpected', { reference })), reference };
}

/** Logs the error if it is unexpected, and tells the member. Never rejects. */
export async function replyWithError(
  interaction: Interaction,
  error: unknown,
  log: Log,
  onReply: OnReply = 'take back',
  { addition = additionOf.get(error as object), inPublic: postPublicly }: ReportOptions = {},
): Promise<void> {
  const messages = { unknown: 'a command failed', known: 'a command could not be completed' };
  const { sentence: cause, reference } = logAndExplain(error, log, interaction.guildId, messages);
  const sentence: Sentence = (t) => (addition ? withAddition(t, cause(t), addition(t)) : cause(t));
  if (!interaction.isRepliable()) return;
  try {
    const isEmptyState = [...causes(error)].some((cause) => cause instanceof UserError && cause.isEmptyState);
    const accent = isEmptyState ? 'neutral' : 'failed';
    await replyPrivately(interaction, sentence, onReply, accent, controlsOf.get(error as object)).catch((failure: unknown) => {
      if (!postPublicly || !isTokenExpired(failure)) throw failure;
      return postPublicly(mentionMember(interaction, sentence));
    });
  } catch (failure) {
    log.warn({ reference, ...describeError(failure) }, 'could not tell a member about a failure');
  }
}

/** Technical details stay last, in their small print. */
export function withAddition(t: Translator, cause: string, addition: string): string {
  const [sentences = '', ...details] = cause.split('\n-# ');
  return [joinSentences(t, sentences, addition), ...details].join('\n-# ');
}

/** Tells only the member, whatever was replied before. */
export async function replyPrivately(
  interaction: RepliableInteraction,
  sentence: Sentence,
  onReply: OnReply = 'take back',
  accent: Accent = 'failed',
  controls?: Controls,
): Promise<void> {
  const t = translatorFor(interaction.locale);
  const message = notice(sentence(t), accent, controls?.(t));
  if (!interaction.deferred && !interaction.replied) {
    await interaction.reply(asPrivate(message));
    return;
  }
  const isThinking = interaction.deferred && !interaction.replied;
  if (isThinking && interaction.ephemeral) {
    await interaction.editReply(asEdit(message));
    return;
  }
  // The first follow-up to a deferred reply takes its place and is as public as the reply was declared, so the reply is deleted first.
  // What follows a deleted reply is a message of its own. https://github.com/discord/discord-api-docs/issues/2739
  // A button that changes its own message has declared nothing: `ephemeral` is then null.
  if (onReply === 'take back' && interaction.ephemeral === false) await interaction.deleteReply().catch(() => {});
  const sent = await interaction.followUp(asPrivate(message));
  // The reply could not be deleted, and this has taken its place, where everybody can read it.
  if (!sent.flags.has(MessageFlags.Ephemeral))
    await interaction.editReply({ ...asEdit(mentionMember(interaction, sentence)), message: sent });
}

/** A sentence for this member, with their name, because others read it, too. */
export function mentionMember({ user, locale }: RepliableInteraction, sentence: Sentence): CardMessage {
  const t = translatorFor(locale);
  return notice(t('general.toMember', { member: user.id, sentence: sentence(t) }));
}

/** The fields of an error that may be logged. Never the request that Discord refused: it holds what was said. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: typeof error };
  const { name, message, stack, cause } = error;
  const facts: Record<string, unknown> = { error: name, message, stack };
  for (const key of ['code', 'status', 'kind', 'requestId']) if (key in error) facts[key] = (error as never)[key];
  if (cause instanceof Error) facts.cause = `${cause.name}: ${cause.message}`;
  return facts;
}

/** Are the 15 minutes over in which Discord takes replies to an interaction? */
export function isTokenExpired(error: unknown): boolean {
  return (
    error instanceof DiscordAPIError && TOKEN_EXPIRED_STATUSES.includes(error.status) && error.code !== RESTJSONErrorCodes.UnknownMessage
  );
}

/** Is the interaction gone: not answered within 3 s, or answered by another process? */
export function isTooLate(error: unknown): boolean {
  return error instanceof DiscordAPIError && UNKNOWN_INTERACTION.includes(Number(error.code));
}

// Which sentences a member reads for a failed call, a failed voice connection and a budget that is too small.

/** A failed call to the voice service. @param now milliseconds since 1970 */
export function apiSentence(t: Translator, error: ApiError, now = Date.now()): string {
  const { kind, status, requestId } = error;
  const again = error.retryAfterMs === null ? t('errors.inAMinute') : relative(now + error.retryAfterMs);
  if (error.downForMs !== null) return t('errors.down', { since: relative(now - error.downForMs), again });
  if (error.isWrongAddress) return withDetails(t('errors.notVoiceService'), [status === null ? null : t('errors.status', { status })]);
  if (kind === 'unsupported') return t(`errors.unsupported.${error.operation ?? 'speech'}`);
  if (kind === 'forbidden') {
    const operation = error.operation === 'live-speech' || error.operation === null ? 'speech' : error.operation;
    const details = [t('errors.status', { status: status ?? 403 }), requestId ? t('errors.request', { request: requestId }) : null];
    return withDetails(t(`errors.forbidden.${operation}`), details);
  }
  // An answer that breaks the protocol will do so again, unless it was merely cut off. Its status was a success.
  const isBrokenOff = kind === 'protocol' && error.retryable;
  const cause =
    kind === 'validation'
      ? refusalSentence(t, error)
      : kind === 'server' && status === null
        ? t('errors.unreachable', { again })
        : t(`errors.api.${kind}`, { again });
  const isClosing = kind === 'aborted' && error.cause instanceof VoiceError && error.cause.kind === 'closing';
  const sentence = isBrokenOff ? t('errors.brokenOff') : isClosing ? t('errors.voice.closing') : cause;
  const charged = error.mayHaveBeenBilled ? joinSentences(t, sentence, t('errors.maybeCharged')) : sentence;
  // The status and the request's id help whoever looks into a fault of the service; a member who has to change the text, or to wait, can do
  // nothing with them.
  if (REFUSALS.includes(kind)) return charged;
  const shownStatus = status === null || isBrokenOff ? null : t('errors.status', { status });
  return withDetails(charged, [shownStatus, requestId ? t('errors.request', { request: requestId }) : null]);
}

/** What the service doesn't accept, in its own words if it gives both a cause and a next step. */
function refusalSentence(t: Translator, { details }: ApiError): string {
  const [detail] = details;
  if (!detail) return t('errors.refused');
  if (detail.msg.endsWith('.') && /\. \S/.test(detail.msg.slice(0, -1))) return asMarkdown(detail.msg, 300);
  return t('errors.refusedField', { field: asCode(detail.loc.at(-1) ?? 'request'), reason: asMarkdown(detail.msg, 150) });
}

/** A failed voice connection. */
function voiceSentence(t: Translator, { kind, code }: VoiceError): string {
  return withDetails(t(`errors.voice.${kind}`), [kind === 'refused' && code !== null ? t('errors.code', { code }) : null]);
}

/** A daily budget that is too small. Mentions the reset only if the amount would fit then. */
export function budgetSentence(t: Translator, { owner, kind, setBy, cap, requested, left, resetsAt }: BudgetError): string {
  const amountOf = (value: number) =>
    kind === 'speech' ? t('errors.amount.speech', { characters: Math.floor(value) }) : t('errors.amount.transcription', { seconds: value });
  if (cap === 0) return t(`errors.budget.switchedOff.${kind}`);
  if (requested > cap)
    return joinSentences(t, t(`errors.budget.overCap.${owner}`, { cap: amountOf(cap) }), t(`errors.budget.raise.${setBy}`));
  return Math.floor(left) < 1
    ? t(`errors.budget.usedUp.${owner}.${kind}`, { resetsAt })
    : t(`errors.budget.left.${owner}`, { left: amountOf(left), resetsAt });
}

/** Technical details come last and small. */
function withDetails(sentence: string, details: (string | null)[]): string {
  const shownDetails = details.filter((detail) => detail !== null);
  return shownDetails.length > 0 ? `${sentence}\n-# ${shownDetails.join(' · ')}` : sentence;
}

// An error whose sentence is shown to the member as it is: the cause, then the next step.

export class UserError extends Error {
  override name = 'UserError';
  readonly sentence: Sentence;
  /** Nothing went wrong, there is just nothing to show or to act on, so the reply doesn't look like an error. */
  readonly isEmptyState: boolean;

  /** The message is the sentence in English. */
  constructor(sentence: Sentence, { isEmptyState = false, ...options }: ErrorOptions & { isEmptyState?: boolean } = {}) {
    super(sentence(en), options);
    this.sentence = sentence;
    this.isEmptyState = isEmptyState;
  }
}
