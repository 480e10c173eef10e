// Refusals: members who may not use Parley, or not here, and those who ask too fast (the cooldown).
import { channelMention, inlineCode, roleMention } from 'discord.js';
import { format } from './format.ts';

const settings = inlineCode('/settings');

/** A longer list says nothing. */
const isShort = (ids: readonly string[]) => ids.length <= 5;

export const access = {
  muted: (isAdmin: boolean) =>
    isAdmin
      ? `${inlineCode('/say')} is switched off for you here. You can switch it back on in ${settings}.`
      : `A server admin has switched ${inlineCode('/say')} off for you.`,
  // Admins are exempt from the rest.
  roles: (ids: readonly string[]) =>
    isShort(ids)
      ? `Only members with ${format.or(ids.map(roleMention))} can use me here. A server admin can give you the role.`
      : 'Only members with certain roles can use me here. A server admin can give you one.',
  channels: (ids: readonly string[]) =>
    isShort(ids)
      ? `I only work in ${format.or(ids.map(channelMention))} here. Try again there.`
      : 'I only work in certain channels here. Try again in one of them.',
  voiceChannels: (ids: readonly string[]) =>
    isShort(ids)
      ? `I only speak in ${format.or(ids.map(channelMention))} here. Join and try again.`
      : 'I only speak in certain voice channels here. Join one of them and try again.',
  channelsGone: `The channels I’m limited to here are gone. Ask a server admin to pick others in ${settings}.`,
  voiceChannelsGone: `The voice channels I’m limited to here are gone. Ask a server admin to pick others in ${settings}.`,
  /** @param again milliseconds since 1970 */
  tooFast: (again: number) => `You’re a bit too fast for me. Try again ${format.relative(again)}.`,
};
