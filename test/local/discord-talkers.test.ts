// Other members of the local Discord who talk in a voice channel, started and stopped over a member's client; and a page that speaks.
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { LocalDiscordOptions } from '../../src/local/discord/index.ts';
import { keyOf, logIn, openLocalDiscord, request } from '../helpers/local-discord.ts';
import { numberedFrames } from '../helpers/voice-server.ts';
import { createWaiter } from '../helpers/waiter.ts';

async function setUp(options: LocalDiscordOptions = {}) {
  const said: { text: string; voice: number }[] = [];
  const discord = await openLocalDiscord({
    members: 5,
    talkPauseMs: 20,
    async *speak(text, voice) {
      said.push({ text, voice });
      yield* numberedFrames(5);
    },
    ...options,
  });
  const robin = discord.member('Robin');
  const { notify, until } = createWaiter();
  /** Who is heard speaking now, and the most at a time. */
  const speaking = new Set<string>();
  let most = 0;
  const speakers = new Set<string>();
  robin.onDispatch(({ t, d }) => {
    if (t !== 'SPEAKING') return;
    if (d.speaking) speaking.add(d.user_id);
    else speaking.delete(d.user_id);
    speakers.add(d.user_id);
    most = Math.max(most, speaking.size);
    notify();
  });
  const lounge = discord.channelId('Lounge');
  await robin.call('join_voice', { channel_id: lounge });
  const inVoice = () => [...(discord.world.firstGuild.voiceStates.values() ?? [])].map(({ user_id }) => user_id);
  const ended = () => robin.next('TALKERS_UPDATE', ({ mode }) => mode === null);
  const talk = (mode: 'in turn' | 'at once' | null) => robin.call('set_talkers', { mode });
  const heardAll = (count: number) =>
    until(
      () => speakers.size >= count || undefined,
      () => `${count} speakers`,
    );
  return { discord, robin, lounge, said, inVoice, ended, talk, heardAll, most: () => most, until, notify };
}

test('three members join and talk one after another, each in a voice of their own, and leave when they are told to', async () => {
  const { said, inVoice, ended, talk, heardAll, robin, discord } = await setUp();
  // One who is acted by somebody is left alone.
  const sam = discord.member('Sam');
  await talk('in turn');
  expect(inVoice()).toHaveLength(4);
  expect(inVoice()).not.toContain(sam.userId);
  await heardAll(3);
  expect(new Set(said.map(({ voice }) => voice))).toEqual(new Set([0, 1, 2]));
  expect(new Set(said.map(({ text }) => text)).size).toBe(said.length);
  expect(robin.voiceStats()).toMatchObject({ plaintext: 0, undecryptable: 0, lost: 0 });
  const end = ended();
  await talk(null);
  await end;
  expect(inVoice()).toEqual([robin.userId]);
});

test('they talk all at once when they are told to, without leaving in between', async () => {
  const { inVoice, talk, until, most, discord } = await setUp();
  await talk('in turn');
  const before = inVoice();
  const moves: string[] = [];
  discord.world.onEvent(({ t }) => t === 'VOICE_STATE_UPDATE' && moves.push(t));
  await talk('at once');
  await until(
    () => most() === 3 || undefined,
    () => 'three speakers at once',
  );
  expect(inVoice()).toEqual(before);
  expect(moves).toEqual([]);
});

test.each([
  ['the member leaves', ({ robin }: Awaited<ReturnType<typeof setUp>>) => robin.call('join_voice', { channel_id: null })],
  ['the channel is deleted', async ({ discord, lounge }: Awaited<ReturnType<typeof setUp>>) => discord.deleteChannel(lounge)],
  [
    'a moderator disconnects one of them',
    async ({ discord, robin, inVoice }: Awaited<ReturnType<typeof setUp>>) =>
      discord.moveUser(inVoice().find((id) => id !== robin.userId) ?? '', null, discord.guildId),
  ],
])('they leave when %s', async (_, leave) => {
  const parts = await setUp();
  await parts.talk('in turn');
  const end = parts.ended();
  await leave(parts);
  await end;
  expect(parts.inVoice().filter((id) => id !== parts.robin.userId)).toEqual([]);
});

test('they press the button that they are to press, once in each message, whether it is there before them or comes later', async () => {
  const { discord, lounge, talk, inVoice, robin, until, notify } = await setUp({ talkersPress: 'agree' });
  const client = await logIn(discord);
  const pressed: string[] = [];
  client.on('interactionCreate', (interaction) => {
    if (!interaction.isButton()) return;
    pressed.push(`${interaction.customId} ${interaction.user.id} ${interaction.message.id}`);
    notify();
  });
  const ask = async () => {
    const buttons = ['refuse', 'agree'].map((custom_id) => ({ type: 2, style: 1, label: custom_id, custom_id }));
    return (
      await request(discord, 'POST', `/channels/${lounge}/messages`, { content: '?', components: [{ type: 1, components: buttons }] })
    ).body.id;
  };
  const before = await ask();
  await talk('in turn');
  const later = await ask();
  await talk('at once');
  const talkers = inVoice().filter((id) => id !== robin.userId);
  await until(
    () => pressed.length >= 2 * talkers.length || undefined,
    () => `six presses; there are ${pressed.join(', ')}`,
  );
  expect(pressed.toSorted()).toEqual([before, later].flatMap((id) => talkers.map((talker) => `agree ${talker} ${id}`)).toSorted());
});

test('it says why they cannot talk', async () => {
  const { robin, talk, discord, lounge } = await setUp({
    // biome-ignore lint/correctness/useYield: it fails before that.
    async *speak() {
      throw new Error('no voice');
    },
  });
  const failed = robin.next('TALKERS_UPDATE', ({ mode }) => mode === null);
  await talk('in turn');
  expect((await failed).failure).toBe('The voices of the others don’t work here.');
  discord.setPermissions(lounge, discord.guildId, { deny: 1n << 21n });
  await expect(talk('in turn')).rejects.toThrow('There is nobody else here who could talk in this voice channel.');
  await robin.call('join_voice', { channel_id: null });
  await expect(talk('in turn')).rejects.toThrow('Join a voice channel first.');
});

test('a page’s socket takes Opus packets for what the member says, an empty one for silence, and nothing else', async () => {
  const { discord, robin, lounge } = await setUp();
  const sam = new WebSocket(`${discord.url.replace('http', 'ws')}/member?user=Sam&key=${keyOf(discord)}`);
  const heard: number[] = [];
  const { notify, until } = createWaiter();
  robin.onHeard(({ opus }) => {
    heard.push(opus.length);
    notify();
  });
  await once(sam, 'open');
  sam.send(numberedFrames(1)[0] as Buffer); // in no voice channel yet
  sam.send(JSON.stringify({ id: 1, method: 'join_voice', params: { channel_id: lounge } }));
  await expect.poll(() => robin.voicePrivacyCode(), { interval: 5 }).not.toBe('');
  for (const frame of [...numberedFrames(2), Buffer.alloc(0)]) sam.send(frame);
  await until(
    () => heard.length >= 7 || undefined,
    () => `two packets and silence; there are ${heard.join(', ')}`,
  );
  expect(heard).toEqual([40, 40, 3, 3, 3, 3, 3]);
  const closed = once(sam, 'close');
  sam.send(Buffer.alloc(1277));
  expect((await closed)[0]).toBe(1003);
});
