// What admins read in /settings.
import { bold, channelMention, inlineCode } from 'discord.js';
import { code, format } from './format.ts';

export const settings = {
  adminsOnly: `You need ${bold('Manage Server')} to see and change my settings.`,
  notInGuild: 'I only have settings in servers I’m a member of. Invite me first.',
  title: (server: string) => `Settings for ${server}`,
  menu: 'What would you like to change?',
  /** At most 100 characters each. */
  sections: {
    voices: { label: 'Voices', what: 'The server’s voice, and voices for individual channels' },
    speaking: { label: 'Speaking', what: 'Volume, language, longest text, what replies show' },
    access: { label: 'Who and where', what: 'Roles, channels and muted members' },
    reading: { label: 'Reading aloud', what: 'Channels I always read, who is read, who can start it' },
    transcripts: { label: 'Transcripts', what: 'Voice messages that I answer with their words' },
    captions: { label: 'Captions', what: 'Voice channels whose words I write as people speak' },
    budgets: { label: 'Budgets', what: 'How much can be used per day' },
  },
  explain: {
    voices: 'Members who picked a voice keep it. Everyone else gets the voice channel’s, then the server’s.',
    speaking: 'Volumes above 100% may distort.',
    access: 'Admins can always use me, everywhere. Muted members can’t use `/say` and aren’t read aloud.',
    reading: 'Start in any channel with `/read start`, or choose channels here: I join when the first person enters the voice channel.',
    transcripts:
      'I answer voice messages in these channels, and in the threads and posts below them, with their words. Budgets and roles are those of `/transcribe`.',
    captions:
      'Start them with `/captions start`. I only hear people who agree. Each sentence counts for the transcription budgets of whoever says it.',
    budgets: 'Days are in UTC. You can only go lower than the bot’s owner allows. Repeats from the cache are free.',
  },
  /** A setting and its value. */
  line: (name: string, value: string) => `${bold(name)}: ${value}`,
  names: {
    voice: 'Server voice',
    channelVoices: 'Channel voices',
    volume: 'Volume',
    language: 'Language of public replies',
    lengthCap: 'Longest text',
    stay: 'Stay when nobody’s listening',
    showText: 'Show the text in replies',
    roles: 'Roles',
    channels: 'Channels',
    muted: 'Muted members',
    voiceMakers: 'Make voices',
    dictionary: 'Change the dictionary',
    guildSpeech: 'Speech, whole server',
    memberSpeech: 'Speech, per member',
    guildTranscription: 'Transcription, whole server',
    memberTranscription: 'Transcription, per member',
  },
  everyone: 'everyone',
  everywhere: 'everywhere',
  nobody: 'nobody',
  onlyAdmins: 'only admins',
  none: 'none',
  more: (count: number) => `and ${format.number(count)} more`,
  deletedRole: 'a deleted role',
  deletedChannel: 'a deleted channel',
  deletedVoiceChannel: 'a deleted voice channel',
  defaultVoice: 'Default voice',
  /** @param title of the default voice */
  defaultVoiceNamed: (title: string) => `Default voice (${title})`,
  serverVoice: 'Same as the server',
  channelVoice: (id: string, voice: string) => `${channelMention(id)} ${voice}`,
  characters: (count: number) => format.plural(count, { one: '# character', other: '# characters' }),
  minutes: (count: number) => format.plural(count, { one: '# minute', other: '# minutes' }),
  noLimit: 'no limit',
  off: 'off',
  isOn: 'On',
  isOff: 'Off',
  turnOn: 'Turn on',
  turnOff: 'Turn off',
  change: 'Change…',
  stayWhat: 'Off: I leave when nobody’s listening or nothing has played for a while.',
  showTextWhat: 'Off: replies say who’s speaking, but not what.',
  lengthCapWhat: 'Longer texts are cut, with a spoken “and so on”.',
  channelMenu: 'Server voice (or pick a voice channel)',
  voiceMenu: 'Pick a voice',
  /** The placeholder of the menu after a search. */
  found: (count: number, typed: string) => `${format.plural(count, { one: '# voice', other: '# voices' })} for “${typed}”`,
  asId: (id: string) => `Use the id ${id}`,
  search: 'Search for a voice…',
  searchTitle: 'Search for a voice',
  searchLabel: 'Title or id of a voice',
  noVoice: (typed: string) => `I can’t find a voice called ${code(typed)}. Try part of its title, or browse ${inlineCode('/voices')}.`,
  percent: (share: number) => format.percent(share),
  volume: (volume: number) => `Volume: ${format.percent(volume)}`,
  language: (language: string) => `Language: ${language}`,
  /** Names the language if none was chosen. */
  serverOwn: 'the server’s own',
  serverLanguage: 'Language: the server’s own',
  capTitle: 'Longest text',
  capLabel: (most: number) => `Characters, 1 to ${format.number(most)}`,
  capHint: 'Blank = as long as a message can be',
  rolesMenu: 'Roles that can use me (none = everyone)',
  channelsMenu: 'Channels I work in (none = all)',
  mutedMenu: 'Members who can’t use /say',
  voiceMakersMenu: 'Roles that can make voices (none = only admins)',
  dictionaryMenu: 'Dictionary roles (none = only admins)',
  tooMany: (most: number) => `I can’t list more than ${format.number(most)} here. Pick fewer.`,
  budgetsButton: 'Change budgets…',
  budgetsTitle: 'Daily budgets',
  budgetFields: {
    guildBudget: 'Characters spoken, whole server',
    memberBudget: 'Characters spoken, per member',
    guildMinutes: 'Minutes transcribed, whole server',
    memberMinutes: 'Minutes transcribed, per member',
  },
  /** @param most null = no limit */
  budgetHint: (most: number | null) =>
    most === null ? 'Blank = no limit. 0 = off.' : `Blank = maximum (${format.number(most)}). 0 = off.`,
  /** @param most null = no limit */
  wrongNumber: (field: string, least: number, most: number | null) =>
    most === null
      ? `${bold(field)} must be a whole number of at least ${format.number(least)}, or blank. I didn’t change anything.`
      : `${bold(field)} must be a whole number from ${format.number(least)} to ${format.number(most)}, or blank. I didn’t change anything.`,
  exportButton: 'Export',
  exported: 'Here are this server’s settings. The only personal data in them is the ids of muted members.',
  importButton: 'Import…',
  importTitle: 'Import settings',
  importLabel: 'Settings file',
  importHint: 'A file from Export. I’ll show what would change and ask first.',
  importQuestion: 'Import these settings? What isn’t in the file stays as it is.',
  importYes: 'Import',
  /** Follow the question. @param count of roles, channels and voices of channels */
  importWithout: (count: number) =>
    format.plural(count, {
      one: 'Left out: # role or channel that doesn’t exist in this server.',
      other: 'Left out: # roles and channels that don’t exist in this server.',
    }),
  /** @param values as in the file */
  importWrong: (values: string) => `I can’t use these, so they stay as they are: ${values}`,
  importNothing: (file: string) => `There’s nothing in ${code(file)} that would change a setting. I didn’t change anything.`,
  imported: 'Imported. These are your settings now.',
  undone: 'Undone. What the import changed is as it was before.',
  undoExpired: 'It’s too late to undo this. Change the settings here, or import an older file.',
  importFailed: (file: string) => `I can’t read ${code(file)} as settings. Use a file from Export. I didn’t change anything.`,
  resetButton: 'Reset…',
  resetQuestion:
    'Reset all settings of this server, including muted members? You can’t undo this. Export them first if you might want them back.',
  resetYes: 'Reset everything',
  cancel: 'Cancel',
};
