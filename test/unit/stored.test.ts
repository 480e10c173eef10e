// What an earlier version has stored is read by this one, each kind of key by the feature that it belongs to, and nothing of it is lost.
// The fixtures were written by the walk (`npm run walk`), the keys of several processes by two of them that shared a Redis.

import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Client } from 'discord.js';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { listRegisteredGuilds } from '../../src/bot/command-registration.ts';
import { readOpenReplies } from '../../src/bot/open-replies.ts';
import { createConsents, createRuns } from '../../src/captions/stored.ts';
import { createCapsLookup, createCreditService, openAccount, readPrices, toOperatorBudgets } from '../../src/charging/index.ts';
import { readConfig } from '../../src/config.ts';
import { createDictionaries } from '../../src/dictionary/dictionaries.ts';
import { createNotices } from '../../src/discord/notices.ts';
import { createLog } from '../../src/log.ts';
import { createPostedLines } from '../../src/posted-words/lines.ts';
import { createVoiceClaims } from '../../src/processes/claims.ts';
import { createLiveProcesses } from '../../src/processes/live-processes.ts';
import { shareDeletions } from '../../src/processes/processes.ts';
import { decideShardCount } from '../../src/processes/types.ts';
import { createPersistedChannels } from '../../src/reading/persisted-channels.ts';
import { createVoiceAssignments } from '../../src/reading/voice-pool.ts';
import {
  deriveSealingKey,
  importStore,
  keptTextsPrefix,
  loadSealingKey,
  openSqliteStore,
  readKeptText,
  type Store,
  unseal,
} from '../../src/store/index.ts';
import { createSettings } from '../../src/store/settings.ts';
import type { Entry } from '../../src/store/types.ts';
import { cacheInvalidation, createSoundOwners, createVoiceLevels } from '../../src/synthesis/index.ts';
import { createWordsLinks, noticePrefix, toldPrefix } from '../../src/transcription/voice-messages/links.ts';
import { createUnfinishedOwnVoices } from '../../src/voice-catalogue/own-voice-maker.ts';
import { createVoiceOwners } from '../../src/voice-catalogue/owners.ts';

const FOLDER = fileURLToPath(new URL('../fixtures/stored/', import.meta.url));
const facts = JSON.parse(readFileSync(join(FOLDER, 'facts.json'), 'utf8')) as {
  writtenAt: number;
  /** The tokens of the bots that stored it. */
  tokens: string[];
  /** Keys of texts, by member. */
  texts: Record<string, string[]>;
};
const now = () => facts.writtenAt;
const log = createLog('silent');
/** What it was asked for at the voice service is of no interest here. */
const noClient = {} as Client;

interface Found {
  key: string;
  value: unknown;
  /** The parts of its key, which colons separate. */
  parts: string[];
  /** All of the store. */
  entries: Entry[];
}

/** Resolves with whether a feature finds what is stored under a key. */
type Reader = (store: Store, found: Found) => Promise<boolean>;

const has = (actual: unknown, expected: unknown): boolean => {
  expect(actual).toMatchObject(expected as object);
  return true;
};
const isClaimed: Reader = async (store, { key }) => !(await store.compareAndSet(key, null, true));
/** Gone within minutes, and of use only to processes that ran at the time. */
const momentary: Reader = async (store, { key, value }) => has([await store.get(key)], [value]);
const account = (service: string, store: Store) =>
  openAccount({ api: {} as never, store, service, log, prices: readPrices(readConfig({})), now });
const ownerOf = ([, kind, id = '']: string[]) => (kind === 'guild' ? { guildId: id } : { userId: id });
const creditOf = async (store: Store) =>
  createCreditService({
    store,
    account: await account('test', store),
    capsOf: createCapsLookup(toOperatorBudgets(readConfig({})), createSettings(store)),
  });

