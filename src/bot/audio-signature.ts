// Recognizes audio by its first bytes, since names and types of uploads are whatever the sender chose. Not file-type: it parses up to 4 KB
// of a hostile file into containers to name one of 180 types, while 12 bytes answer yes or no.

/** Enough to recognize any of the formats. */
export const SIGNATURE_BYTES = 12;

/**
 * Does this begin like audio? True for bare MP3 and AAC, and for containers that may hold sound; a film counts, since its sound can be
 * transcribed.
 */
export function looksLikeAudio(head: Uint8Array): boolean {
  const text = Buffer.from(head.subarray(0, SIGNATURE_BYTES)).toString('latin1');
  return (
    /^(RIFF|RF64).{4}WAVE/s.test(text) ||
    /^FORM.{4}AIF[FC]/s.test(text) ||
    /^(OggS|fLaC|caff|ID3|#!AMR)/.test(text) ||
    // MP4, M4A and 3GP; Matroska and WebM; ASF (WMA).
    /^.{4}ftyp/s.test(text) ||
    text.startsWith('\x1aE\xdf\xa3') ||
    text.startsWith('\x30\x26\xb2\x75') ||
    isMpegFrame(head)
  );
}

/** A frame header of MPEG audio layer II or III, or of AAC (ADTS). Not layer I: the byte order mark of UTF-16 text looks like it. */
function isMpegFrame([first = 0, second = 0, third = 0]: Uint8Array): boolean {
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return false;
  const layer = (second >> 1) & 3;
  if (layer === 0) return (second & 0xf0) === 0xf0 && ((third >> 2) & 0xf) < 13;
  const version = (second >> 3) & 3;
  return layer !== 3 && version !== 1 && third >> 4 !== 15 && ((third >> 2) & 3) !== 3;
}
