// Voice messages and voice channels in a real Chromium: what the member hears, and what is heard of them.
import { VoiceOpcodes } from 'discord-api-types/voice/v8';
import type { Page } from 'playwright-core';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { connectToVoiceGateway } from '../helpers/raw-gateway.ts';
import { listen, rms } from '../helpers/sound.ts';
import { createWaiter } from '../helpers/waiter.ts';
import { describeInBrowser } from './browser.ts';
import { usePage } from './page.ts';

describeInBrowser('voice on the page', () => {
  const fixture = usePage();
  const { lastMessage, runCommand } = fixture;
  let page: Page;
  beforeEach(() => {
    page = fixture.page;
  });

  const application = () => page.locator('.voice-members').getByRole('button', { name: fixture.bot.client.user?.username ?? '' });
  const figure = (name: string) => page.evaluate((key) => Number(document.documentElement.dataset[key] ?? 0), name);

  /** Ends the humming of the bot, which then leaves. */
  async function hush(): Promise<void> {
    fixture.bot.client.emit('hushed' as never);
    await application().waitFor({ state: 'detached' });
  }

  test('says why a bot whose library has no end-to-end encryption gets no further', async () => {
    const gateway = await connectToVoiceGateway(fixture.discord.voice);
    gateway.send(VoiceOpcodes.Identify, { server_id: '1', user_id: '2', session_id: '3', token: '4' });
    await page
      .getByText(/^voice refused: this client offers no end-to-end encryption.*@discordjs\/voice has it from version 0\.19 on$/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Dismiss', exact: true }).click();
    await gateway.closed;
  });

  test('sends a recording as a voice message with its waveform, and plays it', async () => {
    await page.getByRole('button', { name: 'Record from the microphone' }).click();
    await expect.poll(() => page.evaluate(() => Number(document.documentElement.dataset.recordingLevel ?? 0))).toBeGreaterThan(0.001);
    await page.getByRole('button', { name: 'Send voice message' }).click();
    const player = lastMessage().getByRole('group', { name: 'Voice message' });
    await player.waitFor();
    await expect.poll(() => player.locator('.bars rect').count()).toBe(48);
    const file = await page.request.get(new URL((await player.getByRole('link').getAttribute('href')) ?? '', fixture.discord.url).href);
    expect((await file.body()).subarray(0, 4).toString()).toBe('OggS');
    // It may be over before the test looks.
    const played = player.getByRole('button', { name: 'Play' }).evaluate(
      (button) =>
        new Promise((resolve) => {
          new MutationObserver(() => resolve(button.ariaLabel)).observe(button, { attributeFilter: ['aria-label'] });
          (button as HTMLElement).click();
        }),
    );
    expect(await played).toBe('Pause voice message');
  });

  test('plays the bot in a voice channel, shows who is speaking, and goes silent when deafened', async () => {
    const channel = page.getByRole('button', { name: /voice channel, join/ }).first();
    await channel.focus();
    await page.keyboard.press('Enter');
    await page.getByText('Voice connected').first().waitFor();
    await runCommand('hum');
    await page.getByRole('button', { name: /^\w+, speaking, deafened$/ }).waitFor();
    await expect.poll(() => figure('heardPackets')).toBeGreaterThan(40);
    await expect.poll(() => figure('heardPeak')).toBeGreaterThan(0.05);
    await page.getByRole('button', { name: 'Deafen', exact: true }).click();
    await expect.poll(() => figure('heardLevel')).toBe(0);
    await page.getByRole('button', { name: 'Robin, muted, deafened', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Leave voice' }).click();
    await expect.poll(() => page.locator('.voice-panel').count()).toBe(0);
    await hush();
  });

  test('sends the microphone to the others, rings it while it is heard, and not while it is muted or turned off', async () => {
    const sam = fixture.discord.member('Sam');
    onTestFinished(() => sam.close());
    /** What Sam hears of Robin, without silence. */
    const heard: Uint8Array[] = [];
    const { notify, until } = createWaiter();
    sam.onHeard(({ user_id, opus }) => {
      if (user_id === sam.userId || opus.length <= 3) return;
      heard.push(opus.slice());
      notify();
    });
    const speaking = (is: boolean) => sam.next('SPEAKING', (event) => event.user_id !== sam.userId && event.speaking === is);
    const panel = page.locator('.voice-panel.panel');
    const ring = page.locator('.voice-members [data-user=robin][data-speaking=true]');
    await sam.call('join_voice', { channel_id: fixture.discord.channelId('Lounge') });
    await page.getByRole('button', { name: 'Lounge, voice channel, join' }).click();
    await page.getByText('Voice connected').first().waitFor();

    const begins = speaking(true);
    await panel.getByRole('button', { name: 'Use my microphone' }).click();
    await begins;
    await ring.waitFor();
    // Chromium's own microphone beeps once a second.
    await until(
      () => heard.length >= 60 || undefined,
      () => `60 packets of Robin; there are ${heard.length}`,
    );
    const { sound, failure } = await listen(heard.splice(0));
    expect(failure).toBeNull();
    expect(rms(sound)).toBeGreaterThan(0.005);
    expect(sam.voiceStats()).toMatchObject({ plaintext: 0, undecryptable: 0, lost: 0 });

    const falls = speaking(false);
    await page.getByRole('button', { name: 'Mute', exact: true }).click();
    await falls;
    await ring.waitFor({ state: 'detached' });
    await panel.getByRole('img', { name: 'Level of the microphone, which nobody hears' }).waitFor();
    heard.length = 0;
    await page.getByRole('button', { name: 'Turn the microphone off' }).click();
    await panel.getByRole('button', { name: 'Use my microphone' }).waitFor();
    expect(heard).toEqual([]);
  });
});
