// The page in a real Chromium: voice messages, voice channels, and channels that go.
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { patience, usePage } from '../helpers/page.ts';
import { describeInBrowser } from '../helpers/shared-browser.ts';

describeInBrowser('voice on the page', () => {
  const open = usePage();
  const { lastMessage, run } = open;
  let page: Page;
  beforeEach(() => {
    page = open.page;
  });

  test('sends a recording as a voice message with its waveform, and plays it', async () => {
    await page.getByRole('button', { name: 'Record from the microphone' }).click();
    await expect
      .poll(() => page.evaluate(() => Number(document.documentElement.dataset.recordingLevel ?? 0)), patience)
      .toBeGreaterThan(0.001);
    await page.getByRole('button', { name: 'Send voice message' }).click();
    const player = lastMessage().getByRole('group', { name: 'Voice message' });
    await player.waitFor();
    expect(await player.locator('.bars rect').count()).toBe(48);
    const file = await page.request.get(new URL((await player.getByRole('link').getAttribute('href')) ?? '', open.discord.url).href);
    expect((await file.body()).subarray(0, 4).toString()).toBe('OggS');
    await player.getByRole('button', { name: 'Play' }).click();
    await player.getByRole('button', { name: 'Pause' }).waitFor();
  });

  test('hears the bot in a voice channel, shows who speaks, and falls silent when deafened', async () => {
    const channel = page.getByRole('button', { name: /voice channel, join/ }).first();
    await channel.focus();
    await page.keyboard.press('Enter');
    await page.getByText('Voice connected').first().waitFor();
    const other = await open.browser.open(open.discord.pageUrl(await open.otherMember()));
    await run('hum');
    await other.locator('.voice-members [data-user]').nth(1).waitFor();
    await other.context().close();
    await page.locator('[data-speaking=true]').waitFor();
    const figure = (name: string) => page.evaluate((key) => Number(document.documentElement.dataset[key] ?? 0), name);
    await expect.poll(() => figure('heardPackets'), patience).toBeGreaterThan(40);
    await expect.poll(() => figure('heardPeak'), patience).toBeGreaterThan(0.05);
    await page.getByRole('button', { name: 'Deafen' }).click();
    await expect.poll(() => figure('heardLevel'), patience).toBe(0);
    await page.getByRole('button', { name: 'Leave voice' }).click();
    await expect.poll(() => page.getByText('Voice connected').count(), patience).toBe(0);
  });

  test('goes to another channel when the open one is deleted, and out of a voice channel that is', async () => {
    await page.getByRole('button', { name: 'random' }).click();
    await page.getByRole('heading', { name: 'Welcome to #random!' }).waitFor();
    open.discord.deleteChannel(open.discord.channelId('random'));
    await page.getByRole('alert').getByText('The channel #random was deleted.').waitFor();
    await page.getByRole('heading', { name: 'Welcome to #general!' }).waitFor();
    expect(await page.getByRole('button', { name: 'random' }).count()).toBe(0);

    await page.getByRole('button', { name: 'Workshop, voice channel, join' }).click();
    await page.getByText('Voice connected').first().waitFor();
    open.discord.deleteChannel(open.discord.channelId('Workshop'));
    await page.getByRole('button', { name: /^Workshop/ }).waitFor({ state: 'detached' });
    await expect.poll(() => page.getByText('Voice connected').count(), patience).toBe(0);
  });
});
