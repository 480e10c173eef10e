// What may be said after any command.
import { inlineCode, TimestampStyles, time, userMention } from 'discord.js';
import { code } from './words.ts';

export const anywhere = {
  /** As Discord calls them. */
  permissions: { ViewChannel: 'View Channel', Connect: 'Connect', Speak: 'Speak' },
  /** In the place of an answer that was still to come. */
  lostByRestart: 'I was restarted before this was done. Please ask me again.',
  /** What was meant for this member alone, and can be said only where others read it. */
  toldInPublic: (userId: string, sentence: string) => `${userMention(userId)}: ${sentence}`,
  closing: 'I am being restarted. Please try again in a minute.',
  unexpected: (reference: string) =>
    `Something went wrong on my side, and it has been noted. Please try again; if it goes on, tell whoever runs me this reference: ${code(reference)}.`,
  storeFailed:
    'I cannot read or write what I keep at the moment, so nothing was changed. Try again in a minute; if it goes on, whoever runs me must look at the disk of `DATA_DIR`.',
  discordFailed: (status: number) =>
    `Discord has a problem of its own (${status}), so my answer did not get through. Try again in a minute.`,
  /** @param at milliseconds since 1970 */
  discordBusy: (at: number) =>
    `Discord takes no more answers of this kind from me for a while. Try again ${time(Math.ceil(at / 1000), TimestampStyles.RelativeTime)}.`,
  unknownCommand: 'I do not know this command (any more). Reload Discord to see what there is.',
  notMadeOut: 'I could not make out what Discord told me of this. Run the command again; if it goes on, reload Discord.',
  noPermission: 'Discord did not let me do that here. Ask an admin to give me the permissions of my invite link in this channel.',
  expiredMessage: 'The message this belongs to is gone. Run the command again.',
  notYours: (command: string) => `Only the member who asked can use these buttons. Run ${inlineCode(command)} yourself to get your own.`,
  previousPage: '‹ Previous',
  nextPage: 'Next ›',
  notInGuild: 'I can only speak in a server that I am a member of. Ask an admin to invite me, or use `as_file` to get the sound as a file.',
} as const;
