// The payload of INTERACTION_CREATE. https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-object
import { PermissionFlagsBits as P } from 'discord-api-types/v10';
import { MAX_ATTACHMENT_BYTES } from '../messages/attachments.ts';
import { localeOf } from '../world/languages.ts';
import { computeChannelPermissions } from '../world/permissions.ts';
import { serializeInteractionMember, serializeMessage, serializePartialChannel } from '../world/serialize.ts';
import { type Channel, type GuildChannel, guildOf, hasApplication, isDm, type Thread, type World } from '../world/world.ts';
import { findInteractionContext } from './available-commands.ts';
import type { Interaction } from './types.ts';

const APPLICATION_DM_PERMISSIONS = P.AttachFiles | P.EmbedLinks | P.MentionEveryone;

export function serializeInteraction(world: World, interaction: Interaction, data: object): object {
  const { id, token, type, userId, channel, owners, source } = interaction;
  const { application } = world;
  const guild = guildOf(world, channel);
  const invoker = guild
    ? {
        guild_id: guild.id,
        guild: { id: guild.id, locale: guild.preferred_locale, features: [] },
        member: serializeInteractionMember(guild, userId, channel as GuildChannel | Thread),
        guild_locale: guild.preferred_locale,
      }
    : { user: world.users.get(userId) };
  return {
    id,
    type,
    data,
    token,
    application_id: application.id,
    version: 1,
    ...invoker,
    channel_id: channel.id,
    channel: serializePartialChannel(world, channel, userId),
    locale: localeOf(world, userId),
    app_permissions: computeApplicationPermissions(world, channel, userId).toString(),
    entitlements: [],
    authorizing_integration_owners: owners,
    context: findInteractionContext(world, channel),
    attachment_size_limit: MAX_ATTACHMENT_BYTES,
    ...(source && { message: serializeMessage(source, application.id) }),
  };
}

/** Whether the application takes no part in this channel, but was brought along by a user install. */
export function isGuest(world: World, channel: Channel): boolean {
  if (isDm(channel)) return !channel.userIds.includes(world.application.id);
  const guild = guildOf(world, channel);
  return guild === null || !hasApplication(world, guild);
}

/** A guest application has the permissions of the user who brought it. */
export function computeApplicationPermissions(world: World, channel: Channel, userId: string): bigint {
  const guest = isGuest(world, channel);
  if (isDm(channel)) return APPLICATION_DM_PERMISSIONS | (guest ? 0n : P.UseExternalEmojis);
  return computeChannelPermissions(world, guest ? userId : world.application.id, channel);
}
