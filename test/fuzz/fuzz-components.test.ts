// Buttons, menus and forms that no Discord client would send: any custom_id, on any message, from any member, anywhere.
import { readFileSync } from 'node:fs';
import { type APIMessage, ComponentType, InteractionType } from 'discord.js';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { MemberClient } from '../../src/local/discord/index.ts';
import { en } from '../../src/locales/index.ts';
import { createSettings } from '../../src/store/settings.ts';
import { segmentsOf } from '../bot/transcribing-parley.ts';
import { sampleOf } from '../helpers/arbitrary-text.ts';
import { request } from '../helpers/local-discord.ts';
import { filesOf, type Member, textOf } from '../helpers/member.ts';
import { answer, answerJson, type MisbehavingService, startMisbehavingService } from '../helpers/misbehaving-service.ts';
import { type Parley, startParley } from '../helpers/parley.ts';
import { wavOf } from '../helpers/speech.ts';
import { anyComponent, anyForm, type ComponentUse, componentPrefixes, type Known } from './any-component.ts';
import { createInteractionChecker, type InteractionChecker } from './interaction-checker.ts';

/** A message with components, and the guild that it is in. */
interface Place {
  channelId: string;
  messageId: string;
  /** The message as it was at first. */
  message: APIMessage;
  guild: number;
}

interface InteractionRequest {
  /** Index of the message. */
  place: number;
  what: ComponentUse;
  twice: boolean;
}

let service: MisbehavingService;
let parley: Parley;
let checker: InteractionChecker;
const places: Place[] = [];
/** The parts of the messages' custom_ids. */
const knownIds: string[] = [];

/** Two minutes of a quiet hum at 8 kHz. */
const hum = wavOf(
  Int16Array.from({ length: 120 * 8000 }, (_, at) => Math.sin(at / 10) * 500),
  8000,
);
const voice = {
  ...{ type: 'tts', title: 'V', description: '', cover_image: '', state: 'trained', tags: [], visibility: 'public' },
  ...{ created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z', languages: [] },
  samples: [0, 1].map((number) => ({ title: `S${number}`, text: 'a', task_id: 't', audio: 'http://127.0.0.1:1/s.mp3' })),
  ...{ like_count: 0, mark_count: 0, shared_count: 0, task_count: 0, author: { _id: 'a', nickname: 'A', avatar: '' } },
};
const models = { total: 12, items: ['a', 'b', 'c', 'd', 'e'].map((_id) => ({ ...voice, _id })) };

beforeAll(async () => {
  service = await startMisbehavingService((interaction, response) => {
    if (interaction.url === '/v1/tts') answer(200, hum, { 'content-type': 'audio/wav' })(interaction, response);
    else if (interaction.url === '/v1/asr') answerJson(200, segmentsOf(300))(interaction, response);
    else if (interaction.url?.startsWith('/wallet/')) answerJson(200, { credit: '50' })(interaction, response);
    else answerJson(200, models)(interaction, response);
  });
  checker = createInteractionChecker();
  parley = await startParley({
    service: { url: service.url, key: 'key' },
    discord: { guilds: 2 },
    logTo: checker.logTo,
    retries: { attempts: 1 },
  });
  checker.watch(parley.discord);
  await fillPlaces();
});
afterAll(async () => {
  await parley?.close();
  await service?.close();
});

/** Messages with the commands' answers, and messages that no command would send. */
async function fillPlaces(): Promise<void> {
  const { discord, member } = parley;
  await member.listen();
  const answers = [
    await (await member.run('say', { text: 'Something long.' })).message((message) => textOf(message).includes(en('say.speaking'))),
    await (await member.run('say', { text: 'And another one.' })).message((message) =>
      textOf(message).includes(en('say.queued', { before: 1 })),
    ),
    await (await member.run('voices')).message((message) => textOf(message).includes('page 1 of')),
    await (await member.run('settings')).message((message) => textOf(message) !== ''),
    await (await member.run('privacy')).message((message) => textOf(message) !== ''),
    await (await member.run('queue')).message((message) => textOf(message) !== ''),
    await (
      await member.run('transcribe', {
        audio: member.upload('road.mp3', readFileSync(new URL('../fixtures/speech/road.mp3', import.meta.url))),
      })
    ).message((message) => filesOf(message).length > 0),
  ];
  for (const { id, channel_id, components } of answers) {
    addPlace(channel_id, id, 0);
    knownIds.push(
      ...JSON.stringify(components)
        .matchAll(/"custom_id":"([^"]+)"/g)
        .map(([, id = '']) => id),
    );
  }
  const strange = [
    { content: 'Nothing but this.' },
    { embeds: [{ description: '\u200b', url: 'http://127.0.0.1:1/memo.mp3#size=10&seconds=1' }] },
    { embeds: [{ title: 'x', fields: ['mine', 'sort', 'title', 'page', '__proto__'].map((name) => ({ name, value: '\\\\`' })) }] },
    { embeds: [{ description: 'a'.repeat(4000) }, { description: 'b', fields: [{ name: 'Id', value: '`a`' }] }] },
  ];
  for (const [guild, guildId] of discord.guildIds.entries())
    for (const message of strange) {
      const channelId = discord.channelId('general', guildId);
      const { body } = await request(discord, 'POST', `/channels/${channelId}/messages`, { ...message, allowed_mentions: { parse: [] } });
      addPlace(channelId, String(body.id), guild);
    }
}

const known = (): Known => ({
  discord: parley.discord,
  knownIds,
  memberIds: [parley.member.client.userId, parley.other.client.userId],
});

const anyDeed = (): fc.Arbitrary<InteractionRequest> =>
  fc.record({
    place: fc.nat(places.length - 1),
    what: fc.oneof({ weight: 3, arbitrary: anyComponent(known()) }, { weight: 1, arbitrary: anyForm(known()) }),
    twice: fc.boolean(),
  });

