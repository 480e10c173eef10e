// What is done with messages on the page, in a real Chromium: replies, forwards, edits and reactions, threads, and what is new.

import { PermissionFlagsBits as P } from 'discord.js';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import type { MemberClient } from '../../src/local/discord/index.ts';
import { describeInBrowser } from '../page/browser.ts';
import { showMessage, usePage } from '../page/page.ts';

describeInBrowser('in a conversation', () => {
  const fixture = usePage();

  describe('on a message', () => {
    const { composer, lastMessage, channelText } = fixture;
    let page: Page;
    let sam: MemberClient;
    let channel_id: string;
    beforeEach(() => {
      page = fixture.page;
      sam = fixture.discord.member('Sam');
      channel_id = fixture.discord.channelId('general');
    });

    /** A message of Sam's, shown on Robin's page. */
    const show = (content: string) => showMessage(page, sam, { channel_id, content });

    async function choose(message: ReturnType<Page['locator']>, action: string) {
      await message.press('Enter');
      await page.getByRole('menuitem', { name: action, exact: true }).click();
    }

    test('a link to a message names its channel, and goes to it from another one', async () => {
      const { guildId } = fixture.discord;
      const { id, message } = await show(`Where is <@${sam.userId}> in <#${channel_id}>?`);
      const link = `https://discord.com/channels/${guildId}/${channel_id}/${id}`;
      const random = fixture.discord.channelId('random');
      await sam.call('send_message', { channel_id: random, content: `${link} and [that one](${link})` });
      await sam.call('send_message', { channel_id, content: 'Here.', reply_to: { message_id: id, mention: false } });
      await lastMessage().getByRole('button', { name: 'Reply to Sam: Where is @Sam in #general?' }).waitFor();
      for (const name of ['#general › message', 'that one']) {
        await page.locator('.channel[data-channel=random]').click();
        await page.getByRole('link', { name, exact: true }).click();
        await expect.poll(() => message.evaluate((element) => element.matches(':focus'))).toBe(true);
      }
    });

    test('a public answer to a private one names it to whoever sees that', async () => {
      await composer().fill('/whisper');
      await page.getByRole('option', { name: '/whisper' }).waitFor();
      await page.keyboard.press('Enter');
      await page.keyboard.press('Enter');
      await lastMessage().getByText('For everybody.').waitFor();
      await lastMessage().getByRole('button', { name: 'Reply to Application: For you alone.' }).waitFor();
    });

    test('tints a private answer from edge to edge', async () => {
      await composer().fill('/echo ');
      await page.locator('#option-text:focus').waitFor();
      await page.keyboard.type('psst');
      await page.locator('#add-option').focus();
      await page.getByRole('option', { name: 'private' }).click();
      await page.getByRole('option', { name: 'True' }).click();
      await page.keyboard.press('Enter');
      const answer = page.locator('discord-message.ephemeral').last();
      await answer.waitFor();
      const margins = () =>
        answer.evaluate((inner) => {
          const outer = inner.closest('#messages')?.getBoundingClientRect();
          const { left, right } = inner.getBoundingClientRect();
          return [left - (outer?.left ?? Number.NaN), right - (outer?.right ?? Number.NaN)];
        });
      await expect.poll(margins).toEqual([0, 0]);
    });

    test('Escape leaves a reply', async () => {
      const { message } = await show('Anybody?');
      await choose(message, 'Reply');
      await page.getByText('Replying to Sam').waitFor();
      await page.keyboard.press('Escape');
      await composer().fill('Not a reply.');
      await page.keyboard.press('Enter');
      await channelText('Not a reply.').waitFor();
      expect((await sam.call('messages', { channel_id, limit: 1 }))[0]).toMatchObject({ type: 0 });
    });

    test('a forward shows the text where it went', async () => {
      const { message } = await show('Worth repeating');
      await choose(message, 'Forward…');
      await page.getByRole('menuitem', { name: '#random' }).click();
      await page.locator('[data-announce]').getByText('Forwarded to #random.').waitFor();
      await page.locator('.channel[data-channel=random]').click();
      const forward = page.getByRole('group', { name: 'Forwarded message' });
      await forward.getByText('Worth repeating').waitFor();
      await forward.getByText('Forwarded from #general').waitFor();
    });

    test('the author’s picture opens their menu with the application’s user commands', async () => {
      // Of several messages in a row, only the first has a picture.
      await fixture.discord.member('Robin').call('send_message', { channel_id, content: 'Who is there?' });
      const { message } = await show('Hi');
      await message.locator('.discord-author-avatar').click({ button: 'right' });
      await page.getByRole('menu', { name: 'Sam' }).getByRole('menuitem', { name: 'Greet' }).click();
      await channelText('Hello Sam').waitFor();
      await lastMessage().locator('.origin').getByText('Greet').waitFor();
    });
  });

  describe('a thread', () => {
    const { channelText } = fixture;
    let sam: MemberClient;
    let channel_id: string;
    beforeEach(() => {
      sam = fixture.discord.member('Sam');
      channel_id = fixture.discord.channelId('general');
    });
    const listed = (name: string) => fixture.page.locator(`.threads .channel[data-channel="${name}"]`);

    test('of another member appears below its channel, marked unread, until archived', async () => {
      const { page } = fixture;
      const { id } = await sam.call('create_thread', { channel_id, name: 'Quiet corner' });
      await channelText('Sam started a thread.').last().waitFor();
      await sam.call('send_message', { channel_id: id, content: 'Psst' });
      await page.locator('.threads .unread[data-channel="Quiet corner"]').click();
      await channelText('Psst').waitFor();
      await page.locator('.channel[data-channel=general]').click();
      await listed('Quiet corner').click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Archive' }).click();
      await listed('Quiet corner').waitFor({ state: 'detached' });
      await sam.call('send_message', { channel_id: id, content: 'Again' });
      await listed('Quiet corner').waitFor();
    });

    test('that is deleted while open gives way to its server’s first channel', async () => {
      const { page, discord } = fixture;
      const { id } = await sam.call('create_thread', { channel_id, name: 'Short-lived' });
      await listed('Short-lived').click();
      await page.getByText('A thread in #general.').waitFor();
      const own = discord.world.firstGuild.roles.find(({ managed }) => managed)?.id as string;
      discord.setRolePermissions(own, P.ManageThreads);
      await (await fixture.bot.client.channels.fetch(id))?.delete();
      await page.locator('.notice').getByText('The thread was deleted.').waitFor();
      await page.locator('.channel.current[data-channel=general]').waitFor();
    });
  });

  describe('new messages', () => {
    test('in another channel are marked where they begin', async () => {
      const { page, discord } = fixture;
      const sam = discord.member('Sam');
      await sam.call('send_message', { channel_id: discord.channelId('random'), content: 'over here' });
      await page.getByRole('button', { name: 'random, new messages' }).click();
      await page.getByRole('separator').getByText('New', { exact: true }).waitFor();
    });
  });
});
