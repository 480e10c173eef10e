// How fast this machine is with natural voices, and so whether they are there: a clause tells roughly as soon as somebody is there, and a
// measurement in idle time tells exactly. That one is kept until the machine or the runtime is another.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { availableParallelism, cpus, freemem, loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { z } from 'zod';
import { writePrivateFile } from '../../store/private-files.ts';
import { parseJson } from '../../text/json.ts';
import { isPrompt } from './default-voices.ts';
import { BUILT_IN, checkEngine, EngineError, type Engines, measureNaturalSpeed, type NaturalSpeed } from './engines/index.ts';

/** With less, they would take the memory from everything else. */
const MIN_FREE_BYTES = 2 * 1024 ** 3;
/** Nobody has asked for anything for so long before it is measured exactly. */
const IDLE_MS = 60_000;
/** It gives way to whoever asks, and to other programs that keep more than half of the processors busy; so many times at most. */
const MAX_TRIES = 30;
/** Milliseconds for the clause, loading included: on a computer that takes longer, natural voices aren't the default anyway. */
const CLAUSE_MS = 60_000;
/** How many clauses are timed, at most, while the machine is busy: other programs slow down even the work that is counted. */
const MAX_CLAUSES = 3;

/** It is tried so often to time a clause, each time that somebody comes or asks: a process that was killed says nothing of the next one. */
const MAX_FAILURES = 3;

/** A clause that was given up. */
const ENDLESS: NaturalSpeed = { realTimeFactor: CLAUSE_MS / 2000, keepsUp: false };

export interface MeasuringOptions {
  /** The file of their engine; defaults to Kokoro's. */
  engine?: URL;
  /** What their speed depends on; defaults to this machine and the ONNX Runtime. */
  machine?: string;
  /** Bytes of memory that are free; defaults to those that this process can have. */
  freeBytes?: number;
  /** Milliseconds of idle time before they are measured exactly. */
  idleMs?: number;
  /** Whether other programs would slow that down; defaults to this machine's load, which Windows doesn't know. */
  isBusy?: () => boolean;
}

const keptSpeed = z.object({
  machine: z.string(),
  realTimeFactor: z.number().positive(),
  keepsUp: z.boolean(),
  /** Whether the processor's work was measured; absent in files of versions that measured by the clock. */
  byWork: z.boolean().default(false),
});

const fileIn = (dir: string) => join(dir, 'natural-voices.json');

function describeMachine(): string {
  const { version } = createRequire(import.meta.url)('onnxruntime-node/package.json') as { version: string };
  return [cpus()[0]?.model ?? process.arch, `${availableParallelism()} cores`, `ONNX Runtime ${version}`].join(', ');
}

/** Within the limit of this process, if it has one, other programs may have taken what it could still use. */
function freeMemory(): number {
  return Math.min(process.availableMemory(), freemem());
}

/** Why there are no natural voices here, in one sentence for the operator; null if there are. */
async function whyAbsent(engine: URL, freeBytes: number): Promise<{ text: string; isFault: boolean } | null> {
  if (freeBytes < MIN_FREE_BYTES)
    return { text: 'Natural voices are left out, because less than 2 GB of memory are free.', isFault: false };
  return checkEngine(engine).then(
    () => null,
    (error: Error) => ({ text: error.message, isFault: true }),
  );
}

/** What a start would find of natural voices now. @param dir the service's own folder */
export async function lookForNaturalVoices(
  dir: string,
  { engine = BUILT_IN.natural, machine = describeMachine(), freeBytes = freeMemory() }: MeasuringOptions = {},
): Promise<{ absence: { text: string; isFault: boolean } | null; speed: NaturalSpeed | null; isPrompt: boolean }> {
  const [absence, speed] = await Promise.all([whyAbsent(engine, freeBytes), readKept(dir, machine)]);
  return { absence, speed, isPrompt: speed !== null && isPrompt(speed) };
}

async function readKept(dir: string, machine: string): Promise<NaturalSpeed | null> {
  const text = await readFile(fileIn(dir), 'utf8').catch(() => 'null');
  const { data } = keptSpeed.safeParse(parseJson(text));
  if (data?.machine !== machine) return null;
  const speed = { realTimeFactor: data.realTimeFactor, keepsUp: data.keepsUp };
  // By the clock, other programs may have made it seem slow, but never fast.
  return data.byWork || isPrompt(speed) ? speed : null;
}

async function keep(dir: string, machine: string, { realTimeFactor, keepsUp }: NaturalSpeed): Promise<void> {
  // `areNew` is for versions that told members of them at the next start.
  await writePrivateFile(fileIn(dir), JSON.stringify({ machine, realTimeFactor, keepsUp, byWork: true, areNew: false }));
}

/** `unknown`: nobody has needed them yet; `absent`: they can't be used here, for a reason that was logged. */
export type NaturalState = 'unknown' | 'measuring' | 'known' | 'absent';

