// What the member sends, in a real Chromium: files with their progress, commands, and words that no option takes.
import { expect, test } from 'vitest';
import { usePage } from '../helpers/page.ts';
import { describeInBrowser } from '../helpers/shared-browser.ts';

describeInBrowser('sending', () => {
  const fixture = usePage();
  const { composer } = fixture;

  test('a large file shows how much of it has been sent, and can be cancelled', async () => {
    const { page } = fixture;
    const line = await page.context().newCDPSession(page);
    await line.send('Network.enable');
    const throttle = (uploadThroughput: number) =>
      line.send('Network.emulateNetworkConditions', { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput });
    await throttle(200_000);
    const file = { name: 'long.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(4_000_000) };
    await page.getByLabel('Add files').setInputFiles(file);
    await composer().press('Enter');
    const progress = page.getByRole('progressbar', { name: 'Sending long.bin' });
    await expect.poll(() => progress.evaluate((bar) => (bar as HTMLProgressElement).position)).toBeGreaterThan(0);
    expect(await progress.evaluate((bar) => (bar as HTMLProgressElement).position)).toBeLessThan(1);
    await page.getByRole('button', { name: 'Cancel long.bin' }).click();
    await page.locator('[data-announce]').getByText('you cancelled it').waitFor();
    await progress.waitFor({ state: 'detached' });
    // It is back in the draft, and can be sent after all.
    await throttle(-1);
    await composer().press('Enter');
    await fixture.lastMessage().locator('discord-file-attachment').waitFor();
    fixture.browser.problems.splice(0);
  });

  test('a modal opens only in the tab that asked for it', async () => {
    const { page, browser, discord } = fixture;
    const otherTab = await browser.open(discord.pageUrl());
    await otherTab.locator('[data-connection=open]').waitFor();
    await fixture.runCommand('profile');
    await page.getByRole('dialog', { name: 'About you' }).waitFor();
    // What comes later is there, and the modal is not.
    await discord.member('Sam').call('send_message', { channel_id: discord.channelId('general'), content: 'after the modal' });
    await otherTab.locator('discord-messages').getByText('after the modal').waitFor();
    expect(await otherTab.getByRole('dialog').count()).toBe(0);
    await otherTab.context().close();
  });

  test('keeps words typed after a command that has no place for them', async () => {
    const { page } = fixture;
    await composer().focus();
    await page.keyboard.type('/panel good morning');
    await page.getByRole('option', { name: '/panel' }).waitFor();
    expect(await composer().inputValue()).toBe('/panel good morning');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await fixture.channelText('Page 1').waitFor();
    await expect.poll(() => composer().inputValue()).toBe('good morning');
  });

  test('a command that a message mentions is one click away', async () => {
    const { page, discord, bot } = fixture;
    const channel = await bot.client.channels.fetch(discord.channelId('general'));
    const echo = bot.client.application?.commands.cache.find(({ name }) => name === 'echo');
    if (channel?.isSendable()) await channel.send(`Try </echo:${echo?.id}>`);
    await fixture.channelText('/echo').click();
    await page.locator('#option-text:focus').waitFor();
  });
});