const readers: Record<string, Reader> = {
  guild: async (store, { parts: [, id = ''], value }) => has(await createSettings(store).guild(id), value),
  member: async (store, { parts: [, id = ''], value }) => has(await createSettings(store).member(id), value),
  dictionary: async (store, { parts, value }) => has(await createDictionaries(store).entries(ownerOf(parts)), value),
  'dictionary-version': async (store, { parts, entries }) => {
    const words = entries.find(({ key }) => key === `dictionary:${parts.slice(1).join(':')}`)?.value as { word: string }[] | undefined;
    const owner = ownerOf(parts);
    const replace = await createDictionaries(store).for('guildId' in owner ? owner.guildId : null, 'userId' in owner ? owner.userId : '0');
    return (words ?? []).every(({ word }) => replace(word, 'en') !== word || replace(word, null) !== word);
  },
  'own-voice': async (store, { parts: [, id = ''], value }) => {
    const owners = createVoiceOwners(store);
    const [voice, deleted] = [await owners.find(id), (await owners.deleted()).find((one) => one.id === id)];
    return has(voice ?? deleted, value);
  },
  'own-voice-of': async (store, { parts: [, memberId = '', id], entries }) => {
    const isThere = entries.some(({ key, value }) => key === `own-voice:${id}` && JSON.stringify(value).includes('"consent"'));
    return !isThere || (await createVoiceOwners(store).concerning(memberId)).some((voice) => voice.id === id);
  },
  'own-voice-in': async (store, { parts: [, guildId = '', id], entries }) => {
    const isThere = entries.some(({ key, value }) => key === `own-voice:${id}` && JSON.stringify(value).includes(guildId));
    return !isThere || (await createVoiceOwners(store).usableBy({ userId: '', guildId })).some((voice) => voice.id === id);
  },
  'own-voice-renamed': async (store, { parts: [, id], entries }) => {
    const isThere = entries.some(({ key, value }) => key === `own-voice:${id}` && JSON.stringify(value).includes('"consent"'));
    return !isThere || (await createVoiceOwners(store).renamed()).some(({ voice }) => voice.id === id);
  },
  'pending-voice': async (store, { parts: [, tag = ''], value }) => has(await createUnfinishedOwnVoices(store).find(tag), value),
  reading: async (store, { parts: [, guildId = ''], value }) => has((await createPersistedChannels(store).load(guildId)).channels, value),
  'reading-silent': async (store, { parts: [, guildId = ''], value }) =>
    has((await createPersistedChannels(store).load(guildId)).silence, value),
  'reading-voices': async (store, { parts: [, guildId = '', memberId = ''], value }) =>
    has(await createVoiceAssignments(store, now).load(guildId, memberId), value),
  'reading-voices-of': async (store, { parts: [, memberId = '', guildId = ''] }) =>
    (await createVoiceAssignments(store, now).load(guildId, memberId)) !== null,
  'reading-told': async (store, { key }) => {
    const topic = key.split(':').slice(2).join(':');
    return !(await createNotices({ client: noClient, store, log, now }).isFirstToday(topic));
  },
  reply: async (store, { key }) => {
    for (const token of facts.tokens)
      if (
        (await readOpenReplies(store, { sealingKey: deriveSealingKey(token, 'replies'), running: new Set(), log })).some(
          (reply) => reply.key === key,
        )
      )
        return true;
    return false;
  },
  text: async (store, { parts: [, memberId = ''], entries }) => {
    const kept = entries.filter(({ key }) => key.startsWith(keptTextsPrefix(memberId)));
    const texts = await Promise.all((facts.texts[memberId] ?? []).map((key) => readKeptText(store, memberId, key)));
    return texts.filter((text) => text !== null && text !== '').length === kept.length;
  },
  spent: async (store, { parts: [, , kind, owner, id = '', guildId = null], value }) => {
    const today = await (await creditOf(store)).todaysBudgets(
      kind as 'speech',
      owner === 'guild' ? { guildId: id, memberId: '0' } : { guildId, memberId: id },
    );
    const budget = owner === 'guild' ? today.guild : guildId === null ? today.member : today.memberHere;
    return budget?.used === Math.max(0, Number(value));
  },
  use: async (store, { parts: [, , guildId = '', what = ''], value }) =>
    (await (await creditOf(store)).usageOf(guildId === '-' ? (null as never) : guildId, 31))[what as 'times'] === value,
  level: async (store, { value, entries }) => {
    const models = JSON.parse(readFileSync(new URL('../../src/local/voice-service/catalogue.json', import.meta.url), 'utf8')).models as {
      _id: string;
    }[];
    const made = entries.flatMap(({ key }) => /^own-voice:(.+)/.exec(key)?.[1] ?? []);
    for (const service of ['test', 'Voice Service'])
      for (const id of [null, ...models.map(({ _id }) => _id), ...made]) {
        const level = await createVoiceLevels(store, service).load(id);
        if (JSON.stringify(level) === JSON.stringify(value)) return true;
      }
    return false;
  },
  sound: async (store, { parts: [, memberId = '', name = ''] }) => (await createSoundOwners(store).keysOf(memberId)).includes(name),
  'voice-sound': async (store, { parts: [, id = '', name = ''] }) => (await createSoundOwners(store).keysOfVoice(id)).includes(name),
  secret: async (store, { parts: [, purpose], value }) => {
    const before = await loadSealingKey(store, purpose as 'recordings');
    return before.length === 32 && (await store.get(`secret:${purpose}`)) === value;
  },
  account: async (store, { parts, value }) => {
    const { changedAt } = value as { changedAt: number | null };
    return (await account(parts.slice(1, -1).join(':'), store)).usedSinceTopUp().changedAt === changedAt;
  },
  server: async (store, { key, value }) => has([await store.get(key)], [value]),
  registered: async (store, { parts: [, applicationId = '', guildId = ''] }) =>
    (await listRegisteredGuilds({ store, applicationId })).includes(guildId),
  'old-prefixes-kept': isClaimed,
  'direct-hint': isClaimed,
  correcting: isClaimed,

  // What several processes share.
  process: async (store, { parts: [, id], value }) => {
    const live = await createLiveProcesses(store, { id: 'another', log, expiresInMs: 1_000, isSettled: () => true }).list();
    return has(
      live.find((one) => one.id === id),
      value,
    );
  },
  'shard-count': async (store, { value }) => (await decideShardCount(store, null, Number(value))) === value,
  voice: async (store, { parts: [, guildId = ''], value }) => {
    const claims = createVoiceClaims(store, {
      leases: { id: 'another', has: () => true, processes: async () => [{ id: String(value) }] as never },
      shardCount: 2,
    });
    return (await claims.holder(guildId)) === value;
  },
  deletions: async (store, { entries }) => {
    const discarded: unknown[] = [];
    const shared = await shareDeletions({
      ...{ store, log, cacheId: 'new', lasts: true, schema: cacheInvalidation },
      running: async () => new Set<string | null>(),
      discard: async (one) => void discarded.push(one),
    });
    shared.close();
    return has(
      discarded,
      entries.filter(({ key }) => key.startsWith('deletion:')).map(({ value }) => value),
    );
  },
  handover: async (_, { value }) =>
    facts.tokens.some((token) => {
      const text = unseal(String(value), deriveSealingKey(token, 'handover'));
      return text !== null && typeof JSON.parse(text) === 'object';
    }),
};
for (const kind of ['deletion', 'cache', 'registered-commands', 'shard-tokens', 'session-limit', 'session-row', 'shard'])
  readers[kind] = momentary;
