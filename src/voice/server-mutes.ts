// Knows which members a moderator has muted. A server mute outlasts leaving voice; for members in no voice channel, it comes with their interactions.
import { type APIInteraction, type Client, GatewayDispatchEvents, type GuildMember } from 'discord.js';

/** Whether a moderator has muted this member. Ask while handling one of their interactions. */
export type IsServerMuted = (member: GuildMember) => boolean;

/** Reads every interaction before discord.js does, which drops the member's `mute`. */
export function watchServerMutes(client: Client): IsServerMuted {
  const muted = new Set<string>();
  const keyOf = (guildId: string, userId: string) => `${guildId}:${userId}`;

  client.ws.on(GatewayDispatchEvents.InteractionCreate, (interaction: Partial<APIInteraction> | null) => {
    const { guild_id, member } = interaction ?? {};
    // Must not throw on a malformed interaction: discord.js would then not get to handle it.
    if (!guild_id || !member?.user?.id) return;
    const key = keyOf(guild_id, member.user.id);
    if (member.mute) muted.add(key);
    else muted.delete(key);
  });

  return ({ guild, id, voice }) => (voice.channelId === null ? muted.has(keyOf(guild.id, id)) : voice.serverMute === true);
}
