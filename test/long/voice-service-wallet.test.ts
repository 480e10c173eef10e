// The local voice service's credit after its process was killed.

import { expect, onTestFinished, test } from 'vitest';
import { startVoiceService } from '../../src/local/voice-service/index.ts';
import { parseCredit, priceOfSpeech } from '../../src/local/voice-service/money.ts';
import { makeFolder } from '../helpers/folder.ts';
import { startVoiceServiceProgram } from '../helpers/program.ts';
import { creditOf, sendJson } from '../helpers/voice-service.ts';

test('a service that is killed in mid-speech has the right balance after a restart', async () => {
  const dataDir = await makeFolder();
  const text = 'One. Two. Three.';
  const { url, child, ended } = await startVoiceServiceProgram('the-key', '--credit', '1', '--data', dataDir);

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
  await Promise.allSettled([...callers, ended]);

  const service = await startVoiceService({ dataDir, keys: [{ key: 'the-key', credit: '1' }], warm: false });
  onTestFinished(() => service.close());
  const spent = parseCredit('1') - parseCredit(await creditOf(service));
  expect(spent % priceOfSpeech(text)).toBe(0n);
  const calls = Number(spent / priceOfSpeech(text));
  expect(calls).toBeGreaterThanOrEqual(answered);
  expect(calls).toBeLessThanOrEqual(started);
  expect((await sendJson(service, '/v1/tts', { text: 'Hello.' })).status).toBe(200);
});
