// The crowd: members of the local Discord who chat by themselves, started and stopped over a member's client.
import { expect, test } from 'vitest';
import type { LocalDiscordOptions, MemberClient } from '../../src/local/discord/index.ts';
import type { Dispatch } from '../../src/local/discord/page/protocol.ts';
import { openLocalDiscord } from '../helpers/local-discord.ts';

async function setUp(options: LocalDiscordOptions = {}) {
  const discord = await openLocalDiscord({ members: 5, crowdPaceMs: 1, ...options });
  const robin = discord.member('Robin');
  const [general, random] = [discord.channelId('general'), discord.channelId('random')];
  const ended = (client = robin) => client.next('CROWD_UPDATE', ({ channel_id }) => channel_id === null);
  const written = (channelId: string) => discord.world.messages.get(channelId)?.length ?? 0;
  const crowd = (channel_id: string | null, client = robin) => client.call('set_crowd', { channel_id });
  return { discord, robin, general, random, ended, written, crowd };
}

/** Resolves once this many messages have been written there. */
async function messagesIn(client: MemberClient, channelId: string, count: number): Promise<void> {
  for (let seen = 0; seen < count; seen++) await client.next('MESSAGE_CREATE', ({ channel_id }) => channel_id === channelId);
}

test('three members chat with all that chats are made of, until they have had enough', async () => {
  const { robin, general, crowd, ended } = await setUp();
  const seen: Dispatch[] = [];
  robin.onDispatch((dispatch) => seen.push(dispatch));
  const end = ended();
  await crowd(general);
  expect(seen[0]).toEqual({ t: 'CROWD_UPDATE', d: { channel_id: general } });
  await end;
  const messages = seen.flatMap(({ t, d }) => (t === 'MESSAGE_CREATE' ? [d] : []));
  expect(new Set(messages.map(({ author }) => author.username))).toEqual(new Set(['sam', 'ada', 'ben']));
  expect(messages.length).toBeGreaterThan(50);
  expect(messages.length).toBeLessThanOrEqual(100);
  expect(messages.every(({ channel_id }) => channel_id === general)).toBe(true);
  expect(new Set(messages.map(({ content }) => content)).size).toBeGreaterThan(20);
  expect(messages.some(({ referenced_message }) => referenced_message)).toBe(true);
  expect(messages.some(({ sticker_items }) => sticker_items?.length)).toBe(true);
  const names = new Set(seen.map(({ t }) => t));
  for (const t of ['TYPING_START', 'MESSAGE_UPDATE', 'MESSAGE_DELETE', 'MESSAGE_REACTION_ADD']) expect([...names]).toContain(t);
});

test('it stops when it is switched off, moves to another channel, and ends with the channel', async () => {
  const { discord, robin, general, random, ended, written, crowd } = await setUp();
  await crowd(general);
  await messagesIn(robin, general, 2);
  const off = ended();
  await crowd(null);
  await off;
  const before = written(general);
  await crowd(random);
  await messagesIn(robin, random, 5);
  expect(written(general)).toBe(before);
  await crowd(general);
  const inRandom = written(random);
  await messagesIn(robin, general, 5);
  expect(written(random)).toBe(inRandom);
  const gone = ended();
  discord.deleteChannel(general);
  await gone;
});

test('it ends with the client that started it', async () => {
  const { discord, robin, general, random, written, crowd } = await setUp();
  await crowd(general);
  await messagesIn(robin, general, 2);
  robin.close();
  const before = written(general);
  const again = discord.member('Robin');
  await crowd(random, again);
  await messagesIn(again, random, 5);
  expect(written(general)).toBe(before);
});

test('nobody speaks for a member who is here already, who may not write, or in direct messages', async () => {
  const { discord, robin, general, crowd, ended } = await setUp({ members: 4 });
  discord.member('Sam');
  const authors = new Set<string>();
  robin.onDispatch(({ t, d }) => t === 'MESSAGE_CREATE' && authors.add(d.author.username));
  const end = ended();
  await crowd(general);
  await end;
  expect(authors).toEqual(new Set(['ada', 'ben']));
  discord.setRolePermissions(discord.guildId, 1024n);
  await expect(crowd(general)).rejects.toThrow('There is nobody else here who could write.');
  const dm = await robin.call('open_dm', { user_id: discord.application.id });
  await expect(crowd(dm.id)).rejects.toThrow('There is nobody else here who could write.');
});
