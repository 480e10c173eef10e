// What Vitest reports at the end of a run: the tests that took too long, and what this machine could not check.
import type { Reporter } from 'vitest/node';
import { markOf, requirements } from '../helpers/requirements.ts';

/** A table of what was not checked and why, and a line that installs all of it; empty if nothing is missing. */
export function describeMissing(titles: string[]): string {
  const counted = requirements.map((requirement) => ({
    ...requirement,
    tests: titles.filter((title) => title.includes(markOf(requirement))).length,
  }));
  const rows = counted.filter(({ tests }) => tests > 0);
  if (rows.length === 0) return '';
  const width = Math.max(...rows.map(({ checks }) => checks.length));
  const lines = rows.map(
    ({ checks, tests, reason }) => `   ${checks.padEnd(width)} ${String(tests).padStart(5)} ${tests === 1 ? 'test ' : 'tests'}  ${reason}`,
  );
  const packages = rows.flatMap((row) => row.package ?? []);
  const installing = packages.length > 0 ? [' To check it, on Debian:', `   sudo apt-get install -y ${packages.join(' ')}`, ''] : [];
  return ['', ' Not checked on this machine:', ...lines, '', ...installing].join('\n');
}

/** For Vitest: ends the run with that table. */
export const missingRequirementsReporter: Reporter = {
  onTestRunEnd(modules) {
    const table = describeMissing(modules.flatMap(({ children }) => [...children.allTests()].map(({ fullName }) => fullName)));
    if (table) console.log(table);
  },
};

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
