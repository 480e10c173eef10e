// /status: the most probable cause of silence, and how everything stands.

import { PermissionFlagsBits } from 'discord.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memberBudgetKey } from '../../src/credit/index.ts';
import { createSettings } from '../../src/settings/index.ts';
import { diagnose, type Facts } from '../../src/status/diagnosis.ts';
import { statusEmbed } from '../../src/status/view.ts';
import { VoiceError } from '../../src/voice/types.ts';
import { expectWithinLimits } from '../helpers/discord-limits.ts';
import { isEphemeral } from '../helpers/member.ts';
import { answerJson, startMisbehavingService } from '../helpers/misbehaving-service.ts';
import { createSchemaCheck } from '../helpers/openapi.ts';
import { startParley, useParley } from '../helpers/parley.ts';

const checkMessage = createSchemaCheck('IncomingWebhookUpdateRequestPartial');

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
  volume: 1,
  service: { ms: 30 },
  spending: { credit: null, budget: null },
};
const noPing = { ws: null, udp: null };
const ready = { status: 'ready', since: NOW - 60_000, encrypted: true, ping: { ws: 40, udp: 12 } } as const;
const playing = { channelId: '1', state: ready, length: 2, before: 0 };

const sentenceOf = (facts: Partial<Facts>) => diagnose({ ...well, ...facts }).sentence;

describe('the verdict', () => {
  it.each<[string, Partial<Facts>, string]>([
    ['no server', { inGuild: false }, 'no member of a server here'],
    ['no voice channel', { channel: null }, 'You are in no voice channel'],
    ['no voice channel while I speak', { channel: null, session: playing }, 'I am speaking in <#1>, and you are in no'],
    ['a stage', { channel: { ...channel, isStage: true } }, 'stage channel'],
    ['deafened by a moderator', { member: { ...hears, serverDeaf: true, selfDeaf: true } }, 'moderator has deafened you'],
    ['deafened by themselves', { member: { ...hears, selfDeaf: true } }, 'You have deafened yourself'],
    ['another channel', { session: { ...playing, channelId: '2' } }, 'I am speaking in <#2>, and you are in <#1>'],
    ['a permission', { channel: { ...channel, missing: ['Connect', 'Speak'] } }, 'I lack **Connect** and **Speak** in <#1>'],
    ['my being muted', { me: { serverMute: true } }, 'moderator has muted me'],
    ['a full channel', { channel: { ...channel, isFull: true } }, '<#1> is full'],
    ['volume 0', { volume: 0 }, 'set to 0 %'],
    [
      'joining',
      { session: { ...playing, state: { status: 'connecting', since: NOW - 900, encrypted: false } } },
      'joining your voice channel',
    ],
    [
      'never let in',
      { session: { ...playing, state: { status: 'connecting', since: NOW - 16_000, encrypted: false } } },
      'does not let me into the voice channel',
    ],
    [
      'encryption under way',
      { session: { ...playing, state: { status: 'encrypting', since: NOW - 900, encrypted: false, ping: noPing } } },
      'encryption is being made',
    ],
    [
      'encryption that does not come about',
      { session: { ...playing, state: { status: 'encrypting', since: NOW - 16_000, encrypted: false, ping: noPing } } },
      'encryption of the voice channel is not coming about',
    ],
    ['a broken connection', { session: { ...playing, state: { status: 'reconnecting', since: NOW - 5, encrypted: false } } }, 'broke'],
    ['the service', { service: { problem: 'it is on fire.' } }, 'is not to be used: it is on fire.'],
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
      'I am speaking for you now',
    ],
    ['the queue', { session: { ...playing, before: 2, length: 5 } }, '2 are before it'],
    ['somebody else speaking', { session: { ...playing, before: null } }, 'speaking for somebody else'],
    ['their own volume', { session: playing }, 'I am speaking for you now'],
    ['a slow service', { service: { ms: 4_200 } }, 'slow (4.2 s)'],
    ['nothing', {}, 'Everything is in order, and nothing is being said'],
  ])('names %s', (_, facts, sentence) => {
    expect(sentenceOf(facts)).toContain(sentence);
  });

  it('is about what the member can change, before what others must', () => {
    const all = { service: { problem: 'down' }, me: { serverMute: true }, volume: 0, member: { ...hears, selfDeaf: true } };
    expect(sentenceOf(all)).toContain('deafened yourself');
    expect(sentenceOf({ ...all, channel: null })).toContain('You are in no voice channel');
  });

  it('says that all is well only if it is', () => {
    expect(diagnose(well).state).toBe('good');
    expect(diagnose({ ...well, session: { ...playing, before: 1 } }).state).toBe('wait');
    expect(diagnose({ ...well, volume: 0 }).state).toBe('bad');
  });

  it('is shown within the limits, whatever is found', () => {
    const words = fc.oneof(fc.string({ unit: 'binary', maxLength: 5_000 }), fc.constant(''), fc.constant('*`_~|'.repeat(500)));
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
      session: fc.option(fc.record({ channelId: id, state, length: count, before: fc.option(count) })),
      volume: fc.double({ min: 0, max: 2, noNaN: true }),
      service: fc.oneof(fc.record({ ms: fc.double({ min: 0, noNaN: true }) }), fc.record({ problem: words })),
      spending: fc.record({ credit: fc.option(words), budget: fc.option(words) }),
    });
    const here = fc.record({ viewChannel: fc.boolean(), sendMessages: fc.boolean() });
    fc.assert(
      fc.property(facts, here, fc.option(words), (all, place, balance) => {
        const message = { embeds: [statusEmbed(all, diagnose(all), { here: place, balance })] };
        expectWithinLimits(message);
        checkMessage(message);
      }),
    );
  });
});

