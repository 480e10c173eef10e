// Which folder may import what, in one table. Imports of types, and those made at run time, count too, also as parts of cycles between files.
import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, it } from 'vitest';
import { parseAst } from 'vitest/node';

interface Rule {
  /** What the paths of files that may be imported begin with, from src/; commands/ is beside it. */
  may: readonly string[];
  because: string;
  noDiscord?: true;
}

/** What features are built on. */
const SHARED = ['api/', 'bot/', 'credit/', 'locales/', 'processes/', 'recording-length/', 'speech/', 'store/', 'text/', 'voice/'];
const FEATURES = [
  'dictionary/',
  'help/',
  'own-voices/',
  'privacy/',
  'reading/',
  'say/',
  'settings/',
  'status/',
  'transcription/',
  'voices/',
];
const ALL_BUT_LOCAL = [...SHARED, ...FEATURES, 'audio/', 'commands/', 'monitoring/'];
const ROOT = ['config.ts', 'log.ts', 'open-store.ts', 'several-processes.ts', 'shutdown.ts', 'startup-errors.ts'];

const feature = (...others: string[]): Rule => ({
  may: [...SHARED, 'audio/', 'log.ts', ...others],
  because: 'a feature imports bot/, locales/ and engines, and no other feature but those of its rule',
});
const transcripts: Rule = {
  may: ['transcription/', 'api/', 'text/'],
  noDiscord: true,
  because: 'transcripts as lines, pages and files are pure text',
};
const assembly: Rule = { may: [...ALL_BUT_LOCAL, ...ROOT], because: 'only main.ts imports local/' };

/** By what the path of a file begins with; the longest counts. */
const RULES: Record<string, Rule> = {
  // Engines
  'api/': { may: ['api/'], noDiscord: true, because: 'api/ knows no Discord and nothing else of ours' },
  'audio/': { may: ['audio/'], noDiscord: true, because: 'audio/ imports nothing of ours' },
  'text/': { may: ['text/'], because: 'text/ imports nothing of ours' },
  'store/': { may: ['store/'], noDiscord: true, because: 'store/ imports nothing of ours' },
  'voice/': { may: ['voice/'], because: 'voice/ plays frames: it imports nothing of ours' },
  'recording-length/': {
    may: ['recording-length/', 'audio/decode/mp3-frames.ts', 'audio/ogg/opus-packet.ts'],
    noDiscord: true,
    because: 'recording-length/ counts seconds in bytes',
  },
  'speech/': {
    may: ['speech/', 'api/', 'audio/', 'store/', 'voice/types.ts'],
    noDiscord: true,
    because: 'speech/ joins api/ and audio/, and knows voice/ by its types only',
  },
  'processes/': {
    may: ['processes/', 'config.ts', 'log.ts', 'store/'],
    because: 'processes/ shares what the store can share: it knows nothing of commands, voice or speech',
  },
  'locales/': {
    may: ['locales/', 'text/'],
    because: 'a language only words values: which sentence applies is decided elsewhere',
  },
  'credit/': {
    may: [
      'credit/',
      'api/',
      'store/',
      'text/',
      'settings/index.ts',
      'locales/',
      'log.ts',
      'config.ts',
      'bot/cards.ts',
      'bot/discord-limits.ts',
    ],
    because: 'credit/ imports engines, settings and what its view needs',
  },

  // Features
  'dictionary/': feature('dictionary/', 'settings/'),
  'help/': feature('help/', 'settings/'),
  'own-voices/': feature('own-voices/', 'settings/', 'voices/'),
  'privacy/': feature(
    'privacy/',
    'settings/',
    'dictionary/',
    'reading/persisted-channels.ts',
    'reading/voice-assignments.ts',
    'voices/owners.ts',
  ),
  'reading/': feature('reading/', 'settings/', 'voices/', 'dictionary/', 'say/'),
  'say/': feature('say/', 'settings/', 'voices/', 'dictionary/'),
  'settings/': feature('settings/', 'voices/titles.ts', 'voices/owners.ts', 'voices/usable.ts'),
  'status/': feature('status/', 'settings/'),
  'transcription/': feature('transcription/', 'settings/'),
  'transcription/transcript-': transcripts,
  'transcription/subtitle-cues.ts': transcripts,
  'transcription/time-format.ts': transcripts,
  'voices/': feature('voices/', 'settings/'),

  // What uses them
  'commands/': {
    may: [...SHARED, ...FEATURES],
    because: 'commands import bot/, their feature and its engines, and never each other',
  },
  'commands/index.ts': { may: ['commands/'], because: 'commands/index.ts lists the commands' },
  'bot/': {
    may: [
      ...['bot/', 'api/', 'audio/', 'credit/', 'locales/', 'monitoring/', 'processes/', 'store/', 'text/', 'voice/'],
      ...['dictionary/', 'privacy/', 'settings/', 'config.ts', 'log.ts'],
    ],
    because: 'bot/ is what all commands share; only bot/index.ts, with its types, knows the features',
  },
  'bot/index.ts': assembly,
  'bot/types.ts': assembly,
  'monitoring/': {
    may: [
      ...['monitoring/', 'api/', 'audio/', 'bot/', 'store/', 'voice/', 'locales/', 'config.ts', 'log.ts', 'open-store.ts'],
      'local/voice-service/engines/index.ts',
    ],
    because: 'monitoring/ looks at the engines, not at features',
  },
  '': assembly,
  'main.ts': { may: [...ALL_BUT_LOCAL, ...ROOT, 'local/'], because: 'main.ts wires together what is in folders' },

  // What stands in for Discord and the voice service
  'local/': { may: ['local/'], because: 'it is about the two programs in local/' },
  'local/voice-service/': {
    may: ['local/voice-service/', 'api/', 'audio/', 'store/erasure.ts', 'store/private-files.ts', 'log.ts'],
    noDiscord: true,
    because: 'the local voice service uses api/’s schemas and audio/, and nothing of the bot',
  },
  'local/discord/': {
    may: ['local/discord/'],
    because: 'the local Discord imports nothing of the bot, so that any bot can be tried on it',
  },
  'local/discord/page/': {
    may: ['local/discord/page/'],
    because: 'the page runs in the browser and imports nothing outside its folder',
  },
};

