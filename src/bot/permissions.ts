// What the bot may do: the permissions it asks for, and the checks before it goes into a voice channel.
import {
  ChannelType,
  GuildMember,
  type Interaction,
  OAuth2Scopes,
  PermissionFlagsBits,
  type RepliableInteraction,
  type VoiceBasedChannel,
} from 'discord.js';
import { en } from '../locales/en/index.ts';
import type { Session } from '../voice/types.ts';
import { UserError } from './user-error.ts';

/**
 * Exactly what it needs. Answers to commands travel over the interaction's own webhook, which asks for no permission in the channel:
 * so no Send Messages, no Embed Links, no Attach Files. https://github.com/discord/discord-api-docs/issues/5316
 */
const NEEDED = {
  ViewChannel: PermissionFlagsBits.ViewChannel,
  Connect: PermissionFlagsBits.Connect,
  Speak: PermissionFlagsBits.Speak,
} as const;
const permissionNames = ['ViewChannel', 'Connect', 'Speak'] as const satisfies (keyof typeof NEEDED)[];

/** Where an admin lets the bot into a server; always Discord's own page, whatever endpoint the bot itself uses. */
export function createInviteLink(applicationId: string): string {
  const permissions = Object.values(NEEDED).reduce((all, one) => all | one, 0n);
  const scope = [OAuth2Scopes.Bot, OAuth2Scopes.ApplicationsCommands].join(' ');
  return `https://discord.com/oauth2/authorize?${new URLSearchParams({ client_id: applicationId, permissions: String(permissions), scope })}`;
}

/** Those permissions that the bot needs to speak in this channel and has not, as Discord calls them. */
export function listMissingPermissions(channel: VoiceBasedChannel, me: GuildMember): string[] {
  const mine = channel.permissionsFor(me);
  return permissionNames.flatMap((name) => (mine.has(NEEDED[name]) ? [] : [en.voiceChannels.permissionNames[name]]));
}

/**
 * @param isServerMuted by a moderator: true for this member
 * @throws UserError if the bot cannot speak in the channel, or if this member could not go there and speak themselves.
 */
export function checkVoiceChannel(channel: VoiceBasedChannel, member: GuildMember, isServerMuted: boolean): void {
  if (channel.type === ChannelType.GuildStageVoice) throw new UserError(en.voiceChannels.stageChannel(channel.id));
  const { me } = channel.guild.members;
  if (!me) throw new UserError(en.voiceChannels.botNotInGuild);
  const here = member.voice.channelId === channel.id;
  const theirs = channel.permissionsFor(member);
  if (!here && !theirs.has(PermissionFlagsBits.ViewChannel | PermissionFlagsBits.Connect)) {
    throw new UserError(en.voiceChannels.memberCannotConnect(channel.id));
  }
  const silenced = findMuteReason(channel, member, isServerMuted);
  if (silenced !== null) throw new UserError(silenced);
  const mine = channel.permissionsFor(me);
  const missing = listMissingPermissions(channel, me);
  if (missing.length > 0) throw new UserError(en.voiceChannels.missingPermissions(missing, channel.id));
  // A moderator's mute is not looked at: it outlasts my leaving, and could then never be taken back, for only who is there is unmuted.
  // Voice states count, not cached members: without their intent most members are not cached.
  const inside = channel.guild.voiceStates.cache.filter((state) => state.channelId === channel.id);
  const full = channel.userLimit > 0 && inside.size >= channel.userLimit;
  if (full && !inside.has(me.id) && !mine.has(PermissionFlagsBits.MoveMembers)) throw new UserError(en.voiceChannels.full(channel.id));
}

/** Why nobody may hear this member in the channel, and so not by my voice either; null if they may be heard. */
export function findMuteReason(channel: VoiceBasedChannel, member: GuildMember, isServerMuted: boolean): string | null {
  if (isServerMuted) return en.voiceChannels.memberServerMuted;
  // Suppressed: in the audience of a stage, too.
  const isSuppressed = member.voice.channelId === channel.id && member.voice.suppress;
  return isSuppressed || !channel.permissionsFor(member).has(PermissionFlagsBits.Speak)
    ? en.voiceChannels.memberCannotSpeak(channel.id)
    : null;
}

/** Is the bot no member here, but brought along by the member? Then only they see its answers, and there are five follow-ups at most. */
export function isGuest({ authorizingIntegrationOwners }: Pick<RepliableInteraction, 'authorizingIntegrationOwners'>): boolean {
  return authorizingIntegrationOwners.guildId === null;
}

/** Administrators may all of it. */
const MODERATES = PermissionFlagsBits.MuteMembers | PermissionFlagsBits.ManageMessages;

/**
 * May this member end what others have me say? Whoever may mute members or delete messages in the voice channel of the session,
 * wherever they type that; without a session, or where its channel is not known, in the channel that they type in.
 */
export function isModerator(
  { guild, member, memberPermissions }: Pick<Interaction, 'guild' | 'member' | 'memberPermissions'>,
  session: Pick<Session, 'channelId'> | undefined,
): boolean {
  const channel = session && guild?.channels.cache.get(session.channelId);
  if (!channel || !(member instanceof GuildMember)) return memberPermissions?.any(MODERATES) ?? false;
  const theirs = channel.permissionsFor(member);
  // Nothing is allowed in a channel that one cannot see.
  return theirs.has(PermissionFlagsBits.ViewChannel) && theirs.any(MODERATES);
}
