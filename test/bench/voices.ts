// How well the built-in voices read: sentences with numbers, dates, abbreviations and names, recognised by the built-in recogniser; how loud
// and how fast they are, what it costs, and how they are joined.
// npm run bench:voices [-- --keep FOLDER] [--heard] [--json FILE]. The folder keeps the sound for the next run, as long as the text is read alike.
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createResampler } from '../../src/audio/resample/resampler.ts';
import type { Synthesiser } from '../../src/local/voice-service/engines/engine.ts';
import { createEngine as createFlite } from '../../src/local/voice-service/engines/flite/flite.ts';
import { createEngines } from '../../src/local/voice-service/engines/index.ts';
import { toClauses } from '../../src/local/voice-service/engines/kokoro/clauses.ts';
import { createEngine as createKokoro } from '../../src/local/voice-service/engines/kokoro/kokoro.ts';
import { loadDictionary } from '../../src/local/voice-service/engines/kokoro/phones.ts';
import { toKokoro } from '../../src/local/voice-service/engines/kokoro/pronounce.ts';
import { toSpokenText } from '../../src/local/voice-service/engines/kokoro/spoken-text.ts';
import { KOKORO_VOICES, type KokoroVoiceName } from '../../src/local/voice-service/engines/kokoro/voices.ts';
import { joinSounds } from '../engines/distorted-speech.ts';
import { countSpokenErrors, SPOKEN_SENTENCES, spokenWords } from '../engines/spoken-sentences.ts';
import { RATE, wavOf } from '../helpers/speech.ts';
import { interval } from './interval.ts';

const { values: options } = parseArgs({
  options: { keep: { type: 'string' }, json: { type: 'string' }, heard: { type: 'boolean', default: false } },
});

/** Words wrong in a hundred. */
const AIM = 6;
/** Every eighth sentence is the same in both accents. */
const IN_OTHERS = 8;
/** These read all sentences. */
const IN_FULL = ['af_heart', 'am_michael', 'slt'];
const FLITE = ['slt', 'rms'];

interface Spoken {
  /** Synthesised one after another. */
  pieces: Float32Array[];
  cpuSeconds: number;
}

const dictionary = await loadDictionary();
let kokoro: Promise<Synthesiser> | undefined;
let flite: Promise<Synthesiser> | undefined;
const engines = createEngines();

async function speak(voice: string, text: string): Promise<Spoken & { rate: number }> {
  const isFlite = FLITE.includes(voice);
  const rate = isFlite ? 16_000 : 24_000;
  const file = isFlite || options.keep === undefined ? undefined : join(options.keep, keyOf(voice as KokoroVoiceName, text));
  const kept = file && (await readKept(file));
  if (kept) return { ...kept, rate };
  kokoro ??= isFlite ? undefined : createKokoro();
  flite ??= isFlite ? createFlite() : undefined;
  const engine = (await (isFlite ? flite : kokoro)) as Synthesiser;
  const before = process.cpuUsage();
  const pieces = await Array.fromAsync(engine.synthesise(text, { base: voice }, 1, false));
  const { user, system } = process.cpuUsage(before);
  const spoken = { pieces, cpuSeconds: (user + system) / 1e6 };
  if (file) await keep(file, spoken);
  return { ...spoken, rate };
}

function keyOf(voice: KokoroVoiceName, text: string): string {
  const { accent } = KOKORO_VOICES[voice];
  const clauses = toClauses(toSpokenText(text, accent)).map(
    (clause) => `${toKokoro(clause.text, accent, dictionary)} ${clause.pauseSeconds}`,
  );
  return createHash('sha256')
    .update(JSON.stringify([voice, clauses]))
    .digest('hex');
}

async function readKept(file: string): Promise<Spoken | undefined> {
  const header = await readFile(`${file}.json`, 'utf8').catch(() => undefined);
  if (header === undefined) return undefined;
  const { lengths, cpuSeconds } = JSON.parse(header) as { lengths: number[]; cpuSeconds: number };
  const samples = new Float32Array(new Uint8Array(await readFile(`${file}.f32`)).buffer);
  let at = 0;
  return {
    cpuSeconds,
    pieces: lengths.map((length) => {
      at += length;
      return samples.subarray(at - length, at);
    }),
  };
}

async function keep(file: string, { pieces, cpuSeconds }: Spoken): Promise<void> {
  await mkdir(options.keep as string, { recursive: true });
  await writeFile(
    `${file}.f32`,
    Buffer.concat(pieces.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength))),
  );
  await writeFile(`${file}.json`, JSON.stringify({ lengths: pieces.map(({ length }) => length), cpuSeconds }));
}

function toRecognitionRate(sound: Float32Array, rate: number): Float32Array {
  if (rate === RATE) return sound;
  const resampler = createResampler({ from: rate, to: RATE });
  return joinSounds([resampler.push(sound), resampler.flush()], 0);
}

const rows: Record<string, string | number>[] = [];
for (const voice of [...Object.keys(KOKORO_VOICES), ...FLITE]) {
  const sentences: typeof SPOKEN_SENTENCES = IN_FULL.includes(voice)
    ? SPOKEN_SENTENCES
    : SPOKEN_SENTENCES.filter((_, at) => at % IN_OTHERS === 0);
  let [errors, words, seconds, cpuSeconds, jump] = [0, 0, 0, 0, 0];
  const sounds: Float32Array[] = [];
  for (const { text, said } of sentences) {
    const { pieces, cpuSeconds: cpu, rate } = await speak(voice, text);
    const sound = toRecognitionRate(joinSounds(pieces, 0), rate);
    for (const [at, piece] of pieces.entries()) jump = Math.max(jump, Math.abs((piece[0] ?? 0) - (pieces[at - 1]?.at(-1) ?? 0)));
    const { text: heard } = await engines.transcribe({
      audio: wavOf(joinSounds([new Float32Array(0), sound, new Float32Array(0)], 0.3), RATE),
      timestamps: false,
    });
    const wrong = countSpokenErrors(said, heard);
    if (options.heard && wrong > 0) console.log(`${voice}, ${wrong} wrong: ${text}\n  ${heard}`);
    errors += wrong;
    words += spokenWords(said).length;
    seconds += sound.length / RATE;
    cpuSeconds += cpu;
    sounds.push(sound);
  }
  const { levelDb, pitchHz } = await engines.measureVoice(wavOf(joinSounds(sounds, 0.3), RATE));
  const rate = (100 * errors) / words;
  rows.push({
    voice,
    words,
    errors,
    'of 100': Number(rate.toFixed(1)),
    '95 %': interval(errors, words),
    aim: rate <= AIM ? 'met' : 'missed',
    'level, dB': Number(levelDb.toFixed(1)),
    'pitch, Hz': Math.round(pitchHz),
    's a word': Number((seconds / words).toFixed(2)),
    'jump at joints': Number(jump.toFixed(4)),
    'CPU s a second': Number((cpuSeconds / seconds).toFixed(2)),
  });
  console.log(voice, rate.toFixed(1));
}
await engines.close();
console.log(`Words wrong, of sentences with everything that is hard to read; ${availableParallelism()} processors`);
console.table(rows);
if (options.json) await writeFile(options.json, JSON.stringify(rows, null, 2));
