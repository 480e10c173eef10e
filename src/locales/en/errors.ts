// What members read when something failed: calls to the voice service, voice connections, budgets, Discord, the store.
import { inlineCode } from 'discord.js';
import { code, format } from './format.ts';

export const errors = {
  /** Failed calls to the voice service. @param again when to try again: `inAMinute`, or as "in 3 hours" */
  api: {
    auth: 'The voice service doesn’t accept my key. The bot’s owner needs to fix that.',
    credit: 'The voice credit is used up. The bot’s owner needs to top it up.',
    'not-found': 'The voice service can’t find this. Check what you chose and try again.',
    'rate-limited': (again: string) => `The voice service is busy. Try again ${again}.`,
    server: (again: string) => `The voice service is having problems. Try again ${again}.`,
    timeout: (again: string) => `The voice service took too long to answer. Try again ${again}.`,
    aborted: 'This was stopped before the voice service answered. Try again.',
    protocol: 'The voice service sent an answer I can’t use. Try again in a minute.',
  },
  /** The answer to a call began, but was never completed. */
  brokenOff: 'The voice service’s answer was cut off. Try again in a minute.',
  inAMinute: 'in a minute',
  /** The voice service did not respond at all. */
  unreachable: (again: string) => `I can’t reach the voice service. Try again ${again}.`,
  /** @param since as "3 hours ago" */
  down: (since: string, again: string) => `The voice service went down ${since}. Try again ${again}.`,
  /** The service refused a request without saying which part of it is wrong. */
  refused: 'The voice service doesn’t accept this. Change it and try again.',
  /** @param field @param reason Markdown, from the service */
  refusedField: (field: string, reason: string) => `The voice service doesn’t accept this (${field}: ${reason}). Change it and try again.`,
  /** Follows the sentence on a failed call. */
  maybeCharged: 'It still counts as used, because the service may have charged for it.',
  /** The service lacks this function: nothing is broken, and trying again won’t help. */
  unsupported: {
    catalogue: `This voice service has no list of voices. If you know a voice’s id, use it in ${inlineCode('/say')}.`,
    transcription: 'This voice service can’t transcribe; it only speaks.',
    credit: 'This voice service doesn’t report a balance.',
    'live-speech': 'This voice service can’t speak in real time. Try again.',
    'own-voices': 'This voice service can’t make voices.',
    speech: `This voice service can’t speak. The bot’s owner can check ${code('VOICE_API_URL')}.`,
  },
  /** Failed voice connections. */
  voice: {
    busy: 'I’m speaking in another channel of this server. Join it, or try again when I’m done.',
    hearing: 'I’m captioning another channel of this server. Join it, or try again once the captions have ended.',
    'join-timeout':
      'Discord didn’t let me into the voice channel in time. Try again. If it keeps happening, try another region in the channel’s settings.',
    'encryption-timeout':
      'The voice channel’s end-to-end encryption didn’t start, so I said nothing. Try again, or have everyone leave and rejoin.',
    'channel-full': 'The voice channel is full. Wait for a free spot or pick another channel.',
    'not-permitted': 'I’m not allowed to join or speak in this voice channel. Server admins can allow that in the channel’s settings.',
    muted: 'I’ve been muted in this server. A moderator can unmute me by right-clicking my name in the voice channel.',
    'member-muted':
      'A moderator muted you in this server’s voice channels, so I’ve stopped speaking for you. I can speak for you again once you’re unmuted.',
    untrusted: 'I can’t verify Discord’s voice server, so I said nothing. The bot’s owner can check the machine’s clock and certificates.',
    kicked: 'A moderator disconnected me from the voice channel, so the queue is empty now. Try again to bring me back.',
    'channel-gone': 'The voice channel was deleted, so the queue is empty now. Join another one and try again.',
    'sending-failed':
      'Something on my side kept the sound from being sent, so I left the voice channel. Try again. If it keeps happening, tell the bot’s owner.',
    closing: 'I’m restarting, so this wasn’t finished. Try again in a minute.',
    disconnected: 'I’ve left the voice channel, so the queue is empty now. Try again to bring me back.',
    refused: 'Discord refused the voice connection. Try another channel.',
  },
  /** Technical details, below a sentence. @param status of HTTP */
  status: (status: number) => `Status ${status}`,
  /** @param id of the call, given by the service */
  request: (id: string) => `Request ${code(id)}`,
  /** @param code of a closed voice connection */
  code: (code: number) => `Code ${code}`,
  /** A daily budget is too small. @param cap @param left as an `amount` @param resets as "in 3 hours" */
  budget: {
    /** For a budget that an admin has set to 0. */
    switchedOff: {
      speech: `Speech is switched off in this server. Server admins can allow it in ${inlineCode('/settings')}, under Budgets.`,
      transcription: `Transcription is switched off in this server. Server admins can allow it in ${inlineCode('/settings')}, under Budgets.`,
    },
    /** `raise` follows. */
    overCap: {
      member: (cap: string) => `This needs more than your daily budget of ${cap}. Make it shorter.`,
      guild: (cap: string) => `This needs more than this server’s daily budget of ${cap}. Make it shorter.`,
    },
    raise: { admin: 'Server admins can raise it in `/settings`.', operator: 'The bot’s owner can raise it.' },
    usedUp: {
      member: {
        speech: (resets: string) => `You’ve used up your speech budget for today. It resets ${resets}.`,
        transcription: (resets: string) => `You’ve used up your transcription budget for today. It resets ${resets}.`,
      },
      guild: {
        speech: (resets: string) => `This server has used up its speech budget for today. It resets ${resets}.`,
        transcription: (resets: string) => `This server has used up its transcription budget for today. It resets ${resets}.`,
      },
    },
    left: {
      member: (left: string, resets: string) =>
        `You have ${left} left today, but this needs more. Make it shorter, or wait: your budget resets ${resets}.`,
      guild: (left: string, resets: string) =>
        `This server has ${left} left today, but this needs more. Make it shorter, or wait: its budget resets ${resets}.`,
    },
  },
  /** "1,200 characters of speech", "2 minutes, 30 seconds of transcription". */
  amount: {
    speech: (characters: number) => format.plural(characters, { one: '# character of speech', other: '# characters of speech' }),
    transcription: (seconds: number) => `${format.duration(seconds)} of transcription`,
  },
  /** @param reference of the line in the log */
  unexpected: (reference: string) =>
    `Something went wrong on my side. Please try again. If it keeps happening, tell the bot’s owner.\n-# Reference ${code(reference)}`,
  storeFailed:
    'I can’t save or read my data right now, so nothing was changed. Try again in a minute.\n-# For the bot’s owner: check the disk, or the shared store.',
  /** @param status of HTTP */
  discordFailed: (status: number) =>
    `Discord is having problems, so my reply didn’t get through. Try again in a minute.\n-# Status ${status}`,
  /** @param at milliseconds since 1970 */
  discordBusy: (at: number) => `I’ve hit one of Discord’s limits. Try again ${format.relative(at)}.`,
  noPermission: 'Discord won’t let me do that here. Server admins can check my permissions in this channel.',
  badAudio: 'The voice service sent something that isn’t audio. Try again or pick another voice.',
  endlessAudio: 'The voice didn’t stop talking, so I ended it. Try again or pick another voice.',
  brokenAudio: 'The sound from the voice service was cut off. Try again or pick another voice.',
};
