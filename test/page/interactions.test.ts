// Interactions in a real Chromium: subcommands, every kind of menu and modal, Components V2, direct messages, several servers, languages.

import { AttachmentBuilder, ButtonStyle, ComponentType, type Interaction, MessageFlags, type TextChannel } from 'discord.js';
import { encode } from 'fast-png';
import type { Locator, Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { usePage } from '../helpers/page.ts';
import { describeInBrowser } from '../helpers/shared-browser.ts';
import { oggOpusOf, tone } from '../helpers/sound.ts';

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

    /** Returns the message on the page. */
    async function send(components: object[], files: AttachmentBuilder[] = []): Promise<Locator> {
      const channel = fixture.bot.client.channels.cache.get(fixture.discord.channelId('general')) as TextChannel;
      const { id } = await channel.send({ flags: MessageFlags.IsComponentsV2, components: components as never, files });
      return page.locator(`#message-${id}`);
    }

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
