// The local voice server with the real @discordjs/voice: transport, listeners and faults. For DAVE see voice-dave.test.ts.

import { once } from 'node:events';
import { entersState, VoiceConnectionDisconnectReason, VoiceConnectionStatus } from '@discordjs/voice';
import { expect, test } from 'vitest';
import WebSocket from 'ws';
import {
  ADA,
  BOT,
  CLEAN,
  createReceiver,
  GUILD,
  numberedFrames,
  OTHER_BOT,
  OTHER_CHANNEL,
  range,
  receiveFrames,
  useVoiceServer,
  type VoiceBot,
} from '../helpers/voice-server.ts';
import { WAIT_MS } from '../helpers/waiter.ts';

const fixture = useVoiceServer();
const { join, listen } = fixture;

test('a listener hears every frame of a bot, in order, end-to-end encrypted', async () => {
  const ada = listen();
  const receiver = createReceiver(ada);
  const bot = join();
  await bot.ready();
  expect(await bot.privacyCode()).toBe(ada.voicePrivacyCode());
  await Promise.all([bot.play(numberedFrames(30)), receiver.heard(29)]);
  expect(receiver.frames).toEqual(range(0, 29));
  expect(ada.stats()).toMatchObject({ ...CLEAN, decrypted: 30 });
});

test('two bots hear each other', async () => {
  const [bot, other] = [join(), join({ userId: OTHER_BOT })];
  await Promise.all([bot.ready(), other.ready()]);
  expect(await settledCode([bot, other])).toBeTruthy();
  // The library drops what comes before its sender has a name, which takes another way.
  for (const one of [bot, other]) one.connection.setSpeaking(true);
  const knows = ({ connection }: VoiceBot, userId: string) => connection.receiver.ssrcMap.get(userId) !== undefined;
  await expect.poll(() => knows(bot, OTHER_BOT) && knows(other, BOT)).toBe(true);
  const [atBot, atOther] = [receiveFrames(bot, OTHER_BOT, 20), receiveFrames(other, BOT, 20)];
  await Promise.all([bot.play(numberedFrames(25)), other.play(numberedFrames(25, 100))]);
  expect(await atOther).toEqual(range(0, 19));
  expect(await atBot).toEqual(range(100, 119));
});

test('a bot is shown as speaking while its packets arrive', async () => {
  const ada = listen();
  const events: string[] = [];
  const quiet = new Promise<void>((resolve) => {
    ada.onSpeaking(({ user_id, speaking }) => {
      events.push(`${user_id} ${speaking}`);
      if (!speaking) resolve();
    });
  });
  const bot = join();
  await bot.ready();
  await bot.privacyCode();
  await bot.play(numberedFrames(10));
  await quiet;
  expect(events).toEqual([`${BOT} true`, `${BOT} false`]);
});

test('a bot that resumes receives the group’s changes that it missed', async () => {
  const ada = listen();
  const bot = join();
  await bot.ready();
  const before = await bot.privacyCode();
  fixture.server.faults.closeGateway(GUILD, BOT, null);
  const ben = listen('1090000000000000021');
  expect(await bot.privacyCode(before)).toBe(ben.voicePrivacyCode());
  const receiver = createReceiver(ben);
  await Promise.all([bot.play(numberedFrames(10)), receiver.heard(9)]);
  expect(ada.stats()).toMatchObject({ ...CLEAN, decrypted: 10 });
  expect(bot.sent.count).toBe(1);
});

test('an expelled bot is closed with 4014 and does not return by itself', async () => {
  const bot = join();
  await bot.ready();
  fixture.server.expel(GUILD, BOT);
  await entersState(bot.connection, VoiceConnectionStatus.Disconnected, WAIT_MS);
  expect(bot.connection.state).toMatchObject({ reason: VoiceConnectionDisconnectReason.WebSocketClose, closeCode: 4014 });
});

test('a bot that moves is heard in the new channel and no longer in the first', async () => {
  const [ada, ben] = [listen(), listen('1090000000000000021', OTHER_CHANNEL)];
  const receiver = createReceiver(ben);
  const bot = join();
  await bot.ready();
  await bot.privacyCode();
  bot.move(OTHER_CHANNEL);
  await entersState(bot.connection, VoiceConnectionStatus.Connecting, WAIT_MS);
  await bot.ready();
  expect(await bot.privacyCode()).toBe(ben.voicePrivacyCode());
  await Promise.all([bot.play(numberedFrames(10)), receiver.heard(9)]);
  expect(ada.stats().packets).toBe(0);
  expect(ben.stats()).toMatchObject(CLEAN);
});

test('dropped UDP is counted as lost packets', async () => {
  const ada = listen();
  const receiver = createReceiver(ada);
  const bot = join();
  await bot.ready();
  await bot.privacyCode();
  await Promise.all([bot.play(numberedFrames(5)), receiver.heard(4)]);
  fixture.server.faults.dropUdp = true;
  await bot.play(numberedFrames(5, 100));
  fixture.server.faults.dropUdp = false;
  await Promise.all([bot.play(numberedFrames(5, 200)), receiver.heard(204)]);
  expect(receiver.frames).toEqual([...range(0, 4), ...range(200, 204)]);
  expect(ada.stats().lost).toBeGreaterThanOrEqual(5);
});

test('a listener that moves hears the other channel', async () => {
  listen();
  const bot = join({ channelId: OTHER_CHANNEL });
  await bot.ready();
  const ada = listen(ADA, OTHER_CHANNEL);
  const receiver = createReceiver(ada);
  expect(await bot.privacyCode()).toBe(ada.voicePrivacyCode());
  await Promise.all([bot.play(numberedFrames(10)), receiver.heard(9)]);
  expect(receiver.frames).toEqual(range(0, 9));
});

test('a page of a website cannot connect', async () => {
  const socket = new WebSocket(`wss://${fixture.server.endpoint}?v=8`, { ca: fixture.server.certificate, origin: 'https://example.com' });
  const [error] = await once(socket, 'error');
  expect(String(error)).toContain('401');
});

test('trust in the certificate can be withdrawn', async () => {
  fixture.distrust();
  const socket = new WebSocket(`wss://${fixture.server.endpoint}?v=8`);
  const [error] = await once(socket, 'error');
  expect(error.code).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
});

/** The privacy code on which all bots agree. */
async function settledCode(all: VoiceBot[]): Promise<string> {
  for (;;) {
    const codes = await Promise.all(all.map((bot) => bot.privacyCode()));
    const [first] = codes;
    if (first && codes.every((code) => code === first)) return first;
    await Promise.race(all.map((bot, index) => bot.privacyCode(codes[index])));
  }
}
