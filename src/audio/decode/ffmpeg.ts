// Decodes formats that no other decoder here reads, with an ffmpeg process if ffmpeg is installed.
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import prism from 'prism-media';
import { AudioError, type Piece, trackResource } from '../types.ts';
import { createPcmDecoder } from './pcm.ts';

const RATE = 48_000;
const INPUT = ['-hide_banner', '-loglevel', 'quiet', '-protocol_whitelist', 'pipe'];
const OUTPUT = ['-vn', '-f', 's16le', '-ar', String(RATE), '-ac', '1'];

let isInstalled: boolean | undefined;

/** Looks for ffmpeg on first use, by running it: blocks the thread for about 0.1 s, but no format that we request needs it. */
export function hasFfmpeg(): boolean {
  if (isInstalled === undefined) {
    try {
      prism.FFmpeg.getInfo();
      isInstalled = true;
    } catch {
      isInstalled = false;
    }
  }
  return isInstalled;
}

/**
 * Leaving the loop ends the process. ffmpeg is told the `demuxer` and may open nothing but its pipes: left to guess, it accepts playlists
 * and fetches the addresses in them.
 * @param format `name` appears in error messages
 */
export async function* decodeWithFfmpeg(
  reader: { next(): Promise<Uint8Array | null>; close(): void },
  { name, demuxer }: { name: string; demuxer: string | null },
): AsyncGenerator<Piece> {
  if (demuxer === null) throw new AudioError('not-audio', `There is no sound that can be read in ${name}`);
  if (!hasFfmpeg()) {
    throw new AudioError('unsupported', `Cannot read ${name}: ask for MP3, WAV, PCM or Ogg/Opus, or install ffmpeg`);
  }
  const ffmpeg = new prism.FFmpeg({ args: [...INPUT, '-f', demuxer, '-i', 'pipe:0', ...OUTPUT] });
  const child = ffmpeg.process;
  const release = trackResource('ffmpeg process');
  const exited = once(child, 'exit').then(release, release);
  // A process that ends early breaks its pipes; its output until then is what counts.
  ffmpeg.on('error', () => {});
  let failure: { cause: unknown } | null = null;

  async function* read(): AsyncGenerator<Uint8Array> {
    try {
      for (let bytes = await reader.next(); bytes; bytes = await reader.next()) yield bytes;
    } catch (cause) {
      failure = { cause };
      child.kill('SIGKILL');
    }
  }

  // A pipe that breaks is no failure.
  const fed = pipeline(read(), child.stdin as Writable).catch(() => {});
  try {
    const pcm = createPcmDecoder(RATE);
    let hasOutput = false;
    for await (const bytes of child.stdout ?? []) {
      hasOutput = true;
      yield* pcm.push(bytes);
    }
    if (failure) throw (failure as { cause: unknown }).cause;
    if (!hasOutput) throw new AudioError('not-audio', `There is no sound that ffmpeg can read in ${name}`);
  } finally {
    child.kill('SIGKILL');
    reader.close();
    await Promise.all([fed, exited]);
  }
}
