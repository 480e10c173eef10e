// Speaking in a voice channel, in a real Chromium: the microphone, what others hear of it and when, and other members who talk.
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { MemberClient } from '../../src/local/discord/index.ts';
import { oggOpusOf, tone } from '../helpers/sound.ts';
import { createWaiter } from '../helpers/waiter.ts';
import { describeInBrowser, findAxeViolations } from '../page/browser.ts';
import { usePage } from '../page/page.ts';

describeInBrowser('speaking in a voice channel', () => {
  const fixture = usePage({
    members: 4,
    talkPauseMs: 1,
    async *speak() {
      yield* (await oggOpusOf(tone(440, 1, 48_000))).packets;
    },
  });
  const { notify, until } = createWaiter();
  let page: Page;
  let sam: MemberClient;
  /** What Sam hears of Robin, without silence. */
  let heard: Uint8Array[];

  beforeEach(async () => {
    page = fixture.page;
    heard = [];
    sam = fixture.discord.member('Sam');
    sam.onHeard(({ user_id, opus }) => {
      if (user_id === sam.userId || opus.length <= 3) return;
      heard.push(opus.slice());
      notify();
    });
    await sam.call('join_voice', { channel_id: fixture.discord.channelId('Lounge') });
    await page.getByRole('button', { name: 'Lounge, voice channel, join' }).click();
    await page.getByText('Voice connected').first().waitFor();
  });
  afterEach(() => sam.close());

  const panel = () => page.locator('.voice-panel.panel');
  const turnOn = () => panel().getByRole('button', { name: 'Use my microphone' }).click();
  const hears = (packets: number) =>
    until(
      () => heard.length >= packets || undefined,
      () => `${packets} packets of Robin; there are ${heard.length}`,
    );
  const speaking = (is: boolean) => sam.next('SPEAKING', (event) => event.user_id !== sam.userId && event.speaking === is);

  test('the microphone sends nothing while muted, and while the key or the button for talking is not held', async () => {
    await turnOn();
    await hears(10);
    const silent = speaking(false);
    await page.getByRole('button', { name: 'Mute', exact: true }).click();
    await silent;
    await panel().getByRole('img', { name: 'Level of the microphone, which nobody hears' }).waitFor();
    await panel().getByRole('switch', { name: 'Push to talk' }).click();
    await page.getByRole('button', { name: 'Mute', exact: true }).click();
    await panel().getByRole('img', { name: 'Level of the microphone', exact: true }).waitFor();
    heard.length = 0;

    const talk = panel().getByRole('button', { name: /Hold to talk/ });
    for (const [hold, release] of [
      [() => page.keyboard.down('F2'), () => page.keyboard.up('F2')],
      [
        async () => {
          await talk.focus();
          await page.keyboard.down('Space');
        },
        () => page.keyboard.up('Space'),
      ],
      [
        async () => {
          await talk.hover();
          await page.mouse.down();
        },
        // Somewhere else.
        async () => {
          await page.mouse.move(700, 300);
          await page.mouse.up();
        },
      ],
    ] as const) {
      expect(heard).toEqual([]);
      await hold();
      await hears(10);
      await panel().getByRole('button', { name: 'Everybody hears you' }).waitFor();
      const released = speaking(false);
      await release();
      await released;
      await talk.waitFor();
      heard.length = 0;
    }
    // It is remembered, and the microphone isn't.
    await page.reload();
    await page.getByRole('button', { name: 'Lounge, voice channel, join' }).click();
    await turnOn();
    await talk.waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
  });

  test('others talk one after another or all at once, until they are told to leave', async () => {
    const others = page.getByRole('switch', { name: 'Others talk here' });
    const atOnce = page.getByRole('switch', { name: 'All at once' });
    const talking = (count: number) => expect.poll(() => page.locator('.voice-members [data-speaking=true]').count()).toBe(count);
    await panel().locator(others).click();
    await talking(1);
    await expect.poll(() => page.evaluate(() => Number(document.documentElement.dataset.heardPeak))).toBeGreaterThan(0.05);
    await panel().locator(atOnce).click();
    await talking(2);
    expect(await findAxeViolations(page)).toEqual([]);
    // With colours of the member's own, a switch that is on still has its knob.
    await page.emulateMedia({ forcedColors: 'active' });
    const knob = panel().locator(others).locator('.switch');
    expect(await knob.evaluate((element) => getComputedStyle(element, '::after').backgroundColor)).toBe(
      await page.evaluate(() => getComputedStyle(document.body).color),
    );
    await page.emulateMedia({ forcedColors: 'none' });
    await panel().locator(others).click();
    await panel().locator(atOnce).waitFor({ state: 'detached' });
    await expect.poll(() => page.locator('.voice-members li').count()).toBe(2);
  });

  test('it says why the microphone cannot be used', async () => {
    for (const [name, sentence] of [
      ['NotAllowedError', 'The microphone was not allowed. Allow it in the browser’s address bar, then try again.'],
      ['NotFoundError', 'No microphone was found. Plug one in, then try again.'],
    ] as const) {
      await page.evaluate((failure) => {
        navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', failure));
      }, name);
      await turnOn();
      await panel().getByText(sentence).waitFor();
      await page.getByRole('status').getByText(sentence).waitFor();
    }
  });
});
