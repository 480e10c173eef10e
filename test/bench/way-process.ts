// Measures one way in a process of its own, unaffected by the others: time to the first packet, processor time, memory.
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { usedCpuMs, usedMemoryMb } from './processes.ts';
import { readSound } from './sounds.ts';
import { openWay, type Way, type WayName } from './ways.ts';

export interface WayTask {
  task: 'first frame, at once' | 'first frame, trickling' | 'cpu' | 'memory';
  way: WayName;
  /** The file to play. */
  sound: string;
  /** How many values to measure. */
  rounds: number;
}

/** ms; ms of processor time for the whole sound; MB per stream. Empty if the way fails, or the system does not report it. */
export type WayFigures = number[];

const TRICKLE_BYTES = 4096;
const TRICKLE_MS = 50;
const STREAMS = 50;
const FRAME_MS = 20;

process.once('message', async (wanted: WayTask) => {
  const sound = await readSound(wanted.sound);
  const way = await openWay(wanted.way, sound);
  let figures: WayFigures = [];
  try {
    figures = await measure(wanted, way, sound);
  } catch (error) {
    console.error(`        ${wanted.task}: ${wanted.way} cannot do it: ${error}`);
  } finally {
    await way.close();
  }
  // Last, since the receiver ends this process.
  process.send?.(figures);
  process.disconnect();
});

async function measure({ task, rounds }: WayTask, way: Way, sound: Uint8Array): Promise<WayFigures> {
  if (task === 'memory') return measureMemory(way, sound, rounds);
  const figures: number[] = [];
  for (let round = -2; round < rounds; round++) {
    const figure = task === 'cpu' ? await measureCpu(way, sound) : await measureFirstFrame(way, sound, task === 'first frame, trickling');
    if (round >= 0) figures.push(figure);
  }
  return figures;
}

/** Milliseconds from the first bytes to the first packet. */
async function measureFirstFrame(way: Way, sound: Uint8Array, isTrickling: boolean): Promise<number> {
  let begun = 0;
  async function* source(): AsyncGenerator<Uint8Array> {
    await nextTurn();
    begun = performance.now();
    if (!isTrickling) {
      yield sound;
      return;
    }
    for (let at = 0; at < sound.length; at += TRICKLE_BYTES) {
      if (at > 0) await sleep(TRICKLE_MS);
      yield sound.subarray(at, at + TRICKLE_BYTES);
    }
  }
  // Without trickling, all bytes come at once.
  const asked = performance.now();
  let ms = Number.NaN;
  for await (const _packet of way.open(source())) {
    ms = performance.now() - (begun || asked);
    break;
  }
  // Keeps an exiting ffmpeg out of the next measurement.
  await sleep(TRICKLE_MS);
  return ms;
}

/** Milliseconds of processor time for the whole sound. */
async function measureCpu(way: Way, sound: Uint8Array): Promise<number> {
  const before = usedCpuMs();
  let packets = 0;
  for await (const _packet of way.open(inPieces(sound))) packets++;
  if (packets === 0) throw new Error('There was no packet.');
  // Until the system has accounted for ended processes.
  await sleep(50);
  return usedCpuMs() - before;
}

/** Megabytes per stream, for many streams at playback speed. */
async function measureMemory(way: Way, sound: Uint8Array, rounds: number): Promise<number[]> {
  for await (const _packet of way.open(inPieces(sound)));
  globalThis.gc?.();
  const before = usedMemoryMb();
  if (before === null) return [];
  const stop = new AbortController();
  let failure: unknown = null;
  const play = async (index: number) => {
    await sleep(index * FRAME_MS);
    let due = performance.now();
    for await (const _packet of way.open(inPieces(sound))) {
      due += FRAME_MS;
      await sleep(Math.max(0, due - performance.now()));
      if (stop.signal.aborted) return;
    }
  };
  const playing = Array.from({ length: STREAMS }, (_, index) =>
    play(index).catch((error) => {
      failure ??= error;
    }),
  );
  await sleep(STREAMS * FRAME_MS + 2000);
  const figures: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await sleep(500);
    figures.push(((usedMemoryMb() ?? Number.NaN) - before) / STREAMS);
  }
  stop.abort();
  await Promise.all(playing);
  if (failure !== null) throw failure;
  return figures;
}

async function* inPieces(sound: Uint8Array): AsyncGenerator<Uint8Array> {
  const size = 16 * 1024;
  for (let at = 0; at < sound.length; at += size) {
    yield sound.subarray(at, at + size);
    await nextTurn();
  }
}
