// The transcription budget: reserved as a recording is measured, whatever is claimed about its length, even under concurrent use.
import { type APIMessage, ComponentType, InteractionType } from 'discord.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { memberBudgetKey } from '../../src/charging/index.ts';
import { en } from '../../src/locales/index.ts';
import { holdTimers } from '../helpers/held-timers.ts';
import { filesOf, isEphemeral, labelsOf, memberOf, textOf } from '../helpers/member.ts';
import {
  answerJson,
  type Behaviour,
  beforeTheBody,
  hang,
  type MisbehavingService,
  reset,
  startMisbehavingService,
} from '../helpers/misbehaving-service.ts';
import { openingOf } from '../helpers/openings.ts';
import { type Parley, startParley } from '../helpers/parley.ts';
import { silentOgg } from '../helpers/recordings.ts';
import { silentWav } from '../helpers/speech.ts';
import { segmentsOf } from './transcribing-parley.ts';

const none = Number.POSITIVE_INFINITY;
const DAY_MS = 24 * 3600_000;
/** An hour of audio in 93 KB, which an estimate by size would take for 31 seconds. */
const hour = silentOgg(3580);
const isDone = (message: APIMessage) => filesOf(message).length > 0;

let parley: Parley;
let service: MisbehavingService;
let behave: Behaviour;
/** For each upload, whether the service received all of it. */
let uploads: Promise<boolean>[];
/** Whether the service reads recordings. */
let isReading: boolean;

beforeEach(async () => {
  behave = answerJson(200, segmentsOf(2));
  uploads = [];
  isReading = true;
  const watch = beforeTheBody((request, response) => {
    if (request.url !== '/v1/asr') {
      const answer = request.url?.startsWith('/wallet/') ? { credit: '50' } : { total: 0, items: [] };
      request.resume().on('end', () => answerJson(200, answer)(request, response));
      return;
    }
    request.on('error', () => {});
    uploads.push(new Promise((resolve) => request.once('close', () => resolve(request.complete))));
    if (isReading) request.resume().on('end', () => behave(request, response));
  });
  service = await startMisbehavingService(watch);
});

afterEach(async () => {
  await parley?.close();
  await service.close();
});

async function start(minutes: { member?: number; guild?: number }, { members = 2, limit = 0 } = {}): Promise<void> {
  const budgets = {
    speech: { member: none, guild: none },
    transcription: { member: (minutes.member ?? none) * 60, guild: (minutes.guild ?? none) * 60 },
  };
  parley = await startParley({
    service: { url: service.url, key: 'key' },
    budgets,
    discord: { members },
    ...(limit ? { timeouts: { transcription: limit } } : {}),
  });
}

async function spent(): Promise<number> {
  const key = memberBudgetKey(Math.floor(Date.now() / DAY_MS), 'transcription', parley.member.client.userId);
  return Number((await parley.store.get(key)) ?? 0);
}

/** Transcribes a recording of Robin's; returns the sentence or the transcript in reply. */
async function transcribe(name: string, bytes: Uint8Array, member = parley.member): Promise<string> {
  const interaction = await member.run('transcribe', { audio: member.upload(name, bytes) });
  const message = await interaction.message(
    (one) => isDone(one) || (isEphemeral(one) && !['', en('general.started')].includes(textOf(one))),
  );
  return isDone(message) ? 'done' : textOf(message);
}

