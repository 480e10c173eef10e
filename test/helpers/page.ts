// The page in a real Chromium, on a local Discord with a small bot. Each test file has its own bot, each test its own page.
import pino from 'pino';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { type LocalDiscord, startLocalDiscord, trustCertificate } from '../../src/local/discord/index.ts';
import type { TestBrowser } from './browser.ts';
import { type PageBot, startPageBot } from './page-bot.ts';
import { connectToSharedBrowser } from './shared-browser.ts';

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
  /** The name of the seed's other member, from the link on the page. */
  otherMember(): Promise<string>;
}

/** Call it once, in the `describe` of a file. Any problem on a page fails the test. */
export function usePage(): PageFixture {
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
    async otherMember() {
      const link = fixture.page.locator('.second-self').getByRole('link').first();
      return new URL((await link.getAttribute('href')) ?? '', fixture.discord.url).searchParams.get('user') ?? '';
    },
  } as PageFixture;

  beforeAll(async () => {
    fixture.discord = await startLocalDiscord({ port: 0, log: pino({ level: 'silent' }) });
    trustCertificate(fixture.discord.certificate);
    const { apiUrl, application } = fixture.discord;
    [fixture.bot, fixture.browser] = await Promise.all([startPageBot({ apiUrl, token: application.token }), connectToSharedBrowser()]);
  });
  afterAll(async () => {
    await fixture.browser?.close();
    await fixture.bot?.close();
    await fixture.discord?.close();
  });
  beforeEach(async () => {
    fixture.page = await fixture.browser.open(fixture.discord.pageUrl());
    await fixture.page.locator('[data-connection=open]').waitFor();
  });
  afterEach(async () => {
    await fixture.page.context().close();
    expect(fixture.browser.problems.splice(0)).toEqual([]);
  });
  return fixture;
}
