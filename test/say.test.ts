// /say: heard end to end through the encrypted channel, and a sentence for each way it can fail.
import { readFileSync } from 'node:fs';
import { type APIVoiceState, GatewayIntentBits, PermissionFlagsBits as P } from 'discord.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createOggMuxer } from '../src/audio/ogg.ts';
import { isEphemeral, shown } from './helpers/member.ts';
import {
  answer,
  answerAudio,
  answerJson,
  type Behaviour,
  cut,
  hang,
  type MisbehavingService,
  startMisbehavingService,
} from './helpers/misbehaving-service.ts';
import { type Parley, startParley } from './helpers/parley.ts';
import { startTestVoiceService, type TestVoiceService } from './helpers/voice-service.ts';

let service: TestVoiceService;

beforeAll(async () => {
  service = await startTestVoiceService();
});

afterAll(() => service.close());

describe('/say', () => {
  let parley: Parley;

  beforeAll(async () => {
    parley = await startParley({ service });
  });

  afterAll(() => parley.close());

  it('is heard, encrypted end to end, and what is heard has the words', async () => {
    const { member, api } = parley;
    const ear = await member.listen();
    const asked = await member.run('say', { text: 'The weather is nice today.', voice: 'clara' });
    const reply = await asked.message((message) => shown(message).includes('Spoken:'));
    expect(isEphemeral(reply)).toBe(false);
    expect(shown(reply)).toContain('The weather is nice today.');
    expect(shown(reply)).toContain('Clara');

    const muxer = createOggMuxer({ sampleRate: 48_000, channels: 1, preSkip: 312, serial: 1 });
    const pages = ear.frames().map((frame) => muxer.packet(frame, 960, false));
    const { text } = await api.transcribe({
      audio: Buffer.concat([muxer.head(), ...pages]),
      filename: 'heard.ogg',
      contentType: 'audio/ogg',
    });
    expect(text.toLowerCase()).toMatch(/weather is nice today/);
    expect(ear.stats()).toMatchObject({ plaintext: 0, undecryptable: 0 });
    expect(ear.stats().decrypted).toBeGreaterThan(30);
    expect(service.key && shown(reply)).not.toContain(service.key);
  });

  it('plays one after the other, and says how many come before', async () => {
    const { member } = parley;
    await member.listen();
    const first = await member.run('say', { text: 'The first one to be said here.' });
    await first.message((message) => shown(message).includes('Speaking now'));
    const second = await member.run('say', { text: 'And the second one.' });
    await second.message((message) => shown(message).includes('one before it'));
    await first.message((message) => shown(message).includes('Spoken:'));
    await second.message((message) => shown(message).includes('Spoken:'));
  });

  it('answers with a file where one is wanted, without a voice channel', async () => {
    const { member } = parley;
    await member.leaveVoice();
    const asked = await member.run('say', { text: 'Hello, file!', as_file: true });
    const reply = await asked.message((message) => message.attachments.length > 0);
    expect(reply.attachments[0]?.filename).toBe('hello-file.mp3');
    const bytes = new Uint8Array(await (await fetch(reply.attachments[0]?.url ?? '')).arrayBuffer());
    expect(bytes.length).toBeGreaterThan(2000);
  });

  it('offers the titles of voices while the member types', async () => {
    const { member } = parley;
    await expect.poll(async () => (await member.autocomplete('say', 'voice', '')).length).toBe(25);
    const choices = await member.autocomplete('say', 'voice', 'robert, n');
    expect(choices.map(({ name, value }) => [name, value])).toEqual([
      ['Robert, narrator', 'robert-narrator'],
      ['Robert, newsreader', 'robert-newsreader'],
    ]);
  });

  it.each([
    ['nothing but blanks', '   ', 'There is no text to speak'],
    ['nothing that has a sound', '!!! … ???', 'nothing in this text that can be spoken'],
    ['too much', 'word '.repeat(500), 'I speak 2000 at most'],
  ])('does not speak %s', async (_, text, sentence) => {
    await parley.member.listen();
    const asked = await parley.member.run('say', { text });
    expect(await asked.sentence()).toContain(sentence);
    expect(asked.messages()).toHaveLength(1);
  });

  it('says so when the member is in no voice channel', async () => {
    await parley.member.leaveVoice();
    const asked = await parley.member.run('say', { text: 'Hello' });
    expect(await asked.sentence()).toContain('You are not in a voice channel');
    expect(asked.messages()).toHaveLength(1);
  });

  it.each([
    ['Stage', 'is a stage channel'],
    ['Listen only', 'I need **Speak** in'],
    ['No bots', 'I need **Connect** in'],
    ['Booth for one', 'is full'],
  ])('says so, at once and in private, when it cannot speak in %s', async (name, sentence) => {
    const { member, discord } = parley;
    await member.listen(discord.channelId(name));
    const asked = await member.run('say', { text: 'Hello' });
    expect(await asked.sentence()).toContain(sentence);
    expect(asked.messages()).toHaveLength(1);
  });

  it('names every permission that it lacks', async () => {
    const { member, discord } = parley;
    const workshop = discord.channelId('Workshop');
    await member.listen(workshop);
    discord.setPermissions(workshop, discord.application.id, { deny: P.ViewChannel | P.Connect | P.Speak });
    const asked = await member.run('say', { text: 'Hello' });
    expect(await asked.sentence()).toContain('I need **View Channel** and **Connect** and **Speak** in');
    discord.setPermissions(workshop, discord.application.id, {});
  });

  it('goes into a full channel where it may move members, as Discord has it', async () => {
    const { member, discord } = parley;
    const booth = discord.channelId('Booth for one');
    const ear = await member.listen(booth);
    discord.setPermissions(booth, discord.application.id, { allow: P.MoveMembers });
    const asked = await member.run('say', { text: 'There is room for me.' });
    await asked.message((message) => shown(message).includes('Spoken:'));
    expect(ear.stats().decrypted).toBeGreaterThan(10);
    discord.setPermissions(booth, discord.application.id, {});
  });

  it('speaks nowhere that the member may not go', async () => {
    const { other, discord } = parley;
    const workshop = discord.channelId('Workshop');
    discord.setPermissions(workshop, other.client.userId, { deny: P.Connect });
    const asked = await other.run('say', { text: 'Hello', channel: workshop });
    expect(await asked.sentence()).toContain('You may not join');
    expect(asked.messages()).toHaveLength(1);
    discord.setPermissions(workshop, other.client.userId, {});
  });

  it('speaks in the channel that is named, where the member may go there too', async () => {
    const { member, other, discord } = parley;
    const workshop = discord.channelId('Workshop');
    await member.leaveVoice();
    const ear = await other.listen(workshop);
    const asked = await member.run('say', { text: 'Hello, workshop.', channel: workshop });
    await asked.message((message) => shown(message).includes('Spoken:'));
    expect(ear.stats().decrypted).toBeGreaterThan(10);
    await other.leaveVoice();
  });

  it('says so when a moderator has muted it', async () => {
    const { member, discord } = parley;
    const { world, application, guildId } = discord;
    await member.listen();
    const before = await member.run('say', { text: 'You can hear me.' });
    await before.message((message) => shown(message).includes('Spoken:'));
    const mute = (isMuted: boolean) => {
      const state = { ...world.guild.voiceStates.get(application.id), mute: isMuted, guild_id: guildId } as APIVoiceState;
      world.guild.voiceStates.set(application.id, state);
      world.tell({ t: 'VOICE_STATE_UPDATE', d: state, intent: GatewayIntentBits.GuildVoiceStates });
    };
    mute(true);
    const asked = await member.run('say', { text: 'And now?' });
    expect(await asked.sentence()).toContain('A moderator has muted me');
    expect(asked.messages()).toHaveLength(1);
    mute(false);
  });

  it('does not leave a channel in the middle of a speech', async () => {
    const { member, other, discord } = parley;
    await member.listen();
    await other.listen(discord.channelId('Workshop'));
    const first = await member.run('say', { text: 'One two three four five six seven eight nine ten.' });
    await first.message((message) => shown(message).includes('Speaking now'));
    const asked = await other.run('say', { text: 'Here, please.' });
    expect(await asked.sentence()).toContain('I am speaking in another channel');
    expect(asked.messages()).toHaveLength(1);
    await first.message((message) => shown(message).includes('Spoken:'));
    await other.leaveVoice();
  });

  it('says so when the voice does not exist, and takes its public answer back', async () => {
    await parley.member.listen();
    const asked = await parley.member.run('say', { text: 'Hello', voice: 'no-such-voice' });
    expect(await asked.sentence()).toContain('The voice service has no voice `no-such-voice`');
    await asked.deleted();
    expect(asked.messages().every(isEphemeral)).toBe(true);
  });

  it('goes on with what is queued behind a failure', async () => {
    await parley.member.listen();
    const [broken, whole] = [
      await parley.member.run('say', { text: 'Hello', voice: 'no-such-voice' }),
      await parley.member.run('say', { text: 'I am still here.' }),
    ];
    await broken.sentence();
    await whole.message((message) => shown(message).includes('Spoken:'));
  });
});

