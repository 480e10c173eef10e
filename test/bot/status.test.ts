// /status: the most probable cause of silence, and how everything stands.

import { type APIMessage, PermissionFlagsBits } from 'discord.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memberBudgetKey } from '../../src/charging/index.ts';
import { en } from '../../src/locales/index.ts';
import type { BotProcess, WholeBot } from '../../src/processes/processes.ts';
import { diagnose, type Facts } from '../../src/status/facts.ts';
import { statusMessage } from '../../src/status/view.ts';
import { createSettings } from '../../src/store/settings.ts';
import { VoiceError } from '../../src/voice-session/types.ts';
import { anyCharacter, anyTranslator } from '../helpers/arbitrary-text.ts';
import { expectWithinLimits } from '../helpers/discord-limits.ts';
import { isEphemeral, textOf, textsOf } from '../helpers/member.ts';
import { answerJson, startMisbehavingService } from '../helpers/misbehaving-service.ts';
import { openingOf } from '../helpers/openings.ts';
import { startParley, useParley } from '../helpers/parley.ts';

const NOW = 1_800_000_000_000;
const channel = { id: '1', isStage: false, isFull: false, missing: [] };
const hears = { selfDeaf: false, serverDeaf: false, refusal: null };
const well: Facts = {
  now: NOW,
  inGuild: true,
  channel,
  member: hears,
  me: { serverMute: false },
  session: null,
  movingFrom: null,
  silence: null,
  volume: 1,
  service: { ms: 30 },
  spending: { credit: null, budget: null },
};
const noPing = { ws: null, udp: null };
const ready = { status: 'ready', since: NOW - 60_000, encrypted: true, ping: { ws: 40, udp: 12 } } as const;
const playing = { channelId: '1', state: ready, length: 2, before: 0, unheard: 0, captioned: null };

const diagnoseIn = (facts: Facts) => diagnose(en, facts);
const sentenceOf = (facts: Partial<Facts>) => diagnoseIn({ ...well, ...facts }).sentence;

