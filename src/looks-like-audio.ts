// Is it audio? Told by the first bytes, for names and types of uploads are whatever the sender wrote.

/** Enough for every test below. */
export const SNIFF_BYTES = 12;

/** True for containers that may hold sound (a film counts: its sound is transcribed) and for bare MP3 and AAC. */
export function looksLikeAudio(head: Uint8Array): boolean {
  const text = Buffer.from(head.subarray(0, SNIFF_BYTES)).toString('latin1');
  return (
    /^(RIFF|RF64).{4}WAVE/s.test(text) ||
    /^FORM.{4}AIF[FC]/s.test(text) ||
    /^(OggS|fLaC|caff|ID3|#!AMR)/.test(text) ||
    // MP4, M4A and 3GP; Matroska and WebM; ASF (WMA).
    /^.{4}ftyp/s.test(text) ||
    text.startsWith('\x1aE\xdf\xa3') ||
    text.startsWith('\x30\x26\xb2\x75') ||
    isFrame(head)
  );
}

/** A frame header of MPEG audio layer II or III, or of AAC (ADTS). Layer I is left out: the mark of UTF-16 text looks like it. */
function isFrame([first = 0, second = 0, third = 0]: Uint8Array): boolean {
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return false;
  const layer = (second >> 1) & 3;
  if (layer === 0) return (second & 0xf0) === 0xf0 && ((third >> 2) & 0xf) < 13;
  const version = (second >> 3) & 3;
  return layer !== 3 && version !== 1 && third >> 4 !== 15 && ((third >> 2) & 3) !== 3;
}
