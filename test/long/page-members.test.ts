// Members on the page, in a real Chromium: what a moderator does, emoji, stickers, polls, nicknames, the chat of a voice channel, the crowd.
import { beforeEach, describe, expect, test } from 'vitest';
import type { MemberClient } from '../../src/local/discord/index.ts';
import { createMember, type Member } from '../helpers/member.ts';
import { describeInBrowser } from '../page/browser.ts';
import { usePage } from '../page/page.ts';

describeInBrowser('members', () => {
  const fixture = usePage({ crowdPaceMs: 100 });

  describe('a moderator', () => {
    let sam: MemberClient;
    const listed = () => fixture.page.locator('.voice-members li[data-user=sam]');
    beforeEach(async () => {
      sam = fixture.discord.member('Sam');
      await sam.call('join_voice', { channel_id: fixture.discord.channelId('Lounge'), self_mute: false, self_deaf: false });
      await listed().waitFor();
      return () => sam.close();
    });

    async function choose(...path: string[]) {
      await listed().getByRole('button').click();
      for (const name of path) await fixture.page.getByRole('menuitem', { name, exact: true }).click();
    }

    test('times a member out, who is offered nothing of it and reads why they cannot write, until it is lifted', async () => {
      const { page, browser, discord } = fixture;
      const samsPage = await browser.open(discord.pageUrl('Sam'));
      const box = samsPage.getByRole('textbox', { name: /^Message #/ });
      await samsPage.locator('.voice-members li[data-user=sam]').getByRole('button').click();
      await samsPage.getByRole('menuitem', { name: 'Greet' }).waitFor();
      expect(await samsPage.getByText('Moderation').count()).toBe(0);
      await samsPage.keyboard.press('Escape');
      await box.waitFor();
      await choose('Time out…', '5 minutes');
      await samsPage.locator('[data-announce]').getByText('A moderator has timed you out. You can write again in 5 minutes.').waitFor();
      await box.waitFor({ state: 'detached' });
      await page.locator('.people').getByRole('button', { name: 'Sam' }).click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'End the timeout' }).click();
      await box.waitFor();
      await samsPage.context().close();
    });

    test('is told by a page that was disconnected, muted or deafened', async () => {
      const { page, discord } = fixture;
      await page.locator('.channel[data-channel=Lounge]').click();
      await page.getByRole('region', { name: 'Voice' }).getByRole('button', { name: 'Mute' }).click();
      const own = () => discord.world.firstGuild.voiceStates.get(discord.member('Robin').userId);
      await expect.poll(() => own()).toMatchObject({ self_mute: true, self_deaf: false });
      await page.getByRole('region', { name: 'Voice' }).getByRole('button', { name: 'Deafen' }).click();
      await expect.poll(() => own()).toMatchObject({ self_mute: true, self_deaf: true });
      discord.setServerMute(discord.member('Robin').userId);
      await page.getByText("You're muted by a moderator").first().waitFor();
      discord.moveUser(discord.member('Robin').userId, null);
      await page.locator('[data-announce]').getByText('You were disconnected from voice.').waitFor();
      discord.world.firstGuild.members.forEach((member) => {
        member.mute = false;
      });
    });
  });

  describe('on the page', () => {
    const { composer, lastMessage, channelText } = fixture;
    let sam: Member;
    let channel_id: string;
    const latest = async () => (await sam.client.call('messages', { channel_id, limit: 1 }))[0];
    const openMenu = () => fixture.page.getByRole('button', { name: 'Emoji, stickers and polls' }).click();
    const choose = (name: string) => fixture.page.getByRole('menuitem', { name, exact: true }).click();
    beforeEach(() => {
      const { discord } = fixture;
      channel_id = discord.channelId('general');
      sam = createMember(discord.member('Sam'), channel_id, discord.channelId('Lounge'));
      return () => sam.client.close();
    });

    test('emoji of the server and others go where the cursor is, and come back as words in an edit', async () => {
      const { page, discord } = fixture;
      const [emoji] = discord.world.firstGuild.emojis;
      await composer().fill('ab');
      await page.keyboard.press('ArrowLeft');
      await openMenu();
      await choose(':happy_cat:');
      await expect.poll(() => composer().inputValue()).toBe('a:happy_cat:b');
      await openMenu();
      await choose('🎉');
      await page.keyboard.press('Enter');
      const picture = lastMessage().getByAltText(':happy_cat:');
      await picture.waitFor();
      expect((await latest())?.content).toBe(`a<:happy_cat:${emoji?.id}>🎉b`);
      await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(128);
      await lastMessage().press('Enter');
      await choose('Edit message');
      await expect.poll(() => composer().inputValue()).toBe('a:happy_cat:🎉b');
      await composer().fill('a:happy_cat:c :nobody:');
      await page.keyboard.press('Enter');
      await channelText('c :nobody:').waitFor();
      expect((await latest())?.content).toBe(`a<:happy_cat:${emoji?.id}>c :nobody:`);
    });

    test('a sticker is sent at once, and shown with its name', async () => {
      await openMenu();
      await choose('Well done');
      const picture = lastMessage().getByAltText('Sticker: Well done');
      await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(320);
      expect(await latest()).toMatchObject({ content: '', sticker_items: [{ name: 'Well done' }] });
    });

    test('an emoji of the server is a reaction, too, counted for everyone', async () => {
      const { page, discord } = fixture;
      const [, parrot] = discord.world.firstGuild.emojis;
      const { id: message_id } = await sam.write('react to this');
      await page.locator(`#message-${message_id}`).press('Enter');
      await choose(':parrot:');
      await lastMessage().getByRole('button', { name: ':parrot:, 1 reaction', pressed: true }).waitFor();
      const emoji = `parrot:${parrot?.id}`;
      await sam.client.call('add_reaction', { channel_id, message_id, emoji });
      await lastMessage().getByRole('button', { name: ':parrot:, 2 reactions' }).click();
      await lastMessage().getByRole('button', { name: ':parrot:, 1 reaction', pressed: false }).waitFor();
    });

    test('a member changes their own nickname, and a moderator another’s', async () => {
      const { page, discord } = fixture;
      const nickOf = (userId: string) => discord.world.firstGuild.members.get(userId)?.nick;
      await page.locator('.me-button').click();
      await choose('Change nickname…');
      await page.getByRole('dialog', { name: 'Change your nickname' }).getByRole('textbox', { name: 'Nickname' }).fill('Rob');
      await page.keyboard.press('Enter');
      await page.locator('.me-name').getByText('Rob', { exact: true }).waitFor();
      await page.locator('.people').getByRole('button', { name: 'Sam' }).click({ button: 'right' });
      await choose('Change nickname…');
      await page.getByRole('dialog', { name: 'Change the nickname of Sam' }).getByRole('textbox', { name: 'Nickname' }).fill('Sammy');
      await page.keyboard.press('Enter');
      await page.locator('.people').getByRole('button', { name: 'Sammy' }).waitFor();
      expect(nickOf(sam.client.userId)).toBe('Sammy');
      await sam.write('under a new name');
      await page
        .getByRole('article', { name: /^Sammy, / })
        .last()
        .waitFor();
      await page.locator('.me-button').click();
      await choose('Change nickname…');
      await page.getByRole('textbox', { name: 'Nickname' }).fill('');
      await page.getByRole('button', { name: 'Save' }).click();
      await page.locator('.me-name').getByText('Robin').waitFor();
    });
  });
});
