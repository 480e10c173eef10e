// About how long a text is in Kokoro's voices, told from its words alone.
import { toSpokenText } from './spoken-text.ts';
import { KOKORO_VOICES, type KokoroVoiceName } from './voices.ts';

/** Measured on sentences with and without numbers, their pauses included: 0.05 to 0.074, and 0.079 to 0.1 in the voice that whispers. */
const SECONDS_PER_CHARACTER = 0.07;
const WHISPERED_SECONDS_PER_CHARACTER = 0.095;

/** UTF-16 units that stand for all of a longer text: a second of the main thread is too much for 20,000 digits. */
const SAMPLE_LENGTH = 1000;

/** Seconds at usual speed; rather too many than too few. */
export function estimateSeconds(text: string, base: string): number {
  const { accent } = KOKORO_VOICES[base as KokoroVoiceName];
  const perCharacter = base === 'af_nicole' ? WHISPERED_SECONDS_PER_CHARACTER : SECONDS_PER_CHARACTER;
  const sample = text.slice(0, SAMPLE_LENGTH);
  return (toSpokenText(sample, accent).length * perCharacter * text.length) / Math.max(1, sample.length);
}
