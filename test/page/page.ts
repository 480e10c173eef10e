// The page in a real Chromium, on a local Discord with a small bot. Each test file has its own bot and page; each test loads the page anew.

import { type AttachmentBuilder, MessageFlags, type TextChannel } from 'discord.js';
import pino from 'pino';
import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { toOpusPackets } from '../../src/audio/index.ts';
import { createCrowdVoices } from '../../src/local/crowd-voices.ts';
import { type LocalDiscordOptions, type MemberClient, startLocalDiscord, trustCertificate } from '../../src/local/discord/index.ts';
import { parleyOptions } from '../../src/local/introduction.ts';
import { startParley, useStarted } from '../helpers/parley.ts';
import { inChunks } from '../helpers/sound.ts';
import { recordTones } from '../helpers/tones.ts';
import { builtInEngines, startTestVoiceService } from '../helpers/voice-service.ts';
import { WAIT_MS } from '../helpers/waiter.ts';
import { connectToSharedBrowser, launchBrowser, type TestBrowser, VIEWPORT } from './browser.ts';
import { startPageBot } from './page-bot.ts';

interface OnPage {
  browser: TestBrowser;
  page: Page;
}

type PageFixture = ReturnType<typeof usePage>;

/** What tests of either bot look for, and do, on the page that is open. */
function partsOfPage(fixture: OnPage) {
  const composer = () => fixture.page.getByRole('textbox', { name: /^Message #/ });
  const press = (key: string) => fixture.page.keyboard.press(key);
  /** Types a command's name and selects it from the list. */
  async function begin(command: string): Promise<void> {
    await fixture.page.keyboard.type(`/${command}`);
    await fixture.page.getByRole('option', { name: `/${command}` }).waitFor();
    await press('Enter');
  }
  return {
    ...{ composer, press, begin },
    lastMessage: () => fixture.page.locator('discord-message').last(),
    /** Finds text in the channel. */
    channelText: (words: string | RegExp) => fixture.page.locator('discord-messages').getByText(words),
    /** Runs a command without options, by keyboard. */
    async runCommand(name: string) {
      await composer().focus();
      await begin(name);
      await press('Enter');
    },
  };
}

/** A page in this browser for all tests of a file or a `describe`. Any problem on it fails the test. */
function onPage(browser: TestBrowser) {
  const fixture = { browser } as OnPage;
  afterEach(() => {
    expect(browser.problems.splice(0)).toEqual([]);
  });
  return Object.assign(fixture, partsOfPage(fixture));
}

/** Call it once, in the `describe` of a file. */
export function usePage(options: LocalDiscordOptions = {}) {
  const discord = useStarted(async () => {
    // However slow the machine is, the bot answers in time.
    const started = await startLocalDiscord({ log: pino({ level: 'silent' }), responseMs: WAIT_MS, ...options });
    trustCertificate(started.certificate);
    return started;
  });
  const bot = useStarted(() => startPageBot({ apiUrl: discord.apiUrl, token: discord.application.token }));
  const fixture = onPage(useStarted(connectToSharedBrowser));
  beforeEach(async () => {
    if (fixture.page) await reset(fixture.page);
    else fixture.page = await fixture.browser.open(discord.pageUrl());
    await whenReady(fixture.page);
  });
  return Object.assign(fixture, { discord, bot });
}

/** Loads the page anew, as a member sees it who was never there: much cheaper than a new page, which is a process of its own. */
async function reset(page: Page): Promise<void> {
  await page.unrouteAll();
  await page.setViewportSize(VIEWPORT);
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
  await page.evaluate(() => localStorage.clear());
  await page.reload();
}

/** Resolves once the page is connected and shows the channel. */
export async function whenReady(page: Page): Promise<void> {
  await page.locator('[data-connection=open] discord-messages:not(:has(.loading))').waitFor({ state: 'attached' });
}

/** Resolves once the page shows the beginning of another channel. */
export async function openChannel(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name }).click();
  await page.getByRole('heading', { name: `Welcome to #${name}!` }).waitFor();
}

