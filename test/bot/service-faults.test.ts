// Failures of the voice service as members see them: before the first sound, in mid-speech, in other commands, and in a long outage.
import { readFileSync } from 'node:fs';
import type { APIMessage } from 'discord.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseMp3Header } from '../../src/audio/containers/mpeg-frames.ts';
import { en } from '../../src/locales/index.ts';
import { isEphemeral, textOf, textsOf } from '../helpers/member.ts';
import {
  answer,
  answerJson,
  answerToFree,
  type Behaviour,
  cut,
  hang,
  type MisbehavingService,
  reset,
  speakGibberish,
  stall,
  startMisbehavingService,
} from '../helpers/misbehaving-service.ts';
import { openingOf } from '../helpers/openings.ts';
import { type Parley, startParley } from '../helpers/parley.ts';
import { wavOf } from '../helpers/speech.ts';

const road = beginningOf(readFileSync(new URL('../fixtures/speech/road.mp3', import.meta.url)));
const sound = answer(200, road, { 'content-type': 'audio/mpeg' });

let service: MisbehavingService;
let parley: Parley;
/** Gives up on answers after so short a time that any may be too late. */
let hasty: Parley;
/** Gives up in the middle of speech soon, but not before its beginning. */
let impatient: Parley;
/** How the service treats the next speech or transcription calls; the last behaviour repeats. */
let next: Behaviour[];
/** How the service treats every call, if set. */
let everything: Behaviour | null = null;

beforeAll(async () => {
  service = await startMisbehavingService((request, response) => {
    const behave = everything ?? answerToFree(request.url, '12.5') ?? nextBehaviour();
    behave(request, response);
  });
  const options = { service: { url: service.url, key: 'key' }, retries: { attempts: 1 }, breaker: { failures: 5, probeInterval: 200 } };
  [parley, hasty, impatient] = await Promise.all([
    startParley(options),
    startParley({ ...options, timeouts: { headers: 300, idle: 300, transcription: 300 } }),
    startParley({ ...options, timeouts: { headers: 1500, idle: 1500 } }),
  ]);
  for (const { member } of [parley, hasty, impatient]) await member.listen();
});

beforeEach(() => {
  everything = null;
});

afterAll(async () => {
  for (const one of [parley, hasty, impatient]) await one?.close();
  await service?.close();
});

const nextBehaviour = (): Behaviour => (next.length > 1 ? next.shift() : next[0]) ?? sound;

/** Half of a sound, then this behaviour. */
const halfAndThen =
  (act: (socket: { destroy(): void }, response: { write(bytes: Uint8Array): void; end(): void }) => void): Behaviour =>
  (request, response) => {
    response.writeHead(200, { 'content-type': 'audio/mpeg' });
    response.write(road.subarray(0, road.length / 2), () => act(request.socket, response));
  };

/** Half a second in complete MP3 frames, so that the sound doesn't look truncated. */
function beginningOf(mp3: Buffer): Buffer {
  let at = mp3.indexOf(Buffer.of(0xff, 0xf3));
  for (let frame = parseMp3Header(mp3, at); frame && at < 3000; frame = parseMp3Header(mp3, at)) at += frame.bytes;
  return mp3.subarray(0, at);
}

async function say(text = 'On the road', { member } = parley): ReturnType<Parley['member']['run']> {
  return member.run('say', { text });
}

const spoken = (interaction: Awaited<ReturnType<typeof say>>) =>
  interaction.message((message) => textOf(message).includes(openingOf('say.spoken')));

