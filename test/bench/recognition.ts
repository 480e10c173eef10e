// What the built-in recogniser hears: clean speech and speech as it arrives in practice, sound in which nobody speaks, its speed and memory; and
// which recordings it takes for another language than English.
// npm run bench:recognition [-- --minutes 10] [--json FILE] [--languages]. Of noise, so many minutes in all; with the last, the languages alone.
// The aims count on one idle core.
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { createSpeechEncoder } from '../../src/local/voice-service/engines/encode.ts';
import { createEngines, ESPEAK_VOICES, findEspeak } from '../../src/local/voice-service/engines/index.ts';
import { addNoise, clip, gain, joinSounds, NOISES, throughTelephone } from '../engines/distorted-speech.ts';
import { createRandom } from '../helpers/random.ts';
import { collect, countWordErrors, librivoxRecordings, RATE, toSamples, wavOf, wordsOf } from '../helpers/speech.ts';
import { interval } from './interval.ts';

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    json: { type: 'string' },
    heard: { type: 'boolean', default: false },
    languages: { type: 'boolean', default: false },
  },
});

/** Errors in 100 words. */
const AIMS: Record<string, number> = { clean: 4, 'noise at 10 dB': 10 };
/** Each clip with noise of three kinds, so that one unlucky word counts less. */
const NOISES_WITH_SPEECH = ['pink', 'white', 'wind'] as const;

interface Said {
  audio: Uint8Array;
  text: string;
}

const engines = createEngines({ espeak: await findEspeak() });
const hear = async (audio: Uint8Array) => (await engines.transcribe({ audio, timestamps: true })).text;
const clips = librivoxRecordings();

const each = async (change: (speech: Float32Array) => Uint8Array | Promise<Uint8Array>): Promise<Said[]> =>
  Promise.all(clips.map(async ({ text, speech }) => ({ text, audio: await change(speech) })));
const noisy = (decibels: number) =>
  clips.flatMap(({ text, speech }, number) =>
    NOISES_WITH_SPEECH.map((kind) => ({
      text,
      audio: wavOf(addNoise(speech, NOISES[kind](speech.length, createRandom(number + 1)), decibels), RATE),
    })),
  );

const conditions: Record<string, () => Said[] | Promise<Said[]>> = options.languages
  ? {}
  : {
      clean: () => each((speech) => wavOf(speech, RATE)),
      'noise at 10 dB': () => noisy(10),
      'noise at 5 dB': () => noisy(5),
      'telephone bandwidth': () => each(throughTelephone),
      'Opus at 16 kbit/s': () => each(throughOpus),
      'very quiet (-40 dB)': () => each((speech) => wavOf(gain(speech, 0.01), RATE)),
      'clipped (+20 dB)': () => each((speech) => wavOf(clip(gain(speech, 10)), RATE)),
      'three speakers': threeSpeakers,
    };

/** The reader and two of the built-in voices, one after the other, all in one recording. */
async function threeSpeakers(): Promise<Said[]> {
  const lines = [
    'What do you think of that?',
    'I would rather wait until Monday.',
    'She told me about the letter.',
    'Nobody knew where it was.',
  ];
  const parts: { text: string; speech: Float32Array }[] = [];
  for (const [number, { text, speech }] of clips.entries()) {
    parts.push({ text, speech });
    const line = lines[number];
    if (!line) continue;
    const voice = { base: number % 2 === 0 ? 'slt' : 'rms' };
    const spoken = toSamples(await collect(engines.speak({ text: line, voice, format: 'pcm', sampleRate: RATE })));
    parts.push({ text: line, speech: Float32Array.from(spoken, (sample) => sample / 32_768) });
  }
  const audio = wavOf(
    joinSounds(
      parts.map(({ speech }) => speech),
      0.3,
    ),
    RATE,
  );
  return [{ text: parts.map(({ text }) => text).join(' '), audio }];
}

/** Resident memory in MB of the largest process that this one started; 0 where there is no /proc. */
function largestProcess(): number {
  try {
    const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean);
    const sizes = children.map((pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024);
    return Math.max(0, ...sizes);
  } catch {
    return 0;
  }
}

const rows: Record<string, string | number>[] = [];
const begun = performance.now();
await hear(wavOf(clips[1]?.speech ?? new Float32Array(0), RATE));
const firstMs = performance.now() - begun;
let peak = 0;
const watch = setInterval(() => {
  peak = Math.max(peak, largestProcess());
}, 100);

for (const [condition, make] of Object.entries(conditions)) {
  let [errors, words, seconds, took] = [0, 0, 0, 0];
  for (const { audio, text } of await make()) {
    const started = performance.now();
    const heard = await engines.transcribe({ audio, timestamps: true });
    took += (performance.now() - started) / 1000;
    seconds += heard.duration;
    const said = wordsOf(text);
    words += said.length;
    errors += countWordErrors(said, wordsOf(heard.text));
    if (options.heard) console.log(`${condition}: ${heard.text}`);
  }
  const rate = (100 * errors) / words;
  rows.push({
    condition,
    words,
    errors,
    'of 100': Number(rate.toFixed(1)),
    '95 %': interval(errors, words),
    aim: AIMS[condition] === undefined ? '' : `≤ ${AIMS[condition]}: ${rate <= AIMS[condition] ? 'met' : 'missed'}`,
    'of real time': Number((took / seconds).toFixed(3)),
  });
}

