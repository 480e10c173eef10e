// What is noted of replies that are not finished, read at the next start.
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readOpenReplies } from '../../src/bot/open-replies.ts';
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
});