describe('before the first sound, a service that', () => {
  it.each<[string, Behaviour, RegExp]>([
    ['takes the request and never answers', hang, /took too long to answer/],
    ['begins a sound and stalls at once', stall(100), /took too long to answer/],
    ['breaks off at once', cut(100), /answer was cut off(?![\s\S]*Status)/],
    ['breaks the connection', reset, /can’t reach the voice service/],
    [
      'sends a page in place of sound',
      answer(200, '<html>Hello', { 'content-type': 'text/html' }),
      /isn’t a Voice Service, and trying again won’t help/,
    ],
    [
      'sends elsewhere',
      answer(307, '', { location: 'http://127.0.0.1:1/' }),
      /isn’t a Voice Service, and trying again won’t help[\s\S]*Status 307/,
    ],
    ['does not speak HTTP', speakGibberish('220 mail.example ESMTP\r\n'), /isn’t a Voice Service|can’t reach/],
    ['sends noise', answer(200, Buffer.alloc(50_000, 0x55), { 'content-type': 'audio/mpeg' }), /sent something that isn’t audio/],
    ['fails', answerJson(500, { status: 500, message: 'no' }), /is having problems/],
    [
      'refuses a value',
      answerJson(422, [{ loc: ['body', 'format'], type: 'enum', msg: 'is wrong' }]),
      /doesn’t accept this \(`format`: is wrong\)/,
    ],
    ['asks for a long pause', answerJson(429, {}, { 'retry-after': '3600' }), /voice service is busy\. Try again <t:\d+:R>/],
  ])('%s is reported only to the member, and nothing is left in the channel', async (_, behaviour, sentence) => {
    next = [behaviour];
    const interaction = await say('On the road', sentence.source.includes('too long') ? hasty : parley);
    expect(await interaction.sentence()).toMatch(sentence);
    await expect.poll(() => interaction.messages().map(isEphemeral)).toEqual([true]);
  });

  it.each([
    [['body', 'prosody', 'speed'], { speed: 1.5 }, 'can’t change the speed'],
    [['body', 'reference_id'], { voice: 'gone' }, 'can’t find a voice called `gone`'],
  ])('refuses %j with 422 is reported with what the member can change', async (loc, options, sentence) => {
    next = [answerJson(422, [{ loc, type: 'extra', msg: 'is not known' }])];
    const interaction = await parley.member.run('say', { text: 'Hello there', ...options });
    expect(await interaction.sentence()).toContain(sentence);
    await expect.poll(() => interaction.messages().every(isEphemeral)).toBe(true);
    const file = await parley.member.run('say', { text: 'Hello there', send_as: 'file', ...options });
    expect(await file.sentence()).toContain(sentence);
  });

  it('refuses a text is named in the public reply to its member if that cannot be deleted', async () => {
    const { member, discord } = parley;
    const begun = Promise.withResolvers<void>();
    next = [(...given) => void begun.promise.then(() => answerJson(400, { status: 400, message: 'no' })(...given))];
    discord.failRest(/^DELETE /, { status: 403 }, 100);
    const interaction = await say();
    // Otherwise its reply would be private from the start.
    await interaction.message((one) => !isEphemeral(one));
    begun.resolve();
    const told = await interaction.message((one) => textOf(one).startsWith(`<@${member.client.userId}>: The voice service`));
    expect(isEphemeral(told)).toBe(false);
    expect(interaction.messages()).toHaveLength(1);
    discord.restFaults.length = 0;
  });

  it('has failed one request is asked again for the next in the queue', async () => {
    next = [reset, sound];
    const first = await say('This one fails');
    await first.sentence();
    await spoken(await say('This one does not'));
  });
});

describe('in the middle of speech, a service that', () => {
  it.each<[string, Behaviour, RegExp]>([
    ['breaks off', halfAndThen((socket) => socket.destroy()), /answer was cut off(?![\s\S]*Status)/],
    ['stalls', halfAndThen(() => {}), /took too long to answer/],
  ])('%s is reported with how far it got, and what waited is spoken', async (_, behaviour, sentence) => {
    const called = Promise.withResolvers<void>();
    next = [
      (...exchange) => {
        called.resolve();
        behaviour(...exchange);
      },
      sound,
    ];
    const interaction = await say('On the road', impatient);
    // Two calls made at the same time may arrive in either order.
    await called.promise;
    const waiting = await say('I am next', impatient);
    await interaction.message((message) => /Cut off after \d+ second/.test(textOf(message)));
    expect(await interaction.sentence()).toMatch(sentence);
    expect(interaction.messages()).toHaveLength(2);
    await spoken(waiting);
  });

  it.each<[string, Behaviour, RegExp]>([
    ['has no credit left', answerJson(402, { status: 402, message: 'no' }), /credit at the voice service is used up/],
    ['fails', answerJson(500, { status: 500, message: 'no' }), /voice service is having problems/],
    ['never answers', hang, /took too long to answer/],
  ])('%s at the second of two calls is reported, and what was heard remains', async (_, behaviour, sentence) => {
    next = [sound, behaviour];
    const interaction = await say('A long road lies before us, and we go on. '.repeat(8), impatient);
    await interaction.message((message) => /Cut off after (?!0 )/.test(textOf(message)));
    expect(await interaction.sentence()).toMatch(sentence);
    if (!sentence.source.includes('credit')) return;
    // Calls are refused from memory until the credit is seen again.
    const credit = await impatient.member.run('credit');
    await credit.message((message) => textOf(message).includes('12.5'));
  });
});

describe('a service that answers a text with an empty sound', () => {
  const header = wavOf(new Uint8Array(0), 44_100);
  const empty = Buffer.concat([header.subarray(0, 36), Buffer.from('LIST\xf4\x01\0\0', 'latin1'), Buffer.alloc(500), header.subarray(36)]);
  const ways = [{}, { send_as: 'message' }, { send_as: 'file' }];

  it.each(ways)('of no bytes is reported, and that it still counts: %j', async (way) => {
    next = [answer(200, '', { 'content-type': 'audio/mpeg' })];
    const interaction = await parley.member.run('say', { text: 'Good morning', ...way });
    expect(await interaction.sentence()).toContain(`${en('errors.api.protocol')} ${en('errors.maybeCharged')}`);
    await expect.poll(() => interaction.messages().map(isEphemeral)).toEqual([true]);
  });

  it.each(ways)('of a header alone is reported, and that it still counts: %j', async (way) => {
    next = [answer(200, empty, { 'content-type': 'audio/wav' })];
    const interaction = await parley.member.run('say', { text: 'Good morning', ...way });
    expect(await interaction.sentence()).toBe(`${en('errors.badAudio')} ${en('say.chargedUnheard', { count: 'Good morning'.length })}`);
    await expect.poll(() => interaction.messages().map(isEphemeral)).toEqual([true]);
  });
});

