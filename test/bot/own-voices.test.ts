// Making voices of recordings: what members see, what the service gets, and who has to agree first.
import { type APIMessage, PermissionFlagsBits as P } from 'discord.js';
import { afterEach, describe, expect, it } from 'vitest';
import { en } from '../../src/locales/index.ts';
import { createSettings } from '../../src/store/settings.ts';
import { createVoiceOwners } from '../../src/voice-catalogue/owners.ts';
import { filesOf, isEphemeral, labelsOf, type Member, statusOf, textOf } from '../helpers/member.ts';
import { openingOf } from '../helpers/openings.ts';
import {
  ask,
  becomes,
  clear,
  expectNothingLeft,
  isReady,
  listModels,
  listPending,
  recording,
  SECONDS,
  storyInTwo,
  useVoiceMaking,
} from './made-voices.ts';

/** Uses the command of the message, and gives the voice a title. */
async function giveTitle(who: Member, message: APIMessage, title = 'The reader') {
  const interaction = await who.runOnMessage('Make a voice', message.id);
  return who.submitModal(interaction, { title });
}

const everyone = useVoiceMaking();

describe('/voice create', () => {
  const parley = everyone;
  afterEach(() => clear(parley));

  it('asks whose voice it is, sends the recording, shows the training, and offers the voice', async () => {
    const { other, engines, store } = parley;
    const question = await ask(other, { language: 'German' });
    expect(isEphemeral(question)).toBe(true);
    expect(textOf(question)).toContain('the voice service on my own machine');
    expect(labelsOf(question)).toEqual([
      en('ownVoices.create.ownButton'),
      en('ownVoices.create.permissionButton'),
      en('ownVoices.create.cancelButton'),
    ]);
    expect(await listModels(parley)).toEqual([]);
    const train = engines.hold();
    await other.click(question, en('ownVoices.create.ownButton'));
    await becomes(other, question, (message) => textOf(message).includes(en('ownVoices.create.training')));
    const [pending] = await listPending(parley);
    expect(pending?.[1]).toMatchObject({ ownerId: other.client.userId, isUnwanted: false });
    train();
    const ready = await becomes(other, question, isReady);
    expect(textOf(ready)).toContain('### The reader');
    const [model] = await listModels(parley);
    expect(model).toMatchObject({ title: 'The reader', state: 'trained', visibility: 'private' });
    expect(model?.tags).toContain('de');
    expect(await createVoiceOwners(store).find(model?.id ?? '')).toMatchObject({
      ownerId: other.client.userId,
      sharedWith: [],
      consent: { kind: 'own', memberId: other.client.userId, at: expect.any(Number) },
    });
    expect(await listPending(parley)).toEqual([]);
  });

  it('leads to a voice that is heard, as a file or in the channel, and becomes the member’s voice', async () => {
    const { other, store } = parley;
    const question = await ask(other, { language: 'German' });
    await other.click(question, en('ownVoices.create.ownButton'));
    const ready = await becomes(other, question, isReady);
    const [model] = await listModels(parley);
    const heard = await other.click(ready, en('voices.hear'));
    const file = await heard.message((message) => filesOf(message).length > 0);
    expect(textOf(file)).toContain('Hallo! Das ist meine neue Stimme.');
    await other.listen();
    const spoken = await other.click(ready, en('voices.hear'));
    await spoken.message((message) => statusOf(message).includes(en('say.speaking')));
    await other.leaveVoice();
    const used = await other.click(ready, en('voices.choices.mine.off'));
    expect(await used.sentence()).toContain('**The reader** is your voice now');
    expect((await createSettings(store).member(other.client.userId)).voice).toEqual({ id: model?.id, title: 'The reader' });
  });

  it('notes that the member has the speaker’s permission, and shares the voice on request', async () => {
    const { other, discord, store } = parley;
    const [first, second] = storyInTwo.map(({ audio }) => audio);
    const question = await ask(other, { share: true, second_recording: other.upload('again.wav', second as Uint8Array) }, first);
    expect(textOf(question)).toContain('I’ll send the recordings to');
    expect(textOf(question)).toContain(en('ownVoices.create.everyoneMayUse'));
    await other.click(question, en('ownVoices.create.permissionButton'));
    const ready = await becomes(other, question, isReady);
    expect(textOf(ready)).toContain(en('ownVoices.create.everyoneMayUse'));
    const [voice] = await createVoiceOwners(store).all();
    expect(voice).toMatchObject({
      sharedWith: [discord.guildId],
      consent: { kind: 'permission', memberId: other.client.userId },
    });
    // The bot's own mark of it at the service isn't for members.
    const listed = await parley.member.run('voices', { mine: true });
    const page = await listed.message((message) => textOf(message).includes(voice?.title ?? '?'));
    expect(textOf(page)).not.toContain('parley-');
  });

  it('is cancelled with a button, before or while it is made, and nothing of the voice stays', async () => {
    const { other, engines } = parley;
    const withdrawn = await ask(other);
    await other.click(withdrawn, en('ownVoices.create.cancelButton'));
    await becomes(other, withdrawn, (message) => textOf(message).includes('I sent nothing.') && labelsOf(message).length === 0);
    expect(await parley.store.list('text:')).toEqual([]);
    const question = await ask(other);
    const train = engines.hold();
    await other.click(question, en('ownVoices.create.permissionButton'));
    const progress = await becomes(other, question, (message) => textOf(message).includes(en('ownVoices.create.training')));
    await other.click(progress, en('ownVoices.create.cancelButton'));
    await becomes(other, question, (message) => textOf(message).includes('Cancelled.'));
    train();
    expect(await listModels(parley)).toEqual([]);
    expect(await listPending(parley)).toEqual([]);
    expect(await createVoiceOwners(parley.store).all()).toEqual([]);
  });
});

