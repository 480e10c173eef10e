// An error that is shown to the member as it is: the cause, then the next step.
import { en } from '../locales/en/index.ts';
import type { Sentence } from '../locales/index.ts';

export class UserError extends Error {
  override name = 'UserError';
  readonly sentence: Sentence;

  /** The message is the sentence in English. */
  constructor(sentence: Sentence, options?: ErrorOptions) {
    super(sentence(en), options);
    this.sentence = sentence;
  }
}