describe('the verdict', () => {
  it.each<[string, Partial<Facts>, string]>([
    ['no server', { inGuild: false }, 'not in a server here'],
    ['no voice channel', { channel: null }, 'You’re not in a voice channel'],
    ['no voice channel while I speak', { channel: null, session: playing }, 'I’m speaking in <#1>. Join it'],
    ['a stage', { channel: { ...channel, isStage: true } }, 'is a stage'],
    ['deafened by a moderator', { member: { ...hears, serverDeaf: true, selfDeaf: true } }, 'moderator has deafened you'],
    ['deafened by themselves', { member: { ...hears, selfDeaf: true } }, 'You’ve deafened yourself'],
    ['another channel', { session: { ...playing, channelId: '2' } }, 'I’m speaking in <#2>, but you’re in <#1>'],
    ['a permission', { channel: { ...channel, missing: ['Connect', 'Speak'] } }, 'I need **Connect** and **Speak** in <#1>'],
    ['my being muted', { me: { serverMute: true } }, 'I’m server-muted'],
    ['a full channel', { channel: { ...channel, isFull: true } }, '<#1> is full'],
    ['volume 0', { volume: 0 }, 'set to 0%'],
    ['its move to another process', { movingFrom: '1', session: { ...playing, before: 1 } }, 'I’m moving to another machine'],
    [
      'joining',
      { session: { ...playing, state: { status: 'connecting', since: NOW - 900, encrypted: false } } },
      'joining your voice channel',
    ],
    [
      'never let in',
      { session: { ...playing, state: { status: 'connecting', since: NOW - 16_000, encrypted: false } } },
      'isn’t letting me into the voice channel',
    ],
    [
      'encryption under way',
      { session: { ...playing, state: { status: 'encrypting', since: NOW - 900, encrypted: false, ping: noPing } } },
      'setting up end-to-end encryption',
    ],
    [
      'encryption that does not come about',
      { session: { ...playing, state: { status: 'encrypting', since: NOW - 16_000, encrypted: false, ping: noPing } } },
      'encryption isn’t working in your voice channel',
    ],
    [
      'a broken connection',
      { session: { ...playing, state: { status: 'reconnecting', since: NOW - 5, encrypted: false } } },
      'connection dropped',
    ],
    ['the service', { service: { problem: 'It’s on fire.' } }, 'isn’t working. It’s on fire.'],
    ['a rule of the server', { member: { ...hears, refusal: 'Not you.' } }, 'Not you.'],
    ['used-up credit', { spending: { credit: 'No credit.', budget: 'No budget.' }, session: playing }, 'No credit.'],
    ['a used-up budget', { spending: { credit: null, budget: 'No budget.' } }, 'No budget.'],
    [
      'a used-up budget while others speak',
      { spending: { credit: null, budget: 'No budget.' }, session: { ...playing, before: null } },
      'No budget.',
    ],
    [
      'what is said, though the budget is used up by it',
      { spending: { credit: null, budget: 'No budget.' }, session: playing },
      'I’m speaking for you right now',
    ],
    ['the queue', { session: { ...playing, before: 2, length: 5 } }, 'behind 2 others'],
    ['somebody else speaking', { session: { ...playing, before: null } }, 'speaking for someone else'],
    ['their own volume', { session: playing }, 'I’m speaking for you right now'],
    ['a slow service', { service: { ms: 4_200 } }, 'slow (4 seconds)'],
    ['nothing', {}, 'Everything works, and nothing is playing'],
  ])('names %s', (_, facts, sentence) => {
    expect(sentenceOf(facts)).toContain(sentence);
  });

  it('is about what the member can change, before what others must', () => {
    const all = { service: { problem: 'down' }, me: { serverMute: true }, volume: 0, member: { ...hears, selfDeaf: true } };
    expect(sentenceOf(all)).toContain(en('status.selfDeaf'));
    expect(sentenceOf({ ...all, channel: null })).toContain('You’re not in a voice channel');
  });

  it('says that all is well only if it is', () => {
    expect(diagnoseIn(well).state).toBe('good');
    expect(diagnoseIn({ ...well, session: { ...playing, before: 1 } }).state).toBe('wait');
    expect(diagnoseIn({ ...well, volume: 0 }).state).toBe('bad');
  });

  it('comes with how many members cannot be heard, and what may help', () => {
    const shown = (unheard: number) => {
      const facts = { ...well, session: { ...playing, unheard } };
      const here = { viewChannel: true, sendMessages: true };
      return textsOf(statusMessage(en, facts, diagnoseIn(facts), { here, operator: null, shardId: 0 })).join('\n');
    };
    expect(shown(2)).toContain('✗ I can’t decrypt the sound of 2 members: leaving the voice channel and rejoining may help');
    expect(shown(0)).not.toContain('decrypt');
  });

  it('is shown within the limits, whatever is found', () => {
    const words = fc.oneof(fc.string({ unit: anyCharacter, maxLength: 5_000 }), fc.constant(''), fc.constant('*`_~|'.repeat(500)));
    const id = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String);
    const count = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
    const state = fc.oneof(
      fc.constant(ready),
      fc.record({ status: fc.constant('connecting' as const), since: count, encrypted: fc.constant(false as const) }),
      fc.record({
        status: fc.constant('closed' as const),
        since: count,
        encrypted: fc.constant(false as const),
        cause: fc.constant(new VoiceError('kicked', 'x')),
      }),
    );
    const facts: fc.Arbitrary<Facts> = fc.record({
      now: count,
      inGuild: fc.boolean(),
      channel: fc.option(
        fc.record({ id, isStage: fc.boolean(), isFull: fc.boolean(), missing: fc.subarray(['View Channel', 'Connect', 'Speak']) }),
      ),
      member: fc.record({ selfDeaf: fc.boolean(), serverDeaf: fc.boolean(), refusal: fc.option(words) }),
      me: fc.record({ serverMute: fc.boolean() }),
      session: fc.option(
        fc.record({ channelId: id, state, length: count, before: fc.option(count), unheard: count, captioned: fc.option(count) }),
      ),
      movingFrom: fc.option(id),
      silence: fc.option(words),
      volume: fc.option(fc.double({ min: 0, max: 2, noNaN: true })),
      service: fc.oneof(fc.record({ ms: fc.double({ min: 0, noNaN: true }) }), fc.record({ problem: words })),
      spending: fc.record({ credit: fc.option(words), budget: fc.option(words) }),
    });
    const process: fc.Arbitrary<BotProcess> = fc.record({
      host: words,
      pid: count,
      startedAt: count,
      guilds: count,
      speaking: count,
      outage: fc.option(words),
      isOwn: fc.boolean(),
      isLeaving: fc.boolean(),
      shards: fc.array(fc.nat({ max: 2_000 })),
    });
    const shards = fc.array(fc.nat({ max: 2_000 }), { maxLength: 500 });
    const whole = fc.record({ shardCount: count, processes: fc.array(process, { maxLength: 150 }), free: shards, handoffs: shards });
    const operator = fc.oneof(fc.record({ balance: words }), fc.record({ balance: words, whole: fc.option(whole) }));
    const here = fc.record({ viewChannel: fc.boolean(), sendMessages: fc.boolean() });
    fc.assert(
      fc.property(anyTranslator, facts, here, fc.option(operator), count, (t, all, place, asking, shardId) => {
        const message = statusMessage(t, all, diagnoseIn(all), { here: place, operator: asking, shardId });
        expectWithinLimits(message);
      }),
    );
  });
});

