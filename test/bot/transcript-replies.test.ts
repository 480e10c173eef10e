// Where transcripts are posted: after Discord's reply window, in direct messages, and in servers that the bot isn't in.

import { type APIMessage, PermissionFlagsBits } from 'discord.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { en } from '../../src/locales/index.ts';
import { type HeldTimers, holdTimers } from '../helpers/held-timers.ts';
import { filesOf, isEphemeral, type Member, textOf } from '../helpers/member.ts';
import { answer, answerJson, type Behaviour } from '../helpers/misbehaving-service.ts';
import { startParley } from '../helpers/parley.ts';
import { silentWav } from '../helpers/speech.ts';
import { segmentsOf, useTranscribingParley } from './transcribing-parley.ts';

const sound = silentWav(2);

const { parley, service, logged } = useTranscribingParley();

const isDone = (message: APIMessage) => filesOf(message).length > 0;

describe('a transcript that takes longer than Discord accepts replies', () => {
  /** Requests a transcript, lets 14 and then 15 minutes pass, and lets the service respond. */
  async function wait(
    window: HeldTimers,
    member: Member,
    options: Record<string, boolean> = {},
    answer?: Behaviour,
    name = 'late.wav',
  ): Promise<string> {
    const letGo = service.hold();
    const interaction = await member.run('transcribe', { audio: member.upload(name, sound), ...options });
    await interaction.message((one) => textOf(one).includes(name));
    window.expire();
    const message = await interaction.message((one) => textOf(one).includes('This is taking a while'));
    parley.discord.expireInteractions('tokens');
    letGo(answer);
    return textOf(message);
  }

  it('is posted in the channel, pinging nobody', async () => {
    const window = holdTimers(14 * 60_000);
    expect(await wait(window, parley.member)).toContain('in this channel');
    const late = await parley.member.sees((message) => textOf(message).includes('your transcript is ready') && isDone(message));
    expect(late.channel_id).toBe(parley.discord.channelId('general'));
    expect(textOf(late)).toContain(`<@${parley.member.client.userId}>`);
    expect(late.mentions).toEqual([]);
    expect(textOf(late)).toContain('sentence number 1');
    await parley.member.select(late, en('transcription.otherLanguage'), 'French');
    await parley.member.sees((message) => textOf(message).includes('French'));
  });

  it.each([
    ['is private', { private: true }, {}],
    ['may not be posted in the channel', {}, { deny: PermissionFlagsBits.SendMessages }],
  ])('is sent as a direct message if it %s', async (_, options, permissions) => {
    const window = holdTimers(14 * 60_000);
    const { discord, other } = parley;
    discord.setPermissions(discord.channelId('general'), discord.application.id, permissions);
    expect(await wait(window, other, options)).toContain(en('transcription.continuesInDirectMessage'));
    const { id } = await other.client.call('open_dm', { user_id: discord.application.id });
    const late = await other.sees((message) => message.channel_id === id && textOf(message).includes('your transcript is ready'));
    expect(filesOf(late).map(({ name }) => name)).toEqual(['late-transcript.json']);
    discord.setPermissions(discord.channelId('general'), discord.application.id, {});
  });

  it('that fails is reported only to the member; in the channel, mentioning them, if they accept no direct messages', async () => {
    const window = holdTimers(14 * 60_000);
    const { discord, member } = parley;
    const { userId } = member.client;
    const { id: dm } = await member.client.call('open_dm', { user_id: discord.application.id });
    await wait(window, member, {}, answer(400, 'no sound in it'), 'alone.wav');
    const told = await member.sees((message) => textOf(message).includes('can’t read `alone.wav`'));
    expect(told.channel_id).toBe(dm);
    discord.setAcceptsDms(userId, false);
    await wait(window, member, {}, answer(400, 'no sound in it'), 'named.wav');
    const named = await member.sees((message) => textOf(message).includes('can’t read `named.wav`'));
    discord.setAcceptsDms(userId, true);
    expect(named.channel_id).toBe(discord.channelId('general'));
    expect(textOf(named)).toMatch(new RegExp(`^<@${userId}>: `));
    expect(named.mentions).toEqual([]);
  });

  it('that fails leaves nothing about the member in the log', async () => {
    const window = holdTimers(14 * 60_000);
    const name = 'my-therapy-session.wav';
    await wait(window, parley.member, {}, answer(400, 'no sound in it'), name);
    await parley.member.sees((message) => textOf(message).includes(`can’t read \`${name}\``));
    await wait(window, parley.member, {}, answer(500, 'not now'), 'another-session.wav');
    await expect.poll(() => logged.join('')).toContain('a long transcription failed');
    expect(logged.join('')).not.toContain('session');
  });
});

