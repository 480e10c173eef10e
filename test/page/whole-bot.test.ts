// The whole of Parley in a real Chromium: what a newcomer does after `npm start`, with the first steps and by keyboard alone.

import { MessageFlags } from 'discord.js';
import { expect, test } from 'vitest';
import { createOggMuxer } from '../../src/audio/ogg/muxer.ts';
import { describeInBrowser } from './browser.ts';
import { pollOptions, takeFirstSteps, useWholeBot } from './page.ts';

describeInBrowser('Parley in the browser', () => {
  const fixture = useWholeBot();
  const { composer, lastMessage, press, tabTo, begin } = fixture;

  test('joins a voice channel, and comes back to the composer, by keyboard alone', async () => {
    const { page } = fixture;
    await tabTo(page.getByRole('button', { name: 'Lounge, voice channel, join' }));
    await press('Enter');
    await page.getByText('Voice connected').first().waitFor();
    await tabTo(composer());
  });

  test('hears /say in a chosen voice, by keyboard alone', async () => {
    const { page, parley } = fixture;
    const bot = parley.discord.world.application.user.username;
    // Titles are fetched once the bot is there.
    await expect.poll(() => parley.member.autocomplete('say', 'voice', 'robert'), pollOptions).not.toEqual([]);
    const receiver = await parley.other.listen();
    await page.getByRole('button', { name: 'Lounge, voice channel, join' }).click();
    await page.getByText('Voice connected').first().waitFor();

    await composer().focus();
    await begin('say');
    await page.locator('#option-text:focus').waitFor();
    await page.keyboard.type('Dinner.');
    await press('Tab');
    await page.getByRole('option', { name: /^voice/ }).waitFor();
    await press('ArrowDown');
    await press('Enter');
    await page.locator('#option-voice:focus').waitFor();
    await page.keyboard.type('robert, n');
    await page.getByRole('option', { name: 'Robert, newsreader' }).waitFor();
    await press('Enter');
    await expect.poll(() => page.locator('#option-voice').inputValue(), pollOptions).toMatch(/^Robert, narrator · /);
    // Both may be over before the test looks.
    const shown = await page.evaluateHandle((user) => {
      const seen = { speaking: false, speakingNow: false };
      new MutationObserver(() => {
        seen.speaking ||= document.querySelector(`[data-user="${user}"][data-speaking=true]`) !== null;
        seen.speakingNow ||=
          [...document.querySelectorAll('discord-message')].at(-1)?.textContent?.includes('Robert, narrator · Speaking now') === true;
      }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
      return seen;
    }, bot);
    await press('Enter');

    await lastMessage()
      .getByText(/Robert, narrator · Spoken \(\d+ second/)
      .waitFor();
    // There are no words for it to stand behind, so it stands beside the time.
    await lastMessage()
      .getByText(/^Today at \d+:\d+\s[AP]M \(edited\)$/)
      .waitFor();
    await page.locator(`[data-user="${bot}"][data-speaking=false]`).waitFor();
    expect(await shown.jsonValue()).toEqual({ speaking: true, speakingNow: true });

    // What the page played, and the words in what another member heard at the same time.
    const figures = await page.evaluate(() => ({ ...document.documentElement.dataset }));
    const frames = receiver.frames();
    expect(Number(figures.heardPeak)).toBeGreaterThan(0.02);
    expect(Number(figures.heardPackets)).toBeGreaterThanOrEqual(frames.length);
    expect(receiver.stats()).toMatchObject({ plaintext: 0, undecryptable: 0 });
    const muxer = createOggMuxer({ sampleRate: 48_000, channels: 1, preSkip: 312, serial: 1 });
    const audio = Buffer.concat([muxer.head(), ...frames.map((frame) => muxer.packet(frame, 960, false))]);
    const { text } = await parley.api.transcribe({ audio, filename: 'stats.ogg', contentType: 'audio/ogg' });
    expect(text).toBe('Dinner.');
  });

  test('plays /say as a voice message, with the waveform of its sound, and transcribes it', async () => {
    const { page, parley } = fixture;
    const interaction = await parley.member.run('say', { text: 'The rain falls.', send_as: 'message' });
    const message = await interaction.message(({ flags }) => ((flags ?? 0) & MessageFlags.IsVoiceMessage) !== 0);
    const player = lastMessage().getByRole('group', { name: 'Voice message' });
    await player.waitFor();
    const heights = await player.locator('.bars rect').evaluateAll((bars) => bars.map((bar) => Number(bar.getAttribute('height'))));
    expect(heights).toHaveLength(48);
    expect(Math.max(...heights)).toBeGreaterThan(28);
    expect(new Set(heights.map((height) => Math.round(height))).size).toBeGreaterThan(5);
    const seconds = Math.round(message.attachments[0]?.duration_secs ?? 0);
    const played = page.evaluate(
      () =>
        new Promise((resolve) => {
          const button = [...document.querySelectorAll('.voice-message button')].at(-1) as HTMLElement;
          new MutationObserver(() => resolve(button.ariaLabel)).observe(button, { attributeFilter: ['aria-label'] });
          button.click();
        }),
    );
    expect(await played).toBe('Pause voice message');
    // Ended: the time is that of the whole sound again.
    await player.getByRole('button', { name: 'Play voice message' }).waitFor();
    await player.getByText(`0:${String(seconds).padStart(2, '0')}`).waitFor();
    expect(await player.getByText('This browser cannot play the file').count()).toBe(0);
    const transcript = await parley.member.runOnMessage('Transcribe', message.id);
    await transcript.message((one) => JSON.stringify(one.components).includes('The rain falls.'));
  });

  test('lists /say first, and loses no word that is typed after a command', async () => {
    const { page } = fixture;
    await composer().fill('/');
    const first = page.getByRole('listbox', { name: 'Commands' }).getByRole('option').first();
    await expect.poll(() => first.textContent(), pollOptions).toContain('/say');
    await composer().fill('');
    await composer().focus();
    await page.keyboard.type('/voices storyteller');
    await expect.poll(() => page.locator('.pill input, .pill textarea').first().inputValue(), pollOptions).toBe('storyteller');
  });

  test('suggests first steps, which are one click each and disappear when done', async () => {
    await takeFirstSteps(fixture.page);
  });
});
