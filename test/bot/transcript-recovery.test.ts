// Refused languages are learned and replaced, and transcripts lead back to their message.

import { type APIMessage, ComponentType } from 'discord.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { en } from '../../src/locales/index.ts';
import { filesOf, isEphemeral, partsOf, textOf } from '../helpers/member.ts';
import { answerJson, type Behaviour } from '../helpers/misbehaving-service.ts';
import { silentWav } from '../helpers/speech.ts';
import { segmentsOf, useTranscribingParley } from './transcribing-parley.ts';

const sound = silentWav(2);

const { parley, service } = useTranscribingParley();
beforeEach(() => service.behave(answerJson(200, segmentsOf(2))));

const isDone = (message: APIMessage) => filesOf(message).length > 0;
const calls = () => service.requests.filter(({ url }) => url === '/v1/asr').length;
const refuse = (msg: string) => service.behave(answerJson(422, [{ loc: ['body', 'language'], type: 'literal_error', msg }]));
const languagesIn = (message: APIMessage) =>
  partsOf(message.components).flatMap((part) =>
    part.type === ComponentType.StringSelect ? part.options.flatMap(({ label, value }) => (/^[a-z]{2}$/.test(value) ? [label] : [])) : [],
  );

const languagesAsked = () =>
  service.requests
    .filter(({ url }) => url === '/v1/asr')
    .map(({ body }) => /name="language"\r\n\r\n(.*)\r\n/.exec(body.toString('latin1'))?.[1] ?? null);

/** As hosted services do: without naming what is wrong. */
const refuseWithHint: Behaviour = (request, response) => {
  const hasHint = languagesAsked().at(-1) !== null;
  answerJson(hasHint ? 400 : 200, hasHint ? { status: 400, message: 'Bad request' } : { ...segmentsOf(2), language_code: 'de' })(
    request,
    response,
  );
};

