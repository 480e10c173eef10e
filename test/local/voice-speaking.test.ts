// Members of the local voice server who speak, as the real @discordjs/voice and other members hear them, and what tests do to their packets.
import { EndBehaviorType } from '@discordjs/voice';
import { VoiceOpcodes } from 'discord-api-types/voice/v8';
import { expect, test } from 'vitest';
import { saySpeech } from '../../src/local/discord/member/speech.ts';
import { SILENCE } from '../../src/local/discord/voice/rtp.ts';
import type { Listener, SpeakerFaults } from '../../src/local/discord/voice/types.ts';
import {
  ADA,
  BEN,
  CLEAN,
  createReceiver,
  GUILD,
  numberedFrames,
  numberOf,
  range,
  useVoiceServer,
  type VoiceBot,
} from '../helpers/voice-server.ts';
import { createWaiter } from '../helpers/waiter.ts';

const fixture = useVoiceServer();
const { join, listen } = fixture;

interface Datagram {
  first: number;
  type: number;
  sequence: number;
  timestamp: number;
  ssrc: number;
  length: number;
}

/**
 * What a bot gets of Ada: datagrams as they come, opcode 5, and the frames that its library hands on. That fails on what a header may have
 * besides, so it needn't listen.
 */
function hearAda(bot: VoiceBot, hearsFrames: boolean) {
  const { state } = bot.connection as unknown as {
    state: { networking: { state: { udp: NodeJS.EventEmitter; ws: NodeJS.EventEmitter } } };
  };
  const { udp, ws } = state.networking.state;
  const waiter = createWaiter();
  const heard = { datagrams: [] as Datagram[], announced: [] as { user_id: string; ssrc: number; at: number }[], frames: [] as number[] };
  udp.on('message', (bytes: Buffer) => {
    if (bytes.length <= 12) return; // a keep-alive
    heard.datagrams.push({
      first: bytes.readUInt8(0),
      type: bytes.readUInt8(1),
      sequence: bytes.readUInt16BE(2),
      timestamp: bytes.readUInt32BE(4),
      ssrc: bytes.readUInt32BE(8),
      length: bytes.length,
    });
    waiter.notify();
  });
  ws.on('packet', ({ op, d }: { op: number; d: { user_id: string; ssrc: number } }) => {
    if (op === VoiceOpcodes.Speaking) heard.announced.push({ ...d, at: heard.datagrams.length });
    waiter.notify();
  });
  if (hearsFrames)
    bot.connection.receiver.subscribe(ADA, { end: { behavior: EndBehaviorType.Manual } }).on('data', (opus: Buffer) => {
      if (opus.length > 3) heard.frames.push(numberOf(opus));
      waiter.notify();
    });
  const sound = () => heard.datagrams.filter(({ type }) => type === 120);
  const until = (reached: () => boolean) =>
    waiter.until(
      () => reached() || undefined,
      () => `what Ada says; there are ${heard.datagrams.length} datagrams and the frames ${heard.frames.join(', ')}`,
    );
  return { ...heard, sound, until };
}

/** A bot that is in the group with Ada. */
async function joinAda({ hearsFrames = true } = {}) {
  const ada = listen();
  const bot = join();
  await bot.ready();
  await bot.privacyCode();
  return { ada, bot, heard: hearAda(bot, hearsFrames) };
}

/** Likewise, once the SSRC has a name: the library drops what comes before that. */
async function introduceAda() {
  const joined = await joinAda();
  joined.ada.send(SILENCE);
  await joined.heard.until(() => joined.heard.announced.length > 0);
  return joined;
}

/** Two members without a bot, once what one says reaches the other. */
async function joinBoth(): Promise<{ ada: Listener; ben: Listener }> {
  const ada = listen();
  const ben = listen(BEN);
  const receiver = createReceiver(ben);
  await expect.poll(() => ada.voicePrivacyCode() !== '' && ada.voicePrivacyCode() === ben.voicePrivacyCode(), { interval: 5 }).toBe(true);
  for (const frame of numberedFrames(1)) ada.send(frame);
  await receiver.heard(0);
  return { ada, ben };
}

