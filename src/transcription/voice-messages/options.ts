// What answering voice messages needs.
import type { Client } from 'discord.js';
import type { Log } from '../../log.ts';
import type { PostedWords } from '../../posted-words/posted-words.ts';
import type { Store } from '../../store/index.ts';
import type { Settings } from '../../store/settings.ts';
import type { JobContext } from '../job.ts';
import type { OpenVoiceMessage } from './types.ts';

/** Notes in the store that a message is being answered; never rejects. Resolves with what forgets the note. */
export type NoteVoiceMessage = (message: OpenVoiceMessage) => Promise<() => Promise<void>>;

export interface VoiceMessagesOptions extends JobContext {
  client: Client<true>;
  settings: Settings;
  store: Store;
  words: PostedWords;
  log: Log;
  note: NoteVoiceMessage;
  /** Takes one from the member's allowance; if none is left, returns when the next one is, in milliseconds since 1970. */
  takeAllowance(memberId: string): number | null;
  /** Whether Discord lets the bot read messages. */
  canRead: () => boolean;
  /** Whether this process answers a message, if several receive it. Never rejects; absent = always. */
  isOurs?: ((event: { id: string; guildId: string }) => Promise<boolean>) | undefined;
  /** Milliseconds since 1970. */
  now: () => number;
}
