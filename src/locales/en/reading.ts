// What /read, Read this aloud and Stop reading this member say, and the section of /settings for reading.
import { bold, channelMention, inlineCode, roleMention, userMention } from 'discord.js';
import { code, format } from './format.ts';

const start = inlineCode('/read start');
const stop = inlineCode('/read stop');
const settings = inlineCode('/settings');
const channels = (ids: readonly string[]) => format.and(ids.map(channelMention));
const seconds = (count: number) => format.plural(count, { one: '# second', other: '# seconds' });

export const reading = {
  // Why reading can't be started.
  noAccess: `Discord doesn’t let me read messages. The bot’s owner can switch on ${bold('Message Content Intent')} in the developer portal and restart me. Until then, I can only read single messages with ${bold('Read this aloud')}.`,
  notInGuild: 'I can only read channels in servers I’ve been added to. Ask an admin to add me here.',
  /** @param roles that may do it, besides admins */
  notAllowed: (roles: readonly string[]) =>
    roles.length === 0
      ? `You need ${bold('Manage Server')} to start or stop reading. Admins can allow more roles in ${settings}.`
      : `You need ${bold('Manage Server')} or ${format.or(roles.map(roleMention))} to start or stop reading. An admin can give you the role.`,
  privateThread: `I don’t read private threads aloud, because people who weren’t invited would hear them. Use ${start} in a channel.`,
  noVoiceChannel: `You’re not in a voice channel. Join one, or pick one in ${inlineCode('voice_channel')}.`,
  cannotSeeVoice: 'You can’t see that voice channel. Pick another one.',
  /** @param id of a text channel that the member doesn't see */
  cannotSeeText: (id: string) => `You can’t see ${channelMention(id)}, so you can’t have it read aloud.`,
  /** @param id of a text channel that the bot doesn't see */
  iCannotSee: (id: string) =>
    `I can’t see what’s written in ${channelMention(id)}. A server admin can allow me ${bold('View Channel')} there.`,
  /** @param text @param voice ids of channels */
  alreadyReading: (text: string, voice: string) => `I’m already reading ${channelMention(text)} aloud in ${channelMention(voice)}.`,
  /** @param texts @param voice ids of channels */
  readingElsewhere: (texts: readonly string[], voice: string) =>
    `People in ${channelMention(voice)} are listening to me read ${channels(texts)}, and I can only be in one voice channel at a time. Use ${stop} first, or pick that voice channel.`,
  // The question if people would hear what they can't see.
  /** @param who roles and members, as mentions @param text @param voice ids of channels */
  exposed: (who: readonly string[], text: string, voice: string) =>
    `${bold('Some people who can’t see this channel would hear it.')}\nThey can join ${channelMention(voice)}, but can’t see ${channelMention(text)}: ${format.and(who)}. Read it aloud anyway?`,
  everyone: 'everyone',
  /** How many more roles and members there are. */
  others: (count: number) => format.plural(count, { one: '# other', other: '# others' }),
  startAnyway: 'Read it aloud anyway',
  cancel: 'Cancel',
  cancelled: 'OK, I’m not reading it.',
  startedAnyway: 'OK, I’m reading it.',
  // What everybody in the channel reads.
  /** @param member id @param text @param voice ids of channels */
  started: (member: string, text: string, voice: string) =>
    `${userMention(member)} has turned on reading aloud: I now read what’s written in ${channelMention(text)} to everyone in ${channelMention(voice)}.`,
  /** After the bot was sent out of the voice channel, or reading was paused. @param member id @param text @param voice ids of channels */
  resumed: (member: string, text: string, voice: string) =>
    `${userMention(member)} has brought me back: I read what’s written in ${channelMention(text)} to everyone in ${channelMention(voice)} again.`,
  optOut: `Don’t want your messages read? Use ${inlineCode('/read me off')}.`,
  /** @param prefix of messages that aren't read */
  skipOne: (prefix: string) => `To skip a single message, start it with ${code(prefix)}.`,
  /** @param member id @param texts ids of channels */
  stopped: (member: string, texts: readonly string[]) => `${userMention(member)} has turned off reading aloud for ${channels(texts)}.`,
  stoppedAlways: `It’s set to always be read, so I’ll be back once everyone has left the voice channel and someone joins again. Admins can change that in ${settings}.`,
  notReading: `I’m not reading any channel aloud. Start with ${start}.`,
  // /stop and /leave while a channel is being read.
  stillReading: `I’ll keep reading new messages. To stop that, use ${stop}.`,
  pausedReading: `I’ll start again after everyone has left the voice channel and someone joins again, or with ${start}.`,
  /** Tells a member who may not stop the reading. @param texts ids of channels that are read */
  leaveStops: (texts: readonly string[]) => `I’m reading ${channels(texts)} aloud here, and leaving would stop that.`,
  // /read me.
  /** @param dropped messages that were waiting */
  meOff: (dropped: number) =>
    dropped === 0
      ? 'Done. I won’t read your messages aloud, in any server.'
      : `Done. I won’t read your messages aloud, in any server. ${format.plural(dropped, { one: 'I dropped # that was waiting.', other: 'I dropped # that were waiting.' })}`,
  meOn: 'Done. I’ll read your messages aloud again, wherever that’s turned on.',
  /** Reading is switched off for the member, who can’t change that. */
  mutedHere: `In this server, a moderator has switched reading off for you. Ask an admin: they can undo it with ${bold('Stop reading this member')} or in ${settings}.`,
  // Read this aloud.
  authorOptedOut: (id: string) => `${userMention(id)} doesn’t want their messages read aloud.`,
  authorMuted: (id: string) => `Reading ${userMention(id)}’s messages aloud is switched off in this server.`,
  nothingToRead: 'There’s nothing in this message that I can read aloud. Pick one with words.',
  messageGone: 'The message was deleted before I could read it.',
  /** @param author id @param link to the message */
  readsMessage: (author: string, link: string) => `Reads ${userMention(author)}’s [message](${link}) aloud`,
  // Stop reading this member.
  /** @param id of the member */
  muted: (id: string) =>
    `Done. I won’t read ${userMention(id)}’s messages aloud anymore, and they can’t use ${inlineCode('/say')}. An admin can undo it with this command or in ${settings}.`,
  unmuted: (id: string) => `Done. I’ll read ${userMention(id)}’s messages aloud again, and they can use ${inlineCode('/say')}.`,
  onlyAdminsUnmute: (id: string) =>
    `I’m already not reading ${userMention(id)}’s messages aloud. Only an admin can undo that, with this command or in ${settings}.`,
  cannotMuteMe: 'I don’t read my own messages aloud. Pick someone else.',
  status: {
    title: 'Reading aloud',
    /** @param text @param voice ids of channels */
    reads: (text: string, voice: string) => `I read ${channelMention(text)} in ${channelMention(voice)}.`,
    readsAlways: (text: string, voice: string) => `I always read ${channelMention(text)} in ${channelMention(voice)}.`,
    /** Why nothing is being read, and how it can resume. */
    paused: {
      leave: `I’m not reading right now: someone sent me out of the voice channel with ${inlineCode('/leave')}. I’ll be back once everyone has left it and someone joins again, or with ${start}.`,
      disconnect: `I’m not reading right now: a moderator disconnected me from the voice channel. I’ll be back once everyone has left it and someone joins again, or with ${start}.`,
    },
    /** @param texts ids of channels that are always read */
    stopped: (texts: readonly string[]) =>
      `I always read ${channels(texts)}, but someone has turned that off with ${stop}. I’ll be back once everyone has left the voice channel and someone joins again, or with ${start}.`,
    nothing: `I’m not reading any channel aloud. Use ${start} in the one I should read.`,
    nothingWaits: 'Nothing is waiting',
    /** @param delay seconds until a new message is heard */
    waiting: (messages: number, delay: number) =>
      `${format.plural(messages, { one: '# message is waiting', other: '# messages are waiting' })}; a new one will be heard in about ${format.duration(delay)}`,
    /** @param factor by which the speed is increased */
    faster: (factor: number) => `I’m speaking ${format.number(factor, 1)}× as fast to keep up`,
    nameless: 'I’m leaving out names to keep up',
    skipped: (count: number) =>
      format.plural(count, { one: 'I’ve skipped # message to keep up', other: 'I’ve skipped # messages to keep up' }),
    /** @param characters null = no limit @param resets as "in 3 hours" */
    left: (characters: number | null, resets: string) =>
      characters === null
        ? 'This server has no daily limit'
        : `Left for this server today: ${format.plural(characters, { one: '# character', other: '# characters' })} (resets ${resets})`,
    usedUp: (resets: string) => `This server has used up today’s speech budget. It resets ${resets}.`,
    optedOut: `You’ve opted out, so I don’t read your messages. Undo it with ${inlineCode('/read me on')}.`,
    /** @param title of the voice that the member has chosen, formatted */
    slowVoice: (title: string) => `${title} is too slow on this computer to read aloud in, so I read your messages in another voice.`,
    /** @param sentence of its own @param at as "3 minutes ago" */
    problem: (sentence: string, at: string) => `Last problem, ${at}: ${sentence}`,
    titles: { now: 'Right now', here: 'In', you: 'You' },
    viewChannelNext: 'without it I don’t get any messages; a server admin can allow it',
    optional: {
      SendMessages: 'without it I can’t write here why something isn’t heard',
      AddReactions: 'without it I can’t mark messages that aren’t heard',
      ReadMessageHistory: 'without it I can’t mark messages that aren’t heard, or read forwarded ones',
    },
    /** Discord's names of the permissions. */
    permissionNames: { SendMessages: 'Send Messages', AddReactions: 'Add Reactions', ReadMessageHistory: 'Read Message History' },
  },
  /** In /settings. */
  panel: {
    always: 'Always read',
    /** @param text @param voice channels as mentions */
    pair: (text: string, voice: string) => `${text} in ${voice}`,
    /** Placeholders, and labels and descriptions of options: at most 100 characters each. */
    alwaysMenu: 'Always read: pick the voice channel to read in',
    textMenu: 'Text channels to always read there',
    who: {
      everyone: 'Read everyone’s messages',
      listeners: 'Only read people in the voice channel',
    },
    optionsMenu: 'None of: names, bots, reactions',
    options: {
      names: { label: 'Say who’s writing', description: 'Only when the speaker changes' },
      bots: { label: 'Read bots', description: 'Messages from other bots and webhooks, too' },
      reactions: { label: 'Mark what isn’t heard', description: 'With a reaction on the message' },
    },
    roles: 'Roles that are read',
    rolesMenu: 'Roles that are read (none = everyone)',
    readerRoles: 'Can start and stop reading',
    readerRolesMenu: 'Other roles that can start and stop',
    adminsOnly: 'only admins',
    delay: 'New messages are heard within',
    seconds,
    prefix: 'Not read if it begins with',
    formTitle: 'Reading aloud',
    delayLabel: 'Seconds until a message is heard',
    delayHint: (least: number, most: number, usual: number) =>
      `${format.number(least)} to ${format.number(most)}. Blank = ${format.number(usual)}. If there’s more, I skip some.`,
    prefixLabel: 'Skip messages that begin with',
    prefixHint: 'Blank = read all messages',
  },
};

