// `npm run voice-service`: the local voice service on its own.

import { expect, test } from 'vitest';
import { createApi } from '../../src/api/index.ts';
import { readCommandLine } from '../../src/local/voice-service/command-line.ts';
import { makeFolder } from '../helpers/folder.ts';
import { startTestProcess, startVoiceServiceProgram, voiceServiceArguments } from '../helpers/program.ts';
import { startTestVoiceService } from '../helpers/voice-service.ts';

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
  const first = await startVoiceServiceProgram('', '--data', dataDir, '--credit', '7');
  expect((await creditOf(first.url, first.key ?? '')).credit).toBe('7');
  const answer = await fetch(`${first.url}/v1/tts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${first.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'A sentence that goes on and on. '.repeat(300), format: 'wav' }),
  });
  first.child.kill('SIGINT');
  await answer.arrayBuffer().catch(() => null);
  expect(await first.ended).toEqual({ code: 0, signal: null });
  const second = await startVoiceServiceProgram('', '--data', dataDir, '--credit', '7');
  expect(second.key).toBe(first.key);
});

test.each<[args: string[], sentence: RegExp, keys?: string, priority?: string]>([
  [['--port', 'x'], /^--port must be a whole number/],
  [['--port', '70000'], /^--port must be a whole number/],
  [['--credit', 'much'], /^--credit must be an amount/],
  [['--credit', '1', '--credit', '2'], /^There are more --credit than keys in VOICE_SERVICE_KEYS/],
  [['--credit', '1', '--credit', '2'], /^There are more --credit than keys in VOICE_SERVICE_KEYS/, 'a'],
  [[], /^VOICE_SERVICE_KEYS holds a key twice/, 'a,a'],
  [[], /^VOICE_SERVICE_KEYS must be keys/, 'a b'],
  [['--colour', 'red'], /^Unknown option '--colour'/],
  [['nonsense'], /^Unexpected argument 'nonsense'/],
  [[], /^ENGINE_PRIORITY must be low or normal/, '', 'high'],
])('%j is explained in a sentence', (args, sentence, keys = '', priority = '') => {
  expect(() => readCommandLine(args, keys, priority)).toThrow(
    expect.objectContaining({ name: 'UsageError', message: expect.stringMatching(sentence) }),
  );
});

test('a mistake ends it with its sentence, the usage and exit code 1, and without the secret in it', async () => {
  const { err, ended } = startTestProcess([...voiceServiceArguments, '--key', 's3cret']);
  expect(await ended).toEqual({ code: 1, signal: null });
  const stderr = err.join('\n');
  expect(stderr).toMatch(
    /^--key is not an option, because everybody on this machine can read it: set VOICE_SERVICE_KEYS instead\.\n\nUsage:/,
  );
  expect(stderr).not.toContain('s3cret');
});

test('a port that is taken is explained in a sentence, with exit code 1', async () => {
  await using service = await startTestVoiceService();
  const { port } = new URL(service.url);
  const { err, ended } = startTestProcess([...voiceServiceArguments, '--port', port, '--data', await makeFolder()]);
  expect(await ended).toEqual({ code: 1, signal: null });
  expect(err).toEqual(['The port is already in use: choose another with --port, or 0 for any free one.']);
});
