// Records from the microphone, and sends the recording as a voice message or as a file.
import { html, type TemplateResult } from 'lit';
import { BlobSource, BufferTarget, Conversion, Input, MP4, OggOutputFormat, Output, WEBM } from 'mediabunny';
import { call } from '../connection.ts';
import { formatDuration } from '../format.ts';
import { closeIcon } from '../icons.ts';
import { encodeWaveform } from '../messages/waveform.ts';
import { openMicrophone } from '../microphone.ts';
import { scrollToEnd } from '../scroll.ts';
import { afterRender, channelTitle, findChannel, showError, state, update } from '../state.ts';
import { uploadFile } from '../uploads.ts';
import { addFiles, draftOf, returnToBox } from './draft.ts';

interface Recording {
  /** Where the recording was started, and will be sent. */
  channelId: string;
  recorder: MediaRecorder;
  stream: MediaStream;
  context: AudioContext;
  meter: AnalyserNode;
  startedAt: number;
  timer: ReturnType<typeof setInterval>;
  sending: boolean;
}

/** Discord's limit for a voice message. */
const MAX_RECORDING_SECONDS = 20 * 60;
/** At which a recording is read, whatever it was recorded at. */
const SAMPLE_RATE = 48_000;

let recording: Recording | undefined;

export async function startRecording(): Promise<void> {
  if (recording) return;
  const { channelId } = state;
  let stream: MediaStream;
  try {
    stream = await openMicrophone();
  } catch (error) {
    return showError(error);
  }
  const context = new AudioContext();
  const meter = context.createAnalyser();
  meter.fftSize = 1024;
  context.createMediaStreamSource(stream).connect(meter);
  const recorder = new MediaRecorder(stream, { mimeType: recordingType(), audioBitsPerSecond: 32_000 });
  recorder.start();
  const timer = setInterval(tick, 100);
  update(() => {
    recording = { channelId, recorder, stream, context, meter, startedAt: performance.now(), timer, sending: false };
  });
  afterRender(() => document.getElementById('send-recording')?.focus());
}

/** Replaces the composer while recording; undefined otherwise. */
export function recorderView(): TemplateResult | undefined {
  if (!recording) return undefined;
  const { sending, channelId } = recording;
  const where = channelId === state.channelId ? '' : ` to ${channelTitle(findChannel(channelId))}`;
  return html`<div class="composer-box recorder" role="group" aria-label="Recording">
    <span class="recording-dot" aria-hidden="true"></span>
    <span class="recording-time" role="timer">${formatDuration(elapsed())}</span>
    <span class="meter" aria-hidden="true"><span class="meter-bar" id="recording-level"></span></span>
    <button type="button" class="text-button" ?disabled=${sending} @click=${cancel}>${closeIcon()} Cancel</button>
    <button type="button" class="text-button" ?disabled=${sending} @click=${() => void finish('file')}>As a file</button>
    <button type="button" class="filled-button" id="send-recording" ?disabled=${sending} @click=${() => void finish('voice message')}>${sending ? 'Sending…' : `Send voice message${where}`}</button>
  </div>`;
}

function recordingType(): string {
  return ['audio/ogg;codecs=opus', 'audio/webm;codecs=opus', 'audio/mp4'].find((type) => MediaRecorder.isTypeSupported(type)) ?? '';
}

function elapsed(): number {
  return recording ? (performance.now() - recording.startedAt) / 1000 : 0;
}

function tick(): void {
  if (!recording) return;
  const samples = new Float32Array(recording.meter.fftSize);
  recording.meter.getFloatTimeDomainData(samples);
  const level = Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
  document.getElementById('recording-level')?.style.setProperty('--level', String(Math.min(1, Math.sqrt(level) * 1.8)));
  document.documentElement.dataset.recordingLevel = level.toFixed(4);
  if (elapsed() >= MAX_RECORDING_SECONDS) void finish('voice message');
  else update();
}

function cancel(): void {
  if (recording?.recorder.state === 'recording') recording.recorder.stop();
  close();
}

function close(): void {
  if (!recording) return;
  clearInterval(recording.timer);
  for (const track of recording.stream.getTracks()) track.stop();
  void recording.context.close();
  update(() => {
    recording = undefined;
  });
  returnToBox();
}

async function finish(as: 'voice message' | 'file'): Promise<void> {
  const current = recording;
  if (!current || current.sending) return;
  update(() => {
    current.sending = true;
  });
  clearInterval(current.timer);
  try {
    const recorded = await stopRecorder(current.recorder);
    const samples = await readSamples(recorded);
    if (samples.length === 0) throw new Error('Nothing was recorded. Try again, and wait a moment before sending.');
    const file = await asOgg(
      recorded,
      as === 'voice message' ? 'voice-message' : `recording-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}`,
    );
    if (as === 'file') addFiles([file], draftOf(current.channelId));
    else {
      const upload = await uploadFile(file);
      const duration_secs = Math.round((samples.length / SAMPLE_RATE) * 100) / 100;
      await call('send_message', {
        channel_id: current.channelId,
        uploads: [upload.id],
        voice_message: { duration_secs, waveform: encodeWaveform(samples, SAMPLE_RATE) },
      });
      if (state.channelId === current.channelId) scrollToEnd();
    }
  } catch (error) {
    showError(error);
  } finally {
    close();
  }
}

async function stopRecorder(recorder: MediaRecorder): Promise<Blob> {
  const parts: Blob[] = [];
  recorder.addEventListener('dataavailable', ({ data }) => parts.push(data));
  const stopped = new Promise((resolve) => recorder.addEventListener('stop', resolve, { once: true }));
  recorder.stop();
  await stopped;
  return new Blob(parts, { type: recorder.mimeType });
}

async function readSamples(blob: Blob): Promise<Float32Array> {
  if (blob.size === 0) return new Float32Array();
  const sound = await new OfflineAudioContext(1, 1, SAMPLE_RATE).decodeAudioData(await blob.arrayBuffer());
  return sound.getChannelData(0);
}

/** Discord's voice messages are Ogg/Opus; browsers also record Opus in WebM or MP4. */
async function asOgg(recorded: Blob, name: string): Promise<File> {
  if (recorded.type.startsWith('audio/ogg')) return new File([recorded], `${name}.ogg`, { type: 'audio/ogg' });
  const target = new BufferTarget();
  const conversion = await Conversion.init({
    input: new Input({ source: new BlobSource(recorded), formats: [WEBM, MP4] }),
    output: new Output({ format: new OggOutputFormat(), target }),
  });
  if (!conversion.isValid)
    return new File([recorded], `${name}.${recorded.type.includes('mp4') ? 'm4a' : 'webm'}`, { type: recorded.type });
  await conversion.execute();
  return new File([target.buffer ?? new ArrayBuffer(0)], `${name}.ogg`, { type: 'audio/ogg' });
}