for (const kind of [
  'answer',
  'call-slot',
  'identify',
  'question',
  'response',
  'request-turns',
  'registration',
  'session-limit-fresh',
  'shard-successor',
])
  readers[kind] = momentary;

describe.each<[string, (file: string) => Promise<unknown>]>([
  ['a DATA_DIR', async (file) => cpSync(join(FOLDER, 'data', 'parley.db'), file)],
  [
    'an export',
    async (file) => {
      const store = openSqliteStore(file);
      await importStore(store, join(FOLDER, 'export.ndjson'));
      await store.close();
    },
  ],
])('%s of an earlier version', (_, prepare) => {
  let file = '';
  const expected = readFileSync(join(FOLDER, 'export.ndjson'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Entry);
  const kindOf = (key: string) => key.split(':')[0] ?? '';

  beforeAll(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: facts.writtenAt });
    const folder = mkdtempSync(join(tmpdir(), 'parley-stored-'));
    file = join(folder, 'parley.db');
    await prepare(file);
    return () => {
      vi.useRealTimers();
      rmSync(folder, { recursive: true });
    };
  });

  it('has every entry', async () => {
    const store = openSqliteStore(file);
    onTestFinished(() => store.close());
    const entries = await Array.fromAsync(store.entries());
    expect(entries.map(({ key, value }) => ({ key, value }))).toEqual(expected.map(({ key, value }) => ({ key, value })));
  });

  it.each(Object.keys(readers))('has all that is stored under %s', async (kind) => {
    const store = openSqliteStore(file);
    onTestFinished(() => store.close());
    const entries = expected.filter(({ key }) => kindOf(key) === kind);
    expect(entries).not.toEqual([]);
    const lost: string[] = [];
    for (const { key, value } of entries)
      if (!(await readers[kind]?.(store, { key, value, parts: key.split(':'), entries: expected }))) lost.push(key);
    expect(lost).toEqual([]);
  });

  it('has no kind of key that nobody reads', () => {
    expect([...new Set(expected.map(({ key }) => kindOf(key)))].filter((kind) => !(kind in readers))).toEqual([]);
  });
});

