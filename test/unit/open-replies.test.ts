// What is noted of replies that are not finished, read at the next start.
import { join } from 'node:path';
import type { Client, Interaction } from 'discord.js';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createOpenReplies, createReplyCorrections, createVoiceMessageNotes, readOpenReplies } from '../../src/bot/open-replies.ts';
import { en } from '../../src/locales/index.ts';
import { createLog } from '../../src/log.ts';
import { deriveSealingKey, openSqliteStore, type Store, seal } from '../../src/store/index.ts';
import { openRedisStore } from '../../src/store/redis.ts';
import { makeFolder } from '../helpers/folder.ts';
import { startRedisServer } from '../helpers/redis-server.ts';
import { redisServer, titled } from '../helpers/requirements.ts';

const key = deriveSealingKey('the bot’s token', 'replies');
const log = createLog('silent');
const place = { channelId: '2', messageId: '3', locale: 'en' };

async function openStore() {
  const store = openSqliteStore(join(await makeFolder(), 'parley.db'));
  onTestFinished(() => store.close());
  return store;
}

const read = (store: Store, sealingKey: Uint8Array = key) => readOpenReplies(store, { sealingKey, running: new Set(), log });

const openRepliesTo = (id: string, store: Store, createdTimestamp = Date.now()) => {
  const interaction = { id, token: 'interaction token', channelId: '2', createdTimestamp, inCachedGuild: () => false };
  return createOpenReplies(interaction as unknown as Interaction, { t: en, publicT: en, store, sealingKey: key, log });
};

describe('a reply that is not finished', () => {
  it('has no token once the bot’s own has changed', async () => {
    const store = await openStore();
    await store.set('reply:1:3', { ...place, token: seal('interaction token', key) });
    expect(await read(store)).toMatchObject([{ ...place, interactionId: '1', token: 'interaction token' }]);
    expect(await read(store, deriveSealingKey('another token', 'replies'))).toEqual([]);
  });

  it('that cannot be read does not stand in the way of others', async () => {
    const store = await openStore();
    await store.set('reply:1:3', { ...place, channelId: 2 });
    await store.set('reply:1:4', { ...place, kind: 'of a later version' });
    await store.set('reply:1:5', { kind: 'say', channelId: '2', locale: 'en' });
    expect(await read(store)).toMatchObject([
      { key: 'reply:1:5', kind: 'say', interactionId: '1', messageId: '5', token: null, locale: 'en' },
    ]);
  });

  it('is found by its key, whichever process has noted it', async () => {
    const store = await openStore();
    await store.set('reply:1:3:a-process', { kind: 'say', channelId: '2', locale: 'en', processId: 'a-process' });
    expect(await read(store)).toMatchObject([{ interactionId: '1', messageId: '3' }]);
  });

  it.each([16, -14])('is noted with its token for 15 minutes, even if this machine’s clock is %i minutes off', async (minutes) => {
    const store = await openStore();
    const before = Date.now();
    await openRepliesTo('1', store, before - minutes * 60_000).note('say', '3', true).noted;
    const [entry] = await Array.fromAsync(store.entries());
    expect(Number(entry?.expiresAt) - before).toBeGreaterThan(14 * 60_000);
    expect(Number(entry?.expiresAt) - Date.now()).toBeLessThanOrEqual(15 * 60_000);
  });
});

it('this process’s own replies are left alone while it waits for the channel of a voice message that the process before has left', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const store = await openStore();
  const closing = new AbortController();
  onTestFinished(() => closing.abort());
  const canResume = vi.fn(() => false);
  await store.set('reply:30:30', { kind: 'voice-message', channelId: '2', locale: '' });
  const voiceMessages = { canResume, resume: async () => {} };
  const client = {} as Client<true>;
  const corrections = createReplyCorrections({ client, voiceMessages, store, sealingKey: key, log, signal: closing.signal });
  await corrections.correct(await corrections.list());
  await openRepliesTo('40', store).note('say', '41', true).noted;
  await vi.runOnlyPendingTimersAsync();
  await vi.waitUntil(() => canResume.mock.calls.length === 2);
  await vi.waitUntil(() => vi.getTimerCount() === 1);
  expect((await store.list('')).map(([name]) => name).sort()).toEqual(['reply:30:30', 'reply:40:41']);
});

describe.skipIf(!redisServer.isMet)(titled('while the store is away', redisServer), () => {
  it('what is still open is noted once it is back, so that a kill soon afterwards leaves no reply as it is', async () => {
    const redis = await startRedisServer();
    onTestFinished(() => redis.close());
    const store = await openRedisStore({ url: redis.url, botId: '1' });
    onTestFinished(() => store.close());
    await redis.stop();
    const final = openRepliesTo('10', store).note('say', '11', true);
    await final.forget();
    const open = openRepliesTo('20', store).note('say', '21', true);
    await createVoiceMessageNotes({ store, log })({ channelId: '2', messageId: '30', again: false });
    await open.noted;
    expect(await read(store).catch(() => [])).toEqual([]);
    await redis.start();
    const ids = async () => (await read(store).catch(() => [])).map(({ messageId }) => messageId).sort();
    await expect.poll(ids).toEqual(['21', '30']);
    await open.forget();
    await expect.poll(ids).toEqual(['30']);
  });
});
