// The voice channel that a member speaks in: which one it is, whether the member and the bot may speak there, and who hears it.
import {
  type APIInteraction,
  ChannelType,
  type Client,
  GatewayDispatchEvents,
  type GatewayMessageCreateDispatchData,
  type Guild,
  GuildMember,
  PermissionFlagsBits,
  type RepliableInteraction,
  type VoiceBasedChannel,
} from 'discord.js';
import type { Sentence, Translator } from '../locales/index.ts';
import type { Settings } from '../store/settings.ts';
import type { Sessions } from '../voice-session/types.ts';
import { checkVoiceRules } from './access.ts';
import { UserError } from './errors.ts';

/** Would nobody hear anything there now? */
export function isEmptyChannel({ id, guild }: VoiceBasedChannel): boolean {
  return listenersIn(guild, id).length === 0;
}

/** The ids of the people in a voice channel. Members who aren't cached count as people. */
export function listenersIn({ voiceStates, client }: Guild, channelId: string): string[] {
  return voiceStates.cache
    .filter((state) => state.channelId === channelId && state.id !== client.user.id && !state.member?.user.bot)
    .map(({ id }) => id);
}

/**
 * The name of a channel or thread, unless one of these people doesn't see it. Members who aren't cached see what everyone sees.
 * @param viewerIds of members
 */
export function channelNameFor(guild: Guild, channelId: string, viewerIds: readonly string[]): string | undefined {
  const channel = guild.channels.cache.get(channelId);
  // The bot doesn't know who is in a private thread.
  if (!channel || channel.type === ChannelType.PrivateThread) return undefined;
  const sees = (id: string) =>
    channel.permissionsFor(guild.members.cache.get(id) ?? guild.roles.everyone)?.has(PermissionFlagsBits.ViewChannel) ?? false;
  return viewerIds.every(sees) ? channel.name : undefined;
}

/**
 * The channel that was named, otherwise the member's own, otherwise, for buttons, the one that the bot is in.
 * @throws UserError if there is none, or if the member or the bot may not speak there; StoreError
 */
export async function findVoiceChannel(
  interaction: RepliableInteraction,
  { sessions, settings, isServerMuted }: { sessions: Sessions; settings: Settings; isServerMuted: IsServerMuted },
  namedId?: string,
): Promise<VoiceBasedChannel> {
  const { guild, member } = interaction;
  if (!guild || !(member instanceof GuildMember)) throw new UserError((t) => t('voiceChannels.botNotInGuild'));
  const botChannelId = interaction.isChatInputCommand() ? undefined : sessions.get(guild.id)?.channelId;
  const id = namedId ?? member.voice.channelId ?? botChannelId;
  const channel = id === undefined ? undefined : guild.channels.cache.get(id);
  if (!channel?.isVoiceBased()) throw new UserError((t) => t('voiceChannels.memberNotInVoice'));
  checkVoiceChannel(channel, member, isServerMuted(member));
  checkVoiceRules(channel, member, await settings.guild(guild.id));
  return channel;
}

// Whether the bot and the member may speak there.

/**
 * Without these it can't speak. Replies to commands travel over the interaction's own webhook, which needs no permission in the channel: so
 * no Send Messages, no Embed Links, no Attach Files. https://github.com/discord/discord-api-docs/issues/5316
 */
export const NEEDED_PERMISSIONS = ['ViewChannel', 'Connect', 'Speak'] as const;

type PermissionName = (typeof NEEDED_PERMISSIONS)[number];

/** The names of permissions as Discord shows them. */
export function nameInDiscord(permissions: readonly PermissionName[], t: Translator): string[] {
  return permissions.map((name) => t(`permissions.${name}`));
}

/** The permissions the bot lacks to speak in this channel. */
export function listMissingPermissions(channel: VoiceBasedChannel, me: GuildMember): PermissionName[] {
  const ownPermissions = channel.permissionsFor(me);
  return NEEDED_PERMISSIONS.filter((name) => !ownPermissions.has(PermissionFlagsBits[name]));
}

/**
 * @param isServerMuted whether a moderator has muted the member
 * @throws UserError if the bot cannot speak in the channel, or if the member could not join it and speak there themselves
 */
export function checkVoiceChannel(channel: VoiceBasedChannel, member: GuildMember, isServerMuted: boolean): void {
  checkKind(channel);
  const { me } = channel.guild.members;
  if (!me) throw new UserError((t) => t('voiceChannels.botNotInGuild'));
  const isHere = member.voice.channelId === channel.id;
  const memberPermissions = channel.permissionsFor(member);
  if (!isHere && !memberPermissions.has(PermissionFlagsBits.ViewChannel | PermissionFlagsBits.Connect)) {
    throw new UserError((t) => t('voiceChannels.memberCannotConnect', { channel: channel.id }));
  }
  const muteReason = findMuteReason(channel, member, isServerMuted);
  if (muteReason !== null) throw new UserError(muteReason);
  checkRoom(channel, me);
}

function checkKind(channel: VoiceBasedChannel): void {
  if (channel.type === ChannelType.GuildStageVoice) throw new UserError((t) => t('voiceChannels.stageChannel', { channel: channel.id }));
}

/** @throws UserError if the bot cannot speak in the channel */
export function checkRoom(channel: VoiceBasedChannel, me: GuildMember): void {
  checkKind(channel);
  const missing = listMissingPermissions(channel, me);
  if (missing.length > 0)
    throw new UserError((t) => t('voiceChannels.missingPermissions', { permissions: nameInDiscord(missing, t), channel: channel.id }));
  // Whether a moderator has muted the bot is not checked here: only members in a voice channel can be unmuted, so a mute could never be
  // undone if it kept the bot out. Voice states are counted, because without their intent most members are not cached.
  const inside = channel.guild.voiceStates.cache.filter((state) => state.channelId === channel.id);
  const isFull = channel.userLimit > 0 && inside.size >= channel.userLimit;
  if (isFull && !inside.has(me.id) && !channel.permissionsFor(me).has(PermissionFlagsBits.MoveMembers))
    throw new UserError((t) => t('voiceChannels.full', { channel: channel.id }));
}

/** Why this member may not be heard in the channel, and so not through the bot either; null if they may. */
export function findMuteReason(channel: VoiceBasedChannel, member: GuildMember, isServerMuted: boolean): Sentence | null {
  if (isServerMuted) return (t) => t('voiceChannels.memberServerMuted');
  // Members in the audience of a stage are suppressed, too.
  const isSuppressed = member.voice.channelId === channel.id && member.voice.suppress;
  return isSuppressed || !channel.permissionsFor(member).has(PermissionFlagsBits.Speak)
    ? (t) => t('voiceChannels.memberCannotSpeak', { channel: channel.id })
    : null;
}

// Keeps track of members whom a moderator has muted. A server mute outlasts leaving voice; for members in no voice channel, Discord only
// sends it with their interactions and messages.

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

  // Must not throw on malformed events, or discord.js would not get to handle them.
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
