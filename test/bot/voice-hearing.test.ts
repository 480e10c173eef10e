// What a voice session hears of members who have agreed, whatever happens to their packets, to the call and to the connection.
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { getVoiceConnection } from '@discordjs/voice';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createAnnouncer } from '../../src/captions/announcements.ts';
import type { MemberClient } from '../../src/local/discord/index.ts';
import { saySpeech } from '../../src/local/discord/member/speech.ts';
import { SILENCE } from '../../src/local/discord/voice/rtp.ts';
import type { SpeakerFaults } from '../../src/local/discord/voice/types.ts';
import { translatorFor } from '../../src/locales/index.ts';
import type { SpeechEngine } from '../../src/synthesis/index.ts';
import type { HeardSound, Hearing, Session, VoiceError } from '../../src/voice-session/index.ts';
import { bytesOf, heardBy, openVoiceFixture, say, speechOf, utteranceOf, type VoiceFixture } from '../helpers/voice-fixture.ts';
import { joinAsBot, numberedFrames, numberOf } from '../helpers/voice-server.ts';
import { createWaiter } from '../helpers/waiter.ts';

type Names = Parameters<VoiceFixture['listen']>[0];

interface Heard {
  fixture: VoiceFixture;
  session: Session;
  hearing: Hearing;
  /** By name. Those of `agreed` have agreed to be heard. */
  members: Map<Names, MemberClient>;
  /** When by `performance.now()`, by id. */
  agreed: Map<string, number>;
  sounds: HeardSound[];
  /** Each list of members who can't be heard. */
  unheard: (readonly string[])[];
  ended: VoiceError[];
  speak(name: Names, numbers: [from: number, count: number], speed?: number): Promise<void>;
  /** Numbers of the packets heard of a member, without silence, in order. */
  numbers(name: Names): number[];
  until(isReached: () => boolean): Promise<void>;
}

/** A session that hears the lounge, in an encrypted call with these members, all of whom have agreed. */
async function openHeard(
  names: Names[] = ['Robin'],
  options: Parameters<typeof openVoiceFixture>[0] = {},
  discordOptions: Parameters<typeof openVoiceFixture>[1] = {},
): Promise<Heard> {
  const fixture = await openVoiceFixture(options, { members: Math.max(2, names.length), ...discordOptions });
  const members = new Map<Names, MemberClient>();
  for (const name of names) members.set(name, (await fixture.listen(name)).member);
  const session = fixture.sessions.join(fixture.lounge);
  const waiter = createWaiter();
  const agreed = new Map([...members.values()].map(({ userId }) => [userId, performance.now()]));
  const sounds: HeardSound[] = [];
  const unheard: (readonly string[])[] = [];
  const ended: VoiceError[] = [];
  const hearing = session.hear({
    heardSince: (userId) => agreed.get(userId) ?? null,
    onSound(sound) {
      sounds.push(sound);
      waiter.notify();
    },
    onUnheard: () => void unheard.push(hearing.unheard),
    onEnd: (cause) => void ended.push(cause),
  });
  await session.ready;
  await expect.poll(() => session.state).toMatchObject({ status: 'ready', encrypted: true });
  const memberOf = (name: Names) => members.get(name) as MemberClient;
  const numbers = (name: Names) => {
    const { userId } = memberOf(name);
    return sounds.flatMap((sound) =>
      sound.userId === userId && sound.kind === 'packet' && sound.opus.length > 3 ? [numberOf(sound.opus)] : [],
    );
  };
  return {
    ...{ fixture, session, hearing, members, agreed, sounds, unheard, ended, numbers },
    speak: (name, [from, count], speed = 20) => saySpeech(memberOf(name).microphone, numberedFrames(count, from), { speed }),
    until: async (isReached) =>
      void (await waiter.until(
        () => isReached() || undefined,
        () => `what is said; heard was ${JSON.stringify(Object.fromEntries(names.map((name) => [name, numbers(name)])))}`,
      )),
  };
}

/** Probes are answered on the same socket. */
function isSound(datagram: Buffer): boolean {
  return datagram[1] === 120;
}

/** Acts as soon as the next packet of sound arrives, before it is heard. Silence is shorter. */
function whenSoundArrives(heard: Heard, act: () => void): void {
  const { udp } = networkingOf(heard);
  const onMessage = (datagram: Buffer) => {
    if (!isSound(datagram) || datagram.length < 60) return;
    udp.off('message', onMessage);
    act();
  };
  udp.on('message', onMessage);
}

function range(from: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => from + index);
}

function setFaults({ fixture, members }: Heard, name: Names, faults: SpeakerFaults): void {
  fixture.discord.voice.faults.speakers.set(idOf(members, name), faults);
}

function idOf(members: Heard['members'], name: Names): string {
  return members.get(name)?.userId ?? '';
}

/** Says one packet after the other until one is heard, which a new connection or group may take a moment to allow. */
async function hearAgain({ members, numbers, until }: Heard, name: Names, number: number): Promise<void> {
  const [frame] = numberedFrames(1, number);
  const timer = setInterval(() => members.get(name)?.microphone.send(frame as Buffer), 20);
  await until(() => numbers(name).includes(number)).finally(() => clearInterval(timer));
}

