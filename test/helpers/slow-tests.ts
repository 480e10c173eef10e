// For Vitest: ends the run with the tests that belong to test/long, because they took more than five seconds. They fail nothing: on a busy
// machine, any test may take that long.
import type { Reporter } from 'vitest/node';

const LIMIT_MS = 5_000;
const MOST_LISTED = 20;

export const slowTestsReporter: Reporter = {
  onTestRunEnd(modules) {
    const slow = modules
      .filter(({ project }) => project.name !== 'long')
      .flatMap(({ relativeModuleId, children }) =>
        [...children.allTests()].map((test) => ({ ms: test.diagnostic()?.duration ?? 0, title: `${relativeModuleId} > ${test.fullName}` })),
      )
      .filter(({ ms }) => ms > LIMIT_MS)
      .toSorted((a, b) => b.ms - a.ms);
    if (slow.length === 0) return;
    const rows = slow.slice(0, MOST_LISTED).map(({ ms, title }) => `   ${(ms / 1000).toFixed(1).padStart(5)} s  ${title}`);
    const others = slow.length > rows.length ? [`   and ${slow.length - rows.length} more`] : [];
    console.log(['', ` ${slow.length} of the tests took more than ${LIMIT_MS / 1000} s:`, ...rows, ...others, ''].join('\n'));
  },
};
