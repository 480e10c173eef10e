// /settings: the panel of a server's admins.
import { type APIMessage, ComponentType, type ModalSubmitInteraction, PermissionFlagsBits } from 'discord.js';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { TRANSCRIPT_PERMISSIONS } from '../../src/discord/permissions.ts';
import { en } from '../../src/locales/index.ts';
import { COMMON_CODES } from '../../src/locales/language-names.ts';
import { readCap } from '../../src/settings/forms.ts';
import { changeLines, compareSettings, undoImport, wrongValues } from '../../src/settings/import.ts';
import { NO_VOICE, settingsPanel } from '../../src/settings/panel.ts';
import { type Panel, sections } from '../../src/settings/panel-parts.ts';
import { createSettings, type GuildSettings } from '../../src/store/settings.ts';
import { anyCharacter, anyTranslator } from '../helpers/arbitrary-text.ts';
import { expectWithinLimits } from '../helpers/discord-limits.ts';
import { isEphemeral, type Member, partsOf, textOf } from '../helpers/member.ts';
import { useParley } from '../helpers/parley.ts';

/** The label of what is chosen in the menu with this placeholder. */
function chosenIn(message: APIMessage, placeholder: string): string {
  const menus = partsOf(message.components).filter((part) => part.type === ComponentType.StringSelect);
  const chosen = menus.find((menu) => menu.placeholder === placeholder)?.options.find((option) => option.default);
  return chosen?.label ?? '';
}

