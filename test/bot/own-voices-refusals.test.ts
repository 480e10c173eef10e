// Voices that can't be made: each refusal is one sentence, and nothing is left behind.
import { type APIMessage, ApplicationCommandOptionType, ApplicationCommandType, InteractionType } from 'discord.js';
import { afterEach, describe, expect, it } from 'vitest';
import { en } from '../../src/locales/index.ts';
import { createVoiceOwners } from '../../src/voice-catalogue/owners.ts';
import { isLoading, labelsOf, textOf } from '../helpers/member.ts';
import { openingOf } from '../helpers/openings.ts';
import { silentWav } from '../helpers/speech.ts';
import { WAIT_MS } from '../helpers/waiter.ts';
import {
  ask,
  becomes,
  clear,
  expectNothingLeft,
  isReady,
  listModels,
  listPending,
  readEnd,
  recording,
  SECONDS,
  useVoiceMaking,
} from './made-voices.ts';

const parley = useVoiceMaking();
afterEach(() => clear(parley));

describe('a voice that can’t be made', () => {
  /** The answer to what Discord would refuse itself, but an old or a changed one might let through. */
  async function askWithoutLimits(given: { title?: string; size?: number }): Promise<string> {
    const { discord, other } = parley;
    const [command] = (await other.client.call('commands', { channel_id: discord.channelId('general') })).filter(
      ({ name }) => name === 'voice',
    );
    const { title = 'A', size = recording.length } = given;
    const [filename, attachment] = ['long.wav', '1'];
    const options = [
      { name: 'title', type: ApplicationCommandOptionType.String, value: title },
      { name: 'recording', type: ApplicationCommandOptionType.Attachment, value: attachment },
    ];
    const url = `${discord.cdnUrl}/attachments/1/2/${filename}`;
    const resolved = { attachments: { [attachment]: { id: attachment, filename, size, url, proxy_url: url, content_type: 'audio/wav' } } };
    const id = discord.forgeInteraction(other.client, {
      channelId: discord.channelId('general'),
      type: InteractionType.ApplicationCommand,
      data: {
        id: command?.id,
        name: 'voice',
        type: ApplicationCommandType.ChatInput,
        options: [{ name: 'create', type: ApplicationCommandOptionType.Subcommand, options }],
        resolved,
      },
    });
    return textOf(await other.sees((message) => message.interaction_metadata?.id === id && !isLoading(message)));
  }

  it.each([
    ['silence', silentWav(12), 'The recordings are silent.'],
    ['one second', recording.subarray(0, 44 + 32_000), 'too short: 1 s'],
  ])('from %s says why, and what works', async (_, file, reason) => {
    const { other } = parley;
    const question = await ask(other, {}, file);
    await other.click(question, en('ownVoices.create.ownButton'));
    const sentence = await readEnd(other, question);
    expect(sentence).toContain(openingOf('ownVoices.create.trainingFailedBecause'));
    expect(sentence).toContain(reason);
    expect(sentence).toContain('10 to 60 seconds of one person');
    await expectNothingLeft(parley);
  });

  it.each([
    ['of 21 MB', 'long.wav', Buffer.alloc(21 * 1024 * 1024), 'is 21 MB, but a recording can be up to 20 MB.'],
    ['that is empty', 'empty.wav', Buffer.alloc(0), 'is empty. Upload it again.'],
    ['that isn’t called audio', 'notes.txt', Buffer.from('Buy milk.'), 'I can’t read `notes.txt` as audio.'],
  ])('from a file %s is refused before anybody is asked', async (_, name, file, reason) => {
    const { other } = parley;
    const interaction = await other.run('voice create', { title: 'A', recording: other.upload(name, file) });
    expect(await interaction.sentence()).toContain(reason);
    await expectNothingLeft(parley);
  });

  it('from a file of 100 MB is refused as well', async () => {
    expect(await askWithoutLimits({ size: 100 * 1024 * 1024 })).toBe(
      en('ownVoices.create.tooLarge', { file: 'long.wav', bytes: 100 * 1024 * 1024, limit: 20 * 1024 * 1024 }),
    );
    await expectNothingLeft(parley);
  });

  it('from a file that only claims to be audio is refused before anything is sent', async () => {
    const { other } = parley;
    const options = { second_recording: other.upload('fake.wav', Buffer.from('%PDF-1.7 this is no sound')) };
    const question = await ask(other, options);
    await other.click(question, en('ownVoices.create.ownButton'));
    expect(await readEnd(other, question)).toContain('I can’t read `fake.wav` as audio.');
    await expectNothingLeft(parley);
  });

  it('from a voice message that is too short is refused at once', async () => {
    const { other } = parley;
    const message = await other.sendVoiceMessage('voice-message.wav', recording, 1);
    const interaction = await other.runOnMessage('Make a voice', message.id);
    expect(await interaction.sentence()).toBe(en('ownVoices.create.tooShort', { seconds: 1, least: 10 }));
  });

  it('with a title of 300 characters, or a blank one, says so', async () => {
    const { other } = parley;
    const message = await other.sendVoiceMessage('voice-message.wav', recording, SECONDS);
    for (const [title, sentence] of [
      ['x'.repeat(300), en('ownVoices.create.titleTooLong', { length: 300, most: 100 })],
      ['\u200b \u2800', en('ownVoices.create.titleMissing')],
    ] as const) {
      expect(await askWithoutLimits({ title })).toBe(sentence);
    }
    const form = await other.runOnMessage('Make a voice', message.id);
    expect(await (await other.submitModal(form, { title: ' \u2800' })).sentence()).toContain(en('ownVoices.create.titleMissing'));
    await expectNothingLeft(parley);
  });

  it('in an unknown language says so, and takes any way of naming one', async () => {
    const { other } = parley;
    const attachment = other.upload('reader.wav', recording);
    const refused = await other.run('voice create', { title: 'A', recording: attachment, language: '¿Qué?' });
    expect(await refused.sentence()).toContain('I don’t know the language `¿Qué?`.');
    expect(await other.autocomplete('voice create', 'language', 'deu', { title: 'A', recording: attachment })).toEqual([
      { name: 'German', value: 'de' },
    ]);
  });

  it('is no longer made if it is deleted at the service while it is trained', async () => {
    const { other, api, engines } = parley;
    const question = await ask(other);
    const train = engines.hold();
    await other.click(question, en('ownVoices.create.ownButton'));
    await becomes(other, question, (message) => textOf(message).includes(en('ownVoices.create.training')));
    const [model] = await listModels(parley);
    await api.deleteModel(model?.id ?? '');
    expect(await readEnd(other, question)).toContain(en('ownVoices.create.deletedMeanwhile'));
    train();
    await expectNothingLeft(parley);
  });

  it('is one too many for a member who has three, however many are begun at once', async () => {
    const { other, engines } = parley;
    const questions: APIMessage[] = [];
    for (const title of ['One', 'Two', 'Three', 'Four', 'Five']) questions.push(await ask(other, { title }));
    const train = engines.hold();
    await Promise.all(questions.map((question) => other.click(question, en('ownVoices.create.ownButton'))));
    // Any two of them: each click is acknowledged before it takes a slot.
    const isRefused = (message: APIMessage) =>
      questions.some(({ id }) => id === message.id) && textOf(message).includes('You’ve reached the limit of 3 voices');
    const one = await other.sees(isRefused);
    const another = await other.sees((message) => message.id !== one.id && isRefused(message));
    expect([labelsOf(one), labelsOf(another)]).toEqual([[], []]);
    expect((await listPending(parley)).length).toBe(3);
    // Three texts are recognised one after the other: they needn't be.
    for (const question of questions.filter(({ id }) => id !== one.id && id !== another.id)) {
      // The question has a button of this name as well.
      const progress = await becomes(other, question, (message) => labelsOf(message).join() === en('ownVoices.create.cancelButton'));
      await other.click(progress, en('ownVoices.create.cancelButton'));
      await becomes(other, question, (message) => textOf(message).includes('Cancelled.'));
    }
    train();
    await expectNothingLeft(parley);
  });

  it.each([
    ['is made after a restart in the middle of its training', recording, 'trained'],
    ['is deleted after a restart in the middle of its training, if that failed meanwhile', silentWav(12), 'failed'],
  ])('%s', async (_, file, state) => {
    const { other, api, engines, store } = parley;
    const question = await ask(other, {}, file);
    const train = engines.hold();
    await other.click(question, en('ownVoices.create.ownButton'));
    await becomes(other, question, (message) => textOf(message).includes(en('ownVoices.create.training')));
    await parley.restartBot();
    expect(await readEnd(other, question)).toContain(en('ownVoices.create.interrupted'));
    expect((await listPending(parley)).length).toBe(1);
    const [model] = await listModels(parley);
    const id = model?.id ?? '';
    train();
    await expect.poll(async () => (await api.getModel(id)).state, { timeout: WAIT_MS }).toBe(state);
    await parley.restartBot();
    await expect.poll(() => listPending(parley)).toEqual([]);
    const owned = (await createVoiceOwners(store).ofMember(other.client.userId)).map((voice) => voice.id);
    expect(owned).toEqual(state === 'trained' ? [id] : []);
    expect((await listModels(parley)).map((one) => one.id)).toEqual(owned);
  });
});

