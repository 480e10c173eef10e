// Which voices members are assigned, from the catalogue of a real service, and that they keep them.
import type { Guild } from 'discord.js';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createApi } from '../../src/api/index.ts';
import { en } from '../../src/locales/index.ts';
import { createVoicePool, forgetVoiceAssignments } from '../../src/reading/voice-pool.ts';
import { openSqliteStore, type Store } from '../../src/store/index.ts';
import { openRedisStore } from '../../src/store/redis.ts';
import type { ChosenVoice } from '../../src/store/settings.ts';
import { createVoiceOwners } from '../../src/voice-catalogue/owners.ts';
import { createVoiceTitles } from '../../src/voice-catalogue/titles.ts';
import { startRedisServer } from '../helpers/redis-server.ts';
import { redisServer, titled } from '../helpers/requirements.ts';
import { startToneService } from '../helpers/tone-service.ts';

const DAY_MS = 24 * 3600_000;

/** A service with these voices, and a store whose clock the test sets. */
async function openCatalogue(voices: string[], opened?: Store) {
  const clock = { now: 20_000 * DAY_MS };
  const service = await startToneService({ voices });
  const store = opened ?? openSqliteStore(':memory:', () => clock.now);
  onTestFinished(async () => {
    await store.close();
    await service.close();
  });

  /** As after each start of the bot; returns the voices of a member, best first. */
  async function openPool(from: Store = store, slowVoices: readonly string[] = [], speaksOneLanguage = false) {
    const api = createApi({ baseUrl: service.url, apiKey: service.key });
    const voiceOwners = createVoiceOwners(from);
    const voiceTitles = createVoiceTitles({ api, voiceOwners, log: pino({ level: 'silent' }) });
    onTestFinished(async () => {
      voiceTitles.close();
      await api.close();
    });
    const pool = createVoicePool({
      api,
      store: from,
      voiceTitles,
      voiceOwners,
      defaultVoice: null,
      slowVoices: () => slowVoices,
      speaksOneLanguage,
      now: () => clock.now,
    });
    return (memberId: string, guildId = 'one', language: string | null = null, chosen: ChosenVoice | null = null) =>
      pool.voicesFor({ guild: { id: guildId } as Guild, memberId, t: en }, chosen, language);
  }

  return { clock, service, store, openPool };
}

const VOICES = Array.from({ length: 30 }, (_, index) => `en:voice-${index}`);
const MEMBERS = Array.from({ length: 100 }, (_, index) => String(100_000_000_000_000_000n + BigInt(index) * 7919n));

describe('voices that each speak one language', () => {
  it('are those of the text’s, in place of a chosen one that speaks another; if there are none, it isn’t read', async () => {
    const voicesFor = await (await openCatalogue(['en:one', 'de:eins'])).openPool(undefined, [], true);
    const chosen = { id: 'one', title: 'one' };
    const idsOf = async (language: string | null) => (await voicesFor('1', 'one', language, chosen)).map((voice) => voice?.id ?? null);
    expect(await idsOf('de')).toEqual(['eins']);
    expect(await idsOf('pl')).toEqual([]);
    expect((await idsOf('en'))[0]).toBe('one');
    expect((await idsOf(null))[0]).toBe('one');
  });
});

describe('the voices that are assigned', () => {
  it('are mostly the same if another voice is gone, even if nothing is kept', async () => {
    const [before, after] = [
      await (await openCatalogue(VOICES)).openPool(),
      await (await openCatalogue(VOICES.filter((voice) => voice !== 'en:voice-3'))).openPool(),
    ];
    // In a server of their own, nobody has to give way to others.
    for (const member of MEMBERS) {
      const [[voice], [voiceAfter]] = [await before(member, member), await after(member, member)];
      expect(voice).not.toBeNull();
      if (voice?.id === 'voice-3') expect(voiceAfter?.id).not.toBe('voice-3');
      else expect(voiceAfter).toEqual(voice);
    }
  });

  it('differ among the first members of a server, as long as there are enough, even if all write at once', async () => {
    const voicesFor = await (await openCatalogue(VOICES)).openPool();
    const voices = await Promise.all(MEMBERS.slice(0, 30).map((member) => voicesFor(member)));
    expect(new Set(voices.map(([voice]) => voice?.id)).size).toBe(30);
  });

  it('are never slow ones: whoever chose one is read in their assigned voice, and whoever was assigned one gets another', async () => {
    const { openPool, store } = await openCatalogue(['en:heart', 'en:clara']);
    const formerVoicesFor = await openPool();
    for (const member of MEMBERS.slice(0, 10)) await formerVoicesFor(member);
    const voicesFor = await openPool(store, ['heart']);
    for (const member of MEMBERS.slice(0, 20)) expect((await voicesFor(member)).map((voice) => voice?.id)).toEqual(['clara', undefined]);
    const chosen = { id: 'heart', title: 'heart' };
    expect((await voicesFor('1', 'one', null, chosen)).map((voice) => voice?.id)).toEqual(['clara', undefined]);
    expect((await formerVoicesFor('1', 'one', null, chosen))[0]?.id).toBe('heart');
  });

  it('speak the language of a text, before the server’s', async () => {
    const voicesFor = await (await openCatalogue([...VOICES, 'de:anna', 'de:bernd'])).openPool();
    const [german, english] = await voicesFor('1', 'one', 'de');
    expect(['anna', 'bernd']).toContain(german?.id);
    expect(english?.id).toMatch(/^voice-/);
    // A language that nobody speaks is left to the others.
    expect((await voicesFor('1', 'one', 'is'))[0]).not.toBeNull();
  });

  it('are the service’s default voice if it has no catalogue', async () => {
    const { openPool, store } = await openCatalogue([]);
    expect(await (await openPool())('1')).toEqual([null]);
    expect(await store.list('reading-voices')).toEqual([]);
  });
});

