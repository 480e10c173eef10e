// What members read when something failed: calls to the voice service, voice connections, budgets, Discord, the store.
import { inlineCode } from 'discord.js';
import type { ApiError } from '../../api/index.ts';
import type { BudgetError, SpendingKind } from '../../credit/index.ts';
import { asMarkdown } from '../../text/untrusted-text.ts';
import type { VoiceError } from '../../voice/types.ts';
import { code, format } from './format.ts';

export const errors = {
  api,
  budget,
  voice,
  /** @param reference of the line in the log */
  unexpected: (reference: string) =>
    `Something went wrong on my side. Please try again. If it keeps happening, tell the bot’s owner.\n-# Reference ${code(reference)}`,
  storeFailed:
    'I can’t save or read my data right now, so nothing was changed. Try again in a minute.\n-# For the bot’s owner: check the disk.',
  /** @param status of HTTP */
  discordFailed: (status: number) =>
    `Discord is having problems, so my reply didn’t get through. Try again in a minute.\n-# Status ${status}`,
  /** @param at milliseconds since 1970 */
  discordBusy: (at: number) => `I’ve hit one of Discord’s limits. Try again ${format.relative(at)}.`,
  noPermission: 'Discord won’t let me do that here. Server admins can check my permissions in this channel.',
  badAudio: 'The voice service sent something that isn’t sound. Try again or pick another voice.',
  endlessAudio: 'The voice didn’t stop talking, so I ended it. Try again or pick another voice.',
  brokenAudio: 'The sound from the voice service broke off. Try again or pick another voice.',
};

/** A failed call to the voice service. `now` in milliseconds since 1970. */
function api(error: ApiError, now = Date.now()): string {
  const again = error.retryAfterMs === null ? 'in a minute' : format.relative(now + error.retryAfterMs);
  if (error.downForMs !== null)
    return `The voice service has been down since ${format.relative(now - error.downForMs)}. Try again ${again}.`;
  if (error.kind === 'unsupported') return unsupported(error.operation);
  const sentence = {
    auth: 'The voice service doesn’t accept my key. The bot’s owner needs to fix that.',
    credit: 'The voice credit is used up. The bot’s owner needs to top it up.',
    validation: refusal(error),
    'not-found': 'The voice service can’t find this. Check what you chose and try again.',
    'rate-limited': `The voice service is busy. Try again ${again}.`,
    server:
      error.status === null
        ? `I can’t reach the voice service. Try again ${again}.`
        : `The voice service is having problems. Try again ${again}.`,
    timeout: `The voice service took too long to answer. Try again ${again}.`,
    aborted: 'This was stopped before the voice service answered. Try again.',
    protocol: 'The voice service sent an answer I can’t use. Try again in a minute.',
  }[error.kind];
  const charged = error.mayHaveBeenBilled ? ' It still counts as used, because the service may have charged for it.' : '';
  const isTechnical = error.kind !== 'aborted' && (error.status !== null || error.requestId);
  const status = error.status === null ? null : `Status ${error.status}`;
  const request = error.requestId ? `Request ${code(error.requestId)}` : null;
  const details = isTechnical ? `\n-# ${[status, request].filter((part) => part !== null).join(' · ')}` : '';
  return `${sentence}${charged}${details}`;
}

/** Functions that this service lacks: nothing is wrong, and asking again does not help. */
function unsupported(operation: ApiError['operation']): string {
  return {
    catalogue: `This voice service has no list of voices. If you know a voice’s id, use it in ${inlineCode('/say')}.`,
    transcription: 'This voice service can’t transcribe; it only speaks.',
    credit: 'This voice service doesn’t report a balance.',
    'live-speech': 'This voice service can’t speak in real time. Try again.',
    'own-voices': 'This voice service can’t make voices.',
    speech: `This voice service can’t speak. The bot’s owner can check ${code('VOICE_API_URL')}.`,
  }[operation ?? 'speech'];
}

/** A failed voice connection. */
function voice(error: VoiceError): string {
  return {
    busy: 'I’m speaking in another channel of this server. Join it, or try again when I’m done.',
    'join-timeout':
      'Discord didn’t let me into the voice channel in time. Try again. If it keeps happening, another region in the channel’s settings can help.',
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
    closing: 'I’m restarting, so this wasn’t finished. Try again in a minute.',
    disconnected: 'I’ve left the voice channel, so the queue is empty now. Try again to bring me back.',
    refused: `Discord refused the voice connection. Try another channel.${error.code === null ? '' : `\n-# Code ${error.code}`}`,
  }[error.kind];
}

/** What the service doesn't accept. If it says so in two sentences, cause and next step, they are its own words. */
function refusal({ details }: ApiError): string {
  const [detail] = details;
  if (!detail) return 'The voice service doesn’t accept this. Change it and try again.';
  if (/\. \S.*\.$/s.test(detail.msg)) return asMarkdown(detail.msg, 300);
  const field = code(detail.loc.at(-1) ?? 'request');
  return `The voice service doesn’t accept this (${field}: ${asMarkdown(detail.msg, 150)}). Change it and try again.`;
}

/** A daily budget that is too small. Mentions tomorrow only if the amount would fit then. */
function budget({ owner, kind, setBy, cap, requested, left, resetsAt }: BudgetError): string {
  if (cap === 0) return switchedOff(kind);
  const resets = format.relative(resetsAt);
  const isMember = owner === 'member';
  if (requested > cap) {
    const next = setBy === 'admin' ? 'Server admins can raise it in `/settings`.' : 'The bot’s owner can raise it.';
    return isMember
      ? `This needs more than your daily budget of ${amountOf(kind, cap)}. Make it shorter. ${next}`
      : `This needs more than this server’s daily budget of ${amountOf(kind, cap)}. Make it shorter. ${next}`;
  }
  if (Math.floor(left) < 1)
    return isMember
      ? `You’ve used up your ${kind} budget for today. It resets ${resets}.`
      : `This server has used up its ${kind} budget for today. It resets ${resets}.`;
  return isMember
    ? `You have ${amountOf(kind, left)} left today, and this needs more. Make it shorter, or wait: your budget resets ${resets}.`
    : `This server has ${amountOf(kind, left)} left today, and this needs more. Make it shorter, or wait: its budget resets ${resets}.`;
}

/** "1,200 characters of speech", "2 minutes 30 seconds of transcription". */
function amountOf(kind: SpendingKind, amount: number): string {
  return kind === 'speech'
    ? format.plural(Math.floor(amount), { one: '# character of speech', other: '# characters of speech' })
    : `${format.duration(amount)} of transcription`;
}

/** For a budget that an admin has set to 0. */
function switchedOff(kind: SpendingKind): string {
  return {
    speech: `Speech is switched off in this server. Server admins can allow it in ${inlineCode('/settings')}, under Budgets.`,
    transcription: `Transcription is switched off in this server. Server admins can allow it in ${inlineCode('/settings')}, under Budgets.`,
  }[kind];
}
