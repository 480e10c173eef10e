// Starting and closing the local voice service, what it keeps in its folder, and what it logs.

import { chmod, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createEngines, EngineError, type EngineEvent } from '../../src/local/voice-service/engines/index.ts';
import { startVoiceService, type VoiceServiceOptions } from '../../src/local/voice-service/index.ts';
import { makeFolder } from '../helpers/folder.ts';
import { recordTones } from '../helpers/tones.ts';
import {
  beginSpeech,
  createToneEngines,
  creditOf,
  interruptSpeech,
  send,
  sendForm,
  sendJson,
  spentBy,
  startTestVoiceService,
  type TestVoiceService,
  toneEngines,
} from '../helpers/voice-service.ts';

const engines = toneEngines();

async function start(options: Partial<VoiceServiceOptions> = {}): Promise<TestVoiceService> {
  const service = await startTestVoiceService({ engines, ...options });
  onTestFinished(service.close);
  return service;
}

test('tells while its recogniser is being loaded', async () => {
  const told: boolean[] = [];
  const onEvent = (event: EngineEvent) => event.type === 'recogniser-starting' && told.push(event.isStarting);
  const own = createToneEngines({ onEvent });
  onTestFinished(() => own.close());
  const service = await start({ engines: own });
  expect(told).toEqual([]);
  const answer = await sendForm(service, '/v1/asr', { audio: recordTones('Hello.') });
  expect(answer.json).toMatchObject({ text: 'Hello.' });
  expect(told).toEqual([true, false]);
});

test('keeps the key created at first start, readable by its owner only, and its balance', async () => {
  const dataDir = await makeFolder();
  const first = await startVoiceService({ dataDir, engines });
  await sendJson(first, '/v1/tts', { text: 'Hello.' });
  const credit = await creditOf(first);
  await first.close();
  const file = join(dataDir, 'voice-service', 'key');
  expect((await readFile(file, 'utf8')).trim()).toBe(first.key);
  const paths = ['.', ...(await readdir(dataDir, { recursive: true }))].map((name) => join(dataDir, name));
  expect(paths.length).toBeGreaterThanOrEqual(4);
  const readableByOthers = async () => {
    const stats = await Promise.all(paths.map((path) => stat(path)));
    return paths.filter((_, index) => (stats[index]?.mode ?? 0) & 0o077);
  };
  expect(await readableByOthers()).toEqual([]);
  for (const path of paths) await chmod(path, (await stat(path)).isDirectory() ? 0o755 : 0o644);

  const second = await start({ dataDir });
  expect(await readableByOthers()).toEqual([]);
  expect(second.key).toBe(first.key);
  expect(await creditOf(second)).toBe(credit);
});

test('says why it cannot start in the folder of another service', async () => {
  const dataDir = await makeFolder();
  await start({ dataDir });
  await expect(startVoiceService({ dataDir, engines })).rejects.toThrow(/Another voice service is using/);
});

test('says that a port is taken, and leaves the folder free', async () => {
  const dataDir = await makeFolder();
  const { url } = await start();
  const port = Number(new URL(url).port);
  await expect(startVoiceService({ dataDir, engines, port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await start({ dataDir });
});

test('ends calls in progress when it is closed, refunds what was held for them, and can be closed twice', async () => {
  const dataDir = await makeFolder();
  const interrupted = interruptSpeech(engines, 0, 'wait');
  const first = await startVoiceService({ dataDir, engines: interrupted.engines });
  const { response } = beginSpeech({ ...first, dataDir } as TestVoiceService, { text: 'Hello.' });
  await interrupted.reached;
  await Promise.all([first.close(), first.close()]);
  await expect(response).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(await spentBy(await start({ dataDir }))).toBe(0n);
});

test('logs an engine that does not load, but not one that was closed before it was loaded', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const dataDir = await makeFolder();
  const soonClosed = await startVoiceService({ dataDir, log, warm: true });
  await soonClosed.close();
  expect(lines).toEqual([]);

  const broken = { ...engines, warmUp: () => Promise.reject(new EngineError('crashed', 'The engine could not be loaded.')) };
  await start({ engines: broken, log, warm: true });
  await expect.poll(() => lines.join('')).toContain('The engine could not be loaded.');
});

test('says in one sentence what to do if the recogniser’s model is missing, and speaks all the same', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line).msg) });
  const synthesiser = new URL('../fixtures/programs/tone-synthesiser.ts', import.meta.url);
  const recogniser = new URL('../fixtures/programs/unloadable-recogniser.ts', import.meta.url);
  const unloadable = createEngines({ builtIn: { synthesiser, recogniser } });
  onTestFinished(unloadable.close);
  const service = await start({ engines: unloadable, log, warm: true });
  await expect.poll(() => lines).toHaveLength(1);
  expect(lines[0]).toMatch(
    /^voice service: Speech can't be recognised: .* is missing\. Run npm ci --ignore-scripts again, then restart\.$/,
  );
  expect((await sendJson(service, '/v1/tts', { text: 'Hello.' })).status).toBe(200);
  const { status, json } = await sendForm(service, '/v1/asr', { audio: recordTones('Hello.') });
  expect(status).toBe(500);
  expect((json as { message: string }).message).toContain('its model is missing');
});

test('logs no keys, texts or titles', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const service = await start({ engines: interruptSpeech(engines, 0, 'fail').engines, log });
  await sendJson(service, '/v1/tts', { text: 'Something private.' });
  await send(service, '/model?title=private-title');
  await send(service, '/model', { key: 'a-wrong-key' });
  await expect.poll(() => lines.filter((line) => line.includes('answered')).length).toBe(3);
  for (const secret of [service.key, 'Something private', 'private-title', 'a-wrong-key']) expect(lines.join('')).not.toContain(secret);
  expect(lines.some((line) => JSON.parse(line).level >= 50)).toBe(true);
});
