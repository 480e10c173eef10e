// The whole of Parley in a real Chromium: one person has a channel read aloud in which others chat, with real speech.
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { findLowContrastText } from '../helpers/contrast.ts';
import { describeInBrowser } from '../helpers/shared-browser.ts';
import { pollOptions, useWholeBot } from '../helpers/whole-bot.ts';

describeInBrowser('a channel read aloud in the browser', () => {
  const fixture = useWholeBot({ members: 4, readMessages: true });
  const { composer, lastMessage, press } = fixture;
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

  test('is started, heard while others chat, explained by its status and stopped', async () => {
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
    expect(await findLowContrastText(page)).toEqual([]);
  });

  test('is offered for one message in its menu', async () => {
    await page.getByRole('button', { name: 'Lounge, voice channel, join' }).click();
    await page.getByText('Voice connected').first().waitFor();
    await fixture.parley.other.write('The old bridge is closed to cars.');
    await saying('The old bridge').waitFor();
    await saying('The old bridge').click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Read this aloud' }).click();
    await lastMessage().getByText('message aloud').waitFor();
    await lastMessage()
      .getByText(/Spoken in [\d.]+ s/)
      .waitFor();
  });
});
