// NOTICE and the dependencies: everything that is installed with Parley is named, with its licence; and all of it is pinned.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Entry {
  /** The package's own name, where it is installed under another. */
  name?: string;
  license?: string;
  link?: boolean;
  dev?: boolean;
  devOptional?: boolean;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Entry> };
const notice = read('NOTICE');

/** The licences in NOTICE, by name: `names  licence` on one line, or names below a line `licence:`. */
function named(): Map<string, string> {
  const licences = new Map<string, string>();
  let heading: string | null = null;
  for (const line of notice.split('\n')) {
    const own = /^ {2}(\S.*?) {2,}([\w.-]+(?: AND [\w.-]+)*)/.exec(line);
    const group = /^ {2}([\w.-]+):$/.exec(line);
    if (group) heading = group[1] as string;
    else if (!line.startsWith('    ')) heading = null;
    const names = heading ? line : own?.[1];
    const licence = heading ?? own?.[2];
    if (names && licence) for (const name of names.split(',')) if (name.trim()) licences.set(name.trim(), licence);
  }
  return licences;
}

test('NOTICE names every package that is installed with Parley, with its licence', () => {
  const licences = named();
  const wrong = Object.entries(packages).flatMap(([place, entry]) => {
    const { license, link, dev, devOptional } = entry;
    if (!place.includes('node_modules/') || link || dev || devOptional) return [];
    const name = entry.name ?? (place.split('node_modules/').at(-1) as string);
    const given = licences.get(name) ?? licences.get(name.replace(/-[^/]*$/, '-*')) ?? licences.get(name.replace(/\/.*/, '/*'));
    if (given === undefined) return [`${name} (${license}) is not named`];
    return given === license ? [] : [`${name} is ${license}, NOTICE says ${given}`];
  });
  expect(wrong).toEqual([]);
});

test('every dependency is pinned exactly', () => {
  const loose = ['', 'src/local/discord'].flatMap((place) => {
    const { dependencies, devDependencies } = packages[place] as Entry;
    return Object.entries({ ...dependencies, ...devDependencies }).filter(
      ([, version]) => !/^(npm:[\w-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version),
    );
  });
  expect(loose).toEqual([]);
});
