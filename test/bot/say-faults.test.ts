// /say faults: slow and failing services, unusable accounts, channels that do not become encrypted, and kicks.
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { isEphemeral, textOf } from '../helpers/member.ts';
import {
  answer,
  answerAudio,
  answerJson,
  type Behaviour,
  cut,
  hang,
  type MisbehavingService,
  startMisbehavingService,
} from '../helpers/misbehaving-service.ts';
import { type Parley, startParley, useParley } from '../helpers/parley.ts';
import { startTestVoiceService, type TestVoiceService } from '../helpers/voice-service.ts';

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

  it('is heard before the service has sent all of it', async () => {
    const road = readFileSync(new URL('../fixtures/speech/road.mp3', import.meta.url));
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
    const receiver = await parley.member.listen();
    const interaction = await parley.member.run('say', { text: 'On the road' });
    await interaction.message((message) => textOf(message).includes('Speaking now'));
    await expect.poll(() => receiver.stats().decrypted).toBeGreaterThan(0);
    rest.resolve();
    await interaction.message((message) => textOf(message).includes('Spoken in'));
  });

  it('requests the speech and joins while nothing has answered yet', async () => {
    slow = await startMisbehavingService(speechOnly(hang));
    parley = await startParley({ service: { url: slow.url, key: 'key' }, timeouts: { headers: 1000 }, retries: { attempts: 1 } });
    const { member, discord } = parley;
    await member.listen();
    discord.voice.faults.withholdDave = true;
    discord.restFaults.push({ match: /POST .*\/callback/, times: 1, how: 'hang' });
    const joined = member.client.next('VOICE_STATE_UPDATE', ({ user_id }) => user_id === discord.application.id);
    await member.run('say', { text: 'Hello' });
    await joined;
    await expect.poll(() => slow.requests.some(({ url }) => url === '/v1/tts')).toBe(true);
  });

  it('says so when the service does not answer in time', async () => {
    slow = await startMisbehavingService(speechOnly(hang));
    parley = await startParley({ service: { url: slow.url, key: 'key' }, timeouts: { headers: 200 }, retries: { attempts: 1 } });
    await parley.member.listen();
    const interaction = await parley.member.run('say', { text: 'Hello' });
    expect(await interaction.sentence()).toContain('took too long to answer');
    await interaction.deleted();
  });

  it('says so when the channel does not become encrypted, and nothing was sent', async () => {
    slow = await startMisbehavingService(speechOnly(answer(200, readFileSync(new URL('../fixtures/speech/road.mp3', import.meta.url)))));
    parley = await startParley({ service: { url: slow.url, key: 'key' }, voice: { establishMs: 1500 } });
    const { member, discord } = parley;
    discord.voice.faults.withholdDave = true;
    const receiver = await member.listen();
    const interaction = await member.run('say', { text: 'Hello' });
    expect(await interaction.sentence()).toContain('end-to-end encryption didn’t start');
    await interaction.deleted();
    expect(receiver.stats()).toMatchObject({ plaintext: 0, decrypted: 0 });
  });

  it('does not send a file that Discord would reject', async () => {
    slow = await startMisbehavingService(speechOnly(answerAudio(11 * 1024 * 1024)));
    parley = await startParley({ service: { url: slow.url, key: 'key' } });
    const interaction = await parley.member.run('say', { text: 'A long story is told here. '.repeat(10), as_file: true });
    expect(await interaction.sentence()).toContain('over 10 MB, Discord’s limit here');
    await interaction.deleted();
  });

  it('stops reading a file that is longer than its text can be, and says so', async () => {
    slow = await startMisbehavingService(speechOnly(answerAudio(11 * 1024 * 1024)));
    parley = await startParley({ service: { url: slow.url, key: 'key' } });
    const interaction = await parley.member.run('say', { text: 'A short story', as_file: true });
    expect(await interaction.sentence()).toContain('didn’t stop talking');
    await interaction.deleted();
  });

  it('charges a file that was spoken but could not be sent, and none that was refused', async () => {
    const behaviours = [answer(400, 'no'), cut(4096), answerAudio(11 * 1024 * 1024)];
    slow = await startMisbehavingService(speechOnly((...given) => behaviours.shift()?.(...given)));
    const text = 'A story of 24 characters';
    // As many as two of the three take.
    const caps = { member: 2 * text.length, guild: Number.POSITIVE_INFINITY };
    parley = await startParley({ service: { url: slow.url, key: 'key' }, budgets: { speech: caps, transcription: caps } });
    const ask = () => parley.member.run('say', { text, as_file: true });
    while (behaviours.length > 0) {
      const interaction = await ask();
      expect(await interaction.sentence()).not.toContain('budget');
      await interaction.deleted();
    }
    expect(await (await ask()).sentence()).toContain('budget');
  });
});

