// What /help says, besides the commands' own descriptions.
import { bold, inlineCode } from 'discord.js';

export const help = {
  intro: 'Type something and I’ll say it in your voice channel. Send me a recording and I’ll write down what’s said.',
  stepsTitle: 'Get started',
  /** @param say @param voices the commands as links */
  steps: (say: string, voices: string) =>
    `1. Join a voice channel.\n2. Type ${say} and what I should say. Pick a voice in the ${inlineCode('voice')} option.\n3. Find your favorite in ${voices}.`,
  /** In places without voice channels. @param say the command as a link */
  asVoiceMessage: (say: string) => `There’s no voice channel here, so ${say} sends you a voice message.`,
  groups: {
    speaking: 'Speaking',
    listening: 'Transcribing',
    voices: 'Voices',
    about: 'Good to know',
    admins: 'For admins',
    more: 'More',
  },
  /** @param command as a link @param description its description in Discord */
  line: (command: string, description: string) => `${command} – ${description}`,
  /** How to use the commands on messages and members. @param name in Discord, the same in every language */
  contextCommands: {
    Transcribe: (name: string) =>
      `${bold(name)} – right-click a message (or press and hold it on a phone) and choose ${bold('Apps')} to read what’s said in it`,
    'Make a voice': (name: string) =>
      `${bold(name)} – right-click a message (or press and hold it on a phone) and choose ${bold('Apps')} to make a voice from the recording in it`,
    'Read this aloud': (name: string) =>
      `${bold(name)} – right-click a message (or press and hold it on a phone) and choose ${bold('Apps')} to hear it in your voice channel`,
    'Stop reading this member': (name: string) =>
      `${bold(name)} – for moderators: right-click a member and choose ${bold('Apps')} to stop or allow reading their messages`,
  },
};
