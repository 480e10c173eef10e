// What any command may say.
import { inlineCode, userMention } from 'discord.js';

export const general = {
  /** Replaces an answer that never came. */
  interruptedByRestart: 'I restarted before this was done. Please ask me again.',
  /** Replaces a private reply that could only be sent where others read it. */
  toMember: (userId: string, sentence: string) => `${userMention(userId)}: ${sentence}`,
  restarting: 'I’m restarting. Try again in a minute.',
  unknownCommand: 'I don’t have this command anymore. Reload Discord to see what I have now.',
  unreadableInteraction: 'I didn’t understand what Discord sent me. Try again, or reload Discord.',
  started: 'On it.',
  directHint: `I only understand commands. Type ${inlineCode('/')} to see them, or use ${inlineCode('/help')}.`,
  expiredMessage: 'This message is out of date. Run the command again.',
  notYourButtons: (command: string) => `Only the member who asked can use these buttons. Run ${inlineCode(command)} to get your own.`,
  previousPage: '‹ Previous',
  nextPage: 'Next ›',
};
