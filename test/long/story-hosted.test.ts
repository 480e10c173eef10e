// The story of every feature, told with a service that has the manners of the hosted ones: members are told of no fault that isn't theirs.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Messages } from '../../src/locales/messages.ts';
import { readMessages } from '../../src/locales/translator.ts';
import { makeFolder } from '../helpers/folder.ts';
import { startTestProcess } from '../helpers/program.ts';
import { acts } from '../walk/story.ts';

/** Sentences about a service that fails or refuses, and about Parley's own faults. The other errors are part of the story. */
const FAULTS =
  /^errors\.(api|unsupported|forbidden)\.|^errors\.(notVoiceService|brokenOff|unreachable|down|refused|refusedField|maybeCharged|unexpected|storeFailed|discordFailed|discordBusy|badAudio|endlessAudio|brokenAudio)$/;

/** What is told all the same, by the titles of steps. */
const INTENDED: Record<string, string[]> = {
  'a process is ended in the middle of a transcription': ['errors.maybeCharged'],
  '/say without credit': ['errors.api.credit'],
  '/say again without credit': ['errors.api.credit'],
  '/transcribe without credit': ['errors.api.credit'],
  '/status without credit': ['errors.api.credit'],
};

/** What each of these sentences has besides its arguments. */
const sentences = Object.entries(readMessages('en') as Record<keyof Messages, string>)
  .filter(([key]) => FAULTS.test(key))
  .map(([key, sentence]) => ({
    key,
    parts: (sentence.split('\n')[0] ?? '').split(/\{[^}]*\}/).map((part) => JSON.stringify(part).slice(1, -1)),
  }));

/** In each step, the faults that members were told of. */
function findFaults(story: string): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  let step = '';
  for (const line of story.split('\n')) {
    if (line.startsWith('== ')) step = line.slice(3);
    if (!/^(discord|sees) /.test(line)) continue;
    for (const { key, parts } of sentences)
      if (parts.every((part) => line.includes(part)) && !INTENDED[step]?.includes(key))
        found[step] = [...new Set([...(found[step] ?? []), key])];
  }
  return found;
}

// A step whose member is shown nothing fails in the program, which names it.
test.each(Object.keys(acts))('the act “%s” goes as it goes with a polite service', async (act) => {
  const file = join(await makeFolder(), 'story.txt');
  const args = ['test/walk/walk.ts', file, act, '--like', 'hosted'];
  const { err, ended } = startTestProcess(args, { cwd: new URL('../../', import.meta.url), env: { ...process.env, LOG_LEVEL: 'silent' } });
  const { code } = await ended;
  expect(code, `The story ended early:\n${err.slice(-20).join('\n')}`).toBe(0);
  expect(findFaults(await readFile(file, 'utf8')), 'faults that members were told of, by the steps of the story').toEqual({});
});
