// What Parley itself says between messages: how many it skipped, once things have calmed down, and notices that it can't write in the
// channel.

import { createPaidDraft } from '../discord/payment.ts';
import { inPlace } from '../locales/in-place.ts';
import type { Translator } from '../locales/index.ts';
import { estimateSeconds, makeSpeakable } from '../synthesis/index.ts';
import type { Session, Utterance } from '../voice-session/types.ts';
import type { ReadingContext } from './context.ts';
import type { ReadableMessage } from './intake.ts';

/** A message that was skipped. */
type Skipped = Pick<ReadableMessage, 'memberId' | 't'>;

export interface Announcer {
  /** Messages skipped so far. */
  readonly count: number;
  /** Counts the message, to be announced together with others. */
  skipped(message: Skipped): void;
  /** Speaks once everything else in the foreground has been spoken. */
  say(sentence: string, t: Translator): void;
  close(): void;
}

/** The number is announced after so many milliseconds without another skipped message, and at the latest so long after the first one. */
const CALM_MS = 1_500;
const LATEST_MS = 15_000;
/** Milliseconds between two announcements, because they take time, too. */
const PAUSE_MS = 15_000;

export function createAnnouncer(
  guildId: string,
  { client, speech, credit, defaultVoice, slowVoices }: ReadingContext,
  session: () => Session | undefined,
): Announcer {
  let count = 0;
  let unannounced: { count: number; since: number; last: Skipped } | null = null;
  let timer: NodeJS.Timeout | undefined;
  let said = 0;
  let announcedAt = Number.NEGATIVE_INFINITY;

  /** @param payerId the member whose daily budget pays; null = nobody's, because it is about a budget that is used up */
  function speak(text: string, payerId: string | null): void {
    const into = session();
    if (!into) return;
    const id = `${guildId}-${++said}`;
    const referenceId = slowVoices().includes(defaultVoice ?? '') ? null : defaultVoice;
    const request = { text, referenceId, scope: { guildId }, messageId: id };
    // The operator's default voice may be one that a member made and doesn't share with this server, or be gone from the service.
    const fallbackIds = referenceId === null ? [] : [null];
    const memberId = client.user.id;
    const create = (permit?: () => Promise<void>) => speech.utterance(request, { fallbackIds, memberId, ...(permit && { permit }) });
    const label = { voice: null, text: null, seconds: estimateSeconds(text) };
    const enqueue = (utterance: Utterance) => into.enqueue(utterance, { id, memberId, background: true, label });
    if (payerId === null) {
      enqueue(create());
      return;
    }
    const paid = createPaidDraft(credit, { kind: 'speech', amount: text.length, guildId, memberId: payerId }, create);
    void enqueue(paid.utterance).finished.then(paid.settle);
  }

  function announce(): void {
    if (!unannounced) return;
    const { count: skipped, last } = unannounced;
    unannounced = null;
    announcedAt = performance.now();
    speak(last.t('readingNotices.skipped', { count: skipped }), last.memberId);
  }

  function announceLater({ since }: { since: number }): void {
    const now = performance.now();
    const wait = Math.max(announcedAt + PAUSE_MS - now, Math.min(CALM_MS, since + LATEST_MS - now));
    clearTimeout(timer);
    timer = setTimeout(announce, Math.max(0, wait));
  }

  return {
    get count() {
      return count;
    },
    skipped(message) {
      count += 1;
      unannounced = { count: (unannounced?.count ?? 0) + 1, since: unannounced?.since ?? performance.now(), last: message };
      announceLater(unannounced);
    },
    say(sentence, t) {
      const text = makeSpeakable(sentence, inPlace(t));
      if (text !== null) speak(text, null);
    },
    close: () => clearTimeout(timer),
  };
}
