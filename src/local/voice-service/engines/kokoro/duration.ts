// About how long a text is in Kokoro's voices, told from its words alone.
import { toClauses } from './clauses.ts';
import { toSpokenText } from './spoken-text.ts';
import { KOKORO_VOICES, type KokoroVoiceName } from './voices.ts';

/** Measured on sentences with and without numbers, their pauses included: 0.049 to 0.066, on average 0.057, and a third more in the voice that whispers. */
const SECONDS_PER_CHARACTER = 0.06;
const WHISPERED_SECONDS_PER_CHARACTER = 0.08;

/** UTF-16 units that stand for all of a longer text: a second of the main thread is too much for 20,000 digits. */
const SAMPLE_LENGTH = 1000;

/** Seconds of each of its clauses at usual speed, rather too many than too few. */
export function estimateClauses(text: string, base: string): number[] {
  const { accent } = KOKORO_VOICES[base as KokoroVoiceName];
  const perCharacter = base === 'af_nicole' ? WHISPERED_SECONDS_PER_CHARACTER : SECONDS_PER_CHARACTER;
  const sample = text.slice(0, SAMPLE_LENGTH);
  const clauses = toClauses(toSpokenText(sample, accent)).map((clause) => clause.text.length * perCharacter);
  const rest = (clauses.reduce((sum, seconds) => sum + seconds, 0) * (text.length - sample.length)) / Math.max(1, sample.length);
  return rest > 0 ? [...clauses, rest] : clauses;
}
