// Kokoro-82M, in ONNX Runtime: the sound of up to 510 symbols, in one of its voices.
import type { Tensor } from 'onnxruntime-node';
import { loadRuntime } from '../../../../speech-detection/index.ts';
import { MAX_TOKENS } from './symbols.ts';

/** Samples per second. */
export const RATE = 24_000;
/** Numbers in a style. */
const STYLE_SIZE = 256;
/** Before and after the symbols. */
const EDGE_TOKEN = 0;

interface KokoroModel {
  /**
   * @param tokens at most `MAX_TOKENS`
   * @param styles of the voice, see `readStyles`
   * @param speed 1 being the voice's own
   * @returns samples from -1 to 1, one channel at `RATE`
   */
  speak(tokens: readonly number[], styles: Float32Array, speed: number): Promise<Float32Array>;
}

/** @throws Error if ONNX Runtime is missing for this platform, or the file is none of this model's */
export async function loadKokoro(file: Uint8Array, threads: number): Promise<KokoroModel> {
  const { InferenceSession, Tensor } = await loadRuntime();
  const session = await InferenceSession.create(file, { intraOpNumThreads: threads, interOpNumThreads: 1 });
  return {
    async speak(tokens, styles, speed) {
      if (tokens.length > MAX_TOKENS) throw new Error(`${tokens.length} symbols are more than Kokoro takes`);
      // The styles are for 1 to 510 symbols.
      const row = Math.max(0, tokens.length - 1) * STYLE_SIZE;
      const ids = BigInt64Array.from([EDGE_TOKEN, ...tokens, EDGE_TOKEN], BigInt);
      const { waveform } = await session.run({
        input_ids: new Tensor('int64', ids, [1, ids.length]),
        style: new Tensor('float32', styles.slice(row, row + STYLE_SIZE), [1, STYLE_SIZE]),
        speed: new Tensor('float32', Float32Array.of(speed), [1]),
      });
      return (waveform as Tensor).data as Float32Array;
    },
  };
}