/** Speaks in real time until the function that it returns is called, which resolves with how many packets that was. */
function speakOn({ members }: Heard, name: Names): () => Promise<number> {
  let isOver = false;
  let count = 0;
  function* packets() {
    while (!isOver) yield* numberedFrames(1, count++);
  }
  const { microphone } = members.get(name) ?? expect.fail(`${name} is not there`);
  const spoken = saySpeech(microphone, packets());
  return async () => {
    isOver = true;
    await spoken;
    return count;
  };
}

/** Returns a function that lets so much time pass at once, by the clock of this process until the test ends. */
function controlClock(): (milliseconds: number) => void {
  const now = performance.now.bind(performance);
  let ahead = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + ahead);
  onTestFinished(() => clock.mockRestore());
  return (milliseconds) => {
    ahead += milliseconds;
  };
}

function selfDeafOf({ fixture: { client, lounge } }: Heard): boolean | null | undefined {
  return lounge.guild.voiceStates.cache.get(client.user.id)?.selfDeaf;
}

function networkingOf({ fixture: { client, lounge } }: Heard) {
  const connection = getVoiceConnection(lounge.guildId, client.user.id);
  const state = connection?.state.status === 'ready' ? connection.state.networking.state : null;
  if (!state || !('udp' in state) || !('dave' in state)) throw new Error('There is no connection.');
  return state;
}

it('is undeafened only while it hears, without joining again', async () => {
  const heard = await openHeard();
  await expect.poll(() => selfDeafOf(heard)).toBe(false);
  const connection = getVoiceConnection(heard.fixture.lounge.guildId, heard.fixture.client.user.id);
  const { udp } = networkingOf(heard);
  heard.hearing.stop();
  await expect.poll(() => selfDeafOf(heard)).toBe(true);
  await heard.speak('Robin', [0, 5]);
  expect(heard.numbers('Robin')).toEqual([]);
  const again = heard.session.hear({ heardSince: () => 0, onSound() {}, onUnheard() {}, onEnd() {} });
  expect(() => heard.session.hear({ heardSince: () => 0, onSound() {}, onUnheard() {}, onEnd() {} })).toThrow(RangeError);
  again.stop();
  expect(getVoiceConnection(heard.fixture.lounge.guildId, heard.fixture.client.user.id)).toBe(connection);
  expect(networkingOf(heard).udp).toBe(udp);
  expect(heard.ended).toEqual([]);
});

it('is woken ten times a second while somebody speaks, not for each packet', async () => {
  const heard = await openHeard();
  const times: number[] = [];
  networkingOf(heard).udp.on('message', () => times.push(performance.now()));
  await heard.speak('Robin', [0, 25], 1);
  await heard.until(() => heard.numbers('Robin').length === 25);
  const wakeUps = times.filter((time, number) => time > (times[number - 1] ?? 0) + 5);
  // Until a probe is answered, each packet wakes it.
  expect(wakeUps.length).toBeLessThan(15);
  heard.hearing.stop();
  times.length = 0;
  await heard.speak('Robin', [0, 10], 1);
  await expect.poll(() => times.length).toBeGreaterThan(0);
});

it('hears where XChaCha20-Poly1305 is the only encryption that is offered', async () => {
  const mode = 'aead_xchacha20_poly1305_rtpsize';
  const heard = await openHeard(['Robin'], {}, { voiceModes: [mode] });
  expect(networkingOf(heard)).toMatchObject({ connectionData: { encryptionMode: mode } });
  await heard.speak('Robin', [0, 25]);
  await heard.until(() => heard.sounds.at(-1)?.kind === 'pause');
  expect(heard.numbers('Robin')).toEqual(range(0, 25));
});

it('hears what is said, the silence after it, and then a pause', async () => {
  const heard = await openHeard();
  // At once: if this process stands still in the middle, there is a pause in between.
  await heard.speak('Robin', [0, 10], Number.POSITIVE_INFINITY);
  await heard.until(() => heard.sounds.at(-1)?.kind === 'pause');
  expect(heard.numbers('Robin')).toEqual(range(0, 10));
  expect(heard.sounds.map(({ kind }) => kind)).toEqual([...Array(15).fill('packet'), 'pause']);
  const times = heard.sounds.map(({ at }) => at);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(heard.hearing.stats().get(idOf(heard.members, 'Robin'))).toEqual({ arrived: 15, decrypted: 15, failed: 0, concealed: 0, late: 0 });
});

it('hears no more of a member who floods the channel than anybody can say', async () => {
  const heard = await openHeard();
  const { userId } = heard.members.get('Robin') ?? expect.fail('Robin is not there');
  const begun = performance.now();
  // On a busy machine, this time isn't enough for those that are waited for.
  for (let number = 0; number < 2_000 || performance.now() < begun + 300; number++) {
    heard.members.get('Robin')?.microphone.send(numberedFrames(1, number)[0] as Buffer);
    if (number % 10 === 0) await nextTurn();
  }
  await heard.until(() => (heard.hearing.stats().get(userId)?.arrived ?? 0) > 1_000);
  const elapsed = performance.now() - begun;
  expect(heard.hearing.stats().get(userId)?.decrypted).toBeLessThan(400 + 0.4 * elapsed + 100);
});

