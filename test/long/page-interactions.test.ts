// Interactions in a real Chromium: subcommands, every kind of menu and modal, Components V2, direct messages, several servers, languages.

import { AttachmentBuilder, ButtonStyle, ComponentType, type Interaction, MessageFlags } from 'discord.js';
import { encode } from 'fast-png';
import type { Locator, Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { describeInBrowser } from '../page/browser.ts';
import { sendLayout, usePage } from '../page/page.ts';

/** A PNG with one pixel. */
const DOT = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const text = (content: string) => ({ type: ComponentType.TextDisplay, content });

describeInBrowser('interactions', () => {
  const fixture = usePage({ guilds: 2 });

  describe('interactions on the page', () => {
    const { lastMessage, channelText, runCommand } = fixture;
    let page: Page;
    beforeEach(() => {
      page = fixture.page;
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
      await message.getByRole('combobox', { name: 'Voice channels: Lounge' }).waitFor();
      await message.getByRole('combobox', { name: 'Anybody: Robin' }).waitFor();
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

    test('follows a link to a message in another server', async () => {
      const { discord } = fixture;
      const [, second = ''] = discord.guildIds;
      const there = discord.channelId('general', second);
      const robin = discord.member('Robin');
      const { id } = await robin.call('send_message', { channel_id: there, content: 'Here it is.' });
      const link = `https://discord.com/channels/${second}/${there}/${id}`;
      await robin.call('send_message', { channel_id: discord.channelId('general'), content: `[Over there](${link})` });
      await page.getByRole('link', { name: 'Over there' }).click();
      await page.getByRole('heading', { name: 'Playground 2' }).waitFor();
      await page.locator(`#message-${id}:focus`).waitFor();
    });
  });

  describe('a layout on the page', () => {
    const { lastMessage } = fixture;
    let page: Page;
    beforeEach(() => {
      page = fixture.page;
    });

    const send = (components: object[], files?: AttachmentBuilder[]) => sendLayout(fixture, components, files);

    test('a gallery names its pictures, and links to those that the page may not load', async () => {
      const items = [
        { media: { url: 'attachment://dot.png' }, description: 'Use per day' },
        { media: { url: 'https://example.com/cover.png' }, description: 'A cover elsewhere' },
      ];
      const message = await send([{ type: ComponentType.MediaGallery, items }], [new AttachmentBuilder(DOT, { name: 'dot.png' })]);
      const gallery = message.getByRole('group', { name: '2 pictures' });
      await gallery.getByRole('img', { name: 'Use per day' }).waitFor();
      const link = gallery.getByRole('link', { name: 'A cover elsewhere' });
      expect(await link.getAttribute('href')).toBe('https://example.com/cover.png');
    });

    test('pictures of any shape are tiles of one size, and one alone keeps its shape', async () => {
      const wide = Buffer.from(encode({ width: 40, height: 10, channels: 3, data: new Uint8Array(40 * 10 * 3) }));
      const files = () => [new AttachmentBuilder(DOT, { name: 'dot.png' }), new AttachmentBuilder(wide, { name: 'wide.png' })];
      const item = (name: string) => ({ media: { url: `attachment://${name}` }, description: name });
      const measure = (message: Locator, name: string) =>
        message
          .getByRole('img', { name })
          .evaluate((image: HTMLImageElement) => image.decode().then(() => [image.offsetWidth, image.offsetHeight]));
      const both = await send([{ type: ComponentType.MediaGallery, items: [item('dot.png'), item('wide.png')] }], files());
      expect(await measure(both, 'wide.png')).toEqual(await measure(both, 'dot.png'));
      const alone = await send([{ type: ComponentType.MediaGallery, items: [item('wide.png')] }], files().slice(1));
      expect(await measure(alone, 'wide.png')).toEqual([40, 10]);
    });

    test('a modal takes files that are picked or dropped, within their number, and sends them', async () => {
      const { client } = fixture.bot;
      const upload = { type: ComponentType.FileUpload, custom_id: 'files', max_values: 2 };
      const answer = async (interaction: Interaction) => {
        if (interaction.isButton() && interaction.customId === 'upload') {
          const label = { type: ComponentType.Label, label: 'Recordings', description: 'Two at most', component: upload };
          await interaction.showModal({ customId: 'uploaded', title: 'Files', components: [label] } as never);
        } else if (interaction.isModalSubmit() && interaction.customId === 'uploaded') {
          const files = interaction.fields.getUploadedFiles('files', true);
          const said = [...files.values()].map(({ name, size }) => `${name} ${size}`).join(', ');
          await interaction.reply({ flags: MessageFlags.IsComponentsV2, components: [text(`received ${said}`)] });
        }
      };
      client.prependListener('interactionCreate', answer);
      const button = { type: ComponentType.Button, style: ButtonStyle.Primary, label: 'Upload', custom_id: 'upload' };
      const message = await send([{ type: ComponentType.ActionRow, components: [button] }]);
      await message.getByRole('button', { name: 'Upload' }).click();
      const dialog = page.getByRole('dialog', { name: 'Files' });
      await dialog.getByRole('button', { name: 'Submit' }).click();
      await dialog.locator('[data-announce]').getByText('Recordings: a file is required.').waitFor();
      const input = dialog.getByLabel('Recordings, choose up to 2 files');
      await expect.poll(() => input.evaluate((element) => element === document.activeElement)).toBe(true);
      const file = (name: string, size: number) => ({ name, mimeType: 'text/plain', buffer: Buffer.alloc(size) });
      await input.setInputFiles([file('one.txt', 1), file('two.txt', 2)]);
      await dialog.getByRole('button', { name: 'Remove one.txt' }).click();
      const dropped = await page.evaluateHandle(() => {
        const data = new DataTransfer();
        data.items.add(new File(['abc'], 'three.txt', { type: 'text/plain' }));
        return data;
      });
      await dialog.locator('.drop-zone').dispatchEvent('drop', { dataTransfer: dropped });
      await dialog.getByRole('listitem').getByText('three.txt').waitFor();
      await dialog.getByRole('button', { name: 'Submit' }).click();
      await lastMessage().getByText('received two.txt 2, three.txt 3').waitFor();
      // What was dropped into the modal is not added to the message being written.
      expect(await page.getByRole('list', { name: 'Files to send' }).count()).toBe(0);
      client.off('interactionCreate', answer);
    });
  });

  describe('the language switch', () => {
    test('says what it changes, and changes times and what the application translated, until after a reload', async () => {
      const { page } = fixture;
      const language = () => page.getByLabel('Language', { exact: true });
      await expect.poll(() => language().inputValue()).toBe('en-US');
      await fixture.composer().fill('What time is it?');
      await fixture.composer().press('Enter');
      const timeOf = () => fixture.lastMessage().getAttribute('aria-label');
      await expect.poll(timeOf).toMatch(/^Robin, Today at \d+:\d\d\s[AP]M$/);
      await language().selectOption('Deutsch');
      await page.locator('[data-announce]').getByText('Your language is now Deutsch').waitFor();
      await expect.poll(timeOf).toMatch(/^Robin, Heute um \d+:\d\d$/);
      await expect.poll(() => page.getByRole('separator').first().textContent()).toMatch(/^\d+\. \p{L}+ \d{4}$/u);
      await fixture.composer().focus();
      await page.keyboard.type('/mal');
      await page.getByRole('option', { name: '/malen Malt es an farbe' }).waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('combobox', { name: 'farbe' }).waitFor();
      await page.keyboard.type('ro');
      await page.getByRole('option', { name: 'Rot' }).waitFor();
      await page.keyboard.press('Enter');
      await page.keyboard.press('Enter');
      await fixture.channelText('red for de').waitFor();
      await page.reload();
      await expect.poll(() => language().inputValue()).toBe('de');
    });
  });
});
