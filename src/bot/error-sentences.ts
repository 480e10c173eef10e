// Which sentences a member reads for a failed call, a failed voice connection and a budget that is too small.
import type { ApiError } from '../api/index.ts';
import type { BudgetError } from '../credit/index.ts';
import { joinSentences, relative } from '../locales/format.ts';
import type { Words } from '../locales/index.ts';
import { asCode, asMarkdown } from '../text/untrusted-text.ts';
import type { VoiceError } from '../voice/types.ts';

/** A failed call to the voice service. @param now milliseconds since 1970 */
export function apiSentence(t: Words, error: ApiError, now = Date.now()): string {
  const { errors } = t;
  const { kind, status, requestId } = error;
  const again = error.retryAfterMs === null ? errors.inAMinute : relative(now + error.retryAfterMs);
  if (error.downForMs !== null) return errors.down(relative(now - error.downForMs), again);
  if (kind === 'unsupported') return errors.unsupported[error.operation ?? 'speech'];
  // An answer that breaks the protocol will do so again, unless it only broke off. Its status is a success.
  const isBrokenOff = kind === 'protocol' && error.retryable;
  const cause =
    kind === 'validation' ? refusalSentence(t, error) : kind === 'server' && status === null ? errors.unreachable : errors.api[kind];
  const sentence = isBrokenOff ? errors.brokenOff : typeof cause === 'string' ? cause : cause(again);
  const charged = error.mayHaveBeenBilled ? joinSentences(t, sentence, errors.maybeCharged) : sentence;
  if (kind === 'aborted') return charged;
  const shownStatus = status === null || isBrokenOff ? null : errors.status(status);
  return withDetails(charged, [shownStatus, requestId ? errors.request(requestId) : null]);
}

/** What the service doesn't accept. If it says so in two sentences, cause and next step, they are its own words. */
function refusalSentence({ errors: t }: Words, { details }: ApiError): string {
  const [detail] = details;
  if (!detail) return t.refused;
  if (detail.msg.endsWith('.') && /\. \S/.test(detail.msg.slice(0, -1))) return asMarkdown(detail.msg, 300);
  return t.refusedField(asCode(detail.loc.at(-1) ?? 'request'), asMarkdown(detail.msg, 150));
}

/** A failed voice connection. */
export function voiceSentence({ errors: t }: Words, { kind, code }: VoiceError): string {
  return withDetails(t.voice[kind], [kind === 'refused' && code !== null ? t.code(code) : null]);
}

/** A daily budget that is too small. Mentions tomorrow only if the amount would fit then. */
export function budgetSentence(t: Words, { owner, kind, setBy, cap, requested, left, resetsAt }: BudgetError): string {
  const { budget, amount } = t.errors;
  const amountOf = (value: number) => amount[kind](kind === 'speech' ? Math.floor(value) : value);
  if (cap === 0) return budget.switchedOff[kind];
  if (requested > cap) return joinSentences(t, budget.overCap[owner](amountOf(cap)), budget.raise[setBy]);
  const resets = relative(resetsAt);
  return Math.floor(left) < 1 ? budget.usedUp[owner][kind](resets) : budget.left[owner](amountOf(left), resets);
}

/** Technical details come last and small. */
function withDetails(sentence: string, details: (string | null)[]): string {
  const known = details.filter((detail) => detail !== null);
  return known.length > 0 ? `${sentence}\n-# ${known.join(' · ')}` : sentence;
}