describe('/say, when the account is refused', () => {
  it.each([
    ['a key that the service does not know', { key: 'pk_wrong' }, {}, 'doesn’t accept my key'],
    ['no credit', {}, { credit: '0' }, 'credit is used up'],
  ])('with %s at the real service, says so', async (_, overwritten, options, sentence) => {
    const other = await startTestVoiceService(options);
    const parley = await startParley({ service: { ...other, ...overwritten } });
    try {
      await parley.member.listen();
      const interaction = await parley.member.run('say', { text: 'Hello' });
      expect(await interaction.sentence()).toContain(sentence);
      await interaction.deleted();
    } finally {
      await parley.close();
      await other.close();
    }
  });
});

describe('/say, when the bot is disconnected', () => {
  const parley = useParley();

  it('says that it was interrupted and why, and tells the members who were waiting', async () => {
    const { member, discord } = parley;
    await member.listen();
    const current = await member.run('say', { text: 'One two three four five six seven eight nine ten eleven twelve.' });
    await current.message((message) => textOf(message).includes('Speaking now'));
    const waiting = await member.run('say', { text: 'I am next.' });
    await waiting.message((message) => textOf(message).includes('Up next'));
    const last = await member.run('say', { text: 'And I am the last.' });
    await last.message((message) => textOf(message).includes('2 texts ahead'));
    discord.moveUser(discord.application.id, null);
    await current.message((message) => textOf(message).includes('Cut off after'));
    expect(await current.sentence()).toContain('A moderator disconnected me from the voice channel');
    expect(await waiting.sentence()).toContain('A moderator disconnected me from the voice channel');
    expect(await last.sentence()).toContain('A moderator disconnected me from the voice channel');
    await Promise.all([waiting.deleted(), last.deleted()]);
    for (const interaction of [current, waiting, last]) expect(interaction.messages().filter(isEphemeral)).toHaveLength(1);
    const again = await member.run('say', { text: 'Here I am again.' });
    await again.message((message) => textOf(message).includes('Spoken in'));
  });
});

