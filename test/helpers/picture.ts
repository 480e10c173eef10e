// Takes the README's screenshot (`npm run picture`): Parley as `npm start` runs it, in a real Chromium, with a transcribed
// voice message and a /say in progress. Run it again when the page changes.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createApi } from '../../src/api/index.ts';
import { launchBrowser } from './browser.ts';
import { collect } from './speech.ts';
import { startArguments } from './start-command.ts';
import { startTestVoiceService } from './voice-service.ts';

const root = join(import.meta.dirname, '..', '..');
const into = join(root, '.github', 'page.png');

const recorded =
  'Good evening, everybody. The old bridge is closed to cars. You can still walk over it. In the evening we expect some rain.';
const said = 'Welcome to the Lounge! Type a few words, choose a voice, and I will say them to all of you.';

await using service = await startTestVoiceService();
const folder = await mkdtemp(join(tmpdir(), 'parley-picture-'));
const microphone = join(folder, 'microphone.wav');
const seconds = await record();
const parley = spawn(process.execPath, startArguments, {
  cwd: root,
  env: { PATH: process.env.PATH, DATA_DIR: folder, PLAYGROUND_PORT: '0', VOICE_API_URL: service.url, VOICE_API_KEY: service.key },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const browser = await launchBrowser(`${microphone}%noloop`);
try {
  await takePicture(await addressOf(parley));
} finally {
  await browser.close();
  const ended = once(parley, 'exit');
  parley.kill('SIGINT');
  await ended;
  await rm(folder, { recursive: true, force: true });
}

/** Writes the recording for the fake microphone, and returns its length in seconds. */
async function record(): Promise<number> {
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

async function takePicture(address: string): Promise<void> {
  const page = await browser.open(address, { viewport: { width: 1120, height: 980 }, deviceScaleFactor: 2, colorScheme: 'dark' });
  const last = page.locator('discord-message').last();
  await page.getByRole('button', { name: 'Lounge, voice channel, join' }).click();
  await page.getByText('Voice connected').first().waitFor();

  await page.getByRole('button', { name: 'Record from the microphone' }).click();
  await page
    .getByRole('timer')
    .getByText(`0:${String(Math.ceil(seconds)).padStart(2, '0')}`)
    .waitFor();
  await page.getByRole('button', { name: 'Send voice message' }).click();
  await last.getByRole('group', { name: 'Voice message' }).waitFor();
  await last.click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Transcribe' }).click();
  await last.getByText('→').first().waitFor();

  await page.getByRole('textbox', { name: /^Message #/ }).focus();
  await page.keyboard.type(`/say ${said}`);
  await page.keyboard.press('Tab');
  await page.getByRole('option', { name: /^voice/ }).click();
  await page.keyboard.type('Clara');
  await page.getByRole('option', { name: 'Clara', exact: true }).click();
  await page.keyboard.press('Enter');
  await page.locator('[data-speaking=true]').waitFor();
  await last.getByText('Speaking now').waitFor();
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.mouse.move(0, 0);
  await page.waitForFunction(() => Number(document.documentElement.dataset.heardLevel) > 0.05);
  await page.screenshot({ path: into });
}