describe('in direct messages', () => {
  it('a recording is transcribed as usual', async () => {
    const dm = await parley.member.inDm();
    const interaction = await dm.run('transcribe', { audio: dm.upload('dm.wav', sound) });
    const message = await interaction.message(isDone);
    expect(isEphemeral(message)).toBe(false);
    const files = await dm.select(message, en('transcription.download'), 'vtt');
    expect(filesOf(await files.message(isDone))[0]?.name).toBe('dm.vtt');
  });

  it('between other people, only the member who uses the bot sees the reply', async () => {
    const dm = await parley.member.inDm(parley.other.client.userId);
    const { id } = await dm.sendVoiceMessage('voice-message.ogg', sound);
    const interaction = await dm.runOnMessage('Transcribe', id);
    expect(isEphemeral(await interaction.message(isDone))).toBe(true);
  });
});

describe("in a server that the bot isn't in", () => {
  beforeAll(() => parley.discord.removeBot(parley.discord.guildId));
  afterAll(() => parley.discord.addBot(parley.discord.guildId));

  it('only the member sees the reply, and its buttons work', async () => {
    const interaction = await parley.member.run('transcribe', { audio: parley.member.upload('memo.wav', sound), private: false });
    const message = await interaction.message(isDone);
    expect(isEphemeral(message)).toBe(true);
    const files = await parley.member.select(message, en('transcription.download'), 'srt');
    expect(filesOf(await files.message(isDone))[0]?.name).toBe('memo.srt');
    const again = await parley.member.select(message, en('transcription.otherLanguage'), 'Polish');
    expect(isEphemeral(await again.message(isDone))).toBe(true);
  });

  it('transcribes as many recordings as it can reply to, and says that some were left out', async () => {
    const names = ['none.wav', 'b.wav', 'c.wav', 'd.wav', 'e.wav', 'f.wav'];
    const { id } = await parley.member.send(
      ...names.map((name): [string, Uint8Array] => [name, name === 'none.wav' ? Buffer.from('no sound at all') : sound]),
    );
    const interaction = await parley.member.runOnMessage('Transcribe', id);
    await interaction.message((message) => textOf(message).includes('the first 4 of 6 recordings'));
    await interaction.message((message) => textOf(message).includes('can’t read `none.wav`'));
    const done = interaction.messages().filter(isDone);
    expect(done.map((message) => filesOf(message)[0]?.name)).toEqual(['b', 'c', 'd'].map((name) => `${name}-transcript.json`));
    expect(interaction.messages().every(isEphemeral)).toBe(true);
  });
});

describe("a member's daily budget", () => {
  it("reserves what Discord says about a recording, is charged for its real length, and isn't charged for failures", async () => {
    const none = Number.POSITIVE_INFINITY;
    const budgets = { speech: { member: none, guild: none }, transcription: { member: 7, guild: none } };
    const limited = await startParley({ service: { url: service.url, key: 'key' }, budgets });
    try {
      // Four seconds, as its sender says; two, as the service does.
      const { id } = await limited.member.sendVoiceMessage('voice-message.ogg', sound);
      const transcribe = () => limited.member.runOnMessage('Transcribe', id);
      await (await transcribe()).message(isDone);
      service.behave(answer(400, 'no sound in it'));
      expect(await (await transcribe()).sentence()).toContain('can’t read');
      service.behave(answerJson(200, segmentsOf(2)));
      await (await transcribe()).message(isDone);
      const refused = await transcribe();
      expect(await refused.sentence()).toContain('You have 3 seconds of transcription left today');
      expect(refused.messages().every(isEphemeral)).toBe(true);
    } finally {
      await limited.close();
    }
  });
});
