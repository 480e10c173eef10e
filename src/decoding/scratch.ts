// Where decoders write what ffmpeg can't read from a pipe: a path for each recording, of which nothing is left behind.
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createUnderWay } from '../async/waiting.ts';

/** @param hasEnded resolves once the process that a recording was decoded in can write no more */
export function createScratch(hasEnded: () => Promise<unknown>) {
  const removals = createUnderWay();
  return {
    /** A path at which nothing is yet. */
    take: (): string => join(tmpdir(), `parley-${randomUUID()}`),
    /** Removes what is there, in its own time. Never throws. */
    remove(path: string): void {
      const removal = hasEnded().then(() => rm(path, { recursive: true, force: true }));
      void removals.add(removal.catch(() => {}));
    },
    /** Resolves once all of it is gone. */
    removed: (): Promise<void> => removals.current(),
  };
}
