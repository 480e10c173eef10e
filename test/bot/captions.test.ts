// Captions of a voice channel, from /captions start to the transcript: who is heard, what members read, and how it ends.
import { type APIMessage, PermissionFlagsBits as P } from 'discord.js';
import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createSettings, type GuildSettings } from '../../src/store/settings.ts';
import { toPackets } from '../helpers/heard-speech.ts';
import { filesOf, labelsOf, type Member, textOf } from '../helpers/member.ts';
import { answerJson } from '../helpers/misbehaving-service.ts';
import { RATE } from '../helpers/sound-conditions.ts';
import { saySpeech } from '../helpers/speaking-member.ts';
import { librivoxRecordings, toSamples } from '../helpers/speech.ts';
import { useTranscribingParley } from '../helpers/transcribing-service.ts';

const { parley, service, logged } = useTranscribingParley({ captionsEmptyMs: 60_000, retries: { attempts: 1 } });

/** A few words of a recording, as a client sends them. */
let words: Uint8Array[];
beforeAll(async () => {
  const [, recording] = librivoxRecordings();
  const samples = Float32Array.from(toSamples((recording as { audio: Uint8Array }).audio.subarray(44)), (sample) => sample / 32_768);
  words = await toPackets(samples.subarray(0, 3 * RATE));
});

let robin: Member;
let sam: Member;
const lounge = () => parley.discord.channelId('Lounge');
const panelOf = (message: APIMessage) => textOf(message).includes('### Captions of');
const captioned = (text: string) => (message: APIMessage) => message.content.includes(text);
/** The service answers with these words from now on. */
const answerWith = (text: string) => service.behave(answerJson(200, { text, duration: 2, segments: [] }));
const say = (member: Member) => saySpeech(member.client.microphone, words, { speed: 4 });
const setCaptions = (captions: Partial<GuildSettings['captions']>) =>
  createSettings(parley.store).changeGuild(parley.discord.guildId, (before) => ({
    ...before,
    captions: { ...before.captions, ...captions },
  }));
const calls = () => service.requests.filter(({ url }) => url === '/v1/asr').length;

/** Robin starts captions in the Lounge, where both are. */
async function start(): Promise<APIMessage> {
  await robin.listen();
  await sam.listen();
  const seen = robin.client.next('MESSAGE_CREATE', (message) => panelOf(message as APIMessage));
  const answer = await (await robin.run('captions start')).sentence();
  expect(answer).toContain('Captions are on: https://discord.com/channels/');
  return (await seen) as APIMessage;
}

async function agree(member: Member, panel: APIMessage): Promise<void> {
  expect(await (await member.click(panel, 'Caption me')).sentence()).toContain('Done.');
}

async function stop(): Promise<void> {
  await (await robin.run('captions stop')).sentence();
}

beforeEach(() => {
  [robin, sam] = [parley.member.inChannel(lounge()), parley.other.inChannel(lounge())];
});
afterEach(async () => {
  if (parley.discord.world.firstGuild.voiceStates.has(parley.discord.application.id)) await (await robin.run('captions stop')).sentence();
  await Promise.all([robin.leaveVoice(), sam.leaveVoice()]);
  await createSettings(parley.store).resetGuild(parley.discord.guildId);
  await parley.store.deleteAll('captions');
});

describe('captions', () => {
  it('are written as they are said by whoever has agreed, and end with a transcript in all formats', async () => {
    const panel = await start();
    await agree(sam, panel);
    answerWith('Well, hello there.');
    const written = robin.sees(captioned('Well, hello there.'));
    await say(sam);
    expect((await written).content).toBe('**Sam** Well, hello there.');
    const ended = robin.sees((message) => textOf(message).includes('turned them off'));
    const transcript = robin.sees((message) => filesOf(message).some(({ name }) => name.endsWith('-transcript.json')));
    await stop();
    await ended;
    const message = await transcript;
    expect(textOf(message)).toContain('**Sam** Well, hello there.');
    expect(labelsOf(message)).toEqual(expect.arrayContaining(['Delete my words']));
    expect(logged.join('\n')).not.toContain('hello');
  });
});
