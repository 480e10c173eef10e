// Marking messages that are not heard, in a real client on a local Discord.
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createMarkUnheard } from '../../src/reading/notices.ts';
import { logIn, openLocalDiscord } from '../helpers/local-discord.ts';

it('marks every message one after the other, and of more than twenty that wait only the newest besides', async () => {
  const discord = await openLocalDiscord();
  const general = discord.channelId('general');
  const client = await logIn(discord);
  const ids: string[] = [];
  for (let number = 1; number <= 30; number++) {
    const { id } = await discord.member().call('send_message', { channel_id: general, content: `message ${number}` });
    ids.push(id);
  }
  const messages = discord.world.messages.get(general) ?? [];
  const marked = () => ids.filter((id) => messages.find((message) => message.id === id)?.reactedBy?.length);
  const pauses: (() => void)[] = [];
  const mark = createMarkUnheard(client, pino({ level: 'silent' }), (ms) => {
    expect(ms).toBe(1000);
    return new Promise<void>((resolve) => pauses.push(resolve));
  });
  /** Waits until so many are marked in all, each after a pause. */
  const markUntil = async (count: number) => {
    for (let done = pauses.length; done < count; done++) {
      pauses[done - 1]?.();
      await expect.poll(() => pauses.length, { interval: 5 }).toBe(done + 1);
    }
  };
  const [gone = '', ...others] = ids;
  await discord.member().call('delete_message', { channel_id: general, message_id: gone });
  mark(general, gone);
  for (const id of others) mark(general, id);
  await markUntil(22);
  expect(marked()).toEqual([...others.slice(0, 20), others.at(-1)]);
  // Those that come later are marked as well.
  pauses.at(-1)?.();
  mark(general, others[25] ?? '');
  await markUntil(23);
  expect(marked()).toHaveLength(22);
});
