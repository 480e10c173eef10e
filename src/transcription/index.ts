// Recordings become text: what is read, how it is answered, what the answers show.
export { askFirst, readAgreed } from './confirmation.ts';
export { findLanguages } from './languages.ts';
export { type Recording, readLink, recordingOf, recordingsIn } from './recording.ts';
export { checkJobs, checkRecording, transcribeAll, type Wish } from './transcribe.ts';
export { DETECT, transcriptFile, transcriptPage } from './view.ts';
