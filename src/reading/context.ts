// What reading aloud needs.
import type { Client } from 'discord.js';
import type { Api } from '../api/index.ts';
import type { CreditService } from '../charging/index.ts';
import type { Dictionaries } from '../dictionary/dictionaries.ts';
import type { Notices } from '../discord/notices.ts';
import type { IsServerMuted } from '../discord/voice-channels.ts';
import type { Translator } from '../locales/index.ts';
import type { Log } from '../log.ts';
import type { Store } from '../store/index.ts';
import type { Settings } from '../store/settings.ts';
import type { SpeechEngine } from '../synthesis/index.ts';
import type { VoiceOwners } from '../voice-catalogue/owners.ts';
import type { VoiceTitles } from '../voice-catalogue/titles.ts';
import type { Sessions } from '../voice-session/types.ts';
import type { SpeechRateEstimator } from './backlog.ts';
import type { ReadOf } from './types.ts';
import type { VoicePool } from './voice-pool.ts';

export interface ReadingOptions {
  client: Client<true>;
  api: Pick<Api, 'getModel'>;
  sessions: Sessions;
  speech: SpeechEngine;
  settings: Settings;
  credit: CreditService;
  store: Store;
  voiceTitles: VoiceTitles;
  voiceOwners: VoiceOwners;
  /** The id of the operator's default voice; null = the service's own. */
  defaultVoice: string | null;
  /** Ids of voices that nothing is read in: they take longer to make than to hear. */
  slowVoices: () => readonly string[];
  /** Each voice makes gibberish of every language but its own. */
  speaksOneLanguage: boolean;
  dictionaries: Dictionaries;
  isServerMuted: IsServerMuted;
  /** Whether Discord lets the bot read messages. */
  canRead: () => boolean;
  /** Whether this process reads a message, if several receive it. Never rejects; absent = always. */
  isOurs?: ((message: { id: string; guildId: string }) => Promise<boolean>) | undefined;
  /** Ends messages of these targets that another process still reads; absent = this is the only process. @throws StoreError */
  endElsewhere?: ((guildId: string, targets: readonly ReadOf[]) => Promise<number>) | undefined;
  log: Log;
  /** Milliseconds since 1970. */
  now: () => number;
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