it('hears every packet of eight members at once, in order, whatever theirs are like', async () => {
  const faults: Record<Names, SpeakerFaults> = {
    Robin: {},
    /** They overtake each other. */
    Sam: { reordered: 0.3 },
    /** They arrive twice. */
    Ada: { duplicated: 0.5 },
    /** They come beside RTCP and video. */
    Ben: { reports: true, video: true },
    Cleo: { layout: { padding: 9, csrcs: 3, extension: 'unknown' } },
    Dan: { layout: { extension: 'two-byte' } },
    Eve: { layout: { extension: 'none' } },
    /** They have an SSRC that gets its name late. */
    Finn: { announcedAfter: 40 },
  };
  const names = Object.keys(faults) as Names[];
  const heard = await openHeard(names);
  for (const name of names) setFaults(heard, name, { seed: 28, ...faults[name] });
  const saysAll = (from: number, count: number, speed?: number) =>
    Promise.all(names.map((name, index) => heard.speak(name, [1000 * index + from, count], speed)));
  await saysAll(0, 60);
  await heard.until(() => names.every((name) => heard.numbers(name).length >= 60));
  for (const [index, name] of names.entries()) {
    expect(heard.numbers(name), name).toEqual(range(1000 * index, 60));
    const stats = heard.hearing.stats().get(idOf(heard.members, name));
    expect(stats, name).toMatchObject({ failed: 0, concealed: 0, late: 0 });
    setFaults(heard, name, {});
  }
  // Even if it was busy meanwhile: all packets arrive in one turn of the event loop.
  await saysAll(60, 50, Number.POSITIVE_INFINITY);
  await heard.until(() => names.every((name) => heard.numbers(name).length === 110));
  for (const [index, name] of names.entries()) expect(heard.numbers(name), name).toEqual(range(1000 * index, 110));
});

it('hears packets of 60 ms, and of stereo', async () => {
  const heard = await openHeard(['Robin', 'Sam']);
  for (const [name, toc, samples] of [
    ['Robin', 0x18, 2880],
    ['Sam', 0xfc, 960],
  ] as const) {
    await hearAgain(heard, name, 0);
    for (const frame of numberedFrames(5, 1)) heard.members.get(name)?.microphone.send(Buffer.of(toc, ...frame.subarray(1)));
    await heard.until(() => heard.numbers(name).includes(5));
    const userId = idOf(heard.members, name);
    const lengths = heard.sounds.flatMap((sound) =>
      sound.userId === userId && sound.kind === 'packet' && sound.opus.length > 3 && numberOf(sound.opus) > 0 ? [sound.samples] : [],
    );
    expect(lengths).toEqual(Array(5).fill(samples));
  }
});

it('reports every lost packet in its place, with 30 % loss and 40 ms of jitter', async () => {
  const heard = await openHeard();
  setFaults(heard, 'Robin', { seed: 28, loss: 0.3, jitterMs: 40 });
  await heard.speak('Robin', [0, 50], 1);
  setFaults(heard, 'Robin', {});
  await heard.speak('Robin', [50, 1]);
  await heard.until(() => heard.numbers('Robin').includes(50));
  const numbers = heard.numbers('Robin');
  expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
  const { arrived = 0, late = 0, concealed } = heard.hearing.stats().get(idOf(heard.members, 'Robin')) ?? {};
  expect(arrived).toBeLessThan(50);
  // None, unless the process stood still: a packet that was under way is then given up for those after it.
  expect(late).toBeLessThan(arrived / 10);
  // The number of a packet is how many came before it, or were lost. If it ends a pause, others may have been lost in that.
  let before = 0;
  let hasPaused = false;
  for (const sound of heard.sounds) {
    if (sound.kind === 'packet' && sound.opus.length > 3 && numberOf(sound.opus) < 50) {
      const number = numberOf(sound.opus);
      if (hasPaused) before = Math.max(before, number);
      expect(number).toBe(before);
    }
    hasPaused = sound.kind === 'pause';
    if (!hasPaused) before += 1;
  }
  expect(heard.sounds.filter(({ kind }) => kind === 'lost')).toHaveLength(concealed ?? 0);
});

it('hears others while the bot speaks, which they hear, and never itself', async () => {
  const heard = await openHeard();
  const { fixture, session } = heard;
  const sam = await fixture.listen('Sam');
  heard.agreed.set(fixture.client.user.id, performance.now());
  const packets = await speechOf(20);
  const playback = say(session, () => packets);
  await playback.started;
  await heard.speak('Robin', [0, 10], 1);
  expect(await playback.finished).toEqual({ ended: 'played', seconds: 0.4 });
  await sam.heardSilence(5);
  await heard.until(() => heard.numbers('Robin').length === 10);
  expect(heard.numbers('Robin')).toEqual(range(0, 10));
  expect(new Set(heard.sounds.map(({ userId }) => userId))).toEqual(new Set([idOf(heard.members, 'Robin')]));
  expect(sam.stats()).toMatchObject({ plaintext: 0, undecryptable: 0 });
  expect(heardBy(sam).length).toBeGreaterThanOrEqual(20);
});

