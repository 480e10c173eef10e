// Has everything compiled that a first sound would wait for.
import { framesOf } from './frames.ts';
import { createVoiceLoudness } from './level.ts';
import { SILENT_FRAME } from './mp3.ts';

/** Lets a short silence run through decoder, filter and encoder of this thread (about 50 ms). */
export async function warmThread(): Promise<void> {
  async function* silence(): AsyncGenerator<Uint8Array> {
    for (let count = 0; count < 40; count++) yield SILENT_FRAME;
  }
  async function* parts() {
    yield { source: silence(), contentType: 'audio/mpeg' };
  }
  const never = new AbortController();
  for await (const _packet of framesOf(parts(), { loudness: createVoiceLoudness(), signal: never.signal }));
}