test('a bot hears a member, encrypted by the member of the group, in packets like those of a client', async () => {
  const { ada, heard } = await introduceAda();
  const frames = numberedFrames(10);
  await saySpeech(ada, frames.slice(0, 5), { speed: 50 });
  ada.pause(2000);
  await saySpeech(ada, frames.slice(5), { speed: Infinity });
  await heard.until(() => heard.datagrams.length === 21 && heard.announced.length === 2);

  expect(heard.frames).toEqual(range(0, 9));
  const [, ...datagrams] = heard.datagrams;
  const [ssrc] = new Set(datagrams.map((datagram) => datagram.ssrc));
  // Once for each time that she speaks.
  expect(heard.announced).toMatchObject([
    { user_id: ADA, ssrc },
    { user_id: ADA, ssrc },
  ]);
  const { sequence = 0, timestamp = 0 } = datagrams[0] ?? {};
  expect(datagrams.map((one) => (one.sequence - sequence) & 0xffff)).toEqual(range(0, 19));
  const times = datagrams.map((one) => (one.timestamp - timestamp) >>> 0);
  expect(times.slice(0, 10)).toEqual(range(0, 9).map((index) => index * 960));
  // Five frames of speech, five of silence, and the pause.
  expect((times[10] ?? 0) - (times[9] ?? 0)).toBeGreaterThanOrEqual(960 + 2000 * 48);
  expect((times[19] ?? 0) - (times[10] ?? 0)).toBe(9 * 960);
});

test('sequence numbers, timestamps and SSRCs are different each time that a member joins', async () => {
  const { ada, heard } = await introduceAda();
  ada.leave();
  listen().send(SILENCE);
  await heard.until(() => heard.datagrams.length === 2);
  const [before, after] = heard.datagrams;
  expect(before?.ssrc).not.toBe(after?.ssrc);
  expect([before?.sequence, before?.timestamp]).not.toEqual([after?.sequence, after?.timestamp]);
});

test('members hear each other, and see who speaks', async () => {
  const { ada, ben } = await joinBoth();
  const receiver = createReceiver(ben);
  const speaking = new Promise<string>((resolve) => ben.onSpeaking((event) => event.speaking && resolve(event.user_id)));
  await Promise.all([saySpeech(ada, numberedFrames(10, 1), { speed: 10 }), receiver.heard(10)]);
  expect(await speaking).toBe(ADA);
  expect(receiver.frames).toEqual(range(1, 10));
  expect(ben.stats()).toMatchObject(CLEAN);
});

test('nothing that a member says is lost when others join and leave', async () => {
  const { ada, heard } = await introduceAda();
  const said = saySpeech(ada, numberedFrames(60), { speed: 1 });
  await heard.until(() => heard.frames.length > 5);
  const ben = listen(BEN);
  await heard.until(() => heard.frames.length > 30);
  ben.leave();
  await said;
  await heard.until(() => heard.frames.length === 60);
  expect(heard.frames).toEqual(range(0, 59));
});

test('a member is heard unencrypted only while encryption is off', async () => {
  const { ada, heard, bot } = await introduceAda();
  for (const [isOn, number] of [
    [false, 0],
    [true, 1],
  ] as const) {
    const transitioned = new Promise((resolve) => bot.connection.once('transitioned', resolve));
    fixture.server.faults.setEncrypted(GUILD, bot.connection.joinConfig.channelId as string, isOn);
    await transitioned;
    if (isOn) await bot.privacyCode();
    for (const frame of numberedFrames(1, number)) ada.send(frame);
    await heard.until(() => heard.frames.includes(number));
  }
  const [, off, on] = heard.datagrams;
  // Twelve bytes of header, four of the extension and four of its body, the frame, and the trailer; then DAVE's own.
  expect(off?.length).toBe(12 + 4 + 4 + 40 + 20);
  expect(on?.length).toBeGreaterThan(off?.length ?? 0);
});

test('a member who may not speak is not heard, and time goes on', async () => {
  const { ada, heard } = await introduceAda();
  const [before, during, after] = numberedFrames(3) as [Buffer, Buffer, Buffer];
  ada.send(before);
  fixture.server.suppress(GUILD, ADA, true);
  ada.send(during);
  fixture.server.suppress(GUILD, ADA, false);
  ada.send(after);
  await heard.until(() => heard.frames.includes(2));
  expect(heard.frames).toEqual([0, 2]);
  const [, first, second] = heard.datagrams;
  expect([second?.sequence, second?.timestamp]).toEqual([((first?.sequence ?? 0) + 1) & 0xffff, ((first?.timestamp ?? 0) + 1920) >>> 0]);
});

