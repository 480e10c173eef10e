// What reading aloud needs.
import type { Client } from 'discord.js';
import type { CreditService } from '../charging/index.ts';
import type { Dictionaries } from '../dictionary/dictionaries.ts';
import type { Notices } from '../discord/notices.ts';
import type { IsServerMuted } from '../discord/voice-channels.ts';
import type { Translator } from '../locales/index.ts';
import type { Log } from '../log.ts';
import type { Settings } from '../store/settings.ts';
import type { SpeechEngine } from '../synthesis/index.ts';
import type { Sessions } from '../voice-session/types.ts';
import type { SpeechRateEstimator } from './backlog.ts';
import type { ReadOf } from './types.ts';
import type { VoicePool, VoicePoolOptions } from './voice-pool.ts';

export interface ReadingOptions extends VoicePoolOptions {
  client: Client<true>;
  sessions: Sessions;
  speech: SpeechEngine;
  settings: Settings;
  credit: CreditService;
  dictionaries: Dictionaries;
  isServerMuted: IsServerMuted;
  /** Whether Discord lets the bot read messages. */
  canRead: () => boolean;
  /** Whether this process reads a message, if several receive it. Never rejects; absent = always. */
  isOurs?: ((message: { id: string; guildId: string }) => Promise<boolean>) | undefined;
  /** Ends messages of these targets that another process still reads. @throws StoreError */
  endElsewhere(guildId: string, targets: readonly ReadOf[]): Promise<number>;
  log: Log;
}

/** Shows in the channel that a message isn't heard, if the bot may. */
export type MarkUnheard = (channelId: string, messageId: string) => void;

/** Call after a message was read. Never rejects. */
export type WatchBudget = (read: { guildId: string; memberId: string; textChannelId: string; t: Translator }) => Promise<void>;

/** What the parts of reading aloud share. */
export interface ReadingContext extends ReadingOptions {
  speechRate: SpeechRateEstimator;
  pool: VoicePool;
  notices: Notices;
  markUnheard: MarkUnheard;
  watchBudget: WatchBudget;
}
