// One Chromium for all tests of the page: Vitest starts it before the first file and ends it after the last one.
import { chromium } from 'playwright-core';
import { describe, inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { launchOptions, type TestBrowser, watchBrowser } from './browser.ts';
import { CHROMIUM_PATH, chromium as requirement, titled } from './requirements.ts';

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
