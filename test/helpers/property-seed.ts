// Property tests use a new seed in each run, except in CI, where a change must not fail for a bug that it did not cause.
const CI_SEED = 20_261_121;

if (process.env.CI) {
  const { default: fc } = await import('fast-check');
  fc.configureGlobal({ seed: CI_SEED });
}
