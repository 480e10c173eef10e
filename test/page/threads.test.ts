// Threads on the page, in a real Chromium.
import { PermissionFlagsBits as P } from 'discord.js';
import { beforeEach, expect, test } from 'vitest';
import type { MemberClient } from '../../src/local/discord/index.ts';
import { usePage } from '../helpers/page.ts';
import { describeInBrowser } from '../helpers/shared-browser.ts';

describeInBrowser('a thread', () => {
  const fixture = usePage();
  const { lastMessage, channelText } = fixture;
  let sam: MemberClient;
  let channel_id: string;
  beforeEach(() => {
    sam = fixture.discord.member('Sam');
    channel_id = fixture.discord.channelId('general');
  });
  const listed = (name: string) => fixture.page.locator(`.threads .channel[data-channel="${name}"]`);

  test('starts from a message, is named after it, and is written in', async () => {
    const { page } = fixture;
    const { id } = await sam.call('send_message', { channel_id, content: 'Where do we **eat**?' });
    await page.locator(`#message-${id}`).focus();
    await page.keyboard.press('Enter');
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
