// What captions themselves say among the lines: what members should know about what is missing, and what is wrong at the moment.
import type { Translator } from '../locales/index.ts';
import { languageName } from '../locales/language-names.ts';
import { asMarkdown } from '../text/untrusted-text.ts';
import type { Writer } from './writer.ts';

interface Remarks {
  /** Another process has begun these captions. */
  resumed(): void;
  /** Discord never takes a line of this member. */
  refused(memberId: string): void;
  /** So many seconds of what the member said won't be captioned. */
  dropped(memberId: string, seconds: number): void;
  /** The member doesn't seem to speak the one language that the service knows (BCP 47). */
  foreign(memberId: string, language: string): void;
  /** @param memberId null = the whole server @param resetsAt milliseconds since 1970 */
  outOfBudget(memberId: string | null, resetsAt: number): void;
  /** A call to the service failed for good: is said unless another failed shortly before. */
  failed(): void;
  /** Says below the last line what is wrong, for as long as it lasts. */
  showTrouble(trouble: Trouble): void;
}

interface Trouble {
  /** A moderator has deafened the bot. */
  isDeafened: boolean;
  /** How long ago the oldest words were said that haven't been delivered, in steps of 15; 0 = less than that. */
  secondsBehind: number;
}

interface RemarksOptions {
  writer: Pick<Writer, 'note' | 'setBehind'>;
  /** In the server's language, which may change. */
  translator(): Translator;
  /** The name that the member speaks under now. */
  nameOf(memberId: string): string;
}

/** Milliseconds without a failure after which another one is said again. */
const FAILURE_GAP_MS = 60_000;

export function createRemarks({ writer, translator, nameOf }: RemarksOptions): Remarks {
  let failedAt = Number.NEGATIVE_INFINITY;
  const boldName = (memberId: string) => `**${asMarkdown(nameOf(memberId), 60) || '?'}**`;

  return {
    resumed: () => writer.note(translator()('captions.resumed')),
    refused: (memberId) => writer.note(translator()('captions.refused', { member: memberId })),
    dropped: (memberId, seconds) => writer.note(translator()('captions.dropped', { seconds, name: boldName(memberId) })),
    foreign(memberId, language) {
      const t = translator();
      writer.note(t('captions.foreign', { name: boldName(memberId), language: languageName(language, t.locale) }));
    },
    outOfBudget(memberId, resetsAt) {
      const t = translator();
      writer.note(
        memberId === null
          ? t('captions.serverOutOfBudget', { at: resetsAt })
          : t('captions.outOfBudget', { member: memberId, at: resetsAt }),
      );
    },
    failed() {
      if (performance.now() - failedAt >= FAILURE_GAP_MS) writer.note(translator()('captions.failed'));
      failedAt = performance.now();
    },
    showTrouble({ isDeafened, secondsBehind }) {
      const t = translator();
      const delay = secondsBehind > 0 ? t('captions.behind', { seconds: secondsBehind }) : null;
      writer.setBehind(isDeafened ? t('captions.deafened') : delay);
    },
  };
}
