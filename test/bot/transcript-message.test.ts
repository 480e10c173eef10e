// The message of a transcript: its progress, pages, files and languages, which keep working after a restart.

import { type APIMessage, ComponentType, MessageReferenceType, Routes } from 'discord.js';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { en } from '../../src/locales/index.ts';
import { loadSealingKey, seal, unseal } from '../../src/store/index.ts';
import { confirmationFor } from '../../src/transcription/questions.ts';
import type { Recording } from '../../src/transcription/recording.ts';
import { filesOf, isEphemeral, partsOf, textOf } from '../helpers/member.ts';
import { answerJson } from '../helpers/misbehaving-service.ts';
import { openingOf } from '../helpers/openings.ts';
import { silentWav } from '../helpers/speech.ts';
import { segmentsOf, useTranscribingParley } from './transcribing-parley.ts';

const sound = silentWav(2);

const { parley, service } = useTranscribingParley();
beforeEach(() => service.behave(answerJson(200, segmentsOf(2))));

const isDone = (message: APIMessage) => filesOf(message).length > 0;
const namesOf = (message: APIMessage) => filesOf(message).map(({ name }) => name);
const fileText = async (message: APIMessage, wanted: string) => {
  const file = filesOf(message).find(({ name }) => name === wanted);
  return (await fetch(file?.url ?? '')).text();
};
const languagesAsked = () =>
  service.requests
    .filter(({ url }) => url === '/v1/asr')
    .map(({ body }) => /name="language"\r\n\r\n(.*)\r\n/.exec(body.toString('latin1'))?.[1] ?? null);

/** Changes the file that the buttons of a transcript read. */
function changeFile(message: APIMessage, { url, size = 100 }: { url: string; size?: number }): void {
  const kept = parley.discord.world.messages.get(message.channel_id)?.find(({ id }) => id === message.id);
  for (const part of partsOf(kept?.components)) if (part.type === ComponentType.File) Object.assign(part, { size, file: { url } });
}

async function transcribe(name = 'memo.wav', options = {}): Promise<APIMessage> {
  const interaction = await parley.member.run('transcribe', { audio: parley.member.upload(name, sound), ...options });
  return interaction.message(isDone);
}

