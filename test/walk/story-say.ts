// /say with its buttons, and the commands for the queue.
import { type APIMessage, MessageFlags } from 'discord.js';
import { button, row } from '../../src/discord/cards.ts';
import { earlierEditId } from '../../src/say/custom-ids.ts';
import { editId } from '../../src/say/refused-text.ts';
import { detectLanguage } from '../../src/text/language.ts';
import { createMember, type Member, type MemberInteraction } from '../helpers/member.ts';
import { type Act, ask, choose, customIds, latest, press, says, shown, submit } from './act.ts';

/** Half a minute at half the speed, in one piece. */
const LONG =
  'this one is going to take a while because nobody has put a single full stop into it and so it just keeps going and going and going until somebody has had enough of it and presses one of those buttons below it';
const voiceMessageOf = (interaction: Awaited<ReturnType<Member['run']>>) =>
  interaction.message(({ flags }) => ((flags ?? 0) & MessageFlags.IsVoiceMessage) !== 0);
export const long = (end: string) => ({ text: `${LONG} ${end}`, speed: 0.5 });

export async function speak(act: Act): Promise<void> {
  const { member: robin, other: sam, discord, general, lounge, workshop, step, readFiles } = act;
  const third = [...discord.world.users.values()].find(({ id, bot }) => !bot && id !== robin.client.userId && id !== sam.client.userId);
  const alex = createMember(discord.member(third?.username), general, lounge);

  await step('/say without a voice channel', () => ask(sam, 'say', { text: 'Nobody hears me' }));
  await step('Robin enters the lounge', () => robin.listen());
  await step('/say', async () => shown(await robin.run('say', { text: 'Hello there' })));
  await step('/say again, from the cache', async () => shown(await robin.run('say', { text: 'Hello there' })));
  await step('/say in a voice, at a speed', async () => {
    await shown(await robin.run('say', { text: 'In another voice', voice: 'Clara, newsreader', speed: 1.5 }));
  });
  await step('/say in the same voice as before', async () => shown(await robin.run('say', { text: 'Once more', speed: 1 })));
  await step('/say in a voice by its id, which is not known by its title', async () => {
    await shown(await robin.run('say', { text: 'By the id', voice: 'robert-preview' }));
  });
  await step('/say in a voice that there is not', () => ask(robin, 'say', { text: 'In no voice', voice: 'no-such-voice' }));
  await step('/say in a voice that is not trained', () => ask(robin, 'say', { text: 'In no voice', voice: 'grandfather' }));
  await step('/say completes voices', async () => {
    await robin.autocomplete('say', 'voice', '');
    await robin.autocomplete('say', 'voice', 'cla');
    await sam.autocomplete('say', 'voice', 'my');
  });
  await step('/say of several sentences', async () => {
    const text = 'This is the first sentence. Here comes a second one! And is that a third? It is, and it is the last one.';
    await shown(await robin.run('say', { text }));
  });
  await step('/say with what can not be said as it is written', async () => {
    const text = `Hey <@${sam.client.userId}>, look at <#${act.general}>: **bold**, ||hidden||, \`code\`, :tada: 🎉 and https://example.com/page`;
    await shown(await robin.run('say', { text }));
  });
  await step('/say of nothing that can be said', () => ask(robin, 'say', { text: '…' }));
  await step('/say in a channel where nobody is', async () => shown(await robin.run('say', { text: 'Anybody?', channel: workshop })));
  await step('/say as a file', async () => {
    await readFiles(await shown(await robin.run('say', { text: 'On paper', send_as: 'file' })));
  });
  await step('/say as a voice message', async () => {
    await readFiles(await voiceMessageOf(await robin.run('say', { text: 'For later', send_as: 'message' })));
  });
  await step('/say where the bot may not', async () => {
    for (const name of ['Listen only', 'No bots']) await ask(robin, 'say', { text: 'Let me in', channel: discord.channelId(name) });
  });
  await step('/say in a channel that is full', async () => {
    await sam.listen(discord.channelId('Booth for one'));
    await ask(sam, 'say', { text: 'No room' });
    await sam.leaveVoice();
  });
  await step('/say without the bot, in direct messages', async () => {
    const dm = await sam.inDm();
    await readFiles(await voiceMessageOf(await dm.run('say', { text: 'Between us' })));
  });

  await step('back to the lounge', async () => shown(await robin.run('say', { text: 'Back again' })));

  let playing!: APIMessage;
  await step(
    '/say of something long',
    async () => {
      playing = await says(await robin.run('say', long('or not')), 'Speaking now');
    },
    { speaking: true },
  );
  await step(
    '/queue, by both',
    async () => {
      await ask(robin, 'queue');
      await ask(sam, 'queue');
    },
    { speaking: true },
  );
  let waiting!: APIMessage;
  await step(
    'two more wait',
    async () => {
      waiting = await shown(await robin.run('say', { text: 'The next one' }));
      await sam.listen();
      await shown(await sam.run('say', { text: 'And mine' }));
    },
    { speaking: true },
  );
  await step(
    'Sam may neither stop nor skip it',
    async () => {
      await press(sam, playing, 'say-stop:');
      await press(sam, playing, 'say-skip:');
      await ask(sam, 'skip');
    },
    { speaking: true },
  );
  await step('Robin cancels what waits', () => press(robin, waiting, 'say-cancel:'), { speaking: true });
  await step(
    'Robin skips it',
    async () => {
      await press(robin, playing, 'say-skip:');
    },
    { cut: true },
  );
  await step(
    '/say of something long, stopped',
    async () => {
      const live = await says(await robin.run('say', long('again')), 'Speaking now');
      await press(robin, live, 'say-stop:');
      playing = live;
    },
    { cut: true },
  );
  await step('pressed once more, it is over', async () => {
    const ended = await latest(robin, playing);
    await choose(robin, ended, 'say-again:', 'more');
  });
  let ended!: APIMessage;
  await step('/say of something short', async () => {
    ended = await shown(await robin.run('say', { text: 'Say it again, please', speed: 1 }));
  });
  await step('it is said again', async () => shown(await choose(robin, ended, 'say-again:', 'replay')));
  await step('it is saved', async () => void (await readFiles(await shown(await choose(robin, ended, 'say-again:', 'file')))));
  await step('Sam may not', () => choose(sam, ended, 'say-again:', 'replay'));
  await step('more is said', async () => {
    const form = await choose(robin, ended, 'say-again:', 'more');
    await shown(await submit(robin, form, { [fieldOf(await form.modal())]: 'And this is more' }));
  });
  let cut!: APIMessage;
  await step(
    '/say of a text that the reply cuts',
    async () => {
      const text = `*${'So many words that nobody wants to see them all. '.repeat(30)}*`;
      cut = await says(await robin.run('say', { text, voice: 'clara-sprint', speed: 2 }), 'Speaking now');
      await press(robin, cut, 'say-stop:');
    },
    { cut: true },
  );
  await step('its text is shown', () => choose(robin, cut, 'say-again:', 'show'));

  await step(
    'ten texts wait',
    async () => {
      await says(await robin.run('say', long('once more')), 'Speaking now');
      for (let count = 2; count <= 5; count++) await ask(robin, 'say', { text: `My number ${count}` });
      for (let count = 1; count <= 5; count++) await ask(sam, 'say', { text: `The number ${count} of Sam` });
      await alex.listen();
      await ask(alex, 'say', { text: 'Mine, too' });
    },
    { speaking: true },
  );
  await step('a sixth is too many', () => ask(sam, 'say', { text: 'One too many' }), { speaking: true });
  let list!: APIMessage;
  await step(
    '/queue has pages',
    async () => {
      list = await ask(robin, 'queue');
    },
    { speaking: true },
  );
  await step('the next page', () => press(robin, list, 'queue:next:'), { speaking: true });
  await step('the page before', () => press(robin, list, 'queue:previous:'), { speaking: true });
  await step(
    'one is removed',
    async () => press(robin, list, customIds(await latest(robin, list)).findLast((id) => id.startsWith('queue:remove:')) ?? ''),
    { speaking: true, cut: true },
  );
  await step('/stop by Sam ends what is Sam’s', () => ask(sam, 'stop'), { speaking: true, cut: true });
  await step('/stop by Robin ends everything', () => ask(robin, 'stop'), { cut: true });
  await step('Alex leaves', () => alex.leaveVoice());
  await step('/stop, /skip and /queue of nothing', async () => {
    for (const command of ['stop', 'skip', 'queue']) await ask(robin, command);
  });
  await step(
    '/skip',
    async () => {
      await says(await robin.run('say', long('for the last time')), 'Speaking now');
      await ask(robin, 'skip');
    },
    { cut: true },
  );
  await step(
    '/leave is not for those who disturb others',
    async () => {
      await says(await robin.run('say', long('and that was it')), 'Speaking now');
      await ask(sam, 'leave');
    },
    { speaking: true },
  );
  await step('/leave', () => ask(robin, 'leave'), { cut: true });
  await step('/leave once more', () => ask(robin, 'leave'));
  // Hosted voices speak every language.
  if (act.like === 'spec') await speakAnotherLanguage(act, ended);
  await step('both leave', async () => {
    await sam.leaveVoice();
    await robin.leaveVoice();
  });
}

