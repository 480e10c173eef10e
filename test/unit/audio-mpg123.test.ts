// MP3 decoders share memories: as many per memory as fit, even if all are opened at once.
import { afterEach, expect, test, vi } from 'vitest';
import { createMp3Framer } from '../../src/audio/containers/mpeg-frames.ts';
import { type Mpg123, openMpg123 } from '../../src/audio/decode/mp3.ts';
import { resourcesInUse } from '../../src/audio/index.ts';
import { mp3Of, rms, tone } from '../helpers/sound.ts';

afterEach(() => {
  vi.restoreAllMocks();
  expect(resourcesInUse()['mp3 decoder']).toBe(0);
});

function decodeAll(decoder: Mpg123, mp3: Uint8Array): Float32Array {
  const sounds = [...createMp3Framer().push(mp3)].map(
    ({ frame, mono }) => decoder.decode(frame, mono)?.mono.slice() ?? new Float32Array(0),
  );
  return Float32Array.from(sounds.flatMap((sound) => [...sound]));
}

test('seventy decoders opened at once fill three memories of 24, and each decodes its own sound', async () => {
  const first = await openMpg123();
  const mp3s = await Promise.all([220, 440, 880].map((hz) => mp3Of([tone(hz, 0.2, 24_000)], 24_000)));
  const alone = mp3s.map((mp3) => rms(decodeAll(first, mp3)));
  const made = vi.spyOn(WebAssembly, 'instantiate');
  const others = await Promise.all(Array.from({ length: 70 }, () => openMpg123()));
  // The first decoder's memory exists already.
  expect(made).toHaveBeenCalledTimes(2);
  others.forEach((decoder, index) => {
    expect(rms(decodeAll(decoder, mp3s[index % 3] as Uint8Array))).toBeCloseTo(alone[index % 3] as number, 3);
  });
  for (const decoder of [first, ...others]) decoder.free();
});
