// Processes that tests start and wait for.
import { expect, it } from 'vitest';
import { startTestProcess } from '../helpers/program.ts';

it('a wait for a line fails at once when the process ends, with what it printed last', async () => {
  const { line } = startTestProcess(['-e', "console.log('it began'); console.error('and broke'); process.exit(3)"]);
  await expect(line(/never printed/)).rejects.toThrow(/^It ended before .*never printed.*\nit began\nand broke$/);
});
