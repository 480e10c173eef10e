// Plays a voice channel: decodes packets, schedules them with a small jitter buffer, and measures the level.
import { OpusDecoder } from 'opus-decoder';
import { call } from '../connection.ts';
import { decodeHeardPacket } from '../protocol.ts';
import { showError, showNotice, state, update } from '../state.ts';
import { createJitterBuffer, type JitterBuffer, schedulePacket } from './jitter-buffer.ts';
import { fallSilent, turnMicrophoneOff } from './microphone.ts';

const SAMPLE_RATE = 48_000;
const LEVEL_INTERVAL_MS = 100;

/** One speaker's packets. */
interface Stream {
  decoder: OpusDecoder;
  buffer: JitterBuffer;
  /** The volume of this speaker alone. */
  gain: GainNode;
}

/** For tests, since joining. `peak`: the highest loudness, 0…1. */
const stats = { packets: 0, peak: 0 };

const VOLUME_KEY = 'local-discord-volume';

export const sound = { volume: Number(localStorage.getItem(VOLUME_KEY) ?? 1), muted: false, deafened: false };

let context: AudioContext | undefined;
let gain: GainNode | undefined;
let meter: AnalyserNode | undefined;
let ready: Promise<unknown> | undefined;
let levelTimer: ReturnType<typeof setInterval> | undefined;
/** Calls under way. A member who joins a channel of another server leaves the one they are in. */
let isJoining = false;
let isLeaving = false;
const streams = new Map<string, Stream>();
const spareDecoders: OpusDecoder[] = [];

/** Joins a voice channel. Call it from a click or key handler: browsers start audio only there. */
export async function joinVoice(channelId: string): Promise<void> {
  prepare();
  isJoining = true;
  try {
    await Promise.all([ready, context?.resume()]);
    await call('join_voice', { channel_id: channelId, ...ownFlags() });
    Object.assign(stats, { packets: 0, peak: 0 });
    update(() => {
      state.voiceChannelId = channelId;
    });
    levelTimer ??= setInterval(measureLevel, LEVEL_INTERVAL_MS);
  } catch (error) {
    showError(error);
    // It was in this channel before the connection was lost, and cannot come back.
    if (state.connection === 'open' && state.voiceChannelId === channelId) stopListening();
  } finally {
    isJoining = false;
  }
}

/** Follows the event that this member is in no voice channel any more. */
export function endVoice(): void {
  const isOwnDoing = isJoining || isLeaving;
  if (state.voiceChannelId && !isOwnDoing) showNotice('You were disconnected from voice.');
  stopListening();
}

export async function leaveVoice(): Promise<void> {
  isLeaving = true;
  await call('join_voice', { channel_id: null }).catch(showError);
  isLeaving = false;
  stopListening();
}

/** Stops playing, after leaving the voice channel or being removed from it. */
function stopListening(): void {
  turnMicrophoneOff();
  clearInterval(levelTimer);
  levelTimer = undefined;
  closeStreams();
  update(() => {
    state.voiceChannelId = undefined;
    state.speaking.clear();
  });
}

/** Joins again after a reconnection, since the local Discord has disconnected this member from voice. */
export function rejoinVoice(): void {
  closeStreams();
  if (state.voiceChannelId) void joinVoice(state.voiceChannelId);
}

function closeStreams(): void {
  for (const { decoder, gain: own } of streams.values()) {
    decoder.free();
    own.disconnect();
  }
  streams.clear();
}

export function setVolume(volume: number): void {
  sound.volume = volume;
  localStorage.setItem(VOLUME_KEY, String(volume));
  applyVolume();
}

/** How loud this member hears another one, as a factor. */
export function userVolume(userId: string): number {
  return Number(localStorage.getItem(`${VOLUME_KEY} ${userId}`) ?? 1);
}

export function setUserVolume(userId: string, volume: number): void {
  localStorage.setItem(`${VOLUME_KEY} ${userId}`, String(volume));
  const stream = streams.get(userId);
  if (stream) stream.gain.gain.value = volume;
  update();
}

