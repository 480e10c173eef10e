// Takes the API key and what members said out of texts from outside, before they end up in an error.

export type Redactor = (text: string) => string;

/** Runs of this many characters of the private text are removed: services echo what they refuse, and shorten it. */
const MIN_RUN = 12;
/** A shorter private text gives nothing away, and removing it would tear holes into ordinary sentences. */
const MIN_PRIVATE_TEXT = 8;
/** No text from outside is kept beyond this length. */
const MAX_LENGTH = 2000;

/** @param privateText what members said, typed, or named a file @param voice its id, in place of which members type anything */
export function createRedactor(apiKey: string, privateText: string, voice?: string | null): Redactor {
  const secret = collapseSpaces(privateText);
  const typed = voice?.trim() ? wholeWords([voice, encodeURIComponent(voice.toWellFormed())]) : null;
  const run = Math.min(MIN_RUN, secret.length);
  return (text) => {
    const withoutKey = text.replaceAll(apiKey, '[key]').slice(0, MAX_LENGTH);
    const rest = typed ? withoutKey.replace(typed, '[voice]') : withoutKey;
    return secret.length < MIN_PRIVATE_TEXT ? rest : removeRuns(collapseSpaces(rest), secret, run);
  };
}

export const collapseSpaces = (text: string) => text.replace(/\s+/g, ' ').trim();

/** However short, but not as part of another word. */
function wholeWords(texts: string[]): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${texts.map(RegExp.escape).join('|')})(?![\\p{L}\\p{N}])`, 'gu');
}

/** Replaces every stretch of `text` that shares `run` characters or more with `secret`. */
function removeRuns(text: string, secret: string, run: number): string {
  let kept = '';
  for (let at = 0; at < text.length; ) {
    let end = at + run;
    if (end > text.length || !secret.includes(text.slice(at, end))) {
      kept += text[at];
      at += 1;
      continue;
    }
    while (end < text.length && secret.includes(text.slice(at, end + 1))) end += 1;
    kept += '[text]';
    at = end;
  }
  return kept;
}
