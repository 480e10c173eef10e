// The types of the voice layer: what it plays, what it reports, and its errors. It knows no API: an Utterance is a stream of packets.
import type { VoiceBasedChannel } from 'discord.js';

/** What is heard before an utterance. */
export interface Predecessor {
  memberId: string;
  background: boolean;
  /** `performance.now()`; null = it is playing. */
  endedAt: number | null;
}

/** Something to play once. */
export interface Utterance {
  /**
   * Starts fetching the first sound. Called when the utterance becomes the next one, and again when it becomes the current one or another
   * moves ahead of it; most utterances ignore further calls. Never throws: failures reject `ready`.
   * @param predecessor the last one that was heard in this session; null = none
   */
  prepare(predecessor?: Predecessor | null): void;
  /** Settles when the first packet is available (after `prepare` or `open`), or with what went wrong before it. */
  readonly ready: Promise<void>;
  /** 20 ms Opus packets, 48 kHz. Iterate once. Throws what goes wrong while speaking. */
  open(signal: AbortSignal): AsyncGenerator<Uint8Array>;
  /** Call when it won't be played, or not to its end: frees what `prepare` acquired. */
  cancel(): void;
}

/** How an utterance ended. `seconds` of sound were sent, or would have been if anybody had been there to hear them. */
export type Outcome =
  /** Never begun, because another process of the bot speaks in this guild from now on. */
  | { ended: 'handed-over'; seconds: 0 }
  | { ended: 'played' | 'skipped' | 'stopped'; seconds: number }
  /** `cause` is what the utterance threw, or a VoiceError. */
  | { ended: 'failed'; seconds: number; cause: unknown };

/** What lists of the queue show of an utterance. */
interface QueueLabel {
  /** The name of the voice; null = the default one. */
  voice: string | null;
  /** Markdown; null if it is not to be shown. */
  text: string | null;
  /** How long it is, estimated unless its sound is cached. */
  seconds: number | null;
}

/** Who asked for an utterance, and the id to find it by while it waits or plays. */
export interface EnqueueOptions {
  /** Unique in the process: the id of the interaction that requested it. */
  id: string;
  /** Members take turns: five utterances of one member do not hold up one of another. */
  memberId: string;
  /** Plays only when nothing else is waiting: in the order of arrival, unless `arrange` moves it. */
  background?: boolean;
  /** Another process of the bot may speak it instead. Everything else is finished here before the channel is left to that process. */
  isMovable?: boolean;
  /** It was waiting in another process: by its id, it goes before later utterances that haven't begun. */
  wasHandedOver?: boolean;
  /** For lists of the queue; not used here. */
  label?: QueueLabel;
}

/** An utterance that has not ended, for lists of the queue. */
export interface QueueItem extends EnqueueOptions {
  /** How many play before it; 0 = it is the current one. */
  position: number;
  playing: boolean;
  /** How much of its sound has been sent so far. */
  sentSeconds: number;
  /** Milliseconds since 1970. */
  queuedAt: number;
}

export interface Playback {
  readonly id: string;
  /** How many utterances were ahead of it when it was queued; 0 = it is the current one. Later ones may move ahead of it. */
  readonly position: number;
  /** How it ended at once, unplayed; null = it is queued. */
  readonly refused: Outcome | null;
  /** Resolves with true once only the current one is ahead of it, with false if it ended without getting there. */
  readonly next: Promise<boolean>;
  /** Resolves when its first packet has left, with the milliseconds since it was queued, or with null if it ended before that. */
  readonly started: Promise<number | null>;
  /** Always resolves. */
  readonly finished: Promise<Outcome>;
}

/** Round trips in milliseconds; null before the first measurement. */
interface Ping {
  ws: number | null;
  udp: number | null;
}

/**
 * The state of a session; `since` in milliseconds since 1970. `connecting`: not let in yet. `encrypting`: let in, and the end-to-end
 * encrypted group is being established. `ready`: packets can be sent; they are encrypted unless Discord has turned that off in this call,
 * and while nobody is there they count as played without being sent. `reconnecting`: it was ready, and is being rejoined.
 */
export type SessionState = { since: number } & (
  | { status: 'connecting' | 'reconnecting'; encrypted: false }
  | { status: 'encrypting'; encrypted: false; ping: Ping }
  | { status: 'ready'; encrypted: boolean; ping: Ping }
  | { status: 'closed'; encrypted: false; cause: VoiceError }
);

