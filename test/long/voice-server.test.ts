// The local voice server with the real @discordjs/voice: another cipher, lost connections, and a process that ends.

import { entersState, VoiceConnectionStatus } from '@discordjs/voice';
import { expect, test } from 'vitest';
import { startVoiceServer, trustCertificate } from '../../src/local/discord/voice/voice-server.ts';
import { startTestProcess } from '../helpers/program.ts';
import {
  ADA,
  BOT,
  CHANNEL,
  CLEAN,
  createReceiver,
  GUILD,
  joinAsBot,
  numberedFrames,
  OTHER_BOT,
  range,
  receiveFrames,
  useVoiceServer,
} from '../helpers/voice-server.ts';
import { WAIT_MS } from '../helpers/waiter.ts';

const fixture = useVoiceServer();
const { join, listen } = fixture;

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
    const received = receiveFrames(other, BOT, 10);
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

test('a process that closes the server exits by itself', async () => {
  const script = `
    import { startVoiceServer } from ${JSON.stringify(new URL('../../src/local/discord/voice/voice-server.ts', import.meta.url).href)};
    const server = await startVoiceServer();
    server.listen({ guildId: '1', channelId: '2', userId: '3' });
    await server.close();`;
  expect(await startTestProcess(['--input-type=module-typescript', '-e', script]).ended).toEqual({ code: 0, signal: null });
});
