// /dictionary: entries of a server and of members, who may change them, and that they are heard.
import { type APIMessage, ComponentType, PermissionFlagsBits } from 'discord.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { createDictionaries } from '../../src/dictionary/dictionaries.ts';
import { en } from '../../src/locales/index.ts';
import { createSettings } from '../../src/store/settings.ts';
import { filesOf, isEphemeral, type Member, partsOf, textOf } from '../helpers/member.ts';
import { openingOf } from '../helpers/openings.ts';
import { useParley } from '../helpers/parley.ts';

const HEADER = 'word,say_as,language';

describe('/dictionary', () => {
  const parley = useParley({}, { cacheBytes: 4 * 1024 * 1024 });
  const dictionaries = () => createDictionaries(parley.store);
  const ofServer = () => dictionaries().entries({ guildId: parley.discord.guildId });
  const ofMember = (who: Member) => dictionaries().entries({ userId: who.client.userId });
  const add = async (who: Member, options: Record<string, string>) => (await who.run('dictionary add', options)).sentence();

  beforeEach(async () => {
    await dictionaries().clear({ guildId: parley.discord.guildId });
    for (const who of [parley.member, parley.other]) await dictionaries().clear({ userId: who.client.userId });
  });

  it('is heard: the word is said as its entry says', async () => {
    const { member, api } = parley;
    expect(await add(member, { word: 'wdyt', say_as: 'dinner' })).toContain(en('dictionary.added.server'));
    const interaction = await member.run('say', { text: 'We have WDYT at ten.', voice: 'clara', send_as: 'file' });
    const reply = await interaction.message((message) => filesOf(message).length > 0);
    expect(textOf(reply)).toContain('have WDYT at');
    const audio = Buffer.from(await (await fetch(filesOf(reply)[0]?.url ?? '')).arrayBuffer());
    const { text } = await api.transcribe({ audio, filename: 'heard.mp3', contentType: 'audio/mpeg' });
    expect(text).toBe('We have dinner at ten.');
  });

  it('makes what was said before another sound, and the same sound free again', async () => {
    const { member } = parley;
    const say = async () => {
      const interaction = await member.run('say', { text: 'lol', send_as: 'message' });
      return textOf(await interaction.message((message) => /characters|cached/.test(textOf(message))));
    };
    expect(await say()).not.toContain(en('say.fromCache'));
    await expect.poll(say).toContain(en('say.fromCache'));
    await add(member, { word: 'LOL', say_as: 'haha' });
    const changed = await say();
    expect(changed).toContain('4 characters');
    expect(changed).not.toContain('cached');
    await expect.poll(say).toContain(en('say.fromCache'));
    await member.listen();
    // A replay is said as the dictionary is now.
    const interaction = await member.run('say', { text: 'lol' });
    const reply = await interaction.message((message) => textOf(message).includes(openingOf('say.spoken')));
    await add(member, { word: 'LOL', say_as: 'ha ha' });
    const replay = await member.select(reply, en('say.moreMenu'), en('say.replay'));
    expect(textOf(await replay.message((message) => textOf(message).includes(openingOf('say.spoken'))))).toContain('5 characters');
  });

  it('lets a member’s own entry count before the server’s', async () => {
    const { member, other } = parley;
    await add(member, { word: 'gif', say_as: 'jif' });
    expect(await add(other, { word: 'GIF', say_as: 'a moving picture' })).toContain(en('dictionary.added.me'));
    const charged = async (who: Member) => {
      const interaction = await who.run('say', { text: 'gif', send_as: 'file' });
      return textOf(await interaction.message((message) => filesOf(message).length > 0));
    };
    expect(await charged(other)).toContain('16 characters');
    expect(await charged(member)).toContain('3 characters');
  });

  it('is cut where what is spoken gets too long', async () => {
    const { member, discord, store } = parley;
    await add(member, { word: 'aaa', say_as: 'one two three four five six seven eight nine ten' });
    await createSettings(store).changeGuild(discord.guildId, (before) => ({ ...before, lengthCap: 40 }));
    const interaction = await member.run('say', { text: 'aaa', send_as: 'file' });
    const text = textOf(await interaction.message((message) => filesOf(message).length > 0));
    expect(text).toContain(en('say.shortened'));
    await createSettings(store).resetGuild(discord.guildId);
  });

  it('applies entries of one language in that language only', async () => {
    const { member } = parley;
    await add(member, { word: 'chat', say_as: 'un petit animal', language: 'fr' });
    expect(await add(member, { word: 'rot', say_as: 'red wine', language: 'German' })).toContain('(German)');
    const say = async (text: string) => {
      const interaction = await member.run('say', { text, send_as: 'file', voice: 'clara' });
      return textOf(await interaction.message((message) => filesOf(message).length > 0));
    };
    await expect.poll(() => say('chat rot')).toContain('8 characters');
    const tested = await member.run('dictionary test', { word: 'chat' });
    expect(textOf(await tested.message((message) => /Spoken \(|cached|characters/.test(textOf(message))))).toMatch(/15 characters/);
  });

  it('says what was changed, and undoes it', async () => {
    const { member } = parley;
    await add(member, { word: 'brb', say_as: 'be right back' });
    const interaction = await member.run('dictionary add', { word: 'BRB', say_as: 'back soon' });
    const reply = await interaction.message((message) => textOf(message).includes('Changed'));
    expect(isEphemeral(reply)).toBe(true);
    expect(textOf(reply)).toBe('Changed in the server’s dictionary.\n**BRB** → back soon\n-# Before: be right back');
    await member.click(reply, en('dictionary.undo'));
    await member.sees((message) => message.id === reply.id && textOf(message).includes('Undone'));
    expect(await ofServer()).toEqual([{ word: 'brb', spoken: 'be right back', language: null }]);

    const removal = await member.run('dictionary remove', { word: 'Brb' });
    const removed = await removal.message((message) => textOf(message).includes('Removed'));
    expect(await ofServer()).toEqual([]);
    await member.click(removed, en('dictionary.undo'));
    await expect.poll(ofServer).toHaveLength(1);
    expect(await (await member.run('dictionary remove', { word: 'nothing' })).sentence()).toContain(
      '`nothing` isn’t in the server’s dictionary',
    );
  });

  it.each([
    ['no letter', { word: '!?!', say_as: 'x' }, 'The word has no letter or digit'],
    ['nothing to say', { word: 'x', say_as: '…' }, 'There’s nothing to say for the word'],
    ['an unknown language', { word: 'x', say_as: 'y', language: 'Klingonese' }, 'I don’t know this language'],
  ])('refuses %s', async (_, options, sentence) => {
    expect(await add(parley.member, options as Record<string, string>)).toContain(sentence);
    expect(await ofServer()).toEqual([]);
  });

  it('keeps what an entry would do in a message from being done', async () => {
    const reply = await add(parley.member, { word: '**@everyone** <@&1>', say_as: '[x](https://evil.example) || hidden ||' });
    expect(reply).not.toMatch(/@everyone|<@|https|\|\|/);
  });

  it('takes a thousand entries of a server and fifty of a member, also if two add at once', async () => {
    const { member, other, discord } = parley;
    const many = (count: number) => Array.from({ length: count }, (_, index) => ({ word: `w${index}`, spoken: 'x', language: null }));
    await dictionaries().change({ guildId: discord.guildId }, () => many(999));
    await dictionaries().change({ userId: other.client.userId }, () => many(50));
    const admins = discord.addRole('Admins', PermissionFlagsBits.ManageGuild);
    discord.setRoles(other.client.userId, [admins]);
    const answers = await Promise.all([add(member, { word: 'one', say_as: '1' }), add(other, { word: 'two', say_as: '2' })]);
    expect(answers.filter((answer) => answer.includes('is full: it holds 1,000 entries'))).toHaveLength(1);
    expect(await ofServer()).toHaveLength(1000);
    discord.setRoles(other.client.userId, []);
    expect(await add(other, { word: 'more', say_as: 'x' })).toContain('Your dictionary is full: it holds 50 entries');
    expect(await add(other, { word: 'W7', say_as: 'seven' })).toContain('Changed');
  });

  it('is changed by admins and by chosen roles, and each member’s own by themselves', async () => {
    const { member, other, discord } = parley;
    expect(await add(other, { word: 'gif', say_as: 'x', for: 'server' })).toContain(en('dictionary.adminsOnly'));
    const poets = discord.addRole('Poets', 0n);
    const settings = await member.run('settings');
    const panel = await settings.message((message) => textOf(message).includes(openingOf('settings.title')));
    await member.select(panel, 'settings:section', 'access');
    const access = await member.sees(
      (message) => message.id === panel.id && JSON.stringify(message.components).includes('dictionaryRoles'),
    );
    await member.select(access, 'settings:dictionaryRoles', poets);
    await expect.poll(async () => (await createSettings(parley.store).guild(discord.guildId)).dictionaryRoles).toEqual([poets]);
    expect(await add(other, { word: 'gif', say_as: 'x', for: 'server' })).toContain(`**Manage Server** or <@&${poets}>`);
    discord.setRoles(other.client.userId, [poets]);
    expect(await add(other, { word: 'gif', say_as: 'jif' })).toContain(en('dictionary.added.server'));
    const interaction = await other.run('dictionary remove', { word: 'gif' });
    const removed = await interaction.message((message) => textOf(message).includes('Removed'));
    discord.setRoles(other.client.userId, []);
    expect(await (await other.click(removed, en('dictionary.undo'))).sentence()).toContain('to change the server’s dictionary');
    expect(await ofServer()).toEqual([]);
    expect(await add(other, { word: 'gif', say_as: 'jif' })).toContain(en('dictionary.added.me'));
    expect(await ofMember(other)).toHaveLength(1);
    await createSettings(parley.store).resetGuild(discord.guildId);
  });

  it('shows page after page, finds entries and removes them', async () => {
    const { member, discord } = parley;
    const many = Array.from({ length: 40 }, (_, index) => ({ word: `word${index + 10}`, spoken: `spoken ${index}`, language: null }));
    await dictionaries().change({ guildId: discord.guildId }, () => many);
    const interaction = await member.run('dictionary list');
    let shown = await interaction.message((message) => textOf(message).includes(en('dictionary.titles.server')));
    const until = async (fits: (message: APIMessage) => boolean) => {
      shown = await member.sees((message) => message.id === shown.id && fits(message));
    };
    expect(textOf(shown)).toContain('40 of 1,000 entries · Page 1 of 3');
    expect(textOf(shown)).toContain('**word10** → spoken 0');
    await member.click(shown, 'Next');
    await until((message) => textOf(message).includes('Page 2 of 3'));
    await member.select(shown, en('dictionary.removeMenu'), 'word25');
    await until((message) => textOf(message).includes('39 of 1,000'));
    expect(textOf(shown)).toContain('Page 2 of 3');
    await member.click(shown, en('dictionary.showMine'));
    await until((message) => textOf(message).includes('There’s nothing here yet'));
    const search = await member.run('dictionary list', { search: 'ORD4' });
    const found = await search.message((message) => textOf(message).includes('10 entries with `ORD4`'));
    expect(partsOf(found.components).filter((part) => part.type === ComponentType.Button).length).toBe(1);
    const others = await parley.other.run('dictionary list');
    const theirs = await others.message((message) => textOf(message).includes(en('dictionary.titles.server')));
    expect(partsOf(theirs.components).filter((part) => part.type === ComponentType.StringSelect)).toEqual([]);
  });

  it('offers entries and languages while a member types', async () => {
    const { member, discord } = parley;
    await dictionaries().change({ guildId: discord.guildId }, () => [{ word: 'GIF', spoken: 'jif', language: null }]);
    await dictionaries().change({ userId: member.client.userId }, () => [{ word: 'gist', spoken: 'jist', language: null }]);
    const gif = { name: 'GIF → jif', value: 'GIF' };
    expect(await member.autocomplete('dictionary remove', 'word', 'gi')).toEqual([gif]);
    expect(await member.autocomplete('dictionary remove', 'word', '', { for: 'me' })).toEqual([{ name: 'gist → jist', value: 'gist' }]);
    expect(await member.autocomplete('dictionary test', 'word', 'GI')).toEqual([gif, { name: 'gist → jist', value: 'gist' }]);
    expect(await member.autocomplete('dictionary add', 'language', 'germ')).toEqual([{ name: 'German', value: 'de' }]);
  });

  it('tests a word in the voice channel, or as a file, and says so if there is nothing to test', async () => {
    const { member } = parley;
    const added = await (await member.run('dictionary add', { word: 'gif', say_as: 'jif' })).message((message) => textOf(message) !== '');
    await member.listen();
    const spoken = await member.run('dictionary test', { word: 'GIF' });
    await spoken.message((message) => textOf(message).includes(openingOf('say.spoken')));
    const hearIt = async () => {
      const heard = await member.click(added, en('dictionary.hear'));
      return textOf(await heard.message((message) => textOf(message).includes(openingOf('say.spoken'))));
    };
    await expect.poll(hearIt).toContain('cached');
    await member.leaveVoice();
    const asFile = await member.click(added, en('dictionary.hear'));
    expect(isEphemeral(await asFile.message((message) => filesOf(message).length > 0))).toBe(true);
    const file = await member.run('dictionary test', { word: 'one gif' });
    const reply = await file.message((message) => filesOf(message).length > 0);
    expect(isEphemeral(reply)).toBe(true);
    expect(await (await member.run('dictionary test', { word: 'unheard' })).sentence()).toContain('No entry changes how I say `unheard`');
    await createSettings(parley.store).changeGuild(parley.discord.guildId, (before) => ({ ...before, muted: [member.client.userId] }));
    expect(await (await member.run('dictionary test', { word: 'gif' })).sentence()).toContain('switched off for you');
    await createSettings(parley.store).resetGuild(parley.discord.guildId);
  });

  describe('as a file', () => {
    const submit = async (
      who: Member,
      csv: string | Uint8Array,
      options: Record<string, string> = {},
      fields: Record<string, string> = {},
    ) => {
      const form = await who.run('dictionary import', options);
      return who.submitModal(form, { file: who.upload('words.csv', Buffer.from(csv as string)), ...fields });
    };

    it('is exported and imported again', async () => {
      const { member } = parley;
      await add(member, { word: 'GIF', say_as: 'jif "hard"' });
      await add(member, { word: 'LOL', say_as: 'laughing', language: 'en' });
      const exported = await member.run('dictionary export');
      const [file] = filesOf(await exported.message((message) => filesOf(message).length > 0));
      const csv = await (await fetch(file?.url ?? '')).text();
      expect(csv.replace(/^\ufeff/, '')).toBe('"word","say_as","language"\r\n"GIF","jif ""hard""",""\r\n"LOL","laughing","en"\r\n');
      const before = await ofServer();
      await (await submit(member, `${csv}BRB,back soon\r\n`)).message((message) => textOf(message).includes('1 entry added.'));
      expect(await ofServer()).toEqual([...before, { word: 'BRB', spoken: 'back soon', language: null }]);
      const instead = await submit(member, csv, {}, { mode: 'replace' });
      const reply = await instead.message((message) => textOf(message).includes('Imported 2 entries, replacing the previous 3.'));
      expect(await ofServer()).toEqual(before);
      await member.click(reply, en('dictionary.undo'));
      await expect.poll(ofServer).toHaveLength(3);
    });

    it('is taken as far as it goes, with a report of the rest', async () => {
      const { member } = parley;
      const answer = await submit(member, `${HEADER}\nGIF,jif\n!,x\nA,\ngif,again\n`);
      expect(await answer.sentence()).toBe(
        [
          'Imported. 1 entry added.',
          'I skipped 3 lines:',
          '-# Line 3: The word has no letter or digit. Write it the way people type it.',
          '-# Line 4: There’s nothing to say for the word. Write at least one letter or digit.',
          '-# Line 5: This word is already on an earlier line. I used that one.',
        ].join('\n'),
      );
      const long = Array.from({ length: 60 }, (_, index) => (index % 2 ? `w${index},x` : `w${index}`)).join('\n');
      const full = await submit(member, long, { for: 'me' });
      const reply = await full.message((message) => filesOf(message).some(({ name }) => name === 'not-imported.txt'));
      expect(textOf(reply)).toContain('30 entries added');
      const report = await (await fetch(filesOf(reply)[0]?.url ?? '')).text();
      expect(report.trim().split('\n')).toHaveLength(30);
      expect(await ofMember(member)).toHaveLength(30);
    });

    it.each([
      ['bytes of a picture', Uint8Array.of(0x89, 0x50, 0, 0, 0xff, 0xfe), '`words.csv` isn’t a text file in UTF-8'],
      ['Latin 1', Uint8Array.of(0x65, 0xe9, 0x2c, 0x78), '`words.csv` isn’t a text file in UTF-8'],
      ['nothing of use', 'one\ntwo\n', 'There’s nothing in `words.csv` that I can import'],
      ['more than a megabyte', 'a,b\n'.repeat(270_000), '`words.csv` is over 1 MB'],
    ])('that holds %s changes nothing', async (_, csv, sentence) => {
      const { member } = parley;
      await add(member, { word: 'GIF', say_as: 'jif' });
      expect(await (await submit(member, csv, {}, { mode: 'replace' })).sentence()).toContain(sentence);
      expect(await ofServer()).toHaveLength(1);
    });

    it('of ten thousand lines fills the dictionary, and no more', async () => {
      const { member } = parley;
      const lines = Array.from({ length: 10_000 }, (_, index) => `word${index},x`);
      const answer = await submit(member, lines.join('\n'));
      await answer.message((message) => textOf(message).includes(en('dictionary.unread.full', { line: 1001 })));
      expect(await ofServer()).toHaveLength(1000);
    });
  });

  it('is one’s own in direct messages', async () => {
    const dm = await parley.other.inDm();
    expect(await add(dm, { word: 'gif', say_as: 'a moving picture' })).toContain(en('dictionary.added.me'));
    expect(await add(dm, { word: 'gif', say_as: 'jif', for: 'server' })).toContain(en('dictionary.notInGuild'));
    const interaction = await dm.run('say', { text: 'gif', send_as: 'file' });
    expect(textOf(await interaction.message((message) => filesOf(message).length > 0))).toContain('16 characters');
    const listed = await dm.run('dictionary list');
    const shown = await listed.message((message) => textOf(message).includes(en('dictionary.titles.me')));
    expect(textOf(shown)).toContain('1 of 50 entries');
  });

  it('is counted in /privacy, and a member’s own is deleted there', async () => {
    const { other, member } = parley;
    await add(member, { word: 'lol', say_as: 'laughing' });
    for (const word of ['gif', 'brb']) await add(other, { word, say_as: 'x' });
    const interaction = await other.run('privacy');
    const message = await interaction.message((one) => textOf(one).includes('2 entries of yours'));
    await other.click(message, en('privacy.deleteButton'));
    const question = await other.sees((one) => one.id === message.id && textOf(one).includes('your dictionary'));
    await other.click(question, en('privacy.deleteYes'));
    await other.sees((one) => one.id === message.id && textOf(one).includes('Done'));
    expect(await ofMember(other)).toEqual([]);
    expect(await ofServer()).toHaveLength(1);
    const again = await (await other.run('privacy')).message((one) => textOf(one).includes('Dictionaries.'));
    expect(textOf(again)).not.toContain('of yours');
  });

  it('survives a restart', async () => {
    const { member } = parley;
    const interaction = await member.run('dictionary add', { word: 'gif', say_as: 'a moving picture' });
    const reply = await interaction.message((message) => textOf(message).includes('Added'));
    await parley.restartBot();
    const said = await member.run('say', { text: 'gif', send_as: 'file' });
    expect(textOf(await said.message((message) => filesOf(message).length > 0))).toContain('16 characters');
    await member.click(reply, en('dictionary.undo'));
    await expect.poll(ofServer).toEqual([]);
  });
});

describe('/dictionary import', () => {
  const parley = useParley({}, { cooldown: { burst: 1, perMs: 600_000 } });

  it('that comes too soon after another one is refused before the member is asked for a file', async () => {
    const { member } = parley;
    // Asking doesn't count.
    await member.run('dictionary import');
    const form = await member.run('dictionary import');
    const file = member.upload('words.csv', Buffer.from(`${HEADER}\nGIF,jif\n`));
    expect(await (await member.submitModal(form, { file })).sentence()).toContain('1 entry added.');
    expect(await (await member.run('dictionary import')).sentence()).toContain('too fast for me');
  });
});
