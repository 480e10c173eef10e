// How fast this machine is with natural voices: a clause tells roughly and at once; two texts, spoken with the lowest priority, tell exactly.
import { EngineError, type EngineModule, type NaturalSpeed, type SpeakRequest, type Synthesiser } from './engine.ts';
import { createSynthesis, NATURAL_PROCESS } from './synthesis.ts';

/** Seconds until the first sound, in which a voice keeps up. */
const MAX_FIRST_SECONDS = 1;
/** How much longer than measured everything may take. */
const SPARE = 1.2;
/** Times that each text is spoken: the quickest counts, since other programs may have been busy meanwhile. */
const ROUNDS = 2;
/** Hz: Kokoro's own. */
const RATE = 24_000;
/** Its first clause is as long as one can be, so no text's first sound comes later. */
const OPENING = 'The old road along the river leads past a mill and a church.';
/** Its first clause is as short as one can be, so no text's next sound is more urgent. About seventeen seconds. */
const TEXT =
  'In the winter, the north wind and the sun were arguing about which of them was the stronger, when a traveller came along, wrapped in a warm cloak. They agreed that whoever first made the traveller take off the cloak should be considered stronger than the other. Then the north wind blew as hard as it could.';

/** About two seconds. */
const CLAUSE = 'This is how a natural voice sounds.';
/** Seconds for a second of the clause, up to which a text keeps up: the first clause of a text may be twice as long. */
const CLAUSE_KEEPS_UP = 0.25;

interface MeasureOptions {
  /** The file of the natural voices' `Synthesiser`. */
  engine: URL;
  /** The base of one of its voices. */
  voice: string;
  signal: AbortSignal;
  /** Milliseconds, of a clock that never goes back; defaults to `performance.now`. */
  now?: () => number;
}

/** @throws EngineError */
export async function measureNaturalSpeed({ engine, voice, signal, now = () => performance.now() }: MeasureOptions): Promise<NaturalSpeed> {
  await checkEngine(engine);
  const synthesis = createSynthesis({ ...NATURAL_PROCESS, engine, isBackground: true });
  const time = (text: string) => timeParts(text, { speak: synthesis.speak, voice, signal, now });
  try {
    // Loads the engine.
    await time('Ready.');
    const speeds: NaturalSpeed[] = [];
    for (let round = 0; round < ROUNDS; round++) speeds.push(toSpeed(await time(OPENING), await time(TEXT)));
    return speeds.reduce((best, one) => (one.realTimeFactor < best.realTimeFactor ? one : best));
  } finally {
    await synthesis.close();
  }
}

interface ClauseOptions extends Omit<MeasureOptions, 'engine'> {
  speak(request: SpeakRequest): AsyncIterable<Uint8Array>;
}

/** Takes as long as loading the engine and making three seconds of sound. @throws EngineError */
export async function measureClause({ now = () => performance.now(), ...options }: ClauseOptions): Promise<NaturalSpeed> {
  // Loads the engine.
  await timeParts('Ready.', { ...options, now });
  const last = (await timeParts(CLAUSE, { ...options, now })).at(-1);
  if (!last) throw silent();
  const realTimeFactor = last.at / last.ready;
  return { realTimeFactor, keepsUp: realTimeFactor <= CLAUSE_KEEPS_UP };
}

async function timeParts(text: string, { speak, voice, signal, now }: Required<ClauseOptions>): Promise<Part[]> {
  const since = now();
  const parts: Part[] = [];
  let bytes = 0;
  const request = { text, voice: { base: voice }, format: 'pcm', sampleRate: RATE, isDownload: true, signal } as const;
  for await (const { length } of speak(request)) {
    bytes += length;
    parts.push({ at: (now() - since) / 1000, ready: bytes / (2 * RATE) });
  }
  return parts;
}

const silent = () => new EngineError('crashed', 'The natural voices made no sound.');

/** Says whether the engine will load, without loading it. @throws EngineError */
export async function checkEngine(engine: URL): Promise<void> {
  const { check }: EngineModule<Synthesiser> = await import(engine.href);
  await check?.();
}

/** What was ready when: both in seconds, `at` since the text was given, `ready` of sound. */
interface Part {
  at: number;
  ready: number;
}

function toSpeed(opening: readonly Part[], parts: readonly Part[]): NaturalSpeed {
  const [opened, first, last] = [opening[0], parts[0], parts.at(-1)];
  if (!opened || !first || !last) throw silent();
  // Each part must be there before those before it have been heard.
  const isInTime = parts.every(({ at }, index) => index === 0 || at * SPARE <= first.at + (parts[index - 1]?.ready ?? 0));
  return { realTimeFactor: last.at / last.ready, keepsUp: opened.at <= MAX_FIRST_SECONDS && isInTime };
}
