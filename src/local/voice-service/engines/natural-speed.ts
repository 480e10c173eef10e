// How fast this machine is with natural voices: a clause tells roughly and at once; two texts, spoken with the lowest priority, tell exactly.
// What counts is how long the processor works on them. By the clock, a moment in which other programs are busy, as the browser is that opens
// the page, would be taken for a slow machine: on one, a clause of two seconds that takes two took up to forty.
import { EngineError, type NaturalSpeed } from './engine.ts';
import { checkEngine } from './engine-worker.ts';
import { KOKORO_DEFAULT } from './kokoro/voices.ts';
import { createSynthesis, NATURAL_PROCESS } from './synthesis.ts';

/** Seconds until the first sound, in which a voice keeps up. */
const MAX_FIRST_SECONDS = 1;
/** How much longer than measured everything may take. */
const SPARE = 1.2;
/** Times that each text is spoken: the quickest counts, since other programs share a processor's memory and its cores. */
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

/** @param engine the file of the natural voices' `Synthesiser` @throws EngineError */
export async function measureNaturalSpeed(engine: URL, signal: AbortSignal): Promise<NaturalSpeed> {
  await checkEngine(engine);
  const synthesis = createSynthesis({ ...NATURAL_PROCESS, engine, isBackground: true });
  const time = (text: string) => timeParts(text, synthesis.synthesise, signal);
  try {
    const speeds: NaturalSpeed[] = [];
    for (let round = 0; round < ROUNDS; round++) speeds.push(toSpeed(await time(OPENING), await time(TEXT)));
    return speeds.reduce((best, one) => (one.realTimeFactor < best.realTimeFactor ? one : best));
  } finally {
    await synthesis.close();
  }
}

type Synthesise = ReturnType<typeof createSynthesis>['synthesise'];

/** Takes as long as loading the engine and making two seconds of sound. @throws EngineError */
export async function measureClause(synthesise: Synthesise, signal: AbortSignal): Promise<NaturalSpeed> {
  const last = (await timeParts(CLAUSE, synthesise, signal)).at(-1);
  if (!last) throw silent();
  const realTimeFactor = last.at / last.ready;
  return { realTimeFactor, keepsUp: realTimeFactor <= CLAUSE_KEEPS_UP };
}

async function timeParts(text: string, synthesise: Synthesise, signal: AbortSignal): Promise<Part[]> {
  const parts: Part[] = [];
  const request = { text, voice: { base: KOKORO_DEFAULT }, format: 'pcm', sampleRate: RATE, isDownload: true, signal } as const;
  for await (const { seconds, workSeconds, isTextEnd } of synthesise(request)) {
    if (!isTextEnd && seconds > 0) parts.push({ at: workSeconds, ready: seconds });
  }
  return parts;
}

const silent = () => new EngineError('crashed', 'The natural voices made no sound.');

/** What was ready when: both in seconds, `at` of work on the text, `ready` of sound. */
export interface Part {
  at: number;
  ready: number;
}

/** @param opening of the text whose first clause is the longest @param parts of a long text @throws EngineError if there is no sound */
export function toSpeed(opening: readonly Part[], parts: readonly Part[]): NaturalSpeed {
  const [opened, first, last] = [opening[0], parts[0], parts.at(-1)];
  if (!opened || !first || !last) throw silent();
  // Each part must be there before those before it have been heard.
  const isInTime = parts.every(({ at }, index) => index === 0 || at * SPARE <= first.at + (parts[index - 1]?.ready ?? 0));
  return { realTimeFactor: last.at / last.ready, keepsUp: opened.at <= MAX_FIRST_SECONDS && isInTime };
}