it('is announced only when what is being spoken has ended, and what waits to be spoken goes first', async () => {
  const fixture = await openVoiceFixture();
  const robin = await fixture.listen('Robin');
  const session = fixture.sessions.join(fixture.lounge);
  const packets = await speechOf(20);
  const [begun, rest, next, announced] = [0, 5, 10, 15].map((from) => packets.slice(from, from + 5)) as [
    Uint8Array[],
    Uint8Array[],
    Uint8Array[],
    Uint8Array[],
  ];
  const released = Promise.withResolvers<void>();
  const current = say(session, async function* () {
    yield* begun;
    await released.promise;
    yield* rest;
  });
  await current.started;
  const announcement = utteranceOf(() => announced);
  const announcer = createAnnouncer({
    ...{ guildId: fixture.lounge.guildId, ownId: fixture.client.user.id, defaultVoice: null, session },
    speech: { utterance: () => announcement } as unknown as SpeechEngine,
    translator: () => translatorFor('en'),
    listUndecided: () => [],
  });
  announcer.begin();
  say(session, () => next);
  expect(session.length).toBe(3);
  await robin.heard(begun.length);
  expect(session.items()[0]).toMatchObject({ playing: true, memberId: 'robin' });
  released.resolve();
  await robin.heard(packets.length);
  expect(heardBy(robin)).toEqual(bytesOf(packets));
  expect(await current.finished).toMatchObject({ ended: 'played' });
});

it('is announced once to those who joined while an earlier announcement waited; both the spoken and the waiting one end with it', async () => {
  const fixture = await openVoiceFixture();
  await fixture.listen('Robin');
  const session = fixture.sessions.join(fixture.lounge);
  const packets = await speechOf(1);
  // Longer than the test takes.
  const speech = () => Array<Uint8Array>(6_000).fill(packets[0] as Uint8Array);
  const current = say(session, speech);
  await current.started;
  const announcer = createAnnouncer({
    ...{ guildId: fixture.lounge.guildId, ownId: fixture.client.user.id, defaultVoice: null, session, sayAgainMs: 0 },
    speech: { utterance: () => utteranceOf(speech) } as unknown as SpeechEngine,
    translator: () => translatorFor('en'),
    listUndecided: () => ['robin'],
  });
  const enqueue = vi.spyOn(session, 'enqueue');
  announcer.begin();
  announcer.joined(['robin']);
  await expect.poll(() => enqueue.mock.calls.length).toBe(2);
  expect(session.length).toBe(2);
  session.skip(current.id);
  await enqueue.mock.results[1]?.value.started;
  announcer.joined(['robin']);
  await expect.poll(() => enqueue.mock.calls.length).toBe(3);
  expect(session.length).toBe(2);
  announcer.close();
  await announcer.settled();
  expect(session.length).toBe(0);
});

it('is no longer announced once that is over, to somebody who joined shortly before either', async () => {
  const fixture = await openVoiceFixture();
  await fixture.listen('Robin');
  const session = fixture.sessions.join(fixture.lounge);
  await session.ready;
  const announcer = createAnnouncer({
    ...{ guildId: fixture.lounge.guildId, ownId: fixture.client.user.id, defaultVoice: null, session, sayAgainMs: 0 },
    speech: { utterance: () => utteranceOf(() => []) } as unknown as SpeechEngine,
    translator: () => translatorFor('en'),
    listUndecided: () => ['robin'],
  });
  const enqueue = vi.spyOn(session, 'enqueue');
  announcer.close();
  announcer.joined(['robin']);
  // Timers of one length run out in the order in which they were set.
  await sleep(0);
  expect(enqueue).not.toHaveBeenCalled();
});

