// An error that is shown to the member as it is: the cause, then the next step.
import { en } from '../locales/en/index.ts';
import type { Sentence } from '../locales/index.ts';

export class UserError extends Error {
  override name = 'UserError';
  readonly sentence: Sentence;
  /** Nothing went wrong: there is only nothing to show, or to act on. It then doesn't look like an error. */
  readonly isEmptyState: boolean;

  /** The message is the sentence in English. */
  constructor(sentence: Sentence, { isEmptyState = false, ...options }: ErrorOptions & { isEmptyState?: boolean } = {}) {
    super(sentence(en), options);
    this.sentence = sentence;
    this.isEmptyState = isEmptyState;
  }
}
