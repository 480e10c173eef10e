// `npm run voice-service`: the local voice service on its own.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createApi } from '../../src/api/index.ts';
import { readCommandLine } from '../../src/local/voice-service/command-line.ts';
import { makeFolder } from '../helpers/folder.ts';
import { withCompileCache } from '../helpers/start-command.ts';
import { startTestVoiceService } from '../helpers/voice-service.ts';

const main = fileURLToPath(new URL('../../src/local/voice-service/main.ts', import.meta.url));

interface Started {
  child: ChildProcess;
  url: string;
  /** The one that was created if none was given. */
  key: string | undefined;
}

/** @param keys VOICE_SERVICE_KEYS; '' = none */
async function start(keys: string, ...args: string[]): Promise<Started> {
  const env = { ...process.env, VOICE_SERVICE_KEYS: keys };
  const child = spawn(process.execPath, [...withCompileCache, main, '--port', '0', ...args], { stdio: ['ignore', 'pipe', 'inherit'], env });
  onTestFinished(() => void child.kill('SIGKILL'));
  let url = '';
  for await (const line of createInterface({ input: child.stdout })) {
    url ||= /ready: (http:\S+)/.exec(line)?.[1] ?? '';
    const key = /API key.*: (\S+)$/.exec(line)?.[1];
    if (url && (key || keys)) return { child, url, key };
  }
  throw new Error('it ended before it was ready');
}

const creditOf = async (url: string, apiKey: string) => {
  const api = createApi({ baseUrl: url, apiKey });
  try {
    return await api.getCredit();
  } finally {
    await api.close();
  }
};

test('each key gets the --credit at its position, or 1000', () => {
  expect(readCommandLine(['--credit', '2.5', '--credit', '40'], 'first, second,third')).toMatchObject({
    keys: [
      { key: 'first', credit: '2.5' },
      { key: 'second', credit: '40' },
      { key: 'third', credit: '1000' },
    ],
  });
});

test('without keys it creates one and prints it; Ctrl-C ends it with code 0 in mid-speech, and the next start still has the key', async () => {
  const dataDir = await makeFolder();
  const first = await start('', '--data', dataDir, '--credit', '7');
  expect((await creditOf(first.url, first.key ?? '')).credit).toBe('7');
  const answer = await fetch(`${first.url}/v1/tts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${first.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'A sentence that goes on and on. '.repeat(300), format: 'wav' }),
  });
  first.child.kill('SIGINT');
  const [ended] = await Promise.all([once(first.child, 'exit'), answer.arrayBuffer().catch(() => null)]);
  expect(ended).toEqual([0, null]);
  const second = await start('', '--data', dataDir, '--credit', '7');
  expect(second.key).toBe(first.key);
});

test.each<[args: string[], sentence: RegExp, keys?: string]>([
  [['--port', 'x'], /^--port must be a whole number/],
  [['--port', '70000'], /^--port must be a whole number/],
  [['--credit', 'much'], /^--credit must be an amount/],
  [['--credit', '1', '--credit', '2'], /^There are more --credit than keys in VOICE_SERVICE_KEYS/],
  [['--credit', '1', '--credit', '2'], /^There are more --credit than keys in VOICE_SERVICE_KEYS/, 'a'],
  [[], /^VOICE_SERVICE_KEYS holds a key twice/, 'a,a'],
  [[], /^VOICE_SERVICE_KEYS must be keys/, 'a b'],
  [['--colour', 'red'], /^Unknown option '--colour'/],
  [['nonsense'], /^Unexpected argument 'nonsense'/],
])('%j is explained in a sentence', (args, sentence, keys = '') => {
  expect(() => readCommandLine(args, keys)).toThrow(
    expect.objectContaining({ name: 'UsageError', message: expect.stringMatching(sentence) }),
  );
});

test('a mistake ends it with its sentence, the usage and exit code 1, and without the secret in it', async () => {
  const args = [...withCompileCache, main, '--key', 's3cret'];
  const { code, stderr } = await new Promise<{ code: unknown; stderr: string }>((resolve) => {
    execFile(process.execPath, args, (error, _stdout, text) => resolve({ code: error?.code, stderr: text }));
  });
  expect(code).toBe(1);
  expect(stderr).toMatch(
    /^--key is not an option, because everybody on this machine can read it: set VOICE_SERVICE_KEYS instead\.\n\nUsage:/,
  );
  expect(stderr).not.toContain('s3cret');
});

test('a port that is taken is explained in a sentence, with exit code 1', async () => {
  await using service = await startTestVoiceService();
  const { port } = new URL(service.url);
  const child = spawn(process.execPath, [...withCompileCache, main, '--port', port, '--data', await makeFolder()], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said = Buffer.concat(await Array.fromAsync(child.stderr as AsyncIterable<Buffer>)).toString();
  expect(said).toBe('The port is already in use: choose another with --port, or 0 for any free one.\n');
  expect(child.exitCode ?? (await once(child, 'exit'))[0]).toBe(1);
});
