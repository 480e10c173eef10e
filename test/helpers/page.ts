// The page in a real Chromium, on a local Discord with a small bot. Each test file has its own bot and page; each test loads the page anew.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AttachmentBuilder, MessageFlags, type TextChannel } from 'discord.js';
import pino from 'pino';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { createCrowdVoices } from '../../src/local/crowd-voices.ts';
import {
  type LocalDiscord,
  type LocalDiscordOptions,
  type MemberClient,
  startLocalDiscord,
  trustCertificate,
} from '../../src/local/discord/index.ts';
import { description, introduce, talkersPress } from '../../src/local/introduction.ts';
import { connectToSharedBrowser, launchBrowser, type TestBrowser, VIEWPORT } from './browser.ts';
import { type PageBot, startPageBot } from './page-bot.ts';
import { type Parley, startParley } from './parley.ts';
import { recordedPackets } from './sound.ts';
import { recordTones } from './tones.ts';
import { builtInEngines, startTestVoiceService, type TestVoiceService } from './voice-service.ts';
import { WAIT_MS } from './waiter.ts';

interface OnPage {
  browser: TestBrowser;
  page: Page;
}

interface PageFixture extends OnPage, ReturnType<typeof partsOfPage> {
  discord: LocalDiscord;
  bot: PageBot;
}

/** What tests of either bot look for on the page that is open. */
const partsOfPage = (fixture: OnPage) => ({
  composer: () => fixture.page.getByRole('textbox', { name: /^Message #/ }),
  lastMessage: () => fixture.page.locator('discord-message').last(),
  /** Finds text in the channel. */
  channelText: (words: string | RegExp) => fixture.page.locator('discord-messages').getByText(words),
  /** Runs a command without options, by keyboard. */
  async runCommand(name: string) {
    await fixture.page.getByRole('textbox', { name: /^Message #/ }).focus();
    await fixture.page.keyboard.type(`/${name}`);
    await fixture.page.getByRole('option', { name: `/${name}` }).waitFor();
    await fixture.page.keyboard.press('Enter');
    await fixture.page.keyboard.press('Enter');
  },
});

/** Call it once, in the `describe` of a file. Any problem on a page fails the test. */
export function usePage(options: LocalDiscordOptions = {}): PageFixture {
  const fixture = {} as PageFixture;
  Object.assign(fixture, partsOfPage(fixture));

  beforeAll(async () => {
    // However slow the machine is, the bot answers in time.
    fixture.discord = await startLocalDiscord({ log: pino({ level: 'silent' }), responseMs: WAIT_MS, ...options });
    trustCertificate(fixture.discord.certificate);
    const { apiUrl, application } = fixture.discord;
    [fixture.bot, fixture.browser] = await Promise.all([startPageBot({ apiUrl, token: application.token }), connectToSharedBrowser()]);
    fixture.page = await fixture.browser.open(fixture.discord.pageUrl());
  });
  afterAll(async () => {
    await fixture.browser?.close();
    await fixture.bot?.close();
    await fixture.discord?.close();
  });
  let isUsed = false;
  beforeEach(async () => {
    if (isUsed) await reset(fixture.page);
    isUsed = true;
    await whenReady(fixture.page);
  });
  afterEach(() => {
    expect(fixture.browser.problems.splice(0)).toEqual([]);
  });
  return fixture;
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

export interface WholeBotFixture extends OnPage, ReturnType<typeof partsOfPage> {
  parley: Parley;
  press(key: string): Promise<void>;
  /** Presses Tab until the element has the focus. */
  tabTo(wanted: Locator): Promise<void>;
  /** Types a command's name and selects it from the list. */
  begin(command: string): Promise<void>;
}

/**
 * Call it once, in the `describe` of a file.
 * @param options `microphone`: a WAV file that the fake microphone plays from when it is opened, once unless `isRepeated`; `speech`:
 * with the built-in engines, as `npm start`, rather than those of tones
 */
export function useWholeBot({
  microphone,
  isRepeated = false,
  speech = false,
}: {
  microphone?: Uint8Array;
  isRepeated?: boolean;
  speech?: boolean;
} = {}): WholeBotFixture {
  const crowdVoices = speech ? createCrowdVoices() : null;
  let folder: string;
  let service: TestVoiceService;
  const fixture = {
    press: (key: string) => fixture.page.keyboard.press(key),
    async tabTo(wanted: Locator) {
      const isFocused = () => wanted.evaluate((element) => element.matches(':focus-within'));
      await wanted.waitFor();
      for (let presses = 0; presses < 60 && !(await isFocused()); presses++) await fixture.press('Tab');
      expect(await isFocused()).toBe(true);
    },
    async begin(command: string) {
      await fixture.page.keyboard.type(`/${command}`);
      await fixture.page.getByRole('option', { name: `/${command}` }).waitFor();
      await fixture.press('Enter');
    },
  } as WholeBotFixture;
  Object.assign(fixture, partsOfPage(fixture));

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-whole-bot-'));
    const file = join(folder, 'microphone.wav');
    if (microphone) await writeFile(file, microphone);
    service = await startTestVoiceService(speech ? { engines: builtInEngines() } : {});
    [fixture.parley, fixture.browser] = await Promise.all([
      startParley({
        service,
        readMessages: true,
        discord: {
          application: { name: 'Parley', description },
          introduce: (locale) => introduce(locale, { hasOwn: { speech: false, transcription: false }, voices: service.voices() }),
          members: 4,
          talkersPress,
          speak:
            crowdVoices?.speak ??
            async function* (text) {
              yield* await recordedPackets(recordTones(text));
            },
        },
      }),
      microphone ? launchBrowser(isRepeated ? file : `${file}%noloop`) : connectToSharedBrowser(),
    ]);
  });
  afterAll(async () => {
    await fixture.browser?.close();
    await fixture.parley?.close();
    await service?.close();
    await crowdVoices?.close();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    fixture.page = await fixture.browser.open(fixture.parley.discord.pageUrl());
    fixture.page.setDefaultTimeout(pollOptions.timeout);
    await fixture.page.locator('[data-connection=open]').waitFor();
  });
  afterEach(async () => {
    await fixture.page?.context().close();
    expect(fixture.browser.problems.splice(0)).toEqual([]);
  });
  return fixture;
}
