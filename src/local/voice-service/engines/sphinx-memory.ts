// What PocketSphinx remembers from one utterance to the next, and how to make it forget.
//
// It subtracts a running mean of the spectrum (sphinxbase, cmn_live.c), which adapts to a microphone within a recording. Carried over into
// the next recording it would make a transcript depend on what somebody else sent before. The engine's interface has no way to
// reset it, so the structure is found in its memory by the values it starts from.

/** `-cmninit` in the model's feat.params: the first values of the mean. */
const INITIAL_MEAN = [41, -5.29, -0.12, 5.09, 2.48];
/** Values in the mean: the length of a feature vector. */
const VECTOR = 13;

interface Heap {
  HEAP32: Int32Array;
  HEAPF32: Float32Array;
}

/**
 * @param heap the engine's memory before the first utterance
 * @returns puts the running mean back to where it is now; null when it was not found, as in another build
 */
export function findRunningMean({ HEAP32, HEAPF32 }: Heap): (() => void) | null {
  const wanted = INITIAL_MEAN.map(Math.fround);
  const first = wanted[0] as number;
  for (let mean = HEAPF32.indexOf(first); mean >= 0; mean = HEAPF32.indexOf(first, mean + 1)) {
    if (!wanted.every((value, i) => HEAPF32[mean + i] === value)) continue;
    // cmn_t is { mean, variance, sum, frames, length of the vector }, the first three being addresses in bytes.
    for (let struct = HEAP32.indexOf(mean * 4); struct >= 0; struct = HEAP32.indexOf(mean * 4, struct + 1)) {
      const sum = (HEAP32[struct + 2] as number) / 4;
      const fits = HEAP32[struct + 3] === 0 && HEAP32[struct + 4] === VECTOR && HEAPF32[sum] === 0;
      if (!fits) continue;
      const initial = HEAPF32.slice(mean, mean + VECTOR);
      return () => {
        HEAPF32.set(initial, mean);
        HEAPF32.fill(0, sum, sum + VECTOR);
        HEAP32[struct + 3] = 0;
      };
    }
  }
  return null;
}
