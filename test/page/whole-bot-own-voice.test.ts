// The whole of Parley in a real Chromium: a voice is recorded, made, heard and used.
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { createSettings } from '../../src/settings/index.ts';
import { recording, SECONDS } from '../helpers/made-voices.ts';
import { allowTraining, TRAINING_MS } from '../helpers/own-voice.ts';
import { describeInBrowser } from '../helpers/shared-browser.ts';
import { useWholeBot } from '../helpers/whole-bot.ts';

allowTraining();

describeInBrowser('a voice of one’s own in the browser', () => {
  const fixture = useWholeBot({ microphone: recording });
  const { composer, lastMessage, press } = fixture;
  let page: Page;
  beforeEach(() => {
    page = fixture.page;
  });

  test('is recorded from the microphone, made from the message’s menu, heard and used', async () => {
    await page.getByRole('button', { name: 'Record from the microphone' }).click();
    await page.locator('#send-recording:focus').waitFor();
    await page
      .getByRole('timer')
      .getByText(`0:${Math.ceil(SECONDS)}`)
      .waitFor();
    await press('Enter');
    await lastMessage().getByRole('group', { name: 'Voice message' }).waitFor();
    await composer().press('ArrowUp');
    await press('Enter');
    await page.getByRole('menuitem', { name: 'Make a voice' }).click();
    await page.getByRole('textbox', { name: 'Title of the voice' }).fill('My own voice');
    await press('Enter');
    const message = lastMessage();
    await message.getByText('This is your own voice message, so it’s up to you.').waitFor();
    await message.getByRole('button', { name: 'Make my voice' }).click();
    await message.getByText('Training the voice…').waitFor();
    await message.getByText('Only you can see this').waitFor();
    const made = page.locator('discord-message', { has: page.getByRole('button', { name: 'Use as my voice' }) });
    await made.waitFor({ timeout: TRAINING_MS });

    await page.getByRole('button', { name: 'Lounge, voice channel, join' }).click();
    await page.getByText('Voice connected').first().waitFor();
    await made.getByRole('button', { name: 'Hear it' }).click();
    await lastMessage().getByText('Hello! This is my new voice.').waitFor();
    await lastMessage()
      .getByText(/Spoken in [\d.]+ s/)
      .waitFor();
    expect(Number(await page.evaluate(() => document.documentElement.dataset.heardPeak))).toBeGreaterThan(0.02);

    await made.getByRole('button', { name: 'Use as my voice' }).click();
    await lastMessage().getByText('is your voice now, for everything you').waitFor();
    const settings = createSettings(fixture.parley.store);
    const { voice } = await settings.member(fixture.parley.member.client.userId);
    expect(voice).toMatchObject({ title: 'My own voice' });
  });
});
