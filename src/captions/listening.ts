// From sound to words: finds where each member speaks, has it transcribed, and delivers the words in order.
import type { HeardSound } from '../voice/types.ts';

/** What one member said without a pause. */
export interface Caption {
  userId: string;
  /** When the member began to speak, and stopped, in milliseconds since 1970. */
  startedAt: number;
  endedAt: number;
  text: string;
}

export interface ListeningOptions {
  guildId: string;
  /** What a member probably speaks, in BCP 47, as a hint to the service; null = detected by the service. */
  language(userId: string): string | null;
  /**
   * Called in the order in which members began to speak, among those who have stopped: somebody who speaks for long doesn't hold up the
   * others, so `startedAt` may be earlier than that of the caption before.
   */
  onCaption(caption: Caption): void;
  /** How many seconds the oldest words that haven't been delivered are old, when that changes notably; 0 = less than 15. */
  onBehind(seconds: number): void;
  /** So many seconds of what the member said won't be captioned, because they are too old or the service failed. */
  onDropped(userId: string, seconds: number): void;
  /** Called once: what the member says is not captioned until the budget resets (milliseconds since 1970). Null = of the whole server. */
  onOutOfBudget(userId: string | null, resetsAt: number): void;
  /** A call failed for good, or speech can't be found. Already logged. */
  onFailure(error: unknown): void;
  /** So many seconds have been charged. */
  onCost(seconds: number): void;
}

/** The captions of one guild's voice channel. None of the callbacks is called after `close`. */
export interface Listening {
  /** Resolves when the first sound can be worked on; rejects with an Error whose message is a clause if that won't be possible here. */
  readonly ready: Promise<void>;
  hear(sound: HeardSound): void;
  /** The member no longer agrees: wipes what is held of them and ends their calls. Nothing of it is ever delivered. */
  forget(userId: string): void;
  /** Ends what is being said now; resolves when everything said so far has been delivered or dropped, after `timeoutMs` at the latest. */
  finish(timeoutMs: number): Promise<void>;
  /** Forgets everything at once. */
  close(): void;
}