describe('the whole bot', () => {
  const process: BotProcess = {
    ...{ host: 'parley-1', pid: 7, startedAt: NOW, guilds: 200, speaking: 12, outage: null, isOwn: false, isLeaving: false },
    shards: [0, 1, 2, 3],
  };
  const whole: WholeBot = { shardCount: 4, processes: [process], free: [], handoffs: [] };
  const shownOf = (changes: Partial<WholeBot>) => {
    const operator = { balance: '1', whole: { ...whole, ...changes } };
    const here = { viewChannel: true, sendMessages: true };
    const message = statusMessage(en, well, diagnoseIn(well), { here, operator, shardId: 2 });
    expectWithinLimits(message);
    return textsOf(message).at(-1)?.split('\n').slice(1) ?? [];
  };

  it('is counted, and each process shows its shards, its servers and since when it runs', () => {
    const other = { ...process, host: 'parley-2', shards: [4, 6, 7], guilds: 1, speaking: 0, isOwn: true };
    expect(shownOf({ shardCount: 8, processes: [process, other] })).toEqual([
      '2 processes · 8 shards · 201 servers · speaking in 12',
      '`parley-2` · answers here (shard 2)',
      '-# shards 4, 6, 7 · 1 server · started <t:1800000000:R>',
      '`parley-1`',
      '-# shards 0–3 · 200 servers · speaking in 12 · started <t:1800000000:R>',
    ]);
  });

  it('shows what is wrong first: shards without a process, or on the way to one, and processes that leave or miss the service', () => {
    const leaving = { ...process, host: 'old', shards: [1], isLeaving: true };
    const cut = { ...process, host: 'cut', shards: [], outage: 'x' };
    const [, ...lines] = shownOf({ shardCount: 9, processes: [process, leaving, cut], free: [5, 6, 7], handoffs: [1] });
    const facts = '200 servers · speaking in 12 · started <t:1800000000:R>';
    expect(lines).toEqual([
      '✗ No process has shards 5–7: servers there get no answer; if it lasts, start another process or raise `SHARDS_PER_PROCESS`',
      en('status.wholeBot.moving', { count: 1, list: '1' }),
      '`cut` · ✗ sees the voice service as down',
      `-# no shards · ${facts}`,
      '`old` · leaving',
      `-# shard 1 · ${facts}`,
      '`parley-1`',
      `-# shards 0–3 · ${facts}`,
    ]);
  });

  it('tells processes of one machine apart by their pid', () => {
    const lines = shownOf({ processes: [process, { ...process, pid: 8 }] });
    expect(lines.flatMap((line) => line.split('`')[1] ?? [])).toEqual(['parley-1 7', 'parley-1 8']);
  });

  it('of a hundred processes is summed up, with what is wrong among those that are shown', () => {
    const processes = Array.from({ length: 100 }, (_, index) => ({ ...process, host: `parley-${index}`, shards: [index] }));
    const shown = (leaving: number) =>
      shownOf({ shardCount: 100, processes: processes.map((one, index) => ({ ...one, isLeaving: index >= 100 - leaving })) });
    const one = shown(1);
    expect(one.slice(0, 2)).toEqual(['100 processes · 100 shards · 20,000 servers · speaking in 1,200', '`parley-99` · leaving']);
    expect(one).toHaveLength(1 + 2 * 10 + 1);
    expect(one.at(-1)).toBe('and 90 other processes');
    const all = shown(100);
    const named = all.filter((line) => line.includes('leaving')).length;
    expect(named).toBeGreaterThan(20);
    expect(all.at(-1)).toBe(`and ${100 - named} other processes`);
  });
});

const isFinal = (message: APIMessage) => textOf(message) !== '';

/** The verdict, and each part by its title. */
function read(message: APIMessage) {
  const [verdict = '', ...parts] = textsOf(message);
  const field = (title: string) => parts.find((part) => new RegExp(`^\\*\\*${title}\\b`).test(part))?.replace(/^.*\n/, '');
  return { message, verdict, field };
}

