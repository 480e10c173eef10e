// Voice messages that are answered with their words, as the commands see them.
import type { Message, PartialMessage } from 'discord.js';
import type { Left } from '../../posted-words/removals.ts';

export interface VoiceMessages {
  /** Call with each message with a file, or that forwards another, that somebody else has written. */
  handleMessage(message: Message): void;
  handleEdit(message: Message | PartialMessage): void;
  handleDeletion(message: Message | PartialMessage): void;
  /** False if another process, or this one later, may go on with the message: its server isn't here, and the message is still news. */
  canResume(message: OpenVoiceMessage): boolean;
  /**
   * Goes on with a message that a killed process had begun to answer: takes the reaction off it, and begins anew unless it is old by now, or was
   * begun anew before. @throws DiscordAPIError, StoreError
   */
  resume(message: OpenVoiceMessage): Promise<void>;
  /** Ends what is being transcribed of a member, in every process. @throws StoreError */
  cancel(memberId: string): Promise<void>;
  /**
   * Deletes one of our replies, whatever else there is below the same message. Resolves with what is left to do.
   * @param memberIds who sent the message, and who speaks in it @throws StoreError
   */
  deleteReply(reply: ShownReply, memberIds: readonly string[]): Promise<Left[]>;
  /** Deletes the words of a member's messages, as far as is known which they are, or notes that they are to be. @throws StoreError */
  deleteOf(memberId: string): Promise<void>;
  /** Answers nothing new from now on. */
  endSoon(): void;
  /** Resolves when what is being done now in these servers has ended. */
  current(isMeant: (guildId: string) => boolean): Promise<unknown>;
  /** Resolves when everything that was begun has ended. */
  settled(): Promise<unknown>;
  close(): void;
}

type ShownReply = Pick<Message, 'id' | 'guildId' | 'channelId' | 'reference'>;

/** A message that is being answered. */
export interface OpenVoiceMessage {
  channelId: string;
  messageId: string;
  /** A process has been killed while it answered the message. */
  again: boolean;
}
