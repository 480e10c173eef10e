// What several processes of one bot show of the credit: the same, whichever answers.
import { describe, expect, it, onTestFinished } from 'vitest';
import type { VoiceServiceOptions } from '../../src/local/voice-service/index.ts';
import { openRedisStore } from '../../src/store/redis.ts';
import { filesOf, type Member, textOf, textsOf } from '../helpers/member.ts';
import { type Program, warnings } from '../helpers/program.ts';
import { redisServer, titled } from '../helpers/requirements.ts';
import { startTestVoiceService } from '../helpers/voice-service.ts';
import { openSharedBot, shardsOf } from './shared-bot.ts';

const options = { guilds: 6, shards: 2, identifyLimits: { maxConcurrency: 2 } };
const wait = { timeout: 60_000, interval: 100 };
const prices = { PRICE_PER_MILLION_BYTES: '15', PRICE_PER_HOUR: '0.36' };

/** The text of each card of /credit by its headline. */
async function creditOf(member: Member): Promise<Record<string, string>> {
  const { components = [] } = await (await member.run('credit')).message((message) => textOf(message) !== '');
  const texts = components.map((card) => textsOf({ components: [card] }));
  return Object.fromEntries(texts.map(([headline = '', ...rest]) => [headline.replace('### ', ''), rest.join('\n')]));
}

/** Speaks 40 characters that nobody has spoken before. @param number 0 to 9 */
async function speak(member: Member, number: number): Promise<void> {
  const interaction = await member.run('say', { text: `Boat number ${number} came home when it was late`, send_as: 'file' });
  await interaction.message((message) => filesOf(message).length > 0);
}

/** Two processes, and a member in a server of each. */
async function openTwo(credit: Partial<VoiceServiceOptions>, ...own: Record<string, string>[]) {
  const service = await startTestVoiceService(credit);
  onTestFinished(() => service.close());
  const bot = await openSharedBot(service, options);
  const first = await bot.start(undefined, own[0]);
  const second = await bot.start(undefined, own[1] ?? own[0]);
  await expect.poll(() => [shardsOf(first).length, shardsOf(second).length], wait).toEqual([1, 1]);
  await expect.poll(bot.connected, wait).toBe(options.shards);
  const memberAt = (program: Program) => bot.membersByShard.get(shardsOf(program)[0] ?? -1) ?? expect.fail('there is no server');
  return { ...bot, first, second, members: [memberAt(first), memberAt(second)] as const };
}

