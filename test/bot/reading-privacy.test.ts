// What is left of messages that were read aloud: nothing. With the real voice service and a cache on disk.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Parley, startParley } from '../helpers/parley.ts';
import { write } from '../helpers/reading-bot.ts';
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

describe('a message that was read aloud', () => {
  it('is in no file and no line of the log, and neither is its sound', async () => {
    const { discord, member, store, dataDir } = parley;
    const [general, lounge] = [discord.channelId('general'), discord.channelId('Lounge')];
    const receiver = await member.listen(lounge);
    await store.set(`reading:${discord.guildId}`, [{ textChannelId: general, voiceChannelId: lounge, startedBy: member.client.userId }]);
    await parley.restartBot();
    const finished = () => logged.filter((line) => line.includes('the last packet has left')).length;
    for (const [index, text] of ['The quokka juggles marmalade.', 'The quokka juggles marmalade.'].entries()) {
      const message = await write(member.client, general, text);
      await expect.poll(finished, { timeout: 30_000 }).toBe(index + 1);
      if (index === 0)
        await member.client.call('edit_message', { channel_id: general, message_id: message.id, content: 'Marmalade twice.' });
      await member.client.call('delete_message', { channel_id: general, message_id: message.id });
    }
    expect(receiver.frames().length).toBeGreaterThan(50);
    await parley.bot().close();
    const files = await readdir(dataDir, { recursive: true, withFileTypes: true });
    const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name));
    expect(paths.filter((path) => path.endsWith('.packets'))).toEqual([]);
    for (const content of [...(await Promise.all(paths.map((path) => readFile(path, 'latin1')))), ...logged])
      for (const word of ['quokka', 'marmalade', 'Robin']) expect(content.toLowerCase()).not.toContain(word.toLowerCase());
  });
});
