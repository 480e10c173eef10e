// The types that callers see. Wire names (snake_case) stay in schemas.ts.
import type { sortKeys, speechFormats, VoiceModel, visibilities } from './schemas.ts';

export type { OpenEnum, VoiceModel, VoiceSample } from './schemas.ts';

/** What a service may offer; some self-hosted ones only speak. */
export type Operation = 'catalogue' | 'speech' | 'live-speech' | 'transcription' | 'credit' | 'own-voices';

export interface ModelQuery {
  pageSize?: number;
  pageNumber?: number;
  title?: string | null;
  tag?: string | string[] | null;
  /** Only the caller's own models; `authorId` isn't sent then. */
  self?: boolean;
  authorId?: string | null;
  language?: string | string[] | null;
  titleLanguage?: string | string[] | null;
  sortBy?: (typeof sortKeys)[number];
}

export interface ModelPage {
  /** Of the voices that the query finds, or of those that can be listed if `isWindow`. */
  total: number;
  items: VoiceModel[];
  /** Whether the query finds more voices than can be listed. */
  isWindow: boolean;
  /** Whether another page follows; null if the service doesn't say so. */
  hasMore: boolean | null;
}

export type SpeechFormat = (typeof speechFormats)[number];

export interface SpeakRequest {
  text: string;
  /** `id` of a voice model; absent = the service's default voice. */
  referenceId?: string | null;
  /** Value of the `model` header; absent = the client's default. */
  model?: string;
  format?: SpeechFormat;
  /** Hz; absent = the service's default for the format. */
  sampleRate?: number | null;
  /** kbit/s. */
  mp3Bitrate?: 64 | 128 | 192;
  /** bit/s. */
  opusBitrate?: number;
  chunkLength?: number;
  normalize?: boolean;
  latency?: 'normal' | 'balanced' | 'low';
  temperature?: number;
  topP?: number;
  /** `normalizeLoudness` false: as the voice makes it, for callers that level it themselves. */
  prosody?: { speed?: number; volume?: number; normalizeLoudness?: boolean };
  /** Recordings to imitate, inlined: sent as msgpack. */
  references?: { audio: Uint8Array; text: string }[];
}

export type LiveSpeakRequest = Omit<SpeakRequest, 'text'>;

/**
 * Speech as it arrives. Iterate `audio` once; leaving the loop early frees the connection. Until then it counts towards the client's
 * concurrency, so a slow player should read ahead. The iteration throws ApiError.
 */
export interface AudioResponse {
  audio: AsyncIterable<Uint8Array>;
  contentType: string;
  requestId: string | null;
  /** Milliseconds from the call to the first byte of audio. */
  firstByteMs: number;
}

/** A file to upload. */
export interface AudioFile {
  /** The file's bytes; a stream is sent as it is read and never held in full. */
  audio: Uint8Array | AsyncIterable<Uint8Array>;
  /**
   * Size of a stream in bytes, if known: the request then has a content-length, which some services insist on, and a stream that turns
   * out shorter or longer ends the call. Absent = sent in chunks.
   */
  size?: number;
  filename?: string;
  contentType?: string;
}

export interface TranscribeRequest extends AudioFile {
  /** A hint, BCP 47; sent as its two letters, and not at all if it has none. Absent or null = detected by the service. */
  language?: string | null;
  /** Value of the `model` header; absent or null = none. */
  model?: string | null;
  /** Always sent; default false, so that segments carry times. */
  ignoreTimestamps?: boolean;
  /** Default `multipart`. With `msgpack`, `audio` must be bytes or have a `size`. */
  encoding?: 'multipart' | 'msgpack';
}

export interface NewModel {
  title: string;
  /** At least 10 s each, clean, of one speaker. */
  recordings: VoiceRecording[];
  description?: string;
  tags?: string[];
  /** Always sent; default `private`. */
  visibility?: (typeof visibilities)[number];
  coverImage?: AudioFile;
  enhanceAudioQuality?: boolean;
}

export interface VoiceRecording extends AudioFile {
  /** What is said in it. Sent if all recordings have one. */
  text?: string;
}

/** Absent fields stay as they are. */
export interface ModelChanges {
  title?: string;
  description?: string;
  tags?: string[];
  visibility?: (typeof visibilities)[number];
  coverImage?: AudioFile;
}

/** Times are in seconds; NaN is one that the service didn't send. */
export interface Transcript {
  /** With punctuation. May mark speakers as `<|speaker:0|>`. */
  text: string;
  duration: number;
  /** Sentences or single words, depending on the service; words may lack punctuation, and need not be those of `text`. */
  segments: Segment[];
  /** Absent if the service doesn't tell speakers apart. */
  speakerTurns?: SpeakerTurn[];
  /** The language that was heard: its code, or its English name from a service that sends no code. Absent if the service doesn't say. */
  language?: string;
  /** The service doubts that this is what was said. */
  doubtful?: boolean;
}

