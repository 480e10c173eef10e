// What is heard of messages as members of the local Discord write them, each received by discord.js.
import { Events, GatewayIntentBits as Intents, type Message } from 'discord.js';
import { expect, test } from 'vitest';
import { en } from '../../src/locales/index.ts';
import { introduce, readMessage, speakableName } from '../../src/reading/message-text.ts';
import { logIn, openLocalDiscord } from '../helpers/local-discord.ts';
import { memberOf } from '../helpers/member.ts';
import { createWaiter } from '../helpers/waiter.ts';

async function setUp() {
  const discord = await openLocalDiscord({ privilegedIntents: Intents.MessageContent });
  const client = await logIn(discord, { intents: [Intents.Guilds, Intents.GuildMessages, Intents.MessageContent] });
  const received = new Map<string, Message>();
  const { notify, until } = createWaiter();
  client.on(Events.MessageCreate, (message) => {
    received.set(message.id, message);
    notify();
  });
  const join = (name: string) => memberOf(discord, name);

  /** What is said once the message arrives; null if nothing. */
  const said = async ({ id }: { id: string }) => {
    const message = (await until(
      () => received.get(id),
      () => 'the message',
    )) as Message<true>;
    const channelName = (id: string) => message.guild.channels.cache.get(id)?.name;
    const text = await readMessage(message, { t: en, ignorePrefix: '-', maxLength: 500, channelName, readsForwarded: true });
    return text && introduce(speakableName(message.member?.displayName ?? message.author.displayName, en), text, en);
  };
  return { discord, robin: join('Robin'), sam: join('Sam'), said };
}

test('what members send is said by its name, and who sent it by nickname', async () => {
  const { discord, robin, sam, said } = await setUp();
  await sam.setNickname('𝓢𝓪𝓶𝓶𝔂 ✨');
  const song: [string, Uint8Array] = ['song.ogg', new Uint8Array(8)];
  const question = await sam.write(`hey <@${robin.client.userId}>, see <#${discord.channelId('random')}> 🎉🎉`);
  expect(await said(question)).toBe('Sammy says: hey Robin, see random, party popper twice');
  expect(await said(await robin.write('on my way', question))).toBe('Robin to Sammy: on my way');
  expect(await said(await robin.send(song, song))).toBe('Robin sends 2 sounds');
  expect(await said(await sam.sendSticker('Good night'))).toBe('Sammy sends the sticker Good night');
  const poll = await sam.sendPoll({
    question: { text: 'Tea or coffee?' },
    answers: [{ poll_media: { text: 'Tea' } }, { poll_media: { text: 'Coffee' } }],
  });
  expect(await said(poll)).toBe('Sammy sends a poll: Tea or coffee? Tea or Coffee');
  expect(await said(await robin.sendVoiceMessage('voice-message.ogg', new Uint8Array(8), 7))).toBe(
    'Robin sends a voice message of 7 seconds',
  );
  const where = { channel_id: question.channel_id, message_id: question.id, to_channel_id: question.channel_id };
  expect(await said(await robin.client.call('forward_message', where))).toBe(
    'Robin sends a forwarded message: hey Robin, see random, party popper twice',
  );
  expect(await said(await robin.write('- not aloud'))).toBeNull();
  expect(await said(await robin.write('...'))).toBeNull();
});

test('emoji and links are said as words, without what is hidden', async () => {
  const { robin, said } = await setUp();
  const text = await said(await robin.write('**dinner** is ready 🍕 see https://www.example.com/menu?day=7 ||my mother|| `x = 1`'));
  expect(text).toBe('Robin says: dinner is ready, pizza, see a link to example.com spoiler code');
});
