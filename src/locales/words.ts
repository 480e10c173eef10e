// The shape of a language: every text and sentence that English has.
import type { en } from './en/index.ts';

/** Every word of a language. */
export type Words = Widened<typeof en>;

/** A sentence that is put into words once it is known who reads it. */
export type Sentence = (t: Words) => string;

/** `typeof en` with any string in place of the English ones. */
type Widened<T> = T extends string
  ? string
  : T extends (...values: infer V) => infer R
    ? (...values: V) => Widened<R>
    : { [K in keyof T]: Widened<T[K]> };
