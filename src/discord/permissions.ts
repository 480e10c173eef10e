// What the bot and its members may do in Discord: the permissions it asks for, and who is a moderator.
import {
  type GuildBasedChannel,
  GuildMember,
  type Interaction,
  OAuth2Scopes,
  PermissionFlagsBits,
  type RepliableInteraction,
} from 'discord.js';
import { NEEDED_PERMISSIONS } from './voice-channels.ts';

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

/** Without these it can't write captions. A thread needs the last two in place of the second. */
export const CAPTIONS_PERMISSIONS = [...TRANSCRIPT_PERMISSIONS, 'CreatePublicThreads'] as const;

/** Optional for captions: to say above the people in the voice channel that captions are on. */
const STATUS_PERMISSIONS = ['SetVoiceChannelStatus'] as const;

/** The permissions that the bot lacks to answer voice messages in this channel. */
export function listMissingForTranscripts(channel: GuildBasedChannel, me: GuildMember): TranscriptPermission[] {
  const ownPermissions = channel.permissionsFor(me);
  // A post in a forum is a thread.
  const unused = channel.isThread() || channel.isThreadOnly() ? 'SendMessages' : 'SendMessagesInThreads';
  return TRANSCRIPT_PERMISSIONS.filter((name) => name !== unused && !ownPermissions.has(PermissionFlagsBits[name]));
}

/** Moderators may end what others are having said. */
const MODERATOR_PERMISSIONS = PermissionFlagsBits.MuteMembers | PermissionFlagsBits.ManageMessages;

/**
 * The page on which an admin adds the bot to a server; always Discord's own, whatever endpoint the bot uses.
 * @param readsMessages whether channels can be read aloud and voice messages answered
 */
export function createInviteLink(applicationId: string, { readsMessages }: { readsMessages: boolean }): string {
  const ofMessages = readsMessages ? [...READING_PERMISSIONS, ...TRANSCRIPT_PERMISSIONS] : [];
  const permissions = new Set([...NEEDED_PERMISSIONS, ...SAY_PERMISSIONS, ...CAPTIONS_PERMISSIONS, ...STATUS_PERMISSIONS, ...ofMessages]);
  const query = new URLSearchParams({
    client_id: applicationId,
    permissions: String([...permissions].reduce((flags, name) => flags | PermissionFlagsBits[name], 0n)),
    scope: [OAuth2Scopes.Bot, OAuth2Scopes.ApplicationsCommands].join(' '),
  });
  return `https://discord.com/oauth2/authorize?${query}`;
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
  const permissions = channel.permissionsFor(member);
  // Members can do nothing in a channel that they can't see.
  return permissions.has(PermissionFlagsBits.ViewChannel) && permissions.any(MODERATOR_PERMISSIONS);
}
