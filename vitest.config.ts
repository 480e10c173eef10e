// Tests run in parallel files; every server they start listens on port 0.
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/helpers/property-seed.ts'],
    pool: 'forks',
    // Most of the time tests wait for what is spoken at its own pace.
    maxWorkers: 2 * availableParallelism(),
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // A condition that never comes true costs a failing run this long; on a busy machine one second, the default, is not enough.
    expect: { poll: { timeout: 30_000 } },
  },
});
