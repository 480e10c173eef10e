// /credit for operators, admins and members; alerts to operators; used-up credit.
import { type APIMessage, ComponentType, PermissionFlagsBits, TeamMemberMembershipState, TeamMemberRole } from 'discord.js';
import { decode } from 'fast-png';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createOperators } from '../../src/discord/operators.ts';
import { en } from '../../src/locales/index.ts';
import { createLog } from '../../src/log.ts';
import { filesOf, isEphemeral, type Member, memberOf, partsOf, textOf, textsOf } from '../helpers/member.ts';
import { answerJson, startMisbehavingService } from '../helpers/misbehaving-service.ts';
import { openingOf } from '../helpers/openings.ts';
import { type Parley, startParley, useParley } from '../helpers/parley.ts';
import { startTestVoiceService, type TestVoiceService } from '../helpers/voice-service.ts';

async function replyTo(member: Member): Promise<APIMessage> {
  const reply = await (await member.run('credit')).message((message) => textOf(message) !== '');
  expect(isEphemeral(reply)).toBe(true);
  return reply;
}

const creditOf = async (member: Member) => cardsOf(await replyTo(member));

/** The text of each card by its headline. */
function cardsOf({ components = [] }: APIMessage): Record<string, string> {
  const texts = components.map((card) => textsOf({ components: [card] }));
  return Object.fromEntries(texts.map(([headline = '', ...rest]) => [headline.replace('### ', ''), rest.join('\n')]));
}

/** A text of this length that is spoken in full: no repeats, no trailing space. */
function words(characters: number): string {
  const many =
    'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen';
  return many.slice(0, characters).replace(/ $/, 's');
}

/** Speaks, and waits for the file. */
async function speak(member: Member, characters: number): Promise<void> {
  const interaction = await member.run('say', { text: words(characters), send_as: 'file' });
  await interaction.message((message) => filesOf(message).length > 0);
}

