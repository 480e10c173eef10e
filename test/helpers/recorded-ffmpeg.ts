// The real ffmpeg behind a wrapper of the same name that records how it is started.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

export interface RecordedFfmpeg {
  /** A PATH on which the wrapper comes first. */
  path: string;
  /** The arguments of each start that reads sound, in order. */
  starts(): string[];
  remove(): void;
}

export function recordFfmpeg(): RecordedFfmpeg {
  const folder = mkdtempSync(join(tmpdir(), 'parley-ffmpeg-'));
  const notes = join(folder, 'starts');
  const real = execFileSync('sh', ['-c', 'command -v ffmpeg'], { encoding: 'utf8' }).trim();
  const program = join(folder, 'ffmpeg');
  writeFileSync(notes, '');
  writeFileSync(program, `#!/bin/sh\necho "$*" >> '${notes}'\nexec '${real}' "$@"\n`);
  chmodSync(program, 0o755);
  return {
    path: `${folder}${delimiter}${process.env.PATH}`,
    starts: () =>
      readFileSync(notes, 'utf8')
        .split('\n')
        .filter((line) => line.includes(' -i ')),
    remove: () => rmSync(folder, { recursive: true }),
  };
}
