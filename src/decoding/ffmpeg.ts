// Decodes with ffmpeg, if it is installed, what the other decoders cannot read: m4a, mp4, wma, …
import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DecodingError } from './errors.ts';
import { MAX_SECONDS, RATE } from './limits.ts';
import type { Sink } from './sink.ts';

const PROGRAM = 'ffmpeg';
/** An hour of AAC takes about 5 s to decode. */
const TIME_LIMIT_S = 120;
/** The most ffmpeg may allocate at once: tables that claim more do not belong to a recording. */
const MEMORY_LIMIT = 128 * 1024 * 1024;
/** Demuxers that need to seek: their index may follow the sound, as MP4's often does. */
const SEEKING_DEMUXERS = ['mov', 'aiff', 'caf'];

interface FfmpegInput {
  bytes: Uint8Array;
  /** What the format is called in error messages. */
  name: string;
  /** The container that was detected. ffmpeg must not guess, because some of its formats fetch other files. */
  demuxer: string;
  sink: Sink;
  /** A folder that does not exist yet; the caller removes it. */
  scratch: string;
}

/** @throws DecodingError `unsupported-format` without ffmpeg, `not-audio` if ffmpeg finds nothing in it */
export async function decodeWithFfmpeg({ bytes, name, demuxer, sink, scratch }: FfmpegInput): Promise<void> {
  if (!SEEKING_DEMUXERS.includes(demuxer))
    return run(name, sink, ['-protocol_whitelist', 'pipe', '-threads', '1', '-f', demuxer, '-i', 'pipe:0'], bytes);
  await mkdir(scratch, { mode: 0o700 });
  const file = join(scratch, 'upload');
  await writeFile(file, bytes, { mode: 0o600 });
  return run(name, sink, ['-protocol_whitelist', 'file,pipe', '-threads', '1', '-f', demuxer, '-i', `file:${file}`]);
}

async function run(name: string, sink: Sink, input: string[], stdin?: Uint8Array): Promise<void> {
  const general = ['-hide_banner', '-loglevel', 'error', '-max_alloc', String(MEMORY_LIMIT), '-timelimit', String(TIME_LIMIT_S)];
  const seconds = String(MAX_SECONDS + 1);
  const output = ['-vn', '-sn', '-dn', '-t', seconds, '-ac', '1', '-ar', String(RATE), '-f', 's16le', 'pipe:1'];
  const child = spawn(PROGRAM, ['-nostdin', ...general, ...input, ...output], {
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: TIME_LIMIT_S * 1000,
    killSignal: 'SIGKILL',
    windowsHide: true,
  });
  // ffmpeg may stop reading before the end.
  child.stdin.on('error', () => {});
  child.stdin.end(stdin);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  // May go unobserved: the loop below may throw first.
  ended.catch(() => {});
  try {
    let oddByte = Buffer.alloc(0);
    for await (const chunk of child.stdout) {
      const data = Buffer.concat([oddByte, chunk as Buffer]);
      const even = data.length & ~1;
      oddByte = data.subarray(even);
      const samples = new Float32Array(even / 2);
      for (let i = 0; i < samples.length; i++) samples[i] = data.readInt16LE(i * 2) / 32_768;
      if (samples.length > 0) sink.push([samples], RATE);
    }
    const code = await ended;
    if (code !== 0) throw new DecodingError('not-audio', `The ${name} file is damaged or holds no sound. Export it again.`);
  } catch (cause) {
    child.kill('SIGKILL');
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause;
    throw new DecodingError(
      'unsupported-format',
      `${name} is read with ffmpeg, which is not installed here. Send wav, mp3, ogg, flac or webm, or install ffmpeg.`,
      { cause },
    );
  }
}
