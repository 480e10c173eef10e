// Whether there are natural voices here: once it is known how fast this machine is with them, which is measured in the background and kept
// until the machine or the runtime is another.
import { readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { availableParallelism, cpus, freemem, loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { z } from 'zod';
import { BUILT_IN, checkEngine, EngineError, KOKORO_DEFAULT, measureNaturalSpeed, type NaturalSpeed } from './engines/index.ts';

/** With less, they would take the memory from everything else. */
const MIN_FREE_BYTES = 2 * 1024 ** 3;
/** Long enough for the first things that are tried after a start to be over. */
const WAIT_MS = 60_000;
/** While other programs keep more than half of the processors busy, it is put off by as long again, this many times at most. */
const MAX_WAITS = 30;

export interface NaturalVoices extends NaturalSpeed {
  /** Members haven't been told yet. */
  areNew: boolean;
}

interface Options {
  /** The service's own folder. */
  dir: string;
  log?: Logger | undefined;
  /** The file of their engine; defaults to Kokoro's. */
  engine?: URL;
  /** What their speed depends on; defaults to this machine and the ONNX Runtime. */
  machine?: string;
  /** Bytes of memory that are free; defaults to those that this process can have. */
  freeBytes?: number;
}

const keptSpeed = z.object({ machine: z.string(), realTimeFactor: z.number().positive(), keepsUp: z.boolean(), areNew: z.boolean() });

const fileIn = (dir: string) => join(dir, 'natural-voices.json');

function describeMachine(): string {
  const { version } = createRequire(import.meta.url)('onnxruntime-node/package.json') as { version: string };
  return [cpus()[0]?.model ?? process.arch, `${availableParallelism()} cores`, `ONNX Runtime ${version}`].join(', ');
}

/** Within the limit of this process, if it has one, other programs may have taken what it could still use. */
function freeMemory(): number {
  return Math.min(process.availableMemory(), freemem());
}

async function readKept(dir: string, machine: string): Promise<NaturalVoices | null> {
  const text = await readFile(fileIn(dir), 'utf8').catch(() => 'null');
  const { data } = keptSpeed.safeParse(parse(text));
  return data?.machine === machine ? data : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function keep(dir: string, machine: string, { realTimeFactor, keepsUp, areNew }: NaturalVoices): Promise<void> {
  const file = fileIn(dir);
  await writeFile(`${file}.part`, JSON.stringify({ machine, realTimeFactor, keepsUp, areNew }), { mode: 0o600 });
  await rename(`${file}.part`, file);
}

/**
 * Natural voices as far as they can be offered: null if their speed isn't known yet, if too little memory is free, or if they can't be
 * loaded, which is logged in a sentence.
 */
export async function findNaturalVoices({
  dir,
  log,
  engine = BUILT_IN.natural,
  machine = describeMachine(),
  freeBytes = freeMemory(),
}: Options): Promise<NaturalVoices | null> {
  const kept = await readKept(dir, machine);
  if (!kept) return null;
  if (freeBytes < MIN_FREE_BYTES) {
    log?.info('voice service: natural voices are left out, because less than 2 GB of memory are free');
    return null;
  }
  try {
    await checkEngine(engine);
    return kept;
  } catch (error) {
    log?.warn(`voice service: ${(error as Error).message}`);
    return null;
  }
}

/** Members have been told of natural voices. */
export async function noteAnnounced({ dir, machine = describeMachine() }: Options): Promise<void> {
  const kept = await readKept(dir, machine);
  if (kept) await keep(dir, machine, { ...kept, areNew: false });
}

interface Measuring {
  signal: AbortSignal;
  waitMs?: number;
  /** Whether other programs would slow it down; defaults to this machine's load, which Windows doesn't know. */
  isBusy?: () => boolean;
}

const isLoaded = () => (loadavg()[0] ?? 0) > availableParallelism() / 2;

/** Measures their speed once, some time after the start; what is measured counts from the next start. Never rejects. */
export async function measureOnce(
  { dir, log, engine = BUILT_IN.natural, machine = describeMachine(), freeBytes = freeMemory() }: Options,
  { signal, waitMs = WAIT_MS, isBusy = isLoaded }: Measuring,
): Promise<void> {
  try {
    if (freeBytes < MIN_FREE_BYTES || (await readKept(dir, machine))) return;
    // At the start, rather than once there is time to measure: whether they are there at all.
    await checkEngine(engine);
    for (let waits = 0; waits === 0 || (waits < MAX_WAITS && isBusy()); waits++) await sleep(waitMs, undefined, { signal, ref: false });
    const speed = await measureNaturalSpeed({ engine, voice: KOKORO_DEFAULT, signal });
    await keep(dir, machine, { ...speed, areNew: true });
    log?.info(
      `voice service: natural voices take ${speed.realTimeFactor.toFixed(2)} s for a second of speech here, and are there from the next start`,
    );
  } catch (error) {
    if (signal.aborted) return;
    if (error instanceof EngineError) log?.warn(`voice service: ${error.message}`);
    else log?.warn({ err: error }, 'voice service: the speed of natural voices could not be measured');
  }
}