describe('/status', () => {
  const parley = useParley();

  async function ask(who: 'member' | 'other' = 'member') {
    const interaction = await parley[who].run('status');
    return read(await interaction.message(isFinal));
  }

  it('privately tells each member what is wrong and what to do, and shows operators the balance', async () => {
    const { discord, other } = parley;
    const outside = await ask();
    expect(isEphemeral(outside.message)).toBe(true);
    expect(outside.verdict).toContain('You’re not in a voice channel');
    expect(outside.field(en('status.titles.service'))).toMatch(/^✓ Answered in [\d,]+ ms$/);
    expect(outside.field('Credit')).toMatch(/^\*\*About [\d.,]+ credit left\*\*$/);
    // There is no other process.
    expect(outside.field('The whole bot')).toBeUndefined();

    await other.listen();
    const lounge = discord.channelId('Lounge');
    discord.setPermissions(lounge, discord.application.id, { deny: PermissionFlagsBits.Speak });
    await expect.poll(async () => (await ask('other')).verdict).toContain('I need **Speak**');
    const lacking = await ask('other');
    expect(lacking.field(en('status.titles.voice'))).toContain('✓ Connect\n✗ Speak: a server admin can allow it');
    expect(lacking.field('Credit')).toBeUndefined();
    discord.setPermissions(lounge, discord.application.id, {});
    await expect.poll(async () => (await ask('other')).verdict).toContain('Everything works');

    await createSettings(parley.store).changeGuild(discord.guildId, (before) => ({ ...before, volume: 0 }));
    expect((await ask('other')).verdict).toContain('set to 0%');
    await createSettings(parley.store).resetGuild(discord.guildId);
  });

  it('says in the words of the refusal that the next text would be refused', async () => {
    const { discord, other, store } = parley;
    await other.listen();
    const refusal = async () => (await other.run('say', { text: 'Will this be said?' })).sentence();
    const settings = createSettings(store);

    await settings.changeGuild(discord.guildId, (before) => ({ ...before, memberBudget: 0 }));
    const off = await ask('other');
    expect(off.verdict).toBe(await refusal());
    expect(off.verdict).toContain(en('errors.budget.switchedOff.speech'));
    expect(off.field(en('status.titles.you'))).toContain(`✗ You can’t use \`/say\` here: ${off.verdict}`);

    await settings.changeGuild(discord.guildId, (before) => ({ ...before, memberBudget: 20 }));
    const day = Math.floor(Date.now() / (24 * 3600_000));
    await store.set(`${memberBudgetKey(day, 'speech', other.client.userId)}:${discord.guildId}`, 20);
    expect((await ask('other')).verdict).toBe(await refusal());
    expect((await ask('other')).verdict).toContain(openingOf('errors.budget.usedUp.member.speech'));
    await settings.resetGuild(discord.guildId);
  });

  it('shows the connection, its encryption and the queue while I speak', async () => {
    const { member } = parley;
    await member.listen();
    const said = await member.run('say', { text: 'one two three four five six seven eight nine ten, '.repeat(5) });
    await said.message((message) => JSON.stringify(message).includes(en('say.speaking')));
    const { verdict, field } = await ask();
    expect(verdict).toContain(en('status.speaking'));
    expect(field(en('status.titles.connection'))).toMatch(/^<#\d+>, connected <t:\d+:R>\n✓ End-to-end encrypted/);
    expect(field(en('status.titles.connection'))).toContain('Queue: 1 text · Volume: 100%');
    await member.run('stop');
    await said.message((message) => JSON.stringify(message).includes(en('say.stopped')));
  });
});

it('/status says that the credit is used up, in the words of the refusal', async () => {
  const service = await startMisbehavingService((request, response) => {
    const isSpeech = request.method === 'POST';
    const catalogue = { total: 0, items: [], credit: '0' };
    answerJson(isSpeech ? 402 : 200, isSpeech ? { status: 402, message: 'no credit' } : catalogue)(request, response);
  });
  const parley = await startParley({ service: { url: service.url, key: 'key' } });
  try {
    await parley.other.listen();
    const file = await parley.other.run('say', { text: 'Will this be said?', send_as: 'file' });
    const refusal = await file.sentence();
    const { verdict, field } = read(await (await parley.other.run('status')).message(isFinal));
    expect(verdict).toBe(refusal);
    expect(field(en('status.titles.service'))).toBe(`${field(en('status.titles.service'))?.split('\n')[0]}\n✗ ${refusal}`);
    expect(field(en('status.titles.service'))).toMatch(/^✓ Answered in [\d,]+ ms/);
  } finally {
    await parley.close();
    await service.close();
  }
});
