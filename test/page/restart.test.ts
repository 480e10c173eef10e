// The local Discord restarted with the page open: it reconnects by itself, and shows nothing that isn't so.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PermissionFlagsBits as P } from 'discord-api-types/v10';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type LocalDiscord, startLocalDiscord } from '../../src/local/discord/index.ts';
import type { TestBrowser } from '../helpers/browser.ts';
import { freePort } from '../helpers/free-port.ts';
import { keyOf } from '../helpers/local-discord.ts';
import { connectToSharedBrowser, describeInBrowser } from '../helpers/shared-browser.ts';

describeInBrowser('a restart', () => {
  let directory: string;
  let browser: TestBrowser;
  let discord: LocalDiscord;

  beforeAll(async () => {
    browser = await connectToSharedBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'local-discord-'));
    discord = await startLocalDiscord({ directory, port: await freePort() });
    return async () => {
      await discord.close();
      await rm(directory, { recursive: true, force: true });
    };
  });

  async function restart(): Promise<void> {
    await discord.close();
    discord = await startLocalDiscord({ directory, port: Number(new URL(discord.url).port), pageKey: keyOf(discord) });
  }

  test('with the page open: voice, presence and toasts are true at any time, the history is there once, and the draft can be sent', async () => {
    const page = await browser.open(discord.pageUrl());
    const composer = page.getByRole('textbox', { name: /^Message #/ });
    const history = () => page.locator('discord-messages').getByText('said before').count();
    const sam = discord.member('Sam');
    await sam.call('join_voice', { channel_id: discord.channelId('Lounge') });
    await composer.fill('said before');
    await composer.press('Enter');
    await expect.poll(history).toBe(1);
    await page.getByRole('button', { name: 'Lounge, voice channel, join' }).click();
    await page.getByText('Voice connected').first().waitFor();
    await page.locator('[data-user=sam]').waitFor();

    await discord.close();
    await page.locator('[data-announce]').getByText('cannot be reached').waitFor();
    await expect.poll(() => page.getByText('Voice connected').count()).toBe(0);
    await expect.poll(() => page.locator('.voice-members li').count()).toBe(0);
    await expect.poll(() => page.locator('.presence').allTextContents()).toEqual(['offline']);
    expect(await history()).toBe(1);
    await composer.fill('unsent');
    await composer.press('Enter');
    await page.locator('[data-announce]').getByText('There is no connection').waitFor();
    await expect.poll(() => composer.inputValue()).toBe('unsent');

    discord = await startLocalDiscord({ directory, port: Number(new URL(discord.url).port), pageKey: keyOf(discord) });
    await page.locator('[data-connection=open]').waitFor();
    await page.getByText('Voice connected').first().waitFor();
    await expect.poll(() => page.locator('.voice-members li').allTextContents()).toEqual([expect.stringContaining('Robin')]);
    await expect.poll(() => page.locator('.notice').count()).toBe(0);
    await expect.poll(history).toBe(1);
    await expect.poll(() => composer.inputValue()).toBe('unsent');
    await composer.press('Enter');
    await page.locator('discord-messages').getByText('unsent').waitFor();
    await expect.poll(() => page.locator('discord-message').count()).toBe(2);
    await page.context().close();
    expect(browser.problems.splice(0)).toEqual([]);
  });

  test('leaves the page out of a voice channel that the member may not join any more', async () => {
    const page = await browser.open(discord.pageUrl('Sam'));
    await page.getByRole('button', { name: 'Lounge, voice channel, join' }).click();
    await page.getByText('Voice connected').first().waitFor();
    discord.setPermissions(discord.channelId('Lounge'), discord.member('Sam').userId, { deny: P.Connect });
    await restart();
    await page.locator('[data-announce]').getByText('You do not have the permission').waitFor();
    await expect.poll(() => page.getByText(/Voice connected|Connecting…/).count()).toBe(0);
    await page.context().close();
  });

  test('keeps each member’s own theme', async () => {
    const page = await browser.open(discord.pageUrl('Sam'));
    await page.locator('[data-connection=open]').waitFor();
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
    const before = await theme();
    await page.getByRole('button', { name: / colours$/ }).click();
    await expect.poll(theme).not.toBe(before);
    await restart();
    await page.reload();
    await page.locator('[data-connection=open]').waitFor();
    expect(await theme()).not.toBe(before);
    await page.goto(discord.pageUrl('Robin'));
    await page.locator('[data-connection=open]').waitFor();
    expect(await theme()).toBe(before);
    await page.context().close();
  });
});
