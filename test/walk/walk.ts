// `npm run walk -- FILE`: plays the story, and writes what the bot did into a file. Two runs of the same program write the same, and so do two
// programs that do the same.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { MannersName } from '../../src/local/voice-service/manners.ts';
import { createRecorder } from './recorder.ts';

const USAGE = `Usage: npm run walk -- FILE [ACT…] [--like hosted] [--stored FOLDER]
       npm run walk -- FILE --paths

  ACT       plays only these; all by default
  --like    tells the story with a voice service that has the manners of the hosted ones
  --stored  writes what was stored as fixtures into this folder, of which nothing else remains
  --paths   instead writes the files that a /say, a transcription and a message read aloud lead through, and those they return to`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { like: { type: 'string', default: 'spec' }, stored: { type: 'string' }, paths: { type: 'boolean' } },
});
const [file, ...names] = positionals;
if (file === undefined || !['spec', 'hosted'].includes(values.like)) {
  console.error(USAGE);
  process.exit(1);
}
const returns = values.paths ? (await import('./returns.ts')).followCalls() : null;
// Before anything takes random bytes.
const recorder = createRecorder();
const [{ acts }, { describeCoverage }, { tracePaths }, { writeStored }] = await Promise.all([
  import('./story.ts'),
  import('./coverage.ts'),
  import('./paths.ts'),
  import('./stored.ts'),
]);
if (returns) {
  writeFileSync(file, await tracePaths(recorder, returns));
  process.exit(0);
}
const begun = performance.now();
try {
  for (const [name, play] of Object.entries(acts))
    if (names.length === 0 || names.includes(name)) await play(recorder, values.like as MannersName);
} finally {
  writeFileSync(file, recorder.text() + describeCoverage(recorder));
}
if (values.stored !== undefined) await writeStored(values.stored, recorder);
console.log(`${Math.round((performance.now() - begun) / 1000)} s`);
process.exit(0);
