// What is noted of replies that are not finished, read at the next start.
import { join } from 'node:path';
import type { Interaction } from 'discord.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createOpenReplies, readOpenReplies } from '../../src/bot/open-replies.ts';
import { en } from '../../src/locales/index.ts';
import { createLog } from '../../src/log.ts';
import { deriveSealingKey, openSqliteStore, type Store, seal } from '../../src/store/index.ts';
import { makeFolder } from '../helpers/folder.ts';

const key = deriveSealingKey('the bot’s token', 'replies');
const place = { channelId: '2', messageId: '3', locale: 'en' };

async function openStore() {
  const store = openSqliteStore(join(await makeFolder(), 'parley.db'));
  onTestFinished(() => store.close());
  return store;
}

const read = (store: Store, sealingKey: Uint8Array = key) =>
  readOpenReplies(store, { sealingKey, running: new Set(), log: createLog('silent') });

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
    const createdTimestamp = Date.now() - minutes * 60_000;
    const interaction = { ...{ id: '1', token: 'interaction token', channelId: '2', createdTimestamp }, inCachedGuild: () => false };
    const words = { t: en, publicT: en };
    const before = Date.now();
    const replies = createOpenReplies(interaction as unknown as Interaction, {
      ...words,
      store,
      sealingKey: key,
      log: createLog('silent'),
    });
    await replies.note('say', '3', true).noted;
    const [entry] = await Array.fromAsync(store.entries());
    expect(Number(entry?.expiresAt) - before).toBeGreaterThan(14 * 60_000);
    expect(Number(entry?.expiresAt) - Date.now()).toBeLessThanOrEqual(15 * 60_000);
  });
});
