// /privacy: what is stored about members, and that it is deleted when they ask.

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createDictionaries } from '../../src/dictionary/dictionaries.ts';
import { en } from '../../src/locales/index.ts';
import { deleteMemberData } from '../../src/privacy/deletion.ts';
import { deletedNotice, deleteQuestion, privacyMessage } from '../../src/privacy/view.ts';
import { createPersistedChannels, forgetStarter } from '../../src/reading/persisted-channels.ts';
import { createVoiceAssignments } from '../../src/reading/voice-pool.ts';
import { openSqliteStore } from '../../src/store/index.ts';
import { createSettings } from '../../src/store/settings.ts';
import { openSpeechCache } from '../../src/synthesis/cache.ts';
import { createVoiceOwners } from '../../src/voice-catalogue/owners.ts';
import { anyCharacter, anyTranslator, hostileTexts } from '../helpers/arbitrary-text.ts';
import { expectTaken } from '../helpers/discord-limits.ts';
import { makeFolder } from '../helpers/folder.ts';
import { isEphemeral, type Member, partsOf, textOf } from '../helpers/member.ts';
import { type Parley, startParley } from '../helpers/parley.ts';
import { startTestVoiceService, type TestVoiceService } from '../helpers/voice-service.ts';

const DAY_MS = 24 * 3600_000;
const NOW = 20_000 * DAY_MS + 1;
const MB = 1024 * 1024;

describe('forgetting a member', () => {
  it('keeps today’s usage, and the data of others and of servers', async () => {
    const store = openSqliteStore(':memory:', () => NOW);
    onTestFinished(() => store.close());
    const settings = createSettings(store);
    const dictionaries = createDictionaries(store);
    const keptVoices = createVoiceAssignments(store, () => NOW);
    const reading = createPersistedChannels(store);
    const speech = { forget: async () => ({ count: 2, everywhere: true }) } as never;
    const spent = (day: number, rest: string) => `spent:${day}:speech:${rest}`;
    for (const member of ['12', '123']) {
      await settings.changeMember(member, (before) => ({ ...before, speed: 1.5 }));
      await dictionaries.change({ userId: member }, () => [{ word: 'GIF', spoken: 'jif', language: null }]);
      await keptVoices.save('7', member, { en: 'clara' });
      await reading.add('7', { textChannelId: `text-${member}`, voiceChannelId: 'lounge', startedBy: member });
      for (const day of [20_000, 19_999, 19_998]) {
        await store.increment(spent(day, `member:${member}`), 5);
        await store.increment(spent(day, `member:${member}:7`), 5);
      }
    }
    await store.increment(spent(19_999, 'guild:7'), 5);
    await settings.changeGuild('7', (before) => ({ ...before, muted: ['12'] }));

    const voiceOwners = createVoiceOwners(store);
    const voiceMaker = { forget: async () => {} };
    const voiceRemoval = { remove: async () => true };
    const voiceMessages = { deleteOf: async () => {} };
    const words = { removals: { leftOf: async () => [] } };
    const captions = { forget: async () => {} };
    const data = { settings, dictionaries, speech, store, voiceOwners, voiceMaker, voiceRemoval, voiceMessages, captions, words };
    expect(await deleteMemberData(data, '12', NOW)).toMatchObject({ sounds: 2, everywhere: true, voices: 0, voicesLeft: 0 });
    const names = (await store.list('')).map(([name]) => name);
    expect(names.filter((name) => /:12\b/.test(name))).toEqual([spent(20_000, 'member:12'), spent(20_000, 'member:12:7')]);
    expect(names.filter((name) => /:123\b/.test(name))).toHaveLength(12);
    expect(names).toContain(spent(19_999, 'guild:7'));
    expect((await settings.guild('7')).muted).toEqual(['12']);
    // Others still listen to what the member has had read.
    expect((await reading.load('7')).channels).toEqual([
      { textChannelId: 'text-12', voiceChannelId: 'lounge', startedBy: '' },
      { textChannelId: 'text-123', voiceChannelId: 'lounge', startedBy: '123' },
    ]);
    await reading.remove('7', () => true);
    expect(await store.list('reading')).toHaveLength(2);
  });

  it('finds the channels that an earlier version has noted', async () => {
    const store = openSqliteStore(':memory:', () => NOW);
    onTestFinished(() => store.close());
    const reading = createPersistedChannels(store);
    const channel = { textChannelId: 'text', voiceChannelId: 'lounge', startedBy: '12' };
    await store.set('reading:7', [channel]);
    await reading.noteStarters('7', (await reading.load('7')).channels);
    await forgetStarter(store, '12');
    expect(await store.list('')).toEqual([['reading:7', [{ ...channel, startedBy: '' }]]]);
  });
});

