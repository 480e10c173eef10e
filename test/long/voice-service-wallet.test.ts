// The local voice service's credit after its process was killed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { startVoiceService } from '../../src/local/voice-service/index.ts';
import { parseCredit, priceOfSpeech } from '../../src/local/voice-service/money.ts';
import { makeFolder } from '../helpers/folder.ts';
import { withCompileCache } from '../helpers/start-command.ts';
import { send, sendJson } from '../helpers/voice-service.ts';

test('a service that is killed in mid-speech has the right balance after a restart', async () => {
  const dataDir = await makeFolder();
  const text = 'One. Two. Three.';
  const main = fileURLToPath(new URL('../../src/local/voice-service/main.ts', import.meta.url));
  const args = ['--port', '0', '--credit', '1', '--data', dataDir];
  const child = spawn(process.execPath, [...withCompileCache, main, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, VOICE_SERVICE_KEYS: 'the-key' },
  });
  const lines = createInterface({ input: child.stdout });
  const url = await new Promise<string>((resolve) => {
    lines.on('line', (line) => /http:\S+/.exec(line)?.[0] && resolve(/http:\S+/.exec(line)?.[0] ?? ''));
  });

  let started = 0;
  let answered = 0;
  const callers = Array.from({ length: 4 }, async () => {
    for (;;) {
      started += 1;
      const headers = { authorization: 'Bearer the-key', 'content-type': 'application/json' };
      const answer = await fetch(`${url}/v1/tts`, { method: 'POST', headers, body: JSON.stringify({ text, format: 'pcm' }) });
      await answer.arrayBuffer();
      answered += 1;
      if (answered >= 10) child.kill('SIGKILL');
    }
  });
  await Promise.allSettled([...callers, once(child, 'exit')]);
  lines.close();

  const service = await startVoiceService({ dataDir, keys: [{ key: 'the-key', credit: '1' }], warm: false });
  onTestFinished(() => service.close());
  const { credit } = (await send(service, '/wallet/self/api-credit')).json as { credit: string };
  const spent = parseCredit('1') - parseCredit(credit);
  expect(spent % priceOfSpeech(text)).toBe(0n);
  const calls = Number(spent / priceOfSpeech(text));
  expect(calls).toBeGreaterThanOrEqual(answered);
  expect(calls).toBeLessThanOrEqual(started);
  expect((await sendJson(service, '/v1/tts', { text: 'Hello.' })).status).toBe(200);
});
