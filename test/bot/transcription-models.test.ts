// Which model a recording is sent to, and what becomes of one that is too long for it: it is cut, and its parts become one transcript.
import { readFileSync } from 'node:fs';
import type { APIMessage } from 'discord.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { memberBudgetKey } from '../../src/charging/index.ts';
import { filesOf, textOf } from '../helpers/member.ts';
import { answerJson, type Behaviour } from '../helpers/misbehaving-service.ts';
import { useParley } from '../helpers/parley.ts';
import { RATE, silentWav, toSamples, wavOf } from '../helpers/speech.ts';
import { hearTones, recordTones } from '../helpers/tones.ts';
import { segmentsOf, useTranscribingParley } from './transcribing-parley.ts';

const road = readFileSync(new URL('../fixtures/speech/road.mp3', import.meta.url));

const isDone = (message: APIMessage) => filesOf(message).length > 0;

const sentences = ['It rains.', 'It pours.', 'It snows.'];

/** @param seconds without a sound after each sentence */
function recordingOf(said: readonly string[], seconds: number): Uint8Array {
  const pause = new Int16Array(seconds * RATE);
  return wavOf(Int16Array.from(said.flatMap((text) => [...toSamples(recordTones(text).subarray(44)), ...pause])), RATE);
}

const long = recordingOf(sentences, 49);

/** The recording in a form. */
function soundOf(body: Buffer): Int16Array {
  const at = body.indexOf('RIFF');
  return toSamples(new Uint8Array(body.subarray(at + 44, at + 8 + body.readUInt32LE(at + 4))));
}

describe('a recording', () => {
  const { parley, service } = useTranscribingParley();
  const modelsAsked = () => service.requests.filter(({ url }) => url === '/v1/asr').map(({ headers }) => headers.model ?? null);
  const transcribe = async (name: string, bytes: Uint8Array) => {
    const before = modelsAsked().length;
    const interaction = await parley.member.run('transcribe', { audio: parley.member.upload(name, bytes) });
    await interaction.message(isDone);
    return modelsAsked().slice(before);
  };
  beforeEach(() => service.behave(answerJson(200, segmentsOf(2))));

  it('goes to the model for its length and format', async () => {
    expect(await transcribe('memo.wav', silentWav(2))).toEqual(['transcribe-1']);
    expect(await transcribe('long.wav', silentWav(90))).toEqual(['transcribe-1-pro']);
    expect(await transcribe('clip.webm', silentWav(2))).toEqual(['transcribe-1-pro']);
  });

  it('that the model for short ones fails at goes to the other', async () => {
    service.behave((request, response) => {
      const isShort = request.headers.model === 'transcribe-1';
      answerJson(isShort ? 503 : 200, isShort ? { status: 503, message: 'upstream ASR service timed out' } : segmentsOf(2))(
        request,
        response,
      );
    });
    expect(await transcribe('road.mp3', road)).toEqual(['transcribe-1', 'transcribe-1-pro']);
  });

  it('without speech in it goes nowhere else, because the model for short ones fails at silence, too', async () => {
    service.behave(answerJson(503, { status: 503, message: 'upstream ASR service timed out' }));
    expect(await transcribe('memo.wav', silentWav(2))).toEqual(['transcribe-1']);
  });

  it('goes to a service that knows no models without one', async () => {
    service.behave((request, response) => {
      const isNamed = request.headers.model !== undefined;
      answerJson(isNamed ? 400 : 200, isNamed ? { status: 400, message: 'Unknown model' } : segmentsOf(2))(request, response);
    });
    expect(await transcribe('memo.wav', silentWav(2))).toEqual(['transcribe-1', null]);
  });
});