describe('/credit', () => {
  const parley = useParley({ credit: '12.3400' });

  it('shows the balance exactly as the service returns it to the owner of the application, and no prices unless set', async () => {
    const { credit } = await parley.api.getCredit();
    const answer = await creditOf(parley.member);
    expect(answer.Credit).toMatch(new RegExp(`^-# Exactly ${credit} credit, last changed <t:\\d+:R>$`, 'm'));
    expect(answer.Credit).toContain('**About 12.3 credit left**');
    expect(answer.Credit).not.toContain('Enough for');
    expect(answer.Credit).toContain('**Last 30 days**\nNothing spoken or transcribed yet.');
  });

  it("shows members their own usage, not the balance or the server's", async () => {
    await speak(parley.member, 50);
    await speak(parley.other, 120);
    for (const place of [parley.other, await parley.other.inDm()]) {
      const answer = await creditOf(place);
      expect(Object.keys(answer)).toEqual([en('credit.memberTitle')]);
      expect(answer.You).toContain('**Speech today**\n120 of 20,000 characters, **19,880 left**\n▰▱▱▱▱▱▱▱▱▱▱▱');
      expect(answer.You).toContain('**Transcription today**\n0 seconds of 2 hours, **2 hours left**\n▱▱▱▱▱▱▱▱▱▱▱▱');
    }
  });

  it('shows the admins of a server its usage and remaining budget, never the balance', async () => {
    const { discord, other } = parley;
    discord.setRoles(other.client.userId, [discord.addRole('Admins', PermissionFlagsBits.ManageGuild)]);
    const answer = await creditOf(other);
    expect(Object.keys(answer)).toEqual([en('credit.serverTitle'), en('credit.memberTitle')]);
    expect(answer[en('credit.serverTitle')]).toContain('170 of 100,000 characters');
    expect(answer[en('credit.serverTitle')]).toContain('**Last 30 days**');
    discord.setRoles(other.client.userId, []);
    expect(Object.keys(await creditOf(other))).toEqual([en('credit.memberTitle')]);
  });

  it('shows operators the usage of each server by name, and draws it as pictures with alt text', async () => {
    const reply = await replyTo(parley.member);
    const { Credit, ...rest } = cardsOf(reply);
    const { name } = [...parley.bot().client.guilds.cache.values()][0] ?? expect.fail('there is no server');
    expect(Credit).toContain(`**${name}**: 170 characters spoken`);
    expect(Object.keys(rest)).toEqual([en('credit.serverTitle'), en('credit.memberTitle')]);
    const galleries = partsOf(reply.components).flatMap((part) => (part.type === ComponentType.MediaGallery ? part.items : []));
    expect(galleries.map(({ description }) => description?.replace(/\d{4}-\d\d-\d\d/g, 'DATE'))).toEqual(
      Array(2).fill('Bar chart of characters spoken and minutes transcribed per day, from DATE to DATE'),
    );
    for (const { media } of galleries) {
      const { width, data } = decode(new Uint8Array(await (await fetch(media.url)).arrayBuffer()));
      expect(width).toBe(1200);
      // Bars, in the colour of speech: today's is the only one.
      expect(data.some((red, at) => at % 4 === 0 && red === 0x6e && data[at + 1] === 0xa8 && data[at + 2] === 0xfe)).toBe(true);
    }
    expect(partsOf((await replyTo(parley.other)).components).some(({ type }) => type === ComponentType.MediaGallery)).toBe(false);
  });

  it('tells a member that their budget is too small, and takes nothing', async () => {
    const { discord, other } = parley;
    await parley.store.set(`guild:${discord.guildId}`, { memberBudget: 150 });
    const interaction = await other.run('say', { text: words(40), send_as: 'file' });
    expect(await interaction.sentence()).toContain('You have 30 characters of speech left today');
    await speak(other, 30);
    const answer = await creditOf(other);
    expect(answer.You).toContain('150 of 150 characters, **0 left**\n▰▰▰▰▰▰▰▰▰▰▰▰');
  });

  it('never lets a server exceed its budget under concurrent requests', async () => {
    const { discord, member, other } = parley;
    // 200 are used already, and 90 more are for two of them.
    await parley.store.set(`guild:${discord.guildId}`, { guildBudget: 290 });
    const interaction = await Promise.all(
      [member, other, member, other, member, other].map((one) => one.run('say', { text: words(40), send_as: 'file' })),
    );
    const answers = await Promise.all(
      interaction.map((one) => one.message((message) => filesOf(message).length > 0 || textOf(message) !== '')),
    );
    expect(answers.filter((message) => filesOf(message).length > 0)).toHaveLength(2);
    expect(answers.filter((message) => textOf(message).includes('This server has 10 characters'))).toHaveLength(4);
    expect((await creditOf(member))[en('credit.serverTitle')]).toContain('280 of 290 characters, **10 left**');
  });

  it('shows the balance to members of the team that owns the application, but not to invited ones', async () => {
    const { discord, member, other } = parley;
    const { application } = discord.world;
    const inTeam = (userId: string, membership_state: TeamMemberMembershipState) => ({
      ...{ membership_state, team_id: '1', role: TeamMemberRole.Developer, permissions: ['*'] as ['*'] },
      user: discord.world.users.get(userId) ?? application.user,
    });
    application.team = {
      ...{ id: '1', name: 'A team', icon: null, owner_user_id: other.client.userId },
      members: [
        inTeam(other.client.userId, TeamMemberMembershipState.Accepted),
        inTeam(member.client.userId, TeamMemberMembershipState.Invited),
      ],
    };
    await parley.restartBot();
    expect(await creditOf(other)).toHaveProperty(en('credit.accountTitle'));
    expect(await creditOf(member)).not.toHaveProperty(en('credit.accountTitle'));
  });
});

