// /transcribe and Transcribe: recordings become transcripts with times; those that can't be read get an explanation.

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { APIMessage } from 'discord.js';
import { describe, expect, it } from 'vitest';
import { en } from '../../src/locales/index.ts';
import { filesOf, isEphemeral, isLoading, textOf, textsOf } from '../helpers/member.ts';
import { answerJson, beforeTheBody, startMisbehavingService } from '../helpers/misbehaving-service.ts';
import { startParley, useParley } from '../helpers/parley.ts';
import { RATE, silentWav, toSamples, wavOf } from '../helpers/speech.ts';
import { recordTones } from '../helpers/tones.ts';
import { startTestVoiceService } from '../helpers/voice-service.ts';

const toned = (text: string) => toSamples(recordTones(text).subarray(44));
/** With a pause of three seconds. */
const novel = wavOf(Int16Array.from([...toned('It rains.'), ...new Int16Array(3 * RATE), ...toned('It pours.')]), RATE);
const second = recordTones('Good morning.');

const silence = silentWav(2);

/** Whether the transcript is finished: it has its file then. */
const isDone = (message: APIMessage) => filesOf(message).length > 0;

describe('/transcribe', () => {
  const parley = useParley();

  it('transcribes a recording, with the time of each paragraph', async () => {
    const audio = await parley.member.upload('novel.wav', novel);
    const interaction = await parley.member.run('transcribe', { audio, language: 'en' });
    const reply = await interaction.message(isDone);
    expect(isEphemeral(reply)).toBe(false);
    expect(textsOf(reply)).toEqual(['**novel.wav**', '-# 0:00\nIt rains.', '-# 0:03\nIt pours.', '-# 0:04 · English']);
  });

  it('transcribes all audio of a message through its menu', async () => {
    const message = await parley.member.send(['one.wav', novel], ['two.wav', second], ['notes.txt', Buffer.from('no audio')]);
    const interaction = await parley.member.runOnMessage('Transcribe', message.id);
    await interaction.message((reply) => isDone(reply) && textOf(reply).includes('one.wav'));
    await interaction.message((reply) => isDone(reply) && textOf(reply).includes('two.wav'));
    expect(interaction.messages().filter((one) => !isEphemeral(one))).toHaveLength(2);
  });

  it('transcribes a voice message', async () => {
    const message = await parley.member.sendVoiceMessage('voice-message.wav', novel);
    const interaction = await parley.member.runOnMessage('Transcribe', message.id);
    const reply = await interaction.message(isDone);
    expect(textOf(reply)).toMatch(/^\*\*voice-message\.wav\*\*\n-# 0:00\nIt rains\.\n-# 0:03\nIt pours\.\n/);
  });

  it('writes nothing of a recording that doesn’t sound like English and charges nothing, unless the member says that it is English', async () => {
    const audio = await parley.member.upload('german.wav', recordTones('Was sagst du da?'));
    const refused = await parley.member.run('transcribe', { audio });
    expect(await refused.sentence()).toContain('`german.wav` doesn’t sound like English');
    const insisted = await parley.member.run('transcribe', { audio, language: 'en' });
    expect(textOf(await insisted.message(isDone))).toContain('Was sagst du da? \\[?]');
  });

  it('marks words that may be something else than what was said', async () => {
    const audio = await parley.member.upload('mixed.wav', recordTones('It rains. Wie bitte? It pours.'));
    const reply = await (await parley.member.run('transcribe', { audio })).message(isDone);
    expect(textsOf(reply).join('\n')).toContain('may not be what was said');
    expect(filesOf(reply)).toHaveLength(1);
  });

  it('reports a recording that cannot be read, and transcribes the others', async () => {
    const message = await parley.member.send(['broken.wav', Buffer.from('no audio at all')], ['good.wav', novel]);
    const interaction = await parley.member.runOnMessage('Transcribe', message.id);
    const reply = await interaction.message((one) => isDone(one) && textOf(one).includes('good.wav'));
    expect(isEphemeral(reply)).toBe(false);
    expect(await interaction.sentence()).toContain('I can’t read `broken.wav` as audio');
  });

  it('transcribes a truncated recording up to its end', async () => {
    const audio = await parley.member.upload('cut.wav', novel.slice(0, novel.length * 0.92));
    const interaction = await parley.member.run('transcribe', { audio });
    const reply = await interaction.message(isDone);
    expect(textOf(reply)).toMatch(/^\*\*cut\.wav\*\*\n-# 0:00\nIt rains\.\n-# 0:03\nIt p\w*\n/);
  });

  it('names a language that the service does not know', async () => {
    const audio = await parley.member.upload('novel.wav', novel);
    const interaction = await parley.member.run('transcribe', { audio, language: 'fr' });
    expect(await interaction.sentence()).toContain('can’t transcribe **French**');
    await interaction.deleted();
  });

  it('keeps a private request private when it fails', async () => {
    const audio = await parley.member.upload('damaged.wav', silence.slice(0, 20));
    const interaction = await parley.member.run('transcribe', { audio, private: true });
    // On a busy machine, progress is shown before.
    const reply = await interaction.message((message) => textOf(message).includes('damaged, cut off or in an unusual format'));
    expect(isEphemeral(reply)).toBe(true);
    expect(interaction.messages()).toHaveLength(1);
  });

  it('says so when a message has no audio', async () => {
    const message = await parley.member.send(['notes.txt', Buffer.from('no audio')]);
    const interaction = await parley.member.runOnMessage('Transcribe', message.id);
    expect(await interaction.sentence()).toContain(en('transcription.noAudioInMessage'));
  });

  it('says so when nothing was said', async () => {
    const audio = await parley.member.upload('silence.wav', silence);
    const interaction = await parley.member.run('transcribe', { audio });
    const reply = await interaction.message(isDone);
    expect(textOf(reply)).toContain('I didn’t hear any speech');
  });

  it('answers in public only once it knows that there is something to transcribe', async () => {
    const { member, discord } = parley;
    const deleted: string[] = [];
    discord.onRestRequest(({ method, path }) => {
      if (method === 'DELETE') deleted.push(path);
    });
    const audio = member.upload('page.mp3', Buffer.from('<!doctype html>'));
    expect(await (await member.run('transcribe', { audio })).sentence()).toContain('as audio');
    const message = await member.send(['one.mp3', Buffer.from('no audio')], ['two.mp3', Buffer.from('none either')]);
    const interaction = await member.runOnMessage('Transcribe', message.id);
    for (const name of ['one.mp3', 'two.mp3'])
      await interaction.message((one) => isEphemeral(one) && textOf(one).includes(`I can’t read \`${name}\` as audio`));
    expect(deleted).toEqual([]);
  });

  it.each([
    ['no audio', 'page.mp3', Buffer.from('<!doctype html><p>Hello, I am a page'), 'I can’t read `page.mp3` as audio'],
    ['empty', 'empty.wav', new Uint8Array(), 'is empty'],
    ['damaged', 'damaged.wav', silence.slice(0, 20), 'damaged, cut off or in an unusual format'],
  ])('refuses a file that is %s', async (_, name, bytes, sentence) => {
    const audio = await parley.member.upload(name, bytes);
    const interaction = await parley.member.run('transcribe', { audio });
    expect(await interaction.sentence()).toContain(sentence);
    await expect.poll(() => interaction.messages().every(isEphemeral)).toBe(true);
  });

  it('refuses a file over the limit, and names the limit', async () => {
    const audio = await parley.member.upload('long.wav', Buffer.concat([silence, Buffer.alloc(21 * 1024 * 1024)]));
    const interaction = await parley.member.run('transcribe', { audio });
    expect(await interaction.sentence()).toContain('up to 20 MB');
    expect(interaction.messages()).toHaveLength(1);
  });

  it('begins in private if the file takes long to arrive, and replies in public once it has', async () => {
    const { promise: until, resolve: letGo } = Promise.withResolvers<void>();
    parley.discord.failRest(/^GET \/attachments\/.*slow\.wav/, { until });
    const interaction = await parley.member.run('transcribe', { audio: parley.member.upload('slow.wav', silence) });
    expect(isEphemeral(await interaction.message(isLoading))).toBe(true);
    letGo();
    expect(isEphemeral(await interaction.message(isDone))).toBe(false);
  });
});

describe('/transcribe, when the service takes its time or fails', () => {
  it('shows how much of the recording has been read', async () => {
    const { promise: mayRead, resolve: letRead } = Promise.withResolvers<void>();
    const behaviour = beforeTheBody(async (request, response) => {
      if (request.url === '/v1/asr') await mayRead;
      request.resume().on('end', () => answerJson(200, { text: '', duration: 0, segments: [], total: 0, items: [] })(request, response));
    });
    const service = await startMisbehavingService(behaviour);
    const parley = await startParley({ service: { url: service.url, key: 'key' } });
    try {
      const audio = parley.member.upload('large.wav', Buffer.concat([silence, Buffer.alloc(15 * 1024 * 1024)]));
      const interaction = await parley.member.run('transcribe', { audio });
      const stage = await interaction.message((message) => textOf(message).includes('Reading'));
      expect(textOf(stage)).toMatch(/^\*\*large\.wav\*\*\nReading: [\d.]+ MB of 15\.1 MB$/);
      letRead();
      await interaction.message(isDone);
    } finally {
      await parley.close();
      await service.close();
    }
  });

  it('says so when the credit is used up, and leaves no download open', async () => {
    const service = await startTestVoiceService({ credit: '0' });
    const parley = await startParley({ service });
    const transcribe = async (name: string, bytes: Uint8Array) => {
      const audio = await parley.member.upload(name, bytes);
      const interaction = await parley.member.run('transcribe', { audio });
      expect(await interaction.sentence()).toMatch(/used up/);
      await interaction.deleted();
    };
    const ends: Promise<unknown>[] = [];
    const noteDownload = (started: unknown) => {
      const { request, response } = started as { request: IncomingMessage; response: ServerResponse };
      if (request.url?.includes('large.wav')) ends.push(once(response, 'close'));
    };
    subscribe('http.server.request.start', noteDownload);
    try {
      await transcribe('novel.wav', novel);
      // From here on calls are refused before they are made. More than connections hold by themselves.
      await transcribe('large.wav', Buffer.concat([silence, Buffer.alloc(19 * 1024 * 1024)]));
      expect(ends).toHaveLength(1);
      await Promise.all(ends);
    } finally {
      unsubscribe('http.server.request.start', noteDownload);
      await parley.close();
      await service.close();
    }
  });

  it('says so when the recording is too large for the service', async () => {
    const service = await startMisbehavingService(answerJson(413, { status: 413, message: 'too large' }));
    const parley = await startParley({ service: { url: service.url, key: 'key' } });
    try {
      const interaction = await parley.member.run('transcribe', { audio: await parley.member.upload('long.wav', second) });
      expect(await interaction.sentence()).toContain('too large for the voice service');
      await interaction.deleted();
    } finally {
      await parley.close();
      await service.close();
    }
  });
});