describe('/say, when the bot is disconnected after the 15 minutes for replies', () => {
  const log: string[] = [];
  let service: TestVoiceService;
  let parley: Parley;

  beforeAll(async () => {
    service = await startTestVoiceService();
    parley = await startParley({ service, logTo: (line) => log.push(line) });
  });

  afterAll(async () => {
    await parley.close();
    await service.close();
  });

  async function sayTwo() {
    const { member } = parley;
    await member.listen();
    const current = await member.run('say', { text: 'One two three four five six seven eight nine ten eleven twelve.' });
    await current.message((message) => textOf(message).includes('Speaking now'));
    const waiting = await member.run('say', { text: 'I am next.' });
    await waiting.message((message) => textOf(message).includes('Up next'));
    return { current, waiting };
  }

  it('says in the replies themselves whose text was lost and why, and removes the buttons that end it', async () => {
    const { discord, member } = parley;
    const { current, waiting } = await sayTwo();
    discord.expireInteractions('tokens');
    discord.moveUser(discord.application.id, null);
    for (const [interaction, status] of [
      [current, 'Cut off after'],
      [waiting, 'Not spoken'],
    ] as const) {
      const message = await interaction.message((one) => textOf(one).includes('A moderator disconnected me from the voice channel'));
      expect(textOf(message)).toContain(`\n<@${member.client.userId}>: `);
      expect(isEphemeral(message)).toBe(false);
      expect(textOf(message)).toContain(status);
      expect(JSON.stringify(message.components)).toContain('say-again');
      expect(JSON.stringify(message.components)).not.toMatch(/say-(stop|skip|cancel)/);
      expect(interaction.messages()).toHaveLength(1);
    }
  });

  it('logs a problem if it cannot see the channel of the replies, and keeps speaking', async () => {
    const { discord, member } = parley;
    const { waiting } = await sayTwo();
    const general = discord.channelId('general');
    discord.setPermissions(general, discord.application.id, { deny: 1n << 10n });
    discord.expireInteractions('tokens');
    discord.moveUser(discord.application.id, null);
    const untold = () => log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'a member could not be told of a failure');
    await expect.poll(() => untold().map(({ command }) => command)).toContain(waiting.id);
    discord.setPermissions(general, discord.application.id, {});
    const again = await member.run('say', { text: 'Here I am again.' });
    await again.message((message) => textOf(message).includes('Spoken in'));
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
    [401, {}, 'doesn’t accept my key'],
    [402, {}, 'credit is used up'],
    [422, {}, 'doesn’t accept this (`format`: is wrong)'],
    [429, { 'retry-after': '40' }, /voice service is busy\. Try again <t:\d+:R>/],
    [500, {}, 'is having problems'],
    [503, {}, 'is having problems'],
  ] as const)('with %i, the member alone is told, and the public answer is taken back', async (status, headers, sentence) => {
    const body = status === 422 ? [{ loc: ['body', 'format'], type: 'enum', msg: 'is wrong' }] : { status, message: 'no' };
    broken = await startMisbehavingService(answerJson(status, body, headers));
    parley = await startParley({ service: { url: broken.url, key: 'key' }, retries: { attempts: 1 } });
    await parley.member.listen();
    const interaction = await parley.member.run('say', { text: 'Hello there' });
    expect(await interaction.sentence()).toMatch(sentence);
    await interaction.deleted();
    expect(interaction.messages()).toHaveLength(1);
    expect(interaction.messages().every(isEphemeral)).toBe(true);
  });

  it('names the member in the public reply if that cannot be deleted', async () => {
    broken = await startMisbehavingService(answerJson(400, { status: 400, message: 'no' }));
    parley = await startParley({ service: { url: broken.url, key: 'key' }, retries: { attempts: 1 } });
    const { member, discord } = parley;
    await member.listen();
    discord.restFaults.push({ match: /^DELETE /, times: 100, how: { status: 403 } });
    const interaction = await member.run('say', { text: 'Hello there' });
    const told = await interaction.message((one) => textOf(one).startsWith(`<@${member.client.userId}>: The voice service`));
    expect(isEphemeral(told)).toBe(false);
    expect(interaction.messages()).toHaveLength(1);
  });

  it.each([
    [['body', 'prosody', 'speed'], { speed: 1.5 }, 'can’t change the speed'],
    [['body', 'reference_id'], { voice: 'gone' }, 'can’t find a voice called `gone`'],
  ])('with 422 for %j, says what the member can change', async (loc, options, sentence) => {
    broken = await startMisbehavingService(answerJson(422, [{ loc, type: 'extra', msg: 'is not known' }]));
    parley = await startParley({ service: { url: broken.url, key: 'key' }, retries: { attempts: 1 } });
    await parley.member.listen();
    const interaction = await parley.member.run('say', { text: 'Hello there', ...options });
    expect(await interaction.sentence()).toContain(sentence);
    await interaction.deleted();
    const file = await parley.member.run('say', { text: 'Hello there', as_file: true, ...options });
    expect(await file.sentence()).toContain(sentence);
  });

  it.each([
    ['JSON in place of sound', answerJson(200, { ok: true }), 'an answer I can’t use'],
    ['nothing', cut(0), /can’t reach|can’t use|broke off/],
  ] as const)('with %s, it is not said to be spoken', async (_, behaviour, sentence) => {
    broken = await startMisbehavingService(behaviour);
    parley = await startParley({ service: { url: broken.url, key: 'key' }, retries: { attempts: 1 } });
    await parley.member.listen();
    const interaction = await parley.member.run('say', { text: 'Hello there' });
    expect(await interaction.sentence()).toMatch(sentence);
    await interaction.deleted();
  });
});