describe.skipIf(!redisServer.isMet)(titled('the credit of several processes', redisServer), () => {
  it('is the same in each after both have used it: the balance, what is left, every server’s use by name, the budget', async () => {
    const { members, discord, first, second } = await openTwo({ credit: '0.02' }, prices);
    for (const [number, member] of members.entries()) await speak(member, number);
    const names = [...discord.world.guilds.values()].map(({ name }) => name);
    // What is used since the last top-up is noted once no call has been made for a second.
    await expect
      .poll(async () => {
        const [one, other] = [await creditOf(members[0]), await creditOf(members[1])];
        expect(one.Credit).toContain('6% used since the last top-up');
        expect([other.Credit, other.You]).toEqual([one.Credit, one.You]);
        return one;
      }, wait)
      .toMatchObject({ You: expect.stringContaining('80 of 20,000 characters') });
    const { Credit = '' } = await creditOf(members[1]);
    expect(Credit).toContain('Exactly 0.0188');
    expect(Credit).toContain('Enough for about 1,250 characters of speech');
    expect(names.filter((name) => Credit.includes(`**${name}**: 40 characters spoken · about 0.0006 credit`))).toHaveLength(2);
    expect(Credit).not.toContain('no longer in');
    expect([...warnings(first), ...warnings(second)]).toEqual([]);
  });

  it('is told of to operators once at 50, 75 and 90 %, whichever process notices', async () => {
    // So low that nobody is asked first; with prices, the balance itself tells when calls are booked.
    const low = { PRICE_PER_MILLION_BYTES: '0.01', PRICE_PER_HOUR: '0.01' };
    const { members, member, first, second } = await openTwo({ credit: '0.006' }, low);
    const alerts: string[] = [];
    member.client.onDispatch(({ t, d }) => {
      const text = t === 'MESSAGE_CREATE' ? textOf(d) : '';
      if (text.includes('credit is used')) alerts.push(text.split('%')[0] ?? '');
    });
    // Each is a tenth of the credit.
    for (let number = 1; number <= 9; number++) {
      await speak(members[number % 2 ? 0 : 1], number);
      const expected = [50, 75, 90].filter((percent) => percent <= number * 10).map(String);
      await expect.poll(() => alerts, wait).toEqual(expected);
      const used = `${number * 10}% used since`;
      // Both have seen the balance.
      for (const one of members) await expect.poll(async () => (await creditOf(one)).Credit, wait).toContain(used);
    }
    expect(alerts).toEqual(['50', '75', '90']);
    expect([...warnings(first), ...warnings(second)]).toEqual([]);
  });

  it('has the prices and budgets of the process that was started last, and each says what it was given instead, by its present name', async () => {
    const { members, first, second } = await openTwo({ credit: '0.3' }, prices, {
      PRICE_PER_HOUR: prices.PRICE_PER_HOUR,
      PRICE_PER_MILLION_CHARACTERS: '30',
      BUDGET_MEMBER_CHARACTERS: '500',
    });
    for (const member of members) {
      await expect.poll(async () => (await creditOf(member)).Credit, wait).toContain('Enough for about 10,000 characters of speech');
      expect((await creditOf(member)).You).toContain('0 of 500 characters');
    }
    const told = (program: Program) => warnings(program).map((line) => JSON.parse(line) as { msg: string; settings: unknown });
    const text = 'PRICE_PER_MILLION_BYTES, BUDGET_MEMBER_CHARACTERS: another process was given other values';
    expect(told(first)).toMatchObject([
      {
        msg: expect.stringContaining(text),
        settings: { PRICE_PER_MILLION_BYTES: { here: 15, there: 30 }, BUDGET_MEMBER_CHARACTERS: { here: 20_000, there: 500 } },
      },
    ]);
    expect(told(second)).toMatchObject([
      { msg: expect.stringMatching(/^PRICE_PER_MILLION_CHARACTERS .* rename it\.$/) },
      { msg: expect.stringContaining(text), settings: { BUDGET_MEMBER_CHARACTERS: { here: 500 } } },
    ]);
  });

  it('understands what a process of the version before writes meanwhile, and is understood by it: prices, and use without bytes', async () => {
    const service = await startTestVoiceService({ credit: '0.3' });
    onTestFinished(() => service.close());
    const bot = await openSharedBot(service, { guilds: 1, shards: 1 });
    await bot.start(undefined, prices);
    await speak(bot.member, 1);
    const store = await openRedisStore({ url: bot.redis.url, botId: bot.discord.application.id });
    onTestFinished(() => store.close());
    const [[, own] = []] = await store.list('process:');
    expect(own).toMatchObject({ facts: { settings: { PRICE_PER_MILLION_CHARACTERS: 15, PRICE_PER_HOUR: 0.36 } } });

    // It was started last, so its prices are those of all.
    const { facts, ...heartbeat } = own as { facts: { settings: Record<string, number | null> } };
    const { PRICE_PER_MILLION_BYTES: _, ...settings } = facts.settings;
    const earlier = { ...facts, startedAt: Date.now(), settings: { ...settings, PRICE_PER_MILLION_CHARACTERS: 30 } };
    const old = { ...heartbeat, shards: [], most: 0, facts: earlier };
    await store.set('process:of-the-version-before', old, { expiresInMs: 600_000 });
    const day = Math.floor(Date.now() / (24 * 3600_000));
    for (const [field, by] of Object.entries({ characters: 60, times: 1 }))
      await store.increment(`use:${day}:${bot.discord.guildId}:${field}`, by, { expiresInMs: 600_000 });
    await expect.poll(async () => (await creditOf(bot.member)).Credit, wait).toContain('Enough for about 9,980 characters of speech');
    expect((await creditOf(bot.member)).Credit).toContain('100 characters spoken · about 0.003 credit (partly estimated)');
  });
});
