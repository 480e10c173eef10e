// What /say's replies show and offer: buttons that work after a restart, the chosen voices, the text left out, and the price first.
import { type APIMessage, ComponentType, PermissionFlagsBits as P } from 'discord.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createUsageCounter } from '../../src/credit/usage.ts';
import { createSettings } from '../../src/settings/index.ts';
import { filesOf, isEphemeral, type Member, partsOf, statusOf, textOf, textsOf } from '../helpers/member.ts';
import { type Parley, startParley, useParley } from '../helpers/parley.ts';
import { startTestVoiceService, type TestVoiceService } from '../helpers/voice-service.ts';

const LONG = 'One two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen.';

type MemberInteraction = Awaited<ReturnType<Member['run']>>;
const says = (interaction: MemberInteraction, what: string) => interaction.message((message) => textOf(message).includes(what));

/** Of buttons, and of the menu's options. */
function labels(message: APIMessage): string[] {
  return partsOf(message.components).flatMap((part) => {
    if (part.type === ComponentType.StringSelect) return part.options.map(({ label }) => label);
    return 'label' in part ? [part.label ?? ''] : [];
  });
}

/** Chooses from the menu of a reply. */
const choose = (who: Member, message: APIMessage, action: string) => who.select(message, 'What next?', action);

const file = async (message: APIMessage) => new Uint8Array(await (await fetch(filesOf(message)[0]?.url ?? '')).arrayBuffer());

