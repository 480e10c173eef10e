// Makes the pictures of the docs (`npm run picture`): a newcomer's first half minute as an animation, how the page looks at its end, and the
// panels. Parley as `npm start` runs it, in a real Chromium. Prints how long each first step took. Needs ffmpeg. Run it again when the page or
// a panel changes; `npm run picture -- panels` leaves out the first two.

import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { createApi } from '../../src/api/index.ts';
import { pageOf, startArguments, startProcess } from '../helpers/program.ts';
import { collect } from '../helpers/speech.ts';
import { builtInEngines, startTestVoiceService } from '../helpers/voice-service.ts';
import { launchBrowser } from '../page/browser.ts';

const root = join(import.meta.dirname, '..', '..');
const still = join(root, '.github', 'page.png');
const animation = join(root, '.github', 'first-steps.webp');
const panels = join(root, 'docs', 'pictures');

const recorded = 'Good evening, everybody. The old bridge is closed to cars. You can still walk over it.';
const size = { width: 1120, height: 800 };
/** What a reader of the README watches; the page has to come to an end within it. */
const SECONDS = 30;

const onlyPanels = process.argv[2] === 'panels';

const folder = await mkdtemp(join(tmpdir(), 'parley-picture-'));
const { microphone, seconds } = await record();
const startedAt = performance.now();
try {
  if (!onlyPanels) await withPage('first-steps', { viewport: size, deviceScaleFactor: 1.5, colorScheme: 'dark' }, takeFirstSteps);
  await withPage('panels', { viewport: { width: 900, height: 1400 }, deviceScaleFactor: 1.5 }, (page) => takePanels(page));
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Opens the page of a new Parley, in a new browser: its fake microphone plays the recording only once. */
async function withPage(name: string, options: BrowserContextOptions, run: (page: Page) => Promise<void>): Promise<void> {
  const env = { PATH: process.env.PATH, DATA_DIR: join(folder, name), PLAYGROUND_PORT: '0' };
  const parley = startProcess(startArguments, { cwd: root, env });
  const browser = await launchBrowser(microphone);
  try {
    const address = await pageOf(parley);
    tell('ready');
    await run(await browser.open(address, options));
  } finally {
    await browser.close();
    parley.child.kill('SIGINT');
    await parley.ended;
  }
}

async function takeFirstSteps(page: Page): Promise<void> {
  const stopFilming = await film(page);
  await walk(page);
  await page.screenshot({ path: still });
  await firstStep(page, 'Browse the voices').click();
  await page.locator('discord-message').last().getByText('Hear…').waitFor();
  tell('voices listed');
  await sleep(3000);
  animate(await stopFilming());
  await page.context().close();
}

function tell(step: string): void {
  console.log(`${((performance.now() - startedAt) / 1000).toFixed(1)} s  ${step}`);
}

/** The recording for the fake microphone, and its length. */
async function record(): Promise<{ microphone: Uint8Array; seconds: number }> {
  await using service = await startTestVoiceService({ engines: builtInEngines() });
  await using api = Object.assign(createApi({ baseUrl: service.url, apiKey: service.key }), {
    [Symbol.asyncDispose]: () => api.close(),
  });
  const { audio } = await api.speak({ text: recorded, referenceId: 'robert', format: 'wav' });
  const microphone = await collect(audio);
  const bytesPerSecond = new DataView(microphone.buffer).getUint32(28, true);
  return { microphone, seconds: (microphone.length - 44) / bytesPerSecond };
}

function firstStep(page: Page, name: string): Locator {
  return page.getByRole('region', { name: 'First steps' }).getByRole('button', { name });
}

/** Has what the microphone says turned into text. */
async function transcribeRecording(page: Page): Promise<void> {
  await firstStep(page, 'Record a voice message').click();
  await page
    .getByRole('timer')
    .getByText(`0:0${Math.ceil(seconds)}`)
    .waitFor();
  await page.getByRole('button', { name: 'Send voice message' }).click();
  await firstStep(page, 'Turn it into text').click();
  await page.locator('discord-message').last().getByText('bridge').first().waitFor();
}

/** One click each, with pauses in which a reader can see what has happened. */
async function walk(page: Page): Promise<void> {
  const step = (name: string) => firstStep(page, name);
  await step('Join Lounge').waitFor();
  tell('page open');
  await sleep(1500);
  await step('Join Lounge').click();
  await page.getByText('Voice connected').first().waitFor();
  tell('in the voice channel');
  await step('Say hello').click();
  await page.locator('[data-speaking=true]').waitFor();
  tell('first sound');
  await sleep(4000);

  await transcribeRecording(page);
  tell('first transcript');
  await page.mouse.move(0, 0);
  await sleep(3000);
}

/** Films the page; the returned function ends it, and returns the name of ffmpeg's list of pictures. */
async function film(page: Page): Promise<() => Promise<string>> {
  const frames: { file: string; at: number }[] = [];
  const client = await page.context().newCDPSession(page);
  client.on('Page.screencastFrame', async ({ data, metadata, sessionId }) => {
    const file = `${frames.length}.jpg`;
    frames.push({ file, at: metadata.timestamp ?? 0 });
    await writeFile(join(folder, file), Buffer.from(data, 'base64'));
    // The next one comes when the page has changed.
    await client.send('Page.screencastFrameAck', { sessionId }).catch(() => {});
  });
  await client.send('Page.startScreencast', { format: 'jpeg', quality: 90 });
  return async () => {
    await client.send('Page.stopScreencast');
    const entries = frames.map(({ file, at }, index) => `file ${file}\nduration ${((frames[index + 1]?.at ?? at + 1) - at).toFixed(3)}\n`);
    const list = join(folder, 'frames.txt');
    await writeFile(list, entries.join(''));
    return list;
  };
}

/** A WebP of less than a megabyte. @param list of pictures and how long each is shown */
function animate(list: string): void {
  const filters = `fps=6,scale=${Math.round(size.width * 0.75)}:-2:flags=lanczos`;
  const quality = ['-c:v', 'libwebp_anim', '-lossless', '0', '-q:v', '75', '-compression_level', '6', '-loop', '0'];
  const input = ['-f', 'concat', '-i', list];
  execFileSync('ffmpeg', ['-y', '-loglevel', 'error', ...input, '-t', String(SECONDS), '-vf', filters, ...quality, animation]);
}

/** Uses Parley as a member and an admin would, and photographs each panel that docs/ explains, dark and light. */
async function takePanels(page: Page): Promise<void> {
  await mkdir(panels, { recursive: true });
  const { keyboard } = page;
  const last = page.locator('discord-message').last();
  const composer = page.getByRole('textbox', { name: /^Message #/ });

  async function run(command: string, text?: string): Promise<void> {
    await composer.fill(`/${command}`);
    await page
      .getByRole('option', { name: `/${command}` })
      .first()
      .waitFor();
    await keyboard.press('Enter');
    if (text !== undefined) {
      await page.locator('#option-text:focus').waitFor();
      await keyboard.type(text);
    }
    await keyboard.press('Enter');
  }

  async function take(name: string, message: Locator): Promise<void> {
    await page.mouse.move(0, 0);
    await composer.blur();
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.locator(`html[data-theme=${colorScheme}]`).waitFor();
      const png = join(folder, `${name}-${colorScheme}.png`);
      await message.screenshot({ path: png, animations: 'disabled' });
      const webp = join(panels, `${name}-${colorScheme}.webp`);
      execFileSync('ffmpeg', ['-y', '-loglevel', 'error', '-i', png, '-c:v', 'libwebp', '-q:v', '85', '-compression_level', '6', webp]);
    }
  }

  await page.locator('[data-connection=open]').waitFor();
  await page.getByRole('button', { name: 'Lounge, voice channel, join' }).click();
  await page.getByText('Voice connected').first().waitFor();
  await run('say', 'Dinner is ready!');
  await last.getByText(/Spoken \(/).waitFor();
  await take('say', last);

  await transcribeRecording(page);
  await take('transcript', last);

  await run('settings');
  await last.getByText('Settings for').waitFor();
  await take('settings', last);
  for (const [name, section] of [
    ['reading', 'Reading aloud'],
    ['transcripts', 'Transcripts'],
    ['captions', 'Captions'],
    ['budgets', 'Budgets'],
  ] as const) {
    const menu = last.getByRole('combobox').first();
    await menu.click();
    await page.locator('.menu-list').getByRole('option', { name: section }).click();
    await last
      .getByRole('combobox', { name: new RegExp(section) })
      .first()
      .waitFor();
    await take(`settings-${name}`, last);
  }

  await page.getByRole('button', { name: /^Chat of Lounge/ }).click();
  await page.getByRole('heading', { name: 'Lounge', exact: true }).waitFor();
  await run('captions start');
  const panel = page.locator('discord-message', { hasText: 'Captions of' }).last();
  await panel.getByText('nobody yet').waitFor();
  await page.getByRole('switch', { name: 'Others talk here' }).click();
  await panel.getByText('nobody yet').waitFor({ state: 'detached' });
  await take('captions', panel);
}
