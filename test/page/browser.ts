// A real Chromium, found on this machine and started headless with a temporary profile.

import { readFileSync } from 'node:fs';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { type Browser, type BrowserContextOptions, chromium, type LaunchOptions } from 'playwright-core';
import { describe, inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { CHROMIUM_PATH, chromium as requirement, titled } from '../helpers/requirements.ts';
import { WAIT_MS } from '../helpers/waiter.ts';

/** The size of every page, unless a test asks for another. */
export const VIEWPORT = { width: 1280, height: 800 };

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Each navigation would start a renderer that the next one might need: tests stay on one site.
  '--disable-site-isolation-trials',
  '--autoplay-policy=no-user-gesture-required',
  '--use-fake-ui-for-media-stream',
  '--use-fake-device-for-media-stream',
];

export type TestBrowser = ReturnType<typeof watchBrowser>;

function launchOptions(...flags: string[]): LaunchOptions {
  if (!CHROMIUM_PATH) throw new Error(`${requirement.reason}.`);
  return { executablePath: CHROMIUM_PATH, headless: true, args: [...FLAGS, ...flags] };
}

/** Starts a separate Chromium. @param microphone a WAV file that its fake microphone plays from when it is opened, once unless `isRepeated` */
export async function launchBrowser(microphone: Uint8Array, isRepeated = false): Promise<TestBrowser> {
  const folder = await mkdtempDisposable(join(tmpdir(), 'parley-microphone-'));
  const file = join(folder.path, 'microphone.wav');
  await writeFile(file, microphone);
  const browser = watchBrowser(
    await chromium.launch(launchOptions(`--use-file-for-fake-audio-capture=${file}${isRepeated ? '' : '%noloop'}`)),
  );
  return { ...browser, close: () => browser.close().finally(folder.remove) };
}

function watchBrowser(browser: Browser) {
  /** Script errors, requests that failed or left the page's origin, and violations of its policy. */
  const problems: string[] = [];

  const watch = (page: Page, origin: string): void => {
    page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().includes('WebSocket connection')) problems.push(`console: ${message.text()}`);
    });
    page.on('requestfailed', (request) => {
      const reason = request.failure()?.errorText;
      // The page was left, or has broken it off itself, as a player does that has what it needs of a recording.
      if (reason !== 'net::ERR_ABORTED') problems.push(`failed: ${request.url()} ${reason}`);
    });
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
    /** Opens an address in a new profile. @param prepare called with the page before it loads anything */
    open: async (url: string, options: BrowserContextOptions = {}, prepare?: (page: Page) => Promise<void>): Promise<Page> => {
      const context = await browser.newContext({ viewport: VIEWPORT, locale: 'en-US', reducedMotion: 'reduce', ...options });
      const page = await context.newPage();
      watch(page, new URL(url).origin);
      page.setDefaultTimeout(WAIT_MS);
      await prepare?.(page);
      await page.goto(url);
      return page;
    },
    close: () => browser.close(),
  };
}

declare module 'vitest' {
  interface ProvidedContext {
    browserEndpoint: string;
  }
}

/** Vitest's `globalSetup`; returns the teardown. */
export default async function startSharedBrowser(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (!CHROMIUM_PATH) return undefined;
  const server = await chromium.launchServer(launchOptions());
  project.provide('browserEndpoint', server.wsEndpoint());
  return () => server.close();
}

/** Closing it closes the pages opened through it, and leaves the shared Chromium running. */
export async function connectToSharedBrowser(): Promise<TestBrowser> {
  return watchBrowser(await chromium.connect(inject('browserEndpoint')));
}

/** `describe`, skipped if there is no Chromium. */
export function describeInBrowser(name: string, tests: () => void): void {
  describe.skipIf(!requirement.isMet)(titled(name, requirement), tests);
}

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * One line for each violation.
 * @param rules by default all that axe has on
 */
export async function findAxeViolations(page: Page, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source);
  const violations = await page.evaluate(async (runOnly) => {
    const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } };
    return (await axe.run({ resultTypes: ['violations'], ...(runOnly && { runOnly }) })).violations;
  }, rules);
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html.slice(0, 200)}`));
}
