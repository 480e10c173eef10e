// What a voice leaves out of a text because it doesn't speak the script: said in the reply, since listeners can't hear what is missing.
import { asPlain } from '../text/untrusted-text.ts';
import type { SayContext } from './context.ts';
import type { Plan } from './plan.ts';

/** Enough to recognise it by. */
const MAX_LENGTH = 60;

/** Null if everything is spoken, if it isn't known what the voices speak, or if the reply doesn't show the text. */
export function leftOutOf(
  { spoken, showText }: Pick<Plan, 'spoken' | 'showText'>,
  { spokenScripts }: Pick<SayContext, 'spokenScripts'>,
): string | null {
  return showText && spokenScripts ? findOtherScripts(spoken, spokenScripts) : null;
}

/** @param scripts by their Unicode names @returns null if the text has letters of these alone, or if the names are none */
export function findOtherScripts(text: string, scripts: readonly string[]): string | null {
  // They become part of an expression.
  if (scripts.length === 0 || !scripts.every((script) => /^\w{1,40}$/.test(script))) return null;
  let parts: readonly string[];
  try {
    const spokenLetters = scripts.map((script) => `\\p{Script=${script}}`).join('');
    const letter = `[\\p{L}--[${spokenLetters}\\p{Script=Common}\\p{Script=Inherited}]]\\p{M}*`;
    parts = text.match(new RegExp(`${letter}(?:[^${spokenLetters}]*${letter})?`, 'gv')) ?? [];
  } catch {
    return null;
  }
  return asPlain(parts.join(' … '), MAX_LENGTH) || null;
}
