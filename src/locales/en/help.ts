// What /help says.
import { bold, inlineCode } from 'discord.js';

export const help = {
  intro:
    'I speak what you type in your voice channel, in a voice that you choose, and I turn recordings and voice messages into text with times.',
  /** @param say @param voices @param settings commands as they are mentioned */
  steps: (say: string, voices: string) =>
    `1. Join a voice channel.\n2. Type ${say} and a text. The voice is found as you type in ${inlineCode('voice')}.\n3. Find the voice that you like best in ${voices}.`,
  elsewhere: (say: string) =>
    `Here, outside of the servers that I am a member of, I have no voice channel: use ${say} with ${inlineCode('as_file')} to get the sound as a file.`,
  fields: {
    steps: 'First steps',
    speaking: 'Speaking',
    listening: 'Listening',
    voices: 'Voices',
    trouble: 'What else you may want to know',
    admins: 'For admins',
    more: 'More',
  },
  /** Keyed by command name; commands that are not registered are left out. */
  commands: {
    speaking: {
      say: 'speaks a text in your voice channel, or gives it as a file',
      queue: 'what waits to be spoken',
      skip: 'ends what is being spoken',
      stop: 'ends it, and drops what waits',
      leave: 'sends me out of the voice channel',
    },
    listening: {
      transcribe: 'turns a recording into text with times',
      Transcribe: `${bold('Transcribe')}: right-click a message (on a phone: hold it), ${bold('Apps')}, to read what is said in it`,
    },
    voices: { voices: 'browse, hear and choose voices' },
    trouble: {
      status: 'why you hear nothing, and what to do',
      credit: 'what was used, and what is left for today',
      privacy: 'what I keep, for how long, and how to delete it',
      help: 'this',
    },
    admins: { settings: 'voices, volume, who may use me and where, budgets' },
  },
};
