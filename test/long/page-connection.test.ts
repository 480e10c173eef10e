// The page's connection: it is opened while others write, and the local Discord is restarted meanwhile.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PermissionFlagsBits as P } from 'discord-api-types/v10';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type LocalDiscord, startLocalDiscord } from '../../src/local/discord/index.ts';
import { keyOf } from '../helpers/local-discord.ts';
import { freePort } from '../helpers/program.ts';
import { connectToSharedBrowser, describeInBrowser, type TestBrowser } from '../page/browser.ts';
import { whenReady } from '../page/page.ts';

describeInBrowser('the connection of the page', () => {
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

  test('after a restart leaves the page out of a voice channel that the member may not join any more', async () => {
    const page = await browser.open(discord.pageUrl('Sam'));
    await page.getByRole('button', { name: 'Lounge, voice channel, join' }).click();
    await page.getByText('Voice connected').first().waitFor();
    discord.setPermissions(discord.channelId('Lounge'), discord.member('Sam').userId, { deny: P.Connect });
    await restart();
    await page.locator('[data-announce]').getByText('You do not have the permission').waitFor();
    await expect.poll(() => page.getByText(/Voice connected|Connecting…/).count()).toBe(0);
    await page.context().close();
  });

  test('after a restart keeps each member’s own theme', async () => {
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

  test('opens while others write, without errors from dispatches that come before the snapshot', async () => {
    const { userId } = discord.member('Robin');
    const early = { t: 'MESSAGE_CREATE', d: { id: '1', channel_id: '2', author: { id: userId }, content: '', embeds: [] } };
    const late = await browser.open(discord.pageUrl(), {}, (page) =>
      page.routeWebSocket(/\/member/, (socket) => {
        const server = socket.connectToServer();
        socket.onMessage((call) => {
          if (String(call).includes('"hello"')) socket.send(JSON.stringify(early));
          server.send(call);
        });
      }),
    );
    await whenReady(late);
    await late.getByRole('textbox', { name: /^Message #/ }).fill('I am here');
    await late.keyboard.press('Enter');
    await late.locator('discord-messages').getByText('I am here').waitFor();
    expect(await late.locator('[data-announce]').allTextContents()).toEqual([expect.stringContaining('is offline')]);
    expect(browser.problems.splice(0)).toEqual([]);
    await late.context().close();
  });
});
