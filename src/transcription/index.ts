// Transcription: recordings are streamed from Discord to the voice service, and their transcripts shown as messages and files.
//
// recording.ts, metered-audio.ts: what is transcribed, and how much of it is paid for
// transcribe.ts, reply.ts, progress.ts, job-limit.ts, confirmation.ts, message.ts: from the request to the reply
// transcript-*.ts, subtitle-cues.ts, time-format.ts: a transcript as lines, pages and files; pure text, without Discord
export { confirmationFor, readConfirmation } from './confirmation.ts';
export type { TranscriptionContext } from './context.ts';
export { findLanguages } from './languages.ts';
export { AUTO_DETECT, correctAfterRestart, transcriptFile, transcriptPage } from './message.ts';
export { fromLink, type Recording, recordingOf, recordingsIn } from './recording.ts';
export { checkJobLimit, checkRecording, type TranscribeOptions, transcribeAll } from './transcribe.ts';
export { readTranscript, type TranscriptDocument, type TranscriptFormat, transcriptFormats } from './transcript-file.ts';
