// Pictures of the panels that docs/ explains, each for a dark and a light page.
import { execFileSync } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';

/**
 * Uses Parley as a member and an admin would, and photographs what it shows.
 * @param page the local Discord's, as opened
 * @param options.seconds the length of what its fake microphone says, about a bridge @param options.target folder of the pictures
 * @param options.folder for what is needed on the way
 */
export async function takePanels(page: Page, options: { seconds: number; target: string; folder: string }): Promise<void> {
  const { seconds, target, folder } = options;
  await mkdir(target, { recursive: true });
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
      const webp = join(target, `${name}-${colorScheme}.webp`);
      execFileSync('ffmpeg', ['-y', '-loglevel', 'error', '-i', png, '-c:v', 'libwebp', '-q:v', '85', '-compression_level', '6', webp]);
    }
  }

  await page.locator('[data-connection=open]').waitFor();
  await page.getByRole('button', { name: 'Lounge, voice channel, join' }).click();
  await page.getByText('Voice connected').first().waitFor();
  await run('say', 'Dinner is ready!');
  await last.getByText(/Spoken \(/).waitFor();
  await take('say', last);

  const step = (name: string) => page.getByRole('region', { name: 'First steps' }).getByRole('button', { name });
  await step('Record a voice message').click();
  await page
    .getByRole('timer')
    .getByText(`0:0${Math.ceil(seconds)}`)
    .waitFor();
  await page.getByRole('button', { name: 'Send voice message' }).click();
  await step('Turn it into text').click();
  await last.getByText('bridge').first().waitFor();
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
