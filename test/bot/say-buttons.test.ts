// What /say's replies show and offer: buttons that work after a restart, the chosen voices, the text left out, and the price first.
import { type APIMessage, PermissionFlagsBits as P } from 'discord.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createUsageCounter } from '../../src/credit/usage.ts';
import { createSettings } from '../../src/settings/index.ts';
import { isEphemeral, type Member, textOf } from '../helpers/member.ts';
import { type Parley, startParley, useParley } from '../helpers/parley.ts';
import { startTestVoiceService, type TestVoiceService } from '../helpers/voice-service.ts';

const LONG = 'One two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen.';

type MemberInteraction = Awaited<ReturnType<Member['run']>>;
const says = (interaction: MemberInteraction, what: string) => interaction.message((message) => textOf(message).includes(what));

function labels(message: APIMessage): string[] {
  return (message.components ?? []).flatMap((row) =>
    'components' in row ? row.components.flatMap((part) => ('label' in part ? [part.label ?? ''] : [])) : [],
  );
}

const file = async (message: APIMessage) => new Uint8Array(await (await fetch(message.attachments[0]?.url ?? '')).arrayBuffer());

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
    const reply = await says(await member.run('say', { text: `Hello, <@${other.client.userId}>! And <@123456789012345678>!` }), 'Spoken:');
    expect(reply.embeds[0]?.footer?.text).toContain(`, ${'Hello, Sam! And someone!'.length} characters`);
  });

  it('lets its member and moderators end it while it lasts, then offers only what still makes sense', async () => {
    const { member, other, discord } = parley;
    await member.listen();
    const interaction = await member.run('say', { text: LONG });
    const live = await says(interaction, 'Speaking now');
    expect(labels(live)).toEqual(['Stop', 'Skip', 'Replay', 'Save as file', 'Say more']);
    const waiting = await says(await member.run('say', { text: 'And another one.' }), 'one before it');
    for (const button of ['Stop', 'Skip', 'Replay', 'Save as file', 'Say more']) {
      expect(await (await other.click(live, button)).sentence()).toContain('Only the member whose text it is');
    }
    await member.click(live, 'Skip');
    expect(labels(await says(interaction, 'Skipped'))).toEqual(['Replay', 'Save as file', 'Say more']);
    discord.setPermissions(discord.channelId('Lounge'), other.client.userId, { allow: P.ManageMessages });
    await other.click(waiting, 'Stop');
    await member.sees(({ id, embeds }) => id === waiting.id && Boolean(embeds[0]?.footer?.text.includes('Stopped')));
    discord.setPermissions(discord.channelId('Lounge'), other.client.userId, {});
  });

  it('is replayed, saved and continued after a restart, in the same voice and speed', async () => {
    const { member } = parley;
    await member.listen();
    const text = `It is **||me||**, <@${member.client.userId}>: https://example.org/a_b_c`;
    const first = await says(await member.run('say', { text, voice: 'clara', speed: 2 }), 'Spoken:');
    expect(first.embeds[0]?.description).toBe(text);
    expect(first.embeds[0]?.footer?.text).toMatch(/^Clara · 2× · Spoken: \d+\.\d s, \d+ characters$/);
    await parley.restartBot();

    const again = await says(await member.click(first, 'Replay'), 'Spoken:');
    expect(again.embeds[0]?.description).toBe(text);
    expect(again.embeds[0]?.footer?.text).toMatch(/^Clara · 2× · Spoken:/);

    const saved = await (await member.click(first, 'Save as file')).message(({ attachments }) => attachments.length > 0);
    expect(isEphemeral(saved)).toBe(true);
    expect(saved.attachments[0]?.filename).toMatch(/^it-is-me-.*\.mp3$/);
    expect((await file(saved)).length).toBeGreaterThan(2000);

    const form = await member.click(first, 'Say more');
    expect((await form.modal()).title).toBe('Say more: Clara');
    const more = await says(await member.submitModal(form, { 'What to say': 'And this.' }), 'Spoken:');
    expect(more.embeds[0]?.description).toBe('And this.');
    expect(more.embeds[0]?.footer?.text).toMatch(/^Clara · 2×/);
    expect(await settings().member(member.client.userId)).toMatchObject({ speed: 2, recent: [{ id: 'clara', title: 'Clara' }] });
  });

  it('uses the speed chosen last from the moment that text was accepted, even if it is still waiting or fails', async () => {
    const { member, discord } = parley;
    const footer = async (interaction: MemberInteraction, what: string) => (await says(interaction, what)).embeds[0]?.footer?.text;
    const speed = async () => (await settings().member(member.client.userId)).speed;
    await member.listen();
    const first = await member.run('say', { text: LONG, speed: 0.5 });
    await says(first, 'Speaking now');
    expect(await footer(await member.run('say', { text: 'As slow as that.' }), 'one before it')).toContain(' · 0.5× · ');
    expect(await footer(await member.run('say', { text: 'And faster.', speed: 2 }), '2 before it')).toContain(' · 2× · ');
    const file = await member.run('say', { text: 'Faster, too.', as_file: true });
    const saved = await file.message(({ attachments }) => attachments.length > 0);
    expect(saved.embeds[0]?.footer?.text).toContain(' · 2× · ');
    const refused = await member.run('say', { text: '…', speed: 1.5 });
    expect(await refused.sentence()).toContain('nothing in this text that can be spoken');
    discord.moveUser(discord.application.id, null);
    await says(first, 'Broken off after');
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
    expect(labels(live)).toEqual(['Stop', 'Skip', 'Say more']);
    const list = await (await member.run('queue')).message(({ embeds }) => embeds.length > 0);
    expect(textOf(list)).not.toContain('One two');
    await member.click(live, 'Stop');
    expect(labels(await says(interaction, 'Stopped'))).toEqual(['Say more']);
  });

  it('speaks in the voice of the member, else the channel, else the server, and names a voice that is gone before using the next one', async () => {
    const { member, discord } = parley;
    const { guildId } = discord;
    const voice = (id: string) => ({ id, title: id.toUpperCase() });
    await member.listen();
    const footer = async () => (await says(await member.run('say', { text: 'Who is it?' }), 'Spoken:')).embeds[0]?.footer?.text;
    await settings().changeGuild(guildId, (guild) => ({ ...guild, voice: voice('robert') }));
    expect(await footer()).toMatch(/^ROBERT · /);
    const lounge = discord.channelId('Lounge');
    await settings().changeGuild(guildId, (guild) => ({ ...guild, channelVoices: { [lounge]: voice('clara') } }));
    expect(await footer()).toMatch(/^CLARA · /);
    await settings().changeMember(member.client.userId, (one) => ({ ...one, voice: voice('deleted-voice') }));
    const interaction = await member.run('say', { text: 'Who is it?' });
    expect((await says(interaction, 'Spoken:')).embeds[0]?.footer?.text).toMatch(/^CLARA · /);
    expect(await interaction.sentence()).toContain('has no voice `DELETED-VOICE` any more, so I used `CLARA`');
    const saved = await member.run('say', { text: 'Who is it?', as_file: true });
    await saved.message(({ attachments }) => attachments.length > 0);
    expect(await saved.sentence()).toContain('so I used `ROBERT`');
    // Known, so that it was not a slip: the same as for one that is set.
    const named = await member.run('say', { text: 'Who is it?', voice: 'deleted-voice' });
    expect(await named.sentence()).toContain('so I used `CLARA`');
    await says(named, 'Spoken:');
  });

  it('offers the recent and favourite voices first', async () => {
    const { member } = parley;
    const [clara, robert] = ['clara', 'robert'].map((id) => ({ id, title: `The ${id}` }));
    await settings().changeMember(member.client.userId, (one) => ({ ...one, recent: [robert as never], favourites: [clara as never] }));
    const choices = await member.autocomplete('say', 'voice', '');
    expect(choices.slice(0, 2)).toEqual([
      { name: 'The robert · recent', value: 'robert' },
      { name: 'The clara · favourite', value: 'clara' },
    ]);
    expect(choices).toHaveLength(25);
    expect(new Set(choices.map(({ value }) => value)).size).toBe(25);
    expect((await member.autocomplete('say', 'voice', 'the clar'))[0]?.value).toBe('clara');
  });

  it('cuts a text that is longer than the server allows, and says so aloud', async () => {
    const { member, discord } = parley;
    await member.listen();
    await settings().changeGuild(discord.guildId, (guild) => ({ ...guild, lengthCap: 20, volume: 0.5 }));
    const reply = await says(await member.run('say', { text: LONG }), 'Spoken:');
    expect(reply.embeds[0]?.footer?.text).toContain('shortened to the longest text allowed here · Spoken:');
    expect(reply.embeds[0]?.footer?.text).toContain(`, ${'One two, and so on.'.length} characters`);
  });

  it('charges for the spoken text, which never exceeds the limit, even if its markup expands', async () => {
    const { member, api } = parley;
    const text = '<t:0>'.repeat(400);
    for (const place of [member, await member.inDm()]) {
      const before = Number((await api.getCredit()).credit);
      const reply = await (await place.run('say', { text, as_file: true })).message(({ attachments }) => attachments.length > 0);
      const [, count = ''] =
        /shortened to the longest text allowed here · .*, (\d+) characters$/.exec(reply.embeds[0]?.footer?.text ?? '') ?? [];
      expect(Number(count)).toBeGreaterThan(1900);
      expect(Number(count)).toBeLessThanOrEqual(2000);
      // 15 a million.
      expect(before - Number((await api.getCredit()).credit)).toBeCloseTo(Number(count) * 0.000_015, 6);
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
    await says(second, 'one before it');
    const ended = { match: /PATCH .*\/webhooks\//, times: 100, how: { status: 404 } };
    discord.restFaults.push(ended);
    await member.click(live, 'Skip');
    await says(second, 'Spoken:');
    ended.times = 0;
  });

  it('is a file in direct messages and in servers without the bot, and says why', async () => {
    const { member, discord, store } = parley;
    const timesOf = async (guildId: string | null) => (await createUsageCounter(store).of(guildId, 2)).times;
    const [inServer, outside] = [await timesOf(discord.guildId), await timesOf(null)];
    discord.removeBot(discord.guildId);
    for (const place of [await member.inDm(), member]) {
      expect(await (await place.run('say', { text: 'Hello' })).sentence()).toContain('use `as_file`');
      const interaction = await place.run('say', { text: 'Hello, you', as_file: true });
      const reply = await interaction.message(({ attachments }) => attachments.length > 0);
      expect(reply.attachments[0]?.filename).toBe('hello-you.mp3');
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
    await (await parley.member.run('credit')).message(({ embeds }) => embeds.length > 0);
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
    const question = await interaction.message(({ content }) => content.includes('Say it all the same?'));
    expect(isEphemeral(question)).toBe(true);
    // 45 characters at 0.0015 per 100, of 0.01.
    expect(question.content).toBe(
      'This is 45 characters of speech, which would take about 7 % of the credit that is left. Say it all the same?',
    );
    expect(await spent()).toBe(before);
    const yes = await member.click(question, 'Say it');
    const reply = await member.sees((message) => textOf(message).includes('Spoken:'));
    expect(isEphemeral(reply)).toBe(false);
    expect(reply.embeds[0]).toMatchObject({ description: COUNTED, footer: { text: expect.stringMatching(/^Clara · Spoken:/) } });
    await interaction.deleted();
    expect(await spent()).not.toBe(before);
    expect(yes.messages().some(isEphemeral)).toBe(false);
    const file = await member.run('say', { text: COUNTED, as_file: true });
    await member.click(await file.message(({ content }) => content.includes('Say it all the same?')), 'Say it');
    await member.sees(({ attachments }) => attachments.length > 0);
  });

  it('says whose budget is used up, and charges nothing for unspoken text', async () => {
    const { member, other } = parley;
    await other.listen();
    // Robin has used 2 × 45 of 400, and the server 90 of 500.
    const broken = await member.run('say', { text: 'one two three four five six seven', voice: 'no-such-voice' });
    await broken.sentence();
    const text = 'a bird is in a tree near a pond. '.repeat(12).trim();
    const interaction = await member.run('say', { text, as_file: true });
    await member.click(await interaction.message(({ content }) => content.includes('Say it')), 'Say it');
    const refused = await member.sees(({ content }) => content.includes('310 characters of speech'));
    expect(isEphemeral(refused)).toBe(true);
  });

  it('repeats from the cache without asking, even if the budget is used up', async () => {
    const { member, discord, store } = parley;
    await member.listen();
    await createSettings(store).changeGuild(discord.guildId, (guild) => ({ ...guild, memberBudget: 0 }));
    const refused = await member.run('say', { text: 'Hello.', voice: 'clara' });
    expect(await refused.sentence()).toContain('An admin has switched speech off in this server');
    const reply = await says(await member.run('say', { text: COUNTED, voice: 'clara' }), 'Spoken:');
    expect(reply.embeds[0]?.footer?.text).toContain('from cache, no credit used');
    await createSettings(store).resetGuild(discord.guildId);
  });

  it('says in its own message that it failed, even though the 15 minutes for replies are over', async () => {
    const { member, discord } = parley;
    await member.listen();
    const interaction = await member.run('say', { text: `${COUNTED} Eleven.`, voice: 'clara' });
    const question = await interaction.message(({ content }) => content.includes('Say it all the same?'));
    // From the cache, so unasked.
    await says(await member.run('say', { text: COUNTED, voice: 'clara' }), 'Speaking now');
    const yes = await member.click(question, 'Say it');
    await says(yes, 'one before it');
    discord.expireInteractions('tokens');
    discord.moveUser(discord.application.id, null);
    const lost = await says(yes, 'A moderator has put me out');
    expect(textOf(lost)).toContain('Not spoken');
    expect(isEphemeral(lost)).toBe(false);
    expect(labels(lost)).toEqual(['Replay', 'Save as file', 'Say more']);
  });

  it('is said once even if the button is clicked twice', async () => {
    const { member } = parley;
    await member.listen();
    const interaction = await member.run('say', { text: `${COUNTED} Ten.`, voice: 'clara' });
    const question = await interaction.message(({ content }) => content.includes('Say it all the same?'));
    const clicks = await Promise.all([member.click(question, 'Say it'), member.click(question, 'Say it')]);
    await Promise.any(clicks.map((click) => says(click, 'Spoken:')));
    await interaction.deleted();
    expect(clicks.flatMap((click) => click.messages())).toHaveLength(1);
  });

  it('also stays private after the question in a server without the bot', async () => {
    const { other, discord } = parley;
    discord.removeBot(discord.guildId);
    const interaction = await other.run('say', { text: COUNTED, as_file: true });
    const yes = await other.click(await interaction.message(({ content }) => content.includes('Say it all the same?')), 'Say it');
    expect(isEphemeral(await yes.message(({ attachments }) => attachments.length > 0))).toBe(true);
    discord.addBot(discord.guildId);
  });
});
