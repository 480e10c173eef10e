// Reads and writes the state that PocketSphinx carries from one utterance to the next.
//
// It subtracts a running mean of the cepstrum (sphinxbase, cmn_live.c), which adapts to the microphone within a recording. Carried over
// into another recording, it would make a transcript depend on what somebody else sent. The module exports nothing to reset it, so the
// structure is located in its heap by the initial values. test/long/pocketsphinx.test.ts shows what this is worth.

/** `-cmninit` in the model's feat.params: the first values of the mean. */
const INITIAL_MEAN = [41, -5.29, -0.12, 5.09, 2.48];
/** The length of a feature vector. */
const VECTOR = 13;

interface Heap {
  HEAP32: Int32Array;
  HEAPF32: Float32Array;
}

/** The mean, the sum it is computed from, and the number of frames in it. */
interface MeanState {
  mean: Float32Array;
  sum: Float32Array;
  frames: number;
}

interface RunningMean {
  read(): MeanState;
  write(state: MeanState): void;
}

/**
 * @param heap the module's memory before the first utterance
 * @returns null if it is not found, as in another build
 */
export function findRunningMean({ HEAP32, HEAPF32 }: Heap): RunningMean | null {
  const wanted = INITIAL_MEAN.map(Math.fround);
  const first = wanted[0] as number;
  for (let mean = HEAPF32.indexOf(first); mean >= 0; mean = HEAPF32.indexOf(first, mean + 1)) {
    if (!wanted.every((value, i) => HEAPF32[mean + i] === value)) continue;
    // cmn_t is { mean, variance, sum, frames, vector length }; the first three are byte addresses.
    for (let struct = HEAP32.indexOf(mean * 4); struct >= 0; struct = HEAP32.indexOf(mean * 4, struct + 1)) {
      const sum = (HEAP32[struct + 2] as number) / 4;
      const fits = HEAP32[struct + 3] === 0 && HEAP32[struct + 4] === VECTOR && HEAPF32[sum] === 0;
      if (!fits) continue;
      return {
        read: () => ({
          mean: HEAPF32.slice(mean, mean + VECTOR),
          sum: HEAPF32.slice(sum, sum + VECTOR),
          frames: HEAP32[struct + 3] as number,
        }),
        write(state) {
          HEAPF32.set(state.mean, mean);
          HEAPF32.set(state.sum, sum);
          HEAP32[struct + 3] = state.frames;
        },
      };
    }
  }
  return null;
}