describe('without consent', () => {
  /** How many packets are decrypted, with the keys of the connection or of the group. */
  function countDecryptions(heard: Heard): () => number {
    const decipher = vi.spyOn(crypto, 'createDecipheriv');
    syncBuiltinESMExports();
    onTestFinished(() => {
      decipher.mockRestore();
      syncBuiltinESMExports();
    });
    const session = networkingOf(heard).dave?.session;
    const frames = vi.spyOn(session as NonNullable<typeof session>, 'decrypt');
    return () => decipher.mock.calls.length + frames.mock.calls.length;
  }

  it('nothing of a loud member is decrypted, or counted but as arrived', async () => {
    const heard = await openHeard(['Robin', 'Sam']);
    heard.agreed.delete(idOf(heard.members, 'Sam'));
    const decryptions = countDecryptions(heard);
    await heard.speak('Sam', [0, 200]);
    await expect.poll(() => heard.hearing.stats().get(idOf(heard.members, 'Sam'))?.arrived).toBe(205);
    expect(decryptions()).toBe(0);
    expect(heard.sounds).toEqual([]);
    expect(heard.hearing.stats().get(idOf(heard.members, 'Sam'))).toEqual({ arrived: 205, decrypted: 0, failed: 0, concealed: 0, late: 0 });
    // The counter counts.
    await heard.speak('Robin', [0, 5]);
    await expect.poll(() => heard.hearing.stats().get(idOf(heard.members, 'Robin'))?.decrypted).toBe(10);
    // All of them once, and those that are sound once more.
    expect(decryptions()).toBe(10 + 5);
  });

  it('nothing of an SSRC without a name is decrypted, nor when the name turns out not to have agreed; it is wiped then, or after 2 s', async () => {
    const heard = await openHeard(['Robin', 'Sam']);
    const arrived: { ssrc: number; datagram: Buffer }[] = [];
    networkingOf(heard).udp.on('message', (datagram) => {
      if (datagram[1] === 120) arrived.push({ ssrc: datagram.readUInt32BE(8), datagram });
    });
    const isWiped = ({ datagram }: { datagram: Buffer }) => datagram.every((byte) => byte === 0);
    heard.agreed.delete(idOf(heard.members, 'Sam'));
    for (const name of ['Robin', 'Sam'] as const) setFaults(heard, name, { announcedAfter: Number.POSITIVE_INFINITY });
    const decryptions = countDecryptions(heard);
    await heard.speak('Robin', [0, 20]);
    // Otherwise, some of Robin's may be the last.
    await expect.poll(() => arrived.length).toBe(25);
    await heard.speak('Sam', [0, 20]);
    await expect.poll(() => arrived.length).toBe(50);
    const [ofRobin, ofSam] = [arrived.at(0), arrived.at(-1)].map((one) => arrived.filter(({ ssrc }) => ssrc === one?.ssrc)) as [
      typeof arrived,
      typeof arrived,
    ];
    setFaults(heard, 'Sam', {});
    await heard.speak('Sam', [20, 10]);
    await expect.poll(() => heard.hearing.stats().get(idOf(heard.members, 'Sam'))?.arrived ?? 0).toBeGreaterThan(0);
    await expect.poll(() => ofSam.every(isWiped)).toBe(true);
    await expect.poll(() => arrived.length).toBe(65);
    expect(decryptions()).toBe(0);
    expect(heard.sounds).toEqual([]);
    expect(ofRobin.some(isWiped)).toBe(false);
    controlClock()(2_001);
    await expect.poll(() => ofRobin.every(isWiped)).toBe(true);
    setFaults(heard, 'Robin', {});
    await heard.speak('Robin', [20, 5]);
    await heard.until(() => heard.numbers('Robin').includes(24));
    expect(heard.numbers('Robin')).toEqual(range(20, 5));
  });

  it('only the last hundred packets of an SSRC are kept until it has a name', async () => {
    const heard = await openHeard();
    setFaults(heard, 'Robin', { announcedAfter: Number.POSITIVE_INFINITY });
    let arrived = 0;
    networkingOf(heard).udp.on('message', (datagram) => {
      if (isSound(datagram)) arrived += 1;
    });
    await heard.speak('Robin', [0, 145]);
    await expect.poll(() => arrived).toBe(150);
    setFaults(heard, 'Robin', {});
    await heard.speak('Robin', [145, 5]);
    await heard.until(() => heard.numbers('Robin').includes(149));
    // Those that arrive beside the name, five packets and five of silence, may replace as many.
    expect(heard.numbers('Robin')).toEqual(expect.arrayContaining(range(60, 90)));
    expect(heard.numbers('Robin').length).toBeLessThanOrEqual(100);
  });

  it('what is said after consent was withdrawn is not heard, and what was waiting is wiped', async () => {
    const heard = await openHeard();
    const userId = idOf(heard.members, 'Robin');
    await heard.speak('Robin', [0, 5]);
    await expect.poll(() => heard.hearing.stats().get(userId)?.decrypted).toBe(10);
    expect(heard.numbers('Robin')).toHaveLength(5);
    const arrived = new Promise<void>((resolve) => {
      networkingOf(heard).udp.on('message', (datagram) => {
        if (isSound(datagram)) resolve();
      });
    });
    // The sixth never comes, so that those after it wait.
    setFaults(heard, 'Robin', { loss: 1 });
    heard.members.get('Robin')?.microphone.send(numberedFrames(1, 5)[0] as Buffer);
    setFaults(heard, 'Robin', {});
    heard.members.get('Robin')?.microphone.send(numberedFrames(1, 6)[0] as Buffer);
    await arrived;
    // It waits for a tenth of a second from now on.
    while (heard.hearing.stats().get(userId)?.arrived !== 11) await nextTurn();
    heard.agreed.delete(userId);
    heard.hearing.forget(userId);
    await heard.speak('Robin', [7, 20]);
    await expect.poll(() => heard.hearing.stats().get(userId)?.arrived).toBe(36);
    expect(heard.numbers('Robin')).toEqual(range(0, 5));
    heard.agreed.set(userId, performance.now());
    await hearAgain(heard, 'Robin', 27);
    expect(new Set(heard.numbers('Robin'))).toEqual(new Set([...range(0, 5), 27]));
  });

  it('what arrives before a member agrees is not heard after that', async () => {
    const heard = await openHeard();
    const userId = idOf(heard.members, 'Robin');
    heard.agreed.delete(userId);
    await heard.speak('Robin', [0, 5]);
    await expect.poll(() => heard.hearing.stats().get(userId)?.arrived).toBe(10);
    whenSoundArrives(heard, () => heard.agreed.set(userId, performance.now()));
    heard.members.get('Robin')?.microphone.send(numberedFrames(1, 5)[0] as Buffer);
    await expect.poll(() => heard.hearing.stats().get(userId)?.arrived).toBe(11);
    await hearAgain(heard, 'Robin', 6);
    expect(heard.numbers('Robin')).not.toContain(5);
  });

  it('what was said by an SSRC without a name before its member agreed is not heard when the name comes after that', async () => {
    const heard = await openHeard();
    const userId = idOf(heard.members, 'Robin');
    heard.agreed.delete(userId);
    setFaults(heard, 'Robin', { announcedAfter: Number.POSITIVE_INFINITY });
    let arrived = 0;
    networkingOf(heard).udp.on('message', (datagram) => {
      if (isSound(datagram)) arrived += 1;
    });
    await heard.speak('Robin', [0, 30]);
    await expect.poll(() => arrived).toBe(35);
    const decryptions = countDecryptions(heard);
    heard.agreed.set(userId, performance.now());
    const agreedAfter = arrived;
    setFaults(heard, 'Robin', {});
    await hearAgain(heard, 'Robin', 30);
    expect(new Set(heard.numbers('Robin'))).toEqual(new Set([30]));
    // Each packet of sound twice: with the keys of the connection, and those of the group.
    expect(decryptions()).toBeLessThanOrEqual(2 * (arrived - agreedAfter));
  });

  it('a member who claims another’s SSRC lends them no agreement', async () => {
    const heard = await openHeard(['Robin', 'Sam']);
    heard.agreed.delete(idOf(heard.members, 'Sam'));
    const decryptions = countDecryptions(heard);
    const { udp, ws } = networkingOf(heard);
    await heard.speak('Sam', [0, 5]);
    await expect.poll(() => heard.hearing.stats().get(idOf(heard.members, 'Sam'))?.arrived).toBe(10);
    // With each packet: Sam’s client says again whose it is whenever Sam begins to speak.
    udp.on('message', (datagram) => {
      if (!isSound(datagram)) return;
      ws.emit('packet', { op: 5, d: { user_id: idOf(heard.members, 'Robin'), ssrc: datagram.readUInt32BE(8), speaking: 1 } });
    });
    await heard.speak('Sam', [5, 20]);
    await expect.poll(() => heard.hearing.stats().get(idOf(heard.members, 'Sam'))?.arrived).toBe(35);
    expect([decryptions(), heard.sounds]).toEqual([0, []]);
  });

  it('other bots are never heard', async () => {
    const heard = await openHeard(['Robin', 'Sam']);
    const sam = heard.fixture.client.users.cache.get(idOf(heard.members, 'Sam'));
    Object.assign(sam as object, { bot: true });
    await heard.speak('Sam', [0, 10]);
    await heard.speak('Robin', [0, 10]);
    await heard.until(() => heard.numbers('Robin').length === 10);
    expect(heard.numbers('Sam')).toEqual([]);
    expect(heard.hearing.stats().has(idOf(heard.members, 'Sam'))).toBe(false);
  });
});

