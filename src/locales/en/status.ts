// What /status says: why nothing is heard, and how each part is doing.
import { bold, channelMention, inlineCode } from 'discord.js';
import { format } from './format.ts';

const say = inlineCode('/say');
const settings = inlineCode('/settings');
const louder = `right-click my name in the voice channel and raise ${bold('User Volume')}`;

export const status = {
  // Verdicts: the most likely cause, then the next step.
  notInGuild: `I’m not in a server here, so there’s no voice channel to speak in. Use ${say}, and I’ll send you a voice message.`,
  notInVoice: `You’re not in a voice channel. Join one, then use ${say}.`,
  speaksElsewhere: (id: string) => `I’m speaking in ${channelMention(id)}. Join it to hear me.`,
  stage: (id: string) => `${channelMention(id)} is a stage, and I can’t speak on stages. Join a voice channel.`,
  serverDeaf: 'A moderator has deafened you in this server. Ask them to undo it.',
  selfDeaf: 'You’ve deafened yourself. Click the headphones next to your name.',
  /** @param mine channel the bot speaks in @param theirs channel the member is in */
  elsewhere: (mine: string, theirs: string) =>
    `I’m speaking in ${channelMention(mine)}, but you’re in ${channelMention(theirs)}. Join me there, or wait until I’m done.`,
  /** @param permissions by Discord's names, at least one */
  missing: (permissions: string[], id: string) =>
    `I need ${format.and(permissions.map((name) => bold(name)))} in ${channelMention(id)}. A server admin can allow it in the channel’s settings, or pick another channel.`,
  serverMute: `I’m server-muted, so nobody hears me. Bring me into a voice channel with ${say}; a moderator can then right-click my name and unmute me.`,
  full: (id: string) => `${channelMention(id)} is full. Wait for someone to leave, or pick another channel.`,
  silent: `My volume in this server is set to 0%. Server admins can raise it in ${settings}.`,
  underWay: {
    connecting: 'I’m joining your voice channel right now. Give me a few seconds.',
    encrypting: 'I’m in your voice channel and setting up end-to-end encryption. Give me a few seconds.',
    reconnecting: 'The voice connection dropped and I’m reconnecting. I’ll carry on in a few seconds.',
  },
  stuck: {
    connecting:
      'Discord isn’t letting me into the voice channel. Try again. If it keeps happening, try another region in the channel’s settings.',
    encrypting: 'End-to-end encryption isn’t working in your voice channel. Ask everyone to leave and rejoin.',
    reconnecting: `The voice connection dropped and won’t come back. Use ${inlineCode('/leave')}, then try again.`,
  },
  /** Another process of the bot is still finishing what it was saying. */
  moving: 'I’m moving to another machine. I’ll finish what I’m saying first, then carry on with the rest.',
  storeGone: `I can’t read or save my data right now, so ${say} doesn’t work. Try again in a minute.\n-# For the bot’s owner: check the disk, or the shared store.`,
  /** @param problem a sentence of its own */
  service: (problem: string) => `The voice service isn’t working. ${problem}`,
  others: `I’m speaking for someone else, and nothing of yours is in the queue. Can’t hear it? Then ${louder}.`,
  /** @param before texts that are played first */
  queued: (before: number) =>
    format.plural(before, {
      one: `Your text is next after # other. See ${inlineCode('/queue')}.`,
      other: `Your text is waiting behind # others. See ${inlineCode('/queue')}.`,
    }),
  speaking: `I’m speaking for you right now. Can’t hear it? Then ${louder}, and check the output device in your voice settings.`,
  slow: (seconds: number) => `Everything works, but the voice service is slow (${format.duration(seconds)}), so I may start late.`,
  ready: `Everything works, and nothing is playing. Try ${say}. If you can’t hear me, ${louder}.`,
  // How each part is doing.
  titles: {
    here: 'This channel',
    voice: 'Your voice channel',
    connection: 'Voice connection',
    you: 'You',
    service: 'Voice service',
    credit: 'Credit (only the bot’s owners see this)',
    whole: 'The whole bot (only the bot’s owners see this)',
  },
  good: (what: string) => `✓ ${what}`,
  /** @param next what to do about it */
  bad: (what: string, next: string) => `✗ ${what}: ${next}`,
  permissionNext: 'a server admin can allow it',
  sendMessages: 'Send Messages',
  sendMessagesNext: 'only needed for transcripts that take over 15 minutes; without it, they’re sent as a DM',
  viewChannel: 'View Channel',
  notMuted: 'I’m not muted',
  muted: 'I’m muted',
  mutedNext: 'a moderator can unmute me',
  room: 'There’s room for me',
  isFull: 'It’s full',
  fullNext: 'wait for someone to leave',
  noChannel: 'None. Join one to hear me.',
  isStage: 'It’s a stage. Join a voice channel.',
  hears: 'You’re not deafened',
  deaf: 'You’re deafened',
  selfDeafNext: 'click the headphones next to your name',
  serverDeafNext: 'ask a moderator to undo it',
  allowed: `You can use ${say} here`,
  notAllowed: `You can’t use ${say} here`,
  notConnected: 'None yet. I’ll connect when you use /say.',
  /** @param since as "3 minutes ago", in the reader's language */
  connection: {
    connecting: (channel: string, since: string) => `${channel}, started joining ${since}`,
    encrypting: (channel: string, since: string) => `${channel}, started setting up encryption ${since}`,
    ready: (channel: string, since: string) => `${channel}, connected ${since}`,
    reconnecting: (channel: string, since: string) => `${channel}, dropped ${since}`,
    closed: (channel: string, since: string) => `${channel}, closed ${since}`,
  },
  movingFrom: (channel: string) => `${channel}, moving to another machine`,
  encrypted: 'End-to-end encrypted',
  notEncrypted: 'Not end-to-end encrypted',
  notEncryptedNext: 'you’re the only one there, or Discord turned it off for this call',
  /** @param members how many members who agreed to captions can't be heard */
  unheard: (members: number) => `I can’t decrypt the sound of ${format.plural(members, { one: '# member', other: '# members' })}`,
  unheardNext: 'leaving the voice channel and rejoining may help',
  ping: (ms: number) => `Ping: ${format.number(ms)} ms`,
  queueLength: (length: number) => `Queue: ${length === 0 ? 'empty' : format.plural(length, { one: '# text', other: '# texts' })}`,
  /** @param volume a factor */
  volumeIs: (volume: number) => `Volume: ${format.percent(volume)}`,
  answered: (ms: number) => `Answered in ${format.number(ms)} ms`,
  /** To operators. @param left connections that Discord still allows @param until as a time in a message */
  fewSessions: (left: number, until: string) =>
    `I’ve been restarted so often that Discord will let me connect only ${format.plural(left, { one: '# more time', other: '# more times' })} until ${until}. After that I’d be offline until then. My log says why I was restarted.`,
  noCatalogue: 'It has no list of voices, so I can’t check it without using credit.',
  noAnswer: (seconds: number) =>
    `It didn’t answer within ${format.plural(seconds, { one: '# second', other: '# seconds' })}. Try again in a minute. If it keeps happening, tell the bot’s owner.`,
  wholeBot: {
    processes: (count: number) => format.plural(count, { one: '# process', other: '# processes' }),
    shards: (count: number) => format.plural(count, { one: '# shard', other: '# shards' }),
    servers: (count: number) => format.plural(count, { one: '# server', other: '# servers' }),
    /** @param count servers, at least 1 */
    speakingIn: (count: number) => `speaking in ${format.number(count)}`,
    /** @param list such as "0–3, 7" @param count of shards */
    free: (list: string, count: number) => `No process has ${format.plural(count, { one: `shard ${list}`, other: `shards ${list}` })}`,
    freeNext: `servers there get no answer; if it lasts, start another process or raise ${inlineCode('SHARDS_PER_PROCESS')}`,
    moving: (list: string, count: number) =>
      `Moving to another process: ${format.plural(count, { one: `shard ${list}`, other: `shards ${list}` })}`,
    shardList: (list: string, count: number) => format.plural(count, { one: `shard ${list}`, other: `shards ${list}` }),
    noShards: 'no shards',
    /** @param since as "3 minutes ago", in the reader’s language */
    started: (since: string) => `started ${since}`,
    answersHere: (shard: number) => `answers here (shard ${format.number(shard)})`,
    leaving: 'leaving',
    serviceDown: 'sees the voice service as down',
    more: (count: number) => format.plural(count, { one: 'and # other process', other: 'and # other processes' }),
    unknown: 'I can’t read the shared store right now, so I don’t know how the other processes are doing.',
  },
};
