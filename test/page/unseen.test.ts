// What comes while the member looks elsewhere, in a real Chromium.
import { expect, test } from 'vitest';
import { usePage } from '../helpers/page.ts';
import { describeInBrowser } from '../helpers/shared-browser.ts';

describeInBrowser('new messages', () => {
  const fixture = usePage();

  test('are marked and counted while the member reads further up, who jumps back to them with one click', async () => {
    const { page, discord } = fixture;
    const sam = discord.member('Sam');
    const channel_id = discord.channelId('general');
    const jump = page.getByRole('button', { name: /Jump to present/ });
    for (let line = 1; line <= 40; line++) await sam.call('send_message', { channel_id, content: `line ${line}` });
    await fixture.channelText('line 40').waitFor();
    expect(await jump.count()).toBe(0);
    await page.locator('#messages').evaluate((list) => list.scrollTo(0, 0));
    await jump.waitFor();
    await sam.call('send_message', { channel_id, content: 'one more' });
    await page.getByRole('button', { name: '1 new message Jump to present' }).waitFor();
    await page.getByRole('separator').getByText('New', { exact: true }).waitFor({ state: 'attached' });
    await jump.press('Enter');
    await jump.waitFor({ state: 'detached' });
    expect(await fixture.channelText('one more').evaluate((text) => text.getBoundingClientRect().bottom < innerHeight)).toBe(true);
    // Whoever answers has read them.
    await page.keyboard.type('I see');
    await page.keyboard.press('Enter');
    await page.getByRole('separator').getByText('New', { exact: true }).waitFor({ state: 'detached' });
  });

  test('in another channel are marked where they begin', async () => {
    const { page, discord } = fixture;
    const sam = discord.member('Sam');
    await sam.call('send_message', { channel_id: discord.channelId('random'), content: 'over here' });
    await page.getByRole('button', { name: 'random , new messages' }).click();
    await page.getByRole('separator').getByText('New', { exact: true }).waitFor();
  });
});