describe('when the call changes', () => {
  it('misses nothing when others join and leave', async () => {
    const heard = await openHeard();
    const stop = speakOn(heard, 'Robin');
    await heard.until(() => heard.numbers('Robin').length > 5);
    const sam = await heard.fixture.listen('Sam');
    const bots = [1, 2].map((number) =>
      joinAsBot(heard.fixture.discord.voice, {
        guildId: heard.fixture.lounge.guildId,
        channelId: heard.fixture.lounge.id,
        userId: `10900000000000001${number}`,
      }),
    );
    await Promise.all(bots.map((bot) => bot.ready()));
    for (const bot of bots) bot.leave();
    await sam.member.call('join_voice', { channel_id: null });
    const count = await stop();
    await heard.until(() => heard.numbers('Robin').includes(count - 1));
    expect(heard.numbers('Robin')).toEqual(range(0, count));
  });

  it('hears the last thing that a member says before leaving', async () => {
    const heard = await openHeard(['Robin', 'Sam']);
    await heard.speak('Robin', [0, 5]);
    await heard.until(() => heard.numbers('Robin').length === 5);
    const { ws } = networkingOf(heard);
    // The voice gateway may be faster than the packets.
    whenSoundArrives(heard, () => ws.emit('packet', { op: 13, d: { user_id: idOf(heard.members, 'Robin') } }));
    heard.members.get('Robin')?.microphone.send(numberedFrames(1, 5)[0] as Buffer);
    await heard.until(() => heard.numbers('Robin').includes(5));
    expect(heard.numbers('Robin')).toEqual(range(0, 6));
  });

  it('hears a member who leaves and returns, with another SSRC', async () => {
    const heard = await openHeard(['Robin', 'Sam']);
    await heard.speak('Sam', [0, 10]);
    await heard.until(() => heard.numbers('Sam').length === 10);
    await heard.members.get('Sam')?.call('join_voice', { channel_id: null });
    await heard.members.get('Sam')?.call('join_voice', { channel_id: heard.fixture.lounge.id });
    await hearAgain(heard, 'Sam', 10);
    await heard.speak('Sam', [11, 10]);
    await heard.until(() => heard.numbers('Sam').includes(20));
    expect(heard.unheard).toEqual([]);
  });

  it('hears what is said while encryption is off, and after it is on again', async () => {
    const heard = await openHeard();
    const { discord, lounge } = heard.fixture;
    const stop = speakOn(heard, 'Robin');
    await heard.until(() => heard.numbers('Robin').length > 5);
    for (const encrypted of [false, true]) {
      discord.voice.faults.setEncrypted(lounge.guildId, lounge.id, encrypted);
      await expect.poll(() => heard.session.state).toMatchObject({ encrypted });
      const before = heard.numbers('Robin').length;
      await heard.until(() => heard.numbers('Robin').length > before + 10);
    }
    const count = await stop();
    await heard.until(() => heard.numbers('Robin').includes(count - 1));
    expect(heard.numbers('Robin')).toEqual(range(0, count));
  });

  it('takes unencrypted packets for nothing while the call is encrypted', async () => {
    const heard = await openHeard();
    setFaults(heard, 'Robin', { seed: 28, unencrypted: 0.3 });
    await heard.speak('Robin', [0, 60]);
    const statsOf = () => heard.hearing.stats().get(idOf(heard.members, 'Robin'));
    // The first ones wait for a moment after they have arrived.
    await expect.poll(() => (statsOf()?.decrypted ?? 0) + (statsOf()?.failed ?? 0)).toBe(65);
    const { failed = 0 } = statsOf() ?? {};
    expect(failed).toBeGreaterThan(5);
    expect(heard.numbers('Robin')).toHaveLength(60 - failed);
  });

  it('survives datagrams that are damaged, or nobody knows what', async () => {
    const heard = await openHeard();
    await heard.speak('Robin', [0, 10]);
    await heard.until(() => heard.numbers('Robin').length === 10);
    const { udp } = networkingOf(heard);
    const taken: Buffer[] = [];
    udp.on('message', (datagram) => {
      if (isSound(datagram)) taken.push(datagram);
    });
    await heard.speak('Robin', [10, 1]);
    await heard.until(() => heard.numbers('Robin').includes(10));
    const [whole] = taken as [Buffer];
    for (let length = 0; length < whole.length; length++) udp.emit('message', whole.subarray(0, length));
    for (let at = 0; at < whole.length; at++) {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] as number) ^ 0x55;
      udp.emit('message', damaged);
    }
    await heard.speak('Robin', [11, 10]);
    await heard.until(() => heard.numbers('Robin').includes(20));
    expect(heard.numbers('Robin')).toEqual(range(0, 21));
    expect(heard.hearing.stats().get(idOf(heard.members, 'Robin'))?.failed).toBeGreaterThan(30);
  });
});

