// /voice mine: what members do with the voices that they have made, and that nothing of a deleted one is left, here or at the service.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { APIMessage } from 'discord.js';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ApiError } from '../../src/api/index.ts';
import { en } from '../../src/locales/index.ts';
import { createSettings } from '../../src/store/settings.ts';
import { createVoiceOwners, type OwnVoice } from '../../src/voice-catalogue/owners.ts';
import { filesOf, isEphemeral, labelsOf, type Member, textOf } from '../helpers/member.ts';
import { type Parley, startParley } from '../helpers/parley.ts';
import { startTestVoiceService, type TestVoiceService } from '../helpers/voice-service.ts';
import { type FlakyProxy, startFlakyProxy } from '../load/flaky-proxy.ts';
import { createGatedEngines, makeVoice } from './made-voices.ts';

const MB = 1024 * 1024;
const engines = createGatedEngines();
let service: TestVoiceService;
let proxy: FlakyProxy;
let parley: Parley;
let sam: Member;

beforeAll(async () => {
  service = await startTestVoiceService({ engines });
  proxy = await startFlakyProxy(service.url);
  const retries = { attempts: 1 };
  // The calls themselves wait for longer than any test.
  const timeouts = { headers: 3600_000 };
  const behindProxy = { url: proxy.url, key: service.key };
  parley = await startParley({ service: behindProxy, retries, timeouts, cacheBytes: 4 * MB, voiceMakers: 'everyone' });
  sam = parley.other;
});
afterAll(async () => {
  await parley.close();
  await proxy.close();
  await service.close();
  await engines.close();
});
afterEach(async () => {
  proxy.state = 'well';
  for (const { id } of await owners().all()) {
    await parley.api.deleteModel(id).catch(() => {});
    await owners().remove(id);
  }
  for (const { client } of [parley.member, sam]) await settings().resetMember(client.userId);
});

const owners = () => createVoiceOwners(parley.store);
const settings = () => createSettings(parley.store);
const settingsOf = (who: Member) => settings().member(who.client.userId);
const hasModel = ({ id }: OwnVoice) =>
  parley.api.getModel(id).then(
    () => true,
    (error: ApiError) => error.kind !== 'not-found',
  );

async function listMine(who = sam): Promise<APIMessage> {
  return (await who.run('voice mine')).message((message) => textOf(message).includes('### Your voices'));
}

/** The same message, once it is as it should be. */
const becomes = ({ id }: APIMessage, text: string, who = sam) => who.sees((message) => message.id === id && textOf(message).includes(text));

async function deleteIt(list: APIMessage, answer: string): Promise<APIMessage> {
  await sam.click(list, en('ownVoices.mine.delete'));
  await sam.click(await becomes(list, 'You can’t undo this.'), en('ownVoices.mine.deleteYes'));
  return becomes(list, answer);
}

describe('the list', () => {
  it('says how to make a voice to those who have none', async () => {
    const list = await listMine();
    expect(isEphemeral(list)).toBe(true);
    expect(textOf(list)).toContain(en('ownVoices.mine.none'));
    expect(labelsOf(list)).toEqual([]);
  });

  it('shows each voice with what can be done with it, to its owner alone', async () => {
    await makeVoice(parley, sam, { title: 'Samuel of the north' });
    const list = await listMine();
    expect(textOf(list)).toContain('**Samuel of the north**\n-# Only you can use it · made <t:');
    expect(labelsOf(list)).toEqual([
      en('voices.hear'),
      en('voices.choices.mine.off'),
      en('ownVoices.mine.edit'),
      en('ownVoices.mine.share'),
      en('ownVoices.mine.delete'),
    ]);
    expect(textOf(await listMine(parley.member))).toContain(en('ownVoices.mine.none'));
  });

  it('says which voices cannot speak', async () => {
    const train = engines.hold();
    const gone = await makeVoice(parley, sam, { title: 'Lost', isUntrained: true });
    await parley.api.deleteModel(gone.id);
    await makeVoice(parley, sam, { title: 'Not yet', isUntrained: true });
    const list = await listMine();
    expect(textOf(list)).toMatch(/\*\*Lost\*\*[^*]*The voice service doesn’t have it anymore/);
    expect(textOf(list)).toMatch(/\*\*Not yet\*\*[^*]*Still in training/);
    expect(labelsOf(list)).toEqual([
      en('ownVoices.mine.share'),
      en('ownVoices.mine.delete'),
      en('ownVoices.mine.edit'),
      en('ownVoices.mine.share'),
      en('ownVoices.mine.delete'),
    ]);
    train();
  });

  it('does not wait for a service that is silent', async () => {
    const train = engines.hold();
    await makeVoice(parley, sam, { title: 'Not yet', isUntrained: true });
    proxy.state = 'hangs';
    // It waits for three seconds.
    const wait = AbortSignal.timeout;
    const timeouts = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => wait.call(AbortSignal, ms === 3_000 ? 100 : ms));
    const list = textOf(await listMine());
    timeouts.mockRestore();
    expect(list).toContain('Not yet');
    expect(list).not.toContain('Still in training');
    train();
  });
});

