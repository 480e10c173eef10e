// What is known of speech models by their names: which instructions they take out of a text, when they end, and whether they cost anything.

/** Also what services use if they are sent no name, or one that they don't know. */
export const defaultModel = 's2.1-pro';

/**
 * Models that take instructions in the same way: `s1` in round brackets, `s2` (and later ones) and `free` in square ones, and `drama` also in
 * tags. `free` is an `s2` that costs nothing.
 */
export type ModelFamily = 's1' | 's2' | 'free' | 'drama' | 'unknown';

/** The family of the name that is sent, even if the service has replaced the model behind it. */
export function familyOf(model: string | undefined): ModelFamily {
  if (model === undefined) return 'unknown';
  if (/^s1(-|$)/.test(model)) return 's1';
  if (/^s([2-9]|[1-9]\d)(\.\d+)?(-|$)/.test(model)) return model.endsWith('-free') ? 'free' : 's2';
  return /^drama(-|$)/.test(model) ? 'drama' : 'unknown';
}

/**
 * Models that end, by their names: the day on which they do (ISO), and the model that is served and billed from then on. Only what the hosted
 * service has published: for `s2.1-pro-free`, its users tell of several dates, but its description names neither an end nor a successor. An
 * operator whose free model has ended reads of missing credit (402) soon enough.
 */
const ENDINGS: Record<string, { at: string; successor: string }> = { s1: { at: '2026-12-31', successor: 's2.1-pro' } };

/** When the model of this name ends, and what replaces it; null if that isn't known. */
export function endingOf(model: string): { at: string; successor: string } | null {
  return Object.hasOwn(ENDINGS, model) ? (ENDINGS[model] ?? null) : null;
}