describe('in the other commands, a service that', () => {
  it.each<[string, Behaviour, RegExp]>([
    ['fails', answerJson(500, { status: 500, message: 'no' }), /voice service is having problems/],
    ['never answers', hang, /took too long to answer/],
    ['breaks the connection', reset, /can’t reach the voice service/],
    ['sends nonsense', answer(200, '<html>', { 'content-type': 'text/html' }), /isn’t a Voice Service/],
  ])('%s is reported', async (_, behaviour, sentence) => {
    const { member, api } = behaviour === hang ? hasty : parley;
    next = [behaviour];
    const file = await member.run('say', { text: 'As a file', send_as: 'file' });
    const transcript = await member.run('transcribe', { audio: member.upload('road.mp3', road) });
    for (const interaction of [file, transcript]) expect(await interaction.sentence()).toMatch(sentence);
    // So that the failures before it don't count as an outage. The hasty one may give up an answer on a busy machine.
    const isThere = () =>
      api.getCredit().then(
        () => true,
        () => false,
      );
    await expect.poll(isThere).toBe(true);
    everything = behaviour;
    const voices = await member.run('voices');
    expect(await voices.sentence()).toMatch(sentence);
  });
});

describe('a recording', () => {
  const heard = answerJson(200, { text: 'On the road.', duration: 1, segments: [] });
  const failing = answerJson(503, { status: 503, message: 'upstream ASR service timed out', reason: null });
  const busy = answerJson(429, { status: 429, message: 'Too many', reason: null });
  const sent = () => service.requests.filter(({ url }) => url === '/v1/asr').length;
  const transcribe = async () => parley.member.run('transcribe', { audio: parley.member.upload('road.mp3', road) });

  it.each<[string, Behaviour[]]>([
    ['fails for a moment', [failing, heard]],
    ['is too busy for a moment', [busy, heard]],
  ])('is sent again to a service that %s', async (_, behaviours) => {
    next = behaviours;
    const before = sent();
    const interaction = await transcribe();
    await interaction.message((message) => textOf(message).includes('On the road.'));
    expect(sent() - before).toBe(2);
  });

  it('is sent three times at most to a service that fails', async () => {
    next = [failing];
    const before = sent();
    expect(await (await transcribe()).sentence()).toMatch(/voice service is having problems/);
    expect(sent() - before).toBe(3);
    next = [sound];
    await spoken(await say('And speech goes on'));
  });
});

describe('a key that may not do something', () => {
  const forbidden = answerJson(403, { status: 403, message: 'Scope', reason: null });

  it('is told from one that is refused, and what it may not do is named', async () => {
    const { member } = parley;
    next = [forbidden];
    expect(await (await say()).sentence()).toContain(en('errors.forbidden.speech'));
    const transcript = await member.run('transcribe', { audio: member.upload('road.mp3', road) });
    expect(await transcript.sentence()).toContain(en('errors.forbidden.transcription'));
    everything = forbidden;
    expect(await (await member.run('voices')).sentence()).toContain(en('errors.forbidden.catalogue'));
    const credit = await (await member.run('credit')).message((message) => textOf(message).includes('balance'));
    expect(textOf(credit)).toContain(en('errors.forbidden.credit'));
  });
});

describe('a long outage of the service', () => {
  /** What /status says about the service. */
  const partOf = (report: APIMessage) => textsOf(report).find((text) => text.startsWith('**Voice service**'));

  it('is reported at once without asking the service again, also in /status, until its return is noticed automatically', async () => {
    const { member } = parley;
    everything = reset;
    // Autocomplete answers from memory all the while.
    for (let call = 1; call <= 5; call++) {
      await (await say(`Call ${call}`)).sentence();
      expect(await member.autocomplete('say', 'voice', `a${call}`)).toBeInstanceOf(Array);
    }
    const interaction = await say('Is anybody there?');
    expect(await interaction.sentence()).toMatch(/^The voice service went down <t:\d+:R>\. Try again/);
    await expect.poll(() => interaction.messages().every(isEphemeral)).toBe(true);
    // Besides probes, and what goes on in the background of all three bots: searches for titles, and a look at the balance.
    const calls = () => service.requests.map(({ url }) => url).filter((url) => /^\/(v1\/|model\?page_size=(?!1\b|25\b))/.test(url));
    const before = calls();
    await (await say('Hello?')).sentence();
    await (await member.run('voices')).sentence();
    const status = await member.run('status');
    const report = await status.message((message) => textOf(message) !== '');
    expect(textsOf(report)[0]).toContain('The voice service isn’t working. The voice service went down');
    expect(partOf(report)).toContain('✗ The voice service went down');
    expect(calls().slice(before.length)).toEqual([]);

    next = [sound];
    everything = null;
    const seen = service.requests.length;
    await service.request(seen + 1);
    await expect
      .poll(() =>
        parley.api.listModels().then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
    await spoken(await say('There you are again'));
    const after = await (await member.run('status')).message((message) => textOf(message) !== '');
    expect(partOf(after)).toContain('✓ Answered in');
  });
});
