// Audio: bytes of sound in, 20 ms Opus packets out, on demand; little is read or computed ahead. Imports only `async/`.
//
// How sound gets from bytes to packets (pipeline.ts):
//   containers/       detects formats, and reads containers; who decodes uploads or counts their seconds uses it, too
//   decode/           decodes to mono samples, and trims the silence that MP3 encoders add
//   frame-encoder.ts  resamples (resample/), normalises loudness and limits peaks (level/), and encodes with libopus; pipeline.ts makes
//                     batches of up to a second of its packets
// Ogg/Opus whose packets already fit passes through unchanged.
export { detectFormat } from './containers/formats.ts';
export { hasFfmpeg } from './decode/ffmpeg.ts';
export { PACKET_MS } from './frame-encoder.ts';
export { createVoiceLoudness, recallVoiceLoudness, type VoiceLoudness } from './level/loudness-meter.ts';
export { oggSeconds, packetsToOgg } from './ogg/muxer.ts';
export { joinOpusBatches, joinOpusPackets, pcmToWav, toOpusPackets, warmUp } from './pipeline.ts';
export type { AudioPart } from './types.ts';
export { AudioError, type AudioErrorKind, resourcesInUse } from './types.ts';
export { measureWaveform } from './waveform.ts';
