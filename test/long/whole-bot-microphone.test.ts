// The whole of Parley in a real Chromium: files and the microphone transcribed by keyboard alone, and a voice made of a recording.
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { en } from '../../src/locales/index.ts';
import { createSettings } from '../../src/store/settings.ts';
import { RATE, toSamples, wavOf } from '../helpers/speech.ts';
import { recordTones } from '../helpers/tones.ts';
import { describeInBrowser } from '../page/browser.ts';
import { pollOptions, useWholeBot } from '../page/page.ts';

/** Eleven seconds: a voice needs ten. */
const words = 'The old boat came home at last. '.concat('All of us ran down to see what it had found. ').repeat(3).trim();
const recording = recordTones(words);
/** The page begins to record a moment after Chromium has begun to play it. */
const microphone = wavOf(Int16Array.from([...new Int16Array(RATE), ...toSamples(recording.subarray(44))]), RATE);

/** What is above each paragraph of a transcript. */
const times = /^0:\d\d$/;

describeInBrowser('recordings in the browser', () => {
  const fixture = useWholeBot({ microphone });
  const { composer, lastMessage, press, tabTo } = fixture;
  let page: Page;
  beforeEach(() => {
    page = fixture.page;
  });

  /** Records this many seconds, or more on a busy machine. */
  async function record(seconds: number): Promise<void> {
    await tabTo(page.getByRole('button', { name: 'Record from the microphone' }));
    await press('Enter');
    await page.locator('#send-recording:focus').waitFor();
    const recorded = async () => {
      const [minutes = 0, rest = 0] = ((await page.getByRole('timer').textContent()) ?? '').split(':').map(Number);
      return 60 * minutes + rest;
    };
    await expect.poll(recorded, pollOptions).toBeGreaterThanOrEqual(seconds);
    await press('Enter');
    await lastMessage().getByRole('group', { name: 'Voice message' }).waitFor();
  }

  /** Opens the menu of the last message and runs this. */
  async function runOnLast(name: string): Promise<void> {
    await composer().press('ArrowUp');
    await press('Enter');
    await page.getByRole('menuitem', { name }).waitFor();
    // The menu goes round, so it comes up however many commands come first.
    const focused = () => page.locator(':focus').textContent();
    for (let presses = 0; presses < 20 && (await focused()) !== name; presses++) await press('ArrowDown');
    await expect.poll(focused, pollOptions).toBe(name);
    await press('Enter');
  }

  /** Waits for a transcript in the last message. */
  async function readTranscript(): Promise<string[]> {
    // Not the name of the recording above it, nor its length below.
    const shown = lastMessage()
      .locator('.text-display')
      .filter({ has: page.getByText(times) });
    await shown.first().waitFor();
    return shown.locator('.paragraph').allTextContents();
  }

  test('transcribes a file from its message’s context menu, with times', async () => {
    await page.getByLabel('Add files').setInputFiles({ name: 'boat.wav', mimeType: 'audio/wav', buffer: Buffer.from(recording) });
    await page.getByText('boat.wav').waitFor();
    await composer().press('Enter');
    await lastMessage().getByRole('group', { name: 'Audio file boat.wav' }).waitFor();
    await runOnLast('Transcribe');
    expect((await readTranscript()).join(' ')).toBe(words);
  });

  test('transcribes a voice message recorded from the microphone', async () => {
    await record(5);
    await runOnLast('Transcribe');
    expect((await readTranscript()).join(' ')).toContain('The old boat came home at last.');
  });

  test('makes a voice of a recording from the microphone, from the message’s menu, and speaks in it', async () => {
    await record(13);
    await runOnLast('Make a voice');
    await page.getByRole('textbox', { name: en('ownVoices.create.formLabel') }).fill('My own voice');
    await press('Enter');
    const message = lastMessage();
    await message.getByText(en('ownVoices.create.ownMessage')).waitFor();
    await message.getByRole('button', { name: en('ownVoices.create.makeButton') }).click();
    const made = page.locator('discord-message', { has: page.getByRole('button', { name: en('voices.choices.mine.off') }) });
    // Training has a low priority.
    await made.waitFor({ timeout: 120_000 });
    await made.getByText('Only you can see this').waitFor();

    await page.getByRole('button', { name: 'Lounge, voice channel, join' }).click();
    await page.getByText('Voice connected').first().waitFor();
    await made.getByRole('button', { name: en('voices.hear') }).click();
    await lastMessage().getByText(en('ownVoices.create.hello')).waitFor();
    await lastMessage()
      .getByText(/Spoken \(\d+ second/)
      .waitFor();
    expect(Number(await page.evaluate(() => document.documentElement.dataset.heardPeak))).toBeGreaterThan(0.02);

    await made.getByRole('button', { name: en('voices.choices.mine.off') }).click();
    await lastMessage().getByText('is your voice now, for everything you').waitFor();
    const { voice } = await createSettings(fixture.parley.store).member(fixture.parley.member.client.userId);
    expect(voice).toMatchObject({ title: 'My own voice' });
  });
});
