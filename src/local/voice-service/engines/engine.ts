// What the engines promise to the voice service: the requests they take, what they give back, and how they fail.

/** A voice the speech engine has, with the variations it allows (`ENGINE_VOICES` has the limits of each). */
export interface EngineVoice {
  base: VoiceBase;
  /** Mean pitch in Hz; the base's own when left out. */
  pitchHz?: number;
  /** Speaking rate, 1 being the base's own. The request's `speed` multiplies it. */
  rate?: number;
}

export type VoiceBase = 'slt' | 'rms' | 'awb' | 'kal16';

export type SpeechFormat = 'mp3' | 'wav' | 'pcm' | 'opus';

export interface SpeakRequest {
  text: string;
  voice: EngineVoice;
  /** mp3, wav (16 bit), pcm (16 bit little-endian, no header), or opus in Ogg; always one channel. */
  format: SpeechFormat;
  /** Hz, `SPEECH_LIMITS.sampleRates`; 44100 when left out, 48000 for opus. */
  sampleRate?: number;
  /** kbit/s; 128 when left out. */
  mp3Bitrate?: 64 | 128 | 192;
  /** bit/s, 6000 to 128000; 32000 when left out. */
  opusBitrate?: number;
  /** 0.5 to 2; 1 when left out. */
  speed?: number;
  /** Gain in dB, -20 to 20; 0 when left out. Peaks are held below full scale. */
  volumeDb?: number;
  signal?: AbortSignal;
}

export interface TranscribeRequest {
  /** An audio file of any kind the decoders know; recognised by its content. At most 20 MB and 60 minutes. */
  audio: Uint8Array;
  /** False leaves `segments` empty. */
  timestamps: boolean;
  signal?: AbortSignal;
  /** Told how many seconds were decoded, whatever the file says of itself, before they are recognised; throwing refuses them. */
  onDecoded?: (seconds: number) => void;
}

/** Times and the duration are in seconds. */
export interface Transcript {
  text: string;
  duration: number;
  segments: TranscriptSegment[];
}

export interface TranscriptSegment {
  text: string;
  start: number;
  end: number;
}

export interface Engines {
  /** Starts one worker of each kind and loads what it needs, so that the first request does not wait for it. */
  warmUp(): Promise<void>;
  /**
   * Encoded audio as it is made, sentence by sentence: a sentence is synthesised only when the chunks of the one before
   * have been taken. Leaving the loop, or aborting, stops the synthesis. Throws `EngineError`.
   */
  speak(request: SpeakRequest): AsyncIterable<Uint8Array>;
  /** Recognises English speech. Silence gives an empty text and no segments. Rejects with `EngineError`. */
  transcribe(request: TranscribeRequest): Promise<Transcript>;
  /** Ends the workers; what is under way fails with `aborted`. */
  close(): Promise<void>;
}

export type EngineErrorKind = 'unspeakable' | 'not-audio' | 'unsupported-format' | 'too-long' | 'crashed' | 'aborted';

/** A request the engines could not carry out. The message names the cause, then what to do about it. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly kind: EngineErrorKind;

  constructor(kind: EngineErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}
