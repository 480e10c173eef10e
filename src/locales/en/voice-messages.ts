// Voice messages that are answered with their words: what channels are told, what the buttons say, and what admins and members read about it.
import { bold, channelMention, inlineCode } from 'discord.js';
import { format } from './format.ts';

const privacyCommand = inlineCode('/privacy');
/** The command on a message, whose name isn’t translated. */
const transcribe = bold('Transcribe');

export const voiceMessages = {
  /** What a channel is told once. @param files whether sound files are answered, too */
  notice: {
    asked: (files: boolean) =>
      `${bold('Rather read than listen?')} I can answer ${files ? 'voice messages and sound files' : 'voice messages'} in this channel with their words. I only do that for people who switch it on: press the button, or use ${privacyCommand}. It then applies in every server that offers this.`,
    everyone: (files: boolean) =>
      `${bold('From now on')} I answer ${files ? 'voice messages and sound files' : 'voice messages'} in this channel with their words. Don’t want that for yours? Press the button, or use ${privacyCommand}. It then applies in every server.`,
    /** Follows either notice. */
    kept: 'The sound goes to the voice service. I keep neither the sound nor the words: they’re only in my reply, and I delete that when you delete your message.',
  },
  onButton: 'Transcribe my voice messages',
  offButton: 'Don’t transcribe my voice messages',
  /** Below the reply with the words. */
  stayOutButton: 'Don’t transcribe me',
  isOn: `Done. I’ll answer your voice messages with their words, wherever a server offers that. To undo it, use ${privacyCommand}.`,
  isOff: `Done. I won’t answer your voice messages with their words anymore, in any server. To undo it, use ${privacyCommand}.`,
  isOffAndDeleted: `Done. I’ve deleted my reply, and I won’t answer your voice messages with their words anymore, in any server. To undo it, use ${privacyCommand}.`,

  // Why a message isn’t answered.
  /** @param minutes the longest that is transcribed */
  tooLong: (minutes: number) =>
    `This is longer than ${format.duration(60 * minutes)}, the most that I transcribe on my own in this server. Use ${transcribe} on the message.`,
  tooMany: `That’s too many voice messages at once, so I’ve left some out. Use ${transcribe} on them.`,
  littleCredit: `There’s little credit left, so I won’t transcribe this on my own. Use ${transcribe} on the message.`,

  /** In /settings. */
  panel: {
    noAccess: `I can’t see voice messages as they arrive: the bot’s owner has to switch on reading messages (${inlineCode('READ_MESSAGES')}) and Discord’s ${bold('Message Content Intent')}. Until then, members can use ${transcribe} on a message.`,
    channels: 'Voice messages answered in',
    /** @param id of the channel @param permissions as Discord names them */
    lacks: (id: string, permissions: readonly string[]) =>
      `⚠️ I don’t answer in ${channelMention(id)} yet: I need ${format.and(permissions.map((name) => bold(name)))} there.`,
    /** Placeholders, and labels and descriptions of options: at most 100 characters each. */
    channelsMenu: 'Channels in which I answer (none = off)',
    who: { asked: 'Only people who switch it on', everyone: 'Everyone who doesn’t switch it off' },
    whoWhat: {
      asked: 'I post a message with a button in each channel',
      everyone: 'I tell each channel how to stay out. Please tell your members as well',
    },
    optionsMenu: 'None of: spoiler, sound files',
    options: {
      spoiler: { label: 'Hide the words', description: 'As a spoiler, until someone presses it' },
      files: { label: 'Sound files, too', description: 'Attached recordings, not only voice messages' },
    },
    longestName: 'Longest voice message',
    longest: (minutes: number) => `Up to ${format.duration(60 * minutes)}`,
    languageName: 'Spoken language',
    language: (name: string) => `Language: ${name}`,
  },
  /** Discord’s names of the permissions. */
  permissionNames: { AttachFiles: 'Attach Files', SendMessagesInThreads: 'Send Messages in Threads' },

  /** In /privacy. @param isOn null = the member hasn’t decided */
  privacy: (isOn: boolean | null) => {
    const choice =
      isOn === null
        ? 'You haven’t decided: yours are only answered where a server does that for everyone.'
        : isOn
          ? 'You’ve switched it on for yours, in every server that offers it.'
          : 'You’ve switched it off for yours, in every server.';
    return `${bold('Voice messages.')} Where admins have set it up, I answer voice messages with their words. I keep which reply belongs to which message for 30 days, so I can delete one with the other. ${choice}`;
  },
  /** These follow the question whether to delete everything. */
  optOutGoes: 'This also forgets that you don’t want your voice messages transcribed.',
  wordsToo: 'This also deletes my replies with the words of your voice messages from the last 30 days.',
};
