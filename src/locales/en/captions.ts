// Captions of a voice channel: starting them, the panel, what is said and written while they run, and what admins and members read about them.
import { bold, channelMention, inlineCode, roleMention, userMention } from 'discord.js';
import { format } from './format.ts';

const start = inlineCode('/captions start');
const privacyCommand = inlineCode('/privacy');
const captionMe = bold('Caption me');

export const captions = {
  // Starting and stopping them.
  notInGuild: 'I can only caption voice channels of servers I’m a member of. Invite me first.',
  noVoiceChannel: `I don’t know which voice channel you mean. Join it, or use ${start} in its chat.`,
  noSpareCalls:
    'I can’t caption here: I may make only one call to the voice service at a time, and captions would block everything else. The bot’s owner can raise `VOICE_API_CONCURRENCY` to 2 or more.',
  /** @param roleIds who may; empty if those roles are gone */
  notAllowed: (roleIds: readonly string[]) =>
    roleIds.length > 0
      ? `Only members with ${format.or(roleIds.map(roleMention))} can start captions here. A server admin can give you the role.`
      : 'Only members with certain roles can start captions here, and those roles are gone. Ask a server admin to choose others.',
  channelNotAllowed: (channelIds: readonly string[]) =>
    channelIds.length > 0
      ? `Captions are only allowed in ${format.or(channelIds.map(channelMention))} here. Join and try again.`
      : `The voice channels where captions are allowed are gone. Ask a server admin to choose others in ${inlineCode('/settings')}.`,
  /** @param permissions as Discord names them @param channelId where the captions would be written */
  missing: (permissions: readonly string[], channelId: string) =>
    `To write captions, I need ${format.and(permissions.map((name) => bold(name)))} in ${channelMention(channelId)}. Server admins can allow that in the channel’s settings.`,
  cannotConnect: (channelId: string) =>
    `You can’t join ${channelMention(channelId)}, so you can’t start captions there. Pick another voice channel.`,
  alreadyOn: (link: string) => `Captions are on already: ${link}`,
  elsewhere: (channelId: string) =>
    `I’m captioning in ${channelMention(channelId)}, and I can only be in one voice channel. Try again when captions there have ended.`,
  started: (link: string) => `Captions are on: ${link}\nNobody is heard until they press ${captionMe} there.`,
  notOn: `Captions aren’t on in this server. ${start} turns them on.`,
  /** @param starterId who started them */
  mayNotStop: (starterId: string) =>
    `Captions can be stopped by ${userMention(starterId)}, who started them, by a moderator, or by the last member who is captioned. To be left out yourself, press ${bold('Stop captioning me')}.`,
  stopped: 'Done. Captions are off.',
  leaveStops: 'I’m captioning in that voice channel, and leaving would end the captions.',

  // The panel.
  title: (channelId: string) => `Captions of ${channelMention(channelId)}`,
  what: `What people say there is written here for everyone to read. I only hear those who press ${captionMe}: nobody else’s sound is even decrypted.`,
  /** @param host that the sound is sent to; null = the service on the bot's own machine */
  sound: (host: string | null) =>
    host === null
      ? 'The sound of each sentence goes to a voice service on my own machine, and nobody keeps it. The words are only in my messages here.'
      : `The sound of each sentence goes to the voice service at ${inlineCode(host)}, without your name. I don’t keep it. The words are only in my messages here.`,
  /** @param isKept whether agreement is kept for the server */
  consent: (isKept: boolean) =>
    isKept
      ? `If you agree, I remember it in this server for 90 days, or until you press ${bold('Stop captioning me')}.`
      : 'I ask each time: when these captions end, I forget who agreed.',
  startedBy: (memberId: string) => `Started by ${userMention(memberId)}`,
  /** @param memberIds at most 20 @param more how many others */
  captioned: (memberIds: readonly string[], more: number) =>
    `${bold('Captioned:')} ${memberIds.length === 0 ? 'nobody yet' : [...memberIds.map(userMention), ...(more > 0 ? [`and ${format.number(more)} more`] : [])].join(' ')}`,
  unheard: (memberIds: readonly string[]) =>
    `⚠️ ${bold('Can’t be heard:')} ${memberIds.map(userMention).join(' ')}. Their sound can’t be decrypted; leaving the voice channel and joining again usually helps.`,
  /** @param at milliseconds since 1970 */
  outOfBudget: (memberId: string, at: number) =>
    `⚠️ ${userMention(memberId)} has used up a daily budget for transcription. They’ll be captioned again ${format.relative(at)}.`,
  serverOutOfBudget: (at: number) => `⚠️ This server has used up its daily budget for transcription. Captions go on ${format.relative(at)}.`,
  /** @param seconds charged @param cost in the wallet’s unit; null = unknown */
  cost: (seconds: number, cost: number | null) =>
    `So far: ${format.duration(seconds)} of speech, from the budgets of those who spoke${cost === null ? '' : `, about ${format.significant(cost)} of credit`}`,
  captionButton: 'Caption me',
  stopButton: 'Stop captioning me',
  deleteButton: 'Delete my words',
  /** Placeholder. */
  languageMenu: 'The language I speak (only for me)',
  hasEnded: 'Captions have ended',

  // Answers that only one member sees.
  isOn: (isKept: boolean) =>
    isKept
      ? `Done. What you say is captioned, here and when captions are on in this server in the next 90 days. ${bold('Stop captioning me')} or ${privacyCommand} undoes that.`
      : `Done. What you say is captioned until these captions end, or until you press ${bold('Stop captioning me')}.`,
  isOff: `Done. I no longer hear you. What was being written down is thrown away; to remove what’s already here, press ${bold('Delete my words')}.`,
  /** The same, while it can’t be stored. */
  isOffUnstored: `Done. I no longer hear you. I can’t save that yet, but I’ll keep trying. If I’m restarted before it works, press ${bold('Stop captioning me')} again.`,
  excluded: 'An admin of this server decided that members with one of your roles are never captioned.',
  /** @param count of lines */
  wordsDeleted: (count: number) =>
    count === 0
      ? 'There’s nothing of yours here.'
      : `Done. I’ve deleted ${format.plural(count, { one: '# line of yours', other: '# lines of yours' })}.`,
  /** @param name of the language; null = detected */
  languageChosen: (name: string | null) =>
    name === null ? 'Done. I’ll detect the language you speak.' : `Done. I’ll expect you to speak ${name}.`,
  notCaptioned: `You’re not captioned. Press ${captionMe} first.`,
  endedAlready: `These captions have ended. ${start} turns them on again.`,

  // Among the captions.
  behind: (seconds: number) => `I’m ${format.duration(seconds)} behind.`,
  /** @param name formatted already */
  dropped: (name: string, seconds: number) => `I left out ${format.duration(seconds)} of what ${name} said.`,
  failed: 'The voice service isn’t working right now, so some of what’s said is missing. I keep trying.',
  resumed: 'I was interrupted. What was said just before this may be missing.',

  // How they ended.
  ended: {
    /** @param memberId who stopped them */
    stopped: (memberId: string) => `Captions have ended: ${userMention(memberId)} turned them off.`,
    nobody: 'Captions have ended: for two minutes, nobody who is captioned was in the voice channel.',
    moved: 'Captions have ended: a moderator moved or disconnected me.',
    left: 'Captions have ended: I left the voice channel.',
    channelGone: 'Captions have ended: the voice channel was deleted.',
    lost: `Captions have ended: I lost the connection to the voice channel. ${start} turns them on again.`,
    unwritable: 'Captions have ended: I can’t write in this channel anymore.',
    interrupted: `Captions have ended: I was offline for too long. ${start} turns them on again.`,
    unavailable: 'Captions have ended: I can’t write down speech on this machine. The bot’s owner can see why in my log.',
  },
  /** Below the sentence with which they ended. */
  noTranscript: 'There’s no transcript this time, because I couldn’t read everything it needs. The captions above stay.',
  /** The name of the transcript. @param channel name of the voice channel */
  transcriptName: (channel: string) => `Captions of ${channel}`,
  /** The name of the thread. */
  threadName: (channel: string) => `Captions of ${channel}`,
  /** Above the people in the voice channel. */
  voiceStatus: '💬 Captions are on',

  /** Spoken in the voice channel. */
  spoken: {
    begin: 'Captions are on. I only write down what people say who press “Caption me” in the chat.',
    joined: 'Captions are on here. If you’d like yours written down, press “Caption me” in the chat.',
  },
  /** Discord’s names of the permissions. */
  permissionNames: { CreatePublicThreads: 'Create Public Threads' },
  /** In /status. @param count of members who are captioned */
  status: (channelId: string, count: number) =>
    `Captions: on in ${channelMention(channelId)}, ${format.plural(count, { one: '# member', other: '# members' })}`,

  /** In /settings. */
  panel: {
    starters: 'Can start captions',
    startersMenu: 'Roles that can start captions (none = everyone)',
    channels: 'Captions allowed in',
    channelsMenu: 'Voice channels for captions (none = all)',
    excluded: 'Never captioned',
    excludedMenu: 'Roles that are never captioned',
    consentName: 'Agreement',
    consent: { kept: 'Remember who agreed for 90 days', each: 'Ask everyone each time' },
    placeName: 'Written in',
    place: { chat: 'In the voice channel’s chat', thread: 'In a thread' },
    placeWhat: {
      chat: 'Wherever captions are started',
      thread: 'Of the text channel they’re started in; a voice channel’s chat has no threads',
    },
    languageName: 'Spoken language',
    language: (name: string) => `Language: ${name}`,
  },

  /** In /privacy. @param count of servers where the member’s agreement is kept */
  privacy: (count: number) =>
    `${bold('Captions.')} In voice channels with captions, I hear you only if you agreed. Sound stays in memory for one sentence; the words are only in my messages. ${
      count === 0
        ? 'You haven’t agreed anywhere.'
        : `I remember that you agreed in ${format.plural(count, { one: '# server', other: '# servers' })}, with the language you chose, for 90 days.`
    }`,
  /** Follows the question whether to delete everything. */
  consentGoes: 'This also withdraws your agreement to be captioned, everywhere.',
};
