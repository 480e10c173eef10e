// A real Redis on a free port, with a folder of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from './free-port.ts';

export interface RedisServer {
  /** Without a database number. */
  url: string;
  port: number;
  folder: string;
  /** Starts it again on the same port, with the same folder. */
  start(): Promise<void>;
  /** `SIGKILL`, or as an operator would. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  /** Stops the process without ending it: nothing is answered. */
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
}

/** @param options further ones of redis-server, such as `--appendonly`, `yes` */
export async function startRedisServer(...options: string[]): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-redis-'));
  const port = await freePort();
  let server: ChildProcess;
  const redis: RedisServer = {
    url: `redis://127.0.0.1:${port}`,
    port,
    folder,
    async start() {
      server = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', ...options], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await readsReady(server);
    },
    async stop(signal = 'SIGTERM') {
      if (server.exitCode !== null || server.signalCode !== null) return;
      const exited = once(server, 'exit');
      server.kill(signal);
      await exited;
    },
    freeze: () => void server.kill('SIGSTOP'),
    thaw: () => void server.kill('SIGCONT'),
    async close() {
      await redis.stop('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
  await redis.start();
  return redis;
}

/** @throws Error with what the server printed, if it ends instead */
async function readsReady({ stdout }: ChildProcess): Promise<void> {
  if (!stdout) return;
  const printed: string[] = [];
  for await (const line of createInterface({ input: stdout })) {
    printed.push(line);
    if (!line.includes('Ready to accept connections')) continue;
    // Otherwise the server would block once the pipe is full.
    stdout.resume();
    return;
  }
  throw new Error(`redis-server has ended: ${printed.join('\n')}`);
}
