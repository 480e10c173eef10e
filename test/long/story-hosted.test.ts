// The story of every feature, told with a service that has the manners of the hosted ones: members are told of no fault that isn't theirs.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { APIMessage } from 'discord.js';
import { expect, onTestFinished, test } from 'vitest';
import { createSemaphore } from '../../src/async/semaphore.ts';
import { saySpeech } from '../../src/local/discord/member/speech.ts';
import { mannersNames } from '../../src/local/voice-service/manners.ts';
import { en } from '../../src/locales/index.ts';
import type { Messages } from '../../src/locales/messages.ts';
import { readMessages } from '../../src/locales/translator.ts';
import { countHeardPackets } from '../../src/voice-session/hearing.ts';
import { makeFolder } from '../helpers/folder.ts';
import { filesOf, textOf } from '../helpers/member.ts';
import { startParley } from '../helpers/parley.ts';
import { startTestProcess } from '../helpers/program.ts';
import { toPackets } from '../helpers/sound.ts';
import { countWordErrors, librivoxRecordings, toSamples, wordsOf } from '../helpers/speech.ts';
import { builtInEngines, startTestVoiceService } from '../helpers/voice-service.ts';
import { acts } from '../walk/story.ts';

/** Sentences about a service that fails or refuses, and about Parley's own faults. The other errors are part of the story. */
const FAULTS =
  /^errors\.(api|unsupported|forbidden)\.|^errors\.(notVoiceService|brokenOff|unreachable|down|refused|refusedField|maybeCharged|unexpected|storeFailed|discordFailed|discordBusy|badAudio|endlessAudio|brokenAudio)$/;

/** What is told all the same, by the titles of steps. */
const INTENDED: Record<string, string[]> = {
  'a process is ended in the middle of a transcription': ['errors.maybeCharged'],
  '/say without credit': ['errors.api.credit'],
  '/say again without credit': ['errors.api.credit'],
  '/transcribe without credit': ['errors.api.credit'],
  '/status without credit': ['errors.api.credit'],
};

/** What each of these sentences has besides its arguments. */
const sentences = Object.entries(readMessages('en') as Record<keyof Messages, string>)
  .filter(([key]) => FAULTS.test(key))
  .map(([key, sentence]) => ({
    key,
    parts: (sentence.split('\n')[0] ?? '').split(/\{[^}]*\}/).map((part) => JSON.stringify(part).slice(1, -1)),
  }));

/** In each step, the faults that members were told of. */
function findFaults(story: string): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  let step = '';
  for (const line of story.split('\n')) {
    if (line.startsWith('== ')) step = line.slice(3);
    if (!/^(discord|sees) /.test(line)) continue;
    for (const { key, parts } of sentences)
      if (parts.every((part) => line.includes(part)) && !INTENDED[step]?.includes(key))
        found[step] = [...new Set([...(found[step] ?? []), key])];
  }
  return found;
}

/** They mostly wait for what is spoken. */
const ACTS_AT_ONCE = 3;
/** Milliseconds: two minutes on an idle machine. */
const ALL_ACTS = 20 * 60_000;

// A step whose member is shown nothing fails in the program, which names it.
test(
  'every act goes as it goes with a polite service',
  async () => {
    const folder = await makeFolder();
    const options = { cwd: new URL('../../', import.meta.url), env: { ...process.env, LOG_LEVEL: 'silent' } };
    const turns = createSemaphore(ACTS_AT_ONCE);
    const play = async (act: string) => {
      const endTurn = await turns.acquire();
      const file = join(folder, act);
      const { err, ended } = startTestProcess(['test/walk/walk.ts', file, act, '--like', 'hosted'], options);
      const { code } = await ended;
      endTurn();
      expect(code, `The act “${act}” ended early:\n${err.slice(-20).join('\n')}`).toBe(0);
      return findFaults(await readFile(file, 'utf8'));
    };
    const faults = await Promise.all(Object.keys(acts).map(play));
    expect(Object.assign({}, ...faults), 'faults that members were told of, by the steps of the story').toEqual({});
  },
  ALL_ACTS,
);

// Tones, in which the story speaks, aren't speech to whatever looks for speech.
test.each(mannersNames)('captions have the words that are said, in sentences, with the manners of “%s”', async (like) => {
  const service = await startTestVoiceService({ like, engines: builtInEngines() });
  const parley = await startParley({ service: { ...service, isHosted: like === 'hosted' } });
  onTestFinished(async () => {
    await parley.close();
    await service.close();
  });
  const { discord, member: robin } = parley;
  const { audio, text } = librivoxRecordings()[3] as { audio: Uint8Array; text: string };
  const packets = await toPackets(Float32Array.from(toSamples(audio.subarray(44)), (sample) => sample / 32_768));
  await robin.listen();
  const panelPosted = robin.sees((message) => textOf(message).includes('### Captions of'));
  await (await robin.run('captions start')).sentence();
  const panel = await panelPosted;
  expect(await (await robin.click(panel, en('captions.captionButton'))).sentence()).toContain('Done.');
  // What is said while the call's group is being established is lost.
  const begin = () => {
    robin.client.microphone.send(packets[0] as Uint8Array);
    return countHeardPackets().arrived;
  };
  await expect.poll(begin, { interval: 20 }).toBeGreaterThan(countHeardPackets().arrived);
  await saySpeech(robin.client.microphone, packets);
  const lines = () =>
    ((discord.world.messages.get(panel.channel_id) ?? []) as APIMessage[]).flatMap(
      ({ content }) => /^\*\*Robin\*\* (.+)$/m.exec(content)?.[1] ?? [],
    );
  const isSaid = (said: string) => countWordErrors(wordsOf(text), wordsOf(said)) <= wordsOf(text).length / 5;
  await expect.poll(() => lines().join(' '), { timeout: 120_000 }).toSatisfy(isSaid, `has “${text.trim()}”`);
  expect(lines().join(' ')).toMatch(/^\p{Lu}.+[.?!]$/u);
  const transcript = robin.sees((message) => filesOf(message).some(({ name }) => name.endsWith('-transcript.json')));
  await (await robin.run('captions stop')).sentence();
  expect(
    isSaid(
      textOf(await transcript)
        .split('**Robin** ')
        .at(-1) ?? '',
    ),
  ).toBe(true);
});
