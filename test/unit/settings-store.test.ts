// How the settings of admins and members are stored.
import { beforeEach, describe, expect, it } from 'vitest';
import { openSqliteStore, type Store } from '../../src/store/index.ts';
import { createSettings, createSettingsSnapshot, type Settings } from '../../src/store/settings.ts';

let store: Store;
let settings: Settings;

beforeEach(() => {
  store = openSqliteStore(':memory:');
  settings = createSettings(store);
  return () => store.close();
});

describe('settings', () => {
  it('are what suits most before anybody has chosen', async () => {
    expect(await settings.guild('1')).toMatchObject({
      voice: null,
      volume: 1,
      roles: [],
      channels: [],
      muted: [],
      stay: false,
      showText: true,
      transcripts: { channels: [], who: 'asked', spoiler: false, files: false, longest: 5, language: null },
    });
    expect(await settings.member('1')).toEqual({ voice: null, favourites: [], recent: [], readAloud: true, transcribed: null, speed: 1 });
  });

  it('apply at once, and after the store is reopened', async () => {
    expect((await settings.changeGuild('1', (before) => ({ ...before, volume: 0.5 }))).volume).toBe(0.5);
    expect((await createSettings(store).guild('1')).volume).toBe(0.5);
    expect((await settings.guild('2')).volume).toBe(1);
  });

  it('lose no change that was made at the same time', async () => {
    const ids = Array.from({ length: 50 }, (_, index) => String(index));
    await Promise.all(ids.map((id) => settings.changeGuild('1', (before) => ({ ...before, muted: [...before.muted, id] }))));
    expect((await settings.guild('1')).muted.sort()).toEqual(ids.sort());
  });

  it('go on after a change that failed', async () => {
    const failing = settings.changeGuild('1', () => {
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await settings.changeGuild('1', (before) => ({ ...before, stay: true }));
    expect((await settings.guild('1')).stay).toBe(true);
  });

  it('keep the readable fields if one is not readable', async () => {
    await store.set('guild:1', {
      volume: 9,
      stay: true,
      roles: 'all',
      channels: ['3'],
      channelVoices: { 1: { id: 'a', title: null } },
      tomorrow: 1,
    });
    const found = await settings.guild('1');
    expect(found).toMatchObject({
      volume: 1,
      stay: true,
      roles: [],
      channels: ['3'],
      voiceChannels: [],
      channelVoices: { 1: { id: 'a', title: null } },
    });
  });

  it('are gone when they are reset, and those of others are not', async () => {
    await settings.changeMember('1', (before) => ({ ...before, speed: 2 }));
    await settings.changeMember('2', (before) => ({ ...before, speed: 2 }));
    await settings.resetMember('1');
    expect([(await settings.member('1')).speed, (await settings.member('2')).speed]).toEqual([1, 2]);
    expect(await store.get('member:1')).toBeNull();
  });
});

describe('a snapshot of the settings', () => {
  it('reads each server and member once, until this command changes them', async () => {
    const reads: string[] = [];
    const counted: Store = {
      ...store,
      get(key) {
        reads.push(key);
        return store.get(key);
      },
    };
    const snapshot = createSettingsSnapshot(createSettings(counted));
    await Promise.all([snapshot.guild('10'), snapshot.guild('10'), snapshot.member('20'), snapshot.member('20')]);
    await snapshot.guild('10');
    expect(reads).toEqual(['guild:10', 'member:20']);

    await snapshot.changeGuild('10', (guild) => ({ ...guild, volume: 0.5 }));
    await snapshot.changeMember('20', (member) => ({ ...member, speed: 2 }));
    expect(await snapshot.guild('10')).toMatchObject({ volume: 0.5 });
    expect(await snapshot.member('20')).toMatchObject({ speed: 2 });
    await snapshot.resetMember('20');
    expect(await snapshot.member('20')).toMatchObject({ speed: 1 });
  });
});
