// Compiles everything that a first sound would otherwise wait for.
import { SILENT_FRAME } from './decode/mp3.ts';
import { createVoiceLoudness } from './level/voice-loudness.ts';
import { encodeParts } from './pipeline.ts';

/** Runs a short silence through this thread's decoder, filter and encoder (about 50 ms). */
export async function warmUp(): Promise<void> {
  async function* silence(): AsyncGenerator<Uint8Array> {
    for (let count = 0; count < 40; count++) yield SILENT_FRAME;
  }
  async function* parts() {
    yield { source: silence(), contentType: 'audio/mpeg' };
  }
  const never = new AbortController();
  for await (const _packet of encodeParts(parts(), { loudness: createVoiceLoudness(), signal: never.signal }));
}