describe('a process that died while it made a voice', () => {
  /** What such a process leaves in the store. */
  async function leave(tag: string, startedAt: number): Promise<void> {
    const { client } = parley.other;
    const consent = { kind: 'own', memberId: client.userId, at: startedAt };
    const about = { ownerId: client.userId, guildId: parley.discord.guildId, title: 'Left', sharedWith: [], consent, startedAt };
    await parley.store.set(`pending-voice:${tag}`, { tag, ...about, modelId: null, isUnwanted: false });
  }

  it('right after it was sent: the next one finds the voice by its tag, and its member has it', async () => {
    const { api, other, store } = parley;
    await leave('parley-1', Date.now());
    const { id } = await api.createModel({ title: 'Left', recordings: [{ audio: recording }], tags: ['parley-1'] });
    await expect.poll(async () => (await api.getModel(id)).state, { timeout: WAIT_MS }).toBe('trained');
    await parley.restartBot();
    await expect.poll(() => listPending(parley)).toEqual([]);
    expect(await createVoiceOwners(store).find(id)).toMatchObject({
      ownerId: other.client.userId,
      title: 'Left',
      consent: { kind: 'own' },
    });
  });

  it('before it was sent: the note is deleted once the voice can’t turn up any more', async () => {
    await leave('parley-2', Date.now());
    await leave('parley-3', Date.now() - 11 * 60_000);
    await parley.restartBot();
    await expect.poll(async () => (await listPending(parley)).map(([key]) => key)).toEqual(['pending-voice:parley-2']);
  });
});

describe('members who leave', () => {
  it('can’t be asked, and no voice is made for them', async () => {
    const { member, other, discord } = parley;
    const message = await other.sendVoiceMessage('voice-message.wav', recording, SECONDS);
    discord.failRest(new RegExp(`GET .*/members/${other.client.userId}`), { status: 404 });
    const refused = await member.runOnMessage('Make a voice', message.id);
    expect(await refused.sentence()).toContain(en('ownVoices.create.speakerLeft'));
    const form = await member.runOnMessage('Make a voice', message.id);
    await member.submitModal(form, { title: 'The reader' });
    const question = await other.sees((one) => labelsOf(one).includes(en('ownVoices.create.agreeButton')));
    discord.failRest(new RegExp(`GET .*/members/${member.client.userId}`), { status: 404 });
    await other.click(question, en('ownVoices.create.agreeButton'));
    const ended = await becomes(other, question, (one) => textOf(one).includes('has left the server'));
    expect(labelsOf(ended)).toEqual([]);
    await expectNothingLeft(parley);
    expect(isReady(ended)).toBe(false);
  });
});
