// Which voice speaks a text if none was chosen: a natural one wherever it begins soon and doesn't break off, else the first voice that keeps up.
// Also loaded by the bot, which names the voice it asks for.
import { within } from '../../async/waiting.ts';
import type { NaturalSpeed } from './engines/engine.ts';
import { estimateClauses } from './engines/kokoro/duration.ts';
import { startSeconds } from './engines/pacing.ts';

/** Seconds from asking to the first sound. */
const MAX_START_SECONDS = 3;
/** Seconds for a second of sound: a clause of two seconds is made within three. */
const SLOWEST = MAX_START_SECONDS / 2;

/** The voices that speak if none is chosen. */
export interface DefaultVoices {
  /** The id of the natural one; null while there is none, where it would always be late, or if Flite is to speak. */
  natural: { id: string; base: string; speed: NaturalSpeed } | null;
  /** The id of the one that keeps up everywhere. */
  standIn: string;
}

/** Whether a natural voice can be the default, for short texts at least. */
export const isPrompt = ({ realTimeFactor }: NaturalSpeed): boolean => realTimeFactor <= SLOWEST;

/** @param speed of the request @returns the id of a voice */
export function chooseDefault({ natural, standIn }: DefaultVoices, text: string, speed = 1): string {
  if (!natural) return standIn;
  if (natural.speed.keepsUp) return natural.id;
  const clauses = estimateClauses(text, natural.base).map((seconds) => seconds / speed);
  return startSeconds(natural.speed, clauses) <= MAX_START_SECONDS ? natural.id : standIn;
}

/** Milliseconds that a text waits, at most, until it is known whether a natural voice speaks it: loading one takes two to four seconds. */
const WAIT_MS = 5_000;

interface Following {
  /** What speaks now; null before that is known. */
  voices(): { defaults: DefaultVoices | null; state: string; slow?: readonly string[] } | null;
  /** Called each time that is another. */
  onVoices(listener: () => void): void;
  /** Milliseconds; defaults to `WAIT_MS`. */
  waitMs?: number;
}

/** What the bot is told of the voices that speak here, now and later. */
export function followVoices({ voices, onVoices }: Following) {
  return { onVoices, slowVoices: () => voices()?.slow ?? [], defaultVoices: followDefaultVoices({ voices, onVoices }) };
}

/** The voice of each text for which none was chosen, as the bot asks for it: see `NamedDefaults`. */
export function followDefaultVoices({ voices, onVoices, waitMs = WAIT_MS }: Following) {
  const isDecided = () => voices()?.state !== 'measuring';
  const waiting: (() => void)[] = [];
  /** A text has waited in vain, and the next one needn't. */
  let takesLong = false;
  onVoices(() => {
    if (!isDecided()) return;
    takesLong = false;
    for (const resolve of waiting.splice(0)) resolve();
  });
  function known({ text, speed }: { text: string; speed?: number }): { id: string | null; isStandIn: boolean } {
    const { defaults = null } = voices() ?? {};
    if (!defaults) return { id: null, isStandIn: false };
    const id = chooseDefault(defaults, text, speed);
    const { natural } = defaults;
    return { id, isStandIn: natural ? natural.id !== id : !isDecided() };
  }
  return {
    known,
    async for(request: Parameters<typeof known>[0]) {
      if (!isDecided() && !takesLong) {
        await within(waitMs, new Promise<void>((resolve) => waiting.push(resolve)));
        takesLong = !isDecided();
      }
      return known(request);
    },
    async replace() {},
    standIn: () => voices()?.defaults?.standIn ?? null,
  };
}
