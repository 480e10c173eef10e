// A moderator's menu, and what it shows of voice states, in a real Chromium.
import { beforeEach, expect, test } from 'vitest';
import type { MemberClient } from '../../src/local/discord/index.ts';
import { usePage } from '../helpers/page.ts';
import { describeInBrowser } from '../helpers/shared-browser.ts';

describeInBrowser('a moderator', () => {
  const fixture = usePage();
  let sam: MemberClient;
  const state = () => fixture.discord.world.firstGuild.voiceStates.get(sam.userId);
  const listed = () => fixture.page.locator('.voice-members li[data-user=sam]');
  beforeEach(async () => {
    sam = fixture.discord.member('Sam');
    await sam.call('join_voice', { channel_id: fixture.discord.channelId('Lounge'), self_mute: false, self_deaf: false });
    await listed().waitFor();
  });

  async function choose(...path: string[]) {
    await listed().getByRole('button').click();
    for (const name of path) await fixture.page.getByRole('menuitem', { name, exact: true }).click();
  }

  test('mutes, deafens, moves and disconnects a member, and sees each state', async () => {
    await choose('Mute in voice');
    await listed().getByText('muted by a moderator').waitFor({ state: 'attached' });
    await choose('Deafen');
    await listed().getByText('deafened by a moderator').waitFor({ state: 'attached' });
    expect(state()).toMatchObject({ mute: true, deaf: true });
    await choose('Unmute in voice');
    await choose('Undeafen');
    await sam.call('set_voice', { self_mute: true });
    await listed().getByText('muted').waitFor({ state: 'attached' });
    await choose('Move to…', 'Workshop');
    await expect.poll(() => state()?.channel_id).toBe(fixture.discord.channelId('Workshop'));
    await choose('Disconnect');
    await listed().waitFor({ state: 'detached' });
  });

  test('times a member out, who reads why they cannot write, until it is lifted', async () => {
    const { page, browser, discord } = fixture;
    const samsPage = await browser.open(discord.pageUrl('Sam'));
    const box = samsPage.getByRole('textbox', { name: /^Message #/ });
    await box.waitFor();
    await choose('Time out…', '5 minutes');
    await samsPage.locator('[data-announce]').getByText('A moderator has timed you out. You can write again in 5 minutes.').waitFor();
    expect(await box.count()).toBe(0);
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

  test('offers nothing of it to a member without the permissions', async () => {
    const { browser, discord } = fixture;
    const samsPage = await browser.open(discord.pageUrl('Sam'));
    await samsPage.locator('.voice-members li[data-user=sam]').getByRole('button').click();
    await samsPage.getByRole('menuitem', { name: 'Greet' }).waitFor();
    expect(await samsPage.getByText('Moderation').count()).toBe(0);
    await samsPage.context().close();
  });
});