describe('the list of stored data', () => {
  const reader = {
    memberId: '1',
    isOperator: false,
    readAloud: true,
    transcribed: null,
    entries: 0,
    agreedIn: 0,
    voices: [],
    wordsLeft: [],
  };

  it('stays within the limits, for any host and any cache', () => {
    const keeping = fc.record({
      voiceService: fc.option(fc.oneof(fc.domain(), fc.string({ maxLength: 400 }))),
      cacheBytes: fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
      onLocalDiscord: fc.boolean(),
    });
    const consent = fc.record({ kind: fc.constant('own' as const), memberId: fc.constant('1'), at: fc.nat() });
    const title = fc.oneof(fc.string({ unit: anyCharacter, maxLength: 100 }), fc.constantFrom(...Object.values(hostileTexts)));
    const voice = fc.record({
      ...{ id: fc.uuid(), ownerId: fc.constantFrom('1', '2'), title, description: title, createdAt: fc.nat() },
      ...{ sharedWith: fc.constant<string[]>([]), consent },
    });
    const wordsLeft = fc.array(fc.constantFrom('locked' as const, 'forbidden' as const, 'failed' as const, null), { maxLength: 3 });
    const anybody = fc.record({
      ...{ memberId: fc.constant('1'), isOperator: fc.boolean(), readAloud: fc.boolean(), entries: fc.nat(50) },
      ...{ transcribed: fc.option(fc.boolean()), agreedIn: fc.nat(50) },
      ...{ voices: fc.array(voice, { maxLength: 12 }), wordsLeft },
    });
    const counts = fc.record({ sounds: fc.nat(), everywhere: fc.boolean(), voices: fc.nat(), voicesLeft: fc.nat(), wordsLeft });
    fc.assert(
      fc.property(anyTranslator, keeping, anybody, counts, (t, kept, member, deleted) => {
        const question = deleteQuestion(t, kept, member);
        for (const message of [privacyMessage(t, kept, member), question, deletedNotice(t, deleted)]) {
          expectTaken(message);
        }
      }),
    );
  });

  it('lists the voices of those who have made some, and offers operators to empty a cache that holds something', () => {
    const told = (member: object, cacheBytes: number) =>
      JSON.stringify(privacyMessage(en, { voiceService: null, cacheBytes, onLocalDiscord: false }, { ...reader, ...member }));
    const consent = { kind: 'own' as const, memberId: reader.memberId, at: 0 };
    const voice = { id: 'v', ownerId: reader.memberId, title: 'Calm', description: '', createdAt: 0, sharedWith: [], consent };
    expect(told({ voices: [voice] }, 0)).toContain('Yours: ');
    expect(told({ voices: [] }, 0)).not.toContain('Yours: ');
    expect(told({ isOperator: true }, 1)).toContain(en('privacy.emptyButton'));
    expect(told({ isOperator: true }, 0)).not.toContain(en('privacy.emptyButton'));
  });

  it('names the host that texts and recordings go to', () => {
    const told = (voiceService: string | null) =>
      JSON.stringify(privacyMessage(en, { voiceService, cacheBytes: 0, onLocalDiscord: false }, reader));
    expect(told('voice.example')).toContain('voice service at `voice.example`');
    expect(told(null)).toContain(en('privacy.sentOnOwnMachine'));
  });

  it('says that the local Discord keeps messages for a day, only if that is where it is read', () => {
    const told = (onLocalDiscord: boolean) =>
      JSON.stringify(privacyMessage(en, { voiceService: null, cacheBytes: 0, onLocalDiscord }, reader));
    expect(told(true)).toContain(en('privacy.localMessages'));
    expect(told(false)).not.toContain('local Discord');
    expect(told(false)).toContain(en('privacy.messages'));
  });
});

