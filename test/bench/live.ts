// A long text over the websocket and over HTTP, by turns, from the local voice service: when its first sound comes, how its sentences join,
// and what it costs this process.
import { setTimeout as sleep } from 'node:timers/promises';
import { createApi } from '../../src/api/index.ts';
import { createSpeech, type SpeechUtterance } from '../../src/synthesis/index.ts';
import { listen } from '../helpers/sound.ts';
import type { Bench } from './conversion.ts';
import { startLocalService } from './local-service.ts';
import { usedCpuMs } from './processes.ts';
import { type Row, rowOf } from './rows.ts';

const WAYS = ['websocket', 'HTTP'] as const;
type Way = (typeof WAYS)[number];

/** Rounds at full speed, and at the pace of a listener, which take as long as the text. */
const ROUNDS = 12;
const PLAYED_ROUNDS = 3;
const FRAME_MS = 20;
const RATE = 48_000;
/** Half a minute in three calls over HTTP. */
const SENTENCES = [
  'A long road lies before us, and we go on.',
  'It will be dark before we come to the first of the houses, so take your lamp with you.',
  'There is nobody who could tell you where the next village is.',
  'The river beside the road is frozen, and the mill has stood still since the autumn.',
  'When the snow is gone, the farmers will drive their sheep up to the high meadows again.',
  'Until then there is little to do but mend the fences, and to wait for better days.',
];
/** What counts as silence: below −50 dB of full scale, for longer than the closure of a consonant. */
const SILENT = 10 ** (-50 / 20);
const MIN_SILENCE = 0.08 * RATE;

interface Measured {
  firstFrameMs: number;
  cpuMsPerSecond: number;
  /** Milliseconds of each silence within the sound. */
  silencesMs: number[];
  /** The largest step from one sample to the next beside a silence, where a click would be, in percent of full scale. */
  step: number;
}

export async function benchLive({ progress }: Bench): Promise<Row[]> {
  progress('live: the local voice service is starting');
  const service = await startLocalService();
  const api = createApi({ baseUrl: service.url, apiKey: service.key });
  let texts = 0;
  /** Each text is new, and so is the choice of the way, which begins with the websocket. */
  const say = (way: Way): SpeechUtterance => {
    const speech = createSpeech({ api, format: 'mp3', streaming: way === 'websocket' });
    return speech.utterance({ text: [`This is text number ${++texts}.`, ...SENTENCES].join(' '), referenceId: 'clara' });
  };
  try {
    const measured: Record<Way, Measured[]> = { websocket: [], HTTP: [] };
    for (let round = -2; round < ROUNDS; round++) {
      progress(`live: round ${round + 3} of ${ROUNDS + 2}`);
      for (const way of inTurn(round)) {
        const figures = await measure(say(way));
        if (round >= 0) measured[way].push(figures);
      }
    }
    const waits: Record<Way, number[]> = { websocket: [], HTTP: [] };
    for (let round = 0; round < PLAYED_ROUNDS; round++) {
      progress(`live: as it is played, round ${round + 1} of ${PLAYED_ROUNDS}`);
      for (const way of inTurn(round)) waits[way].push(await longestWait(say(way)));
    }
    const row = (figure: string, unit: string, valuesOf: (way: Way) => number[]) =>
      rowOf({ part: 'live', figure, unit, parley: valuesOf('websocket'), usual: { 'over HTTP': valuesOf('HTTP') }, aim: null });
    return [
      row('long text over the websocket: first frame', 'ms', (way) => measured[way].map(({ firstFrameMs }) => firstFrameMs)),
      row('long text over the websocket: CPU a second of sound', 'ms', (way) => measured[way].map(({ cpuMsPerSecond }) => cpuMsPerSecond)),
      row('long text over the websocket: each silence', 'ms', (way) => measured[way].flatMap(({ silencesMs }) => silencesMs)),
      row('long text over the websocket: longest silence', 'ms', (way) => measured[way].map(({ silencesMs }) => Math.max(...silencesMs))),
      row('long text over the websocket: largest step at a silence', '%', (way) => measured[way].map(({ step }) => step)),
      row('long text over the websocket: longest wait for a frame', 'ms', (way) => waits[way]),
    ];
  } finally {
    await api.close();
    await service.stop();
  }
}

/** The order alternates, so that neither way has the warmer service. */
const inTurn = (round: number): readonly Way[] => (round % 2 === 0 ? WAYS : WAYS.toReversed());

async function measure(utterance: SpeechUtterance): Promise<Measured> {
  const cpuBefore = usedCpuMs();
  const begun = performance.now();
  let firstFrameMs = 0;
  const packets: Uint8Array[] = [];
  for await (const packet of utterance.open(new AbortController().signal)) {
    firstFrameMs ||= performance.now() - begun;
    packets.push(packet);
  }
  const cpuMs = usedCpuMs() - cpuBefore;
  const { sound } = await listen(packets);
  const silences = silencesIn(sound);
  return {
    firstFrameMs,
    cpuMsPerSecond: cpuMs / ((packets.length * FRAME_MS) / 1000),
    silencesMs: silences.map(({ from, to }) => ((to - from) / RATE) * 1000),
    step: 100 * Math.max(...silences.map((silence) => largestStep(sound, silence))),
  };
}

/** Milliseconds that a listener waits for a frame, at the worst, once the first has come: a gap if that is more than players hold in store. */
async function longestWait(utterance: SpeechUtterance): Promise<number> {
  const frames = utterance.open(new AbortController().signal)[Symbol.asyncIterator]();
  await frames.next();
  let due = performance.now();
  let longest = 0;
  for (;;) {
    due += FRAME_MS;
    await sleep(Math.max(0, due - performance.now()));
    const asked = performance.now();
    if ((await frames.next()).done) return longest;
    longest = Math.max(longest, performance.now() - asked);
    due = Math.max(due, performance.now() - FRAME_MS);
  }
}

interface Silence {
  /** Samples. */
  from: number;
  to: number;
}

/** Not those at the beginning and the end. */
function silencesIn(sound: Float32Array): Silence[] {
  const found: Silence[] = [];
  let from = -1;
  for (let at = sound.findIndex((value) => Math.abs(value) >= SILENT); at < sound.length; at++) {
    if (Math.abs(sound[at] as number) < SILENT) {
      if (from < 0) from = at;
    } else if (from >= 0) {
      if (at - from >= MIN_SILENCE) found.push({ from, to: at });
      from = -1;
    }
  }
  return found;
}

/** From 5 ms before a silence to 5 ms after it. */
function largestStep(sound: Float32Array, { from, to }: Silence): number {
  let largest = 0;
  for (let at = from - RATE / 200; at < to + RATE / 200; at++)
    largest = Math.max(largest, Math.abs((sound[at + 1] ?? 0) - (sound[at] ?? 0)));
  return largest;
}
