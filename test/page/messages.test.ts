// The page in a real Chromium, against the real local Discord and a small bot: messages, commands, components and modals; what a screen reader
// hears of them; a phone, and a connection that is lost.
import { once } from 'node:events';
import type { Page } from 'playwright-core';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { startLocalDiscord } from '../../src/local/discord/index.ts';
import { makeFolder } from '../helpers/folder.ts';
import { keyOf } from '../helpers/local-discord.ts';
import { freePort } from '../helpers/program.ts';
import { describeInBrowser, findAxeViolations } from './browser.ts';
import { usePage } from './page.ts';

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
    await lastMessage().getByText('Page 2').waitFor();
    // Reading on, it comes across each of them once, too.
    const tree = await page.locator('discord-message', { hasText: 'Here is the answer.' }).ariaSnapshot();
    for (const words of ['Here is the answer.', 'Today at']) expect(tree.split(words), words).toHaveLength(2);
    // A bar of glyphs is for the eye only.
    const { discord } = fixture;
    await discord.member('Sam').call('send_message', { channel_id: discord.channelId('general'), content: '5 of 9 done\n▰▰▰▰▰▱▱▱▱' });
    await expect.poll(async () => (await heard()).at(-1)).toBe('Sam: 5 of 9 done');
    expect(await lastMessage().ariaSnapshot()).not.toContain('▰');
    // Only what the edit changed was announced.
    const lines = await heard();
    expect(new Set(lines).size).toBe(lines.length);
    expect(lines).toContain('Sending /ponder…');
    expect(lines.filter((line) => line.includes('Somebody'))).toHaveLength(1);
  });

  test('axe finds nothing in messages, an open menu and a voice channel, in light and dark', async () => {
    await page.getByRole('button', { name: 'Lounge, voice channel, join' }).click();
    await page.getByText('Voice connected').first().waitFor();
    await runCommand('panel');
    await lastMessage().getByText('The end').waitFor();
    await lastMessage().getByRole('combobox', { name: 'Choose a colour' }).click();
    await lastMessage().getByRole('option', { name: 'Green' }).waitFor();
    expect(await findAxeViolations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('html[data-theme=dark]').waitFor();
    // All else is the same in both.
    expect(await findAxeViolations(page, ['color-contrast', 'link-in-text-block'])).toEqual([]);
  });

  test('fits a phone: nothing overflows, and the channels slide in', async () => {
    await runCommand('panel');
    await lastMessage().getByText('Page 1').waitFor();
    const phone = await fixture.browser.open(fixture.discord.pageUrl(), { viewport: { width: 390, height: 844 }, hasTouch: true });
    await phone.getByText('Page 1').last().waitFor();
    expect(await phone.locator('#messages').evaluate((list) => list.scrollWidth - list.clientWidth)).toBe(0);
    await phone.getByRole('button', { name: 'Channels' }).click();
    await phone.getByRole('navigation').waitFor();
    await phone.keyboard.press('Escape');
    await phone.getByRole('navigation').waitFor({ state: 'hidden' });
    await phone.context().close();
  });

  test('says if the application does not respond', async () => {
    const asked = once(fixture.bot.client, 'interactionCreate');
    await runCommand('sulk');
    await page.locator('[data-announce]').getByText('Sending /sulk…').waitFor();
    await asked;
    fixture.discord.expireInteractions('initial responses');
    await page.locator('[data-announce]').getByText('did not respond').waitFor();
  });

  test('after a restart of the local Discord, voice, presence and toasts are true, the history is there once, and the draft can be sent', async () => {
    const options = { directory: await makeFolder(), port: await freePort() };
    const first = await startLocalDiscord(options);
    const other = await fixture.browser.open(first.pageUrl());
    onTestFinished(() => other.context().close());
    const box = other.getByRole('textbox', { name: /^Message #/ });
    const announced = (words: string) => other.locator('[data-announce]').getByText(words).waitFor();
    const history = () => other.locator('discord-messages').getByText('said before').count();
    await announced('is offline: commands will not be answered');
    await first.member('Sam').call('join_voice', { channel_id: first.channelId('Lounge') });
    await box.fill('said before');
    await box.press('Enter');
    await expect.poll(history).toBe(1);
    await other.getByRole('button', { name: 'Lounge, voice channel, join' }).click();
    await other.getByText('Voice connected').first().waitFor();
    await other.locator('[data-user=sam]').waitFor();

    await first.close();
    await announced('cannot be reached');
    await expect.poll(() => other.getByText('Voice connected').count()).toBe(0);
    await expect.poll(() => other.locator('.voice-members li').count()).toBe(0);
    await expect.poll(() => other.locator('.presence').allTextContents()).toEqual(['offline']);
    expect(await history()).toBe(1);
    await box.fill('unsent');
    await box.press('Enter');
    await announced('There is no connection');
    await expect.poll(() => box.inputValue()).toBe('unsent');

    const second = await startLocalDiscord({ ...options, pageKey: keyOf(first) });
    onTestFinished(() => second.close());
    await other.locator('[data-connection=open]').waitFor();
    await other.getByText('Voice connected').first().waitFor();
    await expect.poll(() => other.locator('.voice-members li').allTextContents()).toEqual([expect.stringContaining('Robin')]);
    await expect.poll(() => other.locator('.notice').count()).toBe(0);
    await expect.poll(history).toBe(1);
    await expect.poll(() => box.inputValue()).toBe('unsent');
    await box.press('Enter');
    await other.locator('discord-messages').getByText('unsent').waitFor();
    await expect.poll(() => other.locator('discord-message').count()).toBe(2);
  });
});
