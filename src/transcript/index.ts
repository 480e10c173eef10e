// Transcripts as members read and keep them. Pure: segments in, text out.
export { fromJson, type TranscriptFormat, writeFile } from './files.ts';
export { makePages } from './pages.ts';
export { hasSpeech } from './segments.ts';
