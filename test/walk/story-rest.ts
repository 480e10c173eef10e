// Help, status, credit and privacy; questions about the cost; German; what happens over a restart, and to servers that are left.
import type { APIMessage } from 'discord.js';
import { readPrices } from '../../src/charging/index.ts';
import { readConfig } from '../../src/config.ts';
import { filesOf } from '../helpers/member.ts';
import { recordTones } from '../helpers/tones.ts';
import { type Act, ask, choose, press, says, shown } from './act.ts';
import { long } from './story-say.ts';

export async function goThroughTheRest(act: Act): Promise<void> {
  const { member: robin, other: sam, discord, lounge, proxy, step, readFiles } = act;
  await step('/help', async () => {
    await ask(robin, 'help');
    await ask(sam, 'help');
  });
  await step('/help in direct messages', async () => ask(await sam.inDm(), 'help'));
  await step('a direct message', async () => {
    const dm = await sam.inDm();
    await dm.write('Hello?');
    await dm.write('Hello??');
  });
  await step('/status', async () => {
    await ask(robin, 'status');
    await ask(sam, 'status');
  });
  await step('Robin enters the lounge', () => robin.listen());
  await step('/say', async () => shown(await robin.run('say', { text: 'Hello there' })));
  await step('/transcribe', async () =>
    (await robin.run('transcribe', { audio: robin.upload('memo.wav', recordTones('Hello there')) })).message(
      (message) => filesOf(message).length > 0,
    ),
  );
  await step('/status in a voice channel', () => ask(robin, 'status'));
  await step('/credit of an operator, who is an admin', () => ask(robin, 'credit'));
  await step('/credit of a member', () => ask(sam, 'credit'));
  await step('/credit in direct messages', async () => ask(await sam.inDm(), 'credit'));

  await step('Sam reads German', () => sam.client.call('set_locale', { locale: 'de' as never }));
  for (const command of ['help', 'status', 'credit', 'privacy', 'queue', 'stop', 'dictionary list', 'voices', 'voice mine', 'read status'])
    await step(`/${command} in German`, () => ask(sam, command));
  await step('/say in German, without a voice channel', () => ask(sam, 'say', { text: 'Hallo' }));
  await step('Sam enters the lounge', () => sam.listen());
  await step('/say in German', async () => {
    await shown(await sam.run('say', { text: 'Hallo zusammen' }));
  });
  await step('Sam leaves', () => sam.leaveVoice());
  await step('Sam reads English again', () => sam.client.call('set_locale', { locale: 'en-US' as never }));

  await step('the bot restarts, and knows what things cost', () =>
    act.restartBot({ prices: readPrices(readConfig({ PRICE_PER_MILLION_BYTES: '5000000', PRICE_PER_HOUR: '3600' })) }),
  );
  await step('/credit with prices', () => ask(robin, 'credit'));
  let question!: APIMessage;
  const dear = `${'Each of these words costs a lot. '.repeat(4)}`.trim();
  await step('/say of something dear', async () => {
    question = await ask(robin, 'say', { text: dear });
  });
  await step('it is confirmed', async () => {
    await press(robin, question, 'say-confirm:');
    await robin.sees((message) => JSON.stringify(message.components).includes('Spoken'));
  });
  await step('/say as a file of something dear', async () => {
    question = await ask(robin, 'say', { text: `${dear} And more.`, send_as: 'file' });
    await press(robin, question, 'say-confirm:');
  });
  await step('/transcribe of something dear', async () => {
    const message = await sam.sendVoiceMessage('voice-message.wav', recordTones('This is dear'), 120);
    question = await shown(await robin.runOnMessage('Transcribe', message.id));
  });
  await step('it is confirmed, too', async () =>
    (await press(robin, question, 'transcribe-agreed:')).message((message) => filesOf(message).length > 0),
  );

  await step('the bot restarts, and no longer knows what things cost', () => act.restartBot({ prices: readPrices(readConfig({})) }));
  await step(
    'one text is spoken, and one waits',
    async () => {
      await says(await robin.run('say', long('when it ends')), 'Speaking now');
      await sam.listen();
      await says(await sam.run('say', { text: 'This waits', channel: lounge }), 'Up next');
    },
    { speaking: true },
  );
  await step('a process is ended in the middle of speech', () => act.restartBot(), { cut: true });
  await step('Sam leaves again', () => sam.leaveVoice());
  await step('a process is ended in the middle of a transcription', async () => {
    const held = proxy.hold('/v1/asr');
    await robin.run('transcribe', { audio: robin.upload('memo.wav', recordTones('Hello there')) });
    await held.arrived;
    await act.restartBot();
    held.release();
  });
  await step(
    'replies that a killed process has left',
    async () => {
      const then = await says(await robin.run('say', long('when it is killed')), 'Speaking now');
      const notes = await act.store.list('reply:');
      await act.restartBot();
      // As they were at that moment.
      for (const [key, value] of notes) await act.store.set(key, value);
      await act.bot().client.rest.patch(`/channels/${then.channel_id}/messages/${then.id}`, { body: { components: then.components } });
      await act.restartBot();
    },
    { cut: true },
  );

  await step('/privacy', async () => {
    question = await ask(robin, 'privacy');
  });
  await step('not to be read', () => press(robin, question, 'privacy:opt-out'));
  await step('to be read', () => press(robin, question, 'privacy:opt-in'));
  await step('the cache is emptied, or not', async () => {
    await press(robin, question, 'privacy:empty');
    await press(robin, question, 'privacy:keep');
  });
  await step('the cache is emptied', async () => {
    await press(robin, question, 'privacy:empty');
    await press(robin, question, 'privacy:empty-now');
  });
  await step('/privacy by Sam', () => ask(sam, 'privacy'));
  await step('everything is deleted', async () => {
    question = await ask(robin, 'privacy');
    await press(robin, question, 'privacy:delete');
    await press(robin, question, 'privacy:delete-now');
  });
  await step('Robin leaves', () => robin.leaveVoice());
  await step('a server is left', async () => discord.removeBot(discord.guildIds[1] ?? ''));
  await step('/say in a server without the bot', async () => {
    const there = robin.inChannel(discord.channelId('general', discord.guildIds[1]));
    await readFiles(await shown(await there.run('say', { text: 'As a guest' })));
    await (await there.run('transcribe', { audio: there.upload('memo.wav', recordTones('As a guest')) })).message(
      (message) => filesOf(message).length > 0,
    );
  });
  await step('and joined again', async () => discord.addBot(discord.guildIds[1] ?? ''));
}

export async function withMoods(act: Act): Promise<void> {
  const { member: robin, step } = act;
  await step('Robin enters the lounge', () => robin.listen());
  let ended!: APIMessage;
  await step('/say with a mood', async () => {
    ended = await shown(await robin.run('say', { text: 'I am so happy', mood: 'happy' }));
  });
  await step('again', async () => shown(await choose(robin, ended, 'say-again:', 'replay')));
}

export async function withoutCredit(act: Act): Promise<void> {
  const { member: robin, other: sam, step } = act;
  await step('Robin enters the lounge', () => robin.listen());
  await step('/say without credit', () => ask(robin, 'say', { text: 'Hello there' }));
  await step('/say again without credit', () => ask(sam, 'say', { text: 'Hello there', send_as: 'file' }));
  await step('/transcribe without credit', () => ask(robin, 'transcribe', { audio: robin.upload('memo.wav', recordTones('Hello there')) }));
  await step('/credit without credit', () => ask(robin, 'credit'));
  await step('/status without credit', () => ask(robin, 'status'));
  await step('a command of another time', async () => {
    // Too fast: one request in a minute is what members have here.
    await ask(sam, 'voices');
    await ask(sam, 'voices');
  });
}
