// Tests run in parallel files; every server they start listens on port 0.
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { missingRequirementsReporter, slowTestsReporter } from './test/tools/reporters.ts';

/** Folders whose tests share processes, by project. `npm test -- test/bot` runs one folder. */
const PROJECTS = {
  main: [
    'unit', // one module; at most a server of the test's own beside it
    'processes', // what several processes of one bot share: leases, deletions, a store in Redis
    'local', // the local Discord and the local voice service
    'bot', // the whole bot against both
    'fuzz', // input that nobody should send; `npm run fuzz` goes on for longer
  ],
  // Speech synthesis and decoding, and sound compared with ffmpeg.
  engines: ['engines'],
  page: ['page'], // the local Discord's page, in a browser
  // Files that look at what belongs to the whole process: its memory, folders for temporary files, open handles.
  alone: [],
  long: ['long'], // whatever takes more than five seconds on an idle machine; `npm run test:long` runs it, `npm test` all others
};

/** Files of the project `alone`, each in a process of its own. */
const ALONE = [
  'test/unit/api-live-speech.test.ts',
  'test/unit/api-malformed-responses.test.ts',
  'test/unit/audio.test.ts',
  'test/unit/audio-mpg123.test.ts',
  'test/engines/decoder.test.ts',
  'test/fuzz/voice-service-anything.test.ts',
];

/**
 * Projects whose tests compute all the time. They run before the others, with fewer workers: more would only make each test last longer, and
 * each worker loads the program and engines of its own.
 */
const BUSY = ['alone', 'engines', 'page'];

/** Its tests have six minutes, not one. */
const PATIENT = 'long';

// For this run's processes and the programs that tests start. It saved a tenth to a fifth of the CPU of 349
// tests when Vite still loaded them; not measured since.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/tests');

export default defineConfig({
  test: {
    pool: 'forks',
    // Fewer collections of short-lived objects: a tenth of the CPU of the same tests.
    execArgv: ['--max-semi-space-size=64'],
    // Files that share a process load the program once. Each undoes what it changes in it: environment, folders, clocks.
    isolate: false,
    // Node runs the sources itself, as in production: a sixth less CPU than through Vite for 478 tests. Nobody uses its mocks here.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    reporters: ['default', ...(process.env.GITHUB_ACTIONS ? ['github-actions'] : []), slowTestsReporter, missingRequirementsReporter],
    // Many tests wait for what is spoken at its own pace: with two workers for each of two cores, those were idle for 44 % of the
    // time in test/bot. Each takes up to 840 MB.
    maxWorkers: Math.min(8, availableParallelism() + 4),
    // A process that ends writes its compiled code, beside all others that still compute.
    teardownTimeout: 60_000,
    projects: Object.entries(PROJECTS).map(([name, folders]) => ({
      extends: true,
      test: {
        name,
        include: name === 'alone' ? ALONE : folders.map((folder) => `test/${folder}/**/*.test.ts`),
        exclude: name === 'alone' ? [] : ALONE,
        isolate: name === 'alone',
        sequence: { groupOrder: BUSY.includes(name) ? 0 : 1 },
        ...(BUSY.includes(name) && { maxWorkers: Math.min(4, availableParallelism() + 1) }),
        setupFiles: ['test/helpers/property-seed.ts'],
        globalSetup: ['page', 'long'].includes(name) ? ['test/page/browser.ts'] : [],
        // A test waits less than its limit for any one event, so that it can say for which.
        // Beside busy programs, engines of a low priority would hardly get the processor.
        env: { WAIT_SECONDS: name === PATIENT ? '180' : '45', ENGINE_PRIORITY: 'normal' },
        testTimeout: name === PATIENT ? 360_000 : 60_000,
        // Loading an engine takes what it may take of the clock in production.
        hookTimeout: name === PATIENT ? 360_000 : name === 'engines' ? 180_000 : 60_000,
        // A condition that never comes true costs a failing run this long; on a busy machine one second, the default, is not enough.
        expect: { poll: { timeout: name === 'long' ? 180_000 : 45_000 } },
      },
    })),
  },
});
