// Components V2 on the page, in a real Chromium: what a bot lays out, and what a member can do with it.
import { AttachmentBuilder, ButtonStyle, ComponentType, type Interaction, MessageFlags, type TextChannel } from 'discord.js';
import { encode } from 'fast-png';
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { usePage } from '../helpers/page.ts';
import { describeInBrowser } from '../helpers/shared-browser.ts';
import { oggOpusOf, tone } from '../helpers/sound.ts';

/** A PNG with one pixel. */
const DOT = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const text = (content: string) => ({ type: ComponentType.TextDisplay, content });

describeInBrowser('a layout on the page', () => {
  const fixture = usePage();
  const { lastMessage } = fixture;
  let page: Page;
  beforeEach(() => {
    page = fixture.page;
  });

  async function send(components: object[], files: AttachmentBuilder[] = []): Promise<void> {
    const channel = fixture.bot.client.channels.cache.get(fixture.discord.channelId('general')) as TextChannel;
    await channel.send({ flags: MessageFlags.IsComponentsV2, components: components as never, files });
  }

  test('shows a container with its accent, formatted text, and a section’s picture with its description', async () => {
    const thumbnail = { type: ComponentType.Thumbnail, media: { url: 'attachment://dot.png' }, description: 'A red dot' };
    const section = { type: ComponentType.Section, components: [text('## Storyteller\n- calm'), text('-# English')], accessory: thumbnail };
    await send(
      [{ type: ComponentType.Container, accent_color: 0x3ba55d, components: [section, { type: ComponentType.Separator }] }],
      [new AttachmentBuilder(DOT, { name: 'dot.png' })],
    );
    const message = lastMessage();
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
    await send([{ type: ComponentType.Section, components: [text('Next up')], accessory }]);
    await lastMessage().getByRole('button', { name: 'Remove' }).click();
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
    await send([{ type: ComponentType.Container, components: [text('Voices'), { type: ComponentType.ActionRow, components: [menu] }] }]);
    await lastMessage().getByRole('combobox', { name: 'Use…' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: 'Loud' }).getByText('German').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await fixture.channelText('used loud').last().waitFor();
    client.off('interactionCreate', answer);
  });

  test('shows files with name and size, plays sound, and hides what is unreferenced or a spoiler', async () => {
    const file = (name: string) => ({ type: ComponentType.File, file: { url: `attachment://${name}` } });
    const sound = await oggOpusOf(tone(440, 1, 48_000));
    await send(
      [text('Files'), file('words.txt'), file('tone.ogg'), { type: ComponentType.Container, components: [text('secret')], spoiler: true }],
      [
        new AttachmentBuilder(Buffer.from('hello'), { name: 'words.txt' }),
        new AttachmentBuilder(Buffer.from(sound.file), { name: 'tone.ogg' }),
        new AttachmentBuilder(Buffer.from('hidden'), { name: 'unreferenced.txt' }),
      ],
    );
    const message = lastMessage();
    await message.getByText('words.txt').waitFor();
    await message.getByText('5 bytes').waitFor();
    await message.getByRole('group', { name: 'Audio file tone.ogg' }).waitFor();
    expect(await message.getByText('unreferenced.txt').count()).toBe(0);
    const cover = message.getByRole('button', { name: 'Spoiler, press to show' });
    expect(await message.locator('.container').innerText()).toBe('');
    await cover.focus();
    await page.keyboard.press('Enter');
    await cover.waitFor({ state: 'detached' });
    await message.getByText('secret').waitFor();
  });

  test('a gallery names its pictures, and links to those that the page may not load', async () => {
    const items = [
      { media: { url: 'attachment://dot.png' }, description: 'Use per day' },
      { media: { url: 'https://example.com/cover.png' }, description: 'A cover elsewhere' },
    ];
    await send([{ type: ComponentType.MediaGallery, items }], [new AttachmentBuilder(DOT, { name: 'dot.png' })]);
    const gallery = lastMessage().getByRole('group', { name: '2 pictures' });
    await gallery.getByRole('img', { name: 'Use per day' }).waitFor();
    const link = gallery.getByRole('link', { name: 'A cover elsewhere' });
    expect(await link.getAttribute('href')).toBe('https://example.com/cover.png');
  });

  test('pictures of any shape are tiles of one size, and one alone keeps its shape', async () => {
    const wide = Buffer.from(encode({ width: 40, height: 10, channels: 3, data: new Uint8Array(40 * 10 * 3) }));
    const files = () => [new AttachmentBuilder(DOT, { name: 'dot.png' }), new AttachmentBuilder(wide, { name: 'wide.png' })];
    const item = (name: string) => ({ media: { url: `attachment://${name}` }, description: name });
    const measure = (name: string) =>
      lastMessage()
        .getByRole('img', { name })
        .evaluate((image: HTMLImageElement) => image.decode().then(() => [image.offsetWidth, image.offsetHeight]));
    await send([{ type: ComponentType.MediaGallery, items: [item('dot.png'), item('wide.png')] }], files());
    expect(await measure('wide.png')).toEqual(await measure('dot.png'));
    await send([{ type: ComponentType.MediaGallery, items: [item('wide.png')] }], files().slice(1));
    expect(await measure('wide.png')).toEqual([40, 10]);
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
    await send([{ type: ComponentType.ActionRow, components: [button] }]);
    await lastMessage().getByRole('button', { name: 'Upload' }).click();
    const dialog = page.getByRole('dialog', { name: 'Files' });
    await dialog.getByRole('button', { name: 'Submit' }).click();
    await dialog.locator('[data-announce]').getByText('Recordings: a file is needed.').waitFor();
    const input = dialog.getByLabel('Recordings, choose up to 2 files');
    expect(await input.evaluate((element) => element === document.activeElement)).toBe(true);
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
