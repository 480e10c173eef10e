// Scripts that check something by themselves, run to their end: two minutes of random input, and the image of deploy/Dockerfile.

import { test } from 'vitest';
import { startTestProcess } from '../helpers/program.ts';
import { image, titled } from '../helpers/requirements.ts';

/** In the folder of the repository. @throws Error with all that it printed, unless it exits with 0 */
async function runToEnd(command: string, ...args: string[]): Promise<void> {
  const { out, err, ended } = startTestProcess(args, { command, cwd: new URL('../../', import.meta.url) });
  const { code, signal } = await ended;
  if (code !== 0) throw new Error(`${[command, ...args].join(' ')} ended with ${signal ?? code}:\n${[...out, ...err].join('\n')}`);
}

// `npm run fuzz` goes on for longer, with new seeds.
test('whatever is sent to any interface, everything is answered as documented', { timeout: 900_000 }, () =>
  runToEnd(process.execPath, 'test/fuzz/fuzz.ts', '--minutes', '2', '--seed', '12'),
);

const imageTitle = 'the image can be built, asks for a token, speaks, and ends on SIGTERM';
test.skipIf(!image.isMet)(titled(imageTitle, image), { timeout: 1_800_000 }, () => runToEnd('deploy/check-image.sh'));
