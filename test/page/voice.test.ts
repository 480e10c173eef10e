// Voice messages and voice channels in a real Chromium.
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { usePage } from '../helpers/page.ts';
import { describeInBrowser } from '../helpers/shared-browser.ts';

describeInBrowser('voice on the page', () => {
  const fixture = usePage();
  const { lastMessage, runCommand } = fixture;
  let page: Page;
  beforeEach(() => {
    page = fixture.page;
  });

  test('sends a recording as a voice message with its waveform, and plays it', async () => {
    await page.getByRole('button', { name: 'Record from the microphone' }).click();
    await expect.poll(() => page.evaluate(() => Number(document.documentElement.dataset.recordingLevel ?? 0))).toBeGreaterThan(0.001);
    await page.getByRole('button', { name: 'Send voice message' }).click();
    const player = lastMessage().getByRole('group', { name: 'Voice message' });
    await player.waitFor();
    expect(await player.locator('.bars rect').count()).toBe(48);
    const file = await page.request.get(new URL((await player.getByRole('link').getAttribute('href')) ?? '', fixture.discord.url).href);
    expect((await file.body()).subarray(0, 4).toString()).toBe('OggS');
    await player.getByRole('button', { name: 'Play' }).click();
    await player.getByRole('button', { name: 'Pause' }).waitFor();
  });

  test('plays the bot in a voice channel, shows who is speaking, and goes silent when deafened', async () => {
    const channel = page.getByRole('button', { name: /voice channel, join/ }).first();
    await channel.focus();
    await page.keyboard.press('Enter');
    await page.getByText('Voice connected').first().waitFor();
    const other = await fixture.browser.open(fixture.discord.pageUrl(await fixture.otherMember()));
    await runCommand('hum');
    await other.locator('.voice-members [data-user]').nth(1).waitFor();
    await other.context().close();
    await page.locator('[data-speaking=true]').waitFor();
    const figure = (name: string) => page.evaluate((key) => Number(document.documentElement.dataset[key] ?? 0), name);
    await expect.poll(() => figure('heardPackets')).toBeGreaterThan(40);
    await expect.poll(() => figure('heardPeak')).toBeGreaterThan(0.05);
    await page.getByRole('button', { name: 'Deafen' }).click();
    await expect.poll(() => figure('heardLevel')).toBe(0);
    await page.getByRole('button', { name: 'Leave voice' }).click();
    await expect.poll(() => page.locator('.voice-panel').count()).toBe(0);
  });

  test('plays in two tabs of one member, and still in one after the other is closed', async () => {
    const figure = (tab: Page, name: string) => tab.evaluate((key) => Number(document.documentElement.dataset[key] ?? 0), name);
    const second = await fixture.browser.open(fixture.discord.pageUrl());
    for (const tab of [page, second]) {
      await tab
        .getByRole('button', { name: /voice channel, join/ })
        .first()
        .click();
      await tab.getByText('Voice connected').first().waitFor();
    }
    await fixture.runCommand('hum');
    for (const tab of [page, second]) await expect.poll(() => figure(tab, 'heardPackets')).toBeGreaterThan(20);
    await second.context().close();
    const before = await figure(page, 'heardPackets');
    await fixture.runCommand('hum');
    await expect.poll(() => figure(page, 'heardPackets')).toBeGreaterThan(before + 40);
    expect(await page.locator('.voice-panel').count()).toBeGreaterThan(0);
  });

  test('leaves a text or voice channel that is deleted', async () => {
    await page.getByRole('button', { name: 'random' }).click();
    await page.getByRole('heading', { name: 'Welcome to #random!' }).waitFor();
    fixture.discord.deleteChannel(fixture.discord.channelId('random'));
    await page.locator('[data-announce]').getByText('The channel #random was deleted.').waitFor();
    await page.getByRole('heading', { name: 'Welcome to #general!' }).waitFor();
    expect(await page.getByRole('button', { name: 'random' }).count()).toBe(0);

    await page.getByRole('button', { name: 'Workshop, voice channel, join' }).click();
    await page.getByText('Voice connected').first().waitFor();
    fixture.discord.deleteChannel(fixture.discord.channelId('Workshop'));
    await page.getByRole('button', { name: /^Workshop/ }).waitFor({ state: 'detached' });
    await expect.poll(() => page.locator('.voice-panel').count()).toBe(0);
  });
});
