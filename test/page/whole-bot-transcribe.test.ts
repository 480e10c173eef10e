// The whole of Parley in a real Chromium: files and the microphone transcribed, by keyboard alone, with real recognition.
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { describeInBrowser } from '../helpers/shared-browser.ts';
import { countWordErrors, librivoxRecordings, wordsOf } from '../helpers/speech.ts';
import { pollOptions, useWholeBot } from '../helpers/whole-bot.ts';

const novel = librivoxRecordings()[1] as ReturnType<typeof librivoxRecordings>[number];

/** What is above each paragraph of a transcript. */
const times = /^0:\d\d$/;

describeInBrowser('transcribing in the browser', () => {
  const fixture = useWholeBot({ microphone: novel.audio });
  const { composer, lastMessage, press, tabTo } = fixture;
  let page: Page;
  beforeEach(() => {
    page = fixture.page;
  });

  /** Opens the menu of the last message and runs Transcribe. */
  async function transcribeLast(): Promise<void> {
    await composer().press('ArrowUp');
    await press('Enter');
    await page.getByRole('menuitem', { name: 'Transcribe' }).waitFor();
    // The menu goes round, so it comes up however many commands come first.
    const focused = () => page.locator(':focus').textContent();
    for (let presses = 0; presses < 20 && (await focused()) !== 'Transcribe'; presses++) await press('ArrowDown');
    await expect.poll(focused, pollOptions).toBe('Transcribe');
    await press('Enter');
  }

  /** Waits for a transcript in the last message: how many paragraphs it has, and the share of its words that is wrong. */
  async function readTranscript(): Promise<{ paragraphs: number; wrong: number }> {
    const shown = lastMessage().locator('.text-display');
    await shown.getByText(times).first().waitFor();
    const paragraphs = await shown.locator('.paragraph').allTextContents();
    const expected = wordsOf(novel.text);
    return { paragraphs: paragraphs.length, wrong: countWordErrors(expected, wordsOf(paragraphs.join(' '))) / expected.length };
  }

  test('transcribes a file from its message’s context menu, with times', async () => {
    await page.getByLabel('Add files').setInputFiles({ name: 'novel.wav', mimeType: 'audio/wav', buffer: Buffer.from(novel.audio) });
    await page.getByText('novel.wav').waitFor();
    await composer().press('Enter');
    await lastMessage().getByRole('group', { name: 'Audio file novel.wav' }).waitFor();
    await transcribeLast();
    const { paragraphs, wrong } = await readTranscript();
    expect(paragraphs).toBeGreaterThan(0);
    expect(wrong).toBeLessThan(0.5);
  });

  test('transcribes a voice message recorded from the microphone', async () => {
    await tabTo(page.getByRole('button', { name: 'Record from the microphone' }));
    await press('Enter');
    await page.locator('#send-recording:focus').waitFor();
    // The recording lasts three seconds; what follows it is silent.
    await page.getByRole('timer').getByText('0:04').waitFor();
    await press('Enter');
    await lastMessage().getByRole('group', { name: 'Voice message' }).waitFor();
    await transcribeLast();
    expect((await readTranscript()).wrong).toBeLessThan(0.7);
  });
});
