// What a voice leaves out of a text because it doesn't speak the script: said in the reply, since listeners can't hear what is missing.
import { asPlain } from '../text/untrusted-text.ts';
import type { SayContext } from './context.ts';
import type { Plan } from './plan.ts';

/** UTF-16 units that are shown: enough to recognise what is missing. */
const MAX_LENGTH = 60;

/**
 * The part of the text that the voice leaves out. Null if everything is spoken, if it isn't known what the voices speak, or if the reply
 * doesn't show the text.
 */
export function leftOutOf(
  { spoken, showText }: Pick<Plan, 'spoken' | 'showText'>,
  { spokenScripts }: Pick<SayContext, 'spokenScripts'>,
): string | null {
  return showText && spokenScripts ? findOtherScripts(spoken, spokenScripts) : null;
}

/**
 * The stretches in other scripts, joined by ellipses.
 * @param scripts Unicode names of the spoken ones @returns null if all letters are in these, or if there are no such names
 */
export function findOtherScripts(text: string, scripts: readonly string[]): string | null {
  // The names become part of a regular expression.
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