export interface NaturalVoices {
  state(): NaturalState;
  /** Somebody is there: loads them, and times a clause if their speed isn't known. Resolves once it is known. Never rejects. */
  prepare(): Promise<void>;
  /** Somebody has asked for something, so the processor is theirs. */
  giveWay(): void;
  /** Ends what is under way. Never rejects. */
  close(): Promise<void>;
}

interface Following extends MeasuringOptions {
  /** The service's own folder. */
  dir: string;
  log?: Logger | undefined;
  engines: Pick<Engines, 'natural' | 'setNatural' | 'loadNatural' | 'measureClause'>;
  /** Their state, or their speed, is another. */
  onChange?(): void;
}

const isLoaded = () => (loadavg()[0] ?? 0) > availableParallelism() / 2;

/** Keeps the engines' `natural` up to date. What is kept counts at once; else they are measured exactly in idle time. */
export async function followNaturalVoices({
  engines,
  dir,
  log,
  engine = BUILT_IN.natural,
  machine = describeMachine(),
  freeBytes = freeMemory(),
  onChange = () => {},
  idleMs = IDLE_MS,
  isBusy = isLoaded,
}: Following): Promise<NaturalVoices> {
  const closing = new AbortController();
  let state = 'unknown' as NaturalState;
  let failures = 0;
  let clauses = 0;
  /** `roughly`: they seemed too slow, but on a busy machine, so whoever comes next has another clause timed. */
  let isMeasured: 'no' | 'roughly' | 'well' = 'no';
  /** Ends the exact measurement, which begins again later. */
  let interrupt = new AbortController();
  let preparing: Promise<void> | undefined;

  function become(next: NaturalState, speed: NaturalSpeed | null): void {
    state = next;
    engines.setNatural(speed);
    onChange();
  }

  function fail(error: unknown): void {
    if (closing.signal.aborted) return;
    if (error instanceof EngineError) log?.warn(`voice service: ${error.message}`);
    else log?.warn({ err: error }, 'voice service: the speed of natural voices could not be measured');
  }

  async function timeClause(): Promise<void> {
    // Nobody waits for another clause: meanwhile, voices speak that keep up.
    if (isMeasured === 'no') become('measuring', null);
    const tooLong = AbortSignal.timeout(CLAUSE_MS);
    try {
      const speed = await engines
        .measureClause(AbortSignal.any([closing.signal, tooLong]))
        .catch((error: unknown) => (tooLong.aborted ? ENDLESS : Promise.reject(error)));
      // The exact measurement may have been faster.
      if (isMeasured === 'well') return;
      isMeasured = !isPrompt(speed) && isBusy() && ++clauses < MAX_CLAUSES ? 'roughly' : 'well';
      become('known', speed);
      log?.info(`voice service: natural voices take about ${speed.realTimeFactor.toFixed(1)} s for a second of speech here`);
    } catch (error) {
      fail(error);
      failures++;
      isMeasured = 'no';
      become(failures < MAX_FAILURES ? 'unknown' : 'absent', null);
    }
  }

  async function measureInIdleTime(): Promise<void> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const signal = AbortSignal.any([closing.signal, interrupt.signal]);
      try {
        await sleep(idleMs, undefined, { signal, ref: false });
        if (state === 'absent') return;
        if (isBusy()) continue;
        const speed = await measureNaturalSpeed(engine, signal);
        await keep(dir, machine, speed);
        isMeasured = 'well';
        become('known', speed);
        log?.info(`voice service: natural voices take ${speed.realTimeFactor.toFixed(2)} s for a second of speech here`);
        return;
      } catch (error) {
        if (closing.signal.aborted) return;
        // Waiting costs nothing, so it may do so as often as somebody asks.
        if (signal.aborted) tries--;
        else {
          fail(error);
          return;
        }
      }
    }
  }

  const { absence, speed: kept } = await lookForNaturalVoices(dir, { engine, machine, freeBytes });
  if (absence) {
    log?.[absence.isFault ? 'warn' : 'info'](`voice service: ${absence.text}`);
    state = 'absent';
  } else if (kept) {
    isMeasured = 'well';
    become('known', kept);
  }
  const measuring = state === 'unknown' ? measureInIdleTime() : undefined;

  return {
    state: () => state,
    prepare() {
      // Where they would always be late, whoever chooses one loads them: nobody else should pay with half a gigabyte.
      const isWanted = isMeasured !== 'well' || (engines.natural !== null && isPrompt(engines.natural));
      if (state === 'absent' || !isWanted || closing.signal.aborted) return Promise.resolve();
      preparing ??= (isMeasured !== 'well' ? timeClause() : engines.loadNatural(closing.signal).catch(fail)).finally(() => {
        preparing = undefined;
      });
      return preparing;
    },
    giveWay() {
      interrupt.abort();
      interrupt = new AbortController();
    },
    async close() {
      closing.abort();
      await Promise.allSettled([measuring, preparing]);
    },
  };
}
