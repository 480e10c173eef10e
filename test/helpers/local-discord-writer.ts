// Sends messages with files in a local Discord until it is killed, and prints what has been saved: node local-discord-writer.ts FOLDER
import { writeSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { startLocalDiscord } from '../../src/local/discord/index.ts';

const discord = await startLocalDiscord({ directory: process.argv[2] ?? '', retention: { messagesPerChannel: 10_000 } });
const member = discord.member();
const channel_id = discord.channelId('general');
for (let number = 1; ; number++) {
  const { id } = member.upload('file', 'text/plain', Buffer.alloc(2000, 'x'));
  const message = await member.call('send_message', { channel_id, content: `${process.pid} ${number}`, uploads: [id] });
  await setImmediate();
  await setImmediate();
  writeSync(1, `${message.content}\n`);
}
