// A real Redis on a free port, with a folder of its own.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, type Program, startProcess } from './program.ts';

export type RedisServer = Awaited<ReturnType<typeof startRedisServer>>;

/** @param options further ones of redis-server, such as `--appendonly`, `yes` */
export async function startRedisServer(...options: string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'parley-redis-'));
  const port = await freePort();
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', ...options];
  let server: Program;
  const redis = {
    /** Without a database number. */
    url: `redis://127.0.0.1:${port}`,
    port,
    folder,
    /** Starts it again on the same port, with the same folder. */
    async start() {
      server = startProcess(args, { command: 'redis-server' });
      await server.line(/Ready to accept connections/);
    },
    /** `SIGKILL`, or as an operator would. */
    async stop(signal: NodeJS.Signals = 'SIGTERM') {
      server.child.kill(signal);
      await server.ended;
    },
    /** Stops the process without ending it: nothing is answered. */
    freeze: () => void server.child.kill('SIGSTOP'),
    thaw: () => void server.child.kill('SIGCONT'),
    async close() {
      await redis.stop('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
  await redis.start();
  return redis;
}
