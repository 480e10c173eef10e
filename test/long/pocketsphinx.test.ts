// What the changes to PocketSphinx's code and memory are worth: without them it traps on digital silence, and remembers other recordings.
import { describe, expect, it } from 'vitest';
import { createEngine, createWordDecoder } from '../../src/local/voice-service/engines/pocketsphinx/index.ts';
import { loadSphinxModule, readSphinxWasm } from '../../src/local/voice-service/engines/pocketsphinx/module.ts';
import { saturateTruncations } from '../../src/local/voice-service/engines/pocketsphinx/wasm-truncation.ts';
import { librivoxRecordings, toSamples } from '../helpers/speech.ts';

const WAV_HEADER = 44;
const BYTES_PER_SECOND = 32_000;

/** The first 2 s of each. */
const recordings = librivoxRecordings().map(({ audio }) => toSamples(audio.subarray(WAV_HEADER, WAV_HEADER + 2 * BYTES_PER_SECOND)));
const [first = new Int16Array(), second = new Int16Array()] = recordings;

describe('PocketSphinx', () => {
  it('traps as it is shipped if there is a second of digital silence before the speech, and not once its conversions saturate', async () => {
    const samples = Int16Array.from([...new Int16Array(16_000), ...first]);
    const shipped = createWordDecoder(await loadSphinxModule(readSphinxWasm()));
    expect(() => shipped(samples)).toThrow(/float unrepresentable in integer range/);
    const rewritten = createWordDecoder(await loadSphinxModule(saturateTruncations(readSphinxWasm())));
    expect(rewritten(samples).length).toBeGreaterThan(2);
  });

  it('hears a recording differently after another one as it is shipped, and the same with its running mean restored', async () => {
    const shipped = createWordDecoder(await loadSphinxModule(saturateTruncations(readSphinxWasm())));
    const alone = shipped(first);
    shipped(second);
    expect(shipped(first)).not.toEqual(alone);

    const recogniser = await createEngine();
    const recognise = async (samples: Int16Array) => Array.fromAsync(recogniser.recognise(samples));
    const before = await recognise(first);
    await recognise(second);
    expect(await recognise(first)).toEqual(before);
  });
});
