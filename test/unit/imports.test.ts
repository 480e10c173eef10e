// Which folder may import what, in one table. Imports of types, and those made at run time, count too, also as parts of cycles between files.
import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, it } from 'vitest';
import { importsOf } from '../helpers/source-text.ts';

interface Rule {
  /** What the paths of files that may be imported begin with, from src/; commands/ is beside it. */
  may: readonly string[];
  because: string;
  noDiscord?: true;
}

/** Except for the local Discord, which any bot can be tried on. */
const FOR_EVERYBODY = ['async/'];
/** What features are built on. */
const SHARED = [
  ...[
    'api/',
    'audio/',
    'charging/',
    'decoding/',
    'discord/',
    'locales/',
    'processes/',
    'recording-duration/',
    'store/',
    'synthesis/',
    'text/',
    'voice-session/',
  ],
  'log.ts',
];
const FEATURES = [
  'captions/',
  'credit/',
  'dictionary/',
  'help/',
  'privacy/',
  'reading/',
  'say/',
  'settings/',
  'status/',
  'transcription/',
  'voice-catalogue/',
];

const feature = (...others: string[]): Rule => ({
  may: [...SHARED, ...others],
  because: 'a feature imports discord/, locales/ and engines, and no other feature but those of its rule',
});
const transcripts: Rule = {
  may: ['transcription/', 'api/', 'text/'],
  noDiscord: true,
  because: 'transcripts as lines, pages and files are pure text',
};