describe('/status', () => {
  const parley = useParley();

  async function ask(who: 'member' | 'other' = 'member') {
    const interaction = await parley[who].run('status');
    const message = await interaction.message(({ embeds }) => embeds.length > 0);
    const [embed] = message.embeds;
    return {
      message,
      verdict: embed?.description ?? '',
      field: (name: string) => embed?.fields?.find((one) => one.name.startsWith(name))?.value,
    };
  }

  it('privately tells each member what is wrong and what to do, and shows operators the balance', async () => {
    const { discord, other } = parley;
    const outside = await ask();
    expect(isEphemeral(outside.message)).toBe(true);
    expect(outside.verdict).toContain('You are in no voice channel');
    expect(outside.field('Voice service')).toMatch(/^✓ reachable in \d+ ms$/);
    expect(outside.field('Credit')).toMatch(/^[\d.]+$/);

    await other.listen();
    const lounge = discord.channelId('Lounge');
    discord.setPermissions(lounge, discord.application.id, { deny: PermissionFlagsBits.Speak });
    await expect.poll(async () => (await ask('other')).verdict).toContain('I lack **Speak**');
    const lacking = await ask('other');
    expect(lacking.field('Your voice channel')).toContain('✓ Connect\n✗ Speak: ask an admin to allow me that');
    expect(lacking.field('Credit')).toBeUndefined();
    discord.setPermissions(lounge, discord.application.id, {});
    await expect.poll(async () => (await ask('other')).verdict).toContain('Everything is in order');

    await createSettings(parley.store).changeGuild(discord.guildId, (before) => ({ ...before, volume: 0 }));
    expect((await ask('other')).verdict).toContain('set to 0 %');
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
    expect(off.verdict).toContain('switched speech off');
    expect(off.message.embeds[0]?.fields?.find(({ name }) => name === 'You')?.value).toContain(
      `✗ You may not use /say here: ${off.verdict}`,
    );

    await settings.changeGuild(discord.guildId, (before) => ({ ...before, memberBudget: 20 }));
    const day = Math.floor(Date.now() / (24 * 3600_000));
    await store.set(`${memberBudgetKey(day, 'speech', other.client.userId)}:${discord.guildId}`, 20);
    expect((await ask('other')).verdict).toBe(await refusal());
    expect((await ask('other')).verdict).toContain('Your budget of speech for today is used up');
    await settings.resetGuild(discord.guildId);
  });

  it('shows the connection, its encryption and the queue while I speak', async () => {
    const { member } = parley;
    await member.listen();
    const said = await member.run('say', { text: 'One two three four five six seven eight nine ten eleven twelve thirteen fourteen.' });
    await said.message((message) => JSON.stringify(message).includes('Speaking now'));
    const { verdict, field } = await ask();
    expect(verdict).toContain('I am speaking for you now');
    expect(field('Voice connection')).toMatch(/^<#\d+>: connected <t:\d+:R>\n✓ End-to-end encrypted/);
    expect(field('Queue')).toBe('one text');
    await said.message((message) => JSON.stringify(message).includes('Spoken'));
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
    const file = await parley.other.run('say', { text: 'Will this be said?', as_file: true });
    const refusal = await file.sentence();
    const [embed] = (await (await parley.other.run('status')).message(({ embeds }) => embeds.length > 0)).embeds;
    expect(embed?.description).toBe(refusal);
    expect(embed?.description).toContain('The credit at the voice service is used up');
    expect(embed?.fields?.find(({ name }) => name === 'Voice service')?.value).toMatch(/^✓ reachable in \d+ ms\n✗ The credit/);
  } finally {
    await parley.close();
    await service.close();
  }
});
