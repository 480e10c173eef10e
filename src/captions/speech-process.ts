// The process that finds where members speak, for all guilds: it decodes their packets and asks the model. It ends with the one that started it.
import { createDecoder, type OpusDecoderHandle } from 'libopus-wasm';
import { serve } from '../async/serve.ts';
import { createSpeechDetector, FRAME, loadSpeechModel, RATE, type SpeechBounds, type SpeechDetector } from '../speech-detection/index.ts';
import type { FromSpeechProcess, SoundPart, ToSpeechProcess } from './speech-finder.ts';

/** Words are further apart in conversations than in books. The gate is at -66 dB, below what anybody would hear. */
const PAUSES = { end: 0.6, lead: 0.3, tail: 0.2, gate: 0.0005 };
/** Discord's samples for each of the model's. */
const RATIO = 48_000 / RATE;
/** Samples at `RATE` that may be missing: a longer gap ends what was said before it. */
const MAX_GAP = RATE;
/** Samples at `RATE` after which the other process is told what is no longer needed. */
const NOTE_SAMPLES = RATE;

interface Speaker {
  decoder: OpusDecoderHandle;
  detector: SpeechDetector;
  /** The position of the detector's first sample, at 48 kHz; null before it has one. */
  base: number | null;
  /** Samples that the detector has heard, and those that don't make up a frame yet. */
  heard: number;
  rest: Float32Array;
  notedAt: number;
  /** Ends what is being said, since nothing more comes. */
  timer: NodeJS.Timeout | null;
}

const supervisor = await serve<ToSpeechProcess[], null, FromSpeechProcess>();
const model = await loadSpeechModel().catch((error: Error) => supervisor.unavailable(error.message));
const speakers = new Map<number, Speaker>();
/** Acts that wait, by guild and speaker: both take turns, so that nobody waits for the backlog of another, or of a guild with many. */
const waiting = new Map<string, Map<number, (() => Promise<void>)[]>>();
let isWorking = false;

/** Acts run one at a time, since the model is awaited in between; those of one speaker, or of one decoding, in their order. */
function inTurn(guildId: string, id: number, act: () => Promise<void>): void {
  const guildTurns = waiting.get(guildId) ?? new Map<number, (() => Promise<void>)[]>();
  waiting.set(guildId, guildTurns);
  const acts = guildTurns.get(id) ?? [];
  guildTurns.set(id, acts);
  acts.push(act);
  if (!isWorking) void work();
}

async function work(): Promise<void> {
  isWorking = true;
  while (waiting.size > 0)
    for (const [guildId, guildTurns] of waiting) {
      for (const [id, acts] of guildTurns) {
        await acts.shift()?.();
        // The speaker's next act goes behind those of the guild's other speakers.
        guildTurns.delete(id);
        if (acts.length > 0) guildTurns.set(id, acts);
        break;
      }
      if (guildTurns.size === 0) waiting.delete(guildId);
    }
  isWorking = false;
}

async function hear(id: number, speaker: Speaker, samples: Float32Array): Promise<void> {
  const { detector, base } = speaker;
  const joined = new Float32Array(speaker.rest.length + samples.length);
  joined.set(speaker.rest);
  joined.set(samples, speaker.rest.length);
  let at = 0;
  for (; at + FRAME <= joined.length; at += FRAME) {
    speaker.heard += FRAME;
    report(id, base, await detector.hear(joined.subarray(at, at + FRAME)));
  }
  speaker.rest = joined.slice(at);
  if (base === null || speaker.heard < speaker.notedAt + NOTE_SAMPLES) return;
  speaker.notedAt = speaker.heard;
  supervisor.notify({ kind: 'passed', speaker: id, position: base + detector.neededFrom * RATIO });
}

function report(id: number, base: number | null, bounds: SpeechBounds | null): void {
  if (!bounds || base === null) return;
  const positionOf = (sample: number) => base + sample * RATIO;
  const { start, end, from, to } = bounds;
  supervisor.notify({
    kind: 'spoken',
    speaker: id,
    start: positionOf(start),
    end: positionOf(end),
    from: positionOf(from),
    to: positionOf(to),
  });
}

