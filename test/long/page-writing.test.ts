// What the member writes, in a real Chromium: drafts, files with their progress, commands, mentions, and words that no option takes.
import type { Locator, Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Method } from '../../src/local/discord/page/protocol.ts';
import { describeInBrowser } from '../page/browser.ts';
import { holdUploads, openChannel, usePage, whenReady } from '../page/page.ts';

describeInBrowser('writing', () => {
  const fixture = usePage();

  describe('a draft', () => {
    const { composer } = fixture;
    let page: Page;
    beforeEach(() => {
      page = fixture.page;
    });

    test('returns to its own channel if it cannot be sent', async () => {
      const upload = await holdUploads(page, 'abort');
      await page.locator('.composer input[type=file]').setInputFiles({ name: 'b.txt', mimeType: 'text/plain', buffer: Buffer.from('abc') });
      await composer().fill('not lost');
      await composer().press('Enter');
      await upload.asked;
      await openChannel(page, 'random');
      upload.release();
      await page.locator('[data-announce]').getByText('b.txt could not be sent').waitFor();
      expect(await composer().inputValue()).toBe('');
      await openChannel(page, 'general');
      await expect.poll(() => composer().inputValue()).toBe('not lost');
      await page.getByText('b.txt', { exact: true }).waitFor();
      // The request that this test broke off itself.
      fixture.browser.problems.splice(0);
    });

    test('of a recording belongs to the channel it was started in, which the button names elsewhere', async () => {
      const sent = fixture.discord.member().next('MESSAGE_CREATE', ({ flags }) => ((flags ?? 0) & (1 << 13)) !== 0);
      await page.getByRole('button', { name: 'Record from the microphone' }).click();
      await expect.poll(() => page.evaluate(() => Number(document.documentElement.dataset.recordingLevel ?? 0))).toBeGreaterThan(0.001);
      await openChannel(page, 'random');
      await page.getByRole('button', { name: 'Send voice message to #general' }).click();
      expect((await sent).channel_id).toBe(fixture.discord.channelId('general'));
    });
  });

  describe('sending', () => {
    const { composer } = fixture;

    test('a large file shows how much of it has been sent, and can be cancelled', async () => {
      const { page } = fixture;
      const line = await page.context().newCDPSession(page);
      await line.send('Network.enable');
      const throttle = (uploadThroughput: number) =>
        line.send('Network.emulateNetworkConditions', { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput });
      await throttle(50_000);
      const file = { name: 'long.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(4_000_000) };
      await page.getByLabel('Add files').setInputFiles(file);
      await composer().press('Enter');
      const progress = page.getByRole('progressbar', { name: 'Sending long.bin' });
      await expect.poll(() => progress.evaluate((bar) => (bar as HTMLProgressElement).position)).toBeGreaterThan(0);
      expect(await progress.evaluate((bar) => (bar as HTMLProgressElement).position)).toBeLessThan(1);
      await page.getByRole('button', { name: 'Cancel long.bin' }).click();
      await page.locator('[data-announce]').getByText('you cancelled it').waitFor();
      await progress.waitFor({ state: 'detached' });
      // It is back in the draft, and can be sent after all.
      await throttle(-1);
      await composer().press('Enter');
      await fixture.lastMessage().locator('discord-file-attachment').waitFor();
      await line.detach();
    });

    test('a file beyond the limit is refused as soon as it is chosen, with its size', async () => {
      const { page } = fixture;
      /** Chosen in the page itself: it would take long to send such a file there. */
      const choose = (input: Locator, name: string) =>
        input.evaluate((element, filename) => {
          const transfer = new DataTransfer();
          transfer.items.add(new File([new Uint8Array(26.5 * 1024 * 1024)], filename));
          (element as HTMLInputElement).files = transfer.files;
          element.dispatchEvent(new Event('change', { bubbles: true }));
        }, name);
      const refusal = (name: string) => `${name} (26.5 MB) is too large: the limit is 20 MB.`;

      await choose(page.getByLabel('Add files'), 'talk.wav');
      await page.locator('.notice').getByText(refusal('talk.wav')).waitFor();
      expect(await page.getByRole('list', { name: 'Files to send' }).count()).toBe(0);
      await composer().fill('/measure ');
      await choose(page.locator('#option-file'), 'song.wav');
      await page.locator('#option-file-problem').getByText(refusal('song.wav')).waitFor();
      expect(await page.locator('.file-field .file-name').textContent()).toBe('choose or drop a file');
    });

    test('a modal opens only in the tab that asked for it', async () => {
      const { page, discord, bot } = fixture;
      const otherTab = discord.member('Robin');
      const opened = otherTab.next('INTERACTION_MODAL_CREATE');
      const channel_id = discord.channelId('general');
      const profile = bot.client.application?.commands.cache.find(({ name }) => name === 'profile');
      await otherTab.call('run_command', { channel_id, command_id: profile?.id ?? '', options: [] });
      await opened;
      // What comes later is there, and the modal is not.
      await discord.member('Sam').call('send_message', { channel_id, content: 'after the modal' });
      await fixture.channelText('after the modal').waitFor();
      expect(await page.getByRole('dialog').count()).toBe(0);
    });

    /** Another page, to which answers to calls of this method come only by `answer`, once there are as many. */
    async function openHolding(method: Method): Promise<{ page: Page; answer(count: number): Promise<void> }> {
      const answers: (() => void)[] = [];
      const page = await fixture.browser.open(fixture.discord.pageUrl(), {}, (opened) =>
        opened.routeWebSocket(/\/member/, (socket) => {
          const server = socket.connectToServer();
          const held = new Set<number>();
          socket.onMessage((message) => {
            const call = JSON.parse(String(message));
            if (call.method === method) held.add(call.id);
            server.send(message);
          });
          server.onMessage((message) => {
            const send = () => socket.send(message);
            if (typeof message === 'string' && held.has(JSON.parse(message).id)) answers.push(send);
            else send();
          });
        }),
      );
      await whenReady(page);
      return {
        page,
        async answer(count) {
          await expect.poll(() => answers.length).toBe(count);
          for (const send of answers.splice(0)) send();
        },
      };
    }

    test('what is written meanwhile is sent too, and the focus stays where the member has gone', async () => {
      const { page, answer } = await openHolding('send_message');
      const box = page.getByRole('textbox', { name: /^Message #/ });
      const messages = page.locator('discord-message');
      await box.fill('first');
      await box.press('Enter');
      await box.fill('second');
      await box.press('Enter');
      await messages.last().getByText('second').waitFor();
      await messages.nth(-2).getByText('first').waitFor();
      await box.press('ArrowUp');
      await page.locator('discord-message:focus').getByText('second').waitFor();
      await answer(2);
      // Comes after the answers.
      const { discord } = fixture;
      await discord.member('Sam').call('send_message', { channel_id: discord.channelId('general'), content: 'what Sam says' });
      await messages.last().getByText('what Sam says').waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem', { name: 'Edit message' }).press('Enter');
      await expect.poll(() => box.inputValue()).toBe('second');
      await box.fill('third');
      await box.press('Enter');
      await messages.getByText('third').waitFor();
      await page.context().close();
    });

    test('suggestions that come late leave highlighted what the arrow keys have reached', async () => {
      const { page, answer } = await openHolding('autocomplete');
      const highlighted = () => page.locator('.list-item.active .list-label').textContent();
      await page.getByRole('textbox', { name: /^Message #/ }).fill('/settings voice set ');
      await page.locator('#option-fruit:focus').waitFor();
      await page.locator('.list-note', { hasText: 'Looking…' }).waitFor();
      await answer(1);
      await page.getByRole('option', { name: 'Cherry' }).waitFor();
      // Until these are answered, the previous ones that still match.
      await page.keyboard.type('a');
      await page.locator('.list-note', { hasText: 'Looking…' }).waitFor();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      await expect.poll(highlighted).toBe('Banana');
      await answer(1);
      await page.locator('.list-note', { hasText: 'Looking…' }).waitFor({ state: 'detached' });
      expect(await highlighted()).toBe('Banana');
      await page.context().close();
    });

    test('a command that is registered meanwhile appears in the list', async () => {
      const { page, bot } = fixture;
      await composer().fill('/newc');
      await page.locator('.list-note', { hasText: 'You can use no command of this name here.' }).waitFor();
      const command = await bot.client.application?.commands.create({ name: 'newcomer', description: 'Has just come' });
      await page.getByRole('option', { name: '/newcomer' }).waitFor();
      await command?.delete();
      await page.locator('.list-note', { hasText: 'You can use no command of this name here.' }).waitFor();
    });

    test('a command that the member can’t use is no message, however often Enter is pressed', async () => {
      const { page } = fixture;
      await composer().fill('/nosuch');
      const note = page.locator('.list-note', { hasText: 'You can use no command of this name here.' });
      await note.waitFor();
      await composer().press('Enter');
      await composer().press('Escape');
      await composer().press('Enter');
      await note.waitFor();
      await composer().fill('After it');
      await composer().press('Enter');
      await fixture.channelText('After it').waitFor();
      expect(await fixture.channelText('/nosuch').count()).toBe(0);
    });

    test('a command that a message mentions is one click away', async () => {
      const { page, discord, bot } = fixture;
      const channel = await bot.client.channels.fetch(discord.channelId('general'));
      const echo = bot.client.application?.commands.cache.find(({ name }) => name === 'echo');
      if (channel?.isSendable()) await channel.send(`Try </echo:${echo?.id}>`);
      await fixture.channelText('/echo').click();
      await page.locator('#option-text:focus').waitFor();
    });
  });
});
