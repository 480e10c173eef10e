// The page for members who use a keyboard, zoom, or colours of their own, in a real Chromium: every view, at two widths.
import { expect, test } from 'vitest';
import { describeInBrowser, findAxeViolations } from '../page/browser.ts';
import { usePage } from '../page/page.ts';

describeInBrowser('the page is accessible:', () => {
  const fixture = usePage();
  const { composer, lastMessage, runCommand } = fixture;

  /** Everything that opens on the page, by name. Each leaves it as it was. */
  const views: Record<string, (look: () => Promise<void>) => Promise<void>> = {
    async messages(look) {
      await runCommand('panel');
      await lastMessage().getByText('The end').waitFor();
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
      await lastMessage().press('Enter');
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
      await form.locator('[data-announce]').getByText('Name: this field is required.').waitFor();
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

  /** Resolves once the page has the colours of the system, which now prefers these. */
  async function follows(colorScheme: 'light' | 'dark'): Promise<void> {
    await fixture.page.emulateMedia({ colorScheme });
    // The page is told with the next frame, and not at all if nobody asks for one.
    const theme = () =>
      fixture.page.evaluate(async () => {
        await new Promise(requestAnimationFrame);
        return document.documentElement.dataset.theme;
      });
    await expect.poll(theme).toBe(colorScheme);
  }

  for (const width of [1280, 390]) {
    test(`axe finds nothing at ${width} px${width > 760 ? ', in light and dark' : ''}`, async () => {
      const { page } = fixture;
      await page.setViewportSize({ width, height: 844 });
      for (const [name, show] of Object.entries(views)) {
        await show(async () => {
          // Colours are the same at any width.
          for (const colorScheme of width > 760 ? (['light', 'dark'] as const) : (['light'] as const)) {
            await follows(colorScheme);
            // All else is the same in both.
            const rules = colorScheme === 'dark' ? ['color-contrast', 'link-in-text-block'] : undefined;
            expect(await findAxeViolations(page, rules), `${name}, ${colorScheme}`).toEqual([]);
          }
        });
      }
      if (width > 760) return;
      await page.getByRole('button', { name: 'Channels' }).click();
      await page.getByRole('navigation').waitFor();
      expect(await findAxeViolations(page), 'the channels').toEqual([]);
    });
  }

  test("it follows the system's colours, even if it is drawn just as they change", async () => {
    await composer().evaluate((box) => {
      setInterval(() => box.dispatchEvent(new InputEvent('input', { bubbles: true })), 1);
    });
    for (const colorScheme of ['dark', 'light', 'dark'] as const) {
      await follows(colorScheme);
      const isLight = colorScheme === 'light';
      await fixture.page.getByRole('button', { name: isLight ? 'Dark colours' : 'Light colours' }).waitFor();
    }
  });

  test('buttons have borders where the system takes their backgrounds away', async () => {
    const { page } = fixture;
    await page.emulateMedia({ forcedColors: 'active' });
    await runCommand('panel');
    await lastMessage().getByText('The end').waitFor();
    await page.getByRole('button', { name: 'Lounge, voice channel, join' }).click();
    await page.getByText('Voice connected').first().waitFor();
    // Rows of a list, and words within a sentence, have none.
    const borderless = await page.evaluate(() => {
      const within = [...document.querySelectorAll('discord-button')].flatMap(({ shadowRoot }) => [
        ...(shadowRoot?.querySelectorAll('button') ?? []),
      ]);
      const buttons = [
        ...document.querySelectorAll<HTMLElement>(
          'button:not(.channel, .voice-member, .link-button, .origin-text, .crowd, .rail *), .quiet-button',
        ),
      ];
      return [...within, ...buttons]
        .filter((button) => button.checkVisibility() && getComputedStyle(button).borderTopStyle === 'none')
        .map(({ outerHTML }) => outerHTML);
    });
    expect(borderless).toEqual([]);
    const thumb = await page.locator('.switch').evaluate((element) => getComputedStyle(element, '::after').backgroundColor);
    expect(thumb).not.toBe(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
  });

  test('everything fits at 200 % zoom', async () => {
    const { page } = fixture;
    await page.setViewportSize({ width: 640, height: 400 });
    await runCommand('panel');
    await lastMessage().getByText('The end').waitFor();
    const overflow = () =>
      page.evaluate(() =>
        [document.documentElement, document.getElementById('messages')].map((box) => (box ? box.scrollWidth - box.clientWidth : -1)),
      );
    await expect.poll(overflow).toEqual([0, 0]);
    // The messages keep the larger part of the height.
    await expect.poll(async () => (await page.locator('#messages').boundingBox())?.height).toBeGreaterThan(200);
    await composer().fill('/');
    const list = page.getByRole('listbox', { name: 'Commands' });
    await expect.poll(async () => (await list.boundingBox())?.y).toBeGreaterThanOrEqual(0);
  });
});
