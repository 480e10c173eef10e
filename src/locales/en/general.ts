// What any command may say.
import { inlineCode, userMention } from 'discord.js';

export const general = {
  /** Replaces an answer that never came. */
  interruptedByRestart: 'I was restarted before this was done. Please ask me again.',
  /** Replaces a private reply that could only be sent where others read it. */
  toMember: (userId: string, sentence: string) => `${userMention(userId)}: ${sentence}`,
  restarting: 'I am being restarted. Please try again in a minute.',
  unknownCommand: 'I do not know this command (any more). Reload Discord to see what there is.',
  unreadableInteraction: 'I could not make out what Discord told me of this. Run the command again; if it goes on, reload Discord.',
  expiredMessage: 'The message this belongs to is gone. Run the command again.',
  notYourButtons: (command: string) =>
    `Only the member who asked can use these buttons. Run ${inlineCode(command)} yourself to get your own.`,
  previousPage: '‹ Previous',
  nextPage: 'Next ›',
};
