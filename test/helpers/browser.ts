// A real Chromium for tests of the page: found on this machine, started headless with a profile that is thrown away.
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { describe } from 'vitest';
import { CHROMIUM_PATH, chromium as requirement, titled } from './requirements.ts';

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

/** `describe`, skipped if there is no Chromium. */
export function describeInBrowser(name: string, tests: () => void): void {
  describe.skipIf(!requirement.isMet)(titled(name, requirement), tests);
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
  if (!CHROMIUM_PATH) throw new Error(`${requirement.reason}.`);
  const args = microphone ? [...flags, `--use-file-for-fake-audio-capture=${microphone}`] : flags;
  const browser: Browser = await chromium.launch({ executablePath: CHROMIUM_PATH, headless: true, args });
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
