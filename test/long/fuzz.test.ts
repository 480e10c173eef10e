// Two minutes of random input through every interface; `npm run fuzz` goes on for longer, with new seeds.
import { test } from 'vitest';
import { runToEnd } from '../helpers/run-to-end.ts';

test('whatever is sent, everything is answered as documented', { timeout: 900_000 }, () =>
  runToEnd(process.execPath, 'test/fuzz/fuzz.ts', '--minutes', '2', '--seed', '12'),
);
