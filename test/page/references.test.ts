// Replies, forwards, edits and reactions on the page, in a real Chromium.
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import type { MemberClient } from '../../src/local/discord/index.ts';
import { usePage } from '../helpers/page.ts';
import { describeInBrowser } from '../helpers/shared-browser.ts';

describeInBrowser('on a message', () => {
  const fixture = usePage();
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
  async function show(content: string) {
    const { id } = await sam.call('send_message', { channel_id, content });
    const message = page.locator(`#message-${id}`);
    await message.waitFor();
    return { id, message };
  }

  async function choose(message: ReturnType<Page['locator']>, action: string) {
    await message.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: action, exact: true }).click();
  }

  test('a reply names its message, goes to it, and says so once that is deleted', async () => {
    const { id, message } = await show('Where is the tea?');
    await choose(message, 'Reply');
    await page.getByText('Replying to Sam').waitFor();
    await page.getByRole('switch', { name: 'Mention Sam' }).click();
    await composer().fill('In the kitchen.');
    await page.keyboard.press('Enter');
    const origin = lastMessage().getByRole('button', { name: 'Reply to Sam: Where is the tea?' });
    await origin.click();
    expect(await message.evaluate((element) => element.matches(':focus'))).toBe(true);
    expect((await sam.call('messages', { channel_id, limit: 1 }))[0]).toMatchObject({ type: 19, mentions: [] });
    expect(await page.getByText('Replying to Sam').count()).toBe(0);
    await sam.call('delete_message', { channel_id, message_id: id });
    await lastMessage().getByText('The original message was deleted').waitFor();
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

  test('a member edits their own text', async () => {
    await composer().fill('Helo');
    await page.keyboard.press('Enter');
    await channelText('Helo').waitFor();
    await choose(lastMessage(), 'Edit message');
    expect(await composer().inputValue()).toBe('Helo');
    await composer().fill('Hello there');
    await page.keyboard.press('Enter');
    await lastMessage().getByText('Hello there').waitFor();
    expect((await sam.call('messages', { channel_id, limit: 1 }))[0]).toMatchObject({ edited_timestamp: expect.any(String) });
    expect(await page.getByText('Editing your message').count()).toBe(0);
  });

  test('reactions are added from the menu, counted for everyone, and toggled', async () => {
    const { id, message } = await show('Cake at four');
    await choose(message, '🎉');
    const reaction = (count: string) => message.getByRole('button', { name: `🎉, ${count}` });
    await reaction('1 reaction').waitFor();
    await sam.call('add_reaction', { channel_id, message_id: id, emoji: '🎉' });
    await reaction('2 reactions').waitFor();
    expect(await reaction('2 reactions').getAttribute('aria-pressed')).toBe('true');
    await reaction('2 reactions').click();
    await expect.poll(() => reaction('1 reaction').getAttribute('aria-pressed')).toBe('false');
    await message.getByRole('button', { name: 'Add a reaction' }).click();
    await page.getByRole('menuitem', { name: '👀' }).click();
    await message.getByRole('button', { name: '👀, 1 reaction' }).waitFor();
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

  test('Robin deletes what Sam wrote', async () => {
    const { message } = await show('Oops');
    await choose(message, 'Delete message');
    await message.waitFor({ state: 'detached' });
  });
});
