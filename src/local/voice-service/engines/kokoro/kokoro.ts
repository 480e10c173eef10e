// Kokoro, the natural synthesiser: a neural network with American and British voices. Text becomes words (spoken-text.ts), words become
// clauses (clauses.ts), each clause Kokoro's symbols (pronounce.ts), and these its sound.
import { availableParallelism } from 'node:os';
import { createRemembered } from '../../../../async/waiting.ts';
import { readWeights, type Weights } from '../../../../speech-detection/index.ts';
import { EngineError, type Synthesiser } from '../engine.ts';
import { nothingToSpeak, requireEnglish } from '../english-text.ts';
import { toClauses } from './clauses.ts';
import { loadKokoro, RATE } from './model.ts';
import { loadDictionary } from './phones.ts';
import { toKokoro } from './pronounce.ts';
import { toSpokenText } from './spoken-text.ts';
import { cutSymbols, toTokens } from './symbols.ts';
import { KOKORO_VOICES, type KokoroVoiceName } from './voices.ts';
import { checkKokoro, KOKORO_MODEL, readStyles } from './weights.ts';

/**
 * Half of the threads there are: as a rule, one for each core. For a second of speech, two threads of one core took 1.1 s of their processors
 * in place of 0.73 s, and 36 % longer on a busy machine (18 clauses). More than four leave too little to everything else.
 */
const THREADS = Math.max(1, Math.min(4, Math.floor(availableParallelism() / 2)));
/** Gains that make the voices equally loud, without peaks above full scale (levels measured over 13 sentences; am_puck is 6 dB above am_michael). */
const GAIN: Readonly<Record<KokoroVoiceName, number>> = {
  af_heart: 1.05,
  af_bella: 1,
  af_nicole: 0.9,
  bf_emma: 0.8,
  am_michael: 1.1,
  am_fenrir: 0.72,
  am_puck: 0.65,
  bm_george: 0.85,
};
/** -48 dB of full scale: below it the voices are silent. */
const AUDIBLE = 0.004;
/** Seconds of what is inaudible but kept around a clause, for the beginning of an "f" and the end of a vowel. */
const KEPT = { before: 0.03, after: 0.06 };
/** Seconds in which a clause comes and goes, so that its edges don't click. */
const FADE = { in: 0.005, out: 0.03 };

/** @throws EngineError that says what to do if a file is missing or damaged, or if an image was built without them */
export async function check(files?: readonly Weights[]): Promise<void> {
  if (!isInstalled()) {
    throw new EngineError('crashed', 'Natural voices are not installed here. Run npm ci --ignore-scripts, or build the image with them.');
  }
  await checkKokoro(files).catch((error: Error) => {
    throw new EngineError('crashed', `There are no natural voices: ${error.message}. Run npm ci --ignore-scripts again, then restart.`);
  });
}

function isInstalled(): boolean {
  try {
    return import.meta.resolve(KOKORO_MODEL.package) !== '';
  } catch {
    return false;
  }
}

/**
 * Takes two seconds.
 * @throws Error if a file is missing or damaged, or if there is no ONNX Runtime for this platform
 */
export async function createEngine(): Promise<Synthesiser> {
  const dictionary = await loadDictionary();
  const model = await loadKokoro(await readWeights(KOKORO_MODEL), THREADS);
  /** Half a megabyte each. */
  const styles = createRemembered(readStyles, () => Number.POSITIVE_INFINITY);

  return {
    rate: RATE,
    voices: KOKORO_VOICES,
    threads: THREADS,
    async *synthesise(text, { base, rate = 1 }, speed, isFile) {
      requireEnglish(text);
      const voice = base as KokoroVoiceName;
      const { accent } = KOKORO_VOICES[voice];
      const clauses = toClauses(toSpokenText(text, accent), isFile);
      if (clauses.length === 0) throw nothingToSpeak();
      const voiceStyles = await styles.get(voice);
      for (const clause of clauses) {
        const parts = cutSymbols(toKokoro(clause.text, accent, dictionary));
        for (const [at, symbols] of parts.entries()) {
          const pauseSeconds = at === parts.length - 1 ? clause.pauseSeconds : 0;
          const sound = withPause(await model.speak(toTokens(symbols), voiceStyles, speed * rate), pauseSeconds / (speed * rate));
          yield sound.map((sample) => sample * GAIN[voice]);
        }
      }
    },
  };
}

/** The sound without the silence around it, which is sometimes half a second, and then a pause. */
function withPause(sound: Float32Array, pauseSeconds: number): Float32Array {
  const isAudible = (sample: number) => Math.abs(sample) > AUDIBLE;
  const first = sound.findIndex(isAudible);
  if (first < 0) return new Float32Array(Math.round(pauseSeconds * RATE));
  const from = Math.max(0, first - Math.round(KEPT.before * RATE));
  const to = Math.min(sound.length, sound.findLastIndex(isAudible) + Math.round(KEPT.after * RATE));
  const paused = new Float32Array(to - from + Math.round(pauseSeconds * RATE));
  paused.set(sound.subarray(from, to));
  const [fadeIn, fadeOut] = [Math.round(FADE.in * RATE), Math.round(FADE.out * RATE)];
  for (let at = 0; at < Math.min(fadeIn, to - from); at++) paused[at] = ((paused[at] as number) * at) / fadeIn;
  for (let at = 0; at < Math.min(fadeOut, to - from); at++) {
    const index = to - from - 1 - at;
    paused[index] = ((paused[index] as number) * at) / fadeOut;
  }
  return paused;
}
