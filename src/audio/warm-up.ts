// Has everything compiled that a first sound would wait for.

import { SILENT_FRAME } from './decode/mp3.ts';
import { createVoiceLoudness } from './level/leveller.ts';
import { encodeParts } from './pipeline.ts';

/** Lets a short silence run through decoder, filter and encoder of this thread (about 50 ms). */
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
