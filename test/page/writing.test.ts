// What the member writes, in a real Chromium: drafts, files with their progress, commands, mentions, and words that no option takes.
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { describeInBrowser } from './browser.ts';
import { holdUploads, openChannel, usePage } from './page.ts';

describeInBrowser('writing', () => {
  const fixture = usePage();

  describe('a draft', () => {
    const { composer } = fixture;
    let page: Page;
    beforeEach(() => {
      page = fixture.page;
    });

    /** What the member has written in a channel, as the local Discord has it. */
    const sentIn = (name: string) =>
      (fixture.discord.world.messages.get(fixture.discord.channelId(name)) ?? []).filter(({ author }) => author.username === 'robin');

    test('is still there when its channel is opened again, and in no other channel', async () => {
      await composer().fill('for everybody');
      await openChannel(page, 'random');
      await expect.poll(() => composer().inputValue()).toBe('');
      await composer().fill('at random');
      await openChannel(page, 'general');
      await expect.poll(() => composer().inputValue()).toBe('for everybody');
      await composer().press('Enter');
      await fixture.channelText('for everybody').waitFor();
      await openChannel(page, 'random');
      await expect.poll(() => composer().inputValue()).toBe('at random');
      expect(sentIn('random')).toEqual([]);
    });

    test('is sent to its channel with its files, even if another channel is opened during the upload', async () => {
      const upload = await holdUploads(page, 'continue');
      const sent = fixture.discord.member().next('MESSAGE_CREATE', ({ content }) => content === 'with a file');
      await page.locator('.composer input[type=file]').setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('abc') });
      await composer().fill('with a file');
      await composer().press('Enter');
      await upload.asked;
      await openChannel(page, 'random');
      upload.release();
      expect((await sent).channel_id).toBe(fixture.discord.channelId('general'));
    });
  });

  describe('sending', () => {
    const { composer } = fixture;

    test('keeps words typed after a command that has no place for them', async () => {
      const { page } = fixture;
      await composer().focus();
      await page.keyboard.type('/panel good morning');
      await page.getByRole('option', { name: '/panel' }).waitFor();
      await expect.poll(() => composer().inputValue()).toBe('/panel good morning');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Enter');
      await fixture.channelText('Page 1').waitFor();
      await expect.poll(() => composer().inputValue()).toBe('good morning');
    });

    test('a name is completed after an @, in a message as in an option, and is a mention', async () => {
      const { page, discord } = fixture;
      const sam = discord.member('Sam');
      const channel_id = discord.channelId('general');
      const latest = async () => (await sam.call('messages', { channel_id })).at(-1);
      await composer().focus();
      await page.keyboard.type('Hello @s');
      await page.getByRole('option', { name: '@Sam' }).waitFor();
      await page.keyboard.press('Enter');
      await expect.poll(() => composer().inputValue()).toBe('Hello @Sam ');
      await page.keyboard.type('and @nobody, mail@sam');
      await page.keyboard.press('Enter');
      await fixture.lastMessage().getByText('mail@sam').waitFor();
      expect((await latest())?.content).toBe(`Hello <@${sam.userId}> and @nobody, mail@sam`);
      expect((await latest())?.mentions.map(({ id }) => id)).toEqual([sam.userId]);
      // An edit shows the name again.
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem', { name: 'Edit message' }).press('Enter');
      await expect.poll(() => composer().inputValue()).toBe('Hello @Sam and @nobody, mail@sam');
      await page.keyboard.press('Escape');

      await page.keyboard.type('/echo Hi @Sa');
      await page.getByRole('option', { name: '@Sam' }).waitFor();
      await page.keyboard.press('Tab');
      await page.keyboard.type('too');
      await page.keyboard.press('Enter');
      await expect.poll(async () => (await latest())?.content).toBe(`Hi <@${sam.userId}> too`);
    });
  });
});
