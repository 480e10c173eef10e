// npm run fuzz [-- --minutes N --seed S] [--only TARGET] [--case N]: sends random input to the running product through every interface,
// while other work goes on. The exit code is 1 for anything that is not documented. This process only watches the one that does the work,
// which may crash or hang.
import { fork } from 'node:child_process';
import { parseArgs } from 'node:util';
import type { News } from './run.ts';
import { TARGET_NAMES } from './target.ts';

/** Without a sign of life for this long, the event loop is blocked forever. */
const SILENCE_MS = 90_000;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '2' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    only: { type: 'string' },
    case: { type: 'string' },
  },
});
const { minutes, seed, only, case: number } = values;
if (only !== undefined && !TARGET_NAMES.some((name) => name === only)) {
  console.error(`Unknown target ${only}: choose one of ${TARGET_NAMES.join(', ')}.`);
  process.exit(1);
}
console.log(`Seed ${seed}; to repeat: npm run fuzz -- --minutes ${minutes} --seed ${seed}`);

const child = fork(new URL('./run.ts', import.meta.url), [minutes, seed, only ?? '', number ?? '']);
process.once('exit', () => child.kill('SIGKILL'));
let last: News | null = null;
let silence = watch();

child.on('message', (news: News | null) => {
  if (news) last = news;
  clearTimeout(silence);
  silence = watch();
});
child.on('exit', (code, signal) => {
  clearTimeout(silence);
  if (code === 0 || code === 1) process.exit(code);
  const where = last ? `${last.target}, case ${last.number}` : 'at the start';
  console.log(`PROBLEM ${where}: the process exited with ${signal ?? code}`);
  if (last) console.log(`To repeat it: npm run fuzz -- --seed ${seed} --only ${last.target} --case ${last.number}`);
  process.exit(1);
});

function watch(): NodeJS.Timeout {
  return setTimeout(() => {
    console.log(`No sign of life for ${SILENCE_MS / 1000} s: the event loop is blocked.`);
    child.kill('SIGKILL');
  }, SILENCE_MS);
}