describe('a recording at a service like the hosted ones', () => {
  const parley = useParley({ like: 'hosted' });

  it.each([
    ['short', sentences.slice(0, 2), 1],
    ['long', sentences, 49],
  ])('becomes sentences in every kind of file: a %s one', async (name, said, seconds) => {
    const audio = await parley.member.upload(`${name}.wav`, recordingOf(said, seconds));
    const reply = await (await parley.member.run('transcribe', { audio, format: 'srt', language: 'de' })).message(isDone);
    for (const sentence of said) expect(textOf(reply)).toContain(sentence);
    expect(textOf(reply)).toMatch(/English\n-# Heard as English\. Wrong language\?/);
    const read = async (ending: string) => (await fetch(filesOf(reply).find((file) => file.name.endsWith(ending))?.url ?? '')).text();
    const cues = (await read('.srt')).trim().split('\n\n');
    expect(cues.map((cue) => cue.split('\n').slice(2).join(' '))).toEqual(said);
    const { segments } = JSON.parse(await read('.json'));
    expect(segments.map(({ text }: { text: string }) => text)).toEqual(said);
    expect(segments[0].words).toHaveLength(2);
  });
});

describe('a recording that is too long for the model that is set', () => {
  const { parley, service } = useTranscribingParley({ transcriptionModel: 'transcribe-1' });
  /** The sound of each call. */
  let sent: Int16Array[] = [];
  const calls = () => service.requests.filter(({ url }) => url === '/v1/asr').length;

  /** Takes no more than a minute of sound. @param failsAt the numbers of the parts that it fails at */
  const hear =
    (failsAt: number[] = []): Behaviour =>
    (request, response) => {
      // The balance and the titles are asked for in between.
      if (request.url !== '/v1/asr') return answerJson(404, { status: 404, message: 'not found' })(request, response);
      const sound = soundOf(service.requests.findLast(({ url }) => url === '/v1/asr')?.body ?? Buffer.alloc(0));
      sent.push(sound);
      if (sound.length > 60 * RATE) return answerJson(413, { status: 413, message: 'too large' })(request, response);
      if (failsAt.includes(sent.length - 1))
        return answerJson(503, { status: 503, message: 'upstream ASR service timed out' })(request, response);
      const segments = [...hearTones(sound)];
      answerJson(200, { text: segments.map(({ text }) => text).join(' '), duration: sound.length / RATE, segments })(request, response);
    };
  beforeEach(() => {
    sent = [];
  });

  it('is cut in pauses, and its parts become one transcript with the times of the recording', async () => {
    service.behave(hear());
    const interaction = await parley.member.run('transcribe', { audio: parley.member.upload('long.wav', long), format: 'srt' });
    const reply = await interaction.message(isDone);
    expect(textOf(reply)).toMatch(/-# 0:00\nIt rains\.\n-# 0:49\nIt pours\.\n-# 1:39\nIt snows\.\n/);
    // Whole, then part by part; what was answered isn't sent again.
    const [whole, ...parts] = sent;
    expect(whole?.length).toBeGreaterThan(130 * RATE);
    expect(parts.length).toBeGreaterThan(1);
    for (const part of parts) expect(part.length).toBeLessThanOrEqual(50 * RATE);
    const subtitles = filesOf(reply).find(({ name }) => name.endsWith('.srt'));
    expect(await (await fetch(subtitles?.url ?? '')).text()).toMatch(/00:00:49,\d+ --> 00:00:50,\d+\nIt pours\./);
    const day = Math.floor(Date.now() / (24 * 3600_000));
    const spent = Number(await parley.store.get(memberBudgetKey(day, 'transcription', parley.member.client.userId)));
    expect(spent).toBeLessThan(160);
    expect(spent).toBeGreaterThan(100);
  });

  it('is billed for each of its parts, in whole seconds', async () => {
    service.behave(hear());
    const day = Math.floor(Date.now() / (24 * 3600_000));
    const billed = async () => Number(await parley.store.get(`use:${day}:${parley.discord.guildId}:billedSeconds`));
    const before = await billed();
    const recording = recordingOf([...sentences, ...sentences, 'It hails.'], 49);
    const interaction = await parley.member.run('transcribe', { audio: parley.member.upload('longer.wav', recording) });
    await interaction.message(isDone);
    const seconds = sent.slice(1).map((part) => part.length / RATE);
    const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
    expect(sum(seconds.map(Math.ceil))).toBeGreaterThan(Math.ceil(sum(seconds)));
    await expect.poll(async () => (await billed()) - before).toBe(sum(seconds.map(Math.ceil)));
  });

  it('loses none of the words that were paid for if the service fails at a part', async () => {
    service.behave(hear([2, 3, 4]));
    const interaction = await parley.member.run('transcribe', { audio: parley.member.upload('long.wav', long) });
    expect(textOf(await interaction.message(isDone))).toMatch(/It rains\.\n.*\[…\] It snows\./s);
  });

  it('is transcribed from its second part on if the service fails at the first', async () => {
    service.behave(hear([1, 2, 3]));
    const interaction = await parley.member.run('transcribe', { audio: parley.member.upload('long.wav', long) });
    expect(textOf(await interaction.message(isDone))).toMatch(/\[…\].*It pours\..*It snows\./s);
  });

  it('is refused as too long if it can’t be read, and nothing is left of it', async () => {
    service.behave(answerJson(413, { status: 413, message: 'too large' }));
    const before = calls();
    const interaction = await parley.member.run('transcribe', { audio: parley.member.upload('long.wav', long) });
    expect(await interaction.sentence()).toContain('too large for the voice service');
    expect(calls() - before).toBe(2);
  });
});