const DISCORD = /^(discord\.js|@discordjs\/.+|discord-api-types)(\/|$)/;

/** What a file imports, as it is written there, in any way there is. */
function importsOf(code: string): string[] {
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, source, callee, arguments: given } = node as Record<string, { name?: string; value?: unknown; 0?: { value?: unknown } }>;
    const from = String(type) === 'CallExpression' && callee?.name === 'require' ? given?.[0] : source;
    if (typeof from?.value === 'string') found.push(from.value);
    Object.values(node).forEach(visit);
  };
  visit(parseAst(code, { lang: 'ts' }));
  return found;
}

/** The rule for a file; what lies in a folder needs one of its own. */
function ruleFor(file: string): Rule | undefined {
  const fitting = Object.keys(RULES).filter((start) => (start === '' ? !file.includes('/') : file.startsWith(start)));
  return RULES[fitting.reduce((best, start) => (start.length > best.length ? start : best), fitting[0] ?? '-')];
}

const files = globSync('{src,commands,test}/**/*.ts').map((file) => file.replaceAll('\\', '/'));
const imports = files.flatMap((file) =>
  importsOf(readFileSync(file, 'utf8')).map((written) => {
    const isOurs = written.startsWith('.');
    return { file, written, isOurs, path: isOurs ? posix.join(posix.dirname(file), written) : written };
  }),
);
const fromSource = (path: string) => path.replace(/^src\//, '');

it('sees imports of values and types, exports from other files, and imports at run time', () => {
  const code = `import './a.ts'; import type { B } from './b.ts'; import { type C } from './c.ts'; export * from './d.ts';
    export type { E } from './e.ts'; type F = import('./f.ts').F; const g = await import('./g.ts'); require('./h.ts'); // import './i.ts'
    const text = "import './j.ts'";`;
  expect(importsOf(code)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) => `./${name}.ts`));
});

it('imports in each folder only what its rule allows', () => {
  const faults = imports
    .filter(({ file }) => !file.startsWith('test/'))
    .flatMap(({ file, written, isOurs, path }) => {
      const rule = ruleFor(fromSource(file));
      if (!rule) return `${file} imports ${written}: its folder has no rule yet.`;
      const isAllowed = isOurs ? rule.may.some((start) => fromSource(path).startsWith(start)) : !(rule.noDiscord && DISCORD.test(path));
      return isAllowed ? [] : `${file} imports ${written}: ${rule.because}.`;
    });
  expect(faults).toEqual([]);
});

it('has no rule for files that are gone', () => {
  const paths = files.map(fromSource);
  const named = [...Object.keys(RULES), ...Object.values(RULES).flatMap(({ may }) => may)];
  expect([...new Set(named)].filter((start) => !paths.some((path) => path.startsWith(start)))).toEqual([]);
});

it('has no cycle between files, types included', () => {
  const importsFrom = new Map<string, string[]>();
  for (const { file, path, isOurs } of imports) if (isOurs) importsFrom.set(file, [...(importsFrom.get(file) ?? []), path]);
  const faults: string[] = [];
  const done = new Set<string>();
  const follow = (file: string, way: readonly string[]): void => {
    const start = way.indexOf(file);
    if (start >= 0) faults.push(`${way.at(-1)} imports ${file}: a cycle, ${[...way.slice(start), file].join(' → ')}.`);
    if (done.has(file)) return;
    done.add(file);
    for (const path of importsFrom.get(file) ?? []) follow(path, [...way, file]);
  };
  for (const file of files) follow(file, []);
  expect(faults).toEqual([]);
});
