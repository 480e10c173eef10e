// Speech caches, which are closed after the test.
import { onTestFinished } from 'vitest';
import { openSpeechCache, type SpeechCacheOptions } from '../../src/speech/cache.ts';

export async function openCacheIn(directory: string, options: Partial<SpeechCacheOptions> = {}) {
  const cache = await openSpeechCache({ directory, maxBytes: 1024 * 1024, service: 'a', ...options });
  onTestFinished(() => cache.close());
  return cache;
}
