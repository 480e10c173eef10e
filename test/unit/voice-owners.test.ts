// Whose voice is it: what is read to find out, voices that an earlier version of Parley noted, and what is left of deleted ones.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createLog } from '../../src/log.ts';
import { openSqliteStore } from '../../src/store/index.ts';
import { createSettings } from '../../src/store/settings.ts';
import { createVoiceOwners, type OwnVoice } from '../../src/voice-catalogue/owners.ts';
import { createVoiceRemoval } from '../../src/voice-catalogue/removal.ts';
import { makeFolder } from '../helpers/folder.ts';

const note = (id: string, ownerId: string, sharedWith: string[] = [], speakerId = ownerId): OwnVoice => ({
  id,
  ownerId,
  title: `Voice ${id}`,
  description: '',
  createdAt: 0,
  sharedWith,
  consent: { kind: 'speaker', memberId: speakerId, at: 0 },
});

function start(file = ':memory:') {
  const store = openSqliteStore(file);
  const voiceOwners = createVoiceOwners(store);
  const removal = createVoiceRemoval({
    ...{ store, voiceOwners, settings: createSettings(store), log: createLog('silent') },
    api: { deleteModel: () => Promise.resolve() },
    speech: { forgetVoice: () => Promise.resolve() },
  });
  onTestFinished(async () => {
    removal.close();
    await store.close();
  });
  return { store, voiceOwners, removal };
}

const idsOf = async (voices: Promise<OwnVoice[]>) => (await voices).map(({ id }) => id);

it('finds a member’s voices, and those shared with a server, without reading any other', async () => {
  const { store, voiceOwners } = start();
  for (let index = 0; index < 1000; index++) await voiceOwners.save(note(`other-${index}`, '9', ['90']));
  await voiceOwners.save(note('mine', '1'));
  await voiceOwners.save(note('shared', '2', ['10', '11']));
  await voiceOwners.save(note('of me', '2', [], '1'));
  const [listed, read] = [vi.spyOn(store, 'list'), vi.spyOn(store, 'get')];
  expect(await idsOf(voiceOwners.usableBy({ userId: '1', guildId: '10' }))).toEqual(['mine', 'shared']);
  expect(await idsOf(voiceOwners.usableBy({ userId: '', guildId: '11' }))).toEqual(['shared']);
  expect(await idsOf(voiceOwners.ofMember('1'))).toEqual(['mine']);
  expect((await idsOf(voiceOwners.concerning('1'))).sort()).toEqual(['mine', 'of me']);
  const lengths = await Promise.all(listed.mock.results.map(async ({ value }) => (await value).length));
  expect(Math.max(...lengths)).toBeLessThanOrEqual(2);
  expect(read.mock.calls.length).toBeLessThan(12);
});

it('keeps what it finds voices by in step with who may use them', async () => {
  const { store, voiceOwners } = start();
  await voiceOwners.save(note('a', '1', ['10']));
  await voiceOwners.change('a', (voice) => ({ ...voice, sharedWith: ['11'] }));
  expect(await idsOf(voiceOwners.usableBy({ userId: '2', guildId: '10' }))).toEqual([]);
  expect(await idsOf(voiceOwners.usableBy({ userId: '2', guildId: '11' }))).toEqual(['a']);
  await voiceOwners.unshareAll('11');
  expect(await idsOf(voiceOwners.usableBy({ userId: '2', guildId: '11' }))).toEqual([]);
  await voiceOwners.markDeleted('a');
  expect([await voiceOwners.ofMember('1'), await voiceOwners.made(['a', 'b'])]).toEqual([[], new Set(['a'])]);
  await voiceOwners.remove('a');
  expect(await store.list('')).toEqual([]);
});

it('finds the voices of an earlier version once they have been reviewed, whatever else is noted', async () => {
  const { store, voiceOwners, removal } = start();
  await store.set('own-voice:old', note('old', '1', ['10']));
  await store.set('own-voice:later', { isOfALaterVersion: true });
  await removal.review();
  expect(await idsOf(voiceOwners.ofMember('1'))).toEqual(['old']);
  expect(await idsOf(voiceOwners.usableBy({ userId: '2', guildId: '10' }))).toEqual(['old']);
  // Beside the other version, which knows nothing of that.
  await store.set('own-voice:newer', note('newer', '1'));
  await removal.review();
  expect((await idsOf(voiceOwners.ofMember('1'))).sort()).toEqual(['newer', 'old']);
  await store.delete('own-voice:old');
  expect(await idsOf(voiceOwners.ofMember('1'))).toEqual(['newer']);
});

it('removes a deleted voice, and an old title, from the choices of all members', async () => {
  const { store, voiceOwners, removal } = start();
  const settings = createSettings(store);
  for (const id of ['gone', 'renamed', 'kept']) await voiceOwners.save(note(id, '1', ['10']));
  const chosen = ['gone', 'renamed', 'kept'].map((id) => ({ id, title: `Voice ${id}` }));
  for (const id of ['1', '2']) await settings.changeMember(id, (member) => ({ ...member, favourites: chosen }));
  await settings.changeGuild('10', (guild) => ({ ...guild, voice: { id: 'gone', title: 'Voice gone' } }));
  await removal.remove('gone');
  await removal.rename('renamed', { title: 'New', description: '' });
  const after = [
    { id: 'renamed', title: 'New' },
    { id: 'kept', title: 'Voice kept' },
  ];
  // Whose voice it is, and where it is shared, needn't be looked for.
  expect([(await settings.member('1')).favourites, (await settings.guild('10')).voice]).toEqual([after, null]);
  await removal.review();
  expect((await settings.member('2')).favourites).toEqual(after);
  expect(JSON.stringify(await store.list(''))).not.toMatch(/Voice (gone|renamed)|own-voice-renamed|own-voice:gone/);
});

it('leaves nothing of a deleted voice in the files of the store', async () => {
  const dataDir = await makeFolder();
  const { voiceOwners, removal } = start(join(dataDir, 'store.sqlite'));
  await voiceOwners.save(note('gone', '1'));
  await voiceOwners.markDeleted('gone', true);
  const stored = async () =>
    (await Promise.all((await readdir(dataDir)).map((name) => readFile(join(dataDir, name), 'latin1')))).join('\n');
  expect(await stored()).toContain('Voice gone');
  await removal.review();
  expect(await stored()).not.toContain('Voice gone');
});
