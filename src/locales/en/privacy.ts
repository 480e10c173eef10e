// What /privacy says.
import { bold, inlineCode } from 'discord.js';
import { format } from './format.ts';

export const privacy = {
  title: 'Your privacy',
  /** @param host that texts and recordings are sent to; null = the service on the bot's own machine */
  sent: (host: string | null) =>
    host === null
      ? `${bold('Who gets it.')} Your texts and recordings go to a voice service on my own machine, and nowhere else.`
      : `${bold('Who gets it.')} Your texts and recordings go to the voice service at ${inlineCode(host)}, without your name. Its operator decides what happens to them there. I send them nowhere else.`,
  notKept: `${bold('What I never keep.')} Recordings and transcripts. I don’t write them, your texts or your name to any log.`,
  texts: `${bold('Texts.')} If my reply can’t show a text exactly as you typed it, for example because it’s long, I keep it sealed for up to 30 days so that Replay works. The only key is in the reply: once that’s deleted, nobody can read the text.`,
  kept: `${bold('What I keep about you.')} Your voice, favorite and recent voices, and speed, until you delete them. How much you’ve used, as numbers, for two days.`,
  madeVoices: `${bold('Voices you make.')} Their titles, who agreed to each and when, until you delete them. The recordings only go to the voice service. While I wait for someone to agree, I keep your request sealed, for 20 hours at most.`,
  /** @param bytes limit of the cache; 0 = off */
  sound: (bytes: number) =>
    bytes === 0
      ? `${bold('Sound.')} I don’t keep any.`
      : `${bold('Sound.')} I cache up to ${format.megabytes(bytes)} of audio, so repeats in the same server are free. The oldest goes first, and nothing stays longer than 30 days. File names don’t reveal the text. I note which sounds are yours, so you can delete them.`,
  server: `${bold('What I keep about servers.')} Settings, including who is muted in them, until they’re changed, or for 30 days after I’m removed. Usage totals, without names, for 31 days. How loud each voice is, for 90 days.`,
  messages: `${bold('My replies.')} They’re Discord messages and stay until someone deletes them.`,
  /** Instead of `messages`, on the local Discord. */
  localMessages: `${bold('My replies.')} This is the local Discord, on my own machine. In place of Discord’s servers it keeps everyone’s messages and attachments for a day, in a folder that only the user it runs as can read.`,
  openReplies: `While a reply isn’t finished, I note where it is so I can fix it after a restart. For replies only you can see, I also keep the sealed key needed to edit them, for 15 minutes at most. If you write to me directly, I note for a day that I’ve told you about my commands.`,
  erased: `${bold('Deleting.')} What you delete is overwritten right away. Other copies in my database, like the title of your voice among other members’ recent voices, are gone within 10 minutes.`,
  /** @param isRead whether the member lets their messages be read */
  reading: (isRead: boolean) =>
    `${bold('Reading aloud.')} Where someone has turned it on, I read new messages in that channel aloud in a voice channel. I don’t store them. I keep their sound in memory only, until the message is edited or deleted, and for at most an hour after it was last heard. I remember which voice reads yours in a server for 30 days after you were last heard. I also remember which channels you’ve turned it on for, until that’s turned off. ${isRead ? 'Your messages can be read aloud.' : 'You’ve chosen not to have your messages read aloud, in any server.'}`,
  optOutButton: 'Don’t read my messages',
  optInButton: 'Read my messages again',
  /** Deleting makes the member’s messages readable again. */
  optOutGoes: 'This also turns reading your messages aloud back on.',
  deleteButton: 'Delete my data…',
  emptyButton: 'Empty the sound cache…',
  /** @param hasSound whether sound is cached */
  deleteQuestion: (hasSound: boolean) =>
    hasSound
      ? 'Delete your voices, your speed, your dictionary, the texts I keep and their cached sound? You can’t undo this.'
      : 'Delete your voices, your speed, your dictionary and the texts I keep? You can’t undo this.',
  whatStays:
    'Two things stay: how much you’ve used today, for two days, so that deleting doesn’t reset your budget; and whether an admin muted you in a server.',
  deleteYes: 'Delete',
  cancel: 'Cancel',
  /** @param sounds that were deleted */
  deleted: (sounds: number) =>
    sounds === 0
      ? 'Done. I’ve deleted your data.'
      : `Done. I’ve deleted your data and ${format.plural(sounds, { one: '# cached sound', other: '# cached sounds' })}.`,
  /** Follows `deleted` and `emptied`: a process that has such sounds isn't running. */
  deletedLater: 'Some cached sound is on a machine that isn’t running right now. It’ll be deleted there before anything is played.',
  emptyQuestion: 'Empty the sound cache for all members and servers? Saying the same again will use credit.',
  emptyYes: 'Empty it',
  /** @param bytes that were freed */
  emptied: (bytes: number) => `Done. The sound cache is empty, which freed ${format.megabytes(bytes)}.`,
  /** Follows `madeVoices`. @param titles safe to show, at least one */
  yourVoices: (titles: string) => `Yours: ${titles}.`,
  /** Shown only if there are any. */
  voicesOfYou: (count: number) =>
    `${bold('Your voice in others’ hands.')} ${format.plural(count, { one: '# voice of another member is made from your recording, because you agreed to it.', other: '# voices of other members are made from your recordings, because you agreed to it.' })}`,
  /** Follows the question. @param count of voices that the member made, or that are made from their recordings */
  voicesToo: (count: number) =>
    format.plural(count, {
      one: 'This also deletes # voice that you made or that uses your recording, here and at the voice service.',
      other: 'This also deletes # voices that you made or that use your recordings, here and at the voice service.',
    }),
  /** Follows `deleted`. @param count at least 1 */
  voicesDeleted: (count: number) => format.plural(count, { one: '# voice is gone, too.', other: '# voices are gone, too.' }),
  /** Follows `voicesDeleted`. @param count at least 1 */
  voicesLeft: (count: number) =>
    format.plural(count, {
      one: 'The voice service couldn’t delete # voice just now. Nobody can use it anymore, and I’ll keep trying.',
      other: 'The voice service couldn’t delete # voices just now. Nobody can use them anymore, and I’ll keep trying.',
    }),
  operatorsOnly: `Only the bot’s owner can empty the sound cache. ${bold('Delete my data')} removes your part of it.`,
};