describe('a recording being transcribed', () => {
  it('shows its progress, then its transcript', async () => {
    const letGo = service.hold();
    const interaction = await parley.member.run('transcribe', { audio: parley.member.upload('memo.wav', sound) });
    const stage = await interaction.message((message) => textOf(message).includes('Transcribing'));
    expect(textOf(stage)).toContain('**memo.wav**');
    letGo();
    const done = await interaction.message(isDone);
    expect(done.id).toBe(stage.id);
    expect(textOf(done)).toMatch(/^\*\*memo\.wav\*\*\n-# 0:00\nThis is sentence number 0\. This is sentence number 1\.\n-# 0:02$/);
  });

  it('is shown only to its member if a moderator deletes the reply meanwhile', async () => {
    const letGo = service.hold();
    const interaction = await parley.member.run('transcribe', { audio: parley.member.upload('memo.wav', sound) });
    const stage = await interaction.message((message) => textOf(message).includes('Transcribing'));
    await parley.bot().client.rest.delete(Routes.channelMessage(stage.channel_id, stage.id));
    await interaction.deleted();
    letGo();
    const done = await interaction.message(isDone);
    expect([isEphemeral(done), done.id === stage.id]).toEqual([true, false]);
  });

  it('is transcribed if it was forwarded', async () => {
    const { member, discord } = parley;
    const message = await member.send(['forwarded.wav', sound]);
    const kept = discord.world.messages.get(message.channel_id)?.find(({ id }) => id === message.id);
    // As Discord sends it: the message itself is empty, with a partial copy of the forwarded one.
    const { type, content, embeds, attachments, timestamp, edited_timestamp, mentions, flags } = message;
    Object.assign(kept ?? {}, {
      attachments: [],
      message_reference: { type: MessageReferenceType.Forward, message_id: '2', channel_id: '3', guild_id: '4' },
      message_snapshots: [{ message: { type, content, embeds, attachments, timestamp, edited_timestamp, mentions, flags } }],
    });
    const interaction = await member.runOnMessage('Transcribe', message.id);
    expect(textOf(await interaction.message(isDone))).toContain('forwarded.wav');
  });

  it('is sent to the service with its name, type and size', async () => {
    await transcribe('streamed.wav');
    const seen = service.requests.findLast(({ url }) => url === '/v1/asr');
    expect(seen?.headers['transfer-encoding']).toBeUndefined();
    expect(seen?.headers['content-length']).toBe(String(seen?.body.length));
    const body = seen?.body.toString('latin1');
    expect(body).toContain('filename="streamed.wav"\r\nContent-Type: audio/wav');
    expect(body).toContain('name="ignore_timestamps"\r\n\r\nfalse');
  });
});

describe('a transcript', () => {
  it('has pages, and the full text attached, even after a restart', async () => {
    service.behave(answerJson(200, segmentsOf(400)));
    const first = await transcribe('long.wav');
    expect(textOf(first)).toMatch(/-# 6:40 · Page 1 of 6$/);
    expect(namesOf(first)).toEqual(['long-transcript.json']);
    expect(textOf(first)).toMatch(/^\*\*long\.wav\*\*\n-# 0:00\nThis is sentence number 0\./);
    await parley.restartBot();
    await parley.member.click(first, 'Next');
    const second = await parley.member.sees((message) => message.id === first.id && textOf(message).includes('Page 2 of'));
    expect(textOf(second)).not.toContain('sentence number 0.');
    expect(namesOf(second)).toEqual(['long-transcript.json']);
    const refused = await parley.other.click(second, 'Next');
    expect(await refused.sentence()).toContain(openingOf('general.notYourButtons'));
  });

  it.each(['text', 'srt', 'vtt', 'json'] as const)(
    'is attached as %s where that is wanted, and in private where that is',
    async (format) => {
      const message = await transcribe('memo.wav', { format, private: true, timestamps: false });
      expect(isEphemeral(message)).toBe(true);
      expect(namesOf(message)).toEqual(
        format === 'json' ? ['memo-transcript.json'] : [`memo.${format === 'text' ? 'txt' : format}`, 'memo-transcript.json'],
      );
      expect(textOf(message)).not.toContain('-# 0:00');
    },
  );

  it('is available as a file in every format to anyone who sees it', async () => {
    const message = await transcribe('memo.wav');
    const files = {
      txt: '[0:00.0 → 0:01.0] This is sentence number 0.\n[0:01.0 → 0:02.0] This is sentence number 1.\n',
      srt: '1\n00:00:00,000 --> 00:00:01,000\nThis is sentence number 0.\n\n2\n00:00:01,000 --> 00:00:02,000\nThis is sentence number 1.\n',
      vtt: 'WEBVTT\n\n00:00:00.000 --> 00:00:01.000\nThis is sentence number 0.\n\n00:00:01.000 --> 00:00:02.000\nThis is sentence number 1.\n',
      json: await fileText(message, 'memo-transcript.json'),
    };
    await parley.restartBot();
    for (const [extension, text] of Object.entries(files)) {
      const format = extension === 'txt' ? 'text' : extension;
      const interaction = await parley.other.select(message, en('transcription.download'), format);
      const answer = await interaction.message(isDone);
      expect(isEphemeral(answer)).toBe(true);
      expect(await fileText(answer, extension === 'json' ? 'memo-transcript.json' : `memo.${extension}`)).toBe(text);
    }
  });

  it('omits times from the text if they were unwanted', async () => {
    const message = await transcribe('memo.wav', { timestamps: false });
    expect(textOf(message)).not.toContain('-# 0:00');
    const interaction = await parley.member.select(message, en('transcription.download'), 'text');
    expect(await fileText(await interaction.message(isDone), 'memo.txt')).toBe('This is sentence number 0.\nThis is sentence number 1.\n');
    const subtitles = await parley.member.select(message, en('transcription.download'), 'srt');
    expect(await fileText(await subtitles.message(isDone), 'memo.srt')).toContain('00:00:01,000 --> 00:00:02,000');
  });

  it('whose file is gone says so', async () => {
    const message = await transcribe();
    changeFile(message, { url: `${parley.discord.cdnUrl}/attachments/1/2/memo.json` });
    const interaction = await parley.member.select(message, en('transcription.download'), 'srt');
    expect(await interaction.sentence()).toMatch(/This transcript’s file is gone|was deleted/);
  });

  it('whose file would be too large for Discord is shown without buttons', async () => {
    service.behave(answerJson(200, { text: `word word ${'w'.repeat(10 * 1024 * 1024)}`, duration: 3, segments: [] }));
    const interaction = await parley.member.run('transcribe', { audio: parley.member.upload('endless.wav', sound) });
    const message = await interaction.message((one) => textOf(one).includes('word word'));
    expect([isDone(message), JSON.stringify(message.components).includes('custom_id')]).toEqual([false, false]);
    expect(textOf(message)).toContain(en('transcription.tooLargeToAttach'));
  });
});

describe('another language', () => {
  it('is a second transcript beside the first, even after a restart, for the member who asked', async () => {
    const first = await transcribe('memo.wav', { private: true });
    await parley.restartBot();
    const interaction = await parley.member.select(first, en('transcription.otherLanguage'), 'German');
    const second = await interaction.message(isDone);
    expect(second.id).not.toBe(first.id);
    expect(service.requests.findLast(({ url }) => url === '/v1/asr')?.headers['content-length']).toBeDefined();
    expect(isEphemeral(second)).toBe(true);
    expect(textOf(second)).toContain('0:02 · German');
    expect(languagesAsked().slice(-2)).toEqual([null, 'de']);
    const third = await parley.member.select(second, en('transcription.otherLanguage'), en('transcription.detectLanguage'));
    expect(textOf(await third.message(isDone))).not.toContain('German');
    const open = await transcribe();
    expect(await (await parley.other.select(open, en('transcription.otherLanguage'), 'German')).sentence()).toContain(
      openingOf('general.notYourButtons'),
    );
  });

  it('can be tried if no speech was found', async () => {
    service.behave(answerJson(200, { text: '', duration: 2, segments: [] }));
    const message = await transcribe();
    expect(textOf(message)).toContain(en('transcription.noSpeechInLanguage'));
    service.behave(answerJson(200, segmentsOf(1)));
    const interaction = await parley.member.select(message, en('transcription.otherLanguage'), 'Finnish');
    expect(textOf(await interaction.message(isDone))).toContain('sentence number 0');
  });

  it('that the service does not know is named, and the first transcript remains', async () => {
    const first = await transcribe();
    service.behave(answerJson(422, [{ loc: ['body', 'language'], type: 'not_supported', msg: 'no' }]));
    const interaction = await parley.member.select(first, en('transcription.otherLanguage'), 'Thai');
    expect(await interaction.sentence()).toContain('can’t transcribe **Thai**');
    await interaction.deleted();
    expect(interaction.messages().every(isEphemeral)).toBe(true);
  });

  it('cannot be tried once the link of the recording has expired', async () => {
    const first = await transcribe();
    const document = JSON.parse(await fileText(first, 'memo-transcript.json'));
    const key = await loadSealingKey(parley.store, 'recordings');
    const link = unseal(document.recording, key);
    expect(link).toMatch(/\/\d+\/memo\.wav[?#]/);
    const expired = seal(link?.replace(/\/\d+\/memo\.wav/, '/1/memo.wav') ?? '', key);
    const { url, size } = parley.member.client.upload(
      'memo-transcript.json',
      'application/json',
      Buffer.from(JSON.stringify({ ...document, recording: expired })),
    );
    changeFile(first, { url, size });
    const interaction = await parley.member.select(first, en('transcription.otherLanguage'), 'German');
    expect(await interaction.sentence()).toContain('its link has expired');
  });

  it('cannot be tried with a forged link', async () => {
    const first = await transcribe();
    const document = JSON.parse(await fileText(first, 'memo-transcript.json'));
    expect(document.recording).not.toContain('http');
    const forged = { ...document, recording: `${parley.discord.cdnUrl}/attachments/1/2/memo.wav#size=5` };
    const { url, size } = parley.member.client.upload('memo-transcript.json', 'application/json', Buffer.from(JSON.stringify(forged)));
    changeFile(first, { url, size });
    const interaction = await parley.member.select(first, en('transcription.otherLanguage'), 'German');
    expect(await interaction.sentence()).toContain(en('transcription.transcriptGone'));
  });

  it('is found by its code, its English name or its own name', async () => {
    const find = async (typed: string) => (await parley.member.autocomplete('transcribe', 'language', typed)).map(({ value }) => value);
    expect(await find('ger')).toEqual(['de']);
    expect(await find('Deu')).toEqual(['de']);
    expect(await find('ja')).toEqual(['ja']);
    expect(await find('日')).toEqual(['ja']);
    expect(await find('xx')).toEqual([]);
    expect((await find('')).length).toBeLessThanOrEqual(25);
  });
});

describe('a transcription that takes much of the credit', () => {
  const recording = (name: string): Recording => {
    const { url } = parley.member.client.upload(name, 'audio/wav', sound);
    return { name, url, size: sound.length, duration: 600, contentType: 'audio/wav', source: null };
  };
  const contextWith = (share: number | null) => ({ credit: { shareOfBalance: () => share }, t: en });
  const options = { language: 'pt:BR', timestamps: false, format: 'srt' as const, isPrivate: false };

  it('is confirmed first, in private, with its cost', () => {
    const recordings = [recording('a.wav'), recording('b.wav')];
    for (const share of [null, 0, 0.049]) expect(confirmationFor(contextWith(share), recordings, options)).toBeNull();
    const question = confirmationFor(contextWith(0.05), recordings, options);
    expect(JSON.stringify(question)).toContain('about 20 minutes of audio and would use about 5% of the credit');
    expect(JSON.stringify(confirmationFor(contextWith(7), recordings, options))).toContain('about 100%');
    // Each is billed in whole seconds.
    const short = ['c.wav', 'd.wav', 'e.wav'].map((name) => ({ ...recording(name), size: 100, duration: 0.4 }));
    const shareOfBalance = vi.fn(() => null);
    confirmationFor({ credit: { shareOfBalance }, t: en }, short, options);
    expect(shareOfBalance).toHaveBeenCalledWith({ kind: 'transcription', billed: 3 });
  });

  it('is started by its button with the original options, even after a restart', async () => {
    const question = confirmationFor(contextWith(0.5), [recording('a.wav'), recording('b.wav')], options);
    const channel = parley.bot().client.channels.cache.get(parley.discord.channelId('general'));
    if (!question || !channel?.isSendable()) return expect.fail('there is no question');
    const { id } = await channel.send(question);
    await parley.restartBot();
    const interaction = await parley.member.click(
      await parley.member.sees((message) => message.id === id),
      en('transcription.confirmButton'),
    );
    const first = await interaction.message((message) => namesOf(message).includes('a-transcript.json'));
    await interaction.message((message) => namesOf(message).includes('b-transcript.json'));
    expect([isEphemeral(first), textOf(first).includes('-# 0:00'), namesOf(first)]).toEqual([false, false, ['a.srt', 'a-transcript.json']]);
    // It is no code, so the service isn't asked for it; it comes back all the same.
    expect(languagesAsked().slice(-2)).toEqual([null, null]);
    expect(textOf(first)).toContain('pt:BR');
    const answered = await parley.member.sees((message) => message.id === id);
    expect(textOf(answered)).toBe(en('general.started'));
  });

  it('is asked about by the command itself', async () => {
    await parley.restartBot({ prices: { perMillionBytes: null, perHour: 3600 } });
    // Reads the balance.
    await (await parley.member.run('credit')).answered();
    const { id } = await parley.member.sendVoiceMessage('voice-message.ogg', sound);
    await expect
      .poll(async () => {
        const interaction = await parley.member.runOnMessage('Transcribe', id);
        const answer = await interaction.message((message) => isDone(message) || textOf(message).includes('audio and would'));
        return isDone(answer) ? null : textOf(answer);
      })
      .toContain('about 1 minute of audio and would use about 8% of the credit');
    const interaction = await parley.member.runOnMessage('Transcribe', id);
    const question = await interaction.message((message) => textOf(message).includes('audio and would'));
    expect(isEphemeral(question)).toBe(true);
    // Clicked twice, transcribed once.
    const clicks = await Promise.all([
      parley.member.click(question, en('transcription.confirmButton')),
      parley.member.click(question, en('transcription.confirmButton')),
    ]);
    const done = await Promise.any(clicks.map((click) => click.message(isDone)));
    expect([isEphemeral(done), textOf(done).includes('-# 0:00')]).toEqual([false, true]);
    expect(clicks.flatMap((click) => click.messages().filter(({ id }) => id !== question.id))).toHaveLength(1);
  });
});
