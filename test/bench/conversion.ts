// From a service's bytes to Opus packets, one way after the other: time to the first packet, processor time, memory.
import { ask, endProcess, startProcess } from './processes.ts';
import { type Part, type Row, rowOf } from './rows.ts';
import type { Sounds } from './sounds.ts';
import type { WayFigures, WayTask } from './way-process.ts';
import { USUAL_WAYS, type UsualWay, type WayName } from './ways.ts';

export interface Bench {
  sounds: Sounds;
  /** The usual ways that are available on this machine. */
  usual: readonly UsualWay[];
  progress(what: string): void;
}

type Usual = Partial<Record<UsualWay, number[]>>;

export async function benchFirstFrame(bench: Bench): Promise<Row[]> {
  const rows: Row[] = [];
  for (const task of ['first frame, at once', 'first frame, trickling'] as const) {
    const usual = await measureUsual(bench, task, 12);
    const isTrickling = task === 'first frame, trickling';
    const figure = isTrickling ? 'first frame, 4 KB each 50 ms' : 'first frame, input at once';
    const aim = { times: 20 };
    rows.push(rowOf({ part: 'first', figure, unit: 'ms', parley: await measure(bench, task, 'parley', 30), usual, aim }));
    const opus = await measure(bench, task, 'opus', 30);
    rows.push(rowOf({ part: 'first', figure: `${figure}: Ogg/Opus`, unit: 'ms', parley: opus, usual, aim }));
    if (isTrickling) continue;
    const cached = await measure(bench, task, 'cached', 30);
    rows.push(rowOf({ part: 'first', figure: 'first frame, cached', unit: 'ms', parley: cached, usual, aim }));
  }
  return rows;
}

export async function benchCpu(bench: Bench): Promise<Row[]> {
  const { seconds } = bench.sounds;
  const perSecond = (values: number[]) => values.map((ms) => ms / seconds);
  const measured = await measureUsual(bench, 'cpu', 5);
  const usual = Object.fromEntries(Object.entries(measured).map(([name, values]) => [name, perSecond(values)]));
  const rows: Row[] = [];
  const kinds: [WayName, string, number][] = [
    ['parley', 'MP3', 0.5],
    ['even', 'MP3, loudness evened out', 0.5],
    ['opus', 'Ogg/Opus passed through', 0.05],
    ['cached', 'cached', 0.05],
  ];
  for (const [way, name, share] of kinds) {
    const parley = perSecond(await measure(bench, 'cpu', way, 5));
    rows.push(rowOf({ part: 'cpu', figure: `CPU a second of sound, ${name}`, unit: 'ms', parley, usual, aim: { share } }));
  }
  return rows;
}

export async function benchMemory(bench: Bench): Promise<Row[]> {
  const part: Part = 'memory';
  const usual = await measureUsual(bench, 'memory', 5);
  const rows: Row[] = [];
  for (const [way, name] of [
    ['parley', 'MP3'],
    ['opus', 'Ogg/Opus'],
  ] as const) {
    const parley = await measure(bench, 'memory', way, 5);
    if (parley.length === 0) {
      bench.progress('memory: left out, since the system does not report it (no /proc)');
      return [];
    }
    rows.push(rowOf({ part, figure: `memory a stream at 50 streams, ${name}`, unit: 'MB', parley, usual, aim: { share: 0.15 } }));
  }
  return rows;
}

async function measureUsual(bench: Bench, task: WayTask['task'], rounds: number): Promise<Usual> {
  const usual: Usual = {};
  for (const way of USUAL_WAYS.filter((one) => bench.usual.includes(one))) usual[way] = await measure(bench, task, way, rounds);
  return usual;
}

async function measure(bench: Bench, task: WayTask['task'], way: WayName, rounds: number): Promise<WayFigures> {
  bench.progress(`${task}: ${way}`);
  const child = startProcess('./way-process.ts');
  try {
    const wanted: WayTask = { task, way, sound: way === 'opus' ? bench.sounds.opus : bench.sounds.mp3, rounds };
    return await ask<WayFigures>(child, wanted);
  } finally {
    await endProcess(child);
  }
}
