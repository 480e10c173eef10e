// What `npm run voice-service` can be told.
import { parseArgs } from 'node:util';
import type { KeyGrant } from './index.ts';
import { type MannersName, mannersNames } from './manners.ts';

export const USAGE = `Usage: npm run voice-service -- [options]

  --port N      the port to listen on, on this machine only (8790)
  --credit N    what the key's wallet holds (1000); the second --credit belongs to the second key, and so on
  --data DIR    where wallet and samples are kept (./data/standalone)
  --like NAME   spec: answers as the specification says (the default); hosted: as hosted services do, which are less polite
  --help        this text

Environment (or .env):

  VOICE_SERVICE_KEYS   the API keys to accept, separated by commas. Without it, one is created, kept in DIR and printed.
  ENGINE_PRIORITY      on Linux, low: engines let everything that has to be on time go first (the default); normal: they don't
`;

/** A mistake in the command line; its message is a sentence. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

interface Settings {
  port: number;
  dataDir: string;
  /** If empty, the service creates one. */
  keys: KeyGrant[];
  credit: string;
  like: MannersName;
}

/**
 * @param keyList VOICE_SERVICE_KEYS
 * @param priority ENGINE_PRIORITY
 * @throws UsageError
 */
export function readCommandLine(args: string[], keyList: string, priority = ''): Settings | 'help' {
  const values = parseOptions(args);
  if (values.help) return 'help';
  if (values.key)
    throw new UsageError('--key is not an option, because everybody on this machine can read it: set VOICE_SERVICE_KEYS instead.');
  const port = Number(values.port ?? '8790');
  if (!/^\d+$/.test(values.port ?? '0') || port > 65_535) throw new UsageError('--port must be a whole number from 0 to 65535.');
  const credits = values.credit ?? [];
  const keys = keyList
    .split(',')
    .map((key) => key.trim())
    .filter(Boolean);
  if (credits.length > Math.max(keys.length, 1))
    throw new UsageError('There are more --credit than keys in VOICE_SERVICE_KEYS: give each --credit a key.');
  for (const key of keys) {
    if (!/^[\x21-\x7e]{1,200}$/.test(key))
      throw new UsageError('VOICE_SERVICE_KEYS must be keys of 1 to 200 letters, digits and signs without spaces, separated by commas.');
  }
  if (new Set(keys).size < keys.length) throw new UsageError('VOICE_SERVICE_KEYS holds a key twice: name each one once.');
  for (const credit of credits) {
    if (!/^\d{1,12}(\.\d{1,6})?$/.test(credit))
      throw new UsageError('--credit must be an amount such as 1000 or 2.5, with six decimals at most.');
  }
  if (!['', 'low', 'normal'].includes(priority.trim())) throw new UsageError('ENGINE_PRIORITY must be low or normal.');
  const like = mannersNames.find((name) => name === (values.like ?? 'spec'));
  if (!like) throw new UsageError(`--like must be ${mannersNames.join(' or ')}.`);
  return {
    port,
    dataDir: values.data ?? './data/standalone',
    keys: keys.map((key, index) => ({ key, credit: credits[index] ?? '1000' })),
    credit: credits[0] ?? '1000',
    like,
  };
}

function parseOptions(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        port: { type: 'string' },
        // Rejected with an explanation.
        key: { type: 'string', multiple: true },
        credit: { type: 'string', multiple: true },
        data: { type: 'string' },
        like: { type: 'string' },
        help: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split('. ')[0]}.`);
  }
}
