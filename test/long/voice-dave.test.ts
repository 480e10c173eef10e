// The local voice server's DAVE groups with the real @discordjs/voice: encryption that is switched, and many members.
import { expect, test } from 'vitest';
import {
  BEN,
  CHANNEL,
  CLEAN,
  createReceiver,
  GUILD,
  numberedFrames,
  OTHER_BOT,
  type Receiver,
  range,
  useVoiceServer,
  type VoiceBot,
} from '../helpers/voice-server.ts';

const fixture = useVoiceServer();
const { join, listen } = fixture;

test('a listener who joins a bot that plays to nobody hears the rest', async () => {
  const bot = join();
  await bot.ready();
  let receiver: Receiver | undefined;
  let count = 0;
  const untilHeard = function* () {
    while ((receiver?.frames.length ?? 0) <= 20) yield* numberedFrames(1, count++);
  };
  const played = bot.play(untilHeard());
  const ada = listen();
  receiver = createReceiver(ada);
  await played;
  await receiver.heard(count - 1);
  const [from = 0] = receiver.frames;
  expect(receiver.frames).toEqual(range(from, count - 1));
  expect(ada.stats().undecryptable).toBe(0);
});

test('bots form a group by themselves, and the others continue when one leaves', async () => {
  const all = [join(), join({ userId: OTHER_BOT }), join({ userId: '1090000000000000012' })];
  await Promise.all(all.map((bot) => bot.ready()));
  const ada = listen();
  await agree(all, () => ada.voicePrivacyCode());
  const leaver = all.pop() as VoiceBot;
  leaver.leave();
  await agree(all, () => ada.voicePrivacyCode());
  ada.leave();
  await agree(all);
  const ben = listen(BEN);
  await agree(all, () => ben.voicePrivacyCode());
  const receiver = createReceiver(ben);
  await Promise.all([all[0]?.play(numberedFrames(10)), receiver.heard(9)]);
  expect(receiver.frames).toEqual(range(0, 9));
  expect(ben.stats()).toMatchObject(CLEAN);
});

test('while DAVE is withheld nothing is heard and unencrypted packets are counted; afterwards the group is established', async () => {
  fixture.server.faults.withholdDave = true;
  const ada = listen();
  const receiver = createReceiver(ada);
  const bot = join();
  await bot.ready();
  await bot.play(numberedFrames(5));
  await expect.poll(() => ada.stats().plaintext).toBe(5);
  expect(receiver.frames).toEqual([]);
  expect(bot.connection.voicePrivacyCode).toBeFalsy();
  fixture.server.faults.withholdDave = false;
  expect(await bot.privacyCode()).toBe(ada.voicePrivacyCode());
  await Promise.all([bot.play(numberedFrames(5, 100)), receiver.heard(104)]);
  expect(receiver.frames).toEqual(range(100, 104));
});

test('switching encryption off and on during playback neither loses nor leaks a frame', async () => {
  const ada = listen();
  const receiver = createReceiver(ada);
  const bot = join();
  await bot.ready();
  const before = await bot.privacyCode();
  const played = bot.play(numberedFrames(120));
  await receiver.heard(10);
  const off = changed(bot);
  fixture.server.faults.setEncrypted(GUILD, CHANNEL, false);
  await off;
  expect(bot.connection.voicePrivacyCode).toBeFalsy();
  await receiver.heard(50);
  fixture.server.faults.setEncrypted(GUILD, CHANNEL, true);
  expect(await bot.privacyCode(before)).toBe(ada.voicePrivacyCode());
  await Promise.all([played, receiver.heard(119)]);
  expect(receiver.frames).toEqual(range(0, 119));
  expect(ada.stats()).toMatchObject(CLEAN);
});

test('a listener who joins an unencrypted call hears it, and joins the group once encryption is on', async () => {
  fixture.server.faults.setEncrypted(GUILD, CHANNEL, false);
  const bot = join();
  await bot.ready();
  const played = bot.play(numberedFrames(60));
  const ada = listen();
  const receiver = createReceiver(ada);
  await receiver.heard(15);
  expect(bot.connection.voicePrivacyCode).toBeFalsy();
  fixture.server.faults.setEncrypted(GUILD, CHANNEL, true);
  expect(await bot.privacyCode()).toBe(ada.voicePrivacyCode());
  await Promise.all([played, receiver.heard(59)]);
  const [from = 0] = receiver.frames;
  expect(receiver.frames).toEqual(range(from, 59));
  expect(ada.stats()).toMatchObject(CLEAN);
});

test('a bot that was alone when encryption was switched off and on can be joined in a group', async () => {
  const bot = join();
  await bot.ready();
  for (const on of [false, true]) {
    const done = changed(bot);
    fixture.server.faults.setEncrypted(GUILD, CHANNEL, on);
    await done;
  }
  const ada = listen();
  const receiver = createReceiver(ada);
  expect(await bot.privacyCode()).toBe(ada.voicePrivacyCode());
  await Promise.all([bot.play(numberedFrames(5)), receiver.heard(4)]);
  expect(ada.stats()).toMatchObject(CLEAN);
});

test('many members join and leave at once, and those who stay agree on the group', async () => {
  const bot = join();
  await bot.ready();
  const ids = Array.from({ length: 12 }, (_, index) => `10900000000000001${String(index).padStart(2, '0')}`);
  const listeners = ids.map((id) => listen(id));
  const other = join({ userId: OTHER_BOT });
  for (const [index, listener] of listeners.entries()) if (index % 3 === 0) listener.leave();
  await other.ready();
  const staying = listeners.filter((_, index) => index % 3 !== 0);
  await agree([bot, other], () => staying[0]?.voicePrivacyCode() ?? '');
  expect(new Set(staying.map((listener) => listener.voicePrivacyCode())).size).toBe(1);
  const ears = staying.map(createReceiver);
  await Promise.all([bot.play(numberedFrames(5)), other.play(numberedFrames(5, 5)), ...ears.map((receiver) => receiver.heard(9))]);
  for (const listener of staying) expect(listener.stats()).toMatchObject(CLEAN);
});

/** Resolves when the bot's group or connection changes. */
function changed(bot: VoiceBot): Promise<void> {
  return new Promise((resolve) => bot.connection.once('transitioned', () => resolve()));
}

/** Waits until all bots, and `as` if given, have the same privacy code. */
async function agree(all: VoiceBot[], as?: () => string): Promise<void> {
  await expect
    .poll(
      () => {
        const codes = new Set([...all.map((bot) => bot.connection.voicePrivacyCode ?? ''), ...(as ? [as()] : [])]);
        return codes.size === 1 && !codes.has('');
      },
      { interval: 10 },
    )
    .toBe(true);
}
