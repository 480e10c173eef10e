// The whole of Parley in a real Chromium: what a newcomer does after `npm start`, by keyboard alone, with real speech.
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { createOggMuxer } from '../../src/audio/ogg/muxer.ts';
import { findLowContrastText } from '../helpers/contrast.ts';
import { describeInBrowser } from '../helpers/shared-browser.ts';
import { pollOptions, useWholeBot } from '../helpers/whole-bot.ts';

describeInBrowser('Parley in the browser', () => {
  const fixture = useWholeBot();
  const { composer, lastMessage, press, tabTo, begin } = fixture;
  let page: Page;
  beforeEach(() => {
    page = fixture.page;
  });

  test('joins a voice channel and hears /say in a chosen voice, by keyboard alone', async () => {
    const bot = fixture.parley.discord.world.application.user.username;
    // Titles are fetched once the bot is there.
    await expect.poll(() => fixture.parley.member.autocomplete('say', 'voice', 'robert'), pollOptions).not.toEqual([]);
    const receiver = await fixture.parley.other.listen();
    await tabTo(page.getByRole('button', { name: 'Lounge, voice channel, join' }));
    await press('Enter');
    await page.getByText('Voice connected').first().waitFor();

    await tabTo(composer());
    await begin('say');
    await page.locator('#option-text:focus').waitFor();
    await page.keyboard.type('We are going to have dinner with my mother and my sister.');
    await press('Tab');
    await page.getByRole('option', { name: /^voice/ }).waitFor();
    await press('ArrowDown');
    await press('Enter');
    await page.locator('#option-voice:focus').waitFor();
    await page.keyboard.type('robert, n');
    await page.getByRole('option', { name: 'Robert, newsreader' }).waitFor();
    await press('Enter');
    await expect.poll(() => page.locator('#option-voice').inputValue(), pollOptions).toMatch(/^Robert, narrator · /);
    await press('Enter');

    await page.locator(`[data-user="${bot}"][data-speaking=true]`).waitFor();
    await lastMessage().getByText('Robert, narrator · Speaking now').waitFor();
    await lastMessage()
      .getByText(/Robert, narrator · Spoken in [\d.]+ s/)
      .waitFor();
    // There are no words for it to stand behind, so it stands beside the time.
    await lastMessage()
      .getByText(/^Today at \d+:\d+ \(edited\)$/)
      .waitFor();
    await page.locator(`[data-user="${bot}"][data-speaking=false]`).waitFor();

    // What the page played, and the words in what another member heard at the same time.
    const figures = await page.evaluate(() => ({ ...document.documentElement.dataset }));
    const frames = receiver.frames();
    expect(Number(figures.heardPeak)).toBeGreaterThan(0.02);
    expect(Number(figures.heardPackets)).toBeGreaterThanOrEqual(frames.length);
    expect(receiver.stats()).toMatchObject({ plaintext: 0, undecryptable: 0 });
    const muxer = createOggMuxer({ sampleRate: 48_000, channels: 1, preSkip: 312, serial: 1 });
    const audio = Buffer.concat([muxer.head(), ...frames.map((frame) => muxer.packet(frame, 960, false))]);
    const { text } = await fixture.parley.api.transcribe({ audio, filename: 'stats.ogg', contentType: 'audio/ogg' });
    expect(text.toLowerCase()).toMatch(/dinner with my mother and my sister/);
    await fixture.parley.other.leaveVoice();
  });

  test('pages through /voices with its buttons', async () => {
    await begin('voices');
    await press('Enter');
    const message = page.locator('discord-message', { has: page.getByText(/voices · page 1 of/) }).last();
    await message.getByRole('button', { name: 'Next' }).waitFor();
    const answer = page.locator(`#${await message.getAttribute('id')}`);
    const first = await answer.locator('.section strong').first().textContent();
    // Each voice with its cover, which is there once.
    const widthsOf = (images: (SVGElement | HTMLElement)[]) => images.map((image) => (image as HTMLImageElement).naturalWidth);
    await expect.poll(() => answer.locator('.thumbnail img').evaluateAll(widthsOf), pollOptions).toEqual(Array(5).fill(160));
    expect(await answer.locator('img[src*="cover-"]').count()).toBe(5);
    await tabTo(answer.getByRole('button', { name: 'Next' }));
    await press('Enter');
    await answer.getByText(/voices · page 2 of/).waitFor();
    expect(await answer.locator('.section strong').first().textContent()).not.toBe(first);
    // The focus stays on the button for the next page.
    await expect
      .poll(() => answer.getByRole('button', { name: 'Next' }).evaluate((element) => element.matches(':focus')), pollOptions)
      .toBe(true);
    await press('Enter');
    await answer.getByText(/voices · page 3 of/).waitFor();
  });

  test('shows the credit only to the operator', async () => {
    await begin('credit');
    await press('Enter');
    await lastMessage().getByText('Only you can see this').waitFor();
    await lastMessage().getByText('Last changed').waitFor();
    const sam = await fixture.browser.open(fixture.parley.discord.pageUrl('Sam'));
    await sam.locator('discord-message').first().waitFor();
    expect(await sam.getByText('Only you can see this').count()).toBe(0);
    await sam.context().close();
  });

  test('has enough contrast everywhere, in light and dark', async () => {
    await page.getByRole('button', { name: 'Lounge, voice channel, join' }).click();
    await page.getByText('Voice connected').first().waitFor();
    await begin('say');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.locator(`html[data-theme=${colorScheme}]`).waitFor();
      expect(await findLowContrastText(page)).toEqual([]);
    }
  });
});
