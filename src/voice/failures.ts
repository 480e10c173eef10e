// Why Discord does not have us in a voice channel (any more), as far as that can be told.
import { type Guild, PermissionFlagsBits as P } from 'discord.js';
import { VoiceError } from './types.ts';

/** Joining again cannot help: no end-to-end encryption (4017), call ended (4021, 4022). */
const FINAL_CODES = [4017, 4021, 4022];

/** The voice gateway closed with this code: null where joining again may help. */
export function closeCodeFailure(code: number): VoiceError | null {
  return FINAL_CODES.includes(code) ? new VoiceError('refused', `Discord closed the voice connection with code ${code}`, { code }) : null;
}

/** Null where the error is not about the certificate: expired, self-signed, of an unknown authority, for another name. */
export function certificateFailure(error: Error): VoiceError | null {
  const code = 'code' in error ? String(error.code) : '';
  if (!/^CERT_|^ERR_TLS_CERT|SELF_SIGNED_CERT|^UNABLE_TO_(GET|VERIFY)/.test(code)) return null;
  return new VoiceError('untrusted', `the certificate of the voice server is not trusted (${code})`, { cause: error });
}

/** Discord says nothing to a join that it does not allow. Null where nothing speaks against it. */
export function joinFailure(guild: Guild, channelId: string): VoiceError | null {
  const me = guild.client.user.id;
  const channel = guild.channels.cache.get(channelId);
  if (!channel?.isVoiceBased()) return new VoiceError('channel-gone', 'the voice channel is gone');
  const permissions = channel.permissionsFor(me);
  if (!permissions?.has([P.ViewChannel, P.Connect])) return new VoiceError('not-permitted', 'joining the voice channel is not permitted');
  const others = guild.voiceStates.cache.filter((state) => state.channelId === channelId && state.id !== me).size;
  if (permissions.has(P.MoveMembers) || channel.userLimit === 0 || others < channel.userLimit) return null;
  return new VoiceError('channel-full', 'the voice channel is full');
}

/** We were in the channel, and are in none now. */
export function removalFailure(guild: Guild, channelId: string | null): VoiceError {
  if (channelId !== null && !guild.channels.cache.has(channelId)) return new VoiceError('channel-gone', 'the voice channel is gone');
  return new VoiceError('kicked', 'a moderator has put us out of the voice channel');
}