// What is said while a channel is read aloud: in the channel, or out loud.

export const readingNotices = {
  /** This is spoken. @param count messages, at least 1 */
  skipped: (count: number) => format.plural(count, { one: '# message skipped.', other: '# messages skipped.' }),
  /** Follows the sentence that says what is wrong with the voice service. */
  goesOn: 'I’ll carry on with new messages as soon as it works again.',
  /** @param share of the day's budget, 0 to 1 @param left characters */
  mostUsed: (share: number, left: number) =>
    format.plural(left, {
      one: `This server has used ${format.percent(share)} of its speech budget for today. # character is left for reading aloud and ${inlineCode('/say')}.`,
      other: `This server has used ${format.percent(share)} of its speech budget for today. # characters are left for reading aloud and ${inlineCode('/say')}.`,
    }),
  /** The voice channel was deleted. */
  channelGone: 'The voice channel is gone, so I’ve stopped reading this channel aloud.',
};

// What a voice says in place of what it cannot say, and around a message that is read aloud. All of it is spoken, never shown.

export const heard = {
  /** In place of parts of a text. */
  inPlace: {
    link: 'link',
    spoiler: 'spoiler',
    /** For a member who isn’t known, or whose name can’t be spoken. */
    someone: 'someone',
    role: 'a role',
    channel: 'a channel',
  },
  /** In place of a piece of code in a message. */
  code: 'code',
  /** @param site "github.com" */
  linkTo: (site: string) => `a link to ${site}`,
  /** To another message in Discord. */
  messageLink: 'a link to a message',
  gif: 'a GIF',
  /** The same emoji several times in a row. @param emoji its name @param count at least 2 */
  repeated: (emoji: string, count: number) => (count === 2 ? `${emoji} twice` : `${emoji} ${format.number(count)} times`),

  says: (name: string, text: string) => `${name} says: ${text}`,
  /** A reply. @param to the author of the message that it answers */
  saysTo: (name: string, to: string, text: string) => `${name} to ${to}: ${text}`,
  /** A reply by the member who was read last, whose name isn't repeated. */
  to: (to: string, text: string) => `to ${to}: ${text}`,
  /** A message without words of its own. @param what "a picture", "a link to github.com", the name of an emoji */
  sends: (name: string, what: string) => `${name} sends ${what}`,
  /** Follows the text of a message. @param what "a picture" */
  with: (what: string) => `with ${what}`,
  forwarded: (text: string) => `a forwarded message: ${text}`,
  /** The same if the author of the message doesn't want to be read. */
  forwardedUnread: 'a forwarded message',
  pictures: (count: number) => format.plural(count, { one: 'a picture', other: '# pictures' }),
  gifs: (count: number) => format.plural(count, { one: 'a GIF', other: '# GIFs' }),
  videos: (count: number) => format.plural(count, { one: 'a video', other: '# videos' }),
  sounds: (count: number) => format.plural(count, { one: 'a sound', other: '# sounds' }),
  files: (count: number) => format.plural(count, { one: 'a file', other: '# files' }),
  /** @param seconds null if unknown */
  voiceMessage: (seconds: number | null) => (seconds === null ? 'a voice message' : `a voice message of ${format.duration(seconds)}`),
  sticker: (name: string) => `the sticker ${name}`,
  poll: (question: string) => `a poll: ${question}`,
  and: format.and,
  or: format.or,
};