it('captions and answers to voice messages of an earlier version are found: who agreed, whose line is which, what is on and what has ended', async () => {
  // Before any of it expires.
  vi.useFakeTimers({ toFake: ['Date'], now: 1_795_789_185_000 });
  onTestFinished(() => void vi.useRealTimers());
  const path = join(FOLDER, 'words.ndjson');
  const lines = readFileSync(path, 'utf8').trim().split('\n');
  const entries = lines.map((line) => JSON.parse(line) as Entry);
  const store = openSqliteStore(':memory:');
  onTestFinished(() => store.close());
  await importStore(store, path);
  const [consents, runs, links] = [createConsents(store, log), createRuns(store, log), createWordsLinks(store, log)];
  const postedLines = createPostedLines(store, log);
  const found: Record<string, Reader> = {
    'captions-consent': async (_, { parts: [, memberId = '', guildId = ''] }) => (await consents.find(guildId, memberId)) !== null,
    captions: async (_, { parts: [, guildId], value }) => has(await runs.list(), [[guildId, value]]),
    'captions-ended': async (_, { parts: [, guildId], value }) => has(await runs.listEnded(), [[guildId, value]]),
    'captions-lines': async (_, { parts: [, guildId = '', id], value }) => has(await postedLines.list(guildId, '0'), [[id, value]]),
    words: async (_, { parts: [, guildId = '', messageId = '', replyId] }) =>
      has((await links.find(guildId, messageId))?.replyIds, [replyId]),
    'words-of': async (_, { parts: [, memberId = '', , messageId] }) => has(await links.ofMember(memberId), [{ messageId }]),
    'words-told': async (_, { parts: [, guildId = '', id], value }) => (await store.get(toldPrefix(guildId) + id)) === value,
    'words-notice': async (_, { parts: [, guildId = '', id], value }) => (await store.get(noticePrefix(guildId) + id)) === value,
  };
  expect([...new Set(entries.map(({ key }) => key.split(':')[0]))].toSorted()).toEqual(Object.keys(found).toSorted());
  for (const { key, value } of entries) {
    const parts = key.split(':');
    expect(await found[parts[0] ?? '']?.(store, { key, value, parts, entries }), key).toBe(true);
  }
});
