// /say over the websocket, and in a mood: what members hear and read, and what it costs them.
import { decode } from '@msgpack/msgpack';
import { describe, expect, it, onTestFinished } from 'vitest';
import { memberBudgetKey } from '../../src/charging/index.ts';
import { en } from '../../src/locales/index.ts';
import { noMetrics } from '../../src/monitoring/observers.ts';
import { type Event, type LiveClient, openLiveService } from '../helpers/live-service.ts';
import { filesOf, type Member, statusOf, textOf } from '../helpers/member.ts';
import { answer, answerToFree, type Behaviour } from '../helpers/misbehaving-service.ts';
import { openingOf } from '../helpers/openings.ts';
import { type Parley, type ParleyOptions, startParley, useParley } from '../helpers/parley.ts';
import { mp3Of, tone } from '../helpers/sound.ts';

const SENTENCES = [
  'A long road lies before us, and we go on, for there is no other way to the sea from here. ',
  'It will be dark before we come to the first of the houses, so take your lamp with you. ',
  'There is nobody who could tell you where the next village is, now that it has begun to snow.',
];
const TEXT = SENTENCES.join('');
const sound = await mp3Of([tone(440, 0.5, 44_100)], 44_100);
const speaks: Behaviour = (request, response) =>
  (answerToFree(request.url) ?? answer(200, sound, { 'content-type': 'audio/mpeg' }))(request, response);

async function start(behave: (client: LiveClient) => void, options: Partial<ParleyOptions> = {}) {
  const service = await openLiveService(behave, speaks);
  const parley = await startParley({ ...options, service: { url: service.url, key: 'key' } });
  onTestFinished(() => parley.close());
  await parley.member.listen();
  return { service, parley, member: parley.member };
}

/** Characters taken from Robin's budget today. */
async function spent({ store, member }: Parley): Promise<number> {
  return Number((await store.get(memberBudgetKey(Math.floor(Date.now() / (24 * 3600_000)), 'speech', member.client.userId))) ?? 0);
}

const spoken = async (interaction: Awaited<ReturnType<Member['run']>>) =>
  interaction.message((message) => textOf(message).includes(openingOf('say.spoken')));

describe('/say with several sentences', () => {
  const calls: string[] = [];
  const parley = useParley({}, { metrics: { ...noMetrics, callEnded: (call, outcome) => void calls.push(`${call} ${outcome}`) } });

  it('is one call over the websocket, heard in full and charged once', async () => {
    const { member } = parley;
    const listener = await member.listen();
    const text = 'A road lies before us, and we go on and on in the dark, to be home by six. So we do.';
    const reply = await spoken(await member.run('say', { text, speed: 2 }));
    expect(calls.filter((call) => call.includes('speech'))).toEqual(['live-speech ok']);
    expect(statusOf(reply)).toContain(`${text.length} characters`);
    await expect.poll(() => spent(parley)).toBe(text.length);
    expect(listener.frames().length).toBeGreaterThan(120);
  });
});

describe('a websocket that', () => {
  it('fails before the first sound goes unnoticed: the text is spoken over HTTP, and charged once', async () => {
    const { parley, member, service } = await start(({ socket }) => socket.once('message', () => socket.close(1011)));
    const interaction = await member.run('say', { text: TEXT });
    await spoken(interaction);
    expect(interaction.messages()).toHaveLength(1);
    await expect.poll(() => spent(parley)).toBe(TEXT.trim().length);
    expect(service.clients).toHaveLength(1);
  });

  it('closes in the middle of a word ends the text there, and the reply says so', async () => {
    const { parley, member, service } = await start(({ socket }) => {
      socket.on('message', (data) => {
        const { event } = decode(data as Buffer) as Event;
        if (event === 'text') service.clients[0]?.send({ event: 'audio', audio: sound });
        if (event === 'stop') socket.close(1011);
      });
    });
    const interaction = await member.run('say', { text: TEXT });
    await interaction.message((message) => /Cut off after [1-9][0-9.]* s/.test(textOf(message)));
    expect(await interaction.sentence()).toContain(en('errors.brokenOff'));
    expect(interaction.messages()).toHaveLength(2);
    await expect.poll(() => spent(parley)).toBe(TEXT.length);
    expect(service.texts()).toEqual([]);
  });
});

describe('the mood', () => {
  it('is written into the text for a model that understands it, kept by Replay and Save as file, and never shown as markup', async () => {
    const { member, service, parley } = await start(({ socket }) => socket.terminate(), { model: 's1' });
    const first = await spoken(await member.run('say', { text: 'It rains. Why?', mood: 'sad' }));
    expect(statusOf(first)).toMatch(/^Default voice · Sad · Spoken \(.*\) · 14 characters$/);
    expect(textOf(first)).toMatch(/\nIt rains\. Why\?\n-# /);
    await parley.restartBot();
    await spoken(await member.select(first, en('say.moreMenu'), en('say.replay')));
    await (await member.select(first, en('say.moreMenu'), en('say.saveAsFile'))).message((message) => filesOf(message).length > 0);
    const form = await member.select(first, en('say.moreMenu'), en('say.sayMore'));
    await spoken(await member.submitModal(form, { 'What should I say?': 'Never mind.' }));
    expect(service.texts()).toEqual([...Array(3).fill('(sad) It rains. (sad) Why?'), '(sad) Never mind.']);
    await spoken(await member.run('say', { text: 'It rains.' }));
    expect(service.texts().at(-1)).toBe('It rains.');
  });

  it('is not offered for any other model', async () => {
    const { member, parley } = await start(() => {}, { model: 'kokoro' });
    await expect(member.run('say', { text: 'It rains.', mood: 'sad' })).rejects.toThrow('no option mood');
    expect(parley.discord.world.commands.find(({ name }) => name === 'say')?.options?.map(({ name }) => name)).toEqual([
      'text',
      'voice',
      'channel',
      'send_as',
      'speed',
    ]);
  });
});
