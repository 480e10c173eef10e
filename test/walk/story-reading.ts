// Messages that are read aloud, and what members do about that.
import { type APIMessage, PermissionFlagsBits as P } from 'discord.js';
import { recordTones } from '../helpers/tones.ts';
import { type Act, ask, choose, press, says, shown, submit } from './act.ts';
import { long } from './story-say.ts';

export async function readAloud(act: Act): Promise<void> {
  const { member: robin, other: sam, discord, general, lounge, proxy, step } = act;
  const here = (who: typeof robin, seconds = 0.5) => recordTones(`${who === robin ? 'Robin' : 'Sam'} ${seconds}`);
  const random = discord.channelId('random');

  await step('/read status of nothing', () => ask(robin, 'read status'));
  await step('/read stop of nothing', () => ask(robin, 'read stop'));
  await step('/read start without a voice channel', () => ask(robin, 'read start'));
  await step('/read start by somebody who may not', async () => {
    await sam.listen();
    await ask(sam, 'read start');
    await sam.leaveVoice();
  });
  await step('Robin enters the lounge', () => robin.listen());
  await step('/read start', () => ask(robin, 'read start'));
  await step('/read start once more', () => ask(robin, 'read start'));
  await step('a message', () => robin.write('Good evening'));
  await step('another one of the same member', () => robin.write('How are you'));
  await step('one of somebody else', () => sam.write('I am fine'));
  await step('two sentences', () => sam.write('This is one. That is another.'));
  await step('a reply', async () => {
    const first = await robin.write('Who is there?');
    await sam.write('Me', first);
  });
  await step('markup, a link, emoji and mentions', () =>
    sam.write(`**Look** at <#${random}>, <@${robin.client.userId}>: \`npm test\` 🎉🎉🎉 https://example.com/page ||secret||`),
  );
  await step('code', () => sam.write('```js\nlet x = 1;\n```'));
  await step('a message that is not to be read', () => sam.write(';not this one'));
  await step('German', () => sam.write('Guten Abend zusammen, ich habe heute leider überhaupt keine Zeit für euch'));
  await step('a sticker', () => sam.sendSticker('Hello'));
  await step('a poll', () =>
    sam.sendPoll({ question: { text: 'Tea or coffee?' }, answers: [{ poll_media: { text: 'Tea' } }, { poll_media: { text: 'Coffee' } }] }),
  );
  await step('files', () =>
    sam.send(['picture.png', Buffer.from('not really')], ['notes.txt', Buffer.from('Buy milk.')], ['sound.wav', here(sam)]),
  );
  await step('a voice message', () => sam.sendVoiceMessage('voice-message.wav', here(sam), 3));
  await step('a forwarded message', async () => {
    const { id, channel_id } = await robin.write('Pass this on');
    await sam.client.call('forward_message', { channel_id, message_id: id, to_channel_id: channel_id });
  });
  await step('a webhook', async () => void discord.writeAsWebhook(general, 'News', 'Something has happened'));
  await step('a nickname', async () => {
    await sam.setNickname('Captain Sam');
    await sam.write('Call me by my name');
    await sam.setNickname(null);
  });
  await step('a thread', async () => {
    const { id } = await robin.client.call('create_thread', { channel_id: general, name: 'Aside' });
    await robin.inChannel(id).write('Not here');
  });
  await step('a message in another channel', () => robin.inChannel(random).write('Nobody reads this'));

  await step(
    'more messages than can be read in time',
    async () => {
      await says(await robin.run('say', long('and then')), 'Speaking now');
      for (const number of [1, 2, 3]) await sam.write(`This is number ${number}`);
      await robin.write('And this is mine');
    },
    { speaking: true },
  );
  await step('/read status while they wait', () => ask(robin, 'read status'), { speaking: true });
  await step(
    '/read stop of all of them',
    async () => {
      // How many were skipped is announced a second and a half after the last one, and comes next once nothing else is waiting.
      const announcement = proxy.hold('/v1/tts');
      await ask(robin, 'read stop');
      await announcement.arrived;
      announcement.release();
    },
    { speaking: true },
  );
  await step('/stop of what is said', () => ask(robin, 'stop'), { cut: true });
  await step('/read start again', () => ask(robin, 'read start'));
  await step('messages may wait for longer', async () => {
    const panel = await ask(robin, 'settings');
    await choose(robin, panel, 'settings:section', 'reading');
    await submit(robin, await press(robin, panel, 'settings:reading-form'), { maxDelay: '30' });
  });
  let waiting!: APIMessage;
  await step(
    'messages wait behind something long',
    async () => {
      await says(await robin.run('say', { ...long('and then'), speed: 1 }), 'Speaking now');
      await sam.write('This one will be deleted');
      waiting = await sam.write('This one will be changed');
      await robin.write('And this one stays');
    },
    { speaking: true },
  );
  await step('/queue lists them', () => ask(robin, 'queue'), { speaking: true });
  await step(
    'one is changed and one is deleted',
    async () => {
      await sam.edit(waiting, 'This one is better now');
      await sam.delete(await sam.sees((message) => message.content === 'This one will be deleted'));
    },
    { speaking: true },
  );
  await step('then they are read', () => ask(robin, 'skip'), { cut: true });
  await step(
    'what is being read is deleted',
    async () => {
      const speaking = robin.client.next('SPEAKING', (event) => event.speaking);
      const message = await sam.write(long('until it is gone').text);
      await speaking;
      await sam.delete(message);
    },
    { cut: true },
  );
  await step(
    '/skip of a message',
    async () => {
      const speaking = robin.client.next('SPEAKING', (event) => event.speaking);
      await robin.write(long('until it is skipped').text);
      await speaking;
      await ask(robin, 'skip');
    },
    { cut: true },
  );

  await step('/read me off', () => ask(sam, 'read me off'));
  await step('nothing of Sam is read', () => sam.write('Nobody hears this'));
  await step('Read this aloud, of somebody who has opted out', async () => {
    const message = await sam.sees(({ content }) => content === 'Nobody hears this');
    await shown(await robin.runOnMessage('Read this aloud', message.id));
  });
  await step('/read me on', () => ask(sam, 'read me on'));

  await step('Stop reading this member', async () => {
    await shown(await robin.runOnMember('Stop reading this member', sam.client.userId));
  });
  await step('nothing of Sam is read or said', async () => {
    await sam.write('Nobody hears this either');
    await ask(sam, 'say', { text: 'Nor this', channel: lounge });
    await ask(sam, 'read me on');
  });
  await step('Stop reading this member, undone', async () => {
    await shown(await robin.runOnMember('Stop reading this member', sam.client.userId));
  });

  await step('/read stop by Sam', async () => ask(sam, 'read stop'));
  await step('/leave sends it away', () => ask(robin, 'leave'));
  await step('nothing is read', () => robin.write('Hello?'));
  await step('/status says why', () => ask(robin, 'status'));
  await step('/read start brings it back', () => ask(robin, 'read start'));
  await step('a moderator disconnects it', async () => discord.moveUser(discord.application.id, null));
  await step('/read status says so', () => ask(robin, 'read status'));
  await step('everybody leaves', () => robin.leaveVoice());
  await step('Robin comes back, and it does, too', () => robin.listen());
  await step('a moderator moves it', async () => discord.moveUser(discord.application.id, act.workshop));
  await step('a message after that', () => robin.write('Where are you?'));
  await step('/read stop', () => ask(robin, 'read stop'));

  let question!: APIMessage;
  const there = robin.inChannel(random);
  await step('/read start of what the bot can not see', async () => {
    discord.setPermissions(random, discord.guildId, { deny: P.ViewChannel });
    await ask(there, 'read start', { voice_channel: lounge });
  });
  await step('/read start where others would hear what they can not see', async () => {
    discord.setPermissions(random, discord.application.id, { allow: P.ViewChannel });
    question = await ask(there, 'read start', { voice_channel: lounge });
  });
  await step('rather not', () => press(there, question, 'read:keep'));
  await step('yes, start', async () => {
    question = await ask(there, 'read start', { voice_channel: lounge });
    await press(there, question, 'read:start');
  });
  await step('a private message', () => there.write('Between us'));
  await step('the channel is read no more', async () => {
    await ask(there, 'read stop');
    for (const id of [discord.guildId, discord.application.id]) discord.setPermissions(random, id, {});
  });

  let aloud!: APIMessage;
  await step('Read this aloud', async () => {
    aloud = await sam.write('Read me, please');
    await shown(await robin.runOnMessage('Read this aloud', aloud.id));
  });
  await step(
    'Read this aloud, stopped',
    async () => {
      const message = await sam.write(long('until it is enough').text);
      const live = await says(await robin.runOnMessage('Read this aloud', message.id), 'Speaking now');
      await press(robin, live, 'say-cancel:');
    },
    { cut: true },
  );
  await step('Read this aloud, of nothing', async () => {
    const message = await sam.write('…');
    await shown(await robin.runOnMessage('Read this aloud', message.id));
  });
  await step('Read this aloud, without a voice channel', async () => {
    await shown(await sam.runOnMessage('Read this aloud', aloud.id));
  });
  await step('Robin leaves', () => robin.leaveVoice());
}
