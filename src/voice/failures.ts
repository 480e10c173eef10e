// Why a voice channel could not be joined, or was lost, if Discord lets us know.
import { type Guild, PermissionFlagsBits as P } from 'discord.js';
import { VoiceError } from './types.ts';

/** Rejoining cannot help: end-to-end encryption required (4017), call terminated (4021, 4022). */
const FINAL_CLOSE_CODES = [4017, 4021, 4022];

/** Returns null if rejoining may help after this close code of the voice gateway. */
export function closeCodeFailure(code: number): VoiceError | null {
  if (!FINAL_CLOSE_CODES.includes(code)) return null;
  return new VoiceError('refused', `Discord closed the voice connection with code ${code}`, { code });
}

/** Returns null unless the error is about the certificate: expired, self-signed, from an unknown authority, or for another host. */
export function certificateFailure(error: Error): VoiceError | null {
  const code = 'code' in error ? String(error.code) : '';
  if (!/^CERT_|^ERR_TLS_CERT|SELF_SIGNED_CERT|^UNABLE_TO_(GET|VERIFY)/.test(code)) return null;
  return new VoiceError('untrusted', `the certificate of the voice server is not trusted (${code})`, { cause: error });
}

/** Discord does not answer a join that it disallows, so the reason is deduced. Returns null if nothing seems to prevent joining. */
export function joinFailure(guild: Guild, channelId: string): VoiceError | null {
  const ownId = guild.client.user.id;
  const channel = guild.channels.cache.get(channelId);
  if (!channel?.isVoiceBased()) return new VoiceError('channel-gone', 'the voice channel is gone');
  const permissions = channel.permissionsFor(ownId);
  if (!permissions?.has([P.ViewChannel, P.Connect])) return new VoiceError('not-permitted', 'joining the voice channel is not permitted');
  const others = guild.voiceStates.cache.filter((state) => state.channelId === channelId && state.id !== ownId).size;
  if (permissions.has(P.MoveMembers) || channel.userLimit === 0 || others < channel.userLimit) return null;
  return new VoiceError('channel-full', 'the voice channel is full');
}

/** Why we are no longer in a channel that we were in. */
export function removalFailure(guild: Guild, channelId: string | null): VoiceError {
  if (channelId !== null && !guild.channels.cache.has(channelId)) return new VoiceError('channel-gone', 'the voice channel is gone');
  return new VoiceError('kicked', 'a moderator has removed the bot from the voice channel');
}
