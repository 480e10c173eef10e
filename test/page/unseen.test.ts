// What comes while the member looks elsewhere, and what they send, in a real Chromium.
import { expect, test } from 'vitest';
import { pollOptions, usePage } from '../helpers/page.ts';
import { describeInBrowser } from '../helpers/shared-browser.ts';

describeInBrowser('new messages', () => {
  const fixture = usePage();

  test('are marked and counted while the member reads further up, who jumps back to them with one click', async () => {
    const { page, discord } = fixture;
    const sam = discord.member('Sam');
    const channel_id = discord.channelId('general');
    const jump = page.getByRole('button', { name: /Jump to present/ });
    for (let line = 1; line <= 40; line++) await sam.call('send_message', { channel_id, content: `line ${line}` });
    await fixture.channelText('line 40').waitFor();
    expect(await jump.count()).toBe(0);
    await page.locator('#messages').evaluate((list) => list.scrollTo(0, 0));
    await jump.waitFor();
    await sam.call('send_message', { channel_id, content: 'one more' });
    await page.getByRole('button', { name: '1 new message Jump to present' }).waitFor();
    await page.getByRole('separator').getByText('New', { exact: true }).waitFor({ state: 'attached' });
    await jump.press('Enter');
    await jump.waitFor({ state: 'detached' });
    expect(await fixture.channelText('one more').evaluate((text) => text.getBoundingClientRect().bottom < innerHeight)).toBe(true);
    // Whoever answers has read them.
    await page.keyboard.type('I see');
    await page.keyboard.press('Enter');
    await page.getByRole('separator').getByText('New', { exact: true }).waitFor({ state: 'detached' });
  });

  test('in another channel are marked where they begin', async () => {
    const { page, discord } = fixture;
    const sam = discord.member('Sam');
    await sam.call('send_message', { channel_id: discord.channelId('random'), content: 'over here' });
    await page.getByRole('button', { name: 'random , new messages' }).click();
    await page.getByRole('separator').getByText('New', { exact: true }).waitFor();
  });
});

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
    await expect.poll(() => progress.evaluate((bar) => (bar as HTMLProgressElement).position), pollOptions).toBeGreaterThan(0);
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
    await expect.poll(() => composer().inputValue(), pollOptions).toBe('good morning');
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
