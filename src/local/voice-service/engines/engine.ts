// What an engine is, what the voice service asks of the engines, and how they fail.

/** What the file of a built-in engine exports. It is imported in the engine's worker, which creates the engine once and keeps it. */
export interface EngineModule<Engine> {
  createEngine(): Promise<Engine>;
  /**
   * Says at the start whether the engine will load, without loading it; in the main thread.
   * @throws EngineError
   */
  check?(): Promise<void>;
}

/** Turns text into sound. Runs in the synthesis thread. `flite/` is one. */
export interface Synthesiser {
  /** Samples per second of what it returns. */
  readonly rate: number;
  /** The voices it has, by their base, with the limits of each. */
  readonly voices: Readonly<Record<string, VoiceLimits>>;
  /** How many threads it computes with; absent if it is one. */
  readonly threads?: number;
  /**
   * Yields mono samples from -1 to 1: a sentence or a part of one at a time, synthesised when asked for, with the pause after it.
   * @param speed of the request, on top of the voice's own rate
   * @param isFile nobody hears it while it is made: pieces may be as long as they sound best
   * @throws EngineError `unspeakable` or `crashed`
   */
  synthesise(text: string, voice: EngineVoice, speed: number, isFile: boolean): Iterable<Float32Array> | AsyncIterable<Float32Array>;
}

/** Turns sound into text. Runs in the recognition process. `moonshine/` is one. */
export interface Recogniser {
  /** Begins a recording. Several take turns. */
  listen(): Listener;
}

export interface Listener {
  /**
   * Takes the next samples of the recording, and yields what was said phrase by phrase, in order and as soon as each is complete. The text of a
   * phrase without words is empty. Other recordings get their turn between phrases, and where it yields undefined. A step must take less than a
   * minute.
   * @param samples up to 16 s, 16 bit, one channel, at 16 kHz; null once the recording is over
   */
  hear(samples: Int16Array | null): Iterable<HeardSegment | undefined> | AsyncIterable<HeardSegment | undefined>;
}

export interface VoiceLimits {
  /** A plain description of the speaker. */
  about: string;
  /** Mean pitch in Hz within which the voice stays natural. */
  pitchHz: { min: number; max: number; natural: number };
  /** Speaking rate of a variant, 1 being the voice's own. */
  rate: { min: number; max: number };
}

/** One of a synthesiser's voices, with the variations it allows. */
export interface EngineVoice {
  base: string;
  /** Mean pitch in Hz; defaults to the base's own. */
  pitchHz?: number | undefined;
  /** Speaking rate, 1 being the base's own. The request's `speed` multiplies it. */
  rate?: number | undefined;
}

/** A voice of an engine behind HTTP (remote/). */
export interface RemoteVoice {
  /** Its name in the engine. */
  remote: string;
  /** The engine's model that has this voice. */
  model: string;
}

export type SpeechFormat = 'mp3' | 'wav' | 'pcm' | 'opus';

export interface SpeakRequest {
  /** Several texts are spoken as one continuous sound, each as soon as it comes. Their iteration must end when the signal aborts. */
  text: string | AsyncIterable<string>;
  voice: EngineVoice | RemoteVoice;
  /** The model to speak with if the voice's engine has one of this name; else the voice's own. */
  model?: string | undefined;
  /** mp3, wav (16 bit), pcm (16 bit little-endian, no header), or opus in Ogg; always one channel. */
  format: SpeechFormat;
  /** Hz, one of `SPEECH_LIMITS.sampleRates`; defaults to 44100, for opus to 48000. */
  sampleRate?: number;
  /** kbit/s; defaults to 128. */
  mp3Bitrate?: 64 | 128 | 192;
  /** bit/s, 6000 to 128000; defaults to 32000. */
  opusBitrate?: number;
  /** 0.5 to 2; defaults to 1. */
  speed?: number;
  /** Gain in dB, -20 to 20; defaults to 0. Peaks are kept below full scale. */
  volumeDb?: number;
  /** It isn't played while it comes: a slow voice may take its time. */
  isDownload?: boolean;
  /** Seconds until the first sound of what is played, after which a slow voice refuses it; at most and by default `SPEECH_LIMITS.maxStartSeconds`. */
  maxStartSeconds?: number;
  signal?: AbortSignal;
}

/** An audio file, whole or in the pieces in which it came. */
export type Upload = Uint8Array | readonly Uint8Array[];

export interface TranscribeRequest {
  /** Of any kind the decoders know, identified by its content. At most 20 MB and 60 minutes. */
  audio: Upload;
  /** False leaves `segments` empty. */
  timestamps: boolean;
  /** A language tag such as `en` or `pt-BR`; absent or null leaves it to the recogniser. */
  language?: string | null;
  signal?: AbortSignal;
  /** Called with the decoded length, whatever the file claims; throwing rejects the request. Recognition starts afterwards if the length can be told before. */
  onDecoded?: (seconds: number) => void;
}

/** Times and the duration are in seconds. */
export interface Transcript {
  text: string;
  duration: number;
  segments: TranscriptSegment[];
  /** All in all, it may be something else than what was said. */
  doubtful?: boolean;
}

export interface TranscriptSegment {
  text: string;
  start: number;
  end: number;
  /** It may be something else than what was said. */
  doubtful?: boolean;
}

