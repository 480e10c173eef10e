// What members meet with a service like the hosted ones: refusals that say little, and credit that pays for some calls only.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { APIMessage } from 'discord.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createUsageCounter } from '../../src/charging/spending.ts';
import type { Engines } from '../../src/local/voice-service/engines/index.ts';
import { en } from '../../src/locales/index.ts';
import { createSettings } from '../../src/store/settings.ts';
import { createMember, filesOf, type Member, type MemberInteraction, statusOf, textOf } from '../helpers/member.ts';
import { answerAudio, answerToFree, startMisbehavingService } from '../helpers/misbehaving-service.ts';
import { openingOf } from '../helpers/openings.ts';
import { startParley, useParley } from '../helpers/parley.ts';
import { silentWav } from '../helpers/speech.ts';
import { recordTones } from '../helpers/tones.ts';
import { startTestVoiceService, toneEngines } from '../helpers/voice-service.ts';

const isSpoken = (message: APIMessage) => textOf(message).includes(openingOf('say.spoken'));

describe('a voice that the service doesn’t have', () => {
  const parley = useParley({ like: 'hosted' });

  it.each(['Who?', 'Who is there? It is me. Open the door, please.'])('is replaced, which its member is told: %j', async (text) => {
    const { member, discord, store } = parley;
    const settings = createSettings(store);
    await settings.changeGuild(discord.guildId, (guild) => ({ ...guild, voice: { id: 'clara', title: 'Clara' } }));
    await settings.changeMember(member.client.userId, (one) => ({ ...one, voice: { id: 'deleted-voice', title: 'Dora' } }));
    await member.listen();
    const interaction = await member.run('say', { text });
    expect(statusOf(await interaction.message(isSpoken))).toMatch(/^Clara · /);
    expect(await interaction.sentence()).toContain('I can’t use the voice `Dora` here, so I used `Clara`.');
  });

  it('is named as it was typed', async () => {
    const interaction = await parley.member.run('say', { text: 'Hello there', voice: 'nobody' });
    expect(await interaction.sentence()).toContain('can’t find a voice called `nobody`');
  });

  it('isn’t to blame for another refusal', async () => {
    const interaction = await parley.member.run('say', { text: 'ᚠᚢᚦᚨᚱᚲ', voice: 'clara' });
    expect(await interaction.sentence()).toContain(en('errors.refused'));
  });
});

describe('a link to a voice', () => {
  const parley = useParley({ like: 'hosted' });

  it.each(['https://voices.example/m/clara', 'https://voices.example/en/m/clara/?from=share#top'])(
    'is taken for its id: %s',
    async (voice) => {
      const interaction = await parley.member.run('say', { text: 'Hello there', voice, send_as: 'file' });
      expect(textOf(await interaction.message((message) => filesOf(message).length > 0))).toContain('-# Clara · ');
    },
  );
});

describe('silence', () => {
  const parley = useParley({ like: 'hosted' });

  it('at which the service fails has no words and costs nothing, however often, and speech goes on', async () => {
    const { member } = parley;
    await member.listen();
    const transcribe = async (name: string) => {
      const interaction = await member.run('transcribe', { audio: await member.upload(name, silentWav(2)) });
      await interaction.message((message) => textOf(message).includes(en('transcription.noSpeech')));
    };
    for (let number = 1; number <= 6; number++) await transcribe(`silence-${number}.wav`);
    await (await member.run('say', { text: 'Still here.' })).message(isSpoken);
    const { characters, seconds } = await createUsageCounter(parley.store).total(parley.discord.guildId, 1);
    expect([characters, seconds]).toEqual(['Still here.'.length, 0]);
  });
});

