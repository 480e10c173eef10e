// The benchmarks' child processes, and what they cost according to the system.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import prism from 'prism-media';

/** USER_HZ: Linux reports processor time in these, whatever the kernel's own tick is. */
const TICK_MS = 10;

export function hasFfmpeg(): boolean {
  try {
    prism.FFmpeg.getInfo();
    return true;
  } catch {
    return false;
  }
}

/** A program of util-linux. */
const PIN = 'taskset';

/** Whether a process and its children can be pinned to one core. */
export function canPin(): boolean {
  return process.platform === 'linux' && spawnSync(PIN, ['--version']).status === 0;
}

/**
 * Starts a file of this folder in a process that can be talked to. Its standard output is thrown away: decoders write to it.
 * @param options `core`: the one core that it and its children have.
 */
export function startProcess(file: string, options: { core?: number; env?: Record<string, string> } = {}): ChildProcess {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const [command, ...before] =
    options.core === undefined ? [process.execPath] : [PIN, '--cpu-list', String(options.core), process.execPath];
  return spawn(command as string, [...before, '--expose-gc', path], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, ...options.env },
  });
}

/** Sends one message and waits for one. @throws Error if the process ends instead */
export async function ask<Answer>(child: ChildProcess, question: object): Promise<Answer> {
  const ended = new AbortController();
  const answer = once(child, 'message', { signal: ended.signal });
  const gone = once(child, 'exit', { signal: ended.signal }).then(([code]) => {
    throw new Error(`A process of the benchmark ended with ${code}.`);
  });
  try {
    child.send(question);
    const [message] = (await Promise.race([answer, gone])) as [Answer];
    return message;
  } finally {
    answer.catch(() => {});
    gone.catch(() => {});
    ended.abort();
  }
}

export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

/** Milliseconds of processor time of this process and of its children that have ended. */
export function usedCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 + endedChildrenMs();
}

function endedChildrenMs(): number {
  const fields = statOf('self');
  // cutime and cstime, the 16th and 17th field in proc(5); the first two are cut off.
  return fields ? (Number(fields[13]) + Number(fields[14])) * TICK_MS : 0;
}

/** Milliseconds of processor time of another process, its children, and those of its children that have ended. */
export function familyCpuMs(pid: number): number {
  const ticksOf = (id: string, last: number) => (statOf(id) ?? []).slice(11, last).reduce((sum, field) => sum + Number(field), 0);
  // utime and stime, for the process itself cutime and cstime as well: proc(5), the 14th to 17th field.
  const ticks = childrenOf(pid).reduce((sum, child) => sum + ticksOf(child, 13), ticksOf(String(pid), 15));
  return ticks * TICK_MS;
}

/** Resident memory of another process in MiB, shared memory included, as in `ps`; null if the system does not report it. */
export function residentMb(pid: number): number | null {
  try {
    const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) / 1024;
  } catch {
    return null;
  }
}

function childrenOf(pid: number): string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && statOf(name)?.[1] === String(pid));
}

/** The fields after the name, which may contain anything. */
function statOf(process: string): string[] | null {
  try {
    return readFileSync(`/proc/${process}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .trim()
      .split(' ');
  } catch {
    return null;
  }
}

/** Proportional set size of this process and its children in MB; null if the system does not report it. */
export function usedMemoryMb(): number | null {
  const own = proportionalMb('self');
  if (own === null) return null;
  const children = childrenOf(process.pid);
  // A process that has just ended has none.
  return children.reduce((sum, child) => sum + (proportionalMb(child) ?? 0), own);
}

function proportionalMb(process: string): number | null {
  try {
    const rollup = readFileSync(`/proc/${process}/smaps_rollup`, 'utf8');
    const kilobytes = /^Pss:\s+(\d+)/m.exec(rollup)?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) / 1024;
  } catch {
    return null;
  }
}
