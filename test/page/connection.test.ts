// Opening the page in a real Chromium: on a phone, while others write, and while something is offline.
import { once } from 'node:events';
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { startLocalDiscord } from '../../src/local/discord/index.ts';
import { freePort } from '../helpers/free-port.ts';
import { keyOf } from '../helpers/local-discord.ts';
import { usePage, whenReady } from '../helpers/page.ts';
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
    const phone = await fixture.browser.open(fixture.discord.pageUrl(), { viewport: { width: 390, height: 844 }, hasTouch: true });
    await phone.getByText('Page 1').waitFor();
    expect(await phone.locator('#messages').evaluate((list) => list.scrollWidth - list.clientWidth)).toBe(0);
    await phone.getByRole('button', { name: 'Channels' }).click();
    await phone.getByRole('navigation').waitFor();
    await phone.keyboard.press('Escape');
    await phone.getByRole('navigation').waitFor({ state: 'hidden' });
    await phone.context().close();
  });

  test('opens while others write, without errors from dispatches that come before the snapshot', async () => {
    const { userId } = fixture.discord.member('Robin');
    const early = { t: 'MESSAGE_CREATE', d: { id: '1', channel_id: '2', author: { id: userId }, content: '', embeds: [] } };
    const late = await fixture.browser.open(fixture.discord.pageUrl(), {}, (page) =>
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
    expect(await late.locator('[data-announce]').allTextContents()).toEqual([]);
    await late.context().close();
  });

  test('shows that the application is thinking, and says if it does not respond', async () => {
    await fixture.runCommand('ponder');
    await fixture.lastMessage().getByText('is thinking…').waitFor();
    fixture.bot.client.emit('pondered' as never);
    await fixture.channelText('Here is the answer.').waitFor();
    const asked = once(fixture.bot.client, 'interactionCreate');
    await fixture.runCommand('sulk');
    await page.locator('[data-announce]').getByText('Sending /sulk…').waitFor();
    await asked;
    fixture.discord.expireInteractions('initial responses');
    await page.locator('[data-announce]').getByText('did not respond').waitFor();
  });

  test('says if the application is offline or the local Discord is gone, and reconnects on its own', async () => {
    let second = await startLocalDiscord({ port: await freePort() });
    const lonely = await fixture.browser.open(second.pageUrl());
    try {
      await lonely.locator('[data-announce]').getByText('is offline: commands will not be answered').waitFor();
      await second.close();
      await lonely.locator('[data-announce]').getByText('cannot be reached').waitFor();
      const box = lonely.getByRole('textbox', { name: /^Message #/ });
      await box.fill('unsent');
      await box.press('Enter');
      await lonely.locator('[data-announce]').getByText('There is no connection').waitFor();
      second = await startLocalDiscord({ port: Number(new URL(second.url).port), pageKey: keyOf(second) });
      await lonely.locator('[data-connection=open]').waitFor();
      await expect.poll(() => box.inputValue()).toBe('unsent');
    } finally {
      await lonely.context().close();
      await second.close();
    }
  });
});
