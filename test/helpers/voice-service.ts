// A local voice service of the tests' own: on a free port, with a folder that goes when it closes.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startVoiceService, type VoiceService, type VoiceServiceOptions } from '../../src/local/voice-service/index.ts';

export interface TestVoiceService extends VoiceService {
  dataDir: string;
  /** Ends the service and removes its folder. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts the real service with its real engines. One key with a credit of 1000, unless told otherwise.
 * Close it (`await service.close()`, or `await using`) when done.
 */
export async function startTestVoiceService(options: Partial<VoiceServiceOptions> = {}): Promise<TestVoiceService> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'parley-voice-service-')));
  const service = await startVoiceService({ warm: false, ...options, dataDir });
  const close = async () => {
    await service.close();
    if (options.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
  };
  return { ...service, dataDir, close, [Symbol.asyncDispose]: close };
}
