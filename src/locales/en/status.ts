// What /status says: why nothing is heard, and the state of each part.
import { bold, channelMention, inlineCode, TimestampStyles, time } from 'discord.js';

const settings = inlineCode('/settings');
const say = inlineCode('/say');

export const status = {
  // Verdicts.
  notInGuild: `I am no member of a server here, so there is no voice channel for me to speak in. Ask an admin to invite me, or use ${say} with ${inlineCode('as_file')}.`,
  notInVoice: `You are in no voice channel, so you cannot hear me. Join one, and use ${say} there.`,
  speaksElsewhere: (id: string) => `I am speaking in ${channelMention(id)}, and you are in no voice channel. Join it to hear me.`,
  stage: (id: string) => `${channelMention(id)} is a stage channel, and I speak in voice channels only. Join a voice channel.`,
  serverDeaf: 'A moderator has deafened you in this server, so you hear nobody. Ask them to undo that.',
  selfDeaf: 'You have deafened yourself, so you hear nobody. Switch your headphones on again, beside your name at the bottom left.',
  elsewhere: (mine: string, theirs: string) =>
    `I am speaking in ${channelMention(mine)}, and you are in ${channelMention(theirs)}. Join me there, or wait until I am done.`,
  missing: (names: string[], id: string) =>
    `I lack ${names.map((name) => bold(name)).join(' and ')} in ${channelMention(id)}. Ask an admin to allow me that, or choose another channel.`,
  serverMute:
    'A moderator has muted me in this server, so nobody hears me. While I am in a voice channel, where `/say` brings me, a moderator can unmute me by a right click on my name.',
  full: (id: string) => `${channelMention(id)} is full, so I cannot come in. Wait for a free place, or choose another channel.`,
  silent: `The volume of this server is set to 0 %. Ask an admin to raise it in ${settings}.`,
  underWay: {
    connecting: 'I am joining your voice channel at this moment. Wait a few seconds.',
    encrypting: 'I am in your voice channel, and its end-to-end encryption is being made at this moment. Wait a few seconds.',
    reconnecting: 'The voice connection broke, and I am making it anew. Wait a few seconds; what was being said goes on.',
  },
  stuck: {
    connecting:
      'Discord does not let me into the voice channel. Try again; if it goes on, an admin can set another region for the channel.',
    encrypting: 'The end-to-end encryption of the voice channel is not coming about. Let everybody leave the channel and join once more.',
    reconnecting: 'The voice connection is broken and does not come back. Use `/leave`, and ask me again.',
  },
  service: (problem: string) => `The voice service that makes my voice is not to be used: ${problem}`,
  others: `I am speaking for somebody else, and you have nothing in the queue. If you do not hear that, raise my volume: right-click my name in the voice channel, ${bold('User Volume')}.`,
  queued: (before: number) =>
    `Your text waits in the queue: ${before === 1 ? 'one is' : `${before} are`} before it. See them with ${inlineCode('/queue')}.`,
  speaking: `I am speaking for you now. If you do not hear it, the cause is on your side: raise my volume (right-click my name in the voice channel, ${bold('User Volume')}), and check the output device in your voice settings.`,
  slow: (ms: number) => `Everything is in order, but the voice service is slow (${(ms / 1000).toFixed(1)} s), so I may begin late.`,
  ready: `Everything is in order, and nothing is being said. Use ${say}; if you do not hear that, raise my volume: right-click my name in the voice channel, ${bold('User Volume')}.`,
  // The state of each part.
  fields: {
    here: 'This channel',
    voice: 'Your voice channel',
    connection: 'Voice connection',
    queue: 'Queue',
    you: 'You',
    volume: 'Volume',
    service: 'Voice service',
    credit: 'Credit (only operators see this)',
  },
  yes: (what: string) => `✓ ${what}`,
  no: (what: string, next: string) => `✗ ${what}: ${next}`,
  permission: 'ask an admin to allow me that',
  sendMessages: 'Send Messages',
  sendMessagesNext: 'needed only for what takes longer than 15 minutes; else it comes as a direct message',
  viewChannel: 'View Channel',
  notMuted: 'I am not muted',
  muted: 'I am muted',
  mutedNext: 'ask a moderator to unmute me',
  room: 'There is room for me',
  full1: 'Full',
  fullNext: 'wait for a free place',
  noChannel: 'none: join one',
  stageField: 'a stage channel: join a voice channel',
  hears: 'You are not deafened',
  deaf: 'Deafened',
  deafSelfNext: 'switch your headphones on',
  deafServerNext: 'ask a moderator to undo it',
  may: 'You may use /say here',
  mayNot: 'You may not use /say here',
  notConnected: 'none; made with the next /say',
  /** @param since milliseconds since 1970; shown as "3 minutes ago" */
  connected: (id: string, state: string, since: number) =>
    `${channelMention(id)}: ${state} ${time(Math.floor(since / 1000), TimestampStyles.RelativeTime)}`,
  states: {
    connecting: 'joining, begun',
    encrypting: 'encrypting, begun',
    ready: 'connected',
    reconnecting: 'broken',
    closed: 'closed',
  },
  encrypted: 'End-to-end encrypted',
  notEncrypted: 'Not encrypted end to end',
  notEncryptedNext: 'nobody else is there, or Discord has switched it off in this call',
  ping: (ms: number) => `Ping: ${Math.round(ms)} ms`,
  queue: (length: number) => (length === 0 ? 'empty' : length === 1 ? 'one text' : `${length} texts`),
  percent: (volume: number) => `${Math.round(volume * 100)} %`,
  reachable: (ms: number) => `reachable in ${Math.round(ms)} ms`,
  noCatalogue: 'It has no catalogue, so I cannot see whether it answers before I speak; voices are told by their ids.',
  noAnswer: (seconds: number) => `it did not answer within ${seconds} seconds. Try again in a minute; if it goes on, tell whoever runs me.`,
};