describe('the reply to /say', () => {
  const parley = useParley();
  const settings = () => createSettings(parley.store);

  afterEach(async () => {
    await settings().resetGuild(parley.discord.guildId);
    for (const { client } of [parley.member, parley.other]) await settings().resetMember(client.userId);
  });

  it('calls a mentioned member by name even if they have not done anything yet', async () => {
    const { member, other } = parley;
    await member.listen();
    const reply = await says(
      await member.run('say', { text: `Hello, <@${other.client.userId}>! And <@123456789012345678>!` }),
      'Spoken in',
    );
    expect(statusOf(reply)).toContain(` · ${'Hello, Sam! And someone!'.length} characters`);
  });

  it('lets its member and moderators end it while it lasts, then offers only what still makes sense', async () => {
    const { member, other, discord } = parley;
    await member.listen();
    const interaction = await member.run('say', { text: LONG });
    const live = await says(interaction, 'Speaking now');
    expect(labels(live)).toEqual(['Stop', 'Skip']);
    const second = await member.run('say', { text: LONG });
    const waiting = await says(second, 'Up next');
    expect(labels(waiting)).toEqual(['Cancel']);
    const robin = `<@${member.client.userId}>`;
    expect(await (await other.click(live, 'Stop')).sentence()).toBe(`Only ${robin} or a moderator can stop this.`);
    expect(await (await other.click(live, 'Skip')).sentence()).toBe(`Only ${robin} or a moderator can skip this.`);
    await member.click(live, 'Skip');
    const skipped = await says(interaction, 'Skipped');
    expect(labels(skipped)).toEqual(['Replay', 'Save as file', 'Say more']);
    for (const action of ['Replay', 'Save as file', 'Say more'])
      expect(await (await choose(other, skipped, action)).sentence()).toBe(`Only ${robin} or a moderator can do this.`);
    discord.setPermissions(discord.channelId('Lounge'), other.client.userId, { allow: P.ManageMessages });
    await other.click(await says(second, 'Speaking now'), 'Stop');
    await says(second, 'Stopped');
    discord.setPermissions(discord.channelId('Lounge'), other.client.userId, {});
  });

  it('is replayed, saved and continued after a restart, in the same voice and speed', async () => {
    const { member } = parley;
    await member.listen();
    const text = `It is **||me||**, <@${member.client.userId}>: https://example.org/a_b_c`;
    const first = await says(await member.run('say', { text, voice: 'clara', speed: 2 }), 'Spoken in');
    expect(textsOf(first)[1]).toMatch(/^It is .*█████.*, @Robin: /);
    expect(statusOf(first)).toMatch(/^Clara · 2× · Spoken in \d+(\.\d)? s · \d+ characters$/);
    await parley.restartBot();

    const again = await says(await choose(member, first, 'Replay'), 'Spoken in');
    expect(textsOf(again)[1]).toBe(textsOf(first)[1]);
    expect(statusOf(again)).toMatch(/^Clara · 2× · Spoken in/);

    const saved = await (await choose(member, first, 'Save as file')).message((one) => filesOf(one).length > 0);
    expect(isEphemeral(saved)).toBe(true);
    expect(filesOf(saved)[0]?.name).toMatch(/^it-is-me-.*\.mp3$/);
    expect((await file(saved)).length).toBeGreaterThan(2000);

    const form = await choose(member, first, 'Say more');
    expect((await form.modal()).title).toBe('Say more: Clara');
    const more = await says(await member.submitModal(form, { 'What should I say?': 'And this.' }), 'Spoken in');
    expect(textsOf(more)[1]).toBe('And this.');
    expect(statusOf(more)).toMatch(/^Clara · 2×/);
    expect(await settings().member(member.client.userId)).toMatchObject({ speed: 2, recent: [{ id: 'clara', title: 'Clara' }] });
  });

  it('keeps a text that it cuts, sealed, for its menu, until the member deletes their data', async () => {
    const { member, other, store } = parley;
    await member.listen();
    const text = `${'One two three. '.repeat(11)}The end.`;
    const live = await member.run('say', { text });
    await member.click(await says(live, 'Speaking now'), 'Stop');
    const ended = await says(live, 'Stopped');
    expect(textsOf(ended)[1]).toMatch(/^One two three\. .{100,124}…$/);
    expect(labels(ended)).toEqual(['Replay', 'Save as file', 'Say more', 'Show the whole text']);
    expect(JSON.stringify(await store.list(`text:${member.client.userId}:`))).not.toMatch(/One two|^\[\]$/);
    const whole = await says(await choose(other, ended, 'Show the whole text'), 'The end.');
    expect(isEphemeral(whole)).toBe(true);
    await store.deleteAll(`text:${member.client.userId}:`);
    expect(await (await choose(member, ended, 'Replay')).sentence()).toContain('I no longer have this text');
  });

  it('warns that nobody is in the channel that was named', async () => {
    const { member, discord } = parley;
    await member.leaveVoice();
    const workshop = discord.channelId('Workshop');
    const reply = await says(await member.run('say', { text: 'Anybody?', channel: workshop }), 'Spoken in');
    expect(textOf(reply)).toContain(`Nobody is in <#${workshop}> right now.`);
    expect(statusOf(reply)).toContain(` · <#${workshop}> · `);
  });

  it('uses the speed chosen last from the moment that text was accepted, even if it is still waiting or fails', async () => {
    const { member, discord } = parley;
    const footer = async (interaction: MemberInteraction, what: string) => statusOf(await says(interaction, what));
    const speed = async () => (await settings().member(member.client.userId)).speed;
    await member.listen();
    const first = await member.run('say', { text: LONG, speed: 0.5 });
    await says(first, 'Speaking now');
    expect(await footer(await member.run('say', { text: 'As slow as that.' }), 'Up next')).toContain(' · 0.5× · ');
    expect(await footer(await member.run('say', { text: 'And faster.', speed: 2 }), '2 texts ahead')).toContain(' · 2× · ');
    const file = await member.run('say', { text: 'Faster, too.', as_file: true });
    const saved = await file.message((one) => filesOf(one).length > 0);
    expect(statusOf(saved)).toContain(' · 2× · ');
    const refused = await member.run('say', { text: '…', speed: 1.5 });
    expect(await refused.sentence()).toContain('nothing to say out loud in this text');
    discord.moveUser(discord.application.id, null);
    await says(first, 'Cut off after');
    expect(await speed()).toBe(2);
    await (await member.run('say', { text: 'Hello', voice: 'no-such-voice', speed: 1.25 })).sentence();
    expect(await speed()).toBe(1.25);
  });

  it('hides the text and the buttons that need it if an admin has chosen that', async () => {
    const { member, discord } = parley;
    await member.listen();
    await settings().changeGuild(discord.guildId, (guild) => ({ ...guild, showText: false }));
    const interaction = await member.run('say', { text: LONG });
    const live = await says(interaction, 'Speaking now');
    expect(textOf(live)).not.toContain('five');
    expect(labels(live)).toEqual(['Stop', 'Skip']);
    const list = await (await member.run('queue')).message((message) => textOf(message).includes('Now playing'));
    expect(textOf(list)).not.toContain('One two');
    await member.click(live, 'Stop');
    expect(labels(await says(interaction, 'Stopped'))).toEqual(['Say more']);
  });

  it('speaks in the voice of the member, else the channel, else the server, and names a voice that is gone before using the next one', async () => {
    const { member, discord } = parley;
    const { guildId } = discord;
    const voice = (id: string) => ({ id, title: id.toUpperCase() });
    await member.listen();
    const footer = async () => statusOf(await says(await member.run('say', { text: 'Who is it?' }), 'Spoken in'));
    await settings().changeGuild(guildId, (guild) => ({ ...guild, voice: voice('robert') }));
    expect(await footer()).toMatch(/^ROBERT · /);
    const lounge = discord.channelId('Lounge');
    await settings().changeGuild(guildId, (guild) => ({ ...guild, channelVoices: { [lounge]: voice('clara') } }));
    expect(await footer()).toMatch(/^CLARA · /);
    await settings().changeMember(member.client.userId, (one) => ({ ...one, voice: voice('deleted-voice') }));
    const interaction = await member.run('say', { text: 'Who is it?' });
    expect(statusOf(await says(interaction, 'Spoken in'))).toMatch(/^CLARA · /);
    expect(await interaction.sentence()).toContain('`DELETED-VOICE` is gone, so I used `CLARA`');
    const saved = await member.run('say', { text: 'Who is it?', as_file: true });
    await saved.message((one) => filesOf(one).length > 0);
    expect(await saved.sentence()).toContain('so I used `ROBERT`');
    // Known, so that it was not a slip: the same as for one that is set.
    const named = await member.run('say', { text: 'Who is it?', voice: 'deleted-voice' });
    expect(await named.sentence()).toContain('so I used `CLARA`');
    await says(named, 'Spoken in');
  });

  it('offers the recent and favourite voices first', async () => {
    const { member } = parley;
    const [clara, robert] = ['clara', 'robert'].map((id) => ({ id, title: `The ${id}` }));
    await settings().changeMember(member.client.userId, (one) => ({ ...one, recent: [robert as never], favourites: [clara as never] }));
    const choices = await member.autocomplete('say', 'voice', '');
    expect(choices.slice(0, 2)).toEqual([
      { name: 'The robert · recent · English · male, american', value: 'robert' },
      { name: 'The clara · favorite · English · female, american', value: 'clara' },
    ]);
    expect(choices).toHaveLength(25);
    expect(new Set(choices.map(({ value }) => value)).size).toBe(25);
    expect((await member.autocomplete('say', 'voice', 'the clar'))[0]?.value).toBe('clara');
  });

  it('cuts a text that is longer than the server allows, and says so aloud', async () => {
    const { member, discord } = parley;
    await member.listen();
    await settings().changeGuild(discord.guildId, (guild) => ({ ...guild, lengthCap: 20, volume: 0.5 }));
    const reply = await says(await member.run('say', { text: LONG }), 'Spoken in');
    expect(statusOf(reply)).toContain('shortened to this server’s limit · Spoken in');
    expect(statusOf(reply)).toContain(` · ${'One two, and so on.'.length} characters`);
  });

  it('charges for the spoken text, which never exceeds the limit, even if its markup expands', async () => {
    const { member, api } = parley;
    const text = '<t:0>'.repeat(400);
    for (const place of [member, await member.inDm()]) {
      const before = Number((await api.getCredit()).credit);
      const reply = await (await place.run('say', { text, as_file: true })).message((one) => filesOf(one).length > 0);
      const [, digits = ''] = /shortened to this server’s limit · ([\d,]+) characters$/.exec(statusOf(reply)) ?? [];
      const count = Number(digits.replace(',', ''));
      expect(count).toBeGreaterThan(1900);
      expect(count).toBeLessThanOrEqual(2000);
      // 15 a million.
      expect(before - Number((await api.getCredit()).credit)).toBeCloseTo(count * 0.000_015, 6);
    }
  });

  it('drops the buttons of an utterance whose end was never shown, as after a crash', async () => {
    const { member, discord } = parley;
    await member.listen();
    const live = await says(await member.run('say', { text: LONG }), 'Speaking now');
    const silenced = { match: /^PATCH /, times: 1000, how: { status: 404 } };
    discord.restFaults.push(silenced);
    await parley.restartBot();
    silenced.times = 0;
    await (await member.click(live, 'Stop')).answered();
    const left = await member.sees((message) => message.id === live.id && !labels(message).includes('Stop'));
    expect(labels(left)).toEqual(['Replay', 'Save as file', 'Say more']);
  });

  it('still says how it ended once the 15 minutes for editing replies are over', async () => {
    const { member, other, discord } = parley;
    await member.listen();
    const first = await member.run('say', { text: LONG });
    const live = await says(first, 'Speaking now');
    const second = await other.run('say', { text: 'I have waited for long.', channel: discord.channelId('Lounge') });
    await says(second, 'Up next');
    const ended = { match: /PATCH .*\/webhooks\//, times: 100, how: { status: 404 } };
    discord.restFaults.push(ended);
    await member.click(live, 'Skip');
    await says(second, 'Spoken in');
    ended.times = 0;
  });

  it('is a file in direct messages and in servers without the bot, and says why', async () => {
    const { member, discord, store } = parley;
    const timesOf = async (guildId: string | null) => (await createUsageCounter(store).of(guildId, 2)).times;
    const [inServer, outside] = [await timesOf(discord.guildId), await timesOf(null)];
    discord.removeBot(discord.guildId);
    for (const place of [await member.inDm(), member]) {
      const interaction = await place.run('say', { text: 'Hello, you' });
      const reply = await interaction.message((one) => filesOf(one).length > 0);
      expect(filesOf(reply)[0]?.name).toBe('hello-you.mp3');
      // Where I am only brought along, others are not to read what I answer.
      expect(isEphemeral(reply)).toBe(place === member);
    }
    // A server that has removed the bot is not charged.
    await expect.poll(() => timesOf(null)).toBe(outside + 2);
    expect(await timesOf(discord.guildId)).toBe(inServer);
  });
});

describe('/say and money', () => {
  let service: TestVoiceService;
  let parley: Parley;

  beforeAll(async () => {
    // 666 characters' worth.
    service = await startTestVoiceService({ credit: '0.01' });
    parley = await startParley({
      service,
      cacheBytes: 10_000_000,
      budgets: { speech: { member: 400, guild: 500 }, transcription: { member: 60, guild: 60 } },
      prices: { perMillionCharacters: 15, perHour: null },
    });
    // Until the balance is known.
    await (await parley.member.run('credit')).message((message) => textOf(message) !== '');
  });

  afterAll(async () => {
    await parley.close();
    await service.close();
  });

  const COUNTED = 'One two three four five six seven eight nine.';
  const spent = async () => (await parley.api.getCredit()).credit;

  it('asks first if it costs more than a twentieth of the balance, and speaks once confirmed', async () => {
    const { member } = parley;
    await member.listen();
    const before = await spent();
    const interaction = await member.run('say', { text: COUNTED, voice: 'clara' });
    const question = await interaction.message((message) => textOf(message).includes('Say it anyway?'));
    expect(isEphemeral(question)).toBe(true);
    // 45 characters at 0.0015 per 100, of 0.01.
    expect(textsOf(question)[0]).toBe('This would use about 7% of the remaining credit (45 characters). Say it anyway?');
    expect(await spent()).toBe(before);
    const yes = await member.click(question, 'Say it');
    const reply = await member.sees((message) => textOf(message).includes('Spoken in'));
    expect(isEphemeral(reply)).toBe(false);
    expect(textsOf(reply)[1]).toBe(COUNTED);
    expect(statusOf(reply)).toMatch(/^Clara · <#\d+> · Spoken in/);
    await interaction.deleted();
    expect(await spent()).not.toBe(before);
    expect(yes.messages().some(isEphemeral)).toBe(false);
    const file = await member.run('say', { text: COUNTED, voice: 'robert', as_file: true });
    await member.click(await file.message((message) => textOf(message).includes('Say it anyway?')), 'Say it');
    await member.sees((one) => filesOf(one).length > 0);
  });

  it('says whose budget is used up, and charges nothing for unspoken text', async () => {
    const { member, other } = parley;
    await other.listen();
    // Robin has used 2 × 45 of 400, and the server 90 of 500.
    const broken = await member.run('say', { text: 'one two three four five six seven', voice: 'no-such-voice' });
    await broken.sentence();
    const text = 'a bird is in a tree near a pond. '.repeat(12).trim();
    const interaction = await member.run('say', { text, as_file: true });
    await member.click(await interaction.message((message) => textOf(message).includes('Say it anyway?')), 'Say it');
    const refused = await member.sees((message) => textOf(message).includes('310 characters of speech'));
    expect(isEphemeral(refused)).toBe(true);
  });

  it('repeats from the cache without asking, even if the budget is used up', async () => {
    const { member, discord, store } = parley;
    await member.listen();
    await createSettings(store).changeGuild(discord.guildId, (guild) => ({ ...guild, memberBudget: 0 }));
    const refused = await member.run('say', { text: 'Hello.', voice: 'clara' });
    expect(await refused.sentence()).toContain('Speech is switched off in this server');
    const reply = await says(await member.run('say', { text: COUNTED, voice: 'clara' }), 'Spoken in');
    expect(statusOf(reply)).toContain('cached, so it was free');
    await createSettings(store).resetGuild(discord.guildId);
  });

  it('says in its own message that it failed, even though the 15 minutes for replies are over', async () => {
    const { member, discord } = parley;
    await member.listen();
    const interaction = await member.run('say', { text: `${COUNTED} Eleven.`, voice: 'clara' });
    const question = await interaction.message((message) => textOf(message).includes('Say it anyway?'));
    // From the cache, so unasked.
    await says(await member.run('say', { text: COUNTED, voice: 'clara' }), 'Speaking now');
    const yes = await member.click(question, 'Say it');
    await says(yes, 'Up next');
    discord.expireInteractions('tokens');
    discord.moveUser(discord.application.id, null);
    const lost = await says(yes, 'A moderator disconnected me');
    expect(textOf(lost)).toContain('Not spoken');
    expect(isEphemeral(lost)).toBe(false);
    expect(labels(lost)).toEqual(['Replay', 'Save as file', 'Say more']);
  });

  it('is said once even if the button is clicked twice', async () => {
    const { member } = parley;
    await member.listen();
    const interaction = await member.run('say', { text: `${COUNTED} Ten.`, voice: 'clara' });
    const question = await interaction.message((message) => textOf(message).includes('Say it anyway?'));
    const clicks = await Promise.all([member.click(question, 'Say it'), member.click(question, 'Say it')]);
    await Promise.any(clicks.map((click) => says(click, 'Spoken in')));
    await interaction.deleted();
    expect(clicks.flatMap((click) => click.messages())).toHaveLength(1);
  });

  it('also stays private after the question in a server without the bot', async () => {
    const { other, discord } = parley;
    discord.removeBot(discord.guildId);
    const interaction = await other.run('say', { text: COUNTED, as_file: true });
    const yes = await other.click(await interaction.message((message) => textOf(message).includes('Say it anyway?')), 'Say it');
    expect(isEphemeral(await yes.message((one) => filesOf(one).length > 0))).toBe(true);
    discord.addBot(discord.guildId);
  });
});
