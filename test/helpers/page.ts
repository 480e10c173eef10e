// The page in a real Chromium, on a local Discord with a small bot: one of each for a file's tests, the page anew for each test.
import pino from 'pino';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { type LocalDiscord, startLocalDiscord, trustCertificate } from '../../src/local/discord/index.ts';
import type { TestBrowser } from './browser.ts';
import { type PageBot, startPageBot } from './page-bot.ts';
import { connectToSharedBrowser } from './shared-browser.ts';

/** For whatever takes its time on a busy machine. */
export const patience = { timeout: 20_000 };

export interface OpenPage {
  discord: LocalDiscord;
  bot: PageBot;
  browser: TestBrowser;
  page: Page;
  composer(): Locator;
  lastMessage(): Locator;
  /** Words in the channel. */
  said(words: string | RegExp): Locator;
  /** Runs a command without options, by keyboard. */
  run(name: string): Promise<void>;
  /** The user name of the other person of the seed, from the link on the page. */
  otherMember(): Promise<string>;
}

/** To be called once, in the `describe` of a file. What the pages complain of fails the test. */
export function usePage(): OpenPage {
  const open = {
    composer: () => open.page.getByRole('combobox', { name: /^Message #/ }),
    lastMessage: () => open.page.locator('discord-message').last(),
    said: (words: string | RegExp) => open.page.locator('discord-messages').getByText(words),
    async run(name: string) {
      const { keyboard } = open.page;
      await open.composer().focus();
      await keyboard.type(`/${name}`);
      await open.page.getByRole('option', { name: `/${name}` }).waitFor();
      await keyboard.press('Enter');
      await keyboard.press('Enter');
    },
    async otherMember() {
      const link = open.page.getByRole('link', { name: /^be .* too$/ }).first();
      return new URL((await link.getAttribute('href')) ?? '', open.discord.url).searchParams.get('user') ?? '';
    },
  } as OpenPage;

  beforeAll(async () => {
    open.discord = await startLocalDiscord({ port: 0, log: pino({ level: 'silent' }) });
    trustCertificate(open.discord.certificate);
    const { apiUrl, application } = open.discord;
    [open.bot, open.browser] = await Promise.all([startPageBot({ apiUrl, token: application.token }), connectToSharedBrowser()]);
  });
  afterAll(async () => {
    await open.browser?.close();
    await open.bot?.close();
    await open.discord?.close();
  });
  beforeEach(async () => {
    open.page = await open.browser.open(open.discord.pageUrl());
    open.page.setDefaultTimeout(patience.timeout);
    await open.page.locator('[data-connection=open]').waitFor();
  });
  afterEach(async () => {
    await open.page.context().close();
    expect(open.browser.problems.splice(0)).toEqual([]);
  });
  return open;
}
