// What the local Discord's page tells newcomers about the voices, and what has changed since the last start.
import { expect, onTestFinished, test } from 'vitest';
import { startLocalDiscord } from '../../src/local/discord/index.ts';
import { describeEngines } from '../../src/local/introduction.ts';
import { openPage } from '../helpers/local-discord.ts';

test('the built-in voices are called what they are on this machine', () => {
  const builtIn = { speech: false, transcription: false };
  expect(describeEngines(builtIn, null)).toMatch(/^The voices here are simple stand-ins/);
  expect(describeEngines(builtIn, { keepsUp: false })).toMatch(
    /^The voices here run on this machine. Most are simple stand-ins; the natural ones/,
  );
  expect(describeEngines(builtIn, { keepsUp: true })).toMatch(/^The voices here run on this machine. They know only English/);
  expect(describeEngines({ ...builtIn, transcription: true }, { keepsUp: true })).toMatch(/For other languages, set LOCAL_SPEECH_URL/);
  expect(describeEngines({ speech: true, transcription: true }, null)).toBeUndefined();
});

test('news is told once, by the first page that is opened', async () => {
  let told = 0;
  const discord = await startLocalDiscord({ news: { text: 'There is something new.', onTold: () => told++ } });
  onTestFinished(() => discord.close());
  const newsOf = async () => (await (await openPage(discord.pageUrl())).call('hello', {})).introduction.news;
  expect(told).toBe(0);
  expect(await newsOf()).toBe('There is something new.');
  expect(await newsOf()).toBeNull();
  expect(told).toBe(1);
});