/** Sends the requests, a few at a time; returns the problems, each with its request. */
async function doAll(
  deeds: InteractionRequest[],
  doer: (guild: number) => { client: MemberClient; stop(): Promise<unknown> },
): Promise<string[]> {
  const faults: string[] = [];
  for (let at = 0; at < deeds.length; at += 8) {
    const begun = deeds.slice(at, at + 8).flatMap(({ place, what, twice }) => {
      const on = places[place] as Place;
      putBack(on);
      const { channelId, messageId, guild } = on;
      return (twice ? [1, 2] : [1]).map(() => ({
        what,
        place,
        id: parley.discord.forgeInteraction(doer(guild).client, { channelId, messageId, ...what }),
      }));
    });
    await Promise.all(begun.map(({ id }) => checker.answered(id)));
    // Speech would otherwise go on for two minutes.
    for (const guild of [0, 1]) await doer(guild).stop();
    for (const { id, what, place } of begun) {
      for (const fault of await checker.ended(id)) faults.push(`${fault}: ${JSON.stringify(what.data).slice(0, 300)} on message ${place}`);
    }
  }
  return faults;
}

function addPlace(channelId: string, messageId: string, guild: number): void {
  const message = parley.discord.world.messages.get(channelId)?.find(({ id }) => id === messageId);
  if (message) places.push({ channelId, messageId, guild, message: structuredClone(message) });
}

/** Some buttons delete or change their message; restores it for the next one. */
function putBack({ channelId, messageId, message }: Place): void {
  const { messages } = parley.discord.world;
  const others = (messages.get(channelId) ?? []).filter(({ id }) => id !== messageId);
  messages.set(channelId, [...others, structuredClone(message)]);
}

/** Robin's data, and the servers' settings. */
async function belongings() {
  const { discord, member, store } = parley;
  const settings = createSettings(store);
  const robin = member.client.userId;
  const queue = await (await member.run('queue')).message((message) => textOf(message) !== '');
  return {
    robin: await settings.member(robin),
    spent: (await store.list('spent:')).filter(([name]) => name.includes(robin)),
    guilds: await Promise.all(discord.guildIds.map((id) => settings.guild(id))),
    queue: textOf(queue)
      .split('\n')
      .filter((line) => line.includes(robin)),
  };
}

/** Allows for FUZZ_RUNS in the thousands. */
const LONG = { timeout: 900_000 };

async function helps(who: Member): Promise<void> {
  const interaction = await who.run('help');
  await interaction.message((message) => textOf(message) !== '');
}

it('survives anything that a member sends, and nothing of anybody else’s changes', LONG, async () => {
  const { discord, other } = parley;
  const before = await belongings();
  expect(before.queue).toHaveLength(2);
  const elsewhere = discord.member('Sam', { guildId: discord.guildIds[1] });
  const stopHere = async () => (await other.run('stop')).answered();
  const doers = [
    { client: other.client, stop: stopHere },
    { client: elsewhere, stop: async () => {} },
  ];
  const faults = await doAll(sampleOf(anyDeed()), (guild) => doers[guild] as (typeof doers)[number]);
  expect(faults.slice(0, 5)).toEqual([]);
  expect(checker.problems.slice(0, 5)).toEqual([]);
  expect(await belongings()).toEqual(before);
  await helps(other);
});

it('survives anything that an admin sends, and no other server changes', LONG, async () => {
  const { discord, member, other } = parley;
  const [, elsewhere] = (await belongings()).guilds;
  const stop = async () => (await member.run('stop')).answered();
  const doers = [
    { client: member.client, stop },
    { client: discord.member('Sam', { guildId: discord.guildIds[1] }), stop: async () => {} },
  ];
  const faults = await doAll(sampleOf(anyDeed(), 2), (guild) => doers[guild] as (typeof doers)[number]);
  expect(faults.slice(0, 5)).toEqual([]);
  expect(checker.problems.slice(0, 5)).toEqual([]);
  const settings = createSettings(parley.store);
  expect(await settings.guild(discord.guildIds[1] ?? '')).toEqual(elsewhere);
  // Sam may have pressed the button that lets their own voice messages be transcribed.
  const { transcribed: _, ...others } = await settings.member('nobody');
  expect(await settings.member(other.client.userId)).toMatchObject(others);
  await helps(member);
});

/** The list is derived from the commands, so it includes future ones. */
it.each(componentPrefixes)('answers %s with any parts, and if the message is deleted meanwhile', async (prefix) => {
  const { discord, member, other } = parley;
  const place = places.find(({ message }) => message.content === 'Nothing but this.') as Place;
  const { channelId, messageId } = place;
  const parts = [[], [''], ['1'], ['', '', ''], ['x', '1', member.client.userId], ['delete', 'x'], Array.from({ length: 40 }, () => '')];
  let count = 0;
  for (const component_type of [ComponentType.Button, ComponentType.StringSelect, ComponentType.UserSelect])
    for (const some of parts) {
      putBack(place);
      const custom_id = [prefix, ...some].join(':');
      const data = { custom_id, component_type, ...(component_type === ComponentType.Button ? {} : { values: [], resolved: {} }) };
      // In turns: an odd number of parts, so that each comes from both.
      const { client } = count++ % 2 === 0 ? member : other;
      const id = discord.forgeInteraction(client, { channelId, messageId, type: InteractionType.MessageComponent, data });
      await member.client.call('delete_message', { channel_id: channelId, message_id: messageId });
      expect([custom_id, ...(await checker.ended(id))]).toEqual([custom_id]);
    }
  expect(checker.problems.slice(0, 5)).toEqual([]);
});
