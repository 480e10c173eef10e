// What the voice layer plays and gives back. It knows no API: an Utterance is frames and nothing else.
import type { VoiceBasedChannel } from 'discord.js';

/** Something to be played once. */
export interface Utterance {
  /** Starts fetching what is needed for the first sound; may be called often, does so once. Never throws: failures reject `ready`. */
  prepare(): void;
  /** Settles when the first frame is there (after `prepare` or `open`), or with what went wrong before it. */
  readonly ready: Promise<void>;
  /** 20 ms Opus packets, 48 kHz; iterate once. Throws what goes wrong in mid-speech. */
  open(signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** Will not be played (any more): frees what `prepare` holds. */
  cancel(): void;
}

/** How an utterance ended. `seconds` of sound were sent, or would have been, had anybody been there to hear them. */
export type Outcome =
  | { ended: 'played' | 'skipped' | 'stopped'; seconds: number }
  /** `cause` is what the utterance threw, or a VoiceError. */
  | { ended: 'failed'; seconds: number; cause: unknown };

/** What lists of the queue show of an utterance. */
export interface QueueLabel {
  /** The name of the voice. */
  voice: string;
  /** null if it is not to be shown. */
  text: string | null;
}

/** Whose an utterance is, and under which name it can be found again while it waits or plays. */
export interface EnqueueOptions {
  /** Unique in the process: the id of the interaction that asked for it. */
  id: string;
  /** Members take turns: who has five waiting does not hold up who has one. */
  memberId: string;
  /** For lists of the queue; not used here. */
  label?: QueueLabel;
}

/** One utterance that has not ended, as lists of the queue show it. */
export interface QueueItem extends EnqueueOptions {
  /** How many are played before it; 0 = it is the current one. */
  position: number;
  playing: boolean;
  /** Milliseconds since 1970. */
  queuedAt: number;
}

export interface Playback {
  readonly id: string;
  /** How many utterances were before it when it was queued; 0 = it is the current one. Others may be put before it later. */
  readonly position: number;
  /** Resolves with true when for the first time there is only the current one before it, with false when it ended without having waited so. */
  readonly next: Promise<boolean>;
  /** Resolves when its first packet left (milliseconds since it was queued), or with null when it ended before that. */
  readonly started: Promise<number | null>;
  /** Always resolves. */
  readonly finished: Promise<Outcome>;
}

/** Round trips in milliseconds; null where none was measured yet. */
export interface Ping {
  ws: number | null;
  udp: number | null;
}

/**
 * Where a session stands; `since` in milliseconds since 1970. `connecting`: not let in yet. `encrypting`: let in, and the end-to-end
 * encrypted group is being made. `ready`: frames leave; they are not encrypted where Discord has switched that off in the call, and
 * while nobody is there they count as played and are not sent. `reconnecting`: it was ready, and is being joined again.
 */
export type SessionState = { since: number } & (
  | { status: 'connecting' | 'reconnecting'; encrypted: false }
  | { status: 'encrypting'; encrypted: false; ping: Ping }
  | { status: 'ready'; encrypted: boolean; ping: Ping }
  | { status: 'closed'; encrypted: false; cause: VoiceError }
);

export interface Session {
  readonly guildId: string;
  readonly channelId: string;
  /** Connected, and end-to-end encrypted where somebody is there to hear it (and Discord has not switched that off in the call). Rejects with VoiceError. */
  readonly ready: Promise<void>;
  readonly state: SessionState;
  /** Utterances not yet ended, the current one included. */
  readonly length: number;
  /** The same in play order, the current one first. */
  items(): QueueItem[];
  /**
   * Puts the utterance where its member's turn is; the current one is never interrupted. Done when it returns, so that a cap
   * checked with `items` just before, without waiting between, holds. While a moderator has us muted it fails at once, unprepared.
   * @throws RangeError where the id is queued already
   */
  enqueue(utterance: Utterance, options: EnqueueOptions): Playback;
  /** Ends the current utterance; the next one begins. With an id only when that is the current one. False when nothing was ended. */
  skip(id?: string): boolean;
  /** Ends this utterance (`stopped`), playing or waiting. False when there is none. */
  remove(id: string): boolean;
  /** Ends the current utterance and empties the queue; says how many were dropped. */
  stop(): number;
  /** Stays in the channel though it is idle or alone. */
  readonly stay: boolean;
  setStay(on: boolean): void;
  leave(): void;
}

export interface Sessions {
  get(guildId: string): Session | undefined;
  all(): Session[];
  /** Joins the channel, or moves there when the guild's session is elsewhere and silent (else throws VoiceError `busy`); returns at once, `ready` tells when. Throws `disconnected` after `close`. */
  join(channel: VoiceBasedChannel): Session;
  /** Leaves everywhere. With `drain`, the current utterances end first (at most that many ms). */
  close(options?: { drain?: number }): Promise<void>;
}

export type VoiceErrorKind =
  /** The guild's session is speaking in another channel. */
  | 'busy'
  /** Discord never let us in, or threw us out again and again. */
  | 'join-timeout'
  /** Not let in, and the channel has no free place. */
  | 'channel-full'
  /** We may not join the channel, or not speak there (any more). */
  | 'not-permitted'
  /** A moderator has muted us in the guild. The session goes on, for only who is in a channel can be unmuted. */
  | 'muted'
  /** A moderator has muted the member whose utterance it is. */
  | 'member-muted'
  /** The end-to-end encrypted group was not established, even after one more join. */
  | 'encryption-timeout'
  /** The voice server's certificate is not trusted here. */
  | 'untrusted'
  /** Put out of the channel by a moderator. */
  | 'kicked'
  /** The channel was deleted. */
  | 'channel-gone'
  /** We left (idle, alone, told to, closing), or were removed from the guild. */
  | 'disconnected'
  /** The process is ending, maybe to begin anew. */
  | 'closing'
  /** Closed for good by Discord (4017, 4021, 4022). */
  | 'refused';

/** What went wrong with a voice connection. `code` is the voice gateway's close code where there was one. */
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
