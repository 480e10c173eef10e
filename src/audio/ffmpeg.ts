// The way out for what nothing else here reads: an ffmpeg process, where ffmpeg is installed.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { AudioError } from './errors.ts';
import { hold } from './gauge.ts';
import { createPcmDecoder } from './pcm.ts';
import type { ByteReader } from './reader.ts';
import type { Piece } from './types.ts';

const PROGRAM = 'ffmpeg';
const RATE = 48_000;
const ARGUMENTS = ['-hide_banner', '-loglevel', 'quiet', '-i', '-', '-vn', '-f', 's16le', '-ar', String(RATE), '-ac', '1', 'pipe:1'];

type Ffmpeg = ChildProcessByStdio<Writable, Readable, null>;

/** Null where there is no ffmpeg, which is found out by starting it: asking for its version first would keep all guilds waiting. */
async function startFfmpeg(): Promise<Ffmpeg | null> {
  try {
    const child = spawn(PROGRAM, ARGUMENTS, { stdio: ['pipe', 'pipe', 'ignore'], windowsHide: true });
    await once(child, 'spawn');
    return child;
  } catch {
    return null;
  }
}

/** @param name of the format, for the error's sentence. Leaving the loop ends the process. */
export async function* decodeWithFfmpeg(reader: ByteReader, name: string): AsyncGenerator<Piece> {
  const child = await startFfmpeg();
  if (!child) {
    reader.close();
    throw new AudioError('unsupported', `Cannot read ${name}: ask for MP3, WAV, PCM or Ogg/Opus, or install ffmpeg`);
  }
  const { stdin, stdout } = child;
  const release = hold('ffmpeg process');
  const exited = once(child, 'exit').then(release, release);
  // A process that ends early breaks its pipes: what it said until then is what counts.
  for (const part of [child, stdin, stdout]) part.on('error', () => {});
  let failure: { cause: unknown } | null = null;

  async function feed(): Promise<void> {
    for (let bytes = await reader.next(); bytes && stdin.writable; bytes = await reader.next()) {
      if (!stdin.write(bytes)) await Promise.race([once(stdin, 'drain'), exited]);
    }
    stdin.end();
  }

  const fed = feed().catch((cause) => {
    failure = { cause };
    child.kill('SIGKILL');
  });
  try {
    const pcm = createPcmDecoder(RATE);
    let heard = false;
    for await (const bytes of stdout) {
      heard = true;
      yield* pcm.push(bytes);
    }
    if (failure) throw (failure as { cause: unknown }).cause;
    if (!heard) throw new AudioError('not-audio', `There is no sound that ffmpeg can read in ${name}`);
  } finally {
    child.kill('SIGKILL');
    reader.close();
    await Promise.all([fed, exited]);
  }
}
