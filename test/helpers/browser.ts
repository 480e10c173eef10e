// A real Chromium for tests of the page: found on this machine, started headless with a profile that is thrown away.
import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { describe } from 'vitest';

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Where Chromium is; undefined when there is none. */
const chromiumPath = [process.env.CHROMIUM_PATH, ...places].find((place) => place && existsSync(place));

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--autoplay-policy=no-user-gesture-required',
  '--use-fake-ui-for-media-stream',
  '--use-fake-device-for-media-stream',
];

/** `describe` where there is a Chromium. Elsewhere skips with a word; in CI (`CI` set) the tests run, and fail, without one. */
export function describeInBrowser(name: string, tests: () => void): void {
  if (chromiumPath || process.env.CI) describe(name, tests);
  else describe.skip(`${name} (skipped: no Chromium here; install it, or name it in CHROMIUM_PATH)`, tests);
}

export interface TestBrowser {
  /** Opens an address in a profile of its own. What the page complains of is collected in `complaints`. */
  open(url: string, options?: BrowserContextOptions): Promise<Page>;
  /** Errors of pages' scripts, requests that failed or left `origin`, and breaches of the page's policy. */
  problems: string[];
  close(): Promise<void>;
}

/** Starts Chromium. `microphone`: a WAV file that its false microphone plays; otherwise that one beeps. */
export async function startBrowser({ microphone }: { microphone?: string } = {}): Promise<TestBrowser> {
  if (!chromiumPath)
    throw new Error('There is no Chromium on this machine. Install it (apt-get install chromium), or name it in CHROMIUM_PATH.');
  const args = microphone ? [...flags, `--use-file-for-fake-audio-capture=${microphone}`] : flags;
  const browser: Browser = await chromium.launch({ executablePath: chromiumPath, headless: true, args });
  const problems: string[] = [];

  const watch = (page: Page, origin: string): void => {
    page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes('WebSocket connection')) problems.push(`console: ${message.text()}`);
    });
    page.on('requestfailed', (request) => problems.push(`failed: ${request.url()} ${request.failure()?.errorText}`));
    page.on('request', (request) => {
      if (!/^(?:data|blob):/.test(request.url()) && new URL(request.url()).origin !== origin)
        problems.push(`left the origin: ${request.url()}`);
    });
    page.on('response', (response) => {
      if (response.status() >= 400) problems.push(`${response.status()}: ${response.url()}`);
    });
  };

  return {
    problems,
    open: async (url, options = {}) => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB', ...options });
      const page = await context.newPage();
      watch(page, new URL(url).origin);
      await page.goto(url);
      return page;
    },
    close: () => browser.close(),
  };
}
