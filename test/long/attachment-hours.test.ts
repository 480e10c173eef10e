// Hours of sound in small files, decoded and through /transcribe: refused, in bounded memory.
import { afterAll, expect, it } from 'vitest';
import { createOggMuxer } from '../../src/audio/ogg/muxer.ts';
import { createDecoder } from '../../src/local/voice-service/engines/decode/decoder.ts';
import { useParley } from '../helpers/parley.ts';
import { harmfulRecording, silentMp3 } from '../helpers/recordings.ts';

/** An hour of decoded sound takes 115; the rest is allowance for a busy machine. */
const MEGABYTES = 400;

const none = { member: Number.POSITIVE_INFINITY, guild: Number.POSITIVE_INFINITY };

// Together they are longer than a member's day.
const parley = useParley({}, { budgets: { speech: none, transcription: none } });

const slow: [name: string, bytes: Uint8Array][] = [
  ['hours.flac', harmfulRecording('hours.flac')],
  ['hours.ogg', harmfulRecording('hours.ogg')],
  ['hour.mp3', silentMp3(3700)],
];

it.each(slow)('a recording of more than an hour is refused: %s', async (name, bytes) => {
  const peak = process.resourceUsage().maxRSS;
  const { member } = parley;
  const interaction = await member.run('transcribe', { audio: member.upload(name, bytes) });
  expect(await interaction.sentence()).toContain('too long for the voice service');
  expect((process.resourceUsage().maxRSS - peak) / 1024).toBeLessThan(MEGABYTES);
});

const decoder = createDecoder({ processes: 1 });
afterAll(() => decoder.close());

/** Silence of so many minutes, in packets of 60 ms. */
function silence(minutes: number): Uint8Array {
  const muxer = createOggMuxer({ sampleRate: 48_000 });
  const packets = Array.from({ length: (minutes * 60) / 0.06 }, () => muxer.packet(Uint8Array.of(0x18), 2880));
  return new Uint8Array(Buffer.concat([muxer.head(), ...packets]));
}

it('a recording is rejected if it packs more than an hour into few bytes', async () => {
  await expect(decoder.decode(silence(60.1))).rejects.toMatchObject({ kind: 'too-long' });
});

it('a recording is accepted if it lasts 59 minutes', async () => {
  expect((await decoder.decode(silence(59))).seconds / 60).toBeCloseTo(59, 2);
});
