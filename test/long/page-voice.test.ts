// Voice messages and voice channels in a real Chromium.
import { PermissionFlagsBits as P } from 'discord-api-types/v10';
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { request } from '../helpers/local-discord.ts';
import { describeInBrowser } from '../page/browser.ts';
import { usePage } from '../page/page.ts';

describeInBrowser('voice on the page', () => {
  const fixture = usePage();
  const { runCommand } = fixture;
  let page: Page;
  beforeEach(() => {
    page = fixture.page;
  });

  const application = () => page.locator('.voice-members').getByRole('button', { name: fixture.bot.client.user?.username ?? '' });
  const figure = (name: string, tab = page) => tab.evaluate((key) => Number(document.documentElement.dataset[key] ?? 0), name);

  /** Ends the humming of the bot, which then leaves. */
  async function hush(): Promise<void> {
    fixture.bot.client.emit('hushed' as never);
    await application().waitFor({ state: 'detached' });
  }

  test('has a volume for everybody, and one for each member in their menu', async () => {
    await page.getByRole('button', { name: 'Lounge, voice channel, join' }).click();
    await page.getByText('Voice connected').first().waitFor();
    const volume = page.getByRole('slider', { name: 'Volume', exact: true });
    const [slider, panel] = await Promise.all([volume.boundingBox(), page.locator('.voice-panel.panel').boundingBox()]);
    if (!slider || !panel) throw new Error('The voice panel has no slider.');
    expect(slider.x).toBeGreaterThan(panel.x);
    expect(slider.x + slider.width).toBeLessThan(panel.x + panel.width);
    await volume.fill('2');
    await expect.poll(() => volume.getAttribute('aria-valuetext')).toBe('200%');

    const sam = fixture.discord.member('Sam');
    await sam.call('join_voice', { channel_id: fixture.discord.channelId('Lounge') });
    await page.locator('.voice-members').getByRole('button', { name: 'Sam' }).click({ button: 'right' });
    const ofSam = page.getByRole('slider', { name: 'User Volume' });
    await page.locator('[role=menuitem]:focus').waitFor();
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => ofSam.evaluate((element) => element.matches(':focus'))).toBe(true);
    await page.keyboard.press('Home');
    await expect.poll(() => ofSam.getAttribute('aria-valuetext')).toBe('0%');
    await page.keyboard.press('Escape');
    // Nobody sets the volume of themselves.
    await page.locator('.voice-members').getByRole('button', { name: 'Robin' }).click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Change nickname…' }).waitFor();
    expect(await ofSam.count()).toBe(0);
    await page.keyboard.press('Escape');

    // It is remembered after the member has left.
    await runCommand('hum');
    await application().click({ button: 'right' });
    await page.getByRole('slider', { name: 'User Volume' }).fill('0');
    await page.keyboard.press('Escape');
    await hush();
    await page.getByRole('button', { name: 'Leave voice' }).click();
    await page.getByRole('button', { name: 'Lounge, voice channel, join' }).click();
    await page.getByText('Voice connected').first().waitFor();
    await expect.poll(() => figure('heardPackets')).toBe(0);
    await runCommand('hum');
    await expect.poll(() => figure('heardPackets')).toBeGreaterThan(40);
    expect(await figure('heardPeak')).toBe(0);
    await hush();
    sam.close();
  });

  test('shows the status of a voice channel, also to those who come later', async () => {
    const { discord } = fixture;
    const lounge = discord.channelId('Lounge');
    discord.setPermissions(lounge, discord.application.id, { allow: P.SetVoiceChannelStatus | P.ManageChannels });
    const setStatus = (status: string) => request(discord, 'PUT', `/channels/${lounge}/voice-status`, { status });
    const shown = page.locator('.voice-status');
    await setStatus('Quiz night <b>at eight</b>');
    await shown.getByText('Quiz night <b>at eight</b>').waitFor();
    await page.reload();
    await shown.getByText('Quiz night <b>at eight</b>').waitFor();
    await setStatus('');
    await shown.waitFor({ state: 'detached' });
  });

  test('says in full that it is still connecting', async () => {
    const waiting = await fixture.browser.open(fixture.discord.pageUrl(), {}, (opened) =>
      opened.routeWebSocket(/\/member/, (socket) => {
        const server = socket.connectToServer();
        server.onMessage((message) => String(message).includes('VOICE_STATE_UPDATE') || socket.send(message));
      }),
    );
    for (const width of [1280, 390]) {
      await waiting.setViewportSize({ width, height: 844 });
      if (width === 1280) await waiting.getByRole('button', { name: 'Lounge, voice channel, join' }).click();
      const words = waiting.locator('.voice-where b:visible').getByText('Connecting…');
      await expect.poll(() => words.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    }
    await waiting.context().close();
  });

  test('plays in two tabs of one member, and still in one after the other is closed', async () => {
    const second = await fixture.browser.open(fixture.discord.pageUrl());
    for (const tab of [page, second]) {
      await tab
        .getByRole('button', { name: /voice channel, join/ })
        .first()
        .click();
      await tab.getByText('Voice connected').first().waitFor();
    }
    await fixture.runCommand('hum');
    for (const tab of [page, second]) await expect.poll(() => figure('heardPackets', tab)).toBeGreaterThan(20);
    await second.context().close();
    const before = await figure('heardPackets');
    await expect.poll(() => figure('heardPackets')).toBeGreaterThan(before + 40);
    expect(await page.locator('.voice-panel').count()).toBeGreaterThan(0);
    await hush();
  });

  test('leaves a text or voice channel that is deleted', async () => {
    await page.getByRole('button', { name: 'random' }).click();
    await page.getByRole('heading', { name: 'Welcome to #random!' }).waitFor();
    fixture.discord.deleteChannel(fixture.discord.channelId('random'));
    await page.locator('[data-announce]').getByText('The channel #random was deleted.').waitFor();
    await page.getByRole('heading', { name: 'Welcome to #general!' }).waitFor();
    await page.getByRole('button', { name: 'random' }).waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Workshop, voice channel, join' }).click();
    await page.getByText('Voice connected').first().waitFor();
    fixture.discord.deleteChannel(fixture.discord.channelId('Workshop'));
    await page.getByRole('button', { name: /^Workshop/ }).waitFor({ state: 'detached' });
    await expect.poll(() => page.locator('.voice-panel').count()).toBe(0);
  });
});
