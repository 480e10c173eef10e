// Makes the pictures of the docs (`npm run picture`): a newcomer's first half minute as an animation, how the page looks at its end, and the
// panels. Parley as `npm start` runs it, in a real Chromium. Prints how long each first step took. Needs ffmpeg. Run it again when the page or
// a panel changes; `npm run picture -- panels` leaves out the first two.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { createApi } from '../../src/api/index.ts';
import { launchBrowser } from './browser.ts';
import { takePanels } from './panel-pictures.ts';
import { startArguments } from './program.ts';
import { collect } from './speech.ts';
import { builtInEngines, startTestVoiceService } from './voice-service.ts';

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
const microphone = join(folder, 'microphone.wav');
const seconds = await record();
const startedAt = performance.now();
try {
  if (!onlyPanels) await withPage('first-steps', { viewport: size, deviceScaleFactor: 1.5, colorScheme: 'dark' }, takeFirstSteps);
  await withPage('panels', { viewport: { width: 900, height: 1400 }, deviceScaleFactor: 1.5 }, (page) =>
    takePanels(page, { seconds, target: panels, folder }),
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Opens the page of a new Parley, in a new browser: its fake microphone plays the recording only once. */
async function withPage(name: string, options: BrowserContextOptions, run: (page: Page) => Promise<void>): Promise<void> {
  const parley = spawn(process.execPath, startArguments, {
    cwd: root,
    env: { PATH: process.env.PATH, DATA_DIR: join(folder, name), PLAYGROUND_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const browser = await launchBrowser(`${microphone}%noloop`);
  try {
    const address = await addressOf(parley);
    tell('ready');
    await run(await browser.open(address, options));
  } finally {
    await browser.close();
    const ended = once(parley, 'exit');
    parley.kill('SIGINT');
    await ended;
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

/** Writes the recording for the fake microphone, and returns its length in seconds. */
async function record(): Promise<number> {
  await using service = await startTestVoiceService({ engines: builtInEngines() });
  await using api = Object.assign(createApi({ baseUrl: service.url, apiKey: service.key }), {
    [Symbol.asyncDispose]: () => api.close(),
  });
  const { audio } = await api.speak({ text: recorded, referenceId: 'robert', format: 'wav' });
  const wav = await collect(audio);
  await writeFile(microphone, wav);
  const bytesPerSecond = new DataView(wav.buffer).getUint32(28, true);
  return (wav.length - 44) / bytesPerSecond;
}

/** The page's address, as printed at start. */
async function addressOf({ stdout }: ChildProcess): Promise<string> {
  if (stdout)
    for await (const line of createInterface({ input: stdout })) {
      const [, address] = /open (http\S+)/.exec(line) ?? [];
      if (address) return address;
    }
  throw new Error('Parley ended before it was ready.');
}

function firstStep(page: Page, name: string): Locator {
  return page.getByRole('region', { name: 'First steps' }).getByRole('button', { name });
}

/** One click each, with pauses in which a reader can see what has happened. */
async function walk(page: Page): Promise<void> {
  const step = (name: string) => firstStep(page, name);
  const last = page.locator('discord-message').last();
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

  await step('Record a voice message').click();
  await page
    .getByRole('timer')
    .getByText(`0:0${Math.ceil(seconds)}`)
    .waitFor();
  await page.getByRole('button', { name: 'Send voice message' }).click();
  await step('Turn it into text').click();
  await last.getByText('bridge').first().waitFor();
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
