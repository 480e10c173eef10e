// The whole of Parley in a real Chromium, driven by keyboard: one of each for a file's tests, the page anew for each test.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from 'vitest';
import { launchBrowser, type TestBrowser } from './browser.ts';
import { type Parley, startParley } from './parley.ts';
import { connectToSharedBrowser } from './shared-browser.ts';
import { startTestVoiceService, type TestVoiceService } from './voice-service.ts';

/** Recognition shares its two cores with other tests. */
export const patience = { timeout: 45_000 };

export interface Playground {
  parley: Parley;
  browser: TestBrowser;
  page: Page;
  composer(): Locator;
  lastMessage(): Locator;
  press(key: string): Promise<void>;
  /** Presses Tab until this has the focus. */
  tabTo(wanted: Locator): Promise<void>;
  /** Types a command's name and takes it from the list. */
  begin(command: string): Promise<void>;
}

/** To be called once, in the `describe` of a file. @param microphone WAV that the false microphone plays once, from when it is opened */
export function usePlayground({ microphone }: { microphone?: Uint8Array } = {}): Playground {
  vi.setConfig({ testTimeout: 150_000, hookTimeout: 90_000 });
  let folder: string;
  let service: TestVoiceService;
  const playground = {
    composer: () => playground.page.getByRole('combobox', { name: /^Message #/ }),
    lastMessage: () => playground.page.locator('discord-message').last(),
    press: (key: string) => playground.page.keyboard.press(key),
    async tabTo(wanted: Locator) {
      const isFocused = () => wanted.evaluate((element) => element.matches(':focus-within'));
      await wanted.waitFor();
      for (let presses = 0; presses < 60 && !(await isFocused()); presses++) await playground.press('Tab');
      expect(await isFocused()).toBe(true);
    },
    async begin(command: string) {
      await playground.page.keyboard.type(`/${command}`);
      await playground.page.getByRole('option', { name: `/${command}` }).waitFor();
      await playground.press('Enter');
    },
  } as Playground;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-playground-'));
    const file = join(folder, 'microphone.wav');
    if (microphone) await writeFile(file, microphone);
    service = await startTestVoiceService();
    [playground.parley, playground.browser] = await Promise.all([
      startParley({ service }),
      microphone ? launchBrowser(`${file}%noloop`) : connectToSharedBrowser(),
    ]);
  });
  afterAll(async () => {
    await playground.browser?.close();
    await playground.parley?.close();
    await service?.close();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    playground.page = await playground.browser.open(playground.parley.discord.pageUrl());
    playground.page.setDefaultTimeout(patience.timeout);
    await playground.page.locator('[data-connection=open]').waitFor();
  });
  afterEach(async () => {
    await playground.page?.context().close();
    expect(playground.browser.problems.splice(0)).toEqual([]);
  });
  return playground;
}
