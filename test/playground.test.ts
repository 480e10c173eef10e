// The whole of Parley in a real Chromium: what a newcomer does after `npm start`, by keyboard alone, with real speech and real recognition.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createOggMuxer } from '../src/audio/ogg.ts';
import { describeInBrowser, startBrowser, type TestBrowser } from './helpers/browser.ts';
import { findFaintText } from './helpers/contrast.ts';
import { type Parley, startParley } from './helpers/parley.ts';
import { countWordErrors, librivoxRecordings, wordsOf } from './helpers/speech.ts';
import { startTestVoiceService, type TestVoiceService } from './helpers/voice-service.ts';

/** Recognition shares its two cores with other tests. */
const patience = { timeout: 45_000 };
vi.setConfig({ testTimeout: 150_000, hookTimeout: 90_000 });

const novel = librivoxRecordings()[1] as ReturnType<typeof librivoxRecordings>[number];

/** What /transcribe writes before each segment. */
const times = /\[0:\d\d\.\d → 0:\d\d\.\d\]/;

describeInBrowser('Parley in the browser', () => {
  let folder: string;
  let service: TestVoiceService;
  let parley: Parley;
  let browser: TestBrowser;
  let page: Page;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-playground-'));
    // The false microphone plays it once, from when it is opened.
    const microphone = join(folder, 'microphone.wav');
    await writeFile(microphone, novel.audio);
    service = await startTestVoiceService();
    [parley, browser] = await Promise.all([startParley({ service }), startBrowser({ microphone: `${microphone}%noloop` })]);
  });
  afterAll(async () => {
    await browser?.close();
    await parley?.close();
    await service?.close();
    await rm(folder, { recursive: true, force: true });
  });

  beforeEach(async () => {
    page = await browser.open(parley.discord.url);
    page.setDefaultTimeout(patience.timeout);
    await page.locator('[data-link=open]').waitFor();
  });
  afterEach(async () => {
    await page?.context().close();
    expect(browser.complaints.splice(0)).toEqual([]);
  });

  const composer = () => page.getByRole('combobox', { name: /^Message #/ });
  const lastMessage = () => page.locator('discord-message').last();
  const focused = () => page.locator(':focus');
  const press = (key: string) => page.keyboard.press(key);

  /** Presses Tab until this has the focus. */
  async function tabTo(wanted: Locator): Promise<void> {
    const isFocused = () => wanted.evaluate((element) => element.matches(':focus-within'));
    await wanted.waitFor();
    for (let presses = 0; presses < 60 && !(await isFocused()); presses++) await press('Tab');
    expect(await isFocused()).toBe(true);
  }

  /** Types a command's name and takes it from the list. */
  async function begin(command: string): Promise<void> {
    await page.keyboard.type(`/${command}`);
    await page.getByRole('option', { name: `/${command}` }).waitFor();
    await press('Enter');
  }

  /** Opens the menu of the last message and runs Transcribe. */
  async function transcribeLast(): Promise<void> {
    await composer().press('ArrowUp');
    await press('Enter');
    await page.getByRole('menuitem', { name: 'Transcribe' }).waitFor();
    await expect.poll(() => focused().textContent(), patience).toBe('Transcribe');
    await press('Enter');
  }

  /** Waits for a transcript in the last message: how many segments it has, and the share of its words that is wrong. */
  async function readTranscript(): Promise<{ segments: number; wrong: number }> {
    const shown = lastMessage().locator('.embed-text');
    await shown.getByText(times).waitFor();
    const [, ...segments] = ((await shown.textContent()) ?? '').split(times);
    const expected = wordsOf(novel.text);
    return { segments: segments.length, wrong: countWordErrors(expected, wordsOf(segments.join(' '))) / expected.length };
  }

  test('joins a voice channel and hears /say in a chosen voice, by keyboard alone', async () => {
    const bot = parley.discord.world.application.user.username;
    // Titles are fetched once the bot is there.
    await expect.poll(() => parley.member.autocomplete('say', 'voice', 'robert'), patience).not.toEqual([]);
    const ear = await parley.other.listen();
    await page.getByRole('complementary', { name: 'First steps' }).getByText('Join the voice channel').waitFor();
    await tabTo(page.getByRole('button', { name: 'Lounge, voice channel, join' }));
    await press('Enter');
    await page.getByText('Voice connected').first().waitFor();

    await tabTo(composer());
    await begin('say');
    await page.locator('#option-text:focus').waitFor();
    await page.keyboard.type('The weather is nice today, and the house by the river is open to all of us.');
    await press('Tab');
    await page.getByRole('option', { name: /^voice/ }).waitFor();
    await press('ArrowDown');
    await press('Enter');
    await page.locator('#option-voice:focus').waitFor();
    await page.keyboard.type('robert, n');
    await page.getByRole('option', { name: 'Robert, newsreader' }).waitFor();
    await press('Enter');
    await expect.poll(() => page.locator('#option-voice').inputValue(), patience).toBe('Robert, narrator');
    await press('Enter');

    await page.locator(`[data-user="${bot}"][data-speaking=true]`).waitFor();
    await lastMessage().getByText('Robert, narrator · Speaking now').waitFor();
    await lastMessage()
      .getByText(/Robert, narrator · Spoken: \d+\.\d s/)
      .waitFor();
    // There are no words for it to stand behind, so it stands beside the time.
    await lastMessage()
      .getByText(/^Today at \d+:\d+ \(edited\)$/)
      .waitFor();
    await page.locator(`[data-user="${bot}"][data-speaking=false]`).waitFor();

    // What the page played, and the words in what another member heard at the same time.
    const figures = await page.evaluate(() => ({ ...document.documentElement.dataset }));
    const frames = ear.frames();
    expect(Number(figures.heardPeak)).toBeGreaterThan(0.02);
    expect(Number(figures.heardPackets)).toBeGreaterThanOrEqual(frames.length);
    expect(ear.stats()).toMatchObject({ plaintext: 0, undecryptable: 0 });
    const muxer = createOggMuxer({ sampleRate: 48_000, channels: 1, preSkip: 312, serial: 1 });
    const audio = Buffer.concat([muxer.head(), ...frames.map((frame) => muxer.packet(frame, 960, false))]);
    const { text } = await parley.api.transcribe({ audio, filename: 'heard.ogg', contentType: 'audio/ogg' });
    expect(text.toLowerCase()).toMatch(/weather is nice today/);

    // The first steps are done.
    expect(await page.getByRole('complementary', { name: 'First steps' }).count()).toBe(0);
    await parley.other.leaveVoice();
  });

  test('transcribes a file from the menu of its message, with times', async () => {
    await page.getByLabel('Add files').setInputFiles({ name: 'novel.wav', mimeType: 'audio/wav', buffer: Buffer.from(novel.audio) });
    await page.getByText('novel.wav').waitFor();
    await composer().press('Enter');
    await lastMessage().getByRole('group', { name: 'Audio file novel.wav' }).waitFor();
    await transcribeLast();
    const { segments, wrong } = await readTranscript();
    expect(segments).toBeGreaterThan(0);
    expect(wrong).toBeLessThan(0.5);
  });

  test('transcribes what was said into the microphone, as a voice message', async () => {
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

  test('turns the pages of /voices by its buttons', async () => {
    await begin('voices');
    await press('Enter');
    const message = page.locator('discord-message', { has: page.getByText(/voices · page 1 of/) }).last();
    await message.getByRole('button', { name: 'Next' }).waitFor();
    const answer = page.locator(`#${await message.getAttribute('id')}`);
    const first = await answer.locator('.embed-title').first().textContent();
    await tabTo(answer.getByRole('button', { name: 'Next' }));
    await press('Enter');
    await answer.getByText(/voices · page 2 of/).waitFor();
    expect(await answer.locator('.embed-title').first().textContent()).not.toBe(first);
    // The focus stays on the button for the next page.
    await expect
      .poll(() => answer.getByRole('button', { name: 'Next' }).evaluate((element) => element.matches(':focus')), patience)
      .toBe(true);
    await press('Enter');
    await answer.getByText(/voices · page 3 of/).waitFor();
  });

  test('shows the credit to the operator alone', async () => {
    await begin('credit');
    await press('Enter');
    await lastMessage().getByText('Only you can see this').waitFor();
    await lastMessage().getByText('Last changed').waitFor();
    const sam = await browser.open(`${parley.discord.url}/?user=Sam`);
    await sam.locator('discord-message').first().waitFor();
    expect(await sam.getByText('Only you can see this').count()).toBe(0);
    await sam.context().close();
  });

  test('keeps every word readable, in light and dark', async () => {
    await page.getByRole('button', { name: 'Lounge, voice channel, join' }).click();
    await page.getByText('Voice connected').first().waitFor();
    await begin('say');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.locator(`html[data-theme=${colorScheme}]`).waitFor();
      expect(await findFaintText(page)).toEqual([]);
    }
  });
});