describe('when the connection changes', () => {
  it('goes on undeafened after the voice gateway was closed in any way, and in another region', async () => {
    const heard = await openHeard();
    const { client, discord, lounge } = heard.fixture;
    await hearAgain(heard, 'Robin', 0);
    const breaks = [
      ...[4006, 4015, null].map((code) => () => discord.voice.faults.closeGateway(lounge.guildId, client.user.id, code)),
      () => discord.changeVoiceServer(),
    ];
    for (const [index, breakIt] of breaks.entries()) {
      await breakIt();
      await hearAgain(heard, 'Robin', 100 * index + 100);
      await expect.poll(() => heard.session.state).toMatchObject({ status: 'ready', encrypted: true });
      await heard.speak('Robin', [100 * index + 101, 10]);
      await heard.until(() => heard.numbers('Robin').includes(100 * index + 110));
    }
    expect(selfDeafOf(heard)).toBe(false);
    expect(heard.ended).toEqual([]);
  });

  it('ends when a moderator moves the bot, which goes on deafened in the other channel, and when one disconnects it', async () => {
    const heard = await openHeard();
    const { client, discord, workshop } = heard.fixture;
    discord.moveUser(client.user.id, workshop.id);
    await expect.poll(() => heard.ended).toMatchObject([{ kind: 'kicked' }]);
    await expect.poll(() => selfDeafOf(heard)).toBe(true);
    expect(heard.session.hearing).toBeNull();
    expect(heard.session.channelId).toBe(workshop.id);
    await heard.session.ready;
    const ended: VoiceError[] = [];
    heard.session.hear({ heardSince: () => 0, onSound() {}, onUnheard() {}, onEnd: (cause) => void ended.push(cause) });
    discord.moveUser(client.user.id, null);
    await expect.poll(() => ended).toMatchObject([{ kind: 'kicked' }]);
    expect(() => heard.session.hear({ heardSince: () => 0, onSound() {}, onUnheard() {}, onEnd() {} })).toThrow('left');
  });

  it('ends when the bot leaves, and when the process does', async () => {
    const { session, fixture, ended } = await openHeard();
    session.leave();
    expect(ended).toMatchObject([{ kind: 'disconnected' }]);
    const again = fixture.sessions.join(fixture.lounge);
    again.hear({ heardSince: () => 0, onSound() {}, onUnheard() {}, onEnd: (cause) => void ended.push(cause) });
    await again.ready;
    await fixture.sessions.close();
    expect(ended).toMatchObject([{ kind: 'disconnected' }, { kind: 'closing' }]);
  });

  it('is neither idle nor available to another channel', async () => {
    const heard = await openHeard(['Robin'], { idleMs: 20 });
    const { sessions, workshop, lounge } = heard.fixture;
    expect(() => sessions.join(workshop)).toThrow(expect.objectContaining({ kind: 'hearing' }));
    await heard.speak('Robin', [0, 10], 1);
    await heard.until(() => heard.numbers('Robin').length === 10);
    expect(sessions.get(lounge.guildId)).toBe(heard.session);
    heard.hearing.stop();
    await expect.poll(() => sessions.get(lounge.guildId)).toBeUndefined();
    expect(heard.ended).toEqual([]);
  });
});