describe('Make a voice', () => {
  const parley = everyone;
  afterEach(() => clear(parley));

  it('takes one press on a voice message of one’s own', async () => {
    const { other } = parley;
    const message = await other.sendVoiceMessage('voice-message.wav', recording, SECONDS);
    const asked = await giveTitle(other, message);
    const question = await asked.message((one) => labelsOf(one).length > 0);
    expect(labelsOf(question)).toEqual([en('ownVoices.create.makeButton'), en('ownVoices.create.cancelButton')]);
    await other.click(question, en('ownVoices.create.makeButton'));
    await becomes(other, question, isReady);
    const [voice] = await createVoiceOwners(parley.store).all();
    expect(voice).toMatchObject({ ownerId: other.client.userId, consent: { kind: 'own', memberId: other.client.userId } });
  });

  it('asks the member who speaks, and sends nothing before they have agreed', async () => {
    const { member, other, discord } = parley;
    const message = await other.sendVoiceMessage('voice-message.wav', recording, SECONDS);
    const interaction = await member.runOnMessage('Make a voice', message.id);
    expect(JSON.stringify((await interaction.modal()).components)).toContain(en('ownVoices.create.formAsks'));
    // Sent twice, by a client that never heard of the first.
    const sent = await Promise.all([0, 1].map(() => member.submitModal(interaction, { title: 'Sam, as a voice' })));
    const answers = await Promise.all(sent.map((one) => one.message((message) => textOf(message) !== '')));
    expect(answers.filter((one) => textOf(one) === en('general.expiredMessage')).length).toBe(1);
    const question = await other.sees((one) => textOf(one).includes('Sam, as a voice'));
    expect(isEphemeral(question)).toBe(false);
    expect(question.mentions.map(({ id }) => id)).toEqual([other.client.userId]);
    const refused = await member.click(question, en('ownVoices.create.agreeButton'));
    expect(await refused.sentence()).toBe(en('ownVoices.create.onlySpeaker', { speaker: other.client.userId }));
    expect([await listModels(parley), await listPending(parley)]).toEqual([[], []]);

    await other.click(question, en('ownVoices.create.agreeButton'));
    const ready = await becomes(member, question, isReady);
    expect(textOf(ready)).toContain(en('ownVoices.create.agreed', { speaker: other.client.userId }));
    const [voice] = await createVoiceOwners(parley.store).all();
    expect(JSON.stringify(ready)).not.toContain(voice?.id);
    expect(voice).toMatchObject({ ownerId: member.client.userId, consent: { kind: 'speaker', memberId: other.client.userId } });
    expect(await (await other.click(ready, en('voices.choices.mine.off'))).sentence()).toContain(openingOf('general.notYourButtons'));
    expect(await (await member.click(ready, en('voices.choices.mine.off'))).sentence()).toContain('is your voice now');
    expect(discord.guildId).toBeTruthy();
  });

  it('makes no voice if the member who speaks says no, or if nobody wants it any more', async () => {
    const { member, other } = parley;
    const message = await other.sendVoiceMessage('voice-message.wav', recording, SECONDS);
    for (const [who, sentence] of [
      [other, 'said no'],
      [member, 'doesn’t want the voice anymore'],
    ] as const) {
      await giveTitle(member, message, `Until it is ${sentence}`);
      const question = await other.sees((one) => textOf(one).includes(`Until it is ${sentence}`) && labelsOf(one).length > 0);
      await who.click(question, en('ownVoices.create.refuseButton'));
      const answered = await becomes(other, question, (one) => textOf(one).includes(sentence) && labelsOf(one).length === 0);
      expect(textOf(answered)).toContain('sent nothing');
    }
    expect([await listModels(parley), await listPending(parley)]).toEqual([[], []]);
  });

  it('refuses forwarded recordings, since nobody knows who speaks', async () => {
    const { member, other } = parley;
    const { id, channel_id } = await other.sendVoiceMessage('voice-message.wav', recording, SECONDS);
    const forwarded = await member.client.call('forward_message', { channel_id, message_id: id, to_channel_id: channel_id });
    const interaction = await member.runOnMessage('Make a voice', forwarded.id);
    expect(await interaction.sentence()).toBe(en('ownVoices.create.forwarded'));
  });

  it('refuses messages without a recording', async () => {
    const { member } = parley;
    const message = await member.send(['notes.txt', Buffer.from('Buy milk.')]);
    const interaction = await member.runOnMessage('Make a voice', message.id);
    expect(await interaction.sentence()).toContain(en('transcription.noAudioInMessage'));
  });
});

