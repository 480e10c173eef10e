// The page in a real Chromium, against the real local Discord and a small bot: messages, commands, components and modals.
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { usePage } from '../helpers/page.ts';
import { describeInBrowser } from '../helpers/shared-browser.ts';

describeInBrowser('the page', () => {
  const fixture = usePage();
  const { composer, lastMessage, channelText, runCommand } = fixture;
  let page: Page;
  beforeEach(() => {
    page = fixture.page;
  });

  test('shows the server, its channels and the application, and suggests a command to a newcomer', async () => {
    await page.getByRole('navigation', { name: 'Server and channels' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Voice channels' }).count()).toBe(1);
    await page.getByRole('region', { name: 'First steps' }).getByRole('button', { name: 'Try /echo' }).click();
    await page.locator('#option-text').waitFor();
  });

  test('sends a message with Markdown, and announces others’ to screen readers', async () => {
    await composer().fill('**Loud** and ||hidden||');
    await composer().press('Enter');
    // What is typed while it is being sent is kept.
    await page.keyboard.type('and more');
    await lastMessage().locator('strong', { hasText: 'Loud' }).waitFor();
    await expect.poll(() => composer().inputValue()).toBe('and more');
    const { discord } = fixture;
    await discord.member('Sam').call('send_message', { channel_id: discord.channelId('general'), content: '**Quiet** and ||hidden||' });
    await page.getByRole('status').getByText('Quiet').waitFor({ state: 'attached' });
  });

  test('runs a command by keyboard alone: required, limited, autocompleted, number and boolean options', async () => {
    await page.keyboard.type('/ec');
    await page.getByRole('option', { name: '/echo' }).waitFor();
    await page.keyboard.press('Tab');
    await page.locator('#option-text').waitFor();
    await page.keyboard.press('Enter');
    await page.locator('[data-announce]').getByText('This option is required.').waitFor();
    await page.keyboard.type('Hello');
    await addOption('fruit');
    await page.keyboard.type('ap');
    await page.getByRole('option', { name: 'Apricot' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await addOption('times');
    await page.keyboard.type('9');
    await page.keyboard.press('Enter');
    await page.locator('[data-announce]').getByText('3 at most.').waitFor();
    await page.keyboard.press('Backspace');
    await page.keyboard.type('2');
    await addOption('private');
    await page.getByRole('option', { name: 'True' }).waitFor();
    // The first press takes what is highlighted, the second one sends.
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await lastMessage().getByText('Hello Hello (apricot)').waitFor();
    await lastMessage().getByText('Only you can see this').waitFor();
    await lastMessage().getByRole('button', { name: 'Dismiss', exact: true }).click();
    await channelText('Hello Hello (apricot)').waitFor({ state: 'detached' });
    await expect.poll(() => composer().evaluate((element) => element === document.activeElement)).toBe(true);
  });

  async function addOption(name: string): Promise<void> {
    await page.keyboard.press('Tab');
    await page.getByRole('option', { name }).waitFor();
    for (let tries = 0; tries < 6; tries++) {
      await page.keyboard.press('ArrowDown');
      const active = await page.locator('.list-item.active .list-label').textContent();
      if (active === name) break;
    }
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe(`option-${name}`);
  }

  test('tints a private answer from edge to edge', async () => {
    const { page } = fixture;
    await fixture.composer().fill('/echo ');
    await page.locator('#option-text:focus').waitFor();
    await page.keyboard.type('psst');
    await page.locator('#add-option').focus();
    await page.getByRole('option', { name: 'private' }).click();
    await page.getByRole('option', { name: 'True' }).click();
    await page.keyboard.press('Enter');
    const answer = page.locator('discord-message.ephemeral');
    await answer.waitFor();
    const margins = () =>
      answer.evaluate((inner) => {
        const outer = inner.closest('#messages')?.getBoundingClientRect();
        const { left, right } = inner.getBoundingClientRect();
        return [left - (outer?.left ?? Number.NaN), right - (outer?.right ?? Number.NaN)];
      });
    await expect.poll(margins).toEqual([0, 0]);
  });

  test('shows embeds, buttons that edit the message, menus, and modals with their limits', async () => {
    await runCommand('panel');
    const message = page.locator('discord-message', { has: page.getByText('Page 1', { exact: true }) }).last();
    await message.getByText('The end').waitFor();
    // The file that the embed shows is there once.
    await message.getByText('by Somebody').waitFor();
    await expect
      .poll(() => message.locator('discord-embed').evaluate((embed) => Boolean(embed.shadowRoot?.querySelector('img')?.src)))
      .toBe(true);
    expect(await message.locator('.picture').count()).toBe(0);
    const id = await message.getAttribute('id');
    const panel = page.locator(`#${id}`);
    await panel.getByRole('button', { name: 'Next' }).press('Enter');
    await panel.getByText('Page 2', { exact: true }).waitFor();

    await panel.getByRole('combobox', { name: 'Choose a colour' }).press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await channelText('You chose green.').waitFor();

    await panel.getByRole('button', { name: 'Form' }).click();
    const form = page.getByRole('dialog', { name: 'A form' });
    await form.getByRole('textbox').fill('ab');
    await form.getByRole('button', { name: 'Submit' }).click();
    await form.locator('[data-announce]').getByText('at least 3 characters').waitFor();
    await form.getByRole('textbox').fill('abc');
    await page.keyboard.press('Tab');
    await form.getByRole('button', { name: 'Submit' }).press('Enter');
    await channelText('The form says: abc').waitFor();
    await form.waitFor({ state: 'detached' });
  });

  test('gives a file to a command, and a message to a message command from its context menu', async () => {
    await composer().focus();
    await page.keyboard.type('/measure ');
    await page.locator('#option-file:focus').waitFor();
    await page.locator('#option-file').setInputFiles({ name: 'seven.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(7) });
    await page.locator('#option-file').press('Enter');
    await channelText('seven.bin has 7 bytes.').waitFor();

    await composer().fill('quiet words');
    await composer().press('Enter');
    await lastMessage().getByText('quiet words').waitFor();
    await composer().press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Shout' }).waitFor();
    await page.keyboard.press('Enter');
    await channelText(/QUIET WORDS/).waitFor();
  });
});
