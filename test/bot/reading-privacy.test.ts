// A message that is read aloud by the real voice service: its words are heard, and nothing of them is left, with a cache on disk.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createOggMuxer } from '../../src/audio/ogg/muxer.ts';
import { type Parley, startParley } from '../helpers/parley.ts';
import { startTestVoiceService, type TestVoiceService } from '../helpers/voice-service.ts';

const logged: string[] = [];
let service: TestVoiceService;
let parley: Parley;

beforeAll(async () => {
  service = await startTestVoiceService();
  parley = await startParley({ service, readMessages: true, cacheBytes: 64 * 1024 * 1024, logTo: (line) => void logged.push(line) });
});
afterAll(async () => {
  await parley?.close();
  await service?.close();
});

/** Reads #general in the lounge; `finished` counts what has been spoken since. */
async function startReading() {
  const { discord, member, store } = parley;
  const [textChannelId, voiceChannelId] = [discord.channelId('general'), discord.channelId('Lounge')];
  const receiver = await member.listen(voiceChannelId);
  await store.set(`reading:${discord.guildId}`, [{ textChannelId, voiceChannelId, startedBy: member.client.userId }]);
  await parley.restartBot();
  const count = () => logged.filter((line) => line.includes('the last packet has left')).length;
  const before = count();
  return { receiver, finished: () => count() - before };
}

it('what a member typed as a voice is in no line of the log', async () => {
  const { member } = parley;
  await member.listen();
  for (const send_as of ['channel', 'message', 'file']) {
    const interaction = await member.run('say', { text: 'Hello.', voice: 'my quokka', send_as });
    expect(await interaction.sentence()).toContain('I can’t find a voice called `my quokka`');
  }
  expect(logged.filter((line) => line.includes('quokka'))).toEqual([]);
  await member.leaveVoice();
});

it('a message that is read aloud is heard with all its words, encrypted end to end, and is in no file and no line of the log, nor is its sound', async () => {
  const { discord, member, store, api, dataDir } = parley;
  const general = discord.channelId('general');
  await store.set(`member:${member.client.userId}`, { voice: { id: 'clara', title: 'Clara' } });
  const { receiver, finished } = await startReading();
  const first = await member.write('Quokka.');
  await expect.poll(finished).toBe(1);
  const muxer = createOggMuxer({ sampleRate: 48_000, channels: 1, preSkip: 312, serial: 1 });
  const pages = receiver.frames().map((frame) => muxer.packet(frame, 960, false));
  const audio = Buffer.concat([muxer.head(), ...pages]);
  const { text } = await api.transcribe({ audio, filename: 'heard.ogg', contentType: 'audio/ogg' });
  expect(text).toBe('Robin says: Quokka.');
  expect(receiver.stats()).toMatchObject({ plaintext: 0, undecryptable: 0 });
  await member.client.call('edit_message', { channel_id: general, message_id: first.id, content: 'Marmalade.' });
  const second = await member.write('Quokka.');
  await expect.poll(finished).toBe(2);
  for (const { id } of [first, second]) await member.client.call('delete_message', { channel_id: general, message_id: id });
  await parley.bot().close();
  const files = await readdir(dataDir, { recursive: true, withFileTypes: true });
  const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
  expect(paths.filter((path) => path.endsWith('.packets'))).toEqual([]);
  for (const content of [...(await Promise.all(paths.map((path) => readFile(path, 'latin1')))), ...logged])
    for (const word of ['quokka', 'marmalade', 'Robin']) expect(content.toLowerCase()).not.toContain(word.toLowerCase());
});
