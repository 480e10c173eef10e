// The program as newcomers and operators use it: `node src/main.ts` starts, reports what is wrong, and shuts down on a signal.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeFolder } from '../helpers/folder.ts';
import { openPage } from '../helpers/local-discord.ts';
import { textOf } from '../helpers/member.ts';
import { openingOf } from '../helpers/openings.ts';
import { freePort, type Program, pageOf, startProgram, warnings } from '../helpers/program.ts';
import { startTestVoiceService, type TestVoiceService } from '../helpers/voice-service.ts';

let service: TestVoiceService;

beforeAll(async () => {
  service = await startTestVoiceService();
});
afterAll(() => service.close());

/** A program that needs no engines of its own, which take seconds to load. */
const startWithService = (env: Record<string, string> = {}) =>
  startProgram({ VOICE_API_URL: service.url, VOICE_API_KEY: service.key, ...env });

it('starts with no settings at all: its page answers and tells what the voices are, it speaks, finishes at SIGTERM what it says, and loads nothing that it needn’t', async () => {
  const folder = await makeFolder();
  const program = await startProgram({ NODE_V8_COVERAGE: folder });
  const address = await pageOf(program);
  const response = await fetch(address);
  expect(response.status).toBe(200);
  expect(await response.text()).toContain('<html');
  const page = await openPage(address);
  const { guilds, commands, introduction } = await page.call('hello', {});
  expect(introduction.note).toMatch(/voices here are simple ones .* VOICE_API_URL and VOICE_API_KEY/);
  const channel = (name: string) => guilds[0]?.channels.find((one) => one.name === name)?.id ?? '';
  await page.call('join_voice', { channel_id: channel('Lounge') });
  await page.interact('run_command', {
    channel_id: channel('general'),
    command_id: commands.find(({ name }) => name === 'say')?.id ?? '',
    options: [{ name: 'text', type: 3, value: 'Hi.' }],
  });
  await page.until(() => page.packets() >= 5);
  program.child.kill('SIGTERM');
  expect(await program.ended).toEqual({ code: 0, signal: null });
  await page.closed;
  expect(page.dispatches().some(({ t, d }) => t === 'MESSAGE_UPDATE' && textOf(d).includes(openingOf('say.spoken')))).toBe(true);
  expect(page.packets()).toBeGreaterThan(15);
  expect(warnings(program)).toEqual([]);
  expect(program.err).toEqual([]);
  const reports = (await readdir(folder)).filter((name) => name.startsWith(`coverage-${program.child.pid}-`));
  const loaded = (await Promise.all(reports.map((name) => readFile(join(folder, name), 'utf8')))).join();
  expect(loaded).toContain('/src/main.ts');
  expect(loaded.includes('/src/local/voice-service/server.ts'), 'uploads are handled in another process').toBe(false);
  expect(loaded, 'traces are loaded only if they are asked for').not.toContain('/@opentelemetry/');
});

it('starts without its engines, and says in one line for each what to do', async () => {
  const port = await freePort();
  const program = await startProgram({ LOCAL_SPEECH_URL: `http://127.0.0.1:${port}`, LOCAL_TRANSCRIPTION_URL: `http://localhost:${port}` });
  const page = await openPage(await pageOf(program));
  expect((await page.call('hello', {})).introduction.note).toBeNull();
  await program.line(/LOCAL_TRANSCRIPTION_URL: nothing answers/);
  await program.line(/LOCAL_SPEECH_URL: nothing answers/);
  expect(warnings(program)).toHaveLength(2);
});

it('names each wrong or missing setting in one line', async () => {
  const program = await startProgram({ VOICE_FORMAT: 'flac', VOICE_API_URL: 'https://voice.example' });
  expect(await program.ended).toEqual({ code: 1, signal: null });
  const sentences = ['VOICE_FORMAT must be mp3, opus, wav or pcm.', 'VOICE_API_KEY is missing'];
  expect(program.err).toEqual(sentences.map((sentence) => expect.stringContaining(sentence)));
  expect(program.out).toEqual([]);
});

it('says that DATA_DIR cannot be used', async () => {
  const file = join(await makeFolder(), 'data');
  await writeFile(file, 'no folder');
  await expectRefusal(await startProgram({ DATA_DIR: file }), /^DATA_DIR: .*data cannot be used/);
});

it('says that another voice service is using DATA_DIR, as its own process finds out', async () => {
  const sentence = /^DATA_DIR: another Parley, or another voice service, is using .* End that one/;
  await expectRefusal(await startProgram({ DATA_DIR: service.dataDir }), sentence);
});

it('starts with a key that the voice service refuses, and a model that ends, and says so; another one says that DATA_DIR is in use, and lets it be', async () => {
  const DATA_DIR = await makeFolder();
  const first = await startWithService({ DATA_DIR, VOICE_API_KEY: 'of-somebody-else', VOICE_MODEL: 's1' });
  await pageOf(first);
  await first.line(/VOICE_MODEL: s1 ends on 2026-12-31\. .* s2\.1-pro/);
  await first.line(/VOICE_API_KEY is refused by the voice service/);
  await expectRefusal(await startWithService({ DATA_DIR }), /^DATA_DIR: another Parley.* End that one, or set DATA_DIR/);
  first.child.kill('SIGINT');
  expect(await first.ended).toEqual({ code: 0, signal: null });
});

it('says that PLAYGROUND_PORT is in use', async () => {
  const { port } = new URL(service.url);
  await expectRefusal(await startWithService({ PLAYGROUND_PORT: port }), new RegExp(`^PLAYGROUND_PORT: port ${port} is taken`));
});

/** It ends because of this one sentence, before anything is logged. */
async function expectRefusal(program: Program, sentence: RegExp): Promise<void> {
  expect(await program.ended).toEqual({ code: 1, signal: null });
  expect(program.err).toEqual([expect.stringMatching(sentence)]);
  expect(program.out.filter((line) => line.startsWith('{'))).toEqual([]);
}