/** What one speaker says without a break. */
export interface SpeakerTurn extends Segment {
  speaker: string;
}

export interface Segment {
  text: string;
  start: number;
  end: number;
  /** The service doubts that this is what was said. */
  doubtful?: boolean;
}

/** The spec doesn't show which fields are required: all but `credit` may be null. */
export interface WalletRecord {
  id: string | null;
  userId: string | null;
  /** The balance as a decimal string, exactly as the service returns it; never a float. */
  credit: string;
  createdAt: string | null;
  updatedAt: string | null;
  hasPhoneSha256: boolean | null;
  hasFreeCredit: boolean | null;
}

/** Called with the bytes handed to the connection so far, and how many there are, or null if unknown. */
export type UploadProgress = (sentBytes: number, totalBytes: number | null) => void;

export interface CallOptions {
  signal?: AbortSignal;
  /**
   * `interactive` (default) goes before `background` once `concurrency` is reached. `spare` goes after both, and never takes the last free
   * slot; so with a single slot it never begins.
   */
  priority?: 'interactive' | 'background' | 'spare';
  /** Called each time the call's turn comes: before each attempt. */
  onTurn?: () => void;
}

export interface SpeakCallOptions extends CallOptions {
  /** The sound isn't heard before all of it has come: the service may take its time. */
  isDownload?: boolean;
  /** Whole seconds until the first sound, after which another voice is to speak: services that know of it refuse what would begin later. */
  maxStartSeconds?: number | undefined;
}

export interface TranscribeCallOptions extends CallOptions {
  /** Attempts in total, if fewer than the client's own. */
  attempts?: number;
  /**
   * Whether somebody speaks in the recording; asked if the service fails at it (503). Some services fail at silence: it is then transcribed as
   * nothing, and neither sent again nor taken for an outage. If this rejects, it counts as speech.
   */
  hasSpeech?: () => Promise<boolean>;
}

export interface LiveCallOptions extends CallOptions {
  /** Has each text spoken as soon as it has come. Otherwise the service may wait for more of it. */
  flush?: boolean;
  /**
   * The caller can do without this call: it is not repeated, and is rejected with `rate-limited` instead of waiting for a turn or taking the
   * last one of a kind.
   */
  isOptional?: boolean;
}

/** Slots for calls, of all processes together. */
export interface SharedSlots {
  /**
   * Resolves, once the call may start, with a function that returns its slot; rejects with the signal's reason if aborted first.
   * @param isSpare never the last free slot
   */
  acquire(isLong: boolean, signal: AbortSignal, isSpare?: boolean): Promise<() => void>;
  /** Whether a long call could start at once and leave room for one more long call, and for one of any kind. Never rejects. */
  hasRoomToSpare(): boolean | Promise<boolean>;
}

/** The API, and what several processes of one program tell each other about it. */
export interface ApiClient extends Api {
  /** Changes how many calls may be in flight here, up to the most that the client was created with; those that are go on. */
  setConcurrency(calls: number): void;
  /**
   * From now on, the number of calls that each answer says the account may have in flight goes to `listener`, which decides what follows:
   * by default, it becomes that of this client.
   */
  followConcurrency(listener: (calls: number) => void): void;
  /** From now on, each call takes a slot, too, that is shared with other processes. */
  shareSlots(slots: SharedSlots): void;
  /** Another process has found the service down: calls fail at once until a probe succeeds. */
  noteDown(): void;
}

/** The Voice Service API. Every method rejects with ApiError and nothing else. */
export interface Api {
  listModels(query?: ModelQuery, options?: CallOptions): Promise<ModelPage>;
  /**
   * Uploads recordings and returns the new model, which isn't trained yet: ask `getModel` until its state is `trained` or `failed`.
   * @param options `onProgress` is called with the bytes sent so far, and how many there are, or null if a stream has no `size`
   */
  createModel(model: NewModel, options?: CallOptions & { onProgress?: UploadProgress }): Promise<VoiceModel>;
  getModel(id: string, options?: CallOptions): Promise<VoiceModel>;
  updateModel(id: string, changes: ModelChanges, options?: CallOptions): Promise<void>;
  deleteModel(id: string, options?: CallOptions): Promise<void>;
  speak(request: SpeakRequest, options?: SpeakCallOptions): Promise<AudioResponse>;
  /**
   * Speaks texts as they come, as one continuous stream. They are joined as they are, so the space between two words must be in one of
   * them. The service may begin before the last one has come.
   */
  speakLive(request: LiveSpeakRequest, texts: AsyncIterable<string>, options?: LiveCallOptions): Promise<AudioResponse>;
  transcribe(request: TranscribeRequest, options?: TranscribeCallOptions): Promise<Transcript>;
  /** `userId` default `self`. */
  getCredit(options?: CallOptions & { userId?: string; checkFreeCredit?: boolean }): Promise<WalletRecord>;
  /** Closes all connections; calls in flight end with kind `aborted`. */
  close(): Promise<void>;
}