test('lost, doubled and reordered packets are the same for the same seed', async () => {
  const { ada, heard } = await joinAda({ hearsFrames: false });
  const say = async (faults: SpeakerFaults): Promise<number[]> => {
    const before = heard.datagrams.length;
    // One that no fault touches, those with faults, and another one.
    for (const [count, which] of [
      [1, {}],
      [100, faults],
      [1, {}],
    ] as const) {
      fixture.server.faults.speakers.set(ADA, which);
      for (const frame of numberedFrames(count)) ada.send(frame);
    }
    const sequences = () =>
      heard.datagrams.slice(before).map(({ sequence }) => (sequence - (heard.datagrams[before]?.sequence ?? 0)) & 0xffff);
    await heard.until(() => sequences().includes(101));
    return sequences();
  };
  const sequences = await say({ seed: 28, loss: 0.1, duplicated: 0.1, reordered: 0.1 });
  expect(await say({ seed: 28, loss: 0.1, duplicated: 0.1, reordered: 0.1 })).toEqual(sequences);
  expect(await say({ seed: 29, loss: 0.1, duplicated: 0.1, reordered: 0.1 })).not.toEqual(sequences);
  const different = new Set(sequences);
  expect(different.size).toBeGreaterThan(80);
  expect(different.size).toBeLessThan(98);
  expect(sequences.length).toBeGreaterThan(different.size);
  expect(sequences.some((sequence, index) => sequence < (sequences[index - 1] ?? 0))).toBe(true);
  expect(await say({})).toEqual(range(0, 101));
});

test('with jitter all packets arrive, in another order', async () => {
  const { ada, ben } = await joinBoth();
  const receiver = createReceiver(ben);
  const all = new Promise<void>((resolve) => ben.onHeard(() => receiver.frames.length === 50 && resolve()));
  fixture.server.faults.speakers.set(ADA, { seed: 28, jitterMs: 40 });
  for (const frame of numberedFrames(50)) ada.send(frame);
  await all;
  expect(receiver.frames).not.toEqual(range(0, 49));
  expect(receiver.frames.toSorted((a, b) => a - b)).toEqual(range(0, 49));
  expect(ben.stats()).toMatchObject(CLEAN);
});

test.each([
  [10, [10]],
  [Infinity, []],
])('opcode 5 comes after %d packets', async (announcedAfter, expected) => {
  const { ada, heard } = await joinAda({ hearsFrames: false });
  fixture.server.faults.speakers.set(ADA, { announcedAfter });
  for (const frame of numberedFrames(20)) {
    ada.send(frame);
    await heard.until(() => heard.datagrams.length > numberOf(frame));
  }
  await heard.until(() => heard.announced.length === expected.length);
  // The message takes another way than the packets, so that the next one may be there before it.
  for (const [index, at] of expected.entries()) expect(heard.announced[index]?.at).toBeGreaterThanOrEqual(at);
  expect(heard.announced).toHaveLength(expected.length);
});

test('frames that are not encrypted, or that nobody can decrypt, are counted as such', async () => {
  const { ada, ben } = await joinBoth();
  const before = ben.stats();
  const all = (faults: SpeakerFaults) => {
    fixture.server.faults.speakers.set(ADA, faults);
    for (const frame of numberedFrames(10)) ada.send(frame);
  };
  all({ unencrypted: 1 });
  all({});
  all({ undecryptable: 1 });
  expect(ben.stats()).toEqual({
    ...{ packets: before.packets + 30, decrypted: before.decrypted + 10, plaintext: 10, undecryptable: 10 },
    ...{ early: 0, silence: 0, lost: 0 },
  });
});

test('RTCP and video come beside the sound, and packets of other lengths with other headers', async () => {
  const { ada, heard } = await joinAda({ hearsFrames: false });
  fixture.server.faults.speakers.set(ADA, { reports: true, video: true, layout: { csrcs: 2, padding: 7 } });
  const [long, stereo, last] = numberedFrames(3) as [Buffer, Buffer, Buffer];
  long[0] = (3 << 3) | 0; // SILK, 60 ms
  stereo[0] = (31 << 3) | 4; // CELT, 20 ms, stereo
  for (const frame of [long, stereo, last]) ada.send(frame);
  await heard.until(() => heard.datagrams.length === 15);
  expect(heard.datagrams.map(({ type }) => type).toSorted()).toEqual([101, 102, 120, 200, 201].flatMap((type) => [type, type, type]));
  const [first, second, third] = heard.sound();
  expect([second?.timestamp, third?.timestamp]).toEqual([
    ((first?.timestamp ?? 0) + 2880) >>> 0,
    ((first?.timestamp ?? 0) + 2880 + 960) >>> 0,
  ]);
  expect(heard.sound().map((one) => one.first)).toEqual([0xb2, 0xb2, 0xb2]);
  const video = heard.datagrams.filter(({ type }) => type === 101 || type === 102).map(({ ssrc }) => ssrc);
  expect(video).not.toContain(first?.ssrc);
});
