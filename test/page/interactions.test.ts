// Interactions in a real Chromium: subcommands, every kind of menu and modal, direct messages, several servers.
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { startLocalDiscord } from '../../src/local/discord/index.ts';
import { usePage } from '../helpers/page.ts';
import { describeInBrowser } from '../helpers/shared-browser.ts';

describeInBrowser('interactions on the page', () => {
  const fixture = usePage();
  const { composer, lastMessage, channelText, runCommand } = fixture;
  let page: Page;
  beforeEach(() => {
    page = fixture.page;
  });

  test('runs a subcommand with autocomplete', async () => {
    await composer().focus();
    await page.keyboard.type('/settings v');
    await page.getByRole('option', { name: '/settings voice set' }).waitFor();
    expect(await page.locator('#command-list').getByRole('option').count()).toBe(1);
    await page.keyboard.press('Enter');
    await page.locator('#option-fruit:focus').waitFor();
    await page.keyboard.type('ban');
    await page.getByRole('option', { name: 'Banana' }).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await channelText('voice set banana here.').waitFor();
    await lastMessage().locator('.origin').getByText('/settings voice set').waitFor();
    await runCommand('settings show');
    await channelText('show here.').waitFor();
  });

  test('selects users, roles and channels in menus, within their limits, by keyboard alone', async () => {
    await runCommand('choose');
    const menu = (name: RegExp) => lastMessage().getByRole('combobox', { name });
    const pick = async (name: string) => {
      await page.keyboard.type(name);
      await page.locator('.menu-list').getByRole('option', { name, exact: false }).first().waitFor();
      await page.keyboard.press('Enter');
      await page.keyboard.press('Control+A');
    };
    // The answers are private and come below: the menus' message stays at its place by its id.
    const message = page.locator(
      `#${await page
        .locator('discord-message', { has: page.getByRole('combobox', { name: /^Two people/ }) })
        .last()
        .getAttribute('id')}`,
    );
    expect(await message.getByRole('combobox', { name: 'Voice channels: Lounge' }).count()).toBe(1);
    expect(await message.getByRole('combobox', { name: 'Anybody: Robin' }).count()).toBe(1);
    await menu(/^Two people/).press('ArrowDown');
    await page.getByText('Choose 2;').waitFor();
    await pick('Robin');
    await pick('Sam');
    await page.keyboard.press('Escape');
    await channelText('Chosen: Robin and Sam.').waitFor();
    await message.getByRole('combobox', { name: /^A role/ }).press('ArrowDown');
    await page.keyboard.type('every');
    await page.keyboard.press('Enter');
    await channelText('Chosen: @everyone.').waitFor();
    await message.getByRole('combobox', { name: /^Voice channels/ }).press('ArrowDown');
    await page.getByText('Up to 3;').waitFor();
    expect(await page.locator('.menu-list').getByRole('option', { name: 'general' }).count()).toBe(0);
    await pick('Lounge');
    await page.keyboard.press('Escape');
    await channelText('Chosen: nobody.').waitFor();
  });

  test('fills in a modal with labels and menus by keyboard alone', async () => {
    await runCommand('profile');
    const form = page.getByRole('dialog', { name: 'About you' });
    await form.getByText('can be changed later').waitFor();
    await form.getByRole('textbox', { name: 'Name' }).waitFor();
    await page.keyboard.press('Enter');
    await form.locator('[data-announce]').getByText('Name: this field is needed.').waitFor();
    await page.keyboard.type('Robin');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    await form.getByRole('option', { name: 'Cherry' }).waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    // Closes the list, and not the form.
    await page.keyboard.press('Escape');
    await form.getByRole('combobox', { name: 'Fruits: Banana, Cherry' }).waitFor();
    await form.getByRole('combobox', { name: 'Friends' }).press('ArrowDown');
    await page.keyboard.type('sam');
    await page.keyboard.press('Enter');
    await form.getByRole('combobox', { name: 'Friends: Sam' }).waitFor();
    await form.getByRole('button', { name: 'Submit' }).press('Enter');
    await channelText('Robin likes banana and cherry, and Sam.').waitFor();
    expect(await form.count()).toBe(0);
  });

  test('uses a command in direct messages, and marks them unread when the application writes', async () => {
    const people = page.getByRole('list', { name: 'Direct messages' });
    await people.getByRole('button', { name: /^Application/ }).press('Enter');
    await page.getByText('This is the beginning of your direct messages.').waitFor();
    const box = page.getByRole('textbox', { name: 'Message @Application' });
    await box.fill('/echo ');
    await page.locator('#option-text:focus').waitFor();
    await page.keyboard.type('just us');
    await page.keyboard.press('Enter');
    await channelText('just us').waitFor();
    const { dms } = await fixture.discord.member('Robin').call('hello', {});
    await page.getByRole('button', { name: 'general' }).click();
    await composer().waitFor();
    const user = await fixture.bot.client.users.fetch(fixture.discord.member('Robin').userId);
    await user.send('Half of it is used.');
    await people.getByRole('button', { name: /^Application online.*new messages$/ }).click();
    await channelText('Half of it is used.').waitFor();
    expect(dms).toHaveLength(1);
    const other = await fixture.browser.open(fixture.discord.pageUrl('Sam'));
    await other.locator('[data-connection=open]').waitFor();
    expect(await other.getByText('just us').count()).toBe(0);
    await other.context().close();
  });

  test('switches between servers, and between their voice channels', async () => {
    const two = await startLocalDiscord({ guilds: 2 });
    const visitor = await fixture.browser.open(two.pageUrl());
    try {
      await visitor.getByRole('button', { name: 'Lounge, voice channel, join' }).click();
      await visitor.getByRole('list', { name: 'In Lounge' }).getByText('Robin').waitFor();
      await visitor.getByRole('button', { name: 'Playground 2' }).press('Enter');
      await visitor.getByRole('heading', { name: 'Playground 2' }).waitFor();
      await visitor.getByRole('button', { name: 'Workshop, voice channel, join' }).click();
      await visitor.getByRole('list', { name: 'In Workshop' }).getByText('Robin').waitFor();
      await visitor.getByRole('button', { name: 'Playground', exact: true }).press('Enter');
      await visitor.getByRole('heading', { name: 'Playground', exact: true }).waitFor();
      expect(await visitor.getByRole('list', { name: 'In Lounge' }).getByText('Robin').count()).toBe(0);
      await visitor.getByText('Voice connected').first().waitFor();
    } finally {
      await visitor.context().close();
      await two.close();
    }
  });
});