describe('a voice of one’s own', () => {
  it('is heard, and becomes the member’s voice until it is given up, after a restart too', async () => {
    const voice = await makeVoice(parley, sam, { title: 'Samuel' });
    const list = await listMine();
    const heard = await sam.click(list, en('voices.hear'));
    expect(textOf(await heard.message((message) => filesOf(message).length > 0))).toContain('Samuel');
    await parley.restartBot();
    await sam.click(list, en('voices.choices.mine.off'));
    const used = await becomes(list, '**Samuel** is your voice now');
    expect((await settingsOf(sam)).voice).toEqual({ id: voice.id, title: 'Samuel' });
    await sam.click(used, en('voices.choices.mine.on'));
    await becomes(list, 'isn’t your voice anymore');
    expect((await settingsOf(sam)).voice).toBeNull();
  });

  it('gets another title and a description, everywhere', async () => {
    const { member } = parley;
    const { guildId } = parley.discord;
    const voice = await makeVoice(parley, sam, { title: 'Samuel', sharedWith: [guildId] });
    await settings().changeMember(member.client.userId, (before) => ({ ...before, favourites: [{ id: voice.id, title: 'Samuel' }] }));
    await settings().changeGuild(guildId, (before) => ({ ...before, voice: { id: voice.id, title: 'Samuel' } }));
    const list = await listMine();
    const form = await sam.click(list, en('ownVoices.mine.edit'));
    await sam.submitModal(form, { title: 'The *wanderer*', description: 'Low, and a little hoarse.' });
    const renamed = await becomes(list, 'Saved **The \\*wanderer\\***.');
    expect(textOf(renamed)).toContain('**The \\*wanderer\\***\nLow, and a little hoarse.');
    const model = await parley.api.getModel(voice.id);
    expect(model.title).toBe('The *wanderer*');
    expect(model.description).toContain('Low, and a little hoarse.');
    expect((await settings().guild(guildId)).voice?.title).toBe('The *wanderer*');
    expect((await member.autocomplete('say', 'voice', 'wanderer'))[0]).toMatchObject({ value: voice.id });
    // Others' choices follow within 10 minutes, or with the next start.
    await parley.restartBot();
    await expect.poll(async () => (await settingsOf(member)).favourites).toEqual([{ id: voice.id, title: 'The *wanderer*' }]);
    await expect.poll(() => parley.store.list('own-voice-renamed:')).toEqual([]);
    await settings().resetGuild(guildId);
  });

  it('keeps its title if that is refused, the service is down, or the note of it cannot be changed', async () => {
    const train = engines.hold();
    const voice = await makeVoice(parley, sam, { title: 'Samuel', isUntrained: true });
    const list = await listMine();
    const rename = async (title: string) => (await sam.submitModal(await sam.click(list, en('ownVoices.mine.edit')), { title })).sentence();
    expect(await rename(' \u200b ')).toContain(en('ownVoices.create.titleMissing'));
    proxy.state = 'refuses';
    expect(await rename('Unheard')).toContain('voice service');
    proxy.state = 'well';
    const store = new DatabaseSync(join(parley.dataDir, 'parley.db'));
    store.exec(`CREATE TRIGGER full BEFORE UPDATE ON entries WHEN NEW.key LIKE 'own-voice:%' BEGIN SELECT RAISE(ABORT, 'disk full'); END`);
    try {
      expect(await rename('Half way')).not.toBe('');
    } finally {
      store.exec('DROP TRIGGER full');
      store.close();
    }
    await expect.poll(async () => (await parley.api.getModel(voice.id)).title).toBe('Samuel');
    expect((await owners().find(voice.id))?.title).toBe('Samuel');
    train();
  });

  it('is shared with a server, and no longer its voice once that ends', async () => {
    const { guildId, channelId } = { guildId: parley.discord.guildId, channelId: parley.discord.channelId('Lounge') };
    const voice = await makeVoice(parley, sam, { title: 'Samuel' });
    const list = await listMine();
    await sam.click(list, en('ownVoices.mine.share'));
    const shared = await becomes(list, 'Everyone in this server can pick **Samuel**');
    expect(textOf(shared)).toContain('-# Everyone in this server can use it');
    expect((await owners().find(voice.id))?.sharedWith).toEqual([guildId]);
    const named = { id: voice.id, title: 'Samuel' };
    await settings().changeGuild(guildId, (before) => ({ ...before, voice: named, channelVoices: { [channelId]: named } }));
    const said = await parley.member.run('say', { text: 'Good morning.', send_as: 'file' });
    expect(textOf(await said.message((message) => filesOf(message).length > 0))).toContain('Samuel');
    await sam.click(shared, en('ownVoices.mine.unshare'));
    await becomes(list, '**Samuel** isn’t shared anymore');
    expect((await owners().find(voice.id))?.sharedWith).toEqual([]);
    expect(await settings().guild(guildId)).toMatchObject({ voice: null, channelVoices: {} });
  });

  it('is no longer shared with any server if that is ended in direct messages', async () => {
    const train = engines.hold();
    const sharedWith = [parley.discord.guildId, '123456789012345678'];
    const voice = await makeVoice(parley, sam, { title: 'Samuel', sharedWith, isUntrained: true });
    const dm = await sam.inDm();
    const list = await listMine(dm);
    expect(textOf(list)).toContain('Everyone in 2 other servers can use it');
    await dm.click(list, en('ownVoices.mine.unshare'));
    await becomes(list, 'isn’t shared anymore', dm);
    expect((await owners().find(voice.id))?.sharedWith).toEqual([]);
    train();
  });
});

