// `npm run store`: moves what Parley keeps between its SQLite file and Redis, through a file.
import { parseArgs } from 'node:util';
import { ConfigError, loadEnvFile, readConfig } from './config.ts';
import { openStore } from './open-store.ts';
import { exportStore, importStore, StoreError } from './store/index.ts';

const USAGE = `Usage: npm run store -- export FILE
       npm run store -- import FILE [--replace]

  export      writes everything in the store to a new file
  import      fills the store from such a file, and checks that it has the same content
  --replace   deletes what is in the store first

The store is the one in the settings: Redis if REDIS_URL is set, otherwise the SQLite file in DATA_DIR. Stop Parley first. The file contains
secrets: delete it when you are done.
`;

/** Milliseconds for an answer of Redis: nobody waits for it but whoever moves the store, and a slow one mustn't end that half-way. */
const ANSWER_MS = 30_000;

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { replace: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
  });
  const [action, file, ...more] = positionals;
  if (values.help) return void console.log(USAGE);
  if ((action !== 'export' && action !== 'import') || file === undefined || more.length > 0) throw new ConfigError(USAGE.trimEnd());
  const store = await openStore(readConfig(process.env, { needsToken: false }), { answerMs: ANSWER_MS });
  try {
    const { count, hash } = await (action === 'export' ? exportStore(store, file) : importStore(store, file, values)).catch((error) => {
      throw explainFileError(error, file);
    });
    console.log(`${count} entries ${action === 'export' ? 'exported' : 'imported and checked'}, SHA-256 ${hash}`);
  } finally {
    await store.close();
  }
}

/** @returns a ConfigError if the file is to blame, else the error itself */
function explainFileError(error: unknown, file: string): unknown {
  const { code, path, message } = error as NodeJS.ErrnoException;
  if (code === 'EEXIST') return new ConfigError(`${file} already exists and may contain another export. Use a new file name.`);
  if (code === 'ENOENT' && path === file) return new ConfigError(`${file} cannot be found. Check its name and folder.`);
  return code === undefined ? error : new ConfigError(`${file} cannot be used (${message}). Use another file.`);
}

loadEnvFile();
try {
  await run();
} catch (error) {
  const isExpected = error instanceof ConfigError || error instanceof StoreError || (error as NodeJS.ErrnoException).code !== undefined;
  console.error(isExpected ? (error as Error).message : error);
  process.exitCode = 1;
}
