// Refusals: members who may not use Parley, or not here, and those who ask too fast (the cooldown).
import { channelMention, inlineCode, roleMention, TimestampStyles, time } from 'discord.js';

export const access = {
  muted: `An admin of this server has switched ${inlineCode('/say')} off for you. Ask them if you think it is time to switch it on again.`,
  roles: (ids: readonly string[]) =>
    `In this server I am for members with ${oneOf(ids.map(roleMention), 'a certain role')} (and for admins). Ask an admin for that role.`,
  channels: (ids: readonly string[]) =>
    `In this server I take commands only in ${oneOf(ids.map(channelMention), 'certain channels')} (from admins anywhere). Ask me again there.`,
  voiceChannels: (ids: readonly string[]) =>
    `In this server I speak only in ${oneOf(ids.map(channelMention), 'certain voice channels')} (for admins anywhere). Join one of them, and ask me again.`,
  channelsGone: `The text channels that the admins of this server have chosen for me no longer exist. Ask an admin to choose others in ${inlineCode('/settings')}.`,
  voiceChannelsGone: `The voice channels that the admins of this server have chosen for me no longer exist. Ask an admin to choose others in ${inlineCode('/settings')}.`,
  /** @param again milliseconds since 1970 */
  tooFast: (again: number) =>
    `That is more than I can do for one member at a time. Ask again ${time(Math.ceil(again / 1000), TimestampStyles.RelativeTime)}.`,
};

/** Joins up to five names; a longer list becomes `many`. */
function oneOf(names: string[], many: string): string {
  if (names.length > 5) return many;
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}