export function toggleMuted(): void {
  sound.muted = !sound.muted;
  fallSilent();
  void call('set_voice', ownFlags()).catch(showError);
  update();
}

export function toggleDeafened(): void {
  sound.deafened = !sound.deafened;
  fallSilent();
  void call('set_voice', ownFlags()).catch(showError);
  applyVolume();
}

/** As in Discord, a deafened member is muted, too. */
function ownFlags(): { self_mute: boolean; self_deaf: boolean } {
  return { self_mute: sound.muted || sound.deafened, self_deaf: sound.deafened };
}

/** Takes one binary frame of the connection. */
export function playPacket(frame: ArrayBuffer): void {
  if (!context || !state.voiceChannelId) return;
  const { user_id, sequence, timestamp, opus } = decodeHeardPacket(frame);
  stats.packets++;
  const stream = streams.get(user_id) ?? openStream(user_id);
  if (!stream) return;
  const { channelData, samplesDecoded } = stream.decoder.decodeFrame(opus);
  if (samplesDecoded === 0) return;
  const playAt = schedulePacket(stream.buffer, { timestamp, sequence, samples: samplesDecoded }, context.currentTime);
  if (playAt !== undefined) play(channelData, samplesDecoded, playAt, stream.gain);
}

function play(channels: Float32Array[], samples: number, at: number, into: GainNode): void {
  if (!context) return;
  const buffer = context.createBuffer(channels.length, samples, SAMPLE_RATE);
  for (const [channel, data] of channels.entries()) buffer.copyToChannel(data as Float32Array<ArrayBuffer>, channel);
  const source = context.createBufferSource();
  source.buffer = buffer;
  source.connect(into);
  source.start(at);
}

function prepare(): void {
  context ??= new AudioContext({ sampleRate: SAMPLE_RATE, latencyHint: 'interactive' });
  if (!gain) {
    gain = context.createGain();
    meter = context.createAnalyser();
    meter.fftSize = 2048;
    gain.connect(context.destination);
    gain.connect(meter);
    applyVolume();
  }
  ready ??= addSpareDecoder();
}

async function addSpareDecoder(): Promise<void> {
  const decoder = new OpusDecoder({ channels: 2 });
  await decoder.ready;
  spareDecoders.push(decoder);
}

/** Opus decoders keep state, so each speaker has one. */
function openStream(userId: string): Stream | undefined {
  const decoder = spareDecoders.pop();
  void addSpareDecoder();
  if (!decoder || !context || !gain) return undefined;
  const own = context.createGain();
  own.gain.value = userVolume(userId);
  own.connect(gain);
  const stream: Stream = { decoder, buffer: createJitterBuffer(), gain: own };
  streams.set(userId, stream);
  return stream;
}

function applyVolume(): void {
  if (gain) gain.gain.value = sound.deafened ? 0 : sound.volume;
  update();
}

const samples = new Float32Array(2048);

/** The loudness is published on the root element, for the meter's styles and for tests. */
function measureLevel(): void {
  if (!meter) return;
  meter.getFloatTimeDomainData(samples);
  const level = Math.sqrt(samples.reduce((total, sample) => total + sample * sample, 0) / samples.length);
  stats.peak = Math.max(stats.peak, level);
  const { dataset, style } = document.documentElement;
  dataset.heardPackets = String(stats.packets);
  dataset.heardLost = String(sum('lost'));
  dataset.heardUnderruns = String(sum('underruns'));
  dataset.heardLevel = level.toFixed(4);
  dataset.heardPeak = stats.peak.toFixed(4);
  style.setProperty('--heard-level', String(Math.min(1, Math.sqrt(level) * 1.6)));
}

function sum(figure: 'lost' | 'underruns'): number {
  return [...streams.values()].reduce((total, { buffer }) => total + buffer[figure], 0);
}