const seconds = Number(options.minutes) * 60;
const quiet = options.languages ? [] : ['silence', ...Object.keys(NOISES)];
const falseWords: Record<string, string | number>[] = [];
const countFalse = async (sound: string, audio: Uint8Array, minutes: number) => {
  const heard = await hear(audio).catch((error: Error) => error);
  if (options.heard) console.log(`${sound}: ${heard}`);
  const words = heard instanceof Error ? 'refused' : wordsOf(heard).length;
  const rate = words === 'refused' ? '' : Number((words / minutes).toFixed(2));
  falseWords.push({ sound, minutes: Number(minutes.toFixed(2)), 'false words': words, 'a minute': rate });
};
for (const sound of quiet) {
  const length = Math.round((seconds / quiet.length) * RATE);
  const samples = sound === 'silence' ? new Float32Array(length) : NOISES[sound as keyof typeof NOISES](length, createRandom(7));
  await countFalse(sound, wavOf(samples, RATE), length / RATE / 60);
}
if (!options.languages) await countFalse('music (no aim)', wavOf(music(60 * RATE, createRandom(7)), RATE), 1);

const languages: Record<string, Record<string, number>> = {};
const judge = async (spoken: string, audio: Uint8Array) => {
  const outcome = await engines.transcribe({ audio, timestamps: false }).then(
    ({ text, doubtful }) => (doubtful ? 'marked' : text === '' ? 'no words' : 'heard'),
    ({ kind }: { kind: string }) => kind,
  );
  languages[spoken] ??= {};
  languages[spoken][outcome] = (languages[spoken][outcome] ?? 0) + 1;
};
for (const [base, { language }] of engines.espeak ? Object.entries(ESPEAK_VOICES) : [])
  for (const text of longestSentences(language)) await judge(language, await read(text, base, 0.9));
const english: Record<string, (speech: Float32Array, number: number) => Uint8Array | Promise<Uint8Array>> = {
  clean: (speech) => wavOf(speech, RATE),
  'noise at 5 dB': (speech, number) => wavOf(addNoise(speech, NOISES.pink(speech.length, createRandom(number)), 5), RATE),
  'telephone bandwidth': throughTelephone,
  'Opus at 16 kbit/s': throughOpus,
};
const spoken = await Promise.all(
  ['slt', 'rms', 'awb', 'kal16'].flatMap((base) => longestSentences('en').map(async (text) => toSound(await read(text, base, 1)))),
);
for (const [condition, change] of Object.entries(english))
  for (const [number, speech] of [...clips.map((one) => one.speech), ...spoken].entries())
    await judge(`en, ${condition}`, await change(speech, number));

clearInterval(watch);
await engines.close();
const use = { 'memory of the recogniser, at most, MB': Math.round(peak), 'first clip after the start, ms': Math.round(firstMs) };
console.log('Words wrong, with 95 % intervals');
console.table(rows);
console.log('Words where nobody speaks; the aim is none in ten minutes');
console.table(falseWords);
console.log(
  'Recordings by what becomes of them, by espeak-ng, and in English by the reader and by Flite; English is never to be foreign-speech',
);
console.table(languages);
console.table([use]);
if (options.json) await writeFile(options.json, JSON.stringify({ rows, falseWords, languages, use }, null, 2));

/** Three sentences of Parley's own in a language: those that take longest to read. */
function longestSentences(language: string): string[] {
  const sentences: unknown[] = Object.values(
    JSON.parse(readFileSync(new URL(`../../src/locales/${language}.json`, import.meta.url), 'utf8')),
  );
  return sentences
    .filter((sentence): sentence is string => typeof sentence === 'string' && !/[{}`*/<#_\n]/.test(sentence))
    .sort((one, other) => other.length - one.length)
    .slice(0, 3);
}

function read(text: string, base: string, speed: number): Promise<Uint8Array> {
  return collect(engines.speak({ text, voice: { base }, format: 'wav', sampleRate: RATE, speed }));
}

/** The samples after a header of 44 bytes. */
function toSound(wav: Uint8Array): Float32Array {
  return Float32Array.from(toSamples(wav.subarray(44)), (sample) => sample / 32_768);
}

/** Chords of a plucked string with a melody above them. */
function music(length: number, random: () => number): Float32Array {
  const sound = new Float32Array(length);
  const scale = [0, 2, 4, 5, 7, 9, 11, 12];
  const pluck = (start: number, semitones: number, seconds: number) => {
    const pitch = 220 * 2 ** (semitones / 12);
    for (let i = 0; i < seconds * RATE && start + i < length; i++) {
      let value = 0;
      for (let harmonic = 1; harmonic <= 6; harmonic++) value += Math.sin((2 * Math.PI * pitch * harmonic * i) / RATE) / harmonic ** 1.5;
      sound[start + i] = (sound[start + i] as number) + 0.05 * Math.min(1, i / 80) * Math.exp(-i / (0.35 * seconds * RATE)) * value;
    }
  };
  for (let beat = 0; beat * 0.4 * RATE < length; beat++) {
    const start = Math.floor(beat * 0.4 * RATE);
    const root = [0, 5, 7, 9][(beat >> 2) % 4] as number;
    if (beat % 4 === 0) for (const third of [-12, 0, 4, 7]) pluck(start, root + third, 1.6);
    pluck(start, 12 + (scale[Math.floor(random() * scale.length)] as number), 0.5);
  }
  return sound;
}

/** Ogg/Opus at 16 kbit/s. */
async function throughOpus(speech: Float32Array): Promise<Uint8Array> {
  const settings = { format: 'opus', sampleRate: 16_000, mp3Bitrate: 64, opusBitrate: 16_000, volumeDb: 0 } as const;
  const encoder = await createSpeechEncoder(settings, RATE);
  const bytes = Buffer.concat([encoder.push(speech), encoder.finish()]);
  encoder.free();
  return new Uint8Array(bytes);
}
