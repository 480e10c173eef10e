// Opening the page in a real Chromium: on a phone, while others write, and while something is offline.
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { startLocalDiscord } from '../../src/local/discord/index.ts';
import { keyOf } from '../helpers/local-discord.ts';
import { usePage } from '../helpers/page.ts';
import { describeInBrowser } from '../helpers/shared-browser.ts';

describeInBrowser('opening the page', () => {
  const fixture = usePage();
  let page: Page;
  beforeEach(() => {
    page = fixture.page;
  });

  test('fits a phone: nothing overflows, and the channels slide in', async () => {
    await fixture.runCommand('panel');
    await fixture.channelText('Page 1').waitFor();
    const phone = await fixture.browser.open(fixture.discord.pageUrl(), {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      colorScheme: 'light',
    });
    await phone.locator('[data-connection=open]').waitFor();
    await phone.locator('discord-message').last().waitFor();
    const [content, visible] = await phone.evaluate(() => [
      document.getElementById('messages')?.scrollWidth,
      document.getElementById('messages')?.clientWidth,
    ]);
    expect(content).toBe(visible);
    expect(await phone.evaluate(() => document.documentElement.dataset.theme)).toBe('light');
    await phone.getByRole('button', { name: 'Channels' }).click();
    await phone.getByRole('navigation').waitFor();
    await phone.keyboard.press('Escape');
    await phone.getByRole('navigation').waitFor({ state: 'hidden' });
    await phone.context().close();
  });

  test('opens while others write, without errors from dispatches that come before the snapshot', async () => {
    const { userId } = fixture.discord.member('Robin');
    const early = { t: 'MESSAGE_CREATE', d: { id: '1', channel_id: '2', author: { id: userId }, content: '', embeds: [] } };
    await page.routeWebSocket(/\/member/, (socket) => {
      const server = socket.connectToServer();
      socket.onMessage((call) => {
        if (String(call).includes('"hello"')) socket.send(JSON.stringify(early));
        server.send(call);
      });
    });
    await page.reload();
    await page.locator('[data-connection=open]').waitFor();
    await fixture.composer().fill('I am here');
    await fixture.composer().press('Enter');
    await fixture.channelText('I am here').waitFor();
    expect(await page.locator('[data-announce]').allTextContents()).toEqual([]);
  });

  test('shows that the application is thinking, and says if it does not respond', async () => {
    await fixture.runCommand('ponder');
    await fixture.lastMessage().getByText('is thinking…').waitFor();
    fixture.bot.client.emit('pondered' as never);
    await fixture.channelText('Here is the answer.').waitFor();
    await fixture.runCommand('sulk');
    await page.locator('[data-announce]').getByText('Sending /sulk…').waitFor();
    await page.locator('[data-announce]').getByText('did not respond').waitFor();
  });

  test('says if the application is offline or the local Discord is gone, and reconnects on its own', async () => {
    let second = await startLocalDiscord({ port: 0 });
    const lonely = await fixture.browser.open(second.pageUrl());
    try {
      await lonely.locator('[data-announce]').getByText('is offline: commands will not be answered').waitFor();
      await second.close();
      await lonely.locator('[data-announce]').getByText('cannot be reached').waitFor();
      await lonely.getByRole('textbox', { name: /^Message #/ }).fill('unsent');
      await lonely.keyboard.press('Enter');
      await lonely.locator('[data-announce]').getByText('There is no connection').waitFor();
      second = await startLocalDiscord({ port: Number(new URL(second.url).port), pageKey: keyOf(second) });
      await lonely.locator('[data-connection=open]').waitFor();
      expect(await lonely.getByRole('textbox', { name: /^Message #/ }).inputValue()).toBe('unsent');
    } finally {
      await lonely.context().close();
      await second.close();
    }
  });
});