/** @param reply a public one */
async function speakAnotherLanguage({ member: robin, bot, step, readFiles }: Act, reply: APIMessage): Promise<void> {
  const text = 'Guten Morgen, ich wünsche euch allen einen schönen Tag.';
  let refused!: APIMessage;
  const write = async (form: MemberInteraction) => submit(robin, form, { [fieldOf(await form.modal())]: 'Good morning' });
  await step('/say of German in an English voice', async () => {
    // A text doesn't wait for long until its language can be told, which takes a while at first.
    await detectLanguage(text, 'en');
    refused = await ask(robin, 'say', { text, voice: 'clara', send_as: 'file' });
  });
  await step('in that voice all the same', async () => void (await readFiles(await shown(await press(robin, refused, 'say-in:')))));
  await step(
    'an English text instead',
    async () => void (await readFiles(await shown(await write(await press(robin, refused, 'say-edit-to:'))))),
  );
  await step('the same with the button of an earlier version', async () => {
    const id = customIds(await latest(robin, refused)).find((one) => one.startsWith('say-edit-to:')) ?? '';
    const { textKey, options } = editId.read(id) as NonNullable<ReturnType<typeof editId.read>>;
    const components = [row(button('Edit', earlierEditId.write({ textKey, options })))];
    await bot().client.rest.patch(`/channels/${reply.channel_id}/messages/${reply.id}`, { body: { components } });
    await shown(await write(await press(robin, reply, 'say-edit:')));
  });
}

/** The custom id of the first field of a form. */
function fieldOf(modal: { components: unknown[] }): string {
  const [first] = modal.components as { component?: { custom_id: string }; components?: { custom_id: string }[] }[];
  return first?.component?.custom_id ?? first?.components?.[0]?.custom_id ?? '';
}
