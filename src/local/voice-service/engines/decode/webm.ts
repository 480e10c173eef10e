// Demuxes the sound of a whole WebM or Matroska file.
import { createWebmReader, type WebmTrack } from '../../../../audio/containers/webm.ts';

export type WebmItem = { kind: 'track'; track: WebmTrack } | { kind: 'packet'; data: Uint8Array };

const SOUND = 2;
/** Bytes read at a time. */
const SLICE = 64 * 1024;

/** Yields the first sound track, then its packets; nothing for a file without one. Skips what is damaged. */
export function* demuxWebm(file: Uint8Array): Generator<WebmItem> {
  const tracks: WebmTrack[] = [];
  const items: WebmItem[] = [];
  let chosen: WebmTrack | null = null;
  const reader = createWebmReader({
    onTrack(track) {
      if (!chosen) tracks.push(track);
    },
    onBlock({ track, state, frames }) {
      const sound = chosen ?? tracks.find(({ type }) => type === SOUND);
      if (!sound) return;
      // A copy: what follows may be damage that describes it again.
      if (!chosen) {
        chosen = { ...sound };
        items.push({ kind: 'track', track: chosen });
      }
      if (state === 'whole' && track === chosen.number) for (const data of frames) items.push({ kind: 'packet', data });
    },
  });
  for (let at = 0; at < file.length; at += SLICE) {
    reader.push(file.subarray(at, at + SLICE));
    yield* items.splice(0);
  }
  reader.end();
  yield* items.splice(0);
}
