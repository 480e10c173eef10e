// What the bot and its members may do in Discord: the permissions it asks for, and the checks before it joins a voice channel.
import {
  type APIInteraction,
  ChannelType,
  type Client,
  GatewayDispatchEvents,
  type GatewayMessageCreateDispatchData,
  type GuildBasedChannel,
  GuildMember,
  type Interaction,
  OAuth2Scopes,
  PermissionFlagsBits,
  type RepliableInteraction,
  type VoiceBasedChannel,
} from 'discord.js';
import type { Sentence, Words } from '../locales/index.ts';
import { UserError } from './errors.ts';

/**
 * Without these it can't speak. Replies to commands travel over the interaction's own webhook, which needs no permission in the channel: so
 * no Send Messages, no Embed Links, no Attach Files. https://github.com/discord/discord-api-docs/issues/5316
 */
const NEEDED_PERMISSIONS = ['ViewChannel', 'Connect', 'Speak'] as const;

/** Optional for /say: without it, the sound comes as a file instead of a voice message. */
const SAY_PERMISSIONS = ['SendVoiceMessages'] as const;

/** Optional for reading channels aloud: to say why something isn't heard. */
export const READING_PERMISSIONS = ['SendMessages', 'AddReactions', 'ReadMessageHistory'] as const;

/** Without these it can't answer voice messages with their words. A thread needs the last of them in place of the second. */
export const TRANSCRIPT_PERMISSIONS = [
  'ViewChannel',
  'SendMessages',
  'ReadMessageHistory',
  'AttachFiles',
  'SendMessagesInThreads',
] as const;
export type TranscriptPermission = (typeof TRANSCRIPT_PERMISSIONS)[number];

/** The permissions that the bot lacks to answer voice messages in this channel. */
export function listMissingForTranscripts(channel: GuildBasedChannel, me: GuildMember): TranscriptPermission[] {
  const mine = channel.permissionsFor(me);
  // A post in a forum is a thread.
  const unused = channel.isThread() || channel.isThreadOnly() ? 'SendMessages' : 'SendMessagesInThreads';
  return TRANSCRIPT_PERMISSIONS.filter((name) => name !== unused && !mine.has(PermissionFlagsBits[name]));
}

/** Moderators may end what others are having said. */
const MODERATOR_PERMISSIONS = PermissionFlagsBits.MuteMembers | PermissionFlagsBits.ManageMessages;

type PermissionName = (typeof NEEDED_PERMISSIONS)[number];

/** The names of permissions as Discord shows them. */
export function nameInDiscord(permissions: readonly PermissionName[], t: Words): string[] {
  return permissions.map((name) => t.voiceChannels.permissionNames[name]);
}

/**
 * The page on which an admin adds the bot to a server; always Discord's own, whatever endpoint the bot uses.
 * @param readsMessages whether channels can be read aloud and voice messages transcribed
 */
export function createInviteLink(applicationId: string, { readsMessages }: { readsMessages: boolean }): string {
  const ofMessages = readsMessages ? [...READING_PERMISSIONS, ...TRANSCRIPT_PERMISSIONS] : [];
  const permissions = new Set([...NEEDED_PERMISSIONS, ...SAY_PERMISSIONS, ...ofMessages]);
  const query = new URLSearchParams({
    client_id: applicationId,
    permissions: String([...permissions].reduce((flags, name) => flags | PermissionFlagsBits[name], 0n)),
    scope: [OAuth2Scopes.Bot, OAuth2Scopes.ApplicationsCommands].join(' '),
  });
  return `https://discord.com/oauth2/authorize?${query}`;
}

/** The permissions the bot lacks to speak in this channel. */
export function listMissingPermissions(channel: VoiceBasedChannel, me: GuildMember): PermissionName[] {
  const mine = channel.permissionsFor(me);
  return NEEDED_PERMISSIONS.filter((name) => !mine.has(PermissionFlagsBits[name]));
}

