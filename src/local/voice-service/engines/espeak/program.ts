// espeak-ng as a program of its own that the operator installs: found if it is there, given text by its standard input alone, and limited in
// memory, output and time. It is under the GPL, so nothing of it is part of Parley.
import { spawn } from 'node:child_process';
import { concat } from '../../../../audio/bytes.ts';
import { EngineError, type Espeak } from '../engine.ts';

const PROGRAM = 'espeak-ng';
/** Milliseconds. A piece of text takes 50 on an idle machine. */
const TIME_LIMIT_MS = 20_000;
const LOOK_MS = 5_000;
/** KB of address space: it has 30 MB. */
const MEMORY_LIMIT_KB = 512 * 1024;
/** Seconds of processor time. */
const PROCESSOR_LIMIT = 20;
/** Bytes of one piece of text: ten minutes of sound. */
const MAX_OUTPUT = 30 * 1024 * 1024;

/** Null if it isn't installed, or doesn't answer. Never rejects. */
export async function findEspeak(): Promise<Espeak | null> {
  const [listed, about] = await Promise.all([['--voices'], ['--version']].map((args) => run(args, '', LOOK_MS).catch(() => null)));
  if (!listed || !about) return null;
  const [version = ''] = /\d[\w.-]*/.exec(new TextDecoder().decode(about)) ?? [];
  const rows = new TextDecoder().decode(listed).split('\n').slice(1);
  const voices = new Set(rows.flatMap((row) => row.trim().split(/\s+/)[1]?.toLowerCase() ?? []));
  return voices.size > 0 ? { version, voices } : null;
}

/**
 * Speaks a text. @param wordsPerMinute 80 to 450
 * @returns a WAV, whose header may claim any length
 * @throws EngineError `refused` if it takes too long, `crashed` if it fails
 */
export const speakWithEspeak = (text: string, voice: string, wordsPerMinute: number, timeLimitMs = TIME_LIMIT_MS): Promise<Uint8Array> =>
  // No SSML (-m), and no text among the arguments: some name files.
  run(['-v', voice, '-s', String(Math.round(wordsPerMinute)), '-b', '1', '--stdin', '--stdout'], text, timeLimitMs);

function run(args: string[], text: string, timeLimitMs: number): Promise<Uint8Array> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  // The shell limits it, then becomes the program. Where it may not, the program still runs.
  const [file, programArgs] =
    process.platform === 'win32'
      ? [PROGRAM, args]
      : ['/bin/sh', ['-c', `ulimit -v ${MEMORY_LIMIT_KB}; ulimit -t ${PROCESSOR_LIMIT}; exec ${PROGRAM} "$@"`, PROGRAM, ...args]];
  const child = spawn(file, programArgs, {
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: timeLimitMs,
    killSignal: 'SIGKILL',
    windowsHide: true,
  });
  const output: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const fail = (kind: 'refused' | 'crashed', what: string, cause?: unknown) =>
    reject(new EngineError(kind, `espeak-ng ${what} this text. Change its wording, or choose another voice.`, { cause }));
  child.on('error', (cause) => fail('crashed', 'could not be started for', cause));
  child.stdout.on('data', (chunk: Uint8Array<ArrayBuffer>) => {
    bytes += chunk.length;
    output.push(chunk);
    if (bytes > MAX_OUTPUT) child.kill('SIGKILL');
  });
  child.on('close', (code, signal) => {
    if (code === 0) resolve(concat(output));
    else if (signal === 'SIGKILL') fail('refused', 'took too long with');
    else fail('crashed', `failed (${signal ?? `exit code ${code}`}) at`);
  });
  // It may end before it has read everything.
  child.stdin.on('error', () => {});
  child.stdin.end(text);
  return promise;
}
