// Where an agreement holds: in the text channel that it was given in, and in channels that nobody can read who can't read that one.
import type { GuildTextBasedChannel } from 'discord.js';
import { findExposed } from '../discord/exposure.ts';

/** The id of the channel whose readers read what is written in this one: everybody who sees a channel sees its threads. */
export function audienceId(text: GuildTextBasedChannel): string {
  return (text.isThread() ? text.parentId : null) ?? text.id;
}

/** @param givenIn ids of the channels that the member agreed in, from `audienceId` */
export async function holdsIn(text: GuildTextBasedChannel, givenIn: readonly string[]): Promise<boolean> {
  const here = audienceId(text);
  if (givenIn.includes(here)) return true;
  const channels = text.guild.channels.cache;
  const place = channels.get(here);
  if (!place || place.isThread()) return false;
  for (const id of givenIn) {
    const channel = channels.get(id);
    if (channel && !channel.isThread() && (await findExposed(channel, place)) === null) return true;
  }
  return false;
}
