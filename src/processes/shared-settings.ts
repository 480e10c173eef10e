// Settings whose numbers members and operators see, so that they have to be the same in all processes: those of the one started last count.
import type { Log } from '../log.ts';
import type { LiveProcess } from './live-processes.ts';

/**
 * @param own as this process was given them; null = not set @param apply is called with those that count now
 * @returns what is to be called with all live processes; it logs each difference once
 */
export function followSettings<T extends Record<string, number | null>>(
  own: T,
  log: Log,
  apply: (settings: T) => void,
): (live: readonly LiveProcess[], ownId: string) => void {
  const told = new Set<string>();

  function tellDifferences(other: LiveProcess): void {
    const { host, settings } = other.facts;
    const differing = Object.keys(own).filter((name) => settings[name] !== undefined && settings[name] !== own[name]);
    if (differing.length === 0 || told.has(other.id)) return;
    told.add(other.id);
    log.warn(
      { host, settings: Object.fromEntries(differing.map((name) => [name, { here: own[name], there: settings[name] }])) },
      `${differing.join(', ')}: another process was given other values; those of the one started last count for all`,
    );
  }

  return (live, ownId) => {
    for (const one of live) if (one.id !== ownId) tellDifferences(one);
    const [last] = live.map(({ facts }) => facts).sort((a, b) => b.startedAt - a.startedAt);
    apply({ ...own, ...last?.settings });
  };
}
