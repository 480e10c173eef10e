// What members do in a conversation, in a real Chromium: replies, edits, reactions, threads, polls, what is new, moderation, and the crowd.
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import type { MemberClient } from '../../src/local/discord/index.ts';
import { describeInBrowser } from './browser.ts';
import { showMessage, usePage } from './page.ts';

describeInBrowser('in a conversation', () => {
  const fixture = usePage({ crowdPaceMs: 100 });
  const { composer, lastMessage, channelText } = fixture;
  let page: Page;
  let sam: MemberClient;
  let channel_id: string;
  beforeEach(() => {
    page = fixture.page;
    sam = fixture.discord.member('Sam');
    channel_id = fixture.discord.channelId('general');
    return () => sam.close();
  });

  const latest = async () => (await sam.call('messages', { channel_id, limit: 1 }))[0];
  const chooseItem = (name: string) => page.getByRole('menuitem', { name, exact: true }).click();

  /** A message of Sam's, shown on Robin's page. */
  const show = (content: string) => showMessage(page, sam, { channel_id, content });

  async function choose(message: ReturnType<Page['locator']>, action: string) {
    await message.press('Enter');
    await chooseItem(action);
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
    await expect.poll(() => message.evaluate((element) => element.matches(':focus'))).toBe(true);
    expect(await latest()).toMatchObject({ type: 19, mentions: [] });
    await page.getByText('Replying to Sam').waitFor({ state: 'detached' });
    await sam.call('delete_message', { channel_id, message_id: id });
    await lastMessage().getByText('The original message was deleted').waitFor();
  });

  test('a member edits their own text, and deletes another’s where they may', async () => {
    await composer().fill('Helo');
    await page.keyboard.press('Enter');
    await channelText('Helo').waitFor();
    await choose(lastMessage(), 'Edit message');
    await expect.poll(() => composer().inputValue()).toBe('Helo');
    await composer().fill('Hello there');
    await page.keyboard.press('Enter');
    await lastMessage().getByText('Hello there').waitFor();
    expect(await latest()).toMatchObject({ edited_timestamp: expect.any(String) });
    await page.getByText('Editing your message').waitFor({ state: 'detached' });
    const { message } = await show('Oops');
    await choose(message, 'Delete message');
    await message.waitFor({ state: 'detached' });
  });

  test('reactions are added from the menu, counted for everyone, and toggled', async () => {
    const { id, message } = await show('Cake at four');
    await choose(message, '🎉');
    const reaction = (count: string, pressed: boolean) => message.getByRole('button', { name: `🎉, ${count}`, pressed });
    await reaction('1 reaction', true).waitFor();
    await sam.call('add_reaction', { channel_id, message_id: id, emoji: '🎉' });
    await reaction('2 reactions', true).click();
    await reaction('1 reaction', false).waitFor();
    await message.getByRole('button', { name: 'Add a reaction' }).click();
    await page.getByRole('menuitem', { name: '👀' }).click();
    await message.getByRole('button', { name: '👀, 1 reaction' }).waitFor();
  });

  test('a thread starts from a message, is named after it, and is written in', async () => {
    const { id } = await sam.call('send_message', { channel_id, content: 'Where do we **eat**?' });
    await page.locator(`#message-${id}`).press('Enter');
    await page.getByRole('menuitem', { name: 'Create thread' }).click();
    await page.getByRole('heading', { name: 'Where do we eat?' }).first().waitFor();
    await page.getByText('A thread in #general.').waitFor();
    await lastMessage().getByText('began the thread with this message').waitFor();
    await page.getByRole('textbox', { name: 'Message #Where do we eat?' }).fill('At home.');
    await page.keyboard.press('Enter');
    await channelText('At home.').waitFor();
    expect((await sam.call('messages', { channel_id: id })).at(-1)).toMatchObject({ content: 'At home.' });
    await page.locator('.channel[data-channel=general]').click();
    await page.locator(`#message-${id}`).getByRole('button', { name: 'Where do we eat?' }).click();
    await channelText('At home.').waitFor();
  });

  /** As often as it takes: what has just come may still scroll the page to its end. */
  async function scrollUp(): Promise<void> {
    await expect
      .poll(async () => {
        await page.locator('#messages').evaluate((list) => list.scrollTo(0, 0));
        return page.getByRole('button', { name: /Jump to present/ }).count();
      })
      .toBe(1);
  }

  test('new messages are marked and counted while the member reads further up, who jumps back to them with one click', async () => {
    const jump = page.getByRole('button', { name: /Jump to present/ });
    for (let line = 1; line <= 40; line++) await sam.call('send_message', { channel_id, content: `line ${line}` });
    await channelText('line 40').waitFor();
    expect(await jump.count()).toBe(0);
    await scrollUp();
    await sam.call('send_message', { channel_id, content: 'one more' });
    await page.getByRole('button', { name: '1 new message Jump to present' }).waitFor();
    await page.getByRole('separator').getByText('New', { exact: true }).waitFor({ state: 'attached' });
    await jump.press('Enter');
    await jump.waitFor({ state: 'detached' });
    await expect.poll(() => channelText('one more').evaluate((text) => text.getBoundingClientRect().bottom < innerHeight)).toBe(true);
    // What was seen is no longer new, whatever comes after it.
    await scrollUp();
    await page.getByRole('button', { name: 'Jump to present', exact: true }).waitFor();
    await sam.call('send_message', { channel_id, content: 'and another' });
    await page.getByRole('button', { name: '1 new message Jump to present' }).press('Enter');
    await jump.waitFor({ state: 'detached' });
    // Whoever answers has read them.
    await page.keyboard.type('I see');
    await page.keyboard.press('Enter');
    await page.getByRole('separator').getByText('New', { exact: true }).waitFor({ state: 'detached' });
  });

  test('a moderator mutes, deafens, moves and disconnects a member, and sees each state', async () => {
    const { discord } = fixture;
    const state = () => discord.world.firstGuild.voiceStates.get(sam.userId);
    const listed = () => page.locator('.voice-members li[data-user=sam]');
    const pick = async (...path: string[]) => {
      await listed().getByRole('button').click();
      for (const name of path) await chooseItem(name);
    };
    await sam.call('join_voice', { channel_id: discord.channelId('Lounge'), self_mute: false, self_deaf: false });
    await pick('Mute in voice');
    await listed().getByRole('button', { name: 'Sam, muted by a moderator', exact: true }).waitFor();
    await pick('Deafen');
    await listed().getByRole('button', { name: 'Sam, muted by a moderator, deafened by a moderator', exact: true }).waitFor();
    expect(state()).toMatchObject({ mute: true, deaf: true });
    await pick('Unmute in voice');
    await pick('Undeafen');
    await sam.call('set_voice', { self_mute: true });
    await listed().getByRole('button', { name: 'Sam, muted', exact: true }).waitFor();
    await pick('Move to…', 'Workshop');
    await expect.poll(() => state()?.channel_id).toBe(discord.channelId('Workshop'));
    await pick('Disconnect');
    await listed().waitFor({ state: 'detached' });
  });

  test('a poll is made, shows everybody’s votes as they come, and ends', async () => {
    await page.getByRole('button', { name: 'Emoji, stickers and polls' }).click();
    await chooseItem('Create a poll…');
    const dialog = page.getByRole('dialog', { name: 'Create a poll' });
    await dialog.getByRole('textbox', { name: 'Answers' }).fill('Tea\n\n Coffee ');
    await dialog.getByRole('button', { name: 'Post' }).click();
    await dialog.locator('[data-announce]').getByText('Question: this field is required.').waitFor();
    await dialog.getByRole('textbox', { name: 'Question' }).fill('Which one?');
    await dialog.getByLabel('Open for').selectOption('4 hours');
    await dialog.getByRole('button', { name: 'Post' }).click();
    await dialog.waitFor({ state: 'detached' });
    const poll = page.getByRole('group', { name: 'Poll: Which one?' });
    await poll.getByText('in 4 hours').waitFor();
    const message = await latest();
    expect(message?.poll?.answers.map(({ poll_media }) => poll_media.text)).toEqual(['Tea', 'Coffee']);
    await sam.call('vote', { channel_id, message_id: message?.id as string, answer_ids: [1] });
    await poll.getByRole('button', { name: 'Tea 1 vote', pressed: false }).click();
    await poll.getByRole('button', { name: 'Tea 2 votes', pressed: true }).waitFor();
    await poll.getByRole('button', { name: 'Coffee 0 votes' }).click();
    await poll.getByRole('button', { name: 'Coffee 1 vote', pressed: true }).waitFor();
    await poll.getByRole('button', { name: 'Tea 1 vote', pressed: false }).waitFor();
    await sam.call('vote', { channel_id, message_id: message?.id as string, answer_ids: [2] });
    await poll.getByRole('button', { name: 'End the poll' }).click();
    await poll.getByText('The poll has ended').waitFor();
    expect(await poll.getByRole('button', { name: 'Coffee 2 votes' }).isDisabled()).toBe(true);
    await channelText('The poll of Robin, “Which one?”, has ended. “Coffee” has won.').waitFor();
  });

  test('the chat of a voice channel opens beside it, and shows that there is something new', async () => {
    const lounge = fixture.discord.channelId('Lounge');
    const chat = page.getByRole('button', { name: /^Chat of Lounge/ });
    await sam.call('send_message', { channel_id: lounge, content: 'anybody?' });
    await page.getByRole('button', { name: 'Chat of Lounge, new messages' }).click();
    await channelText('anybody?').waitFor();
    await expect.poll(() => chat.getAttribute('aria-current')).toBe('page');
    await composer().fill('me');
    await page.keyboard.press('Enter');
    await channelText('me').waitFor();
    const messages = await sam.call('messages', { channel_id: lounge });
    expect(messages.map(({ content }) => content)).toEqual(['anybody?', 'me']);
  });

  test('others chat in the channel where the switch was turned on, which turns it off from anywhere', async () => {
    sam.close();
    const before = await page.locator('discord-message').count();
    await page.getByRole('switch', { name: 'Others chat here', checked: false }).click();
    await page.getByRole('switch', { name: 'Others chat here', checked: true }).waitFor();
    await expect.poll(() => page.locator('discord-message').count()).toBeGreaterThan(before);
    await page.locator('.channel[data-channel=random]').click();
    await page.getByRole('switch', { name: 'Others chat in #general', checked: true }).click();
    await page.getByRole('switch', { name: 'Others chat here', checked: false }).waitFor();
  });
});
