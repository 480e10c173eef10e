// What members meet with a service like the hosted ones: refusals that say little, and credit that pays for some calls only.
import type { APIMessage } from 'discord.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createUsageCounter } from '../../src/charging/spending.ts';
import { en } from '../../src/locales/index.ts';
import { createSettings } from '../../src/store/settings.ts';
import { filesOf, statusOf, textOf } from '../helpers/member.ts';
import { answerAudio, answerToFree, startMisbehavingService } from '../helpers/misbehaving-service.ts';
import { openingOf } from '../helpers/openings.ts';
import { startParley, useParley } from '../helpers/parley.ts';
import { silentWav } from '../helpers/speech.ts';
import { recordTones } from '../helpers/tones.ts';
import { startTestVoiceService } from '../helpers/voice-service.ts';

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
