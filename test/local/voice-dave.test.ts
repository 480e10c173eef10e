// The local voice server's DAVE groups with the real @discordjs/voice: joins, departures and a failure. More are in long/voice-dave.
import { expect, test } from 'vitest';
import { ADA, BEN, CLEAN, createReceiver, numberedFrames, range, useVoiceServer, type VoiceBot } from '../helpers/voice-server.ts';

const fixture = useVoiceServer();
const { join, listen } = fixture;

test('a second listener joins and leaves during playback, and neither loses a frame', async () => {
  const ada = listen();
  const receiver = createReceiver(ada);
  const bot = join();
  await bot.ready();
  const first = await bot.privacyCode();
  const played = bot.play(numberedFrames(60));
  await receiver.heard(10);
  const ben = listen(BEN);
  const earOfBen = createReceiver(ben);
  const second = await bot.privacyCode(first);
  expect([ada.voicePrivacyCode(), ben.voicePrivacyCode()]).toEqual([second, second]);
  await receiver.heard(35);
  ben.leave();
  const third = await bot.privacyCode(second);
  expect(ada.voicePrivacyCode()).toBe(third);
  await Promise.all([played, receiver.heard(59)]);

  expect(receiver.frames).toEqual(range(0, 59));
  expect(ada.stats()).toMatchObject({ ...CLEAN, decrypted: 60 });
  const [from = 0] = earOfBen.frames;
  expect(earOfBen.frames).toEqual(range(from, receiver.frames[earOfBen.frames.length + from - 1] ?? -1));
  expect(ben.stats()).toMatchObject({ plaintext: 0, undecryptable: 0, lost: 0 });
});

test('a listener can join, leave and rejoin a bot that is alone', async () => {
  const bot = join();
  await bot.ready();
  for (const member of [ADA, BEN, ADA]) {
    const listener = listen(member);
    const receiver = createReceiver(listener);
    expect(await bot.privacyCode()).toBe(listener.voicePrivacyCode());
    await Promise.all([bot.play(numberedFrames(10)), receiver.heard(9)]);
    expect(receiver.frames).toEqual(range(0, 9));
    expect(listener.stats()).toMatchObject(CLEAN);
    const alone = changed(bot);
    listener.leave();
    await alone;
    expect(bot.connection.voicePrivacyCode).toBeFalsy();
  }
});

test('a bot that receives a corrupt welcome is removed and added again', async () => {
  const ada = listen();
  const receiver = createReceiver(ada);
  fixture.server.faults.corruptNextWelcome = true;
  const bot = join();
  await bot.ready();
  expect(await bot.privacyCode()).toBe(ada.voicePrivacyCode());
  expect(fixture.server.faults.corruptNextWelcome).toBe(false);
  await Promise.all([bot.play(numberedFrames(10)), receiver.heard(9)]);
  expect(ada.stats()).toMatchObject(CLEAN);
});

/** Resolves when the bot's group or connection changes. */
function changed(bot: VoiceBot): Promise<void> {
  return new Promise((resolve) => bot.connection.once('transitioned', () => resolve()));
}
