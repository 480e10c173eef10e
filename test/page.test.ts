// The page in a real Chromium, against the real local Discord and a small bot: what a member sees, hears and does.
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { startLocalDiscord } from '../src/local/discord/index.ts';
import { describeInBrowser } from './helpers/browser.ts';
import { patience, usePage } from './helpers/page.ts';

describeInBrowser('the page', () => {
  const open = usePage();
  const { composer, lastMessage, said, run } = open;
  let page: Page;
  beforeEach(() => {
    page = open.page;
  });

  test('shows the server, its channels and the application, and points a newcomer to a command', async () => {
    await page.getByRole('navigation', { name: 'Server and channels' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Voice channels' }).count()).toBe(1);
    await page.getByRole('complementary', { name: 'First steps' }).getByRole('button', { name: '/echo' }).click();
    await page.locator('#option-text').waitFor();
  });

  test('sends a message with Markdown, and says it to screen readers of others', async () => {
    const other = await open.browser.open(`${open.discord.url}/?user=${await otherMember()}`);
    await other.locator('[data-link=open]').waitFor();
    await composer().fill('**Loud** and ||hidden||');
    await composer().press('Enter');
    // What is typed while it is being sent is kept.
    await page.keyboard.type('and more');
    await lastMessage().locator('strong', { hasText: 'Loud' }).waitFor();
    await other.getByRole('status').getByText('Loud').waitFor({ state: 'attached' });
    expect(await composer().inputValue()).toBe('and more');
    await other.context().close();
  });

  test('runs a command by keyboard alone: required option, limits, suggestions, number, yes or no', async () => {
    await page.keyboard.type('/ec');
    await page.getByRole('option', { name: '/echo' }).waitFor();
    await page.keyboard.press('Tab');
    await page.locator('#option-text').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('This option is needed.').waitFor();
    await page.keyboard.type('Hello');
    await addOption('fruit');
    await page.keyboard.type('ap');
    await page.getByRole('option', { name: 'Apricot' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await addOption('times');
    await page.keyboard.type('9');
    await page.keyboard.press('Enter');
    await page.getByText('3 at most.').waitFor();
    await page.keyboard.press('Backspace');
    await page.keyboard.type('2');
    await addOption('private');
    await page.keyboard.type('t');
    await page.getByRole('option', { name: 'True' }).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await lastMessage().getByText('Hello Hello (apricot)').waitFor();
    await lastMessage().getByText('Only you can see this').waitFor();
    await lastMessage().getByRole('button', { name: 'Dismiss message' }).click();
    await said('Hello Hello (apricot)').waitFor({ state: 'detached' });
    await expect.poll(() => composer().evaluate((element) => element === document.activeElement), patience).toBe(true);
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
    await expect.poll(() => page.evaluate(() => document.activeElement?.id), patience).toBe(`option-${name}`);
  }

  test('shows embeds, buttons that edit the message, menus, and forms with their limits', async () => {
    await run('panel');
    const message = page.locator('discord-message', { has: page.getByText('Page 1', { exact: true }) }).last();
    await message.getByText('The end').waitFor();
    const id = await message.getAttribute('id');
    const panel = page.locator(`#${id}`);
    await panel.getByRole('button', { name: 'Next' }).press('Enter');
    await panel.getByText('Page 2', { exact: true }).waitFor();

    await panel.getByRole('combobox', { name: 'Choose a colour' }).press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await said('You chose green.').waitFor();

    await panel.getByRole('button', { name: 'Form' }).click();
    const form = page.getByRole('dialog', { name: 'A form' });
    await form.getByRole('textbox').fill('ab');
    await form.getByRole('button', { name: 'Submit' }).click();
    await form.getByText('at least 3 characters').waitFor();
    await form.getByRole('textbox').fill('abc');
    await page.keyboard.press('Tab');
    await form.getByRole('button', { name: 'Submit' }).press('Enter');
    await said('The form says: abc').waitFor();
    expect(await form.count()).toBe(0);
  });

  test('says so when the application thinks, and when it does not answer', async () => {
    await run('ponder');
    await lastMessage().getByText('is thinking…').waitFor();
    open.bot.client.emit('pondered' as never);
    await said('Here is the answer.').waitFor();
    await run('sulk');
    await page.getByText('Sending /sulk…').waitFor();
    await page.getByRole('alert').getByText('did not respond').waitFor();
  });

  test('hands a file to a command, and a message to a message command from its menu', async () => {
    await composer().focus();
    await page.keyboard.type('/measure ');
    await page.locator('#option-file').setInputFiles({ name: 'seven.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(7) });
    await page.locator('#option-file').press('Enter');
    await said('seven.bin has 7 bytes.').waitFor();

    await composer().fill('quiet words');
    await composer().press('Enter');
    await lastMessage().getByText('quiet words').waitFor();
    await composer().press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Shout' }).waitFor();
    await page.keyboard.press('Enter');
    await said(/QUIET WORDS/).waitFor();
  });

  test('sends a recording as a voice message with its waveform, and plays it', async () => {
    await page.getByRole('button', { name: 'Record from the microphone' }).click();
    await expect
      .poll(() => page.evaluate(() => Number(document.documentElement.dataset.recordingLevel ?? 0)), patience)
      .toBeGreaterThan(0.001);
    await page.getByRole('button', { name: 'Send voice message' }).click();
    const player = lastMessage().getByRole('group', { name: 'Voice message' });
    await player.waitFor();
    expect(await player.locator('.bars rect').count()).toBe(48);
    const file = await page.request.get(new URL((await player.getByRole('link').getAttribute('href')) ?? '', open.discord.url).href);
    expect((await file.body()).subarray(0, 4).toString()).toBe('OggS');
    await player.getByRole('button', { name: 'Play' }).click();
    await player.getByRole('button', { name: 'Pause' }).waitFor();
  });

  test('hears the bot in a voice channel, shows who speaks, and falls silent when deafened', async () => {
    const channel = page.getByRole('button', { name: /voice channel, join/ }).first();
    await channel.focus();
    await page.keyboard.press('Enter');
    await page.getByText('Voice connected').first().waitFor();
    const other = await open.browser.open(`${open.discord.url}/?user=${await otherMember()}`);
    await run('hum');
    await other.locator('.voice-members [data-user]').nth(1).waitFor();
    await other.context().close();
    await page.locator('[data-speaking=true]').waitFor();
    const figure = (name: string) => page.evaluate((key) => Number(document.documentElement.dataset[key] ?? 0), name);
    await expect.poll(() => figure('heardPackets'), patience).toBeGreaterThan(40);
    await expect.poll(() => figure('heardPeak'), patience).toBeGreaterThan(0.05);
    await page.getByRole('button', { name: 'Deafen' }).click();
    await expect.poll(() => figure('heardLevel'), patience).toBe(0);
    await page.getByRole('button', { name: 'Leave voice' }).click();
    await expect.poll(() => page.getByText('Voice connected').count(), patience).toBe(0);
  });

  test('goes to another channel when the open one is deleted, and out of a voice channel that is', async () => {
    await page.getByRole('button', { name: 'random' }).click();
    await page.getByRole('heading', { name: 'Welcome to #random!' }).waitFor();
    open.discord.deleteChannel(open.discord.channelId('random'));
    await page.getByRole('alert').getByText('The channel #random was deleted.').waitFor();
    await page.getByRole('heading', { name: 'Welcome to #general!' }).waitFor();
    expect(await page.getByRole('button', { name: 'random' }).count()).toBe(0);

    await page.getByRole('button', { name: 'Workshop, voice channel, join' }).click();
    await page.getByText('Voice connected').first().waitFor();
    open.discord.deleteChannel(open.discord.channelId('Workshop'));
    await page.getByRole('button', { name: /^Workshop/ }).waitFor({ state: 'detached' });
    await expect.poll(() => page.getByText('Voice connected').count(), patience).toBe(0);
  });

  test('fits a phone: nothing sticks out, and the channels slide in', async () => {
    const phone = await open.browser.open(open.discord.url, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      colorScheme: 'light',
    });
    await phone.locator('[data-link=open]').waitFor();
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

  test('says when the application is offline or the local Discord gone, and connects again by itself', async () => {
    let second = await startLocalDiscord({ port: 0 });
    const lonely = await open.browser.open(second.url);
    try {
      await lonely.getByText('is offline: commands will not be answered').waitFor();
      await second.close();
      await lonely.getByRole('alert').getByText('cannot be reached').waitFor();
      await lonely.getByRole('combobox', { name: /^Message #/ }).fill('unsent');
      await lonely.keyboard.press('Enter');
      await lonely.getByRole('alert').getByText('There is no connection').waitFor();
      second = await startLocalDiscord({ port: Number(new URL(second.url).port) });
      await lonely.locator('[data-link=open]').waitFor();
      expect(await lonely.getByRole('combobox', { name: /^Message #/ }).inputValue()).toBe('unsent');
    } finally {
      await lonely.context().close();
      await second.close();
    }
  });

  /** The user name of the other person of the seed, from the link on the page. */
  async function otherMember(): Promise<string> {
    const link = await page
      .getByRole('link', { name: /^be .* too$/ })
      .first()
      .getAttribute('href');
    return new URL(link ?? '', open.discord.url).searchParams.get('user') ?? '';
  }
});