describe('/say and time', () => {
  let parley: Parley;
  let slow: MisbehavingService;

  afterEach(async () => {
    await parley.close();
    await slow.close();
  });

  /** No voices, and this for every text. */
  const speechOnly =
    (behaviour: Behaviour): Behaviour =>
    (request, response) =>
      (request.url === '/v1/tts' ? behaviour : answerJson(200, { total: 0, items: [] }))(request, response);

  it('is heard before the service has made all of it', async () => {
    const road = readFileSync(new URL('fixtures/speech/road.mp3', import.meta.url));
    const half = road.length / 2;
    const rest = Promise.withResolvers<void>();
    slow = await startMisbehavingService(
      speechOnly((_, response) => {
        response.writeHead(200, { 'content-type': 'audio/mpeg' });
        response.write(road.subarray(0, half));
        void rest.promise.then(() => response.end(road.subarray(half)));
      }),
    );
    parley = await startParley({ service: { url: slow.url, key: 'key' } });
    const ear = await parley.member.listen();
    const asked = await parley.member.run('say', { text: 'On the road' });
    await asked.message((message) => shown(message).includes('Speaking now'));
    await expect.poll(() => ear.stats().decrypted, { timeout: 20_000 }).toBeGreaterThan(0);
    rest.resolve();
    await asked.message((message) => shown(message).includes('Spoken:'));
  });

  it('asks for the speech and joins while nothing has answered yet', async () => {
    slow = await startMisbehavingService(speechOnly(hang));
    parley = await startParley({ service: { url: slow.url, key: 'key' }, timeouts: { headers: 1000 }, retries: { attempts: 1 } });
    const { member, discord } = parley;
    await member.listen();
    discord.voice.faults.withholdDave = true;
    discord.rest.rest.push({ match: /POST .*\/callback/, times: 1, how: 'hang' });
    const joined = member.client.next('VOICE_STATE_UPDATE', ({ user_id }) => user_id === discord.application.id);
    await member.run('say', { text: 'Hello' });
    await joined;
    await expect.poll(() => slow.requests.some(({ url }) => url === '/v1/tts')).toBe(true);
  });

  it('says so when the service does not answer in time', async () => {
    slow = await startMisbehavingService(speechOnly(hang));
    parley = await startParley({ service: { url: slow.url, key: 'key' }, timeouts: { headers: 200 }, retries: { attempts: 1 } });
    await parley.member.listen();
    const asked = await parley.member.run('say', { text: 'Hello' });
    expect(await asked.sentence()).toContain('did not answer in time');
    await asked.deleted();
  });

  it('says so when the channel does not become encrypted, and nothing was sent', async () => {
    slow = await startMisbehavingService(speechOnly(answer(200, readFileSync(new URL('fixtures/speech/road.mp3', import.meta.url)))));
    parley = await startParley({ service: { url: slow.url, key: 'key' }, voice: { establishMs: 1500 } });
    const { member, discord } = parley;
    discord.voice.faults.withholdDave = true;
    const ear = await member.listen();
    const asked = await member.run('say', { text: 'Hello' });
    expect(await asked.sentence()).toContain('end-to-end encryption of the voice channel was not established');
    await asked.deleted();
    expect(ear.stats()).toMatchObject({ plaintext: 0, decrypted: 0 });
  });

  it('does not send a file that Discord would refuse', async () => {
    slow = await startMisbehavingService(speechOnly(answerAudio(11 * 1024 * 1024)));
    parley = await startParley({ service: { url: slow.url, key: 'key' } });
    const asked = await parley.member.run('say', { text: 'A long story', as_file: true });
    expect(await asked.sentence()).toContain('larger than the 10 MB that Discord takes here');
    await asked.deleted();
  });
});

