// `npm run walk -- FILE --paths`: the files that a /say, a transcription and a message read aloud lead through. A file counts if any of its
// functions runs from the moment the bot receives it until the bot has nothing more to do, even if that is for something else. Below are those
// of them that the path returns to.

import { mkdtemp, rm } from 'node:fs/promises';
import { type Profiler, Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { warmUp } from '../../src/audio/index.ts';
import { filesOf } from '../helpers/member.ts';
import { startProcess, voiceServiceArguments } from '../helpers/program.ts';
import { recordTones } from '../helpers/tones.ts';
import { ask, playAct, says } from './act.ts';
import type { Recorder } from './recorder.ts';
import { OF_THE_BOT, type Returns, ROOT } from './returns.ts';

const KEY = 'paths';

export async function tracePaths(recorder: Recorder, returns: Returns): Promise<string> {
  const written: string[] = [];
  await using service = await startService();
  const options = { service, readMessages: true, cacheBytes: 8_000_000 };
  await playAct(recorder, 'paths', options, async ({ member: robin, step }) => {
    // As the program does when it starts.
    await warmUp();
    const counter = await countCalls();
    const trace = async (title: string, run: () => Promise<unknown>) => {
      await counter.take();
      returns.take();
      // Each waits for its own end, so the bot isn't asked whether it is speaking.
      await step(title, run, { speaking: true });
      const files = await counter.take();
      const returned = returns.take();
      written.push(`== ${title}: ${files.length} files`, ...files, '', `-- returns to ${returned.length} of them`, ...returned, '');
    };
    // First, because a voice connection that is open has things to do of its own.
    await trace('/transcribe', async () => {
      const interaction = await robin.run('transcribe', { audio: robin.upload('memo.wav', recordTones('Hello')) });
      await interaction.message((message) => filesOf(message).length > 0);
    });
    await step('Robin enters the lounge', () => robin.listen());
    await trace('/say', async () => says(await robin.run('say', { text: 'Hello there' }), 'Spoken'));
    await step('/read start', () => ask(robin, 'read start'));
    const hearMessage = async (text: string) => {
      const silent = robin.client.next('SPEAKING', (event) => !event.speaking);
      await robin.write(text);
      await silent;
    };
    await step('a first message', () => hearMessage('Good evening, everybody'));
    await trace('a message read aloud', () => hearMessage('How are you?'));
  });
  return written.join('\n');
}

/** In a process of its own, because it shares files with the bot. */
async function startService(): Promise<{ url: string; key: string } & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-paths-'));
  const service = startProcess([...voiceServiceArguments, '--data', folder], { env: { ...process.env, VOICE_SERVICE_KEYS: KEY } });
  return {
    url: /http:\S+/.exec(await service.line(/ready: http:/))?.[0] ?? '',
    key: KEY,
    async [Symbol.asyncDispose]() {
      service.child.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** `take` returns the files in which functions have run since it was last called, each with those that have a name. */
async function countCalls(): Promise<{ take(): Promise<string[]> }> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  return {
    async take() {
      const { result } = await session.post('Profiler.takePreciseCoverage');
      return result
        .map(({ url, functions }) => ({
          file: url.replace(ROOT, ''),
          names: functions.filter(hasRun).map(({ functionName }) => functionName),
        }))
        .filter(({ file, names }) => OF_THE_BOT.test(file) && names.length > 0)
        .map(({ file, names }) => `${file}  ${[...new Set(names.filter((name) => name !== ''))].join(' ')}`.trim())
        .sort();
    },
  };
}

/** Loading a file isn't running it. */
function hasRun({ ranges: [whole] }: Profiler.FunctionCoverage): boolean {
  return whole !== undefined && whole.startOffset > 0 && whole.count > 0;
}