/**
 * @param isServerMuted whether a moderator has muted the member
 * @throws UserError if the bot cannot speak in the channel, or if the member could not join it and speak there themselves
 */
export function checkVoiceChannel(channel: VoiceBasedChannel, member: GuildMember, isServerMuted: boolean): void {
  checkKind(channel);
  const { me } = channel.guild.members;
  if (!me) throw new UserError((t) => t.voiceChannels.botNotInGuild);
  const isHere = member.voice.channelId === channel.id;
  const theirs = channel.permissionsFor(member);
  if (!isHere && !theirs.has(PermissionFlagsBits.ViewChannel | PermissionFlagsBits.Connect)) {
    throw new UserError((t) => t.voiceChannels.memberCannotConnect(channel.id));
  }
  const muteReason = findMuteReason(channel, member, isServerMuted);
  if (muteReason !== null) throw new UserError(muteReason);
  checkRoom(channel, me);
}

function checkKind(channel: VoiceBasedChannel): void {
  if (channel.type === ChannelType.GuildStageVoice) throw new UserError((t) => t.voiceChannels.stageChannel(channel.id));
}

/** @throws UserError if the bot cannot speak in the channel */
export function checkRoom(channel: VoiceBasedChannel, me: GuildMember): void {
  checkKind(channel);
  const missing = listMissingPermissions(channel, me);
  if (missing.length > 0) throw new UserError((t) => t.voiceChannels.missingPermissions(nameInDiscord(missing, t), channel.id));
  // Whether a moderator has muted the bot is not checked here: only members in a voice channel can be unmuted, so a mute could never be
  // undone if it kept the bot out. Voice states are counted, because without their intent most members are not cached.
  const inside = channel.guild.voiceStates.cache.filter((state) => state.channelId === channel.id);
  const isFull = channel.userLimit > 0 && inside.size >= channel.userLimit;
  if (isFull && !inside.has(me.id) && !channel.permissionsFor(me).has(PermissionFlagsBits.MoveMembers))
    throw new UserError((t) => t.voiceChannels.full(channel.id));
}

/** Why this member may not be heard in the channel, and so not through the bot either; null if they may. */
export function findMuteReason(channel: VoiceBasedChannel, member: GuildMember, isServerMuted: boolean): Sentence | null {
  if (isServerMuted) return (t) => t.voiceChannels.memberServerMuted;
  // Members in the audience of a stage are suppressed, too.
  const isSuppressed = member.voice.channelId === channel.id && member.voice.suppress;
  return isSuppressed || !channel.permissionsFor(member).has(PermissionFlagsBits.Speak)
    ? (t) => t.voiceChannels.memberCannotSpeak(channel.id)
    : null;
}

/**
 * Is the bot installed by the user, but not a member of this guild? Then its replies are ephemeral, and it can send five follow-ups at
 * most.
 */
export function isGuest({ authorizingIntegrationOwners }: Pick<RepliableInteraction, 'authorizingIntegrationOwners'>): boolean {
  return authorizingIntegrationOwners.guildId === null;
}

/**
 * May this member end what others are having said? Yes with Mute Members or Manage Messages in the session's voice channel, wherever the
 * command is typed; without a session, or if its channel is unknown, in the channel it is typed in.
 */
export function isModerator(
  { guild, member, memberPermissions }: Pick<Interaction, 'guild' | 'member' | 'memberPermissions'>,
  session: { channelId: string | null } | null | undefined,
): boolean {
  const channel = guild?.channels.cache.get(session?.channelId ?? '');
  if (!channel || !(member instanceof GuildMember)) return memberPermissions?.any(MODERATOR_PERMISSIONS) ?? false;
  const theirs = channel.permissionsFor(member);
  // Members can do nothing in a channel that they can't see.
  return theirs.has(PermissionFlagsBits.ViewChannel) && theirs.any(MODERATOR_PERMISSIONS);
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