describe('/say, when the account is no good', () => {
  it.each([
    ['a key that the service does not know', { key: 'pk_wrong' }, {}, 'refuses my key (401)'],
    ['no credit', {}, { credit: '0' }, 'used up (402)'],
  ])('with %s at the real service, says so', async (_, overwritten, options, sentence) => {
    const other = await startTestVoiceService(options);
    const parley = await startParley({ service: { ...other, ...overwritten } });
    try {
      await parley.member.listen();
      const asked = await parley.member.run('say', { text: 'Hello' });
      expect(await asked.sentence()).toContain(sentence);
      await asked.deleted();
    } finally {
      await parley.close();
      await other.close();
    }
  });
});

describe('/say, when it is put out', () => {
  it('says that it was broken off, why, and what was waiting is told too', async () => {
    const parley = await startParley({ service });
    try {
      const { member, discord } = parley;
      await member.listen();
      const current = await member.run('say', { text: 'One two three four five six seven eight nine ten eleven twelve.' });
      await current.message((message) => shown(message).includes('Speaking now'));
      const waiting = await member.run('say', { text: 'I am next.' });
      await waiting.message((message) => shown(message).includes('one before it'));
      discord.moveUser(discord.application.id, null);
      await current.message((message) => shown(message).includes('Broken off after'));
      expect(await current.sentence()).toContain('I was disconnected from the voice channel');
      expect(await waiting.sentence()).toContain('I was disconnected from the voice channel');
      await waiting.deleted();
      const again = await member.run('say', { text: 'Here I am again.' });
      await again.message((message) => shown(message).includes('Spoken:'));
    } finally {
      await parley.close();
    }
  });
});

