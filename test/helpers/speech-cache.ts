// Speech caches in temporary folders, which are removed after the test.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openSpeechCache, type SpeechCacheOptions } from '../../src/speech/cache.ts';

export async function makeCacheFolder(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'parley-cache-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

export async function openCacheIn(directory: string, options: Partial<SpeechCacheOptions> = {}) {
  const cache = await openSpeechCache({ directory, maxBytes: 1024 * 1024, service: 'a', ...options });
  onTestFinished(() => cache.close());
  return cache;
}
