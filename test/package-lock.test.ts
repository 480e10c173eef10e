import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Entry {
  version?: string;
  optionalDependencies?: Record<string, string>;
}

const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as {
  packages: Record<string, Entry>;
};

// A registry that lacks a package for another platform makes npm leave it out silently; `npm ci` then refuses the file everywhere.
test('the lock file names the optional packages of every platform', () => {
  const missing = Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !packages[`node_modules/${name}`] && !packages[`${place}/node_modules/${name}`]),
  );
  expect(missing, 'regenerate package-lock.json, or add these by hand').toEqual([]);
});