describe('the panel of any settings', () => {
  const text = fc.oneof(fc.string({ unit: anyCharacter, maxLength: 300 }), fc.constant(''), fc.constant('*`_~|'.repeat(100)));
  const id = fc.bigInt({ min: 1n, max: 2n ** 64n - 1n }).map(String);
  const ids = fc.array(id, { maxLength: 60 });
  // Input is trimmed, and an empty one is not an id.
  const voiceId = fc.string({ unit: anyCharacter, minLength: 1, maxLength: 150 }).filter((typed) => typed.trim() !== '');
  const voice = fc.record({ id: voiceId, title: fc.option(text) });
  const budget = fc.option(fc.nat(Number.MAX_SAFE_INTEGER));
  const cap = fc.oneof(fc.nat(), fc.constant(Number.POSITIVE_INFINITY));
  const settings: fc.Arbitrary<GuildSettings> = fc.record({
    voice: fc.option(voice),
    channelVoices: fc.dictionary(id, voice),
    volume: fc.double({ min: 0, max: 2, noNaN: true }),
    lengthCap: fc.option(fc.integer({ min: 1, max: 2000 })),
    ...{ roles: ids, channels: ids, voiceChannels: ids, muted: ids },
    ...{ voiceMakerRoles: ids, readerRoles: ids, dictionaryRoles: ids },
    reading: fc.record({
      always: fc.array(fc.record({ textChannelId: id, voiceChannelId: id }), { maxLength: 60 }),
      who: fc.constantFrom('everyone' as const, 'listeners' as const),
      roles: ids,
      bots: fc.boolean(),
      names: fc.boolean(),
      reactions: fc.boolean(),
      maxDelay: fc.integer({ min: 3, max: 30 }),
      ignorePrefix: fc.string({ unit: anyCharacter, maxLength: 10 }),
    }),
    transcripts: fc.record({
      channels: ids,
      who: fc.constantFrom('asked' as const, 'everyone' as const),
      ...{ spoiler: fc.boolean(), files: fc.boolean() },
      longest: fc.integer({ min: 1, max: 60 }),
      language: fc.option(fc.string({ unit: anyCharacter, minLength: 1, maxLength: 20 })),
    }),
    captions: fc.record({
      ...{ starters: ids, channels: ids, excluded: ids },
      consent: fc.constantFrom('kept' as const, 'each' as const),
      place: fc.constantFrom('chat' as const, 'thread' as const),
      language: fc.option(fc.string({ unit: anyCharacter, minLength: 1, maxLength: 20 })),
    }),
    ...{ stay: fc.boolean(), showText: fc.boolean(), language: fc.option(fc.constantFrom('en', 'de')) },
    ...{ guildBudget: budget, memberBudget: budget, guildMinutes: budget, memberMinutes: budget },
  });
  const caps = fc.record({ member: cap, guild: cap });
  const panel: fc.Arbitrary<Panel> = fc
    .record({
      settings,
      section: fc.constantFrom(...sections, 'reset' as const),
      target: fc.oneof(fc.constant('server'), id),
      voices: fc.array(voice, { maxLength: 60 }),
      typed: fc.option(text, { nil: undefined }),
      defaultVoice: fc.option(text),
      budgets: fc.record({ speech: caps, transcription: caps }),
      choosesVoiceMakers: fc.boolean(),
      guildName: text,
      messageAccess: fc.constantFrom('on' as const, 'off' as const, 'refused' as const),
      languages: fc.uniqueArray(fc.constantFrom('en', 'de', 'pt-BR', 'zh', ...COMMON_CODES)),
      missing: fc.subarray([...TRANSCRIPT_PERMISSIONS]),
      exists: fc.boolean(),
    })
    .map(({ exists, typed, missing, ...rest }) => ({
      ...rest,
      lacksFor: () => missing,
      ...(typed === undefined ? {} : { typed }),
      hasRole: () => exists,
      hasChannel: () => exists,
    }));

  it('keeps to the limits', () => {
    fc.assert(
      fc.property(anyTranslator, panel, (t, facts) => {
        expectWithinLimits(settingsPanel(t, facts));
      }),
    );
  });

  it('keeps to the limits, too, when it asks about an import and when it offers to undo it', () => {
    const wrong = fc.array(fc.tuple(text, fc.string({ unit: anyCharacter })), { maxLength: 30 });
    fc.assert(
      fc.property(anyTranslator, panel, settings, wrong, (t, facts, imported, values) => {
        const change = compareSettings(facts.settings, imported as GuildSettings);
        const lines = [...changeLines(t, facts.settings, change), t('settings.importWrong', { values: wrongValues(t, values) })];
        expectWithinLimits(settingsPanel(t, { ...facts, section: 'import', question: { lines, key: 'k'.repeat(16) } }));
        expectWithinLimits(settingsPanel(t, { ...facts, section: 'voices', news: t('settings.imported'), undoKey: 'k'.repeat(16) }));
        expect(undoImport(imported as GuildSettings, change)).toEqual(facts.settings);
      }),
    );
  });
});

describe('a number that is written into a form', () => {
  const read = (written: string) =>
    readCap({ fields: { getTextInputValue: () => written } } as unknown as ModalSubmitInteraction).lengthCap;

  it.each(['1200', ' 1200 ', '1 200', '1,200', '1.200', "1'200", '1’200', '1\u202f200', '01200'])('is read in %j', (written) => {
    expect(read(written)).toBe(1200);
  });

  it.each(['1.5', '1,5', '1.25', '12,50', '1.2000', '0.500', '1,200.5', '1.', '.5', '1 2', '1e3', '-5', '٣'])(
    'is wanted as a whole one where %j is written',
    (written) => {
      expect(() => read(written)).toThrow('must be a whole number');
    },
  );

  it('may be the least and the most that there is, and nothing beyond', () => {
    expect([read('1'), read('2000')]).toEqual([1, 2000]);
    for (const beyond of ['0', '2001']) expect(() => read(beyond)).toThrow('from 1 to 2,000');
  });

  it('is empty if nothing is entered', () => {
    expect(read('  ')).toBeNull();
  });
});