describe('/privacy', () => {
  let service: TestVoiceService;
  let parley: Parley;

  beforeAll(async () => {
    service = await startTestVoiceService();
    parley = await startParley({ service, cacheBytes: 4 * MB });
  });
  afterAll(async () => {
    await parley.close();
    await service.close();
  });

  async function say(who: Member, text: string, options = {}): Promise<string> {
    const interaction = await who.run('say', { text, send_as: 'message', ...options });
    return textOf(await interaction.message((message) => /characters|cached/.test(textOf(message))));
  }

  async function ask(who: Member) {
    const interaction = await who.run('privacy');
    const message = await interaction.message((one) => textOf(one) !== '');
    expect(isEphemeral(message)).toBe(true);
    return message;
  }

  /** Clicks through a question. */
  async function agree(who: Member, first: string, yes: string, done: string): Promise<string> {
    const message = await ask(who);
    await who.click(message, first);
    const question = await who.sees(
      (one) => one.id === message.id && partsOf(one.components).some((part) => 'label' in part && part.label === yes),
    );
    await who.click(question, yes);
    return textOf(await who.sees((one) => one.id === message.id && textOf(one).includes(done)));
  }

  const noted = async (who: Member) => (await parley.store.list(`sound:${who.client.userId}:`)).length;

  it('deletes the data of one member only, after a confirmation', async () => {
    const { member, other } = parley;
    const settings = createSettings(parley.store);
    await settings.changeMember(other.client.userId, (before) => ({ ...before, favourites: [{ id: 'a', title: 'A' }] }));
    await say(other, 'Mine.');
    await say(member, 'Not.');
    await expect.poll(() => Promise.all([noted(other), noted(member)])).toEqual([1, 1]);
    expect(await say(other, 'Mine.')).toContain(en('say.fromCache'));

    expect(await agree(other, en('privacy.deleteButton'), en('privacy.deleteYes'), 'Done')).toContain('1 cached sound');
    expect([await noted(other), await noted(member)]).toEqual([0, 1]);
    expect((await settings.member(other.client.userId)).favourites).toEqual([]);
    expect(await say(other, 'Mine.')).not.toContain(en('say.fromCache'));
    expect(await say(member, 'Not.')).toContain(en('say.fromCache'));
  });

  it('leaves neither the member nor their voices readable in any file, but for the use of today', async () => {
    const { other, store, dataDir } = parley;
    const { userId } = other.client;
    const voice = { id: '0123456789abcdef0123456789abcdef', title: 'Told to nobody' };
    const settings = createSettings(store);
    for (const speed of [0.5, 1, 1.5])
      await settings.changeMember(userId, (before) => ({ ...before, speed, voice, favourites: [voice], recent: [voice] }));
    const before = await noted(other);
    const [spokenIn] = (await parley.api.listModels({ pageSize: 1 })).items;
    await say(other, 'Secret.', { voice: spokenIn?.id ?? '' });
    await expect.poll(() => noted(other)).toBe(before + 1);
    const bytesOf = async () => {
      const files = (await readdir(dataDir, { recursive: true, withFileTypes: true })).filter((one) => one.isFile());
      return Promise.all(files.map((one) => readFile(join(one.parentPath, one.name), 'latin1')));
    };
    // A file may be renamed while they are read: then they are read again.
    await expect.poll(async () => (await bytesOf()).filter((bytes) => bytes.includes(voice.id)).length).toBeGreaterThan(0);

    await agree(other, en('privacy.deleteButton'), en('privacy.deleteYes'), 'Done');
    const all = (await bytesOf()).join('\n');
    for (const told of [voice.id, voice.title, String(spokenIn?.id)]) expect(all).not.toContain(told);
    const today = new RegExp(`(?:spent:${Math.floor(Date.now() / DAY_MS)}:speech:member:)?${userId}`, 'g');
    expect([...all.matchAll(today)].map(([found]) => found).filter((found) => found === userId)).toEqual([]);
  });

  it('lets only operators empty the cache of sound', async () => {
    const { member, other } = parley;
    const seen = await ask(other);
    expect(JSON.stringify(seen.components)).not.toContain('Empty the sound cache');
    await say(member, 'Kept.');
    expect(await agree(member, en('privacy.emptyButton'), en('privacy.emptyYes'), 'Done')).toContain('The sound cache is empty');
    expect(await parley.store.list('sound:')).toEqual([]);
    expect(await say(member, 'Kept.')).not.toContain(en('say.fromCache'));
  });

  it('works in direct messages', async () => {
    const dm = await parley.other.inDm();
    expect(textOf(await ask(dm))).toContain(en('privacy.kept'));
  });
});

describe('the sounds of a member', () => {
  it('are deleted from the disk, the one that is being written included', async () => {
    const directory = await makeFolder();
    const cache = await openSpeechCache({ directory, maxBytes: MB, service: 'a' });
    const key = cache.keyOf('said');
    const recording = cache.record(key);
    recording.add(new Uint8Array(100));
    recording.save();
    await cache.delete(key);
    expect((await readdir(directory)).filter((name) => name.endsWith('.packets'))).toEqual([]);
    expect(cache.bytes).toBe(0);
    await cache.close();
  });
});
