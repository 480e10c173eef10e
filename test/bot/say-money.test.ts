import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { en } from '../../src/locales/index.ts';
import { createSettings } from '../../src/store/settings.ts';
import { filesOf, isEphemeral, labelsOf, type Member, statusOf, textOf, textsOf } from '../helpers/member.ts';
import { openingOf } from '../helpers/openings.ts';
import { type Parley, startParley } from '../helpers/parley.ts';
import { startTestVoiceService, type TestVoiceService } from '../helpers/voice-service.ts';

type MemberInteraction = Awaited<ReturnType<Member['run']>>;
const says = (interaction: MemberInteraction, what: string) => interaction.message((message) => textOf(message).includes(what));

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
      prices: { perMillionBytes: 15, perHour: null },
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
    const interaction = await member.run('say', { text: COUNTED, voice: 'clara', speed: 2 });
    const question = await interaction.message((message) => textOf(message).includes('Say it anyway?'));
    expect(isEphemeral(question)).toBe(true);
    // 45 characters at 0.0015 per 100, of 0.01.
    expect(textsOf(question)[0]).toBe('This would use about 7% of the remaining credit (45 characters). Say it anyway?');
    expect(await spent()).toBe(before);
    const yes = await member.click(question, en('say.confirmButton'));
    const reply = await member.sees((message) => textOf(message).includes(openingOf('say.spoken')));
    expect(isEphemeral(reply)).toBe(false);
    expect(textsOf(reply)[1]).toBe(COUNTED);
    expect(statusOf(reply)).toMatch(/^Clara · 2× · <#\d+> · Spoken \(/);
    await interaction.message((message) => textOf(message) === en('general.started'));
    expect(await spent()).not.toBe(before);
    expect(yes.messages().some(isEphemeral)).toBe(false);
    const file = await member.run('say', { text: COUNTED, voice: 'robert', send_as: 'file' });
    await member.click(await file.message((message) => textOf(message).includes('Say it anyway?')), en('say.confirmButton'));
    await member.sees((one) => filesOf(one).length > 0);
  });

  it('asks by what the bytes of the text cost', async () => {
    const interaction = await parley.member.run('say', { text: '“I” “we” “he” “she” “it” ok', voice: 'clara', send_as: 'file' });
    // 47 bytes of 666 or fewer, as far as the balance is known; 27 characters wouldn’t be a twentieth.
    expect(textOf(await interaction.message((message) => textOf(message).includes('Say it anyway?')))).toMatch(
      /about [78]% .*\(27 characters\)/,
    );
  });

  it('says whose budget is used up, and charges nothing for unspoken text', async () => {
    const { member, other } = parley;
    await other.listen();
    // Robin has used 2 × 45 of 400, and the server 90 of 500.
    const broken = await member.run('say', { text: 'one two three four five six seven', voice: 'no-such-voice' });
    await broken.sentence();
    const text = 'a bird is in a tree near a pond. '.repeat(12).trim();
    const interaction = await member.run('say', { text, send_as: 'file' });
    await member.click(await interaction.message((message) => textOf(message).includes('Say it anyway?')), en('say.confirmButton'));
    const refused = await member.sees((message) => textOf(message).includes('310 characters of speech'));
    expect(isEphemeral(refused)).toBe(true);
  });

  it('repeats from the cache without asking, even if the budget is used up', async () => {
    const { member, discord, store } = parley;
    await member.listen();
    await createSettings(store).changeGuild(discord.guildId, (guild) => ({ ...guild, memberBudget: 0 }));
    const refused = await member.run('say', { text: 'Hello.', voice: 'clara' });
    expect(await refused.sentence()).toContain(en('errors.budget.switchedOff.speech'));
    const reply = await says(await member.run('say', { text: COUNTED, voice: 'clara' }), openingOf('say.spoken'));
    expect(statusOf(reply)).toContain(en('say.fromCache'));
    await createSettings(store).resetGuild(discord.guildId);
  });

  it('says in its own message that it failed, even though the 15 minutes for replies are over', async () => {
    const { member, discord } = parley;
    await member.listen();
    const interaction = await member.run('say', { text: `${COUNTED} Eleven.`, voice: 'clara' });
    const question = await interaction.message((message) => textOf(message).includes('Say it anyway?'));
    // Cheap, so unasked; slow and several, so that the last one still waits when it is lost.
    const before = { text: 'One two three four.', voice: 'clara', speed: 0.5 };
    await says(await member.run('say', before), en('say.speaking'));
    for (let more = 0; more < 3; more++) await member.run('say', before);
    const yes = await member.click(question, en('say.confirmButton'));
    await yes.message((message) => /Up next|texts ahead/.test(textOf(message)));
    discord.expireInteractions('tokens');
    discord.moveUser(discord.application.id, null);
    const lost = await says(yes, en('errors.voice.kicked'));
    expect(textOf(lost)).toContain(en('say.notSpoken'));
    expect(isEphemeral(lost)).toBe(false);
    expect(labelsOf(lost)).toEqual([en('say.replay'), en('say.saveAsFile'), en('say.sendAsVoiceMessage'), en('say.sayMore')]);
  });

  it('is said once even if the button is clicked twice', async () => {
    const { member } = parley;
    await member.listen();
    const interaction = await member.run('say', { text: `${COUNTED} Ten.`, voice: 'clara', speed: 2 });
    const question = await interaction.message((message) => textOf(message).includes('Say it anyway?'));
    const clicks = await Promise.all([member.click(question, en('say.confirmButton')), member.click(question, en('say.confirmButton'))]);
    await Promise.any(clicks.map((click) => says(click, en('say.speaking'))));
    // By then, a second one would wait behind the first.
    await (await member.run('stop')).message((message) => textOf(message) !== '');
    expect(clicks.flatMap((click) => click.messages())).toHaveLength(1);
  });

  it('also stays private after the question in a server without the bot', async () => {
    const { other, discord } = parley;
    discord.removeBot(discord.guildId);
    const interaction = await other.run('say', { text: COUNTED, send_as: 'file' });
    const yes = await other.click(
      await interaction.message((message) => textOf(message).includes('Say it anyway?')),
      en('say.confirmButton'),
    );
    expect(isEphemeral(await yes.message((one) => filesOf(one).length > 0))).toBe(true);
    discord.addBot(discord.guildId);
  });
});
