// Members whom a moderator has muted. A mute outlasts leaving voice: what is known of those in no voice channel comes with their commands.
import { type APIInteraction, type Client, GatewayDispatchEvents, type GuildMember } from 'discord.js';

/** Is this member muted by a moderator? To be asked while answering an interaction of theirs. */
export type IsServerMuted = (member: GuildMember) => boolean;

/** Looks at every interaction before the Discord library does, for the library drops this part of it. */
export function watchServerMutes(client: Client): IsServerMuted {
  const muted = new Set<string>();
  const nameOf = (guildId: string, userId: string) => `${guildId}:${userId}`;

  client.ws.on(GatewayDispatchEvents.InteractionCreate, (interaction: Partial<APIInteraction> | null) => {
    const { guild_id, member } = interaction ?? {};
    // Without an id there is nobody to remember, and what throws here keeps the library from its own turn.
    if (!guild_id || !member?.user?.id) return;
    const name = nameOf(guild_id, member.user.id);
    if (member.mute) muted.add(name);
    else muted.delete(name);
  });

  return ({ guild, id, voice }) => (voice.channelId === null ? muted.has(nameOf(guild.id, id)) : voice.serverMute === true);
}