describe('the measured length of a recording', () => {
  it('allows three minutes if four are left', async () => {
    await start({ member: 4 });
    const { id } = await parley.member.sendVoiceMessage('voice-message.ogg', silentOgg(180));
    const interaction = await parley.member.runOnMessage('Transcribe', id);
    await interaction.message(isDone);
    await expect.poll(spent).toBe(184);
  });

  it('breaks off an upload that exceeds the budget before its last byte, says what is left, and costs nothing', async () => {
    await start({ member: 60 });
    expect(await transcribe('a.ogg', silentOgg(60))).toBe('done');
    // Its sender says that it is 4 seconds long.
    const { id } = await parley.member.sendVoiceMessage('voice-message.ogg', hour);
    const interaction = await parley.member.runOnMessage('Transcribe', id);
    expect(await interaction.sentence()).toMatch(
      /^You have 58 minutes of transcription left today, but this needs more\. .*your budget resets <t:\d+:R>/,
    );
    expect(await Promise.all(uploads)).toEqual([true, false]);
    await expect.poll(spent).toBe(62);
  });

  it('is charged if the service reports less, and what the service reports if that is more', async () => {
    await start({ member: 120 });
    expect(await transcribe('a.ogg', silentOgg(180))).toBe('done');
    await expect.poll(spent).toBe(184);
    behave = answerJson(200, segmentsOf(300));
    expect(await transcribe('a.ogg', silentOgg(180))).toBe('done');
    await expect.poll(spent).toBe(484);
  });

  it.each([undefined, null, 'long', -1, 184_000])('is charged, and shown, if the service reports %j seconds', async (duration) => {
    await start({ member: 120 });
    behave = answerJson(200, { text: 'Words.', duration, segments: 'none' });
    const interaction = await parley.member.run('transcribe', { audio: parley.member.upload('a.ogg', silentOgg(180)) });
    expect(textOf(await interaction.message(isDone))).toMatch(/Words\.\n-# 3:04$/);
    await expect.poll(spent).toBe(184);
  });

  it.each<[string, Behaviour, number]>([
    ['is not answered in time', hang, 184],
    ['is reset', reset, 184],
    ['is refused', answerJson(422, []), 0],
  ])('is charged for a call that %s only if the service may have billed it', async (_, behaviour, cost) => {
    const timeout = holdTimers();
    await start({ member: 120 }, behaviour === hang ? { limit: timeout.ms } : {});
    const asked = Promise.withResolvers<void>();
    behave = (...given) => {
      asked.resolve();
      behaviour(...given);
    };
    const answered = transcribe('a.ogg', silentOgg(180));
    await asked.promise;
    timeout.expire();
    expect(await answered).not.toBe('done');
    await expect.poll(spent).toBe(cost);
  });
});

describe('Cancel', () => {
  it.each<[string, Record<string, boolean>]>([
    ['a public answer', {}],
    ['a private one', { private: true }],
  ])(
    'ends a transcription that the service has received, which is charged since it may be billed, and says so in place of %s',
    async (_, options) => {
      await start({ member: 60 });
      const received = Promise.withResolvers<void>();
      behave = () => received.resolve();
      const { member, other } = parley;
      const interaction = await member.run('transcribe', { audio: member.upload('long.ogg', hour), ...options });
      const progress = await interaction.message((one) => textOf(one).includes('Transcribing'));
      await received.promise;
      if (!isEphemeral(progress))
        expect(await (await other.click(progress, 'Cancel')).sentence()).toContain(openingOf('general.notYourButtons'));
      await member.click(progress, 'Cancel');
      const cancelled = await interaction.message((one) => textOf(one).includes('Cancelled'));
      expect(textOf(cancelled)).toBe(
        '**long.ogg**\nCancelled. The voice service already had the whole recording, so 59 minutes still count.',
      );
      expect(labelsOf(cancelled)).toEqual([]);
      await expect.poll(spent).toBe(3581);
      // On a busy machine, a public one begins with a private notice.
      expect(interaction.messages().filter((one) => textOf(one) !== en('general.started'))).toHaveLength(1);
    },
  );

  it('ends a transcription before the service has received all of it, which is free, and says so', async () => {
    await start({ member: 60 });
    isReading = false;
    const { member } = parley;
    // More than what fits between the bot and a service that doesn't read.
    const interaction = await member.run('transcribe', { audio: member.upload('long.wav', silentWav(170)) });
    const progress = await interaction.message((one) => labelsOf(one).includes('Cancel'));
    await expect.poll(() => uploads.length).toBe(1);
    await member.click(progress, 'Cancel');
    const cancelled = await interaction.message((one) => textOf(one).includes('Cancelled'));
    expect(textOf(cancelled)).toBe('**long.wav**\nCancelled. It doesn’t use any of your daily budget.');
    await expect.poll(spent).toBe(0);
  });

  it('concerns one recording of several, and says so if there is nothing left to cancel', async () => {
    await start({ member: 120 });
    const answer = behave;
    behave = hang;
    const { member } = parley;
    const message = await member.send(['first.ogg', hour], ['second.ogg', silentOgg(2)]);
    const interaction = await member.runOnMessage('Transcribe', message.id);
    const progress = await interaction.message((one) => textOf(one).includes('Transcribing'));
    behave = answer;
    await member.click(progress, en('transcription.cancelButton'));
    await interaction.message(isDone);
    const custom_id = `transcribe-cancel:${interaction.id}-0:${member.client.userId}`;
    const data = { component_type: ComponentType.Button, custom_id };
    const place = { channelId: progress.channel_id, messageId: progress.id, type: InteractionType.MessageComponent };
    parley.discord.forgeInteraction(member.client, { ...place, data });
    await member.sees((one) => textOf(one).includes(en('transcription.tooLateToCancel')));
  });
});

describe('five recordings of an hour against a budget of 120 minutes:', () => {
  const times = <T>(count: number, act: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => act(index));

  it('sent one after the other, the service gets two of them', async () => {
    await start({ member: 120 });
    const results: string[] = [];
    for (const name of times(5, (index) => `${index}.ogg`)) results.push(await transcribe(name, hour));
    expect(results.filter((one) => one === 'done')).toHaveLength(2);
    for (const refusal of results.slice(2)) expect(refusal).toMatch(/^You have .* left today/);
    expect((await Promise.all(uploads)).filter(Boolean)).toHaveLength(2);
    expect(await spent()).toBeLessThanOrEqual(7200);
  });

  it('sent by one member at once, two are accepted and the others refused', async () => {
    await start({ member: 120 });
    const results = await Promise.all(times(5, (index) => transcribe(`${index}.ogg`, hour)));
    expect(results.filter((one) => one === 'done')).toHaveLength(2);
    const others = results.filter((one) => one !== 'done');
    for (const refusal of others) expect(refusal).toMatch(/still transcribing 2 recordings|You have .* left today/);
    expect((await Promise.all(uploads)).filter(Boolean)).toHaveLength(2);
    await expect.poll(spent).toBeLessThanOrEqual(7200);
  });

  it("sent by five members at once, at most two fit into the server's budget, and what the others had reserved of it is free again", async () => {
    await start({ guild: 120 }, { members: 7 });
    const { discord, member, other } = parley;
    const known = [member.client.userId, other.client.userId, discord.application.id];
    const members = [...discord.world.firstGuild.members.keys()]
      .filter((id) => !known.includes(id))
      .slice(0, 5)
      .map((id) => memberOf(discord, id));
    expect(members).toHaveLength(5);
    const results = await Promise.all(members.map((member, index) => transcribe(`${index}.ogg`, hour, member)));
    // Each reserves as much as it has measured so far, so together they may use up the budget before any has been measured to its end.
    const done = results.filter((one) => one === 'done').length;
    expect(done).toBeLessThanOrEqual(2);
    expect(results.filter((one) => one.startsWith('This server has'))).toHaveLength(5 - done);
    for (let count = done; count < 2; count++) expect(await transcribe('again.ogg', hour)).toBe('done');
    expect(await transcribe('last.ogg', hour)).toMatch(/^This server has/);
    expect((await Promise.all(uploads)).filter(Boolean)).toHaveLength(2);
  });
});

it('a member with two transcriptions in progress can start another when one is done', async () => {
  await start({});
  const held: (() => void)[] = [];
  behave = (request, response) => held.push(() => answerJson(200, segmentsOf(2))(request, response));
  const both = [transcribe('a.ogg', silentOgg(60)), transcribe('b.ogg', silentOgg(60))];
  await expect.poll(() => held.length).toBe(2);
  const interaction = await parley.member.run('transcribe', { audio: parley.member.upload('c.ogg', silentOgg(60)) });
  expect(await interaction.sentence()).toContain('I’m still transcribing 2 recordings for you');
  expect(interaction.messages()).toHaveLength(1);
  held.shift()?.();
  await Promise.race(both);
  behave = answerJson(200, segmentsOf(2));
  // It is over a moment after its transcript is seen.
  await expect.poll(() => transcribe('d.ogg', silentOgg(60))).toBe('done');
  held.shift()?.();
  await Promise.all(both);
});
