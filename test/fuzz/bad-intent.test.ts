import { type APIMessage, ComponentType, InteractionType, PermissionFlagsBits as P } from 'discord.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { commands } from '../../commands/index.ts';
import type { Command } from '../../src/discord/command.ts';
import { en } from '../../src/locales/index.ts';
import { createSettings } from '../../src/store/settings.ts';
import { segmentsOf } from '../bot/transcribing-parley.ts';
import { filesOf, isEphemeral, type Member, memberOf, textOf } from '../helpers/member.ts';
import { answer, answerJson, type MisbehavingService, startMisbehavingService } from '../helpers/misbehaving-service.ts';
import { type Parley, type ParleyOptions, startParley } from '../helpers/parley.ts';
import { wavOf } from '../helpers/speech.ts';

/** Two minutes at 8 kHz, so that speech goes on until something ends it. */
const LONG_SOUND = wavOf(
  Int16Array.from({ length: 120 * 8000 }, (_, at) => Math.sin(at / 10) * 500),
  8000,
);
const voice = (_id: string) => ({
  ...{ _id, type: 'tts', title: `Voice ${_id}`, description: '', cover_image: '', state: 'trained', tags: [], visibility: 'public' },
  ...{ created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z', languages: [] },
  samples: [0, 1].map((number) => ({ title: `Sample ${number}`, text: 'a', task_id: 't', audio: 'http://127.0.0.1:1/s.mp3' })),
  ...{ like_count: 0, mark_count: 0, shared_count: 0, task_count: 0, author: { _id: 'a', nickname: 'A', avatar: '' } },
});

/** A service that speaks for two minutes, and returns long transcripts. */
function startLongService(): Promise<MisbehavingService> {
  return startMisbehavingService((request, response) => {
    if (request.url === '/v1/tts') answer(200, LONG_SOUND, { 'content-type': 'audio/wav' })(request, response);
    else if (request.url === '/v1/asr') answerJson(200, segmentsOf(300))(request, response);
    else if (request.url?.startsWith('/wallet/')) answerJson(200, { credit: '50' })(request, response);
    else answerJson(200, { total: 12, items: ['a', 'b', 'c', 'd', 'e'].map(voice) })(request, response);
  });
}

let service: MisbehavingService;
let parley: Parley;

async function start(options: Omit<ParleyOptions, 'service'> = {}): Promise<void> {
  service = await startLongService();
  parley = await startParley({ service: { url: service.url, key: 'key' }, ...options });
}
async function end(): Promise<void> {
  await parley?.close();
  await service?.close();
}

const says = (interaction: Awaited<ReturnType<Member['run']>>, what: string) =>
  interaction.message((message) => textOf(message).includes(what));

/** Presses a component of a message, as somebody who may not even see it; returns the refusal. */
function press(who: Member, message: APIMessage, custom_id: string, values?: string[]) {
  const { discord } = parley;
  const component_type = values ? ComponentType.StringSelect : ComponentType.Button;
  const data = { custom_id, component_type, ...(values ? { values } : {}) };
  const told = who.client.next('MESSAGE_CREATE', ({ interaction_metadata }) => interaction_metadata?.id === id);
  const id = discord.forgeInteraction(who.client, {
    ...{ channelId: message.channel_id, messageId: message.id, type: InteractionType.MessageComponent, data },
  });
  return told.then((message) => {
    expect(isEphemeral(message)).toBe(true);
    return textOf(message);
  });
}

const idsOn = (message: APIMessage) => [...JSON.stringify(message.components).matchAll(/"custom_id":"([^"]+)"/g)].map(([, id = '']) => id);

describe('what belongs to another member', () => {
  beforeAll(() => start());
  afterAll(end);

  const NOT_YOUR_SPEECH = 'or a moderator can';
  const NOT_YOURS = 'Only the member who asked can use these buttons';
  const NOT_YOUR_RECORDING = 'because it’s their recording';
  const ADMINS = 'You need **Manage Server**';

  /** Robin's messages, by kind. */
  const messages = {
    speech: async () => says(await parley.member.run('say', { text: 'Something.' }), en('say.speaking')),
    waiting: async () => {
      const first = await parley.member.run('say', { text: 'Something.' });
      await first.message((message) => /Speaking now|Up next/.test(textOf(message)));
      const second = await parley.member.run('say', { text: 'Something else.' });
      return second.message((message) => /Up next|ahead/.test(textOf(message)));
    },
    spoken: async () => {
      const interaction = await parley.member.run('say', { text: 'Something.' });
      await parley.member.click(await says(interaction, en('say.speaking')), en('say.skipButton'));
      return says(interaction, en('say.skipped'));
    },
    voices: async () => says(await parley.member.run('voices'), 'page 1 of'),
    voice: async () => {
      const list = await messages.voices();
      const interaction = await parley.member.select(list, 'voices-open:1:'.concat(parley.member.client.userId), 'a');
      await interaction.answered();
      return parley.member.sees(({ id, components }) => id === list.id && JSON.stringify(components).includes('voices-choose'));
    },
    transcript: async () => {
      const audio = parley.member.upload('memo.wav', LONG_SOUND.subarray(0, 160_044));
      return (await parley.member.run('transcribe', { audio })).message((message) => filesOf(message).length > 0);
    },
    settings: async () => (await parley.member.run('settings')).message((message) => textOf(message) !== ''),
  };

  /** For each button and menu with an owner: the message that it is on, and the refusal that others get. */
  const owned: Record<string, [keyof typeof messages, string]> = {
    'say-skip': ['speech', NOT_YOUR_SPEECH],
    'say-stop': ['speech', NOT_YOUR_SPEECH],
    'say-cancel': ['waiting', NOT_YOUR_SPEECH],
    'say-again': ['spoken', NOT_YOUR_SPEECH],
    'say-more': ['spoken', NOT_YOUR_SPEECH],
    voices: ['voices', NOT_YOURS],
    'voices-open': ['voices', NOT_YOURS],
    'voices-choose': ['voice', NOT_YOURS],
    'voices-hear': ['voice', NOT_YOURS],
    'voices-sample': ['voice', NOT_YOURS],
    'voices-listen': ['voices', NOT_YOURS],
    'voices-use': ['voices', NOT_YOURS],
    'voices-share': ['voices', NOT_YOURS],
    transcript: ['transcript', NOT_YOURS],
    'transcript-again': ['transcript', NOT_YOURS],
    'transcribe-cancel': ['voices', NOT_YOURS],
    settings: ['settings', ADMINS],
    'voice-agree': ['voices', NOT_YOUR_RECORDING],
    'voice-refuse': ['voices', NOT_YOUR_RECORDING],
    'voice-cancel': ['voices', NOT_YOURS],
    'voice-hear': ['voices', NOT_YOURS],
    'voice-use': ['voices', NOT_YOURS],
  };
  /** Without an owner: on messages that only one member sees, or meant for everybody who sees the message. */
  const free = [
    ...['captions', 'captions:delete', 'dictionary', 'dictionary:hear', 'dictionary:remove', 'dictionary:undo', 'read'],
    ...[
      'say-confirm',
      'say-edit',
      'say-edit-to',
      'say-in',
      'queue',
      'transcribe-agreed',
      'transcribe-in',
      'transcript-file',
      'privacy',
      'voice-consent',
      'voice-messages',
      'voice-messages:out',
      'voice-mine',
      'voice-withdraw',
    ],
  ];

  afterEach(async () => {
    await (await parley.member.run('stop')).answered();
    parley.discord.setRoles(parley.other.client.userId, []);
  });

  it('is listed here for every button and menu of every command', () => {
    const all = (commands as Command<never>[]).flatMap(({ components }) => (components ?? []).map(({ prefix }) => prefix));
    expect([...Object.keys(owned), ...free].sort()).toEqual(all.sort());
  });

  it.each(Object.entries(owned))('cannot be reached by others with %s', async (prefix, [kind, sentence]) => {
    await parley.member.listen();
    const message = await messages[kind]();
    const before = JSON.stringify(await createSettings(parley.store).guild(parley.discord.guildId));
    // Several samples share a menu; a single one has a button.
    const ids = idsOn(message).filter((id) => id.split(':')[0] === prefix);
    const pressed = ids.length > 0 ? ids : [`${prefix}:${parley.member.client.userId}:1:${parley.member.client.userId}`];
    for (const id of pressed) expect(await press(parley.other, message, id)).toContain(sentence);
    for (const id of pressed) expect(await press(parley.other, message, id, ['a'])).toContain(sentence);
    if (kind === 'speech' || kind === 'waiting')
      await says(await parley.member.run('queue'), kind === 'speech' ? en('queue.nowPlaying') : en('queue.upNext'));
    expect(JSON.stringify(await createSettings(parley.store).guild(parley.discord.guildId))).toBe(before);
  });

  it('cannot be skipped or stopped with a forged button or with the commands', async () => {
    const { member, other } = parley;
    await member.listen();
    for (const message of [await messages.speech(), await messages.waiting()])
      for (const id of idsOn(message))
        expect(await press(other, message, id.replace(member.client.userId, other.client.userId))).toContain(NOT_YOUR_SPEECH);
    expect(await (await other.run('skip')).sentence()).toContain(NOT_YOUR_SPEECH);
    expect(await (await other.run('stop')).sentence()).toContain(en('queue.nothingToStop'));
    expect(await (await other.run('leave')).sentence()).toContain(en('queue.othersWaiting'));
    await says(await member.run('queue'), en('queue.nowPlaying'));
  });

  it('can be stopped by moderators, but only while they are moderators', async () => {
    const { discord, member, other } = parley;
    await member.listen();
    const role = discord.addRole('Moderators', P.MuteMembers);
    for (const button of [en('say.skipButton'), en('say.stopButton')]) {
      const message = await messages.speech();
      discord.setRoles(other.client.userId, [role]);
      await (await other.click(message, button)).answered();
      expect(await (await member.run('queue')).sentence()).toContain(en('queue.empty'));
      discord.setRoles(other.client.userId, []);
      const next = await messages.speech();
      expect(await (await other.click(next, button)).sentence()).toContain(NOT_YOUR_SPEECH);
      await (await member.run('stop')).answered();
    }
  });

  it('keeps a former admin from changing the settings, even with the panel and a form still open', async () => {
    const { discord, other } = parley;
    const stored = () => createSettings(parley.store).guild(discord.guildId);
    discord.setRoles(other.client.userId, [discord.addRole('Admins', P.ManageGuild)]);
    const panel = await (await other.run('settings')).message((message) => textOf(message) !== '');
    const search = await other.click(panel, 'settings:search:server');
    await search.modal();
    const before = await stored();
    discord.setRoles(other.client.userId, []);
    for (const id of idsOn(panel)) expect(await press(other, panel, id)).toContain(ADMINS);
    for (const id of [
      'settings:reset-now',
      'settings:set:stay:1',
      'settings:export',
      'settings:cap',
      'settings:budgets',
      'settings:volume',
    ])
      expect(await press(other, panel, id, ['0'])).toContain(ADMINS);
    expect(await (await other.submitModal(search, { title: 'Voice a' })).sentence()).toContain(ADMINS);
    expect(await stored()).toEqual(before);
  });

  it('does not rely on what Discord hides: commands and forms for admins and operators are refused from anybody else', async () => {
    const { discord, other } = parley;
    const channelId = discord.channelId('general');
    const told = async (type: InteractionType, data: object, messageId?: string) => {
      const sentence = other.client.next('MESSAGE_CREATE', ({ interaction_metadata }) => interaction_metadata?.id === id);
      const id = discord.forgeInteraction(other.client, { channelId, type, data, ...(messageId === undefined ? {} : { messageId }) });
      return textOf(await sentence);
    };
    const [settings] = await parley.member.client
      .call('commands', { channel_id: channelId })
      .then((all) => all.filter(({ name }) => name === 'settings'));
    expect(await told(InteractionType.ApplicationCommand, { id: settings?.id, name: 'settings', type: 1 })).toContain(ADMINS);
    const panel = await messages.settings();
    for (const custom_id of ['settings:search:server', 'settings:cap', 'settings:budgets'])
      expect(await told(InteractionType.ModalSubmit, { custom_id, components: [] }, panel.id)).toContain(ADMINS);
    // Custom ids from Sam's own page, and those that only appear on other pages.
    const own = await says(await other.run('voices'), 'page 1 of');
    await (await other.select(own, `voices-open:1:${other.client.userId}`, 'a')).answered();
    const shownVoice = await other.sees(({ id, components }) => id === own.id && JSON.stringify(components).includes('voices-choose'));
    expect(JSON.stringify(shownVoice.components)).not.toContain('voices-choose:server');
    const server = await discord.forgeInteraction(other.client, {
      ...{ channelId, messageId: own.id, type: InteractionType.MessageComponent },
      data: { custom_id: `voices-choose:server:1:${other.client.userId}`, component_type: ComponentType.Button },
    });
    await other.sees((message) => message.interaction_metadata?.id === server && textOf(message).includes('Manage Server'));
    expect((await createSettings(parley.store).guild(discord.guildId)).voice).toBeNull();
    const privacy = await (await other.run('privacy')).message((message) => textOf(message) !== '');
    for (const action of ['empty', 'empty-now']) {
      const id = discord.forgeInteraction(other.client, {
        ...{ channelId, messageId: privacy.id, type: InteractionType.MessageComponent },
        data: { custom_id: `privacy:${action}`, component_type: ComponentType.Button },
      });
      await other.sees((message) => message.interaction_metadata?.id === id && textOf(message).includes('Only the bot’s owner'));
    }
    expect(await (await other.run('voices', { mine: true })).sentence()).toContain('Only the bot’s owner');
  });
});

/** Sends all requests at once; counts how many were accepted, and how many got each refusal. */
async function askAll(asking: Promise<Awaited<ReturnType<Member['run']>>>[], refusals: Record<string, string>) {
  const counts: Record<string, number> = { taken: 0 };
  const isTaken = (message: APIMessage) => /Speaking now|Up next|ahead/.test(textOf(message));
  await Promise.all(
    asking.map(async (begun) => {
      const message = await (await begun).message((one) => isTaken(one) || (isEphemeral(one) && textOf(one) !== ''));
      const why = Object.entries(refusals).find(([, sentence]) => textOf(message).includes(sentence))?.[0];
      const name = isTaken(message) ? 'taken' : (why ?? textOf(message));
      counts[name] = (counts[name] ?? 0) + 1;
    }),
  );
  return counts;
}

const TEXT = 'Hello to all of you.';
const times = <T>(count: number, make: (number: number) => T): T[] => Array.from({ length: count }, (_, number) => make(number));

/** All members of a guild except Robin and Sam; they type but do not listen. */
function crowd(): Member[] {
  const { discord, member, other } = parley;
  const known = [member.client.userId, other.client.userId, discord.application.id];
  const ids = [...discord.world.firstGuild.members.keys()].filter((id) => !known.includes(id));
  return ids.map((id) => memberOf(discord, id));
}

describe('when many members ask at once, the queue', () => {
  const endless = { member: Number.POSITIVE_INFINITY, guild: Number.POSITIVE_INFINITY };
  beforeAll(() => start({ discord: { members: 22 }, budgets: { speech: endless, transcription: endless } }));
  afterAll(end);

  it('keeps its limits per member and in total', async () => {
    const { discord, member } = parley;
    await member.listen();
    const refusals = { member: 'You already have', queue: 'The queue is full' };
    const ask = (who: Member) => who.run('say', { text: TEXT, channel: discord.channelId('Lounge') });
    expect(
      await askAll(
        times(20, () => ask(member)),
        refusals,
      ),
    ).toEqual({ taken: 5, member: 15 });
    const others = crowd();
    const counts = await askAll(
      times(60, (number) => ask(others[number % others.length] as Member)),
      refusals,
    );
    expect(counts).toEqual({ taken: 45, queue: 15 });
    await says(await member.run('status'), 'Queue: 50 texts');
  });
});

describe('when many members ask at once, what costs credit', () => {
  const speech = { member: 4 * TEXT.length, guild: 10 * TEXT.length };
  beforeAll(() =>
    start({ discord: { members: 22 }, cooldown: { burst: 6, perMs: 3_600_000 }, budgets: { speech, transcription: speech } }),
  );
  afterAll(end);

  it('keeps to the rate limit, to each member’s budget and to the server’s', async () => {
    const { discord, member, other, store } = parley;
    await member.listen();
    const refusals = { pause: 'a bit too fast for me', member: 'You', guild: 'This server' };
    const ask = (who: Member) => who.run('say', { text: TEXT, channel: discord.channelId('Lounge') });
    expect(
      await askAll(
        times(20, () => ask(other)),
        refusals,
      ),
    ).toEqual({ taken: 4, pause: 14, member: 2 });
    expect(await askAll(crowd().map(ask), refusals)).toEqual({ taken: 6, guild: 14 });
    const spent = (await store.list('spent:')).map(([, value]) => Number(value));
    expect(Math.max(...spent)).toBe(speech.guild);
  });
});
