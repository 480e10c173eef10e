// Drafts in a real Chromium: each belongs to its channel.
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { usePage } from '../helpers/page.ts';
import { describeInBrowser } from '../helpers/shared-browser.ts';

describeInBrowser('a draft', () => {
  const fixture = usePage();
  const { composer } = fixture;
  let page: Page;
  beforeEach(() => {
    page = fixture.page;
  });

  async function openChannel(name: string): Promise<void> {
    await page.getByRole('button', { name }).click();
    await page.getByRole('heading', { name: `Welcome to #${name}!` }).waitFor();
  }

  /** What the member has written in a channel, as the local Discord has it. */
  const sentIn = (name: string) =>
    (fixture.discord.world.messages.get(fixture.discord.channelId(name)) ?? []).filter(({ author }) => author.username === 'robin');

  test('is still there when its channel is opened again, and in no other channel', async () => {
    await composer().fill('for everybody');
    await openChannel('random');
    expect(await composer().inputValue()).toBe('');
    await composer().fill('at random');
    await openChannel('general');
    expect(await composer().inputValue()).toBe('for everybody');
    await composer().press('Enter');
    await fixture.channelText('for everybody').waitFor();
    await openChannel('random');
    expect(await composer().inputValue()).toBe('at random');
    expect(sentIn('random')).toEqual([]);
  });

  test('is sent to its channel with its files, even if another channel is opened during the upload', async () => {
    const held = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    await page.route(/\/member\/uploads/, async (route) => {
      asked.resolve();
      await held.promise;
      await route.continue();
    });
    const sent = fixture.discord.member().next('MESSAGE_CREATE', ({ content }) => content === 'with a file');
    await page.locator('.composer input[type=file]').setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('abc') });
    await composer().fill('with a file');
    await composer().press('Enter');
    await asked.promise;
    await openChannel('random');
    held.resolve();
    expect((await sent).channel_id).toBe(fixture.discord.channelId('general'));
  });

  test('returns to its own channel if it cannot be sent', async () => {
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
    await page.locator('[data-announce]').getByText('b.txt could not be sent').waitFor();
    expect(await composer().inputValue()).toBe('');
    await openChannel('general');
    await expect.poll(() => composer().inputValue()).toBe('not lost');
    await page.getByText('b.txt', { exact: true }).waitFor();
    // The request that this test broke off itself.
    fixture.browser.problems.splice(0);
  });

  test('of a recording belongs to the channel it was started in, which the button names elsewhere', async () => {
    const sent = fixture.discord.member().next('MESSAGE_CREATE', ({ flags }) => ((flags ?? 0) & (1 << 13)) !== 0);
    await page.getByRole('button', { name: 'Record from the microphone' }).click();
    await expect.poll(() => page.evaluate(() => Number(document.documentElement.dataset.recordingLevel ?? 0))).toBeGreaterThan(0.001);
    await openChannel('random');
    await page.getByRole('button', { name: 'Send voice message to #general' }).click();
    expect((await sent).channel_id).toBe(fixture.discord.channelId('general'));
  });
});
