// Replies that a process left open when it was killed: the next one corrects them. That the program does so is in long/program-replies.test.ts.
import { type RESTPostAPIChannelMessageResult, Routes } from 'discord.js';
import { describe, expect, it, vi } from 'vitest';
import { readAloudMessage } from '../../commands/read-aloud.ts';
import type { CardMessage } from '../../src/discord/cards.ts';
import { en } from '../../src/locales/index.ts';
import { progressMessage as transcriptProgress } from '../../src/transcription/message.ts';
import { progressMessage as ownVoiceProgress } from '../../src/voice-catalogue/own-voice-views.ts';
import { type Member, textOf, textsOf } from '../helpers/member.ts';
import { openingOf } from '../helpers/openings.ts';
import { useParley } from '../helpers/parley.ts';

const parley = useParley();

type MemberInteraction = Awaited<ReturnType<Member['run']>>;
const says = (interaction: MemberInteraction, what: string) => interaction.message((message) => textOf(message).includes(what));

it('public replies are noted once when they begin and once when they are final, however often they change', async () => {
  const { member, store } = parley;
  const [set, remove] = [vi.spyOn(store, 'set'), vi.spyOn(store, 'delete')];
  const keysOf = (spy: { mock: { calls: unknown[][] } }) =>
    spy.mock.calls.map(([key]) => String(key)).filter((key) => key.startsWith('reply:'));
  await member.listen();
  const first = await member.run('say', { text: 'One two three four five six seven eight nine ten eleven. '.repeat(10) });
  await says(first, en('say.speaking'));
  const second = await member.run('say', { text: 'Me too.' });
  await says(second, en('say.queued', { before: 1 }));
  await member.run('skip');
  await says(second, openingOf('say.spoken'));
  await expect.poll(() => keysOf(remove).sort()).toEqual(keysOf(set).sort());
  expect(keysOf(set)).toHaveLength(2);
  expect(new Set(keysOf(set)).size).toBe(keysOf(set).length);
  expect(await store.list('reply:')).toEqual([]);
  set.mockRestore();
  remove.mockRestore();
});

describe('what a killed process has noted of a reply', () => {
  const job = { tag: 'tag', owner: '1', ownerId: '1' };
  const speaker = { id: '1', name: 'Robin' };
  const status = { accent: 'speaking', sentence: 'Speaking now' } as const;
  const replies: [string, CardMessage, string[]][] = [
    [
      'say',
      readAloudMessage(en, { speaker, authorId: '2', url: 'https://discord.com/channels/1/2/3', status, playbackId: '3-1' }),
      ['**Robin**', '-# Reads <@2>’s [message](https://discord.com/channels/1/2/3) aloud · I restarted before this was finished'],
    ],
    ['transcript', transcriptProgress('memo.wav', 'Transcribing', job, en), ['**memo.wav**', en('transcription.interruptedByRestart')]],
    [
      'own-voice',
      ownVoiceProgress(en, 'Robin’s voice', 'Training', job),
      ['### Robin’s voice', expect.stringContaining(en('ownVoices.create.interrupted'))],
    ],
  ];

  it.each([
    ['says what it is, so it is corrected whatever it looks like', 'general', (kind: string, _: string) => ({ kind })],
    [
      'doesn’t say what it is if an earlier version has noted it, and it is corrected all the same',
      // Discord would let the sixth change in one channel wait.
      'random',
      (_: string, messageId: string) => ({ messageId }),
    ],
  ])('%s', async (_, channel, noteOf) => {
    const { member, discord, store } = parley;
    const channelId = discord.channelId(channel);
    const left = new Map<string, string[]>();
    for (const [kind, { components, flags }, corrected] of replies) {
      const body = { flags, components: components.map((card) => ({ ...card, accent_color: 0x123456 })), allowed_mentions: { parse: [] } };
      const { id } = (await parley.bot().client.rest.post(Routes.channelMessages(channelId), { body })) as RESTPostAPIChannelMessageResult;
      await store.set(`reply:1:${id}`, { ...noteOf(kind, id), channelId, locale: 'en' });
      left.set(id, corrected);
    }
    await parley.restartBot();
    for (const [id, corrected] of left)
      expect(textsOf(await member.sees((message) => message.id === id && textOf(message).includes('restarted')))).toEqual(corrected);
    await expect.poll(() => store.list('reply:')).toEqual([]);
  });
});
