// What the local Discord keeps when it is killed, and how much it keeps at most.

import { readdirSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { LocalDiscord } from '../../src/local/discord/index.ts';
import { startTestProcess, withCompileCache } from '../helpers/program.ts';
import { openKeptDiscord } from '../local/kept-discord.ts';

const writer = fileURLToPath(new URL('../fixtures/programs/local-discord-writer.ts', import.meta.url));

function general(discord: LocalDiscord): string {
  return discord.channelId('general');
}

test('the oldest messages beyond 16 MiB are deleted from the disk', async () => {
  const { discord, directory, restart, stop } = await openKeptDiscord({ retention: { messagesPerChannel: 10_000 } });
  const sent = 5_000;
  const member = discord.member();
  for (let number = 1; number <= sent; number++)
    await member.call('send_message', { channel_id: general(discord), content: `${number} ${'漢'.repeat(1900)}` });
  const again = await restart();
  const kept = (await again.member().call('messages', { channel_id: general(again), limit: sent })).map(({ content }) =>
    Number.parseInt(content, 10),
  );
  expect(kept.length).toBeGreaterThan(sent / 2);
  expect(kept.length).toBeLessThan(sent);
  expect(kept).toEqual(Array.from(kept, (_, index) => sent - kept.length + 1 + index));
  await stop();
  expect((await stat(join(directory, 'world.db'))).size).toBeLessThan(32 * 1024 * 1024);
});

test('whatever had been saved is there after a kill -9, with its file if that was written', async () => {
  const { directory, warnings, restart, stop } = await openKeptDiscord({ retention: { messagesPerChannel: 10_000 } });
  await stop();
  const saved: string[] = [];
  const attachments = join(directory, 'attachments');
  for (const kills of [20, 81]) {
    const earlier = saved.length;
    const earlierFiles = (await readdir(attachments)).length;
    const program = startTestProcess([...withCompileCache, writer, directory], {
      onLine(line, kill) {
        saved.push(line);
        // Files are written behind the messages, however slow the disk is.
        if (saved.length - earlier >= kills && readdirSync(attachments).length - earlierFiles > kills / 2) kill();
      },
    });
    await program.ended;
    const written = new Set(await readdir(attachments));
    const database = new DatabaseSync(join(directory, 'world.db'));
    const listed = database.prepare('SELECT id FROM files').all();
    database.close();
    const discord = await restart();
    const messages = await discord.member().call('messages', { channel_id: general(discord), limit: 10_000 });
    const kept = new Set(messages.map(({ content }) => content));
    expect(saved.filter((content) => !kept.has(content))).toEqual([]);
    const files = messages.flatMap(({ attachments: [file] }) => file ?? []);
    const statuses = await Promise.all(files.map(async ({ url }) => (await fetch(url)).status));
    const served = files.filter((_, index) => statuses[index] === 200).map(({ id }) => id);
    expect(served.length).toBeGreaterThan(earlierFiles);
    // A file may have been listed before its message was saved: then both are gone.
    const whole = new Set(listed.map(({ id }) => String(id)).filter((id) => written.has(id)));
    expect(served).toEqual(files.map(({ id }) => id).filter((id) => whole.has(id)));
    await stop();
  }
  expect(warnings).toEqual([]);
});
