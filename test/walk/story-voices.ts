// /voices, /voice and Make a voice.
import type { APIMessage } from 'discord.js';
import { recordTones } from '../helpers/tones.ts';
import { type Act, ask, choose, press, shown, submit } from './act.ts';

/** What somebody tells for ten seconds. */
const STORY =
  'The tide was out when we came down to the harbour this morning, and all the little boats lay in the mud. Nobody was about but an old man, who mended his nets and told us that there would be rain.';
const recording = recordTones(STORY);

export async function findVoices(act: Act): Promise<void> {
  await browse(act);
  await makeVoices(act);
}

async function browse(act: Act): Promise<void> {
  const { member: robin, other: sam, step, readFiles } = act;
  let page!: APIMessage;
  await step('/voices', async () => {
    page = await ask(robin, 'voices');
  });
  await step('the next page', () => press(robin, page, 'voices:next:'));
  await step('the page before', () => press(robin, page, 'voices:previous:'));
  await step('/voices with filters', async () => {
    await ask(sam, 'voices', { tag: 'calm', language: 'English', sort: 'created_at' });
    await ask(sam, 'voices', { author: 'Parley studio', title_language: 'de', page: 1 });
    await ask(sam, 'voices', { title: 'sing', all: true });
    await ask(robin, 'voices', { title: 'my', mine: true });
  });
  await step('/voices of oneself, by Sam', () => ask(sam, 'voices', { mine: true }));
  await step('/voices past the end', () => ask(sam, 'voices', { page: 90 }));
  await step('/voices of nothing', () => ask(sam, 'voices', { title: 'nobody at all' }));
  await step('/voices in a language that there is not', () => ask(sam, 'voices', { language: 'Gibberish' }));
  await step('/voices completes', async () => {
    await robin.autocomplete('voices', 'tag', 'ca');
    await robin.autocomplete('voices', 'language', 'e');
    await robin.autocomplete('voices', 'author', '');
    await robin.autocomplete('voices', 'title_language', 'g');
  });
  await step(
    'a voice is heard, as a file',
    async () => void (await readFiles(await shown(await choose(robin, page, 'voices-listen:', 'clara')))),
  );
  await step('a voice is used', async () => {
    page = await ask(sam, 'voices', { title: 'robert' });
    await choose(sam, page, 'voices-use:', 'robert');
  });
  await step('Robin looks at a voice', async () => {
    page = await ask(robin, 'voices', { title: 'clara' });
    await choose(robin, page, 'voices-open:', 'clara');
  });
  await step('its sample, as a file', async () => void (await readFiles(await shown(await press(robin, page, 'voices-hear:')))));
  await step('Robin enters the lounge', () => robin.listen());
  await step('its sample is heard', () => press(robin, page, 'voices-hear:'), { isSample: true });
  await step('another sample', () => choose(robin, page, 'voices-sample:', '1'), { isSample: true });
  for (const choice of ['mine', 'favourite', 'server']) {
    await step(`it becomes ${choice}`, () => press(robin, page, `voices-choose:${choice}`));
    if (choice !== 'favourite') await step(`it is no longer ${choice}`, () => press(robin, page, `voices-choose:${choice}`));
  }
  await step('back', () => press(robin, page, 'voices:back:'));
  await step('it is shown to everybody', async () => {
    const shared = await shown(await press(robin, page, 'voices-share:'));
    await choose(sam, shared, 'voices-use:', 'clara');
  });
  await step('/say completes favourites first', () => robin.autocomplete('say', 'voice', ''));
  await step('Robin leaves', () => robin.leaveVoice());
}

