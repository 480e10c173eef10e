// Voice messages that are answered with their words, as the commands see them.
import type { Message, PartialMessage } from 'discord.js';

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
  /** Ends what is being transcribed of a member here. */
  cancel(memberId: string): void;
  /** One of our replies is gone. @throws StoreError */
  forgetReply(reply: { id: string; guildId: string | null; reference: { messageId?: string | undefined } | null }): Promise<void>;
  /** Deletes the words of a member's messages, as far as is known which they are. @throws StoreError */
  deleteOf(memberId: string): Promise<void>;
  /** Answers nothing new from now on. */
  endSoon(): void;
  /** Resolves when what is being done now in these servers has ended. */
  current(isMeant: (guildId: string) => boolean): Promise<unknown>;
  /** Resolves when everything that was begun has ended. */
  settled(): Promise<unknown>;
  close(): void;
}

/** A message that is being answered. */
export interface OpenVoiceMessage {
  channelId: string;
  messageId: string;
  /** A process has been killed while it did. */
  again: boolean;
}