describe('a speaker whose packets cannot be decrypted', () => {
  const failingMs = 100;

  it('makes the bot join again, not more than once in five minutes, and is reported until a packet is decrypted', async () => {
    const undecryptable = vi.fn();
    const heard = await openHeard(['Robin', 'Sam'], { failingMs, observer: { joining() {}, enqueued() {}, undecryptable } });
    const { joins } = heard.fixture;
    const robin = idOf(heard.members, 'Robin');
    const fail = setInterval(() => heard.members.get('Robin')?.microphone.send(numberedFrames(1)[0] as Buffer), 2);
    onTestFinished(() => clearInterval(fail));
    setFaults(heard, 'Robin', { undecryptable: 1 });
    const before = joins.length;
    await expect.poll(() => undecryptable.mock.calls.map(([, consequence]) => consequence)).toEqual(['rejoined', 'unheard']);
    expect(heard.unheard).toEqual([[robin]]);
    expect(heard.hearing.unheard).toEqual([robin]);
    expect(joins.length).toBe(before + 1);
    await expect.poll(() => heard.session.state).toMatchObject({ status: 'ready', encrypted: true });
    // Somebody else is heard, and nobody joins again so soon.
    await hearAgain(heard, 'Sam', 7);
    const failures = () => heard.hearing.stats().get(robin)?.failed ?? 0;
    const failsAgain = async () => {
      const earlier = failures();
      await expect.poll(failures).toBeGreaterThan(earlier + 120);
    };
    await failsAgain();
    expect(joins.length).toBe(before + 1);
    const passTime = controlClock();
    passTime(4 * 60_000);
    await failsAgain();
    expect(joins.length).toBe(before + 1);
    passTime(60_000);
    await expect.poll(() => joins.length).toBe(before + 2);
    await expect.poll(() => heard.session.state).toMatchObject({ status: 'ready', encrypted: true });
    expect(selfDeafOf(heard)).toBe(false);
    setFaults(heard, 'Robin', {});
    await expect.poll(() => heard.unheard).toEqual([[robin], []]);
    expect(heard.hearing.unheard).toEqual([]);
  });

  /** Robin can't be heard while the bot speaks. */
  async function failWhileSpeaking() {
    const heard = await openHeard(['Robin'], { failingMs });
    const packets = await speechOf(20);
    const { promise, resolve: endSpeaking } = Promise.withResolvers<void>();
    const playback = say(heard.session, async function* () {
      yield* packets;
      await promise;
    });
    await playback.started;
    const before = heard.fixture.joins.length;
    setFaults(heard, 'Robin', { undecryptable: 1 });
    const speaking = setInterval(() => heard.members.get('Robin')?.microphone.send(numberedFrames(1)[0] as Buffer), 2);
    onTestFinished(() => clearInterval(speaking));
    await expect.poll(() => heard.unheard).toEqual([[idOf(heard.members, 'Robin')]]);
    return { heard, playback, endSpeaking, speaking, rejoins: () => heard.fixture.joins.length - before };
  }

  it('does not make the bot join again before it has finished speaking', async () => {
    const { playback, endSpeaking, rejoins } = await failWhileSpeaking();
    expect(rejoins()).toBe(0);
    endSpeaking();
    expect(await playback.finished).toEqual({ ended: 'played', seconds: 0.4 });
    await expect.poll(rejoins).toBe(1);
  });

  it('does not make the bot join again if it is heard by the time that it may', async () => {
    const { heard, playback, endSpeaking, speaking, rejoins } = await failWhileSpeaking();
    setFaults(heard, 'Robin', {});
    await expect.poll(() => heard.unheard.at(-1)).toEqual([]);
    clearInterval(speaking);
    endSpeaking();
    await playback.finished;
    await hearAgain(heard, 'Robin', 1);
    await hearAgain(heard, 'Robin', 2);
    expect(rejoins()).toBe(0);
  });

  it('is not mended by silence, which nobody encrypts', async () => {
    const heard = await openHeard(['Robin'], { failingMs });
    const frames = [SILENCE, numberedFrames(1)[0] as Buffer];
    let sent = 0;
    const fail = setInterval(() => {
      setFaults(heard, 'Robin', { undecryptable: sent % 10 === 0 ? 0 : 1 });
      heard.members.get('Robin')?.microphone.send(frames[sent % 10 === 0 ? 0 : 1] as Buffer);
      sent += 1;
    }, 2);
    onTestFinished(() => clearInterval(fail));
    await expect.poll(() => heard.unheard).toEqual([[idOf(heard.members, 'Robin')]]);
  });
});