async function makeVoices(act: Act): Promise<void> {
  const { member: robin, other: sam, store, proxy, step, readFiles } = act;
  const file = (who: typeof robin, name = 'reader.wav', bytes: Uint8Array = recording) => who.upload(name, bytes);
  const ready = (who: typeof robin, { id }: APIMessage) =>
    who.sees((message) => message.id === id && JSON.stringify(message.components).includes('"voice-use:'));
  let question!: APIMessage;
  await step('/voice mine of nothing', () => ask(sam, 'voice mine'));
  await step('/voice create completes languages', () => sam.autocomplete('voice create', 'language', 'ger', { title: 'A' }));
  await step('/voice create of what is no recording', () =>
    ask(sam, 'voice create', { title: 'A', recording: file(sam, 'notes.txt', Buffer.from('no sound')) }),
  );
  await step('/voice create', async () => {
    question = await ask(sam, 'voice create', { title: 'The reader', recording: file(sam), language: 'German' });
  });
  await step('it is withdrawn', () => press(sam, question, 'voice-withdraw:'));
  await step('/voice create, with permission, for everybody', async () => {
    question = await ask(robin, 'voice create', {
      title: 'The crowd',
      recording: file(robin),
      second_recording: file(robin),
      third_recording: file(robin),
      share: true,
    });
  });
  await step('it is made', async () => {
    await press(robin, question, 'voice-consent:permission');
    await ready(robin, question);
  });
  await step('/voice create, one’s own', async () => {
    question = await ask(sam, 'voice create', { title: 'The reader', recording: file(sam), language: 'German' });
    await press(sam, question, 'voice-consent:own');
    await ready(sam, question);
  });
  await step('it is heard as a file', async () => void (await readFiles(await shown(await press(sam, question, 'voice-hear:')))));
  await step('both enter the lounge', async () => {
    await robin.listen();
    await sam.listen();
  });
  await step(
    'it is heard',
    async () => {
      await shown(await press(sam, question, 'voice-hear:'));
    },
    { isSample: true },
  );
  await step('it is used', () => press(sam, question, 'voice-use:'));
  await step('/say in it', async () => shown(await sam.run('say', { text: 'In my own voice' })), { isSample: true });
  await step('Robin may not use it', async () => {
    const id =
      (await store.list('own-voice:')).find(([, value]) => JSON.stringify(value).includes('The reader'))?.[0].slice('own-voice:'.length) ??
      '';
    await shown(await robin.run('say', { text: 'In the voice of another', voice: id }));
  });
  await step('making is cancelled', async () => {
    const held = proxy.hold('/model');
    const other = await ask(sam, 'voice create', { title: 'Never', recording: file(sam) });
    await press(sam, other, 'voice-consent:own');
    await held.arrived;
    await press(sam, other, 'voice-cancel:');
    held.release();
  });
  await step('a recording that is too short', async () => {
    const short = await ask(sam, 'voice create', { title: 'Too short', recording: file(sam, 'short.wav', recordTones('Hello')) });
    await press(sam, short, 'voice-consent:own');
    await sam.sees((message) => message.id === short.id && JSON.stringify(message.components).includes('too short'));
  });

  const giveTitle = async (who: typeof robin, message: APIMessage, title: string) =>
    submit(who, await who.runOnMessage('Make a voice', message.id), { title });
  let spoken!: APIMessage;
  await step('Make a voice, of nothing', async () => {
    const message = await sam.write('No recording');
    await shown(await sam.runOnMessage('Make a voice', message.id));
  });
  await step('Make a voice, of one’s own voice message', async () => {
    spoken = await sam.sendVoiceMessage('voice-message.wav', recording, 12);
    question = await shown(await giveTitle(sam, spoken, 'From a message'));
  });
  await step('it is made, too', async () => {
    await press(sam, question, 'voice-consent:own');
    await ready(sam, question);
  });
  const asked = (title: string) =>
    sam.sees(
      (message) => JSON.stringify(message.components).includes(title) && JSON.stringify(message.components).includes('voice-agree:'),
    );
  await step('Make a voice, of somebody else’s', async () => {
    await giveTitle(robin, spoken, 'Sam as a voice');
    question = await asked('Sam as a voice');
  });
  await step('Robin can not agree', () => press(robin, question, 'voice-agree:'));
  await step('Sam refuses', () => press(sam, question, 'voice-refuse:'));
  await step('Robin takes it back', async () => {
    await giveTitle(robin, spoken, 'Sam once more');
    await press(robin, await asked('Sam once more'), 'voice-refuse:');
  });
  await step('Sam agrees', async () => {
    await giveTitle(robin, spoken, 'Sam at last');
    question = await asked('Sam at last');
    await press(sam, question, 'voice-agree:');
    await ready(robin, question);
  });
  await step('its buttons are Robin’s', async () => {
    await press(sam, question, 'voice-use:');
    await press(robin, question, 'voice-use:');
  });

  let mine!: APIMessage;
  await step('/voice mine', async () => {
    mine = await ask(sam, 'voice mine');
  });
  await step('it is shared', () => press(sam, mine, 'voice-mine:share:'));
  await step(
    'Robin uses it',
    async () => {
      await shown(await robin.run('say', { text: 'In a shared voice', voice: 'The reader' }));
    },
    { isSample: true },
  );
  await step('it is shared no more', () => press(sam, mine, 'voice-mine:unshare:'));
  await step('it is used and given up', async () => {
    await press(sam, mine, 'voice-mine:drop:');
    await press(sam, mine, 'voice-mine:use:');
  });
  await step('it is renamed', async () => {
    const form = await press(sam, mine, 'voice-mine:edit:');
    await submit(sam, form, { title: 'The storyteller', description: 'Tells of the sea' });
  });
  await step('it is deleted, or not', async () => {
    await press(sam, mine, 'voice-mine:delete:');
    await press(sam, mine, 'voice-mine:list:');
  });
  await step('it is deleted', async () => {
    await press(sam, mine, 'voice-mine:delete:');
    await press(sam, mine, 'voice-mine:delete-now:');
  });
  await step('/voice mine in direct messages', async () => ask(await sam.inDm(), 'voice mine'));
  await step('all leave', async () => {
    await sam.leaveVoice();
    await robin.leaveVoice();
  });
}
