// Knows which members a moderator has muted. A server mute outlasts leaving voice; for members in no voice channel, it comes with their interactions and messages.
import {
  type APIInteraction,
  type Client,
  GatewayDispatchEvents,
  type GatewayMessageCreateDispatchData,
  type GuildMember,
} from 'discord.js';

/** Whether a moderator has muted this member. Ask while handling one of their interactions or messages. */
export type IsServerMuted = (member: GuildMember) => boolean;

/** Reads every interaction and message before discord.js does, which drops the member's `mute`. */
export function watchServerMutes(client: Client): IsServerMuted {
  const muted = new Set<string>();
  const keyOf = (guildId: string, userId: string) => `${guildId}:${userId}`;

  function note(guildId: string | undefined, userId: string | undefined, isMuted: boolean | undefined): void {
    if (!guildId || !userId) return;
    if (isMuted) muted.add(keyOf(guildId, userId));
    else muted.delete(keyOf(guildId, userId));
  }

  // Must not throw on what is malformed: discord.js would then not get to handle it.
  client.ws.on(GatewayDispatchEvents.InteractionCreate, (interaction: Partial<APIInteraction> | null) => {
    const { guild_id, member } = interaction ?? {};
    note(guild_id, member?.user?.id, member?.mute);
  });
  client.ws.on(GatewayDispatchEvents.MessageCreate, (message: Partial<GatewayMessageCreateDispatchData> | null) => {
    const { guild_id, author, member } = message ?? {};
    // Webhooks have no member.
    if (member) note(guild_id, author?.id, member.mute);
  });

  return ({ guild, id, voice }) => (voice.channelId === null ? muted.has(keyOf(guild.id, id)) : voice.serverMute === true);
}