/**
 * What one member said, packet by packet, in the order in which it was spoken. `at`: `performance.now()` of its first sample, by RTP time.
 * `samples` are counted at 48 kHz.
 */
export type HeardSound =
  | { kind: 'packet'; userId: string; at: number; samples: number; opus: Uint8Array }
  /** A packet that never came, or could not be decrypted: the decoder conceals it. */
  | { kind: 'lost'; userId: string; at: number; samples: number }
  /** The member no longer sends anything (discontinuous transmission): silence until the next packet. */
  | { kind: 'pause'; userId: string; at: number };

/** Packets of one speaker since hearing began. `concealed` packets never came or could not be decrypted; `late` ones came after their turn. */
export interface HearingStats {
  /** Everything that came from the speaker, heard or not: without consent, nothing else is counted. */
  arrived: number;
  decrypted: number;
  failed: number;
  concealed: number;
  late: number;
}

export interface HearingOptions {
  /**
   * When this member agreed to be heard, by `performance.now()`; null = they haven't. Nothing that may have come earlier is decrypted. Asked
   * for each packet, so it must be cheap.
   */
  heardSince(userId: string): number | null;
  onSound(sound: HeardSound): void;
  /** `Hearing.unheard` has changed. */
  onUnheard(): void;
  /**
   * Nothing is heard any more: the channel was left or lost, or a moderator moved the bot (`kicked` as well, although the session goes on
   * in the other channel). Not called after `stop`.
   */
  onEnd(cause: VoiceError): void;
}

/** Lasts until `stop` or `onEnd`. The bot hears neither itself nor other bots. */
export interface Hearing {
  /** Wipes what is buffered of this member. */
  forget(userId: string): void;
  /** Members who can't be heard at present although they send, because their packets can't be decrypted. */
  readonly unheard: readonly string[];
  /** By user id; copies. */
  stats(): ReadonlyMap<string, HearingStats>;
  /** Wipes everything, and deafens the bot again. */
  stop(): void;
}

/**
 * Who needs the bot in its voice channel. A guild has one bot and several features, so whatever joins, moves or leaves asks this first:
 *
 * | needed by  | it doesn't leave for being | others can't move it away               | and when that ends, it leaves               |
 * |------------|----------------------------|-----------------------------------------|---------------------------------------------|
 * | `speech`   |                            | nobody can                              | when idle for a while                       |
 * | `captions` | idle, alone                | nobody can                              | at once                                     |
 * | `reading`  | idle                       | captions and reading can't, speech and `/read start` can, if people listen | at once  |
 * | `stay`     | idle, alone                | everybody can                           | when idle for a while                       |
 *
 * "At once" is unless another one needs it. `/leave`, whose rules ask for each feature's permission, and moderators of the server end it all.
 */
export type Need = 'speech' | 'captions' | 'reading' | 'stay';

export interface Session {
  readonly guildId: string;
  readonly channelId: string;
  /** Resolves when packets can be sent (see SessionState `ready`). Rejects with VoiceError. */
  readonly ready: Promise<void>;
  readonly state: SessionState;
  /** Number of utterances that have not ended, the current one included. */
  readonly length: number;
  /** These utterances in play order, the current one first. */
  items(): QueueItem[];
  /**
   * Queues the utterance at its member's turn; the current one is never interrupted. Takes effect synchronously, so a limit checked with
   * `items` immediately before holds. While a moderator has muted us, the utterance fails immediately, unprepared.
   * @throws RangeError if the id is queued already
   */
  enqueue(utterance: Utterance, options: EnqueueOptions): Playback;
  /**
   * Puts those of these utterances that are waiting in the background into this order, after all others there. One that is prepared keeps
   * its place.
   */
  arrange(ids: readonly string[]): void;
  /** Ends the current utterance, or, with an id, only if that is the current one; the next one begins. Returns false if nothing was ended. */
  skip(id?: string): boolean;
  /** Ends this utterance (`stopped`), playing or waiting. Returns false if there is none. */
  remove(id: string): boolean;
  /** Ends the current utterance and empties the queue; returns how many utterances it ended. */
  stop(): number;
  /** Who needs the bot in this channel. */
  readonly neededBy: readonly Need[];
  /**
   * Leaves, unless somebody needs the bot there. Call when something has ended that needed it. If only background speech is left, leaves once
   * that has ended; after any other speech, the usual time without any passes first.
   */
  leaveUnneeded(): void;
  /** Stays in the channel even when idle or alone. */
  readonly stay: boolean;
  setStay(on: boolean): void;
  /** Says whether messages are read aloud in this channel. When they no longer are, leaves unless somebody else needs the bot there. */
  setRead(isRead: boolean): void;
  /** Captions are about to hear this channel: until the returned function is called, they need the bot as if they heard it already. */
  expectHearing(): () => void;
  /**
   * Hears the members of the channel who have agreed to it.
   * @throws RangeError if the session hears already; VoiceError if it has ended
   */
  hear(options: HearingOptions): Hearing;
  /** What hears at present. */
  readonly hearing: Hearing | null;
  leave(): void;
}

