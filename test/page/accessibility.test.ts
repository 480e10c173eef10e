// The page for members who use a keyboard, a screen reader, zoom, or colours of their own, in a real Chromium.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findAxeViolations } from '../helpers/axe.ts';
import { usePage } from '../helpers/page.ts';
import { describeInBrowser } from '../helpers/shared-browser.ts';

describeInBrowser('the page is accessible:', () => {
  const fixture = usePage();
  const { composer, lastMessage, channelText, runCommand } = fixture;

  /** Everything that opens on the page, by name. Each leaves it as it was. */
  const views: Record<string, (look: () => Promise<void>) => Promise<void>> = {
    async messages(look) {
      await runCommand('panel');
      await channelText('Page 1').last().waitFor();
      await look();
    },
    async 'the list of commands'(look) {
      await composer().fill('/');
      await fixture.page.getByRole('option', { name: '/echo' }).waitFor();
      await look();
      await composer().fill('');
    },
    async 'a command with its choices'(look) {
      await composer().fill('/echo ');
      await fixture.page.locator('#option-text:focus').waitFor();
      await fixture.page.keyboard.press('Tab');
      await fixture.page.getByRole('option', { name: 'fruit' }).click();
      await fixture.page.getByRole('option', { name: 'Apple' }).waitFor();
      await look();
      await fixture.page.keyboard.press('Escape');
      await fixture.page.keyboard.press('Escape');
    },
    async 'an open menu of a message'(look) {
      const menu = lastMessage().getByRole('combobox', { name: 'Choose a colour' });
      await menu.click();
      await lastMessage().getByRole('option', { name: 'Green' }).waitFor();
      await look();
      await menu.press('Escape');
    },
    async 'the menu of a message'(look) {
      await lastMessage().focus();
      await fixture.page.keyboard.press('Enter');
      await fixture.page.getByRole('menuitem', { name: 'Copy message ID' }).waitFor();
      await look();
      await fixture.page.keyboard.press('Escape');
    },
    async 'the menu of a member'(look) {
      const { page } = fixture;
      const isDrawer = (page.viewportSize()?.width ?? 0) <= 760;
      if (isDrawer) await page.getByRole('button', { name: 'Channels' }).click();
      await page.locator('.people').getByRole('button', { name: 'Sam' }).press('Shift+F10');
      await page.getByRole('menuitem', { name: 'Time out…' }).waitFor();
      await look();
      await page.keyboard.press('Escape');
      if (isDrawer) await page.keyboard.press('Escape');
    },
    async 'emoji and stickers to choose from'(look) {
      await fixture.page.getByRole('button', { name: 'Emoji, stickers and polls' }).click();
      await fixture.page.getByRole('menuitem', { name: 'Good night' }).waitFor();
      await look();
      await fixture.page.getByRole('menuitem', { name: 'Good night' }).click();
      await fixture.page.getByAltText('Sticker: Good night').last().waitFor();
    },
    async 'a poll, being made and made'(look) {
      await fixture.page.getByRole('button', { name: 'Emoji, stickers and polls' }).click();
      await fixture.page.getByRole('menuitem', { name: 'Create a poll…' }).click();
      await fixture.page.getByRole('textbox', { name: 'Question' }).fill('Tea or coffee?');
      await fixture.page.getByRole('textbox', { name: 'Answers' }).fill('Tea\nCoffee');
      await look();
      await fixture.page.getByRole('button', { name: 'Post', exact: true }).click();
      await lastMessage().getByRole('button', { name: 'Tea 0 votes' }).click();
      await lastMessage().getByRole('button', { name: 'Tea 1 vote' }).waitFor();
      await look();
    },
    async 'a modal'(look) {
      await runCommand('profile');
      const form = fixture.page.getByRole('dialog', { name: 'About you' });
      await form.getByRole('textbox', { name: 'Name' }).waitFor();
      await fixture.page.keyboard.press('Enter');
      await form.locator('[data-announce]').getByText('Name: this field is needed.').waitFor();
      await look();
      await form.getByRole('button', { name: 'Cancel' }).click();
    },
    async 'files to send'(look) {
      const file = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('abc') };
      await fixture.page.getByLabel('Add files').setInputFiles(file);
      await fixture.page.getByText('notes.txt').waitFor();
      await look();
      await fixture.page.getByRole('button', { name: 'Remove notes.txt' }).click();
    },
    async 'a recording'(look) {
      await fixture.page.getByRole('button', { name: 'Record from the microphone' }).click();
      await fixture.page.locator('#send-recording:focus').waitFor();
      await look();
      await fixture.page.getByRole('button', { name: 'Cancel' }).click();
    },
    async voice(look) {
      await fixture.page.getByRole('button', { name: /^Join / }).click();
      await fixture.page.locator('[data-user=robin]').first().waitFor({ state: 'attached' });
      await look();
    },
  };

  for (const width of [1280, 390]) {
    test(`axe finds nothing at ${width} px, in light and dark`, async () => {
      const { page } = fixture;
      await page.setViewportSize({ width, height: 844 });
      for (const [name, show] of Object.entries(views)) {
        await show(async () => {
          for (const colorScheme of ['light', 'dark'] as const) {
            // Under load, Chromium sometimes doesn't tell the page of the first change.
            await expect
              .poll(async () => {
                await page.emulateMedia({ colorScheme: null });
                await page.emulateMedia({ colorScheme });
                return page.evaluate(() => document.documentElement.dataset.theme);
              })
              .toBe(colorScheme);
            expect(await findAxeViolations(page), `${name}, ${colorScheme}`).toEqual([]);
          }
        });
      }
      if (width > 760) return;
      await page.getByRole('button', { name: 'Channels' }).click();
      await page.getByRole('navigation').waitFor();
      expect(await findAxeViolations(page), 'the channels').toEqual([]);
    });
  }

  /** What the live region was given, line by line. */
  async function listen(page: Page): Promise<() => Promise<string[]>> {
    await page.evaluate(() => {
      const heard: string[] = [];
      Object.assign(globalThis, { heard });
      const region = document.querySelector('[role=status]');
      if (!region) throw new Error('There is no live region.');
      new MutationObserver((changes) => {
        for (const { addedNodes } of changes) for (const node of addedNodes) heard.push(node.textContent ?? '');
      }).observe(region, { childList: true });
    });
    return () => page.evaluate(() => (globalThis as unknown as { heard: string[] }).heard);
  }

  test('a screen reader hears each text once, and its changes', async () => {
    const { page } = fixture;
    expect(await page.locator('[aria-live], [role=status], [role=alert], [role=log]').count()).toBe(1);
    const heard = await listen(page);
    await runCommand('ponder');
    await lastMessage().getByText('is thinking…').waitFor();
    fixture.bot.client.emit('pondered' as never);
    await expect.poll(async () => (await heard()).at(-1)).toMatch(/: Here is the answer\.$/);
    await runCommand('panel');
    await expect.poll(async () => (await heard()).at(-1)).toMatch(/: by Somebody\. Page 1\. Bold words\. .*The end$/);
    await lastMessage().getByRole('button', { name: 'Next' }).press('Enter');
    // Only what has changed, and not what counts on.
    await runCommand('sulk');
    await expect.poll(async () => (await heard()).at(-1)).toMatch(/did not respond/);
    // Reading on, it comes across each of them once, too.
    const tree = await page.locator('discord-message', { hasText: 'Here is the answer.' }).ariaSnapshot();
    for (const words of ['Here is the answer.', 'Today at']) expect(tree.split(words), words).toHaveLength(2);
    const lines = await heard();
    expect(new Set(lines).size).toBe(lines.length);
    expect(lines).toContain('Sending /sulk…');
    expect(lines.filter((line) => line.includes('Somebody'))).toHaveLength(1);
  });

  test('everything fits at 200 % zoom', async () => {
    const { page } = fixture;
    await page.setViewportSize({ width: 640, height: 400 });
    await runCommand('panel');
    await channelText('Page 1').last().waitFor();
    await page.setViewportSize({ width: 640, height: 400 });
    const overflow = () =>
      page.evaluate(() =>
        [document.documentElement, document.getElementById('messages')].map((box) => (box ? box.scrollWidth - box.clientWidth : -1)),
      );
    expect(await overflow()).toEqual([0, 0]);
    // The messages keep the larger part of the height.
    const box = await page.locator('#messages').boundingBox();
    expect(box?.height).toBeGreaterThan(200);
    await composer().fill('/');
    const list = await page.getByRole('listbox', { name: 'Commands' }).boundingBox();
    expect(list?.y).toBeGreaterThanOrEqual(0);
  });
});
