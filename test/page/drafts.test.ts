// The page in a real Chromium: what was begun in a channel goes there, and two tabs of one member get along.
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { patience, usePage } from '../helpers/page.ts';
import { describeInBrowser } from '../helpers/shared-browser.ts';

describeInBrowser('what was begun in a channel', () => {
  const open = usePage();
  const { composer } = open;
  let page: Page;
  beforeEach(() => {
    page = open.page;
  });

  async function openChannel(name: string): Promise<void> {
    await page.getByRole('button', { name }).click();
    await page.getByRole('heading', { name: `Welcome to #${name}!` }).waitFor();
  }

  /** What the member has written in a channel, as the local Discord has it. */
  const sentIn = (name: string) =>
    (open.discord.world.messages.get(open.discord.channelId(name)) ?? []).filter(({ author }) => author.username === 'robin');

  test('is still in its box when the channel is opened again, and in no other one', async () => {
    await composer().fill('for everybody');
    await openChannel('random');
    expect(await composer().inputValue()).toBe('');
    await composer().fill('at random');
    await openChannel('general');
    expect(await composer().inputValue()).toBe('for everybody');
    await composer().press('Enter');
    await open.said('for everybody').waitFor();
    await openChannel('random');
    expect(await composer().inputValue()).toBe('at random');
    expect(sentIn('random')).toEqual([]);
  });

  test('is sent there with its files, also if another channel is opened while they go up', async () => {
    const held = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    await page.route(/\/member\/uploads/, async (route) => {
      asked.resolve();
      await held.promise;
      await route.continue();
    });
    const sent = open.discord.member().next('MESSAGE_CREATE', ({ content }) => content === 'with a file');
    await page.locator('.composer input[type=file]').setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('abc') });
    await composer().fill('with a file');
    await composer().press('Enter');
    await asked.promise;
    await openChannel('random');
    held.resolve();
    expect((await sent).channel_id).toBe(open.discord.channelId('general'));
  });

  test('comes back into its own box if it cannot be sent', async () => {
    const held = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    await page.route(/\/member\/uploads/, async (route) => {
      asked.resolve();
      await held.promise;
      await route.abort();
    });
    await page.locator('.composer input[type=file]').setInputFiles({ name: 'b.txt', mimeType: 'text/plain', buffer: Buffer.from('abc') });
    await composer().fill('not lost');
    await composer().press('Enter');
    await asked.promise;
    await openChannel('random');
    held.resolve();
    await page.getByRole('alert').getByText('b.txt could not be sent').waitFor();
    expect(await composer().inputValue()).toBe('');
    await openChannel('general');
    await expect.poll(() => composer().inputValue(), patience).toBe('not lost');
    await page.getByText('b.txt', { exact: true }).waitFor();
    // The request that this test broke off itself.
    open.browser.problems.splice(0);
  });

  test('is recorded for the channel that was open then, which the button names in another', async () => {
    const sent = open.discord.member().next('MESSAGE_CREATE', ({ flags }) => ((flags ?? 0) & (1 << 13)) !== 0);
    await page.getByRole('button', { name: 'Record from the microphone' }).click();
    await expect
      .poll(() => page.evaluate(() => Number(document.documentElement.dataset.recordingLevel ?? 0)), patience)
      .toBeGreaterThan(0.001);
    await openChannel('random');
    await page.getByRole('button', { name: 'Send voice message to #general' }).click();
    expect((await sent).channel_id).toBe(open.discord.channelId('general'));
  });

  test('is heard in two tabs of one member, and still in one when the other is closed', async () => {
    const figure = (tab: Page, name: string) => tab.evaluate((key) => Number(document.documentElement.dataset[key] ?? 0), name);
    const second = await open.browser.open(open.discord.pageUrl());
    for (const tab of [page, second]) {
      await tab
        .getByRole('button', { name: /voice channel, join/ })
        .first()
        .click();
      await tab.getByText('Voice connected').first().waitFor();
    }
    await open.run('hum');
    for (const tab of [page, second]) await expect.poll(() => figure(tab, 'heardPackets'), patience).toBeGreaterThan(20);
    await second.context().close();
    const before = await figure(page, 'heardPackets');
    await open.run('hum');
    await expect.poll(() => figure(page, 'heardPackets'), patience).toBeGreaterThan(before + 40);
    expect(await page.getByText('Voice connected').count()).toBeGreaterThan(0);
  });
});