describe('/say, when the service fails', () => {
  let parley: Parley;
  let broken: MisbehavingService;

  afterEach(async () => {
    await parley.close();
    await broken.close();
  });

  it.each([
    [401, {}, 'refuses my key (401)'],
    [402, {}, 'used up (402)'],
    [422, {}, 'does not accept this (422)'],
    [429, { 'retry-after': '40' }, /too much to do for me \(429\)\. Try again <t:\d+:R>/],
    [500, {}, 'a problem of its own (500)'],
    [503, {}, 'a problem of its own (503)'],
  ] as const)('with %i, the member alone is told, and the public answer is taken back', async (status, headers, sentence) => {
    const body = status === 422 ? [{ loc: ['body', 'format'], type: 'enum', msg: 'is wrong' }] : { status, message: 'no' };
    broken = await startMisbehavingService(answerJson(status, body, headers));
    parley = await startParley({ service: { url: broken.url, key: 'key' }, retries: { attempts: 1 } });
    await parley.member.listen();
    const asked = await parley.member.run('say', { text: 'Hello there' });
    expect(await asked.sentence()).toMatch(sentence);
    await asked.deleted();
    expect(asked.messages()).toHaveLength(1);
    expect(asked.messages().every(isEphemeral)).toBe(true);
  });

  it.each([
    ['JSON in place of sound', answerJson(200, { ok: true }), 'an answer that I cannot use'],
    ['nothing', cut(0), /cannot be reached|cannot use|broke off/],
  ] as const)('with %s, it is not said to be spoken', async (_, behaviour, sentence) => {
    broken = await startMisbehavingService(behaviour);
    parley = await startParley({ service: { url: broken.url, key: 'key' }, retries: { attempts: 1 } });
    await parley.member.listen();
    const asked = await parley.member.run('say', { text: 'Hello there' });
    expect(await asked.sentence()).toMatch(sentence);
    await asked.deleted();
  });
});
