// Transcripts as members read and keep them. Pure: segments in, text out.
export { readDocument, type TranscriptDocument, type TranscriptFormat, transcriptFormats, writeFile } from './files.ts';
export { makePages } from './pages.ts';
export { hasSpeech } from './segments.ts';
export { formatClock, milliseconds } from './times.ts';
