// Moonshine, the recogniser: finds the stretches of speech in a recording, and turns each into English with capitals and punctuation.
import { createSpeechSegmenter, loadSpeechModel, type SpeechSegment } from '../../../../speech-detection/index.ts';
import { EngineError, type HeardSegment, type Recogniser } from '../engine.ts';
import { loadMoonshine, type MoonshineModel, SHAPES } from './model.ts';
import { checkMoonshine, type MoonshineSize, readMoonshine } from './weights.ts';

/** The root mean square that speech is brought to (-23 dB), and the peak it may reach, as parts of full scale. */
const TARGET_RMS = 0.07;
const TARGET_PEAK = 0.9;
/** Seconds of the processor for a second of speech, above which the small model takes over. */
const TOO_SLOW = 0.5;
/** Seconds of speech after which that is decided. */
const TRIAL_SECONDS = 10;
/** Of so many recordings, the one in the middle says how fast this machine is. One that takes long by what is in it says nothing of the others. */
const COMPARED_RECORDINGS = 3;

/** What the larger model has taken for a recording. */
interface Used {
  cpu: number;
  speech: number;
}

/** @throws EngineError that says what to do if a file is missing */
export async function check(): Promise<void> {
  await checkMoonshine().catch((error: Error) => {
    throw new EngineError('crashed', `Speech can't be recognised: ${error.message}. Run npm ci --ignore-scripts again, then restart.`);
  });
}

/**
 * Takes two seconds and about 370 MB; while it listens, up to 545 MB, and 660 with the small model.
 * @param cpuSeconds the processor time this process has used; recordings are recognised one segment at a time
 * @throws Error if a file is missing or damaged, or if there is no ONNX Runtime for this platform
 */
export async function createEngine(cpuSeconds = ownCpuSeconds): Promise<Recogniser> {
  const speechModel = await loadSpeechModel();
  /** Null once it is no longer used. */
  let large: MoonshineModel | null = await load('base');
  let loadingSmall: Promise<MoonshineModel> | undefined;
  /** The latest recordings in which somebody spoke. */
  const latest: Used[] = [];

  /** Chooses the model for a recording, of which `used` tells. */
  async function choose(used: Used): Promise<MoonshineModel> {
    const isKnown = latest.length === COMPARED_RECORDINGS && sumOf(latest) >= TRIAL_SECONDS;
    if (isKnown && median(latest.map(ratioOf)) > TOO_SLOW) large = null;
    const isRecordingSlow = used.speech >= TRIAL_SECONDS && ratioOf(used) > TOO_SLOW;
    if (large && !isRecordingSlow) return large;
    loadingSmall ??= load('tiny');
    return loadingSmall;
  }

  async function transcribe({ samples, start, end }: SpeechSegment, used: Used): Promise<HeardSegment> {
    const model = await choose(used);
    const before = cpuSeconds();
    const { text, ...certainty } = await model.transcribe(normaliseLevel(samples));
    if (model === large) {
      if (used.speech === 0) {
        latest.push(used);
        if (latest.length > COMPARED_RECORDINGS) latest.shift();
      }
      used.cpu += cpuSeconds() - before;
      used.speech += end - start;
    }
    return { text, start, end, certainty, aboveNoise: decibelsAboveNoise(samples) };
  }

  return {
    listen() {
      const segmenter = createSpeechSegmenter(speechModel);
      const used: Used = { cpu: 0, speech: 0 };
      return {
        async *hear(samples) {
          const segments = samples ? segmenter.hear(Float32Array.from(samples, (sample) => sample / 32_768)) : segmenter.finish();
          for await (const segment of segments) yield transcribe(segment, used);
        },
      };
    },
  };
}

const ratioOf = ({ cpu, speech }: Used): number => cpu / speech;
const sumOf = (recordings: readonly Used[]): number => recordings.reduce((sum, { speech }) => sum + speech, 0);
const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const load = async (size: MoonshineSize): Promise<MoonshineModel> => loadMoonshine(await readMoonshine(size), SHAPES[size]);

function ownCpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Of parts of 20 ms, from the quietest twentieth to the loudest tenth. */
function decibelsAboveNoise(samples: Float32Array): number {
  const powers: number[] = [];
  for (let at = 0; at + 320 <= samples.length; at += 320) {
    let power = 0;
    for (const sample of samples.subarray(at, at + 320)) power += sample * sample;
    powers.push(power / 320);
  }
  powers.sort((a, b) => a - b);
  const at = (part: number) => (powers[Math.floor(part * powers.length)] ?? 0) + 1e-10;
  return 10 * Math.log10(at(0.9) / at(0.05));
}

/** Speech with noise is recognised slightly better at this level: at 5 dB with 25 words of 213 wrong in place of 28, at 10 dB 13 in place of 15. */
function normaliseLevel(samples: Float32Array): Float32Array {
  let power = 0;
  let peak = 0;
  for (const sample of samples) {
    power += sample * sample;
    peak = Math.max(peak, Math.abs(sample));
  }
  const rms = Math.sqrt(power / samples.length);
  if (rms === 0) return samples;
  const gain = Math.min(TARGET_RMS / rms, TARGET_PEAK / peak);
  return samples.map((sample) => sample * gain);
}