describe('a language that the service hears', () => {
  beforeEach(() => parley.restartBot());
  const run = async (language: string | null, answer: object) => {
    service.behave(answerJson(200, { ...segmentsOf(2), ...answer }));
    const audio = parley.member.upload('memo.wav', sound);
    return textOf(await (await parley.member.run('transcribe', { audio, ...(language && { language }) })).message(isDone));
  };

  it('is shown by its name, with a way out if it is another one than asked for', async () => {
    expect(await run(null, { language_code: 'de', language: 'German' })).toMatch(/· German$/);
    expect(await run('pt-BR', { language_code: 'pt' })).toMatch(/· Portuguese$/);
    expect(languagesAsked().at(-1)).toBe('pt');
    expect(await run('fr', { language: 'German' })).toMatch(/· German\n-# Heard as German\. Wrong language\? Choose another one below\.$/);
    expect(await run('fr', { language_code: 7, language: null })).toMatch(/· French$/);
    expect(await run('fr', { language: '**Elvish**' })).toContain('· \\*\\*Elvish\\*\\*\n-# Heard as \\*\\*Elvish');
  });

  it('without a code of two letters is left to the service', async () => {
    expect(await run('haw', {})).toMatch(/· Hawaiian$/);
    expect(languagesAsked().at(-1)).toBeNull();
  });

  it('if it refuses the hint without saying so, it is asked once more without it', async () => {
    service.behave(refuseWithHint);
    const audio = parley.member.upload('memo.wav', sound);
    const before = languagesAsked().length;
    const reply = await (await parley.member.run('transcribe', { audio, language: 'cy' })).message(isDone);
    expect(languagesAsked().slice(before)).toEqual(['cy', null]);
    expect(textOf(reply)).toContain('Heard as German.');
    // It is known now.
    const again = await parley.member.run('transcribe', { audio: parley.member.upload('memo.wav', sound), language: 'cy' });
    await again.message((message) => textOf(message).includes('can’t transcribe **Welsh**'));
  });

  it('a recording that is refused with and without a hint is what is wrong', async () => {
    service.behave(answerJson(400, { status: 400, message: 'no' }));
    const before = calls();
    const audio = parley.member.upload('memo.wav', sound);
    const interaction = await parley.member.run('transcribe', { audio, language: 'es' });
    expect(await interaction.sentence()).toContain('The voice service can’t read `memo.wav`');
    expect(calls() - before).toBe(2);
    expect(await parley.member.autocomplete('transcribe', 'language', 'spanish')).toHaveLength(1);
  });
});

describe('people in a recording', () => {
  it('are told apart by numbers, also after a restart', async () => {
    const text = '<|speaker:0|>Hello there. <|speaker:1|>Good morning.';
    service.behave(answerJson(200, { text, duration: 2, segments: [] }));
    const audio = parley.member.upload('memo.wav', sound);
    const reply = await (await parley.member.run('transcribe', { audio })).message(isDone);
    expect(textOf(reply)).toMatch(/\*\*Speaker 1\*\* Hello there\.\n.*\*\*Speaker 2\*\* Good morning\./s);
    await parley.restartBot();
    const [srt] = filesOf(await (await parley.member.select(reply, en('transcription.download'), 'srt')).message(isDone));
    expect(await (await fetch(srt?.url ?? '')).text()).toContain('Speaker 2: Good morning.');
  });
});

describe('a language that the service refuses', () => {
  beforeEach(() => parley.restartBot());

  it('is replaced by choosing another one, with the other options as they were', async () => {
    refuse('no');
    const audio = parley.member.upload('memo.wav', sound);
    const interaction = await parley.member.run('transcribe', { audio, language: 'th', timestamps: false, format: 'srt' });
    const question = await interaction.message((message) => textOf(message).includes('can’t transcribe **Thai**'));
    expect(isEphemeral(question)).toBe(true);
    expect(languagesIn(question)).toContain('German');
    expect(languagesIn(question)).not.toContain('Thai');
    service.behave(answerJson(200, segmentsOf(2)));
    const done = await (await parley.member.select(question, en('transcription.chooseLanguage'), 'German')).message(isDone);
    expect([isEphemeral(done), filesOf(done).map(({ name }) => name)]).toEqual([false, ['memo.srt', 'memo-transcript.json']]);
    expect(textOf(done)).toMatch(/^\*\*memo\.wav\*\*\nThis is sentence number 0\..*· German$/s);
  });

  it('is neither offered nor asked for again', async () => {
    const first = await (await parley.member.run('transcribe', { audio: parley.member.upload('memo.wav', sound) })).message(isDone);
    refuse('no');
    const menu = en('transcription.otherLanguage');
    await (await parley.member.select(first, menu, 'Thai')).sentence();
    const before = calls();
    const again = await parley.member.select(first, menu, 'Thai');
    expect(await again.sentence()).toContain('can’t transcribe **Thai**');
    expect(calls()).toBe(before);
    service.behave(answerJson(200, segmentsOf(2)));
    const next = await (await parley.member.run('transcribe', { audio: parley.member.upload('memo.wav', sound) })).message(isDone);
    expect(languagesIn(next)).not.toContain('Thai');
    expect(await parley.member.autocomplete('transcribe', 'language', 'thai')).toEqual([]);
  });

  it('leaves only those that the service names instead', async () => {
    refuse("Input should be 'en', 'de' or 'haw'");
    const interaction = await parley.member.run('transcribe', { audio: parley.member.upload('memo.wav', sound), language: 'fr' });
    const question = await interaction.message((message) => textOf(message).includes('**French**'));
    expect(languagesIn(question)).toEqual(['English', 'German']);
    expect((await parley.member.autocomplete('transcribe', 'language', '')).map(({ value }) => value)).toEqual(['en', 'de', 'haw']);
  });
});

it('a transcript made from a message leads back to it, on every page', async () => {
  service.behave(answerJson(200, segmentsOf(400)));
  const { id, channel_id } = await parley.member.sendVoiceMessage('voice-message.wav', sound);
  const link = `[Original message](https://discord.com/channels/${parley.discord.guildId}/${channel_id}/${id})`;
  const first = await (await parley.member.runOnMessage('Transcribe', id)).message(isDone);
  expect(textOf(first)).toContain(link);
  await parley.member.click(first, 'Next');
  const second = await parley.member.sees((message) => message.id === first.id && textOf(message).includes('Page 2 of'));
  expect(textOf(second)).toContain(link);
});
