// What /say's replies show and offer: buttons that work after a restart, the chosen voices, and the text left out.
import { type APIMessage, PermissionFlagsBits as P } from 'discord.js';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { createUsageCounter } from '../../src/charging/spending.ts';
import { en } from '../../src/locales/index.ts';
import { createSettings } from '../../src/store/settings.ts';
import { openEngineServer } from '../helpers/engine-server.ts';
import { holdTimers } from '../helpers/held-timers.ts';
import { filesOf, isEphemeral, labelsOf, type Member, statusOf, textOf, textsOf } from '../helpers/member.ts';
import { answer } from '../helpers/misbehaving-service.ts';
import { openingOf } from '../helpers/openings.ts';
import { startParley, useParley } from '../helpers/parley.ts';
import { tone } from '../helpers/sound.ts';
import { wavOf } from '../helpers/speech.ts';
import { startTestVoiceService } from '../helpers/voice-service.ts';

/** Takes twenty seconds to say, unless it is ended. */
const LONG = `One two${' 777,777,777'.repeat(4)}`;

type MemberInteraction = Awaited<ReturnType<Member['run']>>;
const says = (interaction: MemberInteraction, what: string) => interaction.message((message) => textOf(message).includes(what));

/** Chooses from the menu of a reply. */
const choose = (who: Member, message: APIMessage, action: string) => who.select(message, en('say.moreMenu'), action);

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
    // For no longer than this, Discord is waited for.
    holdTimers(500);
    await member.listen();
    const reply = await says(
      await member.run('say', { text: `<@${other.client.userId}>! <@123456789012345678>!` }),
      openingOf('say.spoken'),
    );
    expect(statusOf(reply)).toContain(` · ${'Sam! someone!'.length} characters`);
  });

  it('lets its member and moderators end it while it lasts, then offers only what still makes sense', async () => {
    const { member, other, discord } = parley;
    await member.listen();
    const interaction = await member.run('say', { text: LONG });
    const live = await says(interaction, en('say.speaking'));
    expect(labelsOf(live)).toEqual([en('say.stopButton'), en('say.skipButton')]);
    const second = await member.run('say', { text: LONG });
    const waiting = await says(second, en('say.queued', { before: 1 }));
    expect(labelsOf(waiting)).toEqual([en('say.cancelButton')]);
    const owner = member.client.userId;
    expect(await (await other.click(live, en('say.stopButton'))).sentence()).toBe(en('queue.onlyOwnerCanStop', { owner }));
    expect(await (await other.click(live, en('say.skipButton'))).sentence()).toBe(en('queue.onlyOwnerCanSkip', { owner }));
    await member.click(live, en('say.skipButton'));
    const skipped = await says(interaction, en('say.skipped'));
    expect(labelsOf(skipped)).toEqual([en('say.replay'), en('say.saveAsFile'), en('say.sendAsVoiceMessage'), en('say.sayMore')]);
    for (const action of [en('say.replay'), en('say.saveAsFile'), en('say.sendAsVoiceMessage'), en('say.sayMore')])
      expect(await (await choose(other, skipped, action)).sentence()).toBe(en('queue.onlyOwnerCanUse', { owner }));
    discord.setPermissions(discord.channelId('Lounge'), other.client.userId, { allow: P.ManageMessages });
    await other.click(await says(second, en('say.speaking')), en('say.stopButton'));
    await says(second, en('say.stopped'));
    discord.setPermissions(discord.channelId('Lounge'), other.client.userId, {});
  });

  it('is replayed, saved and continued after a restart, in the same voice and speed', async () => {
    const { member } = parley;
    await member.listen();
    const text = `**||me||**, <@${member.client.userId}>: https://a.org/b_c`;
    const first = await says(await member.run('say', { text, voice: 'clara', speed: 2 }), openingOf('say.spoken'));
    expect(textsOf(first)[1]).toMatch(/^.*█████.*, @Robin: /);
    expect(statusOf(first)).toMatch(/^Clara · 2× · Spoken \(\d+ seconds?\) · \d+ characters$/);
    await parley.restartBot();

    const again = await says(await choose(member, first, en('say.replay')), openingOf('say.spoken'));
    expect(textsOf(again)[1]).toBe(textsOf(first)[1]);
    expect(statusOf(again)).toMatch(/^Clara · 2× · Spoken \(/);

    const saved = await (await choose(member, first, en('say.saveAsFile'))).message((one) => filesOf(one).length > 0);
    expect(isEphemeral(saved)).toBe(true);
    expect(filesOf(saved)[0]?.name).toMatch(/^me-.*\.mp3$/);
    expect((await file(saved)).length).toBeGreaterThan(2000);

    const form = await choose(member, first, en('say.sayMore'));
    expect((await form.modal()).title).toBe('Say more: Clara');
    const more = await says(await member.submitModal(form, { 'What should I say?': 'This.' }), openingOf('say.spoken'));
    expect(textsOf(more)[1]).toBe('This.');
    expect(statusOf(more)).toMatch(/^Clara · 2×/);
    expect(await settings().member(member.client.userId)).toMatchObject({ speed: 2, recent: [{ id: 'clara', title: 'Clara' }] });
  });

  it('keeps a text that it cuts, sealed, for its menu, until the member deletes their data', async () => {
    const { member, other, store } = parley;
    await member.listen();
    const text = `${'One two three. '.repeat(11)}The end.`;
    const live = await member.run('say', { text });
    await member.click(await says(live, en('say.speaking')), en('say.stopButton'));
    const ended = await says(live, en('say.stopped'));
    expect(textsOf(ended)[1]).toMatch(/^One two three\. .{100,124}…$/);
    expect(labelsOf(ended)).toEqual([
      en('say.replay'),
      en('say.saveAsFile'),
      en('say.sendAsVoiceMessage'),
      en('say.sayMore'),
      en('say.showText'),
    ]);
    expect(JSON.stringify(await store.list(`text:${member.client.userId}:`))).not.toMatch(/One two|^\[\]$/);
    const whole = await says(await choose(other, ended, en('say.showText')), 'The end.');
    expect(isEphemeral(whole)).toBe(true);
    await store.deleteAll(`text:${member.client.userId}:`);
    expect(await (await choose(member, ended, en('say.replay'))).sentence()).toContain(en('say.textGone'));
  });

  it('warns that nobody is in the channel that was named', async () => {
    const { member, discord } = parley;
    await member.leaveVoice();
    const workshop = discord.channelId('Workshop');
    const reply = await says(await member.run('say', { text: 'Anybody?', channel: workshop }), openingOf('say.spoken'));
    expect(textOf(reply)).toContain(en('say.nobodyThere', { channel: workshop }));
    expect(statusOf(reply)).toContain(` · <#${workshop}> · `);
  });

  it('uses the speed chosen last from the moment that text was accepted, even if it is still waiting or fails', async () => {
    const { member, discord } = parley;
    const footer = async (interaction: MemberInteraction, what: string) => statusOf(await says(interaction, what));
    const speed = async () => (await settings().member(member.client.userId)).speed;
    await member.listen();
    const first = await member.run('say', { text: LONG, speed: 0.5 });
    await says(first, en('say.speaking'));
    expect(await footer(await member.run('say', { text: 'As slow as that.' }), en('say.queued', { before: 1 }))).toContain(' · 0.5× · ');
    expect(await footer(await member.run('say', { text: 'And faster.', speed: 2 }), en('say.queued', { before: 2 }))).toContain(' · 2× · ');
    const file = await member.run('say', { text: 'Faster, too.', send_as: 'file' });
    const saved = await file.message((one) => filesOf(one).length > 0);
    expect(statusOf(saved)).toContain(' · 2× · ');
    const refused = await member.run('say', { text: '…', speed: 1.5 });
    expect(await refused.sentence()).toContain(en('say.nothingSpeakable'));
    discord.moveUser(discord.application.id, null);
    await says(first, openingOf('say.interrupted'));
    expect(await speed()).toBe(2);
    await (await member.run('say', { text: 'Hello', voice: 'no-such-voice', speed: 1.25 })).sentence();
    expect(await speed()).toBe(1.25);
  });

  it('hides the text and the buttons that need it if an admin has chosen that', async () => {
    const { member, discord } = parley;
    await member.listen();
    await settings().changeGuild(discord.guildId, (guild) => ({ ...guild, showText: false }));
    const interaction = await member.run('say', { text: LONG });
    const live = await says(interaction, en('say.speaking'));
    expect(textOf(live)).not.toContain('777');
    expect(labelsOf(live)).toEqual([en('say.stopButton'), en('say.skipButton')]);
    const list = await (await member.run('queue')).message((message) => textOf(message).includes(en('queue.nowPlaying')));
    expect(textOf(list)).not.toContain('One two');
    await member.click(live, en('say.stopButton'));
    expect(labelsOf(await says(interaction, en('say.stopped')))).toEqual([en('say.sayMore')]);
  });

  it('speaks in the voice of the member, else the channel, else the server, and names a voice that is gone before using the next one', async () => {
    const { member, discord } = parley;
    const { guildId } = discord;
    const voice = (id: string) => ({ id, title: id.toUpperCase() });
    await member.listen();
    const footer = async () => statusOf(await says(await member.run('say', { text: 'Who?' }), openingOf('say.spoken')));
    await settings().changeGuild(guildId, (guild) => ({ ...guild, voice: voice('robert') }));
    expect(await footer()).toMatch(/^ROBERT · /);
    const lounge = discord.channelId('Lounge');
    await settings().changeGuild(guildId, (guild) => ({ ...guild, channelVoices: { [lounge]: voice('clara') } }));
    expect(await footer()).toMatch(/^CLARA · /);
    await settings().changeMember(member.client.userId, (one) => ({ ...one, voice: voice('deleted-voice') }));
    const interaction = await member.run('say', { text: 'Who?' });
    expect(statusOf(await says(interaction, openingOf('say.spoken')))).toMatch(/^CLARA · /);
    expect(await interaction.sentence()).toContain('I can’t use the voice `DELETED-VOICE` here, so I used `CLARA`.');
    const saved = await member.run('say', { text: 'Who?', send_as: 'file' });
    await saved.message((one) => filesOf(one).length > 0);
    expect(await saved.sentence()).toContain('so I used `ROBERT`');
    // Known, so that it was not a slip: the same as for one that is set.
    const named = await member.run('say', { text: 'Who?', voice: 'deleted-voice' });
    await says(named, 'so I used `CLARA`');
    await says(named, openingOf('say.spoken'));
  });

  it('offers the recent and favourite voices first', async () => {
    const { member } = parley;
    const [clara, robert] = ['clara', 'robert'].map((id) => ({ id, title: `The ${id}` }));
    await settings().changeMember(member.client.userId, (one) => ({ ...one, recent: [robert as never], favourites: [clara as never] }));
    const choices = await member.autocomplete('say', 'voice', '');
    expect(choices.slice(0, 2)).toEqual([
      { name: 'The robert · recent · English · Male, American', value: 'robert' },
      { name: 'The clara · favorite · English · Female, American', value: 'clara' },
    ]);
    expect(choices).toHaveLength(25);
    expect(new Set(choices.map(({ value }) => value)).size).toBe(25);
    expect((await member.autocomplete('say', 'voice', 'the clar'))[0]?.value).toBe('clara');
  });

  it('cuts a text that is longer than the server allows, and says so aloud', async () => {
    const { member, discord } = parley;
    await member.listen();
    await settings().changeGuild(discord.guildId, (guild) => ({ ...guild, lengthCap: 20, volume: 0.5 }));
    const reply = await says(await member.run('say', { text: LONG }), openingOf('say.spoken'));
    expect(statusOf(reply)).toContain('shortened to this server’s limit · Spoken (');
    expect(statusOf(reply)).toContain(` · ${'One two, and so on.'.length} characters`);
  });

  it('charges for the spoken text, which never exceeds the limit, even if its markup expands', async () => {
    // An engine that is quick, since the local voices would speak for minutes.
    const engine = await openEngineServer();
    const beep = wavOf(tone(382, 1, 24_000, 0.24), 24_000);
    engine.behave('/v1/audio/speech', answer(200, beep, { 'content-type': 'audio/wav' }));
    const service = await startTestVoiceService({ speech: { url: engine.url } });
    onTestFinished(service.close);
    const { member, api, close } = await startParley({ service });
    onTestFinished(close);
    const text = '<t:0>'.repeat(400);
    for (const place of [member, await member.inDm()]) {
      const before = Number((await api.getCredit()).credit);
      const reply = await (await place.run('say', { text, send_as: 'file' })).message((one) => filesOf(one).length > 0);
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
    const live = await says(await member.run('say', { text: LONG }), en('say.speaking'));
    const silenced = { match: /^PATCH /, times: 1000, how: { status: 404 } };
    discord.restFaults.push(silenced);
    await parley.restartBot();
    silenced.times = 0;
    await (await member.click(live, en('say.stopButton'))).answered();
    const left = await member.sees((message) => message.id === live.id && !labelsOf(message).includes(en('say.stopButton')));
    expect(labelsOf(left)).toEqual([en('say.replay'), en('say.saveAsFile'), en('say.sendAsVoiceMessage'), en('say.sayMore')]);
  });

  it('still says how it ended once the 15 minutes for editing replies are over', async () => {
    const { member, other, discord } = parley;
    await member.listen();
    const first = await member.run('say', { text: LONG });
    const live = await says(first, en('say.speaking'));
    const second = await other.run('say', { text: 'Me.', channel: discord.channelId('Lounge') });
    await says(second, en('say.queued', { before: 1 }));
    const ended = { match: /PATCH .*\/webhooks\//, times: 100, how: { status: 404 } };
    discord.restFaults.push(ended);
    await member.click(live, en('say.skipButton'));
    await says(second, openingOf('say.spoken'));
    ended.times = 0;
  });

  it('is a voice message in direct messages and in servers without the bot', async () => {
    const { member, discord, store } = parley;
    const timesOf = async (guildId: string | null) => (await createUsageCounter(store).total(guildId, 2)).times;
    const [inServer, outside] = [await timesOf(discord.guildId), await timesOf(null)];
    discord.removeBot(discord.guildId);
    for (const place of [await member.inDm(), member]) {
      const interaction = await place.run('say', { text: 'Hello, you' });
      const sound = await interaction.message((one) => filesOf(one).length > 0);
      expect(filesOf(sound)[0]?.name).toBe('voice-message.ogg');
      const reply = await says(interaction, 'Hello, you');
      expect(labelsOf(reply)).toEqual([en('say.saveAsFile'), en('say.sendAsVoiceMessage')]);
      // Where I am only brought along, others are not to read or hear what I answer.
      for (const message of [reply, sound]) expect(isEphemeral(message)).toBe(place === member);
    }
    // A server that has removed the bot is not charged.
    await expect.poll(() => timesOf(null)).toBe(outside + 2);
    expect(await timesOf(discord.guildId)).toBe(inServer);
  });
});