/**
 * Lets one process at a time into a guild's voice channels, if there are several. Resolves when this one may join; the function that it
 * resolves with lets the next one in. Rejects only if the signal is aborted.
 */
export type VoicePermit = (guildId: string, signal: AbortSignal) => Promise<() => void>;

/** Observes what sessions do, for metrics and the log. */
export interface SessionObserver {
  /** A channel is being joined. */
  joining(session: Session): void;
  enqueued(utterance: Utterance, playback: Playback): void;
  /**
   * Packets of members who speak can't be decrypted. `rejoined`: the channel is joined again, which should help; `unheard`: it didn't help one
   * of them.
   */
  undecryptable(session: Session, consequence: 'rejoined' | 'unheard'): void;
}

export interface Sessions {
  get(guildId: string): Session | undefined;
  all(): Session[];
  /** Whether sound leaves this process wherever something is playing. */
  areSending(): boolean;
  /**
   * Joins the channel, or moves there if nobody needs the bot in another one (see `Need`). Returns immediately, before the session is `ready`.
   * @param options.sparesReading whether people to whom the bot reads in another channel keep it there
   * @throws VoiceError `busy` if it speaks or reads in another channel, `hearing` if it hears there, `disconnected` after `close`
   */
  join(channel: VoiceBasedChannel, options?: { sparesReading?: boolean }): Session;
  /**
   * Ends the sessions of a shard, now and later, because another process of the bot speaks there: what can be moved ends as handed over, and
   * each channel is left once the rest has ended. Resolves when all have been left.
   */
  handOver(shardId: number): Promise<void>;
  /** This process speaks there again. */
  takeBack(shardId: number): void;
  /** Leaves all channels. With `drain`, waits up to that many ms for the current utterances to end. */
  close(options?: { drain?: number }): Promise<void>;
}

export type VoiceErrorKind =
  /** The guild's session is speaking in another channel. */
  | 'busy'
  /** The guild's session hears what is said in another channel. */
  | 'hearing'
  /** Discord never let us in, or disconnected us again and again. */
  | 'join-timeout'
  /** Not let in, and the channel is at its user limit. */
  | 'channel-full'
  /** We may not join the channel, or may not (or no longer) speak there. */
  | 'not-permitted'
  /** A moderator has muted us in the guild. The session stays, since only a member in a channel can be unmuted. */
  | 'muted'
  /** A moderator has muted the member who queued the utterance. */
  | 'member-muted'
  /** The end-to-end encrypted group was not established, even after rejoining. */
  | 'encryption-timeout'
  /** The voice server's certificate is not trusted. */
  | 'untrusted'
  /** A moderator removed us from the channel. */
  | 'kicked'
  /** The channel was deleted. */
  | 'channel-gone'
  /** We left (idle, alone, or on request), or were removed from the guild. */
  | 'disconnected'
  /** A packet could not be sent: a fault of ours, or of a library. */
  | 'sending-failed'
  /** The process is ending, possibly to restart. */
  | 'closing'
  /** Discord closed the connection for good (4017, 4021, 4022). */
  | 'refused';

/** What went wrong with a voice connection. `code` is the voice gateway's close code, if there was one. */
export class VoiceError extends Error {
  readonly kind: VoiceErrorKind;
  readonly code: number | null;
  constructor(kind: VoiceErrorKind, message: string, options: { code?: number | null; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'VoiceError';
    this.kind = kind;
    this.code = options.code ?? null;
  }
}
