// How fast this machine is with natural voices: spoken once, with the lowest priority, and timed.
import { EngineError, type EngineModule, type NaturalSpeed, type Synthesiser } from './engine.ts';
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
  const time = async (text: string) => {
    const since = now();
    const parts: Part[] = [];
    let bytes = 0;
    for await (const { length } of synthesis.speak({ text, voice: { base: voice }, format: 'pcm', sampleRate: RATE, signal })) {
      bytes += length;
      parts.push({ at: (now() - since) / 1000, ready: bytes / (2 * RATE) });
    }
    return parts;
  };
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
  if (!opened || !first || !last) throw new EngineError('crashed', 'The natural voices made no sound.');
  // Each part must be there before those before it have been heard.
  const isInTime = parts.every(({ at }, index) => index === 0 || at * SPARE <= first.at + (parts[index - 1]?.ready ?? 0));
  return { realTimeFactor: last.at / last.ready, keepsUp: opened.at <= MAX_FIRST_SECONDS && isInTime };
}
