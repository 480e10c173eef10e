// What members read when something failed: calls to the voice service, voice connections, budgets, Discord, the store.
import { TimestampStyles, time } from 'discord.js';
import type { ApiError } from '../../api/index.ts';
import type { BudgetError, SpendingKind } from '../../credit/index.ts';
import { asMarkdown } from '../../text/untrusted-text.ts';
import type { VoiceError } from '../../voice/types.ts';
import { amountOf, code } from './format.ts';

export const errors = {
  api,
  budget,
  voice,
  unexpected: (reference: string) =>
    `Something went wrong on my side, and it has been noted. Please try again; if it goes on, tell whoever runs me this reference: ${code(reference)}.`,
  storeFailed:
    'I cannot read or write what I keep at the moment, so nothing was changed. Try again in a minute; if it goes on, whoever runs me must look at the disk of `DATA_DIR`.',
  discordFailed: (status: number) =>
    `Discord has a problem of its own (${status}), so my answer did not get through. Try again in a minute.`,
  /** @param at milliseconds since 1970 */
  discordBusy: (at: number) =>
    `Discord takes no more answers of this kind from me for a while. Try again ${time(Math.ceil(at / 1000), TimestampStyles.RelativeTime)}.`,
  noPermission: 'Discord did not let me do that here. Ask an admin to give me the permissions of my invite link in this channel.',
  badAudio:
    'The voice service sent something that is no sound. Try again, or choose another voice; if it goes on, whoever runs me must look into it.',
  endlessAudio:
    'The voice service did not stop making sound for this text, so I ended it. Try again, or choose another voice; if it goes on, whoever runs me must look into it.',
  brokenAudio: 'The sound from the voice service broke off. Try again, or choose another voice.',
};

/** A failed call to the voice service. `now` in milliseconds since 1970. */
function api(error: ApiError, now = Date.now()): string {
  const again =
    error.retryAfterMs === null ? 'in a minute' : time(Math.ceil((now + error.retryAfterMs) / 1000), TimestampStyles.RelativeTime);
  if (error.downForMs !== null) {
    const since = time(Math.floor((now - error.downForMs) / 1000), TimestampStyles.RelativeTime);
    return `The voice service is down (noticed ${since}), so I did not ask it this time. I keep trying by myself; ask me again ${again}.`;
  }
  const status = error.status === null ? '' : ` (${error.status})`;
  if (error.kind === 'unsupported') return notThere(error.operation);
  const sentence = {
    auth: `The voice service refuses my key${status}. Whoever runs me must check \`VOICE_API_KEY\`; trying again does not help.`,
    credit: `The credit at the voice service is used up${status}. Whoever runs me must top it up; trying again does not help before that.`,
    validation: refused(error, status),
    'not-found': `The voice service does not know what I asked it for${status}. Check the ids you gave; if they are right, whoever runs me must check \`VOICE_API_URL\`.`,
    'rate-limited': `The voice service has too much to do for me${status}. Try again ${again}.`,
    server: `The voice service has a problem of its own${status || ', or cannot be reached'}. Try again ${again}.`,
    timeout: `The voice service did not answer in time${status}. Try again ${again}.`,
    aborted: 'This was ended before the voice service had answered. Try again.',
    protocol: `The voice service gave an answer that I cannot use${status}. Try again; if it goes on, whoever runs me must look into it.`,
  }[error.kind];
  const charged = error.mayHaveBeenBilled ? ' It counts as used, since the voice service may have charged for it.' : '';
  const request = error.requestId && error.kind !== 'aborted' ? `\n-# Request ${code(error.requestId)}` : '';
  return `${sentence}${charged}${request}`;
}

