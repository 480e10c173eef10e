// A folder for the files of a test.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Removed when the test has finished. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