/** By what the path of a file begins with; the longest counts. */
const RULES: Record<string, Rule> = {
  // Engines
  'async/': { may: ['async/'], noDiscord: true, because: 'async/ imports nothing of ours, so that everybody may import it' },
  'api/': {
    may: ['api/', 'text/json.ts', 'text/redactor.ts'],
    noDiscord: true,
    because: 'api/ knows no Discord, and nothing of ours but what reads and redacts texts',
  },
  'audio/': { may: ['audio/'], noDiscord: true, because: 'audio/ imports nothing of ours' },
  'text/': { may: ['text/'], because: 'text/ imports nothing of ours' },
  'store/': { may: ['store/'], noDiscord: true, because: 'store/ imports nothing of ours' },
  'voice-session/': {
    may: ['voice-session/', 'audio/opus.ts'],
    because: 'voice-session/ plays frames: of audio/ it only knows what an Opus packet is',
  },
  'speech-detection/': { may: ['speech-detection/'], noDiscord: true, because: 'speech-detection/ imports nothing of ours' },
  'recording-duration/': {
    may: ['recording-duration/', 'audio/bytes.ts', 'audio/containers/', 'audio/ogg/', 'audio/opus.ts'],
    noDiscord: true,
    because: 'recording-duration/ counts seconds in bytes',
  },
  'decoding/': {
    may: ['decoding/', 'async/', 'audio/', 'speech-detection/'],
    noDiscord: true,
    because: 'decoding/ turns files into samples and parts, whoever needs them',
  },
  'synthesis/': {
    may: ['synthesis/', 'api/', 'audio/', 'store/', 'voice-session/types.ts'],
    noDiscord: true,
    because: 'synthesis/ joins api/ and audio/, and knows voice-session/ by its types only',
  },
  'processes/': {
    may: ['processes/', 'config.ts', 'log.ts', 'store/'],
    because: 'processes/ shares what the store can share: it knows nothing of commands, voice or speech',
  },
  'charging/': {
    may: ['charging/', 'api/', 'store/', 'log.ts', 'config.ts'],
    noDiscord: true,
    because: 'charging/ counts what calls cost, whoever makes them',
  },
  'locales/': {
    may: ['locales/', 'text/'],
    because: 'a language only words values: which sentence applies is decided elsewhere',
  },

  // What every feature uses of Discord
  'discord/': {
    may: ['discord/', 'api/', 'audio/', 'locales/', 'processes/', 'store/', 'text/', 'voice-session/types.ts', 'charging/', 'log.ts'],
    because: 'discord/ is what all features use: it knows none of them',
  },

  'posted-words/': {
    may: ['posted-words/', 'discord/', 'locales/', 'store/', 'text/', 'log.ts'],
    because: 'posted-words/ knows whose words are where, and no feature',
  },

  // Features
  'captions/': feature('captions/', 'posted-words/', 'transcription/', 'speech-detection/'),
  'credit/': feature('credit/'),
  'dictionary/': feature('dictionary/'),
  'help/': feature('help/'),
  'privacy/': feature(
    'privacy/',
    'captions/stored.ts',
    'posted-words/',
    'dictionary/',
    'reading/persisted-channels.ts',
    'reading/voice-pool.ts',
    'transcription/voice-messages/links.ts',
    'voice-catalogue/owners.ts',
  ),
  'reading/': feature('reading/', 'voice-catalogue/', 'dictionary/'),
  'say/': feature('say/', 'voice-catalogue/', 'dictionary/'),
  'settings/': feature('settings/', 'voice-catalogue/'),
  'status/': feature('status/'),
  'transcription/': feature('transcription/', 'posted-words/'),
  'transcription/transcript-': transcripts,
  'voice-catalogue/': feature('voice-catalogue/'),

  // What uses them
  'commands/': {
    may: [...SHARED, ...FEATURES, 'posted-words/'],
    because: 'commands import discord/, their feature and its engines, and never each other',
  },
  'commands/index.ts': { may: ['commands/', 'discord/command.ts'], because: 'commands/index.ts lists the commands' },
  'bot/': {
    may: [...SHARED, ...FEATURES, 'bot/', 'monitoring/', 'posted-words/', 'config.ts'],
    because: 'bot/ puts the features together: it knows commands only by their type',
  },
  'monitoring/': {
    may: ['monitoring/', 'api/', 'audio/', 'discord/errors.ts', 'voice-session/', 'log.ts', 'config.ts'],
    because: 'monitoring/ looks at the engines, not at features',
  },
  '': {
    may: [...SHARED, 'bot/', 'monitoring/', 'config.ts', 'open-store.ts', 'startup-errors.ts'],
    because: 'only main.ts and the doctor import commands/ and local/',
  },
  'doctor.ts': {
    may: [
      ...[...SHARED, 'bot/', 'monitoring/', 'config.ts', 'open-store.ts', 'startup-errors.ts'],
      ...['local/voice-service/index.ts', 'local/voice-service/engines/index.ts', 'local/discord/index.ts'],
    ],
    because: 'the doctor looks at engines, natural voices and at Discord',
  },
  'main.ts': {
    may: [...SHARED, ...FEATURES, 'bot/', 'commands/', 'monitoring/', 'local/'].concat([
      'config.ts',
      'open-store.ts',
      'shutdown.ts',
      'startup-errors.ts',
    ]),
    because: 'main.ts wires together what is in folders',
  },

  // What stands in for Discord and the voice service
  'local/': { may: ['local/', 'audio/index.ts', 'locales/'], because: 'it is about the two programs in local/, and joins them' },
  'local/voice-service/': {
    may: [
      'local/voice-service/',
      'api/',
      'audio/',
      'decoding/',
      'speech-detection/',
      'store/upkeep.ts',
      'store/private-files.ts',
      'text/json.ts',
      'text/redactor.ts',
      'log.ts',
    ],
    noDiscord: true,
    because: 'the local voice service uses api/’s schemas, audio/ and speech-detection/, and nothing of the bot',
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
  const formatted = `import './a.ts';\nimport {\n  b,\n  type B,\n} from "./b.ts";\nimport c, * as d from './c.ts';\nexport type { E } from './d.ts';
// import './i.ts'\nexport const text = "from './j.ts'";\nexport * from './e.ts';`;
  expect(importsOf(formatted)).toEqual(['a', 'b', 'c', 'd', 'e'].map((name) => `./${name}.ts`));
});

it('imports in each folder only what its rule allows', () => {
  const faults = imports
    .filter(({ file }) => !file.startsWith('test/'))
    .flatMap(({ file, written, isOurs, path }) => {
      const rule = ruleFor(fromSource(file));
      if (!rule) return `${file} imports ${written}: its folder has no rule yet.`;
      const may = fromSource(file).startsWith('local/discord/') ? rule.may : [...rule.may, ...FOR_EVERYBODY];
      const isAllowed = isOurs ? may.some((start) => fromSource(path).startsWith(start)) : !(rule.noDiscord && DISCORD.test(path));
      return isAllowed ? [] : `${file} imports ${written}: ${rule.because}.`;
    });
  expect(faults).toEqual([]);
});

it('has no two folders that import each other', () => {
  const folderOf = (path: string) => /^(?:src\/local\/[^/]+|src\/[^/]+|commands)(?=\/)/.exec(path)?.[0];
  const seen = new Map<string, string>();
  for (const { file, path, isOurs } of imports) {
    const [from, to] = [folderOf(file), isOurs ? folderOf(path) : undefined];
    if (from && to && from !== to && !seen.has(`${from} ${to}`)) seen.set(`${from} ${to}`, `${file} imports ${path}`);
  }
  const faults = [...seen].flatMap(([pair, example]) => {
    const back = seen.get(pair.split(' ').reverse().join(' '));
    return back ? `${example}, and ${back}.` : [];
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
