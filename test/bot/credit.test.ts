// /credit for operators, admins and members; alerts to operators; used-up credit.
import { PermissionFlagsBits, TeamMemberMembershipState, TeamMemberRole } from 'discord.js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createOperators } from '../../src/bot/operators.ts';
import { createLog } from '../../src/log.ts';
import { isEphemeral, type Member } from '../helpers/member.ts';
import { answerJson, startMisbehavingService } from '../helpers/misbehaving-service.ts';
import { type Parley, startParley, useParley } from '../helpers/parley.ts';
import { startTestVoiceService, type TestVoiceService } from '../helpers/voice-service.ts';

/** The embeds of the reply by their headlines. */
async function creditOf(member: Member): Promise<Record<string, string>> {
  const reply = await (await member.run('credit')).message((message) => message.embeds.length > 0);
  expect(isEphemeral(reply)).toBe(true);
  return Object.fromEntries(
    reply.embeds.map(({ author, title, description }) => [author?.name, [title, description].filter(Boolean).join('\n')]),
  );
}

/** A text of this length that is spoken in full: no repeats, no trailing space. */
function words(characters: number): string {
  const many =
    'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen';
  return many.slice(0, characters).replace(/ $/, 's');
}

/** Speaks, and waits for the file. */
async function speak(member: Member, characters: number): Promise<void> {
  const interaction = await member.run('say', { text: words(characters), as_file: true });
  await interaction.message((message) => message.attachments.length > 0);
}

describe('/credit', () => {
  const parley = useParley({ credit: '12.3400' });

  it('shows the balance exactly as the service returns it to the owner of the application, and no prices unless set', async () => {
    const { credit } = await parley.api.getCredit();
    const answer = await creditOf(parley.member);
    expect(answer.Credit).toMatch(new RegExp(`^${credit}\n`));
    expect(answer.Credit).toMatch(/Last changed <t:\d+:R>/);
    expect(answer.Credit).not.toContain('worth');
    expect(answer.Credit).toContain('Nothing was spoken or transcribed in the last 30 days');
  });

  it("shows members their own usage, not the balance or the server's", async () => {
    await speak(parley.member, 50);
    await speak(parley.other, 120);
    for (const place of [parley.other, await parley.other.inDm()]) {
      const answer = await creditOf(place);
      expect(Object.keys(answer)).toEqual(['You']);
      expect(answer.You).toContain('Spoken today: 120 of 20,000 characters, **19,880 characters** left.');
      expect(answer.You).toContain('Transcribed today: 0 seconds of 120 minutes, **120 minutes** left.');
    }
  });

  it('shows the admins of a server its usage and remaining budget, never the balance', async () => {
    const { discord, other } = parley;
    discord.setRoles(other.client.userId, [discord.addRole('Admins', PermissionFlagsBits.ManageGuild)]);
    const answer = await creditOf(other);
    expect(Object.keys(answer)).toEqual(['This server', 'You']);
    expect(answer['This server']).toContain('Spoken today: 170 of 100,000 characters');
    expect(answer['This server']).toContain('In the last 30 days: 170 characters spoken, 2 times.');
    discord.setRoles(other.client.userId, []);
    expect(Object.keys(await creditOf(other))).toEqual(['You']);
  });

  it('shows operators the usage of each server by name', async () => {
    const answer = await creditOf(parley.member);
    const { name } = [...parley.bot().client.guilds.cache.values()][0] ?? expect.fail('there is no server');
    expect(answer.Credit).toContain(`${name}: 170 characters spoken, 2 times`);
    expect(Object.keys(answer)).toEqual(['Credit', 'This server', 'You']);
  });

  it('tells a member that their budget is too small, and takes nothing', async () => {
    const { discord, other } = parley;
    await parley.store.set(`guild:${discord.guildId}`, { memberBudget: 150 });
    const interaction = await other.run('say', { text: words(40), as_file: true });
    expect(await interaction.sentence()).toContain('Your budget for today reaches for 30 characters of speech more');
    await speak(other, 30);
    const answer = await creditOf(other);
    expect(answer.You).toContain('Spoken today: 150 of 150 characters, **0 characters** left');
  });

  it('never lets a server exceed its budget under concurrent requests', async () => {
    const { discord, member, other } = parley;
    // 200 are used already, and 90 more are for two of them.
    await parley.store.set(`guild:${discord.guildId}`, { guildBudget: 290 });
    const interaction = await Promise.all(
      [member, other, member, other, member, other].map((one) => one.run('say', { text: words(40), as_file: true })),
    );
    const answers = await Promise.all(
      interaction.map((one) => one.message(({ attachments, content }) => attachments.length > 0 || content !== '')),
    );
    expect(answers.filter(({ attachments }) => attachments.length > 0)).toHaveLength(2);
    expect(answers.filter(({ content }) => content.includes('The budget of this server for today reaches for'))).toHaveLength(4);
    expect((await creditOf(member))['This server']).toContain('Spoken today: 280 of 290 characters');
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
    expect(await creditOf(other)).toHaveProperty('Credit');
    expect(await creditOf(member)).not.toHaveProperty('Credit');
  });
});

