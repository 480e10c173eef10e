// Sends the microphone into the voice channel as Opus: while the member speaks, or while they hold a key or button.
import { sendVoicePacket } from '../connection.ts';
import { openMicrophone } from '../microphone.ts';
import { connectedVoiceChannelId, findVoiceState, state, update } from '../state.ts';

const SAMPLE_RATE = 48_000;
const ENCODER: AudioEncoderConfig = {
  codec: 'opus',
  sampleRate: SAMPLE_RATE,
  numberOfChannels: 1,
  bitrate: 48_000,
  opus: { frameDuration: 20_000, application: 'voip', signal: 'voice' },
} as AudioEncoderConfig;
/** The level (RMS, 1 = full scale) from which somebody is taken to speak: −45 dB, above the hiss of a room that the browser has filtered. */
const SPEECH_LEVEL = 0.0056;
/** How long it is still sent after that, so that the ends of words and short pauses aren't cut. */
const HANG_MS = 400;
/** Packets before the first loud one that are sent as well: 100 ms, for soft beginnings. */
const LEAD_PACKETS = 5;
/** How often the meter moves. */
const LEVEL_INTERVAL_MS = 100;

const MODE_KEY = 'local-discord-push-to-talk';

export const microphone = {
  status: 'off' as 'off' | 'starting' | 'on',
  /** A sentence for the member; empty if there is none. */
  problem: '',
  isPushToTalk: localStorage.getItem(MODE_KEY) === 'true',
  /** Whether the key or the button is held. */
  isHeld: false,
};

interface Capture {
  stream: MediaStream;
  context: AudioContext;
  encoder: AudioEncoder;
}

let capture: Capture | undefined;
/** Encoded, but not sent unless speech follows. */
let lead: Uint8Array<ArrayBuffer>[] = [];
let isSending = false;
let lastLoudAt = Number.NEGATIVE_INFINITY;
let lastLevelAt = 0;

/** Asks for the microphone and begins to send it; `problem` says why it can't. */
export async function turnMicrophoneOn(): Promise<void> {
  if (microphone.status !== 'off') return;
  update(() => Object.assign(microphone, { status: 'starting', problem: '' }));
  try {
    const opened = await open();
    // The member may have left in the meantime.
    if (!state.voiceChannelId) return close(opened);
    capture = opened;
    for (const track of opened.stream.getTracks())
      track.addEventListener('ended', () => stop('The microphone is gone. Plug it in again, then try again.'));
    update(() => {
      microphone.status = 'on';
    });
  } catch (error) {
    stop(error instanceof Error ? error.message : String(error));
  }
}

export function turnMicrophoneOff(): void {
  stop('');
}

function stop(problem: string): void {
  fallSilent();
  if (capture) close(capture);
  capture = undefined;
  showLevel(0);
  update(() => Object.assign(microphone, { status: 'off', problem, isHeld: false }));
}

export function setPushToTalk(isOn: boolean): void {
  localStorage.setItem(MODE_KEY, String(isOn));
  fallSilent();
  update(() => Object.assign(microphone, { isPushToTalk: isOn, isHeld: false }));
}

/** The key or the button for talking is pressed or released. */
export function holdToTalk(isHeld: boolean): void {
  if (microphone.isHeld === isHeld) return;
  update(() => {
    microphone.isHeld = isHeld;
  });
}

/** Tells the others that nothing follows for now. */
export function fallSilent(): void {
  lead = [];
  lastLoudAt = Number.NEGATIVE_INFINITY;
  if (isSending) sendVoicePacket(new Uint8Array());
  setSending(false);
}

/** @throws Error with a sentence for the member */
async function open(): Promise<Capture> {
  const stream = await openMicrophone();
  let context: AudioContext | undefined;
  try {
    const isSupported = 'AudioEncoder' in globalThis && (await AudioEncoder.isConfigSupported(ENCODER)).supported;
    if (!isSupported) throw new Error('This browser can’t send sound to a voice channel. Try a current Chrome, Edge, Firefox or Safari.');
    context = new AudioContext({ sampleRate: SAMPLE_RATE, latencyHint: 'interactive' });
    await context.audioWorklet.addModule('/page/microphone-worklet.js');
    const encoder = new AudioEncoder({
      output: receivePacket,
      error: ({ message }) => stop(`The microphone’s sound can’t be sent: ${message}`),
    });
    encoder.configure(ENCODER);
    const framer = new AudioWorkletNode(context, 'framer', { numberOfInputs: 1, numberOfOutputs: 0, channelCount: 1 });
    let frames = 0;
    framer.port.onmessage = ({ data }: MessageEvent<Float32Array<ArrayBuffer>>) => receiveFrame(encoder, data, frames++);
    context.createMediaStreamSource(stream).connect(framer);
    return { stream, context, encoder };
  } catch (error) {
    for (const track of stream.getTracks()) track.stop();
    void context?.close();
    throw error;
  }
}

function close({ stream, context, encoder }: Capture): void {
  for (const track of stream.getTracks()) track.stop();
  void context.close();
  if (encoder.state !== 'closed') encoder.close();
}

/** Takes 20 ms. Nothing is encoded while nobody may hear it. */
function receiveFrame(encoder: AudioEncoder, samples: Float32Array<ArrayBuffer>, index: number): void {
  if (encoder.state !== 'configured') return;
  const level = Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
  const now = performance.now();
  if (now - lastLevelAt >= LEVEL_INTERVAL_MS) {
    lastLevelAt = now;
    showLevel(level);
  }
  const isWanted = mayBeHeard() && (!microphone.isPushToTalk || microphone.isHeld);
  if (!isWanted) {
    fallSilent();
    return;
  }
  if (level >= SPEECH_LEVEL) lastLoudAt = now;
  const isSpeaking = microphone.isPushToTalk || now - lastLoudAt < HANG_MS;
  if (isSending && !isSpeaking) sendVoicePacket(new Uint8Array());
  setSending(isSpeaking);
  const data = new AudioData({
    format: 'f32-planar',
    sampleRate: SAMPLE_RATE,
    numberOfFrames: samples.length,
    numberOfChannels: 1,
    timestamp: index * 20_000,
    data: samples,
  });
  encoder.encode(data);
  data.close();
}

function receivePacket(chunk: EncodedAudioChunk): void {
  const packet = new Uint8Array(chunk.byteLength);
  chunk.copyTo(packet);
  if (isSending) {
    for (const opus of [...lead, packet]) sendVoicePacket(opus);
    lead = [];
  } else lead = [...lead, packet].slice(-LEAD_PACKETS);
}

/** Not while muted by anybody, deafened, or not connected. */
export function mayBeHeard(): boolean {
  const voice = findVoiceState(state.me?.id ?? '');
  if (!voice || connectedVoiceChannelId() === undefined) return false;
  return !voice.self_mute && !voice.self_deaf && !voice.mute && !voice.suppress;
}

/** The local Discord tells only the others that this member speaks. */
function setSending(isNow: boolean): void {
  if (isSending === isNow) return;
  isSending = isNow;
  const { me } = state;
  update(() => {
    if (isNow && me) state.speaking.add(me.id);
    else if (me) state.speaking.delete(me.id);
  });
}

/** For the meter's styles, and for tests. */
function showLevel(level: number): void {
  document.documentElement.style.setProperty('--spoken-level', String(Math.min(1, Math.sqrt(level) * 1.8)));
  document.documentElement.dataset.spokenLevel = level.toFixed(4);
}
