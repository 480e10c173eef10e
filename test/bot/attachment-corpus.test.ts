// Broken recordings and recordings made to do harm, through /transcribe: each is answered, in bounded memory.
import { readFileSync } from 'node:fs';
import type { APIMessage } from 'discord.js';
import { describe, expect, it } from 'vitest';
import { filesOf, isEphemeral, type Member, textOf } from '../helpers/member.ts';
import { useParley } from '../helpers/parley.ts';
import { harmfulRecording } from '../helpers/recordings.ts';
import { recordTones } from '../helpers/tones.ts';

const fixture = (name: string) => new Uint8Array(readFileSync(new URL(`../fixtures/speech/${name}`, import.meta.url)));
const said = 'The tide was out when we came down to the harbour this morning, and all the boats lay in the mud.';
const whole: Record<string, Uint8Array> = {
  ...Object.fromEntries(
    ['road.mp3', 'road.flac', 'road-opus.ogg', 'road-vorbis.ogg', 'road.webm', 'road.m4a'].map((name) => [name, fixture(name)]),
  ),
  'tones.wav': recordTones(said),
};

/** The first part of a recording, every so many bytes of which are changed by one bit. */
function damaged(bytes: Uint8Array, part: number, every: number): Uint8Array {
  const copy = bytes.slice(0, Math.round(bytes.length * part));
  for (let at = every; at < copy.length; at += every) copy[at] = (copy[at] ?? 0) ^ (1 << (at % 8));
  return copy;
}

const broken: [string, Uint8Array][] = [
  ...Object.entries(whole).map(([name, bytes]): [string, Uint8Array] => [`few-bits-of-${name}`, damaged(bytes, 0.1, 997)]),
  ['many-bits-of-road.m4a', damaged(fixture('road.m4a'), 0.1, 31)],
  ['head-of-road.flac', fixture('road.flac').slice(0, 60)],
];

/** The others take seconds to decode; `long/` has them. */
const harmful = [
  ...['four-gigabytes.wav', 'announced.flac', 'announced.m4a', 'announced.webm', 'nested.m4a', 'nested.webm', 'zipped.mp3', 'tag.mp3'],
].map((name): [string, Uint8Array] => [name, harmfulRecording(name)]);

/** The allowed answers: a transcript, that there was no speech, or what is wrong with the file. Never an internal failure. */
const ANSWER = /-# \d+:\d\d\n|I didn’t hear any speech|as audio|can’t read|too long for the voice service/;

const MEGABYTES = 400;

const none = { member: Number.POSITIVE_INFINITY, guild: Number.POSITIVE_INFINITY };

// Together they are longer than a member's day.
const parley = useParley({}, { budgets: { speech: none, transcription: none } });

async function transcribe([name, bytes]: [string, Uint8Array], member = parley.member): Promise<string> {
  const interaction = await member.run('transcribe', { audio: member.upload(name, bytes) });
  const isAnswer = (message: APIMessage) => filesOf(message).length > 0 || (isEphemeral(message) && textOf(message) !== '');
  return textOf(await interaction.message(isAnswer));
}

describe('a recording', () => {
  it('that is broken is transcribed up to the damage, or reported to the member', async () => {
    // One after the other, and two members at a time: none may have all of them under way at once.
    const left = broken.values();
    const askInTurn = async (member: Member) => {
      for (const recording of left) expect(await transcribe(recording, member), recording[0]).toMatch(ANSWER);
    };
    await Promise.all([askInTurn(parley.member), askInTurn(parley.other)]);
    // Only its first tenth is intact.
    expect(await transcribe(['tones.wav', damaged(recordTones(said), 0.1, 997)])).toContain(said.slice(0, 8));
  });

  it.each(harmful)('made to do harm is answered: %s', async (name, bytes) => {
    const peak = process.resourceUsage().maxRSS;
    expect(await transcribe([name, bytes])).toMatch(ANSWER);
    expect((process.resourceUsage().maxRSS - peak) / 1024).toBeLessThan(MEGABYTES);
  });

  it('that is intact is still transcribed afterwards', async () => {
    expect(await transcribe(['tones.wav', recordTones(said)])).toContain(said);
  });
});
