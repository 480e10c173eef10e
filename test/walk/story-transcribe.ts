// /transcribe and Transcribe, with what can be done with a transcript.
import type { APIMessage } from 'discord.js';
import { filesOf } from '../helpers/member.ts';
import { silentWav } from '../helpers/speech.ts';
import { recordTones } from '../helpers/tones.ts';
import { type Act, ask, choose, press, shown } from './act.ts';

export async function transcribe(act: Act): Promise<void> {
  const { like, member: robin, other: sam, proxy, step, readFiles } = act;
  const wav = (who: typeof robin, text = 'Hello everybody. This is what was said.', name = 'memo.wav') =>
    who.upload(name, recordTones(text));
  const done = (interaction: Awaited<ReturnType<typeof robin.run>>) => interaction.message((message) => filesOf(message).length > 0);
  const answerTo = ({ id }: APIMessage) => robin.sees((message) => message.message_reference?.message_id === id);
  let transcript!: APIMessage;
  await step('/transcribe', async () => {
    transcript = await done(await robin.run('transcribe', { audio: wav(robin) }));
    await readFiles(transcript);
  });
  for (const format of ['text', 'srt', 'vtt', 'json'])
    await step(
      `its file as ${format}`,
      async () => void (await readFiles(await shown(await choose(sam, transcript, 'transcript-file:menu:', format)))),
    );
  await step('in a language that the service refuses', async () => shown(await choose(robin, transcript, 'transcript-again:', 'de')));
  await step('in a language to be found', async () => done(await choose(robin, transcript, 'transcript-again:', 'auto')));
  await step('Sam may not', () => choose(sam, transcript, 'transcript-again:', 'auto'));
  await step('/transcribe in private, without times, as subtitles, in a language', async () => {
    const audio = wav(robin);
    await readFiles(await done(await robin.run('transcribe', { audio, language: 'en', timestamps: false, format: 'srt', private: true })));
  });
  let question!: APIMessage;
  await step('/transcribe in a language that there is not', async () => {
    question = await ask(robin, 'transcribe', { audio: wav(robin), language: 'fr' });
  });
  // Hosted services take every language, and hear what they hear.
  if (like === 'spec') await step('in another one', async () => done(await choose(robin, question, 'transcribe-in:', 'en')));
  await step('the language is remembered', () => ask(robin, 'transcribe', { audio: wav(robin), language: 'fr' }));
  await step('/transcribe completes languages', () => robin.autocomplete('transcribe', 'language', 'e'));
  await step('/transcribe of silence', async () =>
    done(await robin.run('transcribe', { audio: robin.upload('silence.wav', silentWav(2)) })),
  );
  await step('/transcribe of what is no recording', async () => {
    await ask(robin, 'transcribe', { audio: robin.upload('page.mp3', Buffer.from('<!doctype html>')) });
    await ask(robin, 'transcribe', { audio: robin.upload('empty.wav', new Uint8Array()) });
    await ask(robin, 'transcribe', { audio: robin.upload('damaged.wav', silentWav(2).slice(0, 20)) });
  });
  await step('/transcribe of what is too large', () =>
    ask(robin, 'transcribe', { audio: robin.upload('large.wav', Buffer.concat([silentWav(1), Buffer.alloc(21 * 1024 * 1024)])) }),
  );
  let long!: APIMessage;
  await step('/transcribe of something long', async () => {
    const text = Array.from({ length: 90 }, (_, index) => `This is sentence number ${index}.`).join(' ');
    long = await done(await robin.run('transcribe', { audio: wav(robin, text, 'long.wav') }));
  });
  await step('the next page', () => press(robin, long, 'transcript:next:'));
  await step('the page before', () => press(robin, long, 'transcript:previous:'));
  await step('Sam may not turn it', () => press(sam, long, 'transcript:next:'));
  await step('Transcribe, of several recordings', async () => {
    const message = await sam.send(
      ['one.wav', recordTones('The first one')],
      ['notes.txt', Buffer.from('no sound')],
      ['two.wav', recordTones('The second one')],
      ['bad.wav', Buffer.from('nothing')],
    );
    const interaction = await robin.runOnMessage('Transcribe', message.id);
    await interaction.message((one) => JSON.stringify(one).includes('bad.wav'));
  });
  await step('Transcribe, of a voice message', async () => {
    const message = await sam.sendVoiceMessage('voice-message.wav', recordTones('A message by voice'), 2);
    await done(await robin.runOnMessage('Transcribe', message.id));
  });
  await step('Transcribe, of nothing', async () => {
    const message = await sam.write('Nothing to hear');
    await shown(await robin.runOnMessage('Transcribe', message.id));
  });
  await step('/transcribe, cancelled', async () => {
    const held = proxy.hold('/v1/asr');
    const interaction = await robin.run('transcribe', { audio: wav(robin) });
    await held.arrived;
    const progress = await interaction.message((message) => JSON.stringify(message.components).includes('transcribe-cancel:'));
    await press(sam, progress, 'transcribe-cancel:');
    await press(robin, progress, 'transcribe-cancel:');
    held.release();
  });
  await step('voice messages as they arrive, for those who switch it on', async () => {
    const panel = await ask(robin, 'settings');
    await choose(robin, panel, 'settings:section', 'transcripts');
    await choose(robin, panel, 'settings:transcripts:channels', act.general);
    await press(sam, await robin.sees((message) => JSON.stringify(message).includes('"voice-messages:on"')), 'voice-messages:on');
    await answerTo(await sam.sendVoiceMessage('voice-message.wav', recordTones('A message by voice'), 2));
  });
  await step('voice messages as they arrive, for everybody', async () => {
    const panel = await ask(robin, 'settings');
    await choose(robin, panel, 'settings:section', 'transcripts');
    await choose(robin, panel, 'settings:transcripts:who', 'everyone');
    await choose(robin, panel, 'settings:transcripts:options', ['spoiler', 'files']);
    await choose(robin, panel, 'settings:transcripts:longest', '1');
    await choose(robin, panel, 'settings:transcripts:language', 'en');
    const answer = await answerTo(await robin.send(['note.wav', recordTones('A file with a voice')]));
    await press(robin, answer, 'voice-messages:out:');
    await press(robin, await robin.sees((message) => JSON.stringify(message).includes('"voice-messages:off"')), 'voice-messages:off');
    await choose(robin, panel, 'settings:transcripts:channels', []);
  });
  await step('/transcribe in direct messages', async () => {
    const dm = await sam.inDm();
    await done(await dm.run('transcribe', { audio: wav(dm) }));
  });
}
