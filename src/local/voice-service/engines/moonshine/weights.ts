// The files of Moonshine's two English models, which come with an npm package.
import { checkWeights, readWeights, SPEECH_MODEL, type Weights } from '../../../../speech-detection/index.ts';
import type { MoonshineFiles } from './model.ts';

export type MoonshineSize = 'base' | 'tiny';

const inPackage = (path: string, sha256: string): Weights => ({
  package: '@usefulsensors/moonshine-js',
  path: `model/${path}`,
  sha256,
});

/** 8-bit weights, exported by the authors. */
export const MOONSHINE_WEIGHTS: Record<MoonshineSize, Record<keyof MoonshineFiles, Weights>> = {
  base: {
    encoder: inPackage('base/quantized/encoder_model.onnx', '1dd9ab0a7f987113d30affcba5a068d11c8f90fa0223caa3e491ade431ad9751'),
    decoder: inPackage('base/quantized/decoder_model_merged.onnx', 'cc9f3cd6698a369c6008b41aa60aa3fb3322e7f03c9bdf19d8e6b7200afca4f3'),
  },
  tiny: {
    encoder: inPackage('tiny/quantized/encoder_model.onnx', 'c6fc4b7bc5af75c0591fd157a1f3829b533d18e9769a888fd95a62e470dd4f4a'),
    decoder: inPackage('tiny/quantized/decoder_model_merged.onnx', 'eed87831c3a6103534aae7d47a5d485025c659a1323901513961c39fe8a1a367'),
  },
};

/** @throws Error if a file is missing or damaged */
export async function readMoonshine(size: MoonshineSize): Promise<MoonshineFiles> {
  const { encoder, decoder } = MOONSHINE_WEIGHTS[size];
  return { encoder: await readWeights(encoder), decoder: await readWeights(decoder) };
}

/** Looks whether all files are there and undamaged, without loading anything. @throws Error if one is missing or damaged */
export async function checkMoonshine(): Promise<void> {
  const files = Object.values(MOONSHINE_WEIGHTS).flatMap((size) => Object.values(size));
  for (const weights of [SPEECH_MODEL, ...files]) await checkWeights(weights);
}
