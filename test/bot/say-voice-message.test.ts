// /say as a voice message: what is sent, when it is a file instead, and what it costs.
import { type APIMessage, ApplicationCommandOptionType, MessageFlags, PermissionFlagsBits as P } from 'discord.js';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { offeredCommands } from '../../commands/index.ts';
import { packetsToOgg, toOpusPackets } from '../../src/audio/index.ts';
import { en } from '../../src/locales/index.ts';
import { filesOf, isEphemeral, labelsOf, type Member, statusOf, textOf } from '../helpers/member.ts';
import { answer, answerJson, startMisbehavingService } from '../helpers/misbehaving-service.ts';
import { openingOf } from '../helpers/openings.ts';
import { type Parley, startParley } from '../helpers/parley.ts';
import { inChunks, listen } from '../helpers/sound.ts';
import { startTestVoiceService, type TestVoiceService } from '../helpers/voice-service.ts';

type MemberInteraction = Awaited<ReturnType<Member['run']>>;

const isVoiceMessage = ({ flags }: APIMessage) => ((flags ?? 0) & MessageFlags.IsVoiceMessage) !== 0;
const voiceMessageOf = (interaction: MemberInteraction) => interaction.message(isVoiceMessage);
const says = (interaction: MemberInteraction, what: string) => interaction.message((message) => textOf(message).includes(what));
const bytesOf = async (message: APIMessage) => new Uint8Array(await (await fetch(filesOf(message)[0]?.url ?? '')).arrayBuffer());

