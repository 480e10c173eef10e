// The whole of Parley in a real Chromium: commands, and a channel that is read aloud while others chat.
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { describeInBrowser, findAxeViolations } from '../page/browser.ts';
import { pollOptions, useWholeBot } from '../page/page.ts';

describeInBrowser('Parley in the browser', () => {
  const fixture = useWholeBot();
  const { composer, lastMessage, press, tabTo, begin } = fixture;
  let page: Page;
  beforeEach(() => {
    page = fixture.page;
  });

  /** The latest message that shows this. */
  const saying = (text: string) => page.locator('discord-message', { hasText: text }).last();
  async function read(subcommand: string): Promise<void> {
    await composer().fill(`/read ${subcommand}`);
    await page.getByRole('option', { name: `/read ${subcommand}` }).waitFor();
    await press('Enter');
    await press('Enter');
  }

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
    await fixture.parley.member.write('Sam can see this.');
    await sam.locator('discord-messages').getByText('Sam can see this.').waitFor();
    expect(await sam.getByText('Only you can see this').count()).toBe(0);
    await sam.context().close();
  });

  test('has enough contrast everywhere, in light and dark', async () => {
    await page.getByRole('button', { name: 'Lounge, voice channel, join' }).click();
    await page.getByText('Voice connected').first().waitFor();
    await fixture.parley.member.write('It was ||the gardener||, or was it ||the butler||?');
    // One spoiler stays hidden.
    await page.getByRole('button', { name: 'Spoiler, press to show' }).first().click();
    await begin('say');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.locator(`html[data-theme=${colorScheme}]`).waitFor();
      expect(await findAxeViolations(page, ['color-contrast'])).toEqual([]);
    }
  });

  test('reads a channel aloud while others chat, explains it and stops', async () => {
    const bot = fixture.parley.discord.world.application.user.username;
    await page.getByRole('button', { name: 'Lounge, voice channel, join' }).click();
    await page.getByText('Voice connected').first().waitFor();
    await read('start');
    await saying('has turned on reading aloud').waitFor();
    await page.getByRole('switch', { name: /Others chat/ }).click();
    await page.locator(`[data-user="${bot}"][data-speaking=true]`).waitFor();
    await expect.poll(() => page.evaluate(() => Number(document.documentElement.dataset.heardPeak)), pollOptions).toBeGreaterThan(0.02);
    await page.getByRole('switch', { name: /Others chat/ }).click();

    await read('status');
    await saying('Left for this server today').getByText('I read').waitFor();
    await read('stop');
    await saying('has turned off reading aloud').waitFor();
    expect(await findAxeViolations(page, ['color-contrast'])).toEqual([]);
  });

  test('reads one message aloud from its menu', async () => {
    await page.getByRole('button', { name: 'Lounge, voice channel, join' }).click();
    await page.getByText('Voice connected').first().waitFor();
    await fixture.parley.other.write('The old bridge is closed to cars.');
    await saying('The old bridge').waitFor();
    await saying('The old bridge').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Read this aloud' }).click();
    await lastMessage().getByText('message aloud').waitFor();
    await lastMessage()
      .getByText(/Spoken \(\d+ second/)
      .waitFor();
  });
});