it('the number of calls that the service allows counts at once, after a restart, too: captions need two', async () => {
  let calls = 1;
  const service = await startMisbehavingService((request, response) => {
    response.setHeader('ratelimit-limit-concurrency', calls);
    (answerToFree(request.url) ?? answerAudio())(request, response);
  });
  const parley = await startParley({ service: { url: service.url, key: 'key' } });
  onTestFinished(async () => {
    await parley.close();
    await service.close();
  });
  const { member, api } = parley;
  await member.listen();
  const start = async () => (await member.run('captions start')).sentence();
  await expect.poll(start).toContain(en('captions.noSpareCalls'));
  await parley.restartBot();
  expect(await start()).toContain(en('captions.noSpareCalls'));
  calls = 5;
  await api.listModels();
  const started = await member.run('captions start');
  await started.message((message) => textOf(message) !== '');
  expect(started.messages().map(textOf).join()).not.toContain(en('captions.noSpareCalls'));
});

describe('a service that takes five calls at a time', () => {
  const MEMBERS = 12;
  let released = Promise.withResolvers<void>();
  const engines = toneEngines();
  const held: Engines = {
    ...engines,
    async *speak(request) {
      await released.promise;
      yield* engines.speak(request);
    },
    transcribe: (request) => released.promise.then(() => engines.transcribe(request)),
  };
  const parley = useParley({ like: 'hosted', credit: '50', engines: held }, { discord: { members: MEMBERS } });

  /** Has each member run a command before the service has answered any of them. Returns the statuses of all its answers on this path. */
  async function together(
    path: string,
    run: (member: Member, number: number) => Promise<MemberInteraction>,
    isDone: (message: APIMessage, number: number) => boolean,
  ): Promise<number[]> {
    const { discord } = parley;
    const statuses: number[] = [];
    const onAnswer = (message: unknown) => {
      const { request, response } = message as { request: IncomingMessage; response: ServerResponse };
      if (request.url === path) statuses.push(response.statusCode);
    };
    subscribe('http.server.response.finish', onAnswer);
    onTestFinished(() => void unsubscribe('http.server.response.finish', onAnswer));
    released = Promise.withResolvers();
    const members = [...discord.world.users.values()]
      .filter(({ bot }) => !bot)
      .map(({ username }) => createMember(discord.member(username), discord.channelId('general'), ''));
    const interactions = await Promise.all(members.map(run));
    await Promise.all(interactions.map((interaction) => interaction.answered()));
    released.resolve();
    await Promise.all(interactions.map((interaction, number) => interaction.message((message) => isDone(message, number))));
    await expect.poll(() => statuses.length).toBeGreaterThanOrEqual(MEMBERS);
    return statuses;
  }
  const allTaken = Array.from({ length: MEMBERS }, () => 200);

  it('makes a file for each of twelve members without having to refuse one', async () => {
    const sayAsFile = (member: Member, number: number) => member.run('say', { text: `This is file number ${number}.`, send_as: 'file' });
    expect(await together('/v1/tts', sayAsFile, (message) => filesOf(message).length > 0)).toEqual(allTaken);
  });

  it('transcribes a recording for each of twelve members without having to refuse one', async () => {
    const words = (number: number) => `This is recording number ${number}.`;
    const transcribe = (member: Member, number: number) =>
      member.run('transcribe', { audio: member.upload('words.wav', recordTones(words(number))) });
    const isTranscribed = (message: APIMessage, number: number) => textOf(message).includes(words(number));
    expect(await together('/v1/asr', transcribe, isTranscribed)).toEqual(allTaken);
  });
});

it('without credit, the free model speaks on while recordings are refused', async () => {
  const service = await startTestVoiceService({ like: 'hosted', credit: '0' });
  const parley = await startParley({ service, model: 's2.1-pro-free' });
  onTestFinished(async () => {
    await parley.close();
    await service.close();
  });
  const { member } = parley;
  await member.listen();
  const transcribe = async () => member.run('transcribe', { audio: await member.upload('words.wav', recordTones('Good morning.')) });
  expect(await (await transcribe()).sentence()).toContain(en('errors.api.credit'));
  await (await member.run('say', { text: 'Still here.' })).message(isSpoken);
  const file = await member.run('say', { text: 'As a file.', send_as: 'file' });
  await file.message((message) => filesOf(message).length > 0);
  expect(await (await transcribe()).sentence()).toContain(en('errors.api.credit'));
});