describe('a voice that a member was assigned', () => {
  const members = MEMBERS.slice(0, 7);
  const eight = VOICES.slice(0, 8);

  async function voicesOf(voicesFor: Awaited<ReturnType<Awaited<ReturnType<typeof openCatalogue>>['openPool']>>, memberIds: string[]) {
    const found: [string, string | undefined][] = [];
    for (const memberId of memberIds) found.push([memberId, (await voicesFor(memberId))[0]?.id]);
    return new Map(found.sort());
  }

  it('is theirs after a restart, no matter who writes first', async () => {
    const { openPool } = await openCatalogue(eight);
    const before = await voicesOf(await openPool(), members);
    expect(new Set(before.values()).size).toBe(7);
    expect(await voicesOf(await openPool(), members.toReversed())).toEqual(before);
  });

  it('is theirs even while the catalogue can’t be loaded, and if others have become better-rated', async () => {
    const { openPool, service } = await openCatalogue(eight);
    const before = await voicesOf(await openPool(), members);
    service.voices = [];
    expect(await voicesOf(await openPool(), members)).toEqual(before);
    // 300 others are before them.
    service.voices = [...Array.from({ length: 300 }, (_, index) => `en:better-${index}`), ...eight];
    expect(await voicesOf(await openPool(), members)).toEqual(before);
  });

  it('is replaced by a free one if it is gone from the catalogue, which changes nothing for others', async () => {
    const { openPool, service } = await openCatalogue(eight);
    const before = await voicesOf(await openPool(), members);
    const [[unlucky, gone] = ['', '']] = before;
    service.voices = eight.filter((voice) => voice !== `en:${gone}`);
    const after = await voicesOf(await openPool(), members);
    expect(new Set(after.values()).size).toBe(7);
    expect(after.get(unlucky)).not.toBe(gone);
    expect(new Map(after).set(unlucky, gone)).toEqual(before);
  });

  it('goes to a newcomer once there is no other, first from the member who has not been heard for longest', async () => {
    const { clock, openPool } = await openCatalogue(eight);
    const voicesFor = await openPool();
    const before = await voicesOf(voicesFor, MEMBERS.slice(0, 8));
    const hourOf = (index: number) => clock.now + (8 - index) * 3600_000;
    for (const [index, member] of MEMBERS.slice(0, 8).entries()) {
      clock.now = hourOf(index);
      await voicesFor(member);
    }
    const [first, second] = MEMBERS.slice(50, 52);
    const heardLast = MEMBERS.slice(0, 8);
    expect((await voicesFor(first ?? ''))[0]?.id).toBe(before.get(heardLast[0] ?? ''));
    expect((await voicesFor(second ?? ''))[0]?.id).toBe(before.get(heardLast[1] ?? ''));
    expect(await voicesOf(voicesFor, heardLast)).toEqual(before);
  });

  it('is kept for thirty days after they were last heard', async () => {
    const { clock, openPool, store } = await openCatalogue(eight);
    const voicesFor = await openPool();
    const [[voice]] = [await voicesFor('1')];
    clock.now += 29 * DAY_MS;
    expect(await voicesFor('1')).toContainEqual(voice);
    clock.now += 29 * DAY_MS;
    expect(JSON.stringify(await store.list('reading-voices:'))).toContain(voice?.id);
    clock.now += DAY_MS;
    expect(await store.list('reading-voices')).toEqual([]);
  });

  it('is forgotten in all servers with their other data, and nobody else’s is', async () => {
    const { openPool, store } = await openCatalogue(eight);
    const voicesFor = await openPool();
    for (const guild of ['one', 'two']) for (const member of ['1', '12']) await voicesFor(member, guild);
    await forgetVoiceAssignments(store, '1');
    const keys = (await store.list('reading-voices')).map(([key]) => key);
    expect(keys).toEqual(['reading-voices-of:12:one', 'reading-voices-of:12:two', 'reading-voices:one:12', 'reading-voices:two:12']);
  });

  it.skipIf(!redisServer.isMet)(titled('is the same in every process of the bot', redisServer), async () => {
    const redis = await startRedisServer();
    onTestFinished(() => redis.close());
    const [first, second] = [await openRedisStore({ url: redis.url, botId: '1' }), await openRedisStore({ url: redis.url, botId: '1' })];
    onTestFinished(() => second.close());
    const { openPool } = await openCatalogue(eight, first);
    const before = await voicesOf(await openPool(), members);
    const other = await openPool(second);
    expect(await voicesOf(other, members.toReversed())).toEqual(before);
    expect([...before.values()]).not.toContain((await other(MEMBERS[50] ?? ''))[0]?.id);
  });
});
