// What a newcomer to Parley sees first, in a real Chromium: what it is, and what to try next.

import { expect, test } from 'vitest';
import { describeInBrowser } from '../page/browser.ts';
import { pollOptions, takeFirstSteps, useWholeBot } from '../page/page.ts';

describeInBrowser('the first steps', () => {
  const fixture = useWholeBot();
  const { lastMessage } = fixture;

  test('are one click each, and disappear when done', async () => {
    const { page } = fixture;
    const { steps, step, suggested } = await takeFirstSteps(page);

    await step('Browse the voices').click();
    await expect.poll(suggested, pollOptions).toEqual(['Record a voice message', 'Try captions', 'Have this channel read aloud']);

    await step('Record a voice message').click();
    // A second or more: a busy machine may show nothing in between.
    await page.getByRole('timer').filter({ hasText: /[1-9]/ }).waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(suggested, pollOptions).toEqual(['Turn it into text', 'Try captions', 'Have this channel read aloud']);
    await step('Turn it into text').click();
    await expect.poll(suggested, pollOptions).toEqual(['Try captions', 'Have this channel read aloud']);
    await step('Have this channel read aloud').click();
    await expect.poll(() => lastMessage().textContent(), pollOptions).toContain('aloud');
    // In the chat of the voice channel, where other members come, agree to be captioned, and talk.
    await step('Try captions').click();
    await page.getByRole('heading', { name: 'Lounge', exact: true }).waitFor();
    await page.locator('.text-display', { hasText: /Captioned:.*Ada.*Ben/s }).waitFor();
    await page.locator('[data-user=ada][data-speaking=true]').waitFor();
    // The last step is followed by a sentence, which stays until it is dismissed.
    await steps.getByText('That’s the tour.').waitFor();
    await page.reload();
    await steps.getByText('That’s the tour.').waitFor();
    await steps.getByRole('button', { name: 'Dismiss the first steps' }).click();
    await steps.waitFor({ state: 'detached' });
    await page.reload();
    await page.locator('[data-connection=open]').waitFor();
    expect(await steps.count()).toBe(0);
  });
});