describe('/say as a voice message', () => {
  let service: TestVoiceService;
  let parley: Parley;

  beforeAll(async () => {
    service = await startTestVoiceService();
    parley = await startParley({ service, cacheBytes: 10_000_000 });
  });

  afterEach(() => {
    const { discord } = parley;
    discord.setPermissions(discord.channelId('general'), discord.application.id, {});
  });

  afterAll(async () => {
    await parley.close();
    await service.close();
  });

  it('follows the card with its menu, with its true duration and the waveform of its sound', async () => {
    const { member } = parley;
    const interaction = await member.run('say', { text: 'One two three. Four five six.', send_as: 'message' });
    const message = await voiceMessageOf(interaction);
    const card = await says(interaction, 'One two three.');
    expect(labelsOf(card)).toEqual([en('say.replay'), en('say.saveAsFile'), en('say.sendAsVoiceMessage'), en('say.sayMore')]);
    expect(statusOf(card)).toMatch(/ · \d+ characters$/);
    expect(BigInt(message.id)).toBeGreaterThan(BigInt(card.id));
    expect(isEphemeral(message)).toBe(false);
    expect(textOf(message)).toBe('');
    const [attachment] = message.attachments;
    expect(attachment?.content_type).toBe('audio/ogg');
    const { sound, frames } = await listen(toOpusPackets(inChunks(await bytesOf(message), 4096)));
    expect(frames).toBe(Math.round(sound.length / 960));
    const seconds = attachment?.duration_secs ?? 0;
    expect(Math.abs(seconds - sound.length / 48_000)).toBeLessThan(0.05);
    const waveform = [...Buffer.from(attachment?.waveform ?? '', 'base64')];
    expect(Math.abs(waveform.length - seconds * 10)).toBeLessThan(1.2);
    expect(Math.max(...waveform)).toBe(255);
    // The pause between the sentences.
    expect(Math.min(...waveform.slice(3, -3))).toBeLessThan(100);
  });

  it('is free while its sound is cached, and makes what is spoken afterwards free', async () => {
    const { member } = parley;
    const text = 'Heard once, sent twice.';
    await voiceMessageOf(await member.run('say', { text, send_as: 'message' }));
    await member.listen();
    const spoken = await says(await member.run('say', { text }), openingOf('say.spoken'));
    expect(statusOf(spoken)).toContain(en('say.fromCache'));
    const again = await member.select(spoken, en('say.moreMenu'), en('say.sendAsVoiceMessage'));
    await voiceMessageOf(again);
    expect(statusOf(await says(again, text))).toContain(en('say.fromCache'));
    await member.leaveVoice();
  });

  it('asks in private before anything is spent again on a text that is not cached', async () => {
    const { member, api } = parley;
    const balance = async () => Number((await api.getCredit()).credit);
    await member.listen();
    const text = 'Cut off in the middle, so none of it is cached, and one two three four five.';
    const spoken = await member.run('say', { text });
    await member.click(await says(spoken, en('say.speaking')), en('say.stopButton'));
    const stopped = await says(spoken, en('say.stopped'));
    const before = await balance();
    const chosen = await member.select(stopped, en('say.moreMenu'), en('say.sendAsVoiceMessage'));
    const question = await says(chosen, openingOf('say.confirmMaking'));
    expect(isEphemeral(question)).toBe(true);
    expect(textOf(question)).toContain(`making it again would use ${text.length} characters of the credit. Make it?`);
    expect(chosen.messages()).toHaveLength(1);
    expect(await balance()).toBe(before);
    const yes = await member.click(question, en('say.makeButton'));
    await voiceMessageOf(yes);
    expect(statusOf(await says(yes, text))).toContain(`${text.length} characters`);
    // 15 a million.
    expect(before - (await balance())).toBeCloseTo(text.length * 0.000_015, 6);
    await member.leaveVoice();
  });

  it('is a file, and says why, where voice messages are not allowed', async () => {
    const { member, discord } = parley;
    discord.setPermissions(discord.channelId('general'), discord.application.id, { deny: P.SendVoiceMessages });
    const interaction = await member.run('say', { text: 'Not as a message', send_as: 'message' });
    const reply = await interaction.message((one) => filesOf(one).length > 0);
    expect(filesOf(reply)[0]?.name).toBe('not-as-a-message.mp3');
    expect(textOf(reply)).toContain(en('say.voiceMessageForbidden'));
    expect(interaction.messages()).toHaveLength(1);
  });

  it('is a file of the same sound, and says why, if Discord refuses it', async () => {
    const { member, discord } = parley;
    discord.restFaults.push({ match: /POST .*\/webhooks\//, times: 1, how: { status: 400 } });
    const interaction = await member.run('say', { text: 'Nobody takes this', send_as: 'message' });
    const reply = await interaction.message((one) => filesOf(one).length > 0);
    expect(filesOf(reply)[0]?.name).toBe('nobody-takes-this.ogg');
    expect(textOf(reply)).toContain(en('say.voiceMessageRefused'));
    expect(labelsOf(reply)).toContain(en('say.sendAsVoiceMessage'));
    expect(statusOf(reply)).toContain('17 characters');
  });

  it('says so if a voice channel was wanted in direct messages', async () => {
    const dm = await parley.member.inDm();
    const plain = await dm.run('say', { text: 'Just for you' });
    await voiceMessageOf(plain);
    expect(textOf(await says(plain, 'Just for you'))).not.toContain('I can only speak');
    const wanted = await dm.run('say', { text: 'Just for you', send_as: 'channel' });
    await voiceMessageOf(wanted);
    expect(textOf(await says(wanted, 'Just for you'))).toContain(en('say.voiceMessageInstead'));
  });

  it('is not what `as_file` asks for, which Discord shows for up to an hour after an update', async () => {
    const { member, discord } = parley;
    const command = discord.world.commands.find(({ name }) => name === 'say');
    const old = { type: ApplicationCommandOptionType.Boolean, name: 'as_file', description: 'As a file' } as const;
    command?.options?.push(old);
    const reply = await (await member.run('say', { text: 'As ever', as_file: true })).message((one) => filesOf(one).length > 0);
    expect(filesOf(reply)[0]?.name).toBe('as-ever.mp3');
    command?.options?.pop();
  });

  it('can be transcribed', async () => {
    const { member } = parley;
    const message = await voiceMessageOf(await member.run('say', { text: 'The rain falls on the roof.', send_as: 'message' }));
    const interaction = await member.runOnMessage('Transcribe', message.id);
    const reply = await interaction.message((one) => filesOf(one).length > 0);
    expect(textOf(reply)).toContain('voice-message.ogg');
  });

  it('follows a public reply, if the voice was not known before', async () => {
    const interaction = await parley.member.run('say', { text: 'By the id', voice: 'robert-preview', send_as: 'message' });
    const message = await voiceMessageOf(interaction);
    const card = await says(interaction, 'By the id');
    for (const one of [card, message]) expect(isEphemeral(one)).toBe(false);
    expect(BigInt(message.id)).toBeGreaterThan(BigInt(card.id));
  });

  it('has a menu in direct messages that offers what can be done there', async () => {
    const dm = await parley.other.inDm();
    const interaction = await dm.run('say', { text: 'Nothing to speak in here' });
    await voiceMessageOf(interaction);
    const card = await says(interaction, 'Nothing to speak in here');
    expect(labelsOf(card)).toEqual([en('say.saveAsFile'), en('say.sendAsVoiceMessage')]);
    const again = await dm.select(card, en('say.moreMenu'), en('say.sendAsVoiceMessage'));
    await voiceMessageOf(again);
    expect(statusOf(await says(again, 'Nothing to speak in here'))).toContain(en('say.fromCache'));
  });
});

it('of up to 20 minutes is a voice message, and a longer one is a file that says why', async () => {
  const text = 'one two three four five six seven eight nine ten, '.repeat(40).trim();
  const sound = (seconds: number) => packetsToOgg(new Array(Math.round(seconds * 50)).fill(Uint8Array.of(0xf8, 0xff, 0xfe)));
  let minutes = 0;
  const service = await startMisbehavingService((request, response) => {
    const piece = JSON.parse(service.requests.findLast(({ socket }) => socket === request.socket)?.body.toString() || '{}').text;
    if (piece === undefined) return answerJson(200, { total: 0, items: [] })(request, response);
    answer(200, sound((minutes * 60 * piece.length) / text.length), { 'content-type': 'audio/ogg' })(request, response);
  });
  const parley = await startParley({ service: { url: service.url, key: 'key' } });
  onTestFinished(() => parley.close().then(service.close));
  const say = () => parley.member.run('say', { text, send_as: 'message' });

  // The spaces between the pieces are not spoken.
  minutes = 19.9;
  const message = await voiceMessageOf(await say());
  expect((message.attachments[0]?.duration_secs ?? 0) / 60).toBeCloseTo(minutes, 0);

  minutes = 20.2;
  const longer = await say();
  const reply = await longer.message((one) => filesOf(one).length > 0);
  expect(textOf(reply)).toContain(en('say.voiceMessageTooLong', { minutes: 20 }));
  expect(filesOf(reply)[0]?.name).toBe('one-two-three-four-five-six-seven-eight.ogg');
  expect(longer.messages()).toHaveLength(1);
});

it('the commands that take recordings name the types of files they take, video included', async () => {
  const [transcribe, voice] = ['transcribe', 'voice'].map((name) =>
    offeredCommands({ moods: false, readsMessages: false }).find((one) => one.data.name === name),
  );
  const types = JSON.stringify([transcribe?.data, voice?.data]).match(/"file_types":\[.*?\]/g);
  expect(types?.length).toBe(4);
  for (const one of types ?? []) expect(one).toContain('"audio","video"');
});
