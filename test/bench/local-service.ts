// The local voice service in a process of its own, so that figures do not include its work.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Service {
  url: string;
  key: string;
  stop(): Promise<void>;
}

/** On a free port, in a temporary folder. */
export async function startLocalService(): Promise<Service> {
  const key = 'bench-key';
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'));
  const main = fileURLToPath(new URL('../../src/local/voice-service/main.ts', import.meta.url));
  const child = spawn(process.execPath, [main, '--port', '0', '--credit', '1000'], {
    cwd: folder,
    env: { ...process.env, DATA_DIR: folder, VOICE_SERVICE_KEYS: key },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0];
      if (address) resolve(address);
    });
    child.once('exit', (code) => reject(new Error(`The local voice service ended with ${code} before it listened:\n${printed}`)));
  });
  return {
    url,
    key,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
