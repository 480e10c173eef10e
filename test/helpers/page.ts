// The page in a real Chromium, on a local Discord with a small bot. Each test file has its own bot and page; each test loads the page anew.
import pino from 'pino';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import {
  type LocalDiscord,
  type LocalDiscordOptions,
  type MemberClient,
  startLocalDiscord,
  trustCertificate,
} from '../../src/local/discord/index.ts';
import { type TestBrowser, VIEWPORT } from './browser.ts';
import { type PageBot, startPageBot } from './page-bot.ts';
import { connectToSharedBrowser } from './shared-browser.ts';
import { WAIT_MS } from './waiter.ts';

export interface PageFixture {
  discord: LocalDiscord;
  bot: PageBot;
  browser: TestBrowser;
  page: Page;
  composer(): Locator;
  lastMessage(): Locator;
  /** Finds text in the channel. */
  channelText(words: string | RegExp): Locator;
  /** Runs a command without options, by keyboard. */
  runCommand(name: string): Promise<void>;
}

/** Call it once, in the `describe` of a file. Any problem on a page fails the test. */
export function usePage(options: LocalDiscordOptions = {}): PageFixture {
  const fixture = {
    composer: () => fixture.page.getByRole('textbox', { name: /^Message #/ }),
    lastMessage: () => fixture.page.locator('discord-message').last(),
    channelText: (words: string | RegExp) => fixture.page.locator('discord-messages').getByText(words),
    async runCommand(name: string) {
      const { keyboard } = fixture.page;
      await fixture.composer().focus();
      await keyboard.type(`/${name}`);
      await fixture.page.getByRole('option', { name: `/${name}` }).waitFor();
      await keyboard.press('Enter');
      await keyboard.press('Enter');
    },
  } as PageFixture;

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

/** A member's message, once the page shows it. */
export async function showMessage(page: Page, member: MemberClient, message: { channel_id: string; content: string }) {
  const { id } = await member.call('send_message', message);
  const shown = page.locator(`#message-${id}`);
  await shown.waitFor();
  return { id, message: shown };
}
