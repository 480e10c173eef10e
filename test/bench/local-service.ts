// The local voice service in a process of its own, so that figures do not include its work.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProcess, voiceServiceArguments } from '../helpers/program.ts';

export interface Service {
  url: string;
  key: string;
  stop(): Promise<void>;
}

/** On a free port, in a temporary folder. */
export async function startLocalService(): Promise<Service> {
  const key = 'bench-key';
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-'));
  const service = startProcess([...voiceServiceArguments, '--credit', '1000'], {
    cwd: folder,
    env: { ...process.env, DATA_DIR: folder, VOICE_SERVICE_KEYS: key },
  });
  const url = /http:\S+/.exec(await service.line(/ready: http:/))?.[0] ?? '';
  return {
    url,
    key,
    async stop() {
      service.child.kill('SIGTERM');
      await service.ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