describe('/settings', () => {
  const parley = useParley();
  const store = () => createSettings(parley.store);
  const stored = () => store().guild(parley.discord.guildId);

  beforeEach(() => store().resetGuild(parley.discord.guildId));

  /** This admin's panel, with its actions, each of which returns the updated panel. */
  async function open(who: Member = parley.member) {
    const interaction = await who.run('settings');
    let panel = await interaction.message((message) => textOf(message) !== '');
    const changed = async (act: Promise<{ answered(): Promise<void> }>, fits: (message: APIMessage) => boolean) => {
      await (await act).answered();
      panel = await who.sees((message) => message.id === panel.id && fits(message));
      return panel;
    };
    const field = (name: string, message = panel) =>
      new RegExp(`^\\*\\*${name}\\*\\*: (.*)$`, 'm').exec(textOf(message))?.[1] ?? chosenIn(message, name);
    const has = (name: string, value: string) => (message: APIMessage) => field(name, message).includes(value);
    return {
      field,
      panel: () => panel,
      show: (section: string, menu: string) =>
        changed(who.select(panel, 'settings:section', section), (message) => JSON.stringify(message.components).includes(menu)),
      choose: (menu: string, values: string | string[], name: string, value: string) =>
        changed(who.select(panel, menu, values), has(name, value)),
      click: (label: string, name: string, value: string) => changed(who.click(panel, label), has(name, value)),
      see: (fits: (message: APIMessage) => boolean, act: Promise<{ answered(): Promise<void> }>) => changed(act, fits),
      async fill(button: string, fields: Record<string, string>, name: string, value: string) {
        const form = await who.click(panel, button);
        return changed(who.submitModal(form, fields), has(name, value));
      },
      async refuses(button: string, fields: Record<string, string>) {
        const form = await who.click(panel, button);
        return (await who.submitModal(form, fields)).sentence();
      },
    };
  }

  it('shows the settings of the server only to the admin', async () => {
    const { panel, field, show } = await open();
    expect(isEphemeral(panel())).toBe(true);
    await show('speaking', 'settings:volume');
    expect(field(en('settings.names.volume'))).toBe('Volume: 100%');
    await show('access', 'settings:roles');
    expect(field(en('settings.names.roles'))).toBe('everyone');
    await show('budgets', 'settings:budgets');
    expect(field(en('settings.names.guildSpeech'))).toBe('100,000 characters');
    expect(field(en('settings.names.memberSpeech'))).toBe('20,000 characters');
  });

  it('sets and resets the voice of the server and of a channel, found by its title', async () => {
    const lounge = parley.discord.channelId('Lounge');
    const admin = await open();
    const search = async (typed: string) => {
      const form = await parley.member.click(admin.panel(), en('settings.search'));
      await admin.see(
        (message) => JSON.stringify(message.components).includes(`for “${typed}”`),
        parley.member.submitModal(form, { title: typed }),
      );
    };
    await search('clar');
    await admin.choose('settings:voice:server', 'Clara', en('settings.names.voice'), 'Clara');
    await admin.see(
      (message) => JSON.stringify(message.components).includes(`settings:voice:${lounge}`),
      parley.member.select(admin.panel(), 'settings:target', lounge),
    );
    await search('rober');
    await admin.choose(`settings:voice:${lounge}`, 'Robert', en('settings.names.channelVoices'), `<#${lounge}> Robert`);
    expect(await stored()).toMatchObject({
      voice: { id: 'clara', title: 'Clara' },
      channelVoices: { [lounge]: { id: 'robert', title: 'Robert' } },
    });
    await admin.choose(`settings:voice:${lounge}`, NO_VOICE, en('settings.names.channelVoices'), 'none');
    expect((await stored()).channelVoices).toEqual({});
  });

  it('shows no voices of channels that were deleted, and keeps them no longer than to the next change', async () => {
    const { discord } = parley;
    const lounge = discord.channelId('Lounge');
    const voice = { id: 'robert', title: 'Robert' };
    const deleted = Array.from({ length: 8 }, (_, place) => String(10n ** 17n + BigInt(place)));
    const channelVoices = Object.fromEntries([...deleted, lounge].map((id) => [id, voice]));
    await store().changeGuild(discord.guildId, (before) => ({ ...before, channelVoices }));
    const admin = await open();
    expect(admin.field(en('settings.names.channelVoices'))).toBe(`<#${lounge}> Robert`);
    expect(Object.keys((await stored()).channelVoices)).toHaveLength(9);
    await admin.show('speaking', 'settings:volume');
    await admin.choose('settings:volume', '150', en('settings.names.volume'), '150%');
    expect((await stored()).channelVoices).toEqual({ [lounge]: voice });
  });

  it('reports an unknown voice, and accepts anything that looks like an id', async () => {
    const admin = await open();
    expect(await admin.refuses(en('settings.search'), { title: 'no such voice' })).toContain('I can’t find a voice called `no such voice`');
    const form = await parley.member.click(admin.panel(), en('settings.search'));
    await admin.see(
      (message) => JSON.stringify(message.components).includes(en('settings.asId', { id: '0123456789abcdef' })),
      parley.member.submitModal(form, { title: '0123456789abcdef' }),
    );
    await admin.choose('settings:voice:server', 'id:0123456789abcdef', en('settings.names.voice'), '0123456789abcdef');
    expect((await stored()).voice).toEqual({ id: '0123456789abcdef', title: null });
  });

  it('changes how I speak', async () => {
    const admin = await open();
    await admin.show('speaking', 'settings:volume');
    await admin.choose('settings:volume', '150', en('settings.names.volume'), '150%');
    await admin.fill('settings:cap', { lengthCap: '1,200' }, en('settings.names.lengthCap'), '1,200 characters');
    expect(await admin.refuses('settings:cap', { lengthCap: '2001' })).toContain('must be a whole number from 1 to 2,000');
    await admin.click('settings:set:showText:0', en('settings.names.showText'), en('settings.isOff'));
    await admin.click('settings:set:stay:1', en('settings.names.stay'), en('settings.isOn'));
    expect(await stored()).toMatchObject({ volume: 1.5, lengthCap: 1200, showText: false, stay: true });
    await admin.fill('settings:cap', { lengthCap: '' }, en('settings.names.lengthCap'), '2,000 characters');
    expect((await stored()).lengthCap).toBeNull();
  });

  it('keeps roles, channels and mutes, and two admins do not undo each other’s', async () => {
    const { discord, other } = parley;
    const [singers, poets] = [discord.addRole('Singers', 0n), discord.addRole('Poets', 0n)];
    const general = discord.channelId('general');
    const [one, two] = [await open(), await open()];
    await one.show('access', 'settings:roles');
    await two.show('access', 'settings:roles');
    await one.choose('settings:roles', [singers], en('settings.names.roles'), singers);
    // Drawn before the other's choice: what that added stays.
    await two.choose('settings:roles', [poets], en('settings.names.roles'), `<@&${singers}> <@&${poets}>`);
    await two.choose('settings:roles', [poets], en('settings.names.roles'), `<@&${poets}>`);
    await two.choose('settings:channels', [general], en('settings.names.channels'), `<#${general}>`);
    await two.choose('settings:muted', [other.client.userId], en('settings.names.muted'), `<@${other.client.userId}>`);
    expect(await stored()).toMatchObject({ roles: [poets], channels: [general], muted: [other.client.userId] });
    await store().changeGuild(discord.guildId, (before) => ({ ...before, roles: [...before.roles, '123456789012345678'] }));
    await two.choose('settings:roles', [poets, singers], en('settings.names.roles'), `<@&${poets}> <@&${singers}>`);
    await two.choose('settings:roles', [], en('settings.names.roles'), 'everyone');
    expect((await stored()).roles).toEqual([]);
  });

  it('remembers which channels are voice channels, shows deleted ones, and drops them with the next choice', async () => {
    const { discord } = parley;
    const [general, random, workshop] = ['general', 'random', 'Workshop'].map((name) => discord.channelId(name)) as [
      string,
      string,
      string,
    ];
    const admin = await open();
    await admin.show('access', 'settings:channels');
    await admin.choose('settings:channels', [general, workshop], en('settings.names.channels'), `<#${general}> <#${workshop}>`);
    expect(await stored()).toMatchObject({ channels: [general, workshop], voiceChannels: [workshop] });
    discord.deleteChannel(workshop);
    await admin.choose('settings:roles', [], en('settings.names.channels'), `<#${general}> a deleted voice channel`);
    expect(await stored()).toMatchObject({ channels: [general, workshop], voiceChannels: [workshop] });
    await admin.choose('settings:channels', [general, random], en('settings.names.channels'), `<#${general}> <#${random}>`);
    expect(await stored()).toMatchObject({ channels: [general, random], voiceChannels: [] });
  });

  it('tightens budgets, and loosens none', async () => {
    const admin = await open();
    await admin.show('budgets', 'settings:budgets');
    await admin.fill(
      'settings:budgets',
      { guildBudget: '5 000', memberMinutes: '30' },
      en('settings.names.guildSpeech'),
      '5,000 characters',
    );
    expect(admin.field(en('settings.names.guildTranscription'))).toBe('600 minutes');
    expect(admin.field(en('settings.names.memberTranscription'))).toBe('30 minutes');
    expect(await admin.refuses('settings:budgets', { memberBudget: '20001' })).toContain('from 0 to 20,000');
    expect(await stored()).toMatchObject({ guildBudget: 5000, memberBudget: null, guildMinutes: null, memberMinutes: 30 });
    await admin.fill('settings:budgets', { memberMinutes: '0' }, en('settings.names.memberTranscription'), 'off');
  });

  it('works after a restart, exports the settings, and resets them after a confirmation', async () => {
    const admin = await open();
    await admin.show('speaking', 'settings:volume');
    await parley.restartBot();
    await admin.choose('settings:volume', '50', en('settings.names.volume'), '50%');
    const exported = await parley.member.click(admin.panel(), en('settings.exportButton'));
    const { components } = await exported.message((message) => textOf(message) !== '');
    const [file] = partsOf(components).flatMap((part) => (part.type === ComponentType.File ? [part.file.url] : []));
    expect(await (await fetch(file ?? '')).json()).toEqual(await stored());
    await admin.see((message) => textOf(message).includes('You can’t undo this'), parley.member.click(admin.panel(), 'Reset'));
    await admin.click(en('settings.resetYes'), en('settings.names.voice'), en('settings.defaultVoice'));
    expect(await parley.store.get(`guild:${parley.discord.guildId}`)).toBeNull();
  });

  /** Submits a file. */
  async function submit(admin: Awaited<ReturnType<typeof open>>, file: unknown) {
    const { member } = parley;
    const form = await member.click(admin.panel(), 'settings:import');
    const content = typeof file === 'string' ? file : JSON.stringify(file);
    return member.submitModal(form, { file: member.upload('parley-settings.json', Buffer.from(content)) });
  }

  it('imports what was exported after a confirmation, except for what this server does not have, and refuses anything else', async () => {
    const { discord } = parley;
    const admin = await open();
    await store().changeGuild(discord.guildId, (before) => ({ ...before, volume: 0.3, lengthCap: 700 }));
    const singers = discord.addRole('Singers', 0n);
    const exported = {
      ...(await stored()),
      volume: 1.7,
      stay: true,
      roles: [singers, '123456789012345678'],
      channels: ['123456789012345679', discord.channelId('general')],
    };
    for (const file of ['nonsense', '[]', '{"something":"else"}', 'null'])
      expect(await (await submit(admin, file)).sentence()).toContain('I can’t read `parley-settings.json` as settings');
    expect(await (await submit(admin, 'x'.repeat(300_000))).sentence()).toContain('parley-settings.json');
    const question = await admin.see((message) => textOf(message).includes(en('settings.importQuestion')), submit(admin, exported));
    expect(textOf(question)).toContain('Left out: 2 roles and channels');
    expect(textOf(question)).toContain('**Volume**: 30% → 170%');
    expect(textOf(question)).not.toContain(en('settings.names.lengthCap'));
    expect((await stored()).volume).toBe(0.3);
    await admin.see(
      (message) => textOf(message).includes(en('settings.imported')),
      parley.member.click(admin.panel(), en('settings.importYes')),
    );
    expect(await stored()).toEqual({ ...exported, roles: [singers], channels: [discord.channelId('general')] });
  });

  it('imports limits whose roles and channels the server doesn’t have as they are, since without them there would be no limit', async () => {
    const { discord } = parley;
    const admin = await open();
    const [lounge, role, text, voice] = [discord.channelId('Lounge'), ...['70', '71', '72'].map((end) => `1234567890123456${end}`)] as [
      string,
      string,
      string,
      string,
    ];
    await store().changeGuild(discord.guildId, (before) => ({ ...before, captions: { ...before.captions, channels: [lounge] } }));
    const file = {
      ...{ roles: [role], channels: [discord.channelId('general'), text, voice], voiceChannels: [voice] },
      reading: { roles: [role] },
      captions: { starters: [role], channels: [voice], excluded: [role] },
    };
    const question = await admin.see((message) => textOf(message).includes(en('settings.importQuestion')), submit(admin, file));
    expect(textOf(question)).toContain('Left out: 2 roles and channels');
    await admin.see(
      (message) => textOf(message).includes(en('settings.imported')),
      parley.member.click(admin.panel(), en('settings.importYes')),
    );
    expect(await stored()).toMatchObject({
      ...{ roles: [role], channels: [discord.channelId('general'), voice], voiceChannels: [voice] },
      reading: { roles: [role] },
      captions: { starters: [role], channels: [voice], excluded: [] },
    });
  });

  it('keeps captions limited to a voice channel that is deleted, and says so, until others are chosen', async () => {
    const { discord } = parley;
    const [lounge, stage] = [discord.channelId('Lounge'), '123456789012345673'];
    await store().changeGuild(discord.guildId, (before) => ({ ...before, captions: { ...before.captions, channels: [stage] } }));
    const admin = await open();
    await admin.show('captions', 'settings:captions:channels');
    expect(admin.field('Captions allowed in')).toBe('a deleted voice channel');
    await admin.show('speaking', 'settings:volume');
    await admin.choose('settings:volume', '150', 'Volume', '150%');
    expect((await stored()).captions.channels).toEqual([stage]);
    await admin.show('captions', 'settings:captions:channels');
    await admin.choose('settings:captions:channels', [lounge], 'Captions allowed in', `<#${lounge}>`);
    expect((await stored()).captions.channels).toEqual([lounge]);
  });

  it('names wrong values in a file, leaves alone what isn’t in it, and undoes an import but not what was changed since', async () => {
    const { discord, member } = parley;
    const admin = await open();
    await store().changeGuild(discord.guildId, (before) => ({ ...before, volume: 0.3, lengthCap: 700 }));
    const before = await stored();
    for (const [file, named] of [
      [{ volume: 5000 }, '`volume` = `5000`'],
      [{ volume: 0.3, loudness: 1 }, '`loudness` = `1`'],
      [
        { language: 'tlh', reading: { maxDelay: '9', who: 'me' } },
        '`reading.maxDelay` = `"9"`, `reading.who` = `"me"`, `language` = `"tlh"`',
      ],
      [{ muted: ['Sam'] }, '`muted` = `["Sam"]`'],
    ] as const) {
      const sentence = await (await submit(admin, file)).sentence();
      expect(sentence).toContain('would change a setting. I didn’t change anything.');
      expect(sentence).toContain(named);
    }
    expect(await stored()).toEqual(before);
    const file = { volume: 0.5, showText: false, reading: { bots: true }, stay: 'yes' };
    /** Each question, and each button for undoing, has a key of its own. */
    const keys = new Set([undefined as string | undefined]);
    const seeNew = async (sentence: string, act: Parameters<typeof admin.see>[1]) => {
      const keyIn = (message: APIMessage) => /settings:(?:import-now|undo):([\w-]+)/.exec(JSON.stringify(message.components))?.[1];
      const seen = await admin.see((message) => textOf(message).includes(sentence) && !keys.has(keyIn(message)), act);
      keys.add(keyIn(seen));
      return seen;
    };
    const ask = () => seeNew(en('settings.importQuestion'), submit(admin, file));
    const confirm = () => seeNew(en('settings.imported'), member.click(admin.panel(), en('settings.importYes')));
    const question = await ask();
    expect(textOf(question)).toContain('`stay` = `"yes"`');
    await admin.click(en('settings.cancel'), en('settings.names.voice'), en('settings.defaultVoice'));
    expect(await stored()).toEqual(before);
    await ask();
    await confirm();
    const imported = { ...before, volume: 0.5, showText: false, reading: { ...before.reading, bots: true } };
    expect(await stored()).toEqual(imported);
    // Sealed, for a quarter of an hour.
    const kept = await Array.fromAsync(parley.store.entries());
    const texts = kept.filter(({ key }) => key.startsWith(`text:${member.client.userId}:`));
    for (const { value, expiresAt } of texts) {
      expect(JSON.stringify(value)).not.toContain('volume');
      expect((expiresAt ?? Number.POSITIVE_INFINITY) - Date.now()).toBeLessThanOrEqual(15 * 60_000);
    }
    expect(texts.length).toBeGreaterThan(0);
    await store().changeGuild(discord.guildId, (now) => ({ ...now, showText: true, lengthCap: 900 }));
    await admin.see((message) => textOf(message).includes('Undone.'), member.click(admin.panel(), en('dictionary.undo')));
    expect(await stored()).toEqual({ ...before, showText: true, lengthCap: 900 });
    // Some time later.
    await ask();
    await confirm();
    await parley.store.deleteAll('text:');
    expect(await (await member.click(admin.panel(), en('dictionary.undo'))).sentence()).toContain('too late to undo');
  });

  it('sets the language of public replies, and leaves private ones in the member’s own', async () => {
    const admin = await open();
    await admin.show('speaking', 'settings:language');
    await admin.choose('settings:language', 'en', en('settings.names.language'), 'Language: English');
    expect((await stored()).language).toBe('en');
    await admin.choose('settings:language', 'server', en('settings.names.language'), en('settings.serverOwn'));
    expect((await stored()).language).toBeNull();
  });

  it('finds private voices only for operators, even if others manage the server', async () => {
    const { discord, other, member } = parley;
    discord.setRoles(other.client.userId, [discord.addRole('Helpers', PermissionFlagsBits.ManageGuild)]);
    const helper = await open(other);
    expect(await helper.refuses(en('settings.search'), { title: 'My robot' })).toContain('I can’t find a voice called `My robot`');
    discord.setRoles(other.client.userId, []);
    const admin = await open();
    const form = await member.click(admin.panel(), en('settings.search'));
    const found = await admin.see(
      (message) => JSON.stringify(message.components).includes('for “My robot”'),
      member.submitModal(form, { title: 'My robot' }),
    );
    expect(JSON.stringify(found.components)).toContain('id:my-robot');
  });

  it('asks for the permission each time, for the message may outlive it', async () => {
    const { discord, other } = parley;
    const admins = discord.addRole('Admins', PermissionFlagsBits.ManageGuild);
    discord.setRoles(other.client.userId, [admins]);
    const admin = await open(other);
    await admin.show('speaking', 'settings:volume');
    const form = await other.click(admin.panel(), 'settings:cap');
    discord.setRoles(other.client.userId, []);
    for (const interaction of [
      await other.select(admin.panel(), 'settings:volume', '0'),
      await other.submitModal(form, { lengthCap: '1' }),
    ])
      expect(await interaction.sentence()).toContain('You need **Manage Server**');
    expect(await stored()).toMatchObject({ volume: 1, lengthCap: null });
  });
});
