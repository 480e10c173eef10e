// Interactions in a real Chromium: subcommands, modals, Components V2, direct messages, several servers.

import { AttachmentBuilder, ButtonStyle, ComponentType, type Interaction, MessageFlags } from 'discord.js';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { oggOpusOf, tone } from '../helpers/sound.ts';
import { describeInBrowser } from './browser.ts';
import { sendLayout, usePage } from './page.ts';

/** A PNG with one pixel. */
const DOT = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const text = (content: string) => ({ type: ComponentType.TextDisplay, content });

describeInBrowser('interactions', () => {
  const fixture = usePage({ guilds: 2 });

  describe('interactions on the page', () => {
    const { composer, lastMessage, channelText, runCommand } = fixture;
    let page: Page;
    beforeEach(() => {
      page = fixture.page;
    });

    test('runs a subcommand with autocomplete', async () => {
      await composer().focus();
      await page.keyboard.type('/settings v');
      await page.getByRole('option', { name: '/settings voice set' }).waitFor();
      await expect.poll(() => page.locator('#command-list').getByRole('option').count()).toBe(1);
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

    test('fills in a modal with labels and menus by keyboard alone', async () => {
      await runCommand('profile');
      const form = page.getByRole('dialog', { name: 'About you' });
      await form.getByText('can be changed later').waitFor();
      await form.getByRole('textbox', { name: 'Name' }).waitFor();
      await page.keyboard.press('Enter');
      await form.locator('[data-announce]').getByText('Name: this field is required.').waitFor();
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
      await form.waitFor({ state: 'detached' });
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
      await page.getByRole('button', { name: 'general' }).click();
      await composer().waitFor();
      const user = await fixture.bot.client.users.fetch(fixture.discord.member('Robin').userId);
      await user.send('Half of it is used.');
      await people.getByRole('button', { name: /^Application, online, new messages$/ }).click();
      await channelText('Half of it is used.').waitFor();
      const dmsOf = async (name: string) => (await fixture.discord.member(name).call('hello', {})).dms;
      expect(await dmsOf('Robin')).toHaveLength(1);
      expect(await dmsOf('Sam')).toEqual([]);
    });

    test('switches between servers, and between their voice channels', async () => {
      const inVoice = (channel: string) => page.getByRole('list', { name: `In ${channel}` }).getByText('Robin');
      await page.getByRole('button', { name: 'Lounge, voice channel, join' }).click();
      await inVoice('Lounge').waitFor();
      await page.getByRole('button', { name: 'Playground 2' }).press('Enter');
      await page.getByRole('heading', { name: 'Playground 2' }).waitFor();
      await page.getByRole('button', { name: 'Workshop, voice channel, join' }).click();
      await inVoice('Workshop').waitFor();
      await page.getByRole('button', { name: 'Playground', exact: true }).press('Enter');
      await page.getByRole('heading', { name: 'Playground', exact: true }).waitFor();
      await inVoice('Lounge').waitFor({ state: 'detached' });
      await page.getByText('Voice connected').first().waitFor();
    });
  });

  describe('a layout on the page', () => {
    const { lastMessage } = fixture;
    let page: Page;
    beforeEach(() => {
      page = fixture.page;
    });

    const send = (components: object[], files?: AttachmentBuilder[]) => sendLayout(fixture, components, files);

    test('shows a container with its accent, formatted text, and a section’s picture with its description', async () => {
      const thumbnail = { type: ComponentType.Thumbnail, media: { url: 'attachment://dot.png' }, description: 'A red dot' };
      const section = {
        type: ComponentType.Section,
        components: [text('## Storyteller\n- calm'), text('-# English')],
        accessory: thumbnail,
      };
      const message = await send(
        [{ type: ComponentType.Container, accent_color: 0x3ba55d, components: [section, { type: ComponentType.Separator }] }],
        [new AttachmentBuilder(DOT, { name: 'dot.png' })],
      );
      await message.getByRole('heading', { name: 'Storyteller' }).waitFor();
      await message.getByRole('listitem').getByText('calm').waitFor();
      await message.getByRole('separator').waitFor();
      const picture = message.getByRole('img', { name: 'A red dot' });
      await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);
      const accent = await message.locator('.container').evaluate((element) => getComputedStyle(element).borderLeftColor);
      expect(accent).toBe('rgb(59, 165, 93)');
      expect(await message.locator('discord-file-attachment').count()).toBe(0);
    });

    test('buttons beside a section and menus in a container work, and their message can be edited', async () => {
      const answer = async (interaction: Interaction) => {
        if (!interaction.isMessageComponent() || !interaction.customId.startsWith('layout')) return;
        const said = interaction.isStringSelectMenu() ? interaction.values.join() : interaction.customId;
        await interaction.update({ flags: MessageFlags.IsComponentsV2, components: [text(`## used ${said}`)] });
        await interaction.followUp({ flags: MessageFlags.IsComponentsV2, components: [text('noted')] });
      };
      const { client } = fixture.bot;
      client.prependListener('interactionCreate', answer);
      const accessory = { type: ComponentType.Button, style: ButtonStyle.Primary, label: 'Remove', custom_id: 'layout-remove' };
      const section = await send([{ type: ComponentType.Section, components: [text('Next up')], accessory }]);
      await section.getByRole('button', { name: 'Remove' }).click();
      // The follow-up says what it refers to, without marks.
      await lastMessage().getByText('noted').waitFor();
      await lastMessage()
        .getByRole('button', { name: /^Reply to .*: used layout-remove$/ })
        .waitFor();
      const options = [
        { label: 'Calm', value: 'calm', description: 'English' },
        { label: 'Loud', value: 'loud', description: 'German' },
      ];
      const menu = { type: ComponentType.StringSelect, custom_id: 'layout-menu', placeholder: 'Use…', options };
      const layout = await send([
        { type: ComponentType.Container, components: [text('Voices'), { type: ComponentType.ActionRow, components: [menu] }] },
      ]);
      await layout.getByRole('combobox', { name: 'Use…' }).press('Enter');
      await page.getByRole('option', { name: 'Loud' }).getByText('German').waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await layout.getByText('used loud').waitFor();
      client.off('interactionCreate', answer);
    });

    test('shows files with name and size, plays sound, and hides what is unreferenced or a spoiler', async () => {
      const file = (name: string) => ({ type: ComponentType.File, file: { url: `attachment://${name}` } });
      const sound = await oggOpusOf(tone(440, 1, 48_000));
      const message = await send(
        [
          text('Files'),
          file('words.txt'),
          file('tone.ogg'),
          { type: ComponentType.Container, components: [text('secret')], spoiler: true },
        ],
        [
          new AttachmentBuilder(Buffer.from('hello'), { name: 'words.txt' }),
          new AttachmentBuilder(Buffer.from(sound.file), { name: 'tone.ogg' }),
          new AttachmentBuilder(Buffer.from('hidden'), { name: 'unreferenced.txt' }),
        ],
      );
      await message.getByText('words.txt').waitFor();
      await message.getByText('5 bytes').waitFor();
      await message.getByRole('group', { name: 'Audio file tone.ogg' }).waitFor();
      expect(await message.getByText('unreferenced.txt').count()).toBe(0);
      const cover = message.getByRole('button', { name: 'Spoiler, press to show' });
      await cover.waitFor();
      expect(await message.locator('.container').innerText()).toBe('');
      await cover.press('Enter');
      await cover.waitFor({ state: 'detached' });
      await message.getByText('secret').waitFor();
    });
  });
});
