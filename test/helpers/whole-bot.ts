// All of Parley in a real Chromium. Each test file has its own bot, each test its own page.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { createCrowdVoices } from '../../src/local/crowd-voices.ts';
import { describeEngines, description, farewell, firstSteps, talkersPress } from '../../src/local/introduction.ts';
import { launchBrowser, type TestBrowser } from './browser.ts';
import { recordedPackets } from './heard-speech.ts';
import { type Parley, startParley } from './parley.ts';
import { connectToSharedBrowser } from './shared-browser.ts';
import { recordTones } from './tones.ts';
import { builtInEngines, startTestVoiceService, type TestVoiceService } from './voice-service.ts';
import { WAIT_MS } from './waiter.ts';

/** For expect.poll: recognition shares the machine's cores with other tests. */
export const pollOptions = { timeout: WAIT_MS };

export interface WholeBotFixture {
  parley: Parley;
  browser: TestBrowser;
  page: Page;
  composer(): Locator;
  lastMessage(): Locator;
  press(key: string): Promise<void>;
  /** Presses Tab until the element has the focus. */
  tabTo(wanted: Locator): Promise<void>;
  /** Types a command's name and selects it from the list. */
  begin(command: string): Promise<void>;
}

/**
 * Call it once, in the `describe` of a file.
 * @param options `microphone`: a WAV file that the fake microphone plays from when it is opened, once unless `isRepeated`; `members` of the
 * guild, 2 by default; `speech`: with the built-in engines, as `npm start`, rather than those of tones
 */
export function useWholeBot({
  microphone,
  members,
  isRepeated = false,
  readMessages = false,
  speech = false,
}: {
  microphone?: Uint8Array;
  isRepeated?: boolean;
  members?: number;
  readMessages?: boolean;
  speech?: boolean;
} = {}): WholeBotFixture {
  const crowdVoices = speech ? createCrowdVoices() : null;
  let folder: string;
  let service: TestVoiceService;
  const fixture = {
    composer: () => fixture.page.getByRole('textbox', { name: /^Message #/ }),
    lastMessage: () => fixture.page.locator('discord-message').last(),
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

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-whole-bot-'));
    const file = join(folder, 'microphone.wav');
    if (microphone) await writeFile(file, microphone);
    service = await startTestVoiceService(speech ? { engines: builtInEngines() } : {});
    [fixture.parley, fixture.browser] = await Promise.all([
      startParley({
        service,
        readMessages,
        discord: {
          application: { name: 'Parley', description },
          firstSteps,
          farewell,
          note: describeEngines({ speech: false, transcription: false }, service.natural),
          ...(members && { members }),
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
