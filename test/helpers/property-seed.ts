// Property tests look somewhere else each time they run, except in CI: there a change is not to fail for what it did not do.
const CI_SEED = 20_261_121;

if (process.env.CI) {
  const { default: fc } = await import('fast-check');
  fc.configureGlobal({ seed: CI_SEED });
}