describe('who may make voices', () => {
  const parley = useVoiceMaking({ voiceMakers: 'admins' });
  afterEach(() => clear(parley));
  const settings = () => createSettings(parley.store);

  it('is up to the admins, who choose roles in /settings', async () => {
    const { member, other, discord } = parley;
    const options = { title: 'A', recording: other.upload('reader.wav', recording) };
    expect(await (await other.run('voice create', options)).sentence()).toContain('Only server admins');
    const readers = discord.addRole('Readers', 0n);
    const opened = await (await member.run('settings')).message((message) => textOf(message) !== '');
    await member.select(opened, en('settings.menu'), 'access');
    const panel = await becomes(member, opened, (message) => textOf(message).includes(en('settings.names.voiceMakers')));
    await member.select(panel, en('settings.voiceMakersMenu'), readers);
    await becomes(member, opened, (message) => textOf(message).includes(`Make voices**: <@&${readers}>`));
    expect((await settings().guild(discord.guildId)).voiceMakerRoles).toEqual([readers]);
    discord.setRoles(other.client.userId, [readers]);
    await ask(other);
    discord.setRoles(other.client.userId, [discord.addRole('Admins', P.ManageGuild)]);
    await ask(other);
    const dm = await other.inDm();
    const outside = await dm.run('voice create', { title: 'A', recording: dm.upload('reader.wav', recording) });
    expect(await outside.sentence()).toContain(en('ownVoices.create.notOutsideServers'));
    await settings().resetGuild(discord.guildId);
  });

  it('is looked at again when the member who speaks agrees', async () => {
    const { member, other, discord } = parley;
    const role = discord.addRole('Admins', P.ManageGuild);
    discord.setRoles(other.client.userId, [role]);
    const message = await member.sendVoiceMessage('voice-message.wav', recording, SECONDS);
    await giveTitle(other, message, 'Robin, as a voice');
    const question = await member.sees((one) => textOf(one).includes('Robin, as a voice') && labelsOf(one).length > 0);
    discord.setRoles(other.client.userId, []);
    await member.click(question, en('ownVoices.create.agreeButton'));
    const ended = await becomes(member, question, (one) => labelsOf(one).length === 0);
    expect(textOf(ended)).toContain(en('ownVoices.create.makerMayNot', { maker: other.client.userId }));
    await expectNothingLeft(parley);
  });
});

describe('without a setting', () => {
  const parley = useVoiceMaking({ voiceMakers: 'operators' });
  afterEach(() => clear(parley));

  it('only operators make voices, and only they read of it', async () => {
    const { member, other } = parley;
    const refused = await other.run('voice create', { title: 'A', recording: other.upload('reader.wav', recording) });
    expect(await refused.sentence()).toContain(en('ownVoices.create.operatorsOnly'));
    await ask(member);
    const helpOf = async (who: Member) => textOf(await (await who.run('help')).message((message) => textOf(message) !== ''));
    // There are no links until Discord has told the ids.
    await expect.poll(() => helpOf(member)).toContain('</voice create:');
    expect(await helpOf(other)).not.toContain('/voice create');
    const panel = await (await member.run('settings')).message((message) => textOf(message) !== '');
    await member.select(panel, en('settings.menu'), 'access');
    const access = await becomes(member, panel, (message) => textOf(message).includes(en('settings.names.muted')));
    expect(textOf(access)).not.toContain(en('settings.names.voiceMakers'));
  });
});
