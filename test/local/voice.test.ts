// The local voice server with the real @discordjs/voice: transport, listeners and faults. For DAVE see voice-dave.test.ts.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { EndBehaviorType, entersState, VoiceConnectionDisconnectReason, VoiceConnectionStatus } from '@discordjs/voice';
import { expect, test } from 'vitest';
import WebSocket from 'ws';
import { startVoiceServer, trustCertificate } from '../../src/local/discord/voice/voice-server.ts';
import { joinAsBot, numberedFrames, numberOf, type VoiceBot } from '../helpers/voice-bot.ts';
import { createReceiver, range } from '../helpers/voice-receiver.ts';
import { ADA, BOT, CHANNEL, CLEAN, GUILD, OTHER_BOT, OTHER_CHANNEL, useVoiceServer } from '../helpers/voice-server.ts';
import { WAIT_MS } from '../helpers/waiter.ts';

const fixture = useVoiceServer();
const { join, listen } = fixture;

test('a listener hears every frame of a bot, in order, end-to-end encrypted', async () => {
  const ada = listen();
  const receiver = createReceiver(ada);
  const bot = join();
  await bot.ready();
  expect(await bot.privacyCode()).toBe(ada.voicePrivacyCode());
  await Promise.all([bot.play(numberedFrames(50)), receiver.heard(49)]);
  expect(receiver.frames).toEqual(range(0, 49));
  expect(ada.stats()).toMatchObject({ ...CLEAN, decrypted: 50 });
});

test('the xchacha20 mode works as well', async () => {
  const offering = await startVoiceServer({ modes: ['aead_xchacha20_poly1305_rtpsize'] });
  const distrustOffering = trustCertificate(offering.certificate);
  const ada = offering.listen({ guildId: GUILD, channelId: CHANNEL, userId: ADA });
  const bot = joinAsBot(offering, { guildId: GUILD, channelId: CHANNEL, userId: BOT });
  const other = joinAsBot(offering, { guildId: GUILD, channelId: CHANNEL, userId: OTHER_BOT });
  try {
    const receiver = createReceiver(ada);
    await Promise.all([bot.ready(), other.ready()]);
    await bot.privacyCode();
    const received = receive(other, BOT, 10);
    await Promise.all([bot.play(numberedFrames(30)), receiver.heard(29)]);
    expect(receiver.frames).toEqual(range(0, 29));
    expect(await received).toHaveLength(10);
  } finally {
    bot.leave();
    other.leave();
    await offering.close();
    distrustOffering();
  }
});

test('two bots hear each other', async () => {
  const [bot, other] = [join(), join({ userId: OTHER_BOT })];
  await Promise.all([bot.ready(), other.ready()]);
  expect(await settledCode([bot, other])).toBeTruthy();
  // The library drops what comes before its sender has a name, which takes another way.
  for (const one of [bot, other]) one.connection.setSpeaking(true);
  const knows = ({ connection }: VoiceBot, userId: string) => connection.receiver.ssrcMap.get(userId) !== undefined;
  await expect.poll(() => knows(bot, OTHER_BOT) && knows(other, BOT)).toBe(true);
  const [atBot, atOther] = [receive(bot, OTHER_BOT, 20), receive(other, BOT, 20)];
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

test('a listener who joins while a bot is speaking is told so', async () => {
  const receiver = createReceiver(listen());
  const bot = join();
  await bot.ready();
  await bot.privacyCode();
  const played = bot.play(numberedFrames(40));
  await receiver.heard(5);
  const speaking = new Promise((resolve) => listen('1090000000000000021').onSpeaking(resolve));
  expect(await speaking).toEqual({ user_id: BOT, speaking: true });
  await played;
});

test.each([
  ['a close with 4015', 4015],
  ['a broken TCP connection', null],
])('%s is resumed, and the sound continues', async (_, code) => {
  const ada = listen();
  const receiver = createReceiver(ada);
  const bot = join();
  await bot.ready();
  const privacyCode = await bot.privacyCode();
  const played = bot.play(numberedFrames(60));
  await receiver.heard(20);
  fixture.server.faults.closeGateway(GUILD, BOT, code);
  await Promise.all([played, receiver.heard(59)]);
  expect(bot.sent.count).toBe(1);
  expect(bot.connection.voicePrivacyCode).toBe(privacyCode);
  expect(ada.stats()).toMatchObject(CLEAN);
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

test('after a close with 4006 the bot rejoins and is heard again', async () => {
  const ada = listen();
  const receiver = createReceiver(ada);
  const bot = join();
  await bot.ready();
  const before = await bot.privacyCode();
  fixture.server.faults.closeGateway(GUILD, BOT, 4006);
  await entersState(bot.connection, VoiceConnectionStatus.Signalling, WAIT_MS);
  await bot.ready();
  expect(await bot.privacyCode(before)).toBe(ada.voicePrivacyCode());
  await Promise.all([bot.play(numberedFrames(10)), receiver.heard(9)]);
  expect(bot.sent.count).toBe(2);
  expect(ada.stats()).toMatchObject(CLEAN);
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

test('without a response to IP discovery the bot never becomes ready', async () => {
  let discoveries = 0;
  Object.defineProperty(fixture.server.faults, 'ignoreIpDiscovery', { get: () => discoveries++ === 0 });
  const bot = join();
  await expect.poll(() => discoveries).toBe(1);
  // One that asks later gets its answer.
  await join({ userId: OTHER_BOT }).ready();
  expect(bot.connection.state.status).toBe(VoiceConnectionStatus.Connecting);
  bot.connection.rejoin();
  await bot.ready();
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

test('a taken port is an error', async () => {
  const port = Number(fixture.server.endpoint.split(':')[1]);
  await expect(startVoiceServer({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

test('a process that closes the server exits by itself', async () => {
  const script = `
    import { startVoiceServer } from ${JSON.stringify(new URL('../../src/local/discord/voice/voice-server.ts', import.meta.url).href)};
    const server = await startVoiceServer();
    server.listen({ guildId: '1', channelId: '2', userId: '3' });
    await server.close();`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
});

/** The numbers of the first frames that a bot receives from another, through the library's receiver. */
async function receive(bot: VoiceBot, from: string, count: number): Promise<number[]> {
  const stream = bot.connection.receiver.subscribe(from, { end: { behavior: EndBehaviorType.Manual } });
  const frames: number[] = [];
  for await (const frame of stream) {
    if (frame.length <= 3) continue;
    frames.push(numberOf(frame));
    if (frames.length === count) break;
  }
  return frames;
}

/** The privacy code on which all bots agree. */
async function settledCode(all: VoiceBot[]): Promise<string> {
  for (;;) {
    const codes = await Promise.all(all.map((bot) => bot.privacyCode()));
    const [first] = codes;
    if (first && codes.every((code) => code === first)) return first;
    await Promise.race(all.map((bot, index) => bot.privacyCode(codes[index])));
  }
}
