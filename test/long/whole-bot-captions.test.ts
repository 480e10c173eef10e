// Captions in a real Chromium, as a newcomer tries them: with the microphone, read in two tabs, and with other members who talk.
import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { TALK_LINES } from '../../src/local/discord/member/crowd-lines.ts';
import { en } from '../../src/locales/index.ts';
import { countWordErrors, librivoxRecordings, RATE, toSamples, wavOf, wordsOf } from '../helpers/speech.ts';
import { describeInBrowser, findAxeViolations } from '../page/browser.ts';
import { pollOptions, useWholeBot } from '../page/page.ts';

const { audio, text } = librivoxRecordings()[3] as { audio: Uint8Array; text: string };
/** Followed by a pause, in which its line is written. */
const recording = wavOf(Int16Array.from([...toSamples(audio.subarray(44)), ...new Int16Array(2 * RATE)]), RATE);

describeInBrowser('captions in the browser', () => {
  const fixture = useWholeBot({ microphone: recording, isRepeated: true, speech: true });
  const { composer, press } = fixture;
  let page: Page;
  beforeEach(() => {
    page = fixture.page;
  });

  async function joinLounge(of: Page): Promise<void> {
    await of.getByRole('button', { name: 'Lounge, voice channel, join' }).click();
    await of.getByText('Voice connected').first().waitFor();
    await of.getByRole('button', { name: /^Chat of Lounge/ }).click();
    await of.getByRole('heading', { name: 'Lounge', exact: true }).waitFor();
  }

  async function run(command: string): Promise<void> {
    await composer().fill(`/${command}`);
    await page.getByRole('option', { name: `/${command}` }).waitFor();
    await press('Enter');
    await press('Enter');
  }

  /** The captions: who said what. */
  async function linesOn(of: Page): Promise<{ name: string; words: string }[]> {
    const written = await of.locator('discord-message .paragraph', { has: of.locator('strong:first-child') }).allInnerTexts();
    return written
      .flatMap((paragraph) => paragraph.split('\n'))
      .flatMap((line) => {
        const [, name = '', words = ''] = /^(Robin|Sam|Ada|Ben) (.+)$/.exec(line) ?? [];
        return name === '' ? [] : [{ name, words }];
      });
  }

  /** Whether four of five words are right. */
  const isNearly = (expected: string, words: string) => countWordErrors(wordsOf(expected), wordsOf(words)) <= wordsOf(expected).length / 5;

  test('show in each tab what is said into the microphone of a member who has agreed, and nothing of one who hasn’t', async () => {
    const sams = await fixture.browser.open(fixture.parley.discord.pageUrl('Sam'));
    sams.setDefaultTimeout(pollOptions.timeout);
    for (const one of [page, sams]) await joinLounge(one);
    await run('captions start');
    await page.getByRole('link', { name: '#Lounge › message' }).click();
    await page.locator('discord-message:focus', { hasText: 'nobody yet' }).waitFor();

    // Sam is heard by everybody but Parley.
    await sams.getByRole('button', { name: 'Use my microphone' }).click();
    await page.locator('.voice-members [data-user=sam][data-speaking=true]').waitFor();
    await page.getByRole('button', { name: en('captions.captionButton'), exact: true }).click();
    await fixture.lastMessage().getByText('Done. What you say is captioned').waitFor();
    await page.getByRole('button', { name: 'Use my microphone' }).click();
    for (const one of [page, sams]) {
      const said = async () => (await linesOn(one)).map(({ words }) => words);
      await expect.poll(said, pollOptions).toSatisfy((all: string[]) => all.some((words) => isNearly(text, words)), `has “${text.trim()}”`);
    }
    for (const width of [1280, 390]) {
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme });
        await page.locator(`html[data-theme=${colorScheme}]`).waitFor();
        // Colours change gradually.
        await expect
          .poll(async () => [await findAxeViolations(page, ['color-contrast']), await findAxeViolations(page)], pollOptions)
          .toEqual([[], []]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      }
    }

    await run('captions stop');
    await sams.getByText('Captions-of-Lounge-transcript.json').first().waitFor();
    expect(new Set((await linesOn(sams)).map(({ name }) => name))).toEqual(new Set(['Robin']));
    await sams.context().close();
  });

  test('are tried with one of the first steps: other members come, agree and talk, and what they say can be read', async () => {
    const steps = page.getByRole('region', { name: 'First steps' });
    await steps.getByRole('button', { name: 'Join Lounge' }).click();
    await page.getByText('Voice connected').first().waitFor();
    await steps.getByRole('button', { name: 'Say hello' }).click();
    await steps.getByRole('button', { name: 'Try captions' }).click();
    const isSaid = (words: string) => TALK_LINES.some((line) => isNearly(line, words));
    const names = async () => (await linesOn(page)).filter(({ words }) => isSaid(words)).map(({ name }) => name);
    // One after the other.
    await expect.poll(async () => new Set(await names()).size, pollOptions).toBeGreaterThan(1);
  });
});
