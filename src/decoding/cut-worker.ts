// The process that decodes a recording, and cuts it into parts or finds out whether somebody speaks in it. Nothing else runs in it: files are damaged and hostile.
import { serve } from '../async/serve.ts';
import { serveTasks } from '../async/serve-tasks.ts';
import type { StepRequest, StepResult } from '../async/tasks.ts';
import { concat } from '../audio/bytes.ts';
import { pcmToWav } from '../audio/index.ts';
import { createSpeechSegmenter, loadSpeechModel } from '../speech-detection/index.ts';
import { decodeAudio } from './decode-audio.ts';
import { DecodingError } from './errors.ts';
import { RATE } from './limits.ts';
import { createLevelMeter, FRAME, isAudible, planParts } from './parts.ts';

/** `scratch` is a folder that does not exist yet: decoding may create it, the main thread removes it. */
export interface CutTask {
  scratch: string;
  /** Seconds of a part; null = it isn't cut, but looked for speech. */
  longest: number | null;
}

/** A part of a recording, as a file. Times are in seconds from the recording's beginning; see `Part` in parts.ts. */
export interface RecordingPart {
  from: number;
  start: number;
  end: number;
  seconds: number;
  wav: Uint8Array;
}

/** What is said of a file that can't be decoded. */
export type CutFailure = Pick<DecodingError, 'kind' | 'message'>;

const supervisor = await serve<StepRequest, StepResult>();
let hasTrapped = false;

/** Each step takes the next piece of the file, until null ends it; the steps after that return its parts, or one that it has speech in it. */
async function* cut({ scratch, longest }: CutTask): AsyncGenerator<RecordingPart | 'speech' | null, void, Uint8Array | null> {
  const pieces: Uint8Array[] = [];
  for (let piece = yield null; piece !== null; piece = yield null) pieces.push(piece);
  const blocks: Int16Array[] = [];
  const meter = createLevelMeter();
  const file = concat(pieces);
  pieces.length = 0;
  await decodeAudio(file, {
    scratch,
    onBlock(block) {
      blocks.push(block);
      meter.hear(block);
    },
    onProgress: supervisor.reportProgress,
    onTrap: () => {
      hasTrapped = true;
    },
  });
  if (longest === null) {
    if (isAudible(meter.levels()) && (await hasSpeech(blocks))) yield 'speech';
    return;
  }
  const seconds = (frames: number) => (frames * FRAME) / RATE;
  for (const { from, to, start, end } of planParts(meter.levels(), Math.floor((longest * RATE) / FRAME))) {
    const samples = samplesOf(blocks, from * FRAME, to * FRAME);
    yield {
      from: seconds(from),
      start: seconds(start),
      end: seconds(end),
      seconds: samples.length / RATE,
      wav: pcmToWav(new Uint8Array(samples.buffer), { sampleRate: RATE }),
    };
  }
}

async function hasSpeech(blocks: readonly Int16Array[]): Promise<boolean> {
  const segmenter = createSpeechSegmenter(await loadSpeechModel());
  for (const block of blocks) {
    for await (const _ of segmenter.hear(Float32Array.from(block, (sample) => sample / 32_768))) return true;
    supervisor.reportProgress();
  }
  for await (const _ of segmenter.finish()) return true;
  return false;
}

function samplesOf(blocks: readonly Int16Array[], from: number, to: number): Int16Array<ArrayBuffer> {
  const pieces: Int16Array[] = [];
  let before = 0;
  for (const block of blocks) {
    pieces.push(block.subarray(Math.max(0, from - before), Math.max(0, to - before)));
    before += block.length;
  }
  const samples = new Int16Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    samples.set(piece, at);
    at += piece.length;
  }
  return samples;
}

serveTasks(supervisor, cut, {
  // Any other error ends the process, so that it can't affect the next recording.
  toFailure: (error): CutFailure | undefined => (error instanceof DecodingError ? { kind: error.kind, message: error.message } : undefined),
  isSpent: () => hasTrapped || process.memoryUsage.rss() > Number(supervisor.data) / 2,
});