describe('/credit with prices', () => {
  const parley = useParley({ credit: '3' }, { prices: { perMillionCharacters: 15, perHour: 0.36 } });

  it('shows operators what the balance pays for and what a server costs', async () => {
    await speak(parley.member, 120);
    const answer = await creditOf(parley.member);
    expect(answer.Credit).toMatch(/It is worth about 200,000 characters of speech, or about 500 minutes of transcription\./);
    expect(answer.Credit).toContain('120 characters spoken, once, about 0.0018 credit');
    expect(answer['This server']).not.toContain('credit');
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
    });
  });
  afterAll(async () => {
    await parley.close();
    await service.close();
  });

  it('in OPERATOR_IDS and the owner are alerted by direct message when half of the credit is used', async () => {
    // Of 200 characters.
    await speak(parley.member, 120);
    for (const member of [parley.member, parley.other]) {
      const told = await member.sees(({ content }) => content.includes('of the credit at the voice service is used'));
      expect(told.content).toContain('50 % of the credit');
      expect(told.content).toContain('the balance is 0.0012.');
      expect(told.channel_id).not.toBe(parley.discord.channelId('general'));
    }
  });

  it('who cannot be reached are messaged once more later, and the failure is logged without the content', async () => {
    const { discord, other, bot } = parley;
    const log = createLog('silent');
    const warn = vi.spyOn(log, 'warn');
    const operators = createOperators(bot().client, [other.client.userId], log, 50);
    discord.setAcceptsDms(other.client.userId, false);
    await operators.notify('A first secret');
    expect(warn).toHaveBeenCalledTimes(1);
    await expect.poll(() => warn.mock.calls.length).toBe(2);
    discord.setAcceptsDms(other.client.userId, true);
    discord.failRest(/POST .*\/users\/@me\/channels/, { status: 400 }, 2);
    await operators.notify('A second secret');
    await other.sees(({ content }) => content === 'A second secret');
    expect(JSON.stringify(warn.mock.calls)).not.toContain('secret');
    operators.close();
  });

  it('are alerted once when the credit is used up; members are told each time, without another call', async () => {
    const { member, other } = parley;
    // A twentieth is left.
    await speak(member, 70);
    await other.sees(({ content }) => content.startsWith('90 % of the credit'));
    for (const one of [member, other, other]) {
      const interaction = await one.run('say', { text: words(100), as_file: true });
      expect(await interaction.sentence()).toContain('The credit at the voice service is used up');
    }
    await other.sees(({ content }) => content.includes('is used up: it refuses'));
    expect((await creditOf(other)).You).toContain('Spoken today: 0 of');
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
    expect(answer.Credit).toContain('The balance cannot be seen now. The voice service has a problem of its own (503)');
    expect(answer.Credit).toContain('Nothing was spoken or transcribed');
  } finally {
    await parley.close();
    await service.close();
  }
});
