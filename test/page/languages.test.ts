// The switch of the member's language, in a real Chromium.
import { expect, test } from 'vitest';
import { usePage } from '../helpers/page.ts';
import { describeInBrowser } from '../helpers/shared-browser.ts';

describeInBrowser('the language switch', () => {
  const fixture = usePage();

  test('names commands, options and choices as the application translated them, and outlasts a reload', async () => {
    const { page } = fixture;
    const language = () => page.getByLabel('Language', { exact: true });
    expect(await language().inputValue()).toBe('en-US');
    await language().selectOption('Deutsch');
    await fixture.composer().focus();
    await page.keyboard.type('/mal');
    await page.getByRole('option', { name: '/malen Malt es an farbe' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('combobox', { name: 'farbe' }).waitFor();
    await page.keyboard.type('ro');
    await page.getByRole('option', { name: 'Rot' }).waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await fixture.channelText('red for de').waitFor();
    await page.reload();
    await expect.poll(() => language().inputValue()).toBe('de');
  });
});