/** Uploads wait until they are released, then go on or break off. */
export async function holdUploads(page: Page, end: 'continue' | 'abort') {
  const released = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  await page.route(/\/member\/uploads/, async (route) => {
    asked.resolve();
    await released.promise;
    await route[end]();
  });
  return { asked: asked.promise, release: released.resolve };
}

/** A message of the bot's in components; returns it as the page shows it. */
export async function sendLayout({ bot, discord, page }: PageFixture, components: object[], files: AttachmentBuilder[] = []) {
  const channel = bot.client.channels.cache.get(discord.channelId('general')) as TextChannel;
  const { id } = await channel.send({ flags: MessageFlags.IsComponentsV2, components: components as never, files });
  return page.locator(`#message-${id}`);
}

/** The list of first steps, of which the first two are taken: joins the lounge, and has hello said there. */
export async function takeFirstSteps(page: Page) {
  const steps = page.getByRole('region', { name: 'First steps' });
  const step = (name: string) => steps.getByRole('button', { name });
  const suggested = () => steps.getByRole('listitem').allTextContents();
  await page.getByRole('region', { name: 'About Parley' }).getByText('Reads your messages aloud').waitFor();
  await expect.poll(suggested, pollOptions).toEqual(['Join Lounge', 'Say hello']);
  await step('Join Lounge').click();
  await page.getByText('Voice connected').first().waitFor();
  await step('Say hello').click();
  // It may be over before the test looks who is speaking.
  await expect.poll(() => page.evaluate('Number(document.documentElement.dataset.heardPackets ?? 0)'), pollOptions).toBeGreaterThan(0);
  await expect
    .poll(suggested, pollOptions)
    .toEqual(['Browse the voices', 'Record a voice message', 'Try captions', 'Have this channel read aloud']);
  return { steps, step, suggested };
}

/** A member's message, once the page shows it. */
export async function showMessage(page: Page, member: MemberClient, message: { channel_id: string; content: string }) {
  const { id } = await member.call('send_message', message);
  const shown = page.locator(`#message-${id}`);
  await shown.waitFor();
  return { id, message: shown };
}

/** For expect.poll: recognition shares the machine's cores with other tests. */
export const pollOptions = { timeout: WAIT_MS };

interface WholeBotOptions {
  /** A WAV file that the fake microphone plays from when it is opened, once unless `isRepeated`. */
  microphone?: Uint8Array;
  isRepeated?: boolean;
  /** With the built-in engines, as `npm start`, rather than those of tones. */
  speech?: boolean;
}

/** Call it once, in the `describe` of a file. */
export function useWholeBot({ microphone, isRepeated = false, speech = false }: WholeBotOptions = {}) {
  const service = useStarted(() => startTestVoiceService(speech ? { engines: builtInEngines() } : {}));
  const crowdVoices = useStarted(async () => createCrowdVoices());
  const parley = useStarted(() =>
    startParley({
      service,
      readMessages: true,
      discord: parleyOptions(
        () => ({ hasOwn: { speech: false, transcription: false }, voices: service.voices() }),
        speech ? crowdVoices.speak : (text) => toOpusPackets(inChunks(recordTones(text), 4096)),
      ),
    }),
  );
  const browser = useStarted(() => (microphone ? launchBrowser(microphone, isRepeated) : connectToSharedBrowser()));
  const fixture = onPage(browser);
  // Not part of the first test, because it takes seconds while other tests compute.
  beforeAll(async () => {
    fixture.page = await browser.open(parley.discord.pageUrl());
  });
  beforeEach(async () => {
    await reset(fixture.page);
    await fixture.page.locator('[data-connection=open]').waitFor();
  });
  return Object.assign(fixture, {
    parley,
    /** Presses Tab until the element has the focus. */
    async tabTo(wanted: Locator) {
      const isFocused = () => wanted.evaluate((element) => element.matches(':focus-within'));
      await wanted.waitFor();
      for (let presses = 0; presses < 60 && !(await isFocused()); presses++) await fixture.press('Tab');
      expect(await isFocused()).toBe(true);
    },
  });
}
