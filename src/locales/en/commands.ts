// The descriptions of the commands and their options, at most 100 characters each. Their names are the same in every language.
export const commands = {
  say: {
    description: 'Speak a text in your voice channel',
    text: 'What to say',
    voice: 'Voice to speak in. I’ll keep it for your next texts',
    channel: 'Voice channel to speak in, instead of yours',
    asFile: 'Send the sound as a file instead',
    speed: 'From 0.5 (slow) to 2 (fast), 1 is normal. I’ll keep it for your next texts',
  },
  queue: { description: 'See what’s playing and what’s next' },
  skip: { description: 'Skip what’s playing: your own text, or anyone’s if you’re a moderator' },
  stop: { description: 'Drop all your texts, or everyone’s if you’re a moderator' },
  leave: { description: 'Make me leave the voice channel' },
  transcribe: {
    description: 'Turn a recording into text',
    audio: 'The recording, up to 20 MB',
    language: 'The language spoken. Blank = detect it',
    timestamps: 'Show when each part was said. Blank = yes',
    format: 'Attach a file too',
    private: 'Show the transcript only to you',
  },
  voices: { description: 'Browse voices, hear them and pick yours' },
  status: { description: 'Find out why you hear nothing' },
  credit: { description: 'See what’s been used and what’s left' },
  privacy: { description: 'See what I keep about you, and delete it' },
  help: { description: 'What I can do and how to start' },
  settings: { description: 'Set me up for this server: voices, volume, who may use me, budgets' },
};