describe('/credit with prices', () => {
  const parley = useParley({ credit: '3' }, { prices: { perMillionBytes: 15, perHour: 0.36 } });

  it('shows operators what the balance pays for and what a server costs', async () => {
    await speak(parley.member, 120);
    const answer = await creditOf(parley.member);
    expect(answer.Credit).toContain('Enough for about 200,000 characters of speech or about 500 minutes of transcription.');
    expect(answer.Credit).toContain('120 characters spoken · about 0.0018 credit');
    expect(answer[en('credit.serverTitle')]).not.toContain('credit');
  });

  it('counts the bytes of a text, of which fewer characters are affordable then', async () => {
    const text = 'É à é ö ü å ñ ç è';
    expect([text.length, Buffer.byteLength(text)]).toEqual([17, 26]);
    const interaction = await parley.member.run('say', { text, send_as: 'file' });
    await interaction.message((message) => filesOf(message).length > 0);
    // 120 bytes before.
    await expect.poll(async () => (await creditOf(parley.member)).Credit).toContain('137 characters spoken · about 0.0022 credit');
    // As many as at 146 bytes for 137 characters.
    expect((await creditOf(parley.member)).Credit).toContain('Enough for about 188,000 characters of speech');
  });
});

describe('operators', () => {
  let service: TestVoiceService;
  let parley: Parley;
  beforeAll(async () => {
    service = await startTestVoiceService({ credit: '0.003' });
    parley = await startParley({
      service,
      operatorsAreOthers: true,
      timing: { settleMs: 0, pollMs: 5 },
      discord: { members: 3 },
    });
  });
  afterAll(async () => {
    await parley.close();
    await service.close();
  });

  it('in OPERATOR_IDS and the owner are alerted by direct message when half of the credit is used', async () => {
    // The credit is enough for 200 characters.
    await speak(parley.member, 120);
    for (const member of [parley.member, parley.other]) {
      const told = await member.sees((message) => textOf(message).includes('of the voice service’s credit is used'));
      expect(textOf(told)).toContain('50% of the voice service’s credit');
      expect(textOf(told)).toContain('0.0012 credit is left.');
      expect(told.channel_id).not.toBe(parley.discord.channelId('general'));
    }
  });

  it('who cannot be reached are messaged once more later, and the failure is logged without the content', async () => {
    const { discord, bot } = parley;
    const ada = memberOf(discord, 'Ada');
    const log = createLog('silent');
    const warn = vi.spyOn(log, 'warn');
    const operators = createOperators(bot().client, [ada.client.userId], log, 50);
    discord.setAcceptsDms(ada.client.userId, false);
    await operators.notify('A first secret');
    expect(warn).toHaveBeenCalledTimes(1);
    await expect.poll(() => warn.mock.calls.length).toBe(2);
    discord.setAcceptsDms(ada.client.userId, true);
    discord.failRest(/POST .*\/users\/@me\/channels/, { status: 400 }, 2);
    await operators.notify('A second secret');
    await ada.sees((message) => textOf(message) === 'A second secret');
    expect(JSON.stringify(warn.mock.calls)).not.toContain('secret');
  });

  it('are alerted once when the credit is used up; members are told each time, without another call', async () => {
    const { member, other } = parley;
    // A twentieth is left.
    await speak(member, 70);
    await other.sees((message) => textOf(message).startsWith('90% of the'));
    for (const one of [member, other, other]) {
      const interaction = await one.run('say', { text: words(100), send_as: 'file' });
      expect(await interaction.sentence()).toContain(en('errors.api.credit'));
    }
    await other.sees((message) => textOf(message).includes(en('credit.usedUpAlert')));
    expect((await creditOf(other)).You).toContain('0 of');
  });
});

it('shows operators the usage even if the balance cannot be read', async () => {
  const service = await startMisbehavingService((request, response) => {
    const answer = request.url?.startsWith('/wallet')
      ? answerJson(503, { status: 503, message: 'no' })
      : answerJson(200, { total: 0, items: [] });
    answer(request, response);
  });
  const parley = await startParley({ service: { url: service.url, key: 'key' }, retries: { attempts: 1 } });
  try {
    const answer = await creditOf(parley.member);
    expect(answer.Credit).toContain(openingOf('credit.balanceFailed'));
    expect(answer.Credit).toContain(en('credit.noUsage'));
  } finally {
    await parley.close();
    await service.close();
  }
});