/** A stretch of speech as a recogniser of one language hears it; its text is empty if it heard no words. */
export interface HeardSegment extends TranscriptSegment {
  /** How sure the recogniser is; absent if it can't tell. */
  certainty?: { tokens: number; logProbability: number } | undefined;
  /** Decibels from the quietest twentieth of the stretch, which is noise alone, to its loudest tenth; absent if it isn't known. */
  aboveNoise?: number | undefined;
}

/** A voice as an engine behind HTTP lists it. All texts are short, and in one line. */
export interface ListedVoice {
  /** Stable, and fit for a catalogue: letters, digits, points, underscores and hyphens, at most 100. */
  id: string;
  voice: RemoteVoice;
  title: string;
  description: string;
  /** Language tags; empty if unknown. */
  languages: string[];
  tags: string[];
}

/** Measured over the parts of a recording in which somebody speaks. */
export interface VoiceMeasurement {
  /** Duration of the whole recording. */
  seconds: number;
  /** With speech in it, without pauses. */
  speechSeconds: number;
  /** Mean, in Hz; 0 if nothing in it has a pitch. */
  pitchHz: number;
  /** Level of the speech in dB of full scale (RMS). */
  levelDb: number;
  /** The part of the speech that is voiced, 0 to 1. */
  voicedPart: number;
}

/** How fast this machine is with natural voices. */
export interface NaturalSpeed {
  /** Seconds it takes for a second of sound. */
  realTimeFactor: number;
  /** The first sound comes within a second, and the rest without a gap. */
  keepsUp: boolean;
}

/** What is installed of espeak-ng. */
export interface Espeak {
  /** As it names it, such as 1.51. */
  version: string;
  /** The names of the voices it has, in lower case. */
  voices: ReadonlySet<string>;
}

/** What the voice service uses. */
export interface Engines {
  /** How fast natural voices are here, as far as it is known; null while there are none. */
  readonly natural: NaturalSpeed | null;
  /** From the next text on, natural voices are this fast; null leaves them out. */
  setNatural(speed: NaturalSpeed | null): void;
  /** Loads the natural voices if they aren't loaded, so that the next text doesn't wait for that. Rejects with `EngineError`. */
  loadNatural(signal: AbortSignal): Promise<void>;
  /** Loads them, and times a clause of two seconds. Rejects with `EngineError`. */
  measureClause(signal: AbortSignal): Promise<NaturalSpeed>;
  /** What is installed of espeak-ng; null if its voices aren't used. */
  readonly espeak: Espeak | null;
  /** The voices of the engine that speaks, if it is one behind HTTP; undefined if the built-in voices are used. Rejects with `EngineError`. */
  listVoices: (() => Promise<ListedVoice[]>) | undefined;
  /** BCP 47 codes of the languages that `transcribe` takes, each with all its regions; undefined if an engine behind HTTP decides. */
  languages: readonly string[] | undefined;
  /** Starts every thread and process and loads what it needs, so that the first request does not wait for it. */
  warmUp(): Promise<void>;
  /**
   * Yields encoded audio sentence by sentence: a sentence is synthesised only once the chunks of the one before have been taken.
   * Leaving the loop, or aborting, stops the synthesis. Throws `EngineError`.
   */
  speak(request: SpeakRequest): AsyncIterable<Uint8Array>;
  /** Recognises speech, the built-in recogniser English alone. Silence yields an empty text and no segments. Rejects with `EngineError`. */
  transcribe(request: TranscribeRequest): Promise<Transcript>;
  /** Measures the voice in an audio file of any kind the decoders know. Rejects with `EngineError`. */
  measureVoice(audio: Upload, signal?: AbortSignal): Promise<VoiceMeasurement>;
  /** Ends the threads and processes; requests in progress fail with `aborted`. */
  close(): Promise<void>;
}

export type EngineErrorKind =
  | 'unspeakable'
  | 'not-audio'
  | 'unsupported-format'
  | 'unsupported-language'
  /** The recording isn't in the recogniser's language. */
  | 'foreign-speech'
  | 'too-long'
  /** A slow voice would begin too late with this text. */
  | 'too-slow'
  | 'crashed'
  | 'aborted'
  /** An engine behind HTTP can't be used: it is down, wrongly configured or fails. The message is for its operator. */
  | 'unavailable'
  | 'busy'
  /** The engine doesn't take this text or this recording, or stops working each time it tries to. */
  | 'refused';

/** A request the engines could not carry out. The message names the cause, then what to do about it. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly kind: EngineErrorKind;
  /** Seconds to wait, if a busy engine said so. */
  readonly retryAfter: number | null;
  /** With `too-slow`: about how many characters would begin in time. */
  readonly maxCharacters: number | null;

  constructor(kind: EngineErrorKind, message: string, options: ErrorOptions & { retryAfter?: number | null; maxCharacters?: number } = {}) {
    super(message, options);
    this.kind = kind;
    this.retryAfter = options.retryAfter ?? null;
    this.maxCharacters = options.maxCharacters ?? null;
  }
}

/** The caller left, or the engines are closing. */
export const aborted = (reason = 'the request was cancelled. Ask again if it is still wanted') =>
  new EngineError('aborted', `Stopped: ${reason}.`);
