// Property tests use the same seed in each run, so that a change doesn't fail for a bug that it did not cause. FUZZ_SEED is another one, and
// FUZZ_RUNS makes more runs of those that don't say how many they need.
import fc from 'fast-check';

const { FUZZ_SEED = 20_261_121, FUZZ_RUNS = 25 } = process.env;

fc.configureGlobal({ seed: Number(FUZZ_SEED), numRuns: Number(FUZZ_RUNS) });
