// Reads what nothing in this process reads (m4a, mp4, wma, …), when ffmpeg is installed.
import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError } from '../engine.ts';
import { RECOGNITION_LIMITS } from '../limits.ts';
import type { Sink } from './sink.ts';

/** Looked for on PATH. */
const PROGRAM = 'ffmpeg';
const RATE = 16_000;
/** An hour of AAC takes about 5 s to decode. */
const TIME_LIMIT_S = 120;
/** The most memory in one piece: tables that announce more are not of a recording. */
const MEMORY_LIMIT = 128 * 1024 * 1024;
/** Demuxers that must be able to go back: what they need to know may stand behind the sound, as MP4's index often does. */
const SEEKING = ['mov', 'aiff', 'caf'];

interface Format {
  /** For people. */
  name: string;
  /** The container as found in the bytes: ffmpeg is not left to guess, since some of its formats fetch other files. */
  demuxer: string;
}

/**
 * @param scratch a folder that does not exist yet; the caller removes it
 * @throws EngineError `unsupported-format` without ffmpeg, `not-audio` when ffmpeg finds nothing in it
 */
export async function decodeWithFfmpeg(
  bytes: Uint8Array,
  format: Format,
  { sink, scratch }: { sink: Sink; scratch: string },
): Promise<void> {
  if (!SEEKING.includes(format.demuxer)) return run(format, sink, { protocols: 'pipe', source: 'pipe:0', stdin: bytes });
  await mkdir(scratch, { mode: 0o700 });
  const file = join(scratch, 'upload');
  await writeFile(file, bytes, { mode: 0o600 });
  return run(format, sink, { protocols: 'file,pipe', source: `file:${file}`, stdin: null });
}

async function run(
  { name, demuxer }: Format,
  sink: Sink,
  { protocols, source, stdin }: { protocols: string; source: string; stdin: Uint8Array | null },
): Promise<void> {
  const general = ['-hide_banner', '-loglevel', 'error', '-max_alloc', String(MEMORY_LIMIT), '-timelimit', String(TIME_LIMIT_S)];
  const input = ['-protocol_whitelist', protocols, '-threads', '1', '-f', demuxer, '-i', source];
  const seconds = String(RECOGNITION_LIMITS.maxSeconds + 1);
  const output = ['-vn', '-sn', '-dn', '-t', seconds, '-ac', '1', '-ar', String(RATE), '-f', 's16le', 'pipe:1'];
  const child = spawn(PROGRAM, ['-nostdin', ...general, ...input, ...output], {
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: TIME_LIMIT_S * 1000,
    killSignal: 'SIGKILL',
    windowsHide: true,
  });
  // It may have read all it wants before it has been given everything.
  child.stdin.on('error', () => {});
  child.stdin.end(stdin ?? undefined);
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