describe('deleting a voice', () => {
  const cachedFiles = async () => (await readdir(join(parley.dataDir, 'cache'))).filter((name) => name.endsWith('.packets')).length;

  it('asks first, and deletes it here and at the service, with everybody’s choice of it and the sound cached in it', async () => {
    const { member } = parley;
    const { guildId } = parley.discord;
    const voice = await makeVoice(parley, sam, { title: 'Samuel', sharedWith: [guildId] });
    const named = { id: voice.id, title: 'Samuel' };
    await settings().changeGuild(guildId, (before) => ({ ...before, voice: named }));
    await settings().changeMember(member.client.userId, (before) => ({ ...before, voice: named, favourites: [named], recent: [named] }));
    const before = await cachedFiles();
    for (const [who, text] of [
      [sam, 'Kept.'],
      [member, 'Too.'],
    ] as const) {
      await who.listen();
      const said = await who.run('say', { text, voice: voice.id });
      await said.message((message) => textOf(message).includes('Spoken'));
    }
    await expect.poll(cachedFiles).toBe(before + 2);
    const list = await listMine();
    await sam.click(list, en('ownVoices.mine.delete'));
    await sam.click(await becomes(list, 'You can’t undo this.'), en('ownVoices.mine.cancel'));
    expect(await hasModel(voice)).toBe(true);
    await deleteIt(await listMine(), en('ownVoices.mine.deleted', { title: 'Samuel' }));
    expect(await hasModel(voice)).toBe(false);
    expect(await cachedFiles()).toBe(before);
    expect((await settings().guild(guildId)).voice).toBeNull();
    // Others' choices follow within 10 minutes, or with the next start.
    await parley.restartBot();
    await expect.poll(async () => JSON.stringify(await parley.store.list(''))).not.toContain(voice.id);
    expect(await settingsOf(member)).toMatchObject({ voice: null, favourites: [], recent: [] });
    const said = await member.run('say', { text: 'Who am I now?', send_as: 'file' });
    expect(textOf(await said.message((message) => filesOf(message).length > 0))).not.toContain('Samuel');
    expect(await (await sam.click(list, en('ownVoices.mine.edit'))).sentence()).toContain(en('ownVoices.mine.gone'));
  });

  it('also deletes one that is being trained', async () => {
    const train = engines.hold();
    // Whoever deletes a second one gets no review right away, which would do the same.
    await makeVoice(parley, sam, { title: 'First', isUntrained: true });
    await deleteIt(await listMine(), en('ownVoices.mine.deleted', { title: 'First' }));
    const voice = await makeVoice(parley, sam, { title: 'Unborn', isUntrained: true });
    await deleteIt(await listMine(), en('ownVoices.mine.deleted', { title: 'Unborn' }));
    expect(await hasModel(voice)).toBe(false);
    train();
    const files = (await readdir(parley.dataDir, { withFileTypes: true })).filter((one) => one.isFile());
    const kept = await Promise.all(files.map(({ name }) => readFile(join(parley.dataDir, name), 'latin1')));
    expect(kept.join('\n')).not.toContain('Unborn');
  });

  it('keeps nothing of what is spoken in it at that moment', async () => {
    const voice = await makeVoice(parley, sam, { title: 'Samuel' });
    await sam.listen();
    const before = await cachedFiles();
    const text = 'Spoken while its voice goes.';
    const said = await sam.run('say', { text, voice: voice.id });
    await said.message((message) => textOf(message).includes(en('say.speaking')));
    await deleteIt(await listMine(), en('ownVoices.mine.deleted', { title: 'Samuel' }));
    await said.message((message) => /Spoken \(|Cut off/.test(textOf(message)));
    expect(await cachedFiles()).toBe(before);
    expect(await parley.store.list('voice-sound:')).toEqual([]);
  });

  it('works while the service is down: nobody can use the voice, and it is deleted there after the next start', async () => {
    const { guildId } = parley.discord;
    const voice = await makeVoice(parley, sam, { title: 'Samuel', sharedWith: [guildId] });
    const list = await listMine();
    proxy.state = 'refuses';
    const later = await deleteIt(list, 'is deleted here, so nobody can use it anymore');
    expect(textOf(later)).toContain('I’ll keep trying');
    expect(textOf(later)).toContain(en('ownVoices.mine.none'));
    proxy.state = 'well';
    expect(await hasModel(voice)).toBe(true);
    for (const who of [sam, parley.member]) {
      const refused = await who.run('say', { text: 'Hello?', voice: voice.id, send_as: 'file' });
      expect(await refused.sentence()).toContain('I can’t find a voice called');
    }
    expect(await parley.store.get(`own-voice:${voice.id}`)).toEqual({ id: voice.id, isDeleted: true, isGone: false });
    await parley.restartBot();
    await expect.poll(() => hasModel(voice)).toBe(false);
    await expect.poll(() => parley.store.list('own-voice:')).toEqual([]);
  });
});

describe('/privacy', () => {
  let train: () => void;
  beforeAll(() => {
    train = engines.hold();
  });
  afterAll(() => train());

  async function agree(who: Member): Promise<string> {
    const message = await (await who.run('privacy')).message((one) => textOf(one).includes(en('privacy.title')));
    await who.click(message, en('privacy.deleteButton'));
    const question = await becomes(message, 'You can’t undo this.', who);
    await who.click(question, 'privacy:delete-now');
    return `${textOf(question)}\n${textOf(await becomes(message, 'Done.', who))}`;
  }

  it('lists a member’s voices, and deletes them with the rest', async () => {
    const voices: OwnVoice[] = [];
    for (const title of ['Samuel', 'Samantha']) voices.push(await makeVoice(parley, sam, { title, isUntrained: true }));
    const shown = await (await sam.run('privacy')).message((one) => textOf(one).includes(en('privacy.title')));
    expect(textOf(shown)).toContain('Yours: Samuel, Samantha.');
    const told = await agree(sam);
    expect(told).toContain('This also deletes 2 voices that you made or that use your recordings');
    expect(told).toContain('2 voices are gone, too.');
    for (const voice of voices) expect(await hasModel(voice)).toBe(false);
    const left = JSON.stringify(await parley.store.list('own-voice'));
    for (const told of [sam.client.userId, 'Samuel', 'Samantha']) expect(left).not.toContain(told);
    await parley.restartBot();
    await expect.poll(() => parley.store.list('own-voice')).toEqual([]);
  });

  it('deletes the voices that others made of a member’s recordings', async () => {
    const { member } = parley;
    const voice = await makeVoice(parley, sam, { title: 'Robin, recorded', isUntrained: true });
    const consent = { kind: 'speaker', memberId: member.client.userId, at: Date.now() } as const;
    await owners().change(voice.id, (before) => ({ ...before, consent }));
    const shown = await (await member.run('privacy')).message((one) => textOf(one).includes(en('privacy.title')));
    expect(textOf(shown)).toContain('1 voice of another member is made from your recording');
    expect(await agree(member)).toContain('1 voice is gone, too.');
    expect(await hasModel(voice)).toBe(false);
  });

  it('says so if the service cannot delete them yet', async () => {
    const voice = await makeVoice(parley, sam, { title: 'Samuel', isUntrained: true });
    proxy.state = 'refuses';
    expect(await agree(sam)).toContain('The voice service couldn’t delete 1 voice just now. Nobody can use it anymore');
    expect(JSON.stringify(await parley.store.list('own-voice:'))).not.toContain(sam.client.userId);
    proxy.state = 'well';
    await parley.restartBot();
    await expect.poll(() => hasModel(voice)).toBe(false);
  });
});