/** Ends what a speaker is saying: what comes next is heard as if nothing had come before. */
async function end(id: number, speaker: Speaker): Promise<void> {
  const { detector, base, rest } = speaker;
  if (base !== null && model) {
    await hear(id, speaker, new Float32Array(FRAME - rest.length));
    report(id, base, detector.finish());
    supervisor.notify({ kind: 'passed', speaker: id, position: base + speaker.heard * RATIO });
    Object.assign(speaker, { detector: createSpeechDetector(model, PAUSES), base: null, heard: 0, rest: new Float32Array(0), notedAt: 0 });
  }
}

async function takeSound(id: number, part: SoundPart): Promise<void> {
  if (!model) return;
  const speaker = speakers.get(id) ?? {
    decoder: await createDecoder({ sampleRate: RATE, channels: 1 }),
    detector: createSpeechDetector(model, PAUSES),
    base: null,
    heard: 0,
    rest: new Float32Array(0),
    notedAt: 0,
    timer: null,
  };
  speakers.set(id, speaker);
  stopTimer(speaker);
  const gap = speaker.base === null ? 0 : Math.round((part.position - speaker.base) / RATIO) - speaker.heard - speaker.rest.length;
  if (gap > MAX_GAP) await end(id, speaker);
  else if (gap > 0) await hear(id, speaker, new Float32Array(gap));
  speaker.base ??= part.position;
  await hear(id, speaker, decode(speaker.decoder, part));
}

function decode(decoder: OpusDecoderHandle, { opus, samples }: SoundPart): Float32Array {
  const length = Math.round(samples / RATIO);
  try {
    return opus ? decoder.decodeFloat(opus) : decoder.decodePacketLossFloat(length);
  } catch {
    return new Float32Array(length);
  }
}

function startTimer(guildId: string, id: number, speaker: Speaker, elapsedMs: number): void {
  const { pausedFor } = speaker.detector;
  if (pausedFor === null) return;
  const timer = setTimeout(
    () => inTurn(guildId, id, async () => void (speaker.timer === timer && (await end(id, speaker)))),
    (PAUSES.end - pausedFor) * 1000 - elapsedMs,
  );
  speaker.timer = timer;
}

function stopTimer(speaker: Speaker): void {
  if (speaker.timer) clearTimeout(speaker.timer);
  speaker.timer = null;
}

/** 16-bit samples at `RATE`. */
async function decodeAll(parts: readonly SoundPart[]): Promise<Uint8Array> {
  const decoder = await createDecoder({ sampleRate: RATE, channels: 1 });
  const first = parts[0]?.position ?? 0;
  const last = parts.at(-1);
  const samples = new Int16Array(last ? Math.round((last.position + last.samples - first) / RATIO) : 0);
  for (const part of parts) {
    const at = Math.round((part.position - first) / RATIO);
    for (const [index, sample] of decode(decoder, part).entries()) samples[at + index] = Math.max(-1, Math.min(1, sample)) * 32_767;
  }
  decoder.free();
  return new Uint8Array(samples.buffer);
}

async function take(message: ToSpeechProcess): Promise<void> {
  if (message.kind === 'decode') {
    supervisor.notify({ kind: 'decoded', id: message.id, pcm: await decodeAll(message.parts) });
    return;
  }
  const { speaker: id } = message;
  if (message.kind === 'sound') {
    await takeSound(id, message.part);
    return;
  }
  const speaker = speakers.get(id);
  if (speaker) {
    stopTimer(speaker);
    if (message.kind === 'pause') startTimer(message.guildId, id, speaker, message.elapsedMs);
    else if (message.kind === 'end') await end(id, speaker);
    else {
      speaker.decoder.free();
      speakers.delete(id);
    }
  }
  if (message.kind === 'end') supervisor.notify({ kind: 'ended', speaker: id });
}

if (model)
  supervisor.ready(undefined, (messages) => {
    let left = messages.length;
    for (const message of messages)
      inTurn(message.guildId, message.kind === 'decode' ? message.id : message.speaker, async () => {
        await take(message);
        left--;
        if (left === 0) supervisor.answer(null);
      });
  });