/** Functions that this service lacks: nothing is wrong, and asking again does not help. */
function notThere(operation: ApiError['operation']): string {
  return {
    catalogue: `This voice service has no catalogue; type a voice's id, as ${code('voice')} of ${code('/say')}. Whoever runs me knows the ids.`,
    transcription: 'This voice service does not transcribe; it only speaks. Whoever runs me can choose another one.',
    credit: 'This voice service tells no balance. Look it up where its account is kept, if it has one.',
    speech: `This voice service does not speak. Whoever runs me must check ${code('VOICE_API_URL')}.`,
  }[operation ?? 'speech'];
}

/** A failed voice connection. */
function voice(error: VoiceError): string {
  return {
    busy: 'I am speaking in another channel of this server. Join it, or try again when I am done there.',
    'join-timeout':
      'Discord did not let me into the voice channel in time. Try again; if it goes on, an admin can set another region for the channel.',
    'encryption-timeout':
      'The end-to-end encryption of the voice channel was not established, not even at a second try, so nothing was said. Try again, or let everybody leave and join once more.',
    'channel-full': 'The voice channel is full. Wait for a free place, or choose another channel.',
    'not-permitted': 'I may not join or speak in this voice channel (any more). Ask an admin to allow me that, or choose another channel.',
    muted:
      'A moderator has muted me in this server, so nobody would hear it. I am in the voice channel, where a moderator can unmute me by a right click on my name; ask me again after that.',
    'member-muted':
      'A moderator has muted you in the voice channels of this server, so I do not speak for you any more. Ask a moderator to unmute you.',
    untrusted:
      'I cannot trust the voice server, for its certificate is not one that I know, so nothing was said. Whoever runs me must check the clock and the certificates of the machine.',
    kicked: 'A moderator has put me out of the voice channel, so what was waiting there is dropped. Ask me again when I am welcome.',
    'channel-gone': 'The voice channel was deleted, so what was waiting there is dropped. Join another channel and ask me again.',
    closing: 'I am being restarted, so this was not spoken to its end. Ask me again in a minute.',
    disconnected: 'I have left the voice channel, so what was waiting there is dropped. Ask me again.',
    refused: `Discord refused the voice connection${error.code === null ? '' : ` (${error.code})`}. Try another channel; if it goes on, whoever runs me must look into it.`,
  }[error.kind];
}

function refused({ details }: ApiError, status: string): string {
  const [detail] = details;
  if (!detail) return `The voice service does not accept this${status}. Change it and try again.`;
  const field = code(detail.loc.at(-1) ?? 'request');
  // Two sentences: the cause and the next step, in the service's own words.
  if (/\. \S.*\.$/s.test(detail.msg)) return `${asMarkdown(detail.msg, 300)}\n-# From the voice service: ${field}${status}`;
  return `The voice service does not accept this${status}: ${field} ${asMarkdown(detail.msg, 150)}. Change it and try again.`;
}

/** A daily budget that is too small. Mentions tomorrow only if the amount would fit then. */
function budget({ owner, kind, setBy, cap, requested, left, resetsAt }: BudgetError): string {
  if (cap === 0) return switchedOff(kind);
  const again = time(Math.ceil(resetsAt / 1000), TimestampStyles.RelativeTime);
  const subject = owner === 'member' ? 'Your budget' : 'The budget of this server';
  if (requested > cap) {
    const here = owner === 'member' && setBy === 'admin' ? ' in this server' : '';
    const next = setBy === 'admin' ? 'ask an admin to raise it in `/settings`' : 'ask whoever runs me to raise it';
    return `${subject}${here} allows ${amountOf(kind, cap)} a day, and this needs more than that. Shorten it, or ${next}.`;
  }
  if (Math.floor(left) < 1) return `${subject} of ${kind} for today is used up. It is whole again ${again}; /credit shows what is left.`;
  return `${subject} for today reaches for ${amountOf(kind, left)} more, and this needs more than that. Shorten it, or try again ${again}, when it is whole again.`;
}

/** For a budget that an admin has set to 0. */
export function switchedOff(kind: SpendingKind): string {
  return `An admin has switched ${kind} off in this server. Ask an admin to allow it in \`/settings\`, under Budgets.`;
}
