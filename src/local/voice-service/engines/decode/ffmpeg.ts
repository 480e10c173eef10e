// Reads what nothing in this process reads (m4a, mp4, wma, …), when ffmpeg is installed.
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EngineError } from '../types.ts';
import { RECOGNITION_LIMITS } from '../voices.ts';
import type { Sink } from './sink.ts';

/** Looked for on PATH. */
const PROGRAM = 'ffmpeg';
const RATE = 16_000;
/** An hour of AAC takes about 5 s to decode. */
const TIME_LIMIT_MS = 120_000;

/**
 * @param format the container as found in the bytes: ffmpeg is not left to guess, since some of its formats fetch other files
 * @throws EngineError `unsupported-format` without ffmpeg, `not-audio` when ffmpeg finds nothing in it
 */
export async function decodeWithFfmpeg(bytes: Uint8Array, format: { name: string; demuxer: string }, sink: Sink): Promise<void> {
  // A file rather than a pipe: MP4 often has its index at the end.
  const folder = await mkdtemp(join(tmpdir(), 'parley-'));
  try {
    const file = join(folder, 'upload');
    await writeFile(file, bytes, { mode: 0o600 });
    await run(file, format, sink);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function run(file: string, { name, demuxer }: { name: string; demuxer: string }, sink: Sink): Promise<void> {
  const limits = ['-protocol_whitelist', 'file,pipe', '-threads', '1', '-f', demuxer];
  const seconds = String(RECOGNITION_LIMITS.maxSeconds + 1);
  const output = ['-vn', '-sn', '-dn', '-t', seconds, '-ac', '1', '-ar', String(RATE), '-f', 's16le', 'pipe:1'];
  const child = spawn(PROGRAM, ['-nostdin', '-hide_banner', '-loglevel', 'error', ...limits, '-i', file, ...output], {
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: TIME_LIMIT_MS,
    killSignal: 'SIGKILL',
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  // The loop below may throw first.
  ended.catch(() => {});
  try {
    let odd = Buffer.alloc(0);
    for await (const chunk of child.stdout) {
      const data = Buffer.concat([odd, chunk as Buffer]);
      const whole = data.length & ~1;
      odd = data.subarray(whole);
      const samples = new Float32Array(whole / 2);
      for (let i = 0; i < samples.length; i++) samples[i] = data.readInt16LE(i * 2) / 32_768;
      if (samples.length > 0) sink.push([samples], RATE);
    }
    const code = await ended;
    if (code !== 0) throw new EngineError('not-audio', `The ${name} file is damaged or holds no sound. Export it again.`);
  } catch (cause) {
    child.kill('SIGKILL');
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause;
    throw new EngineError(
      'unsupported-format',
      `${name} is read with ffmpeg, which is not installed here. Send wav, mp3, ogg, flac or webm, or install ffmpeg.`,
      { cause },
    );
  }
}
