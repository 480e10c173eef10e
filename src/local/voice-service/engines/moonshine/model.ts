// Moonshine, in ONNX Runtime: what is said in up to half a minute of English speech, with capitals and punctuation.
//
// The encoder turns the samples into states of 24 ms, the decoder those into one token after another, each the likeliest. Models and loop
// are those of https://github.com/usefulsensors/moonshine-js (MIT).
import type { OnnxValue, Tensor } from 'onnxruntime-node';
import { loadRuntime } from '../../../../speech-detection/index.ts';
import { countBeforeLoop, countHeard } from './invented-words.ts';

/** The sizes of its decoder. */
interface Shape {
  layers: number;
  heads: number;
  headSize: number;
}

export const SHAPES = {
  base: { layers: 8, heads: 8, headSize: 52 },
  tiny: { layers: 6, heads: 8, headSize: 36 },
} as const satisfies Record<string, Shape>;

const START_TOKEN = 1;
const END_TOKEN = 2;
/** The authors' limit is 6.5; nobody speaks faster. It ends what would otherwise be repeated without end. */
const TOKENS_PER_SECOND = 6.5;
/** For words that are cut off. */
const EXTRA_TOKENS = 4;

export interface MoonshineModel {
  /** @param samples from -1 to 1, one channel at 16 kHz, at most about 30 s */
  transcribe(samples: Float32Array): Promise<Recognised>;
}

interface Recognised {
  text: string;
  /** How many tokens it chose, its end included, and the sum of the logarithms of their probabilities. */
  tokens: number;
  logProbability: number;
}

export interface MoonshineFiles {
  encoder: Uint8Array;
  decoder: Uint8Array;
}

/** @throws Error if ONNX Runtime is missing for this platform, or the files are none of this model's */
export async function loadMoonshine({ encoder, decoder }: MoonshineFiles, { layers, heads, headSize }: Shape): Promise<MoonshineModel> {
  const { InferenceSession, Tensor } = await loadRuntime();
  const { default: tokenizer } = await import('llama-tokenizer-js');
  // Two threads of one core were no faster, and took twice the processor time.
  const options = { intraOpNumThreads: 1, interOpNumThreads: 1 };
  const encoding = await InferenceSession.create(encoder, options);
  const decoding = await InferenceSession.create(decoder, options);
  const emptyCache: Record<string, Tensor> = {};
  for (let layer = 0; layer < layers; layer++) {
    for (const part of ['decoder', 'encoder']) {
      for (const kind of ['key', 'value']) {
        const empty = new Tensor('float32', new Float32Array(0), [0, heads, 1, headSize]);
        emptyCache[`past_key_values.${layer}.${part}.${kind}`] = empty;
      }
    }
  }

  const decode = (tokens: number[]) => tokenizer.decode(tokens, false, false);

  return {
    async transcribe(samples) {
      const input = new Tensor('float32', samples, [1, samples.length]);
      const states = (await encoding.run({ [encoding.inputNames[0] as string]: input })).last_hidden_state as OnnxValue;
      const limit = Math.ceil((TOKENS_PER_SECOND * samples.length) / 16_000) + EXTRA_TOKENS;
      const tokens: number[] = [];
      /** Natural logarithms of how likely the decoder held each token, and the end. */
      const likelihoods: number[] = [];
      let cache = emptyCache;
      for (let last = START_TOKEN; tokens.length < limit; ) {
        const isFirst = last === START_TOKEN && tokens.length === 0;
        const outputs = await decoding.run({
          ...cache,
          input_ids: new Tensor('int64', BigInt64Array.of(BigInt(last)), [1, 1]),
          encoder_hidden_states: states,
          use_cache_branch: new Tensor('bool', [!isFirst], [1]),
        });
        const logits = (outputs.logits as Tensor).data as Float32Array;
        last = indexOfMaximum(logits);
        likelihoods.push(likelihoodOf(last, logits));
        if (last === END_TOKEN) break;
        tokens.push(last);
        // What the decoder computes of the encoder's states is right in the first step only.
        const present = Object.entries(outputs).filter(([name]) => name !== 'logits' && (isFirst || name.includes('.decoder.')));
        cache = {
          ...cache,
          ...Object.fromEntries(present.map(([name, value]) => [name.replace('present', 'past_key_values'), value as Tensor])),
        };
      }
      const heard = tokens.map((token, at) => ({ text: decode([token]), likelihood: likelihoods[at] as number }));
      const isStopped = tokens.length >= limit;
      const count = isStopped ? countBeforeLoop(heard.map(({ text }) => text)) : countHeard(heard);
      // Each round of a loop is surer than the one before, so only what is kept counts.
      const counted = count < tokens.length ? likelihoods.slice(0, count) : likelihoods;
      return {
        text: decode(tokens.slice(0, count)).trim(),
        tokens: counted.length,
        logProbability: counted.reduce((sum, likelihood) => sum + likelihood, 0),
      };
    },
  };
}

/** The natural logarithm of the probability of the likeliest token. */
function likelihoodOf(best: number, logits: Float32Array): number {
  const highest = logits[best] as number;
  let sum = 0;
  for (const logit of logits) sum += Math.exp(logit - highest);
  return -Math.log(sum);
}

function indexOfMaximum(values: Float32Array): number {
  let best = 0;
  for (let index = 1; index < values.length; index++) if ((values[index] as number) > (values[best] as number)) best = index;
  return best;
}
