// Who may make voices: whoever the operator opens it to (OWN_VOICES).
import { DiscordAPIError, type Guild, type GuildMember, type Interaction } from 'discord.js';
import { isAdmin } from '../bot/access.ts';
import type { IsOperator } from '../bot/operators.ts';
import type { Sentence } from '../locales/index.ts';
import type { Settings } from '../settings/index.ts';

/** `admins`: whoever may manage the server, and the roles they choose. Operators always may. */
export type VoiceMakers = 'operators' | 'admins' | 'everyone';

/** A member who wants to make a voice, and where. */
export interface Maker {
  userId: string;
  /** Null outside of the servers that the bot is in. */
  guildId: string | null;
  isAdmin: boolean;
  roleIds: readonly string[];
}

interface Dependencies {
  voiceMakers: VoiceMakers;
  settings: Pick<Settings, 'guild'>;
  isOperator: IsOperator;
}

export function makerOf(interaction: Interaction): Maker {
  const { user } = interaction;
  if (!interaction.inCachedGuild()) return { userId: user.id, guildId: null, isAdmin: false, roleIds: [] };
  const roleIds = [...interaction.member.roles.cache.keys()];
  return { userId: user.id, guildId: interaction.guildId, isAdmin: isAdmin(interaction.memberPermissions), roleIds };
}

/** As Discord knows them now, since nobody tells the bot who leaves; null if they have left. @throws DiscordAPIError */
export async function fetchMember(guild: Guild, userId: string): Promise<GuildMember | null> {
  return guild.members.fetch({ user: userId, force: true }).catch((error: unknown) => {
    if (error instanceof DiscordAPIError && error.status === 404) return null;
    throw error;
  });
}

/** Why this member may not make voices here; null if they may. Asks Discord about operators last, as that may take a moment. @throws StoreError */
export async function findMakerRefusal(maker: Maker, { voiceMakers, settings, isOperator }: Dependencies): Promise<Sentence | null> {
  if (voiceMakers === 'everyone') return null;
  if (voiceMakers === 'admins' && maker.guildId !== null) {
    if (maker.isAdmin) return null;
    const { voiceMakerRoles } = await settings.guild(maker.guildId);
    if (voiceMakerRoles.some((id) => maker.roleIds.includes(id))) return null;
  }
  if (await isOperator(maker.userId)) return null;
  if (voiceMakers === 'operators') return (t) => t.ownVoices.create.operatorsOnly;
  return (t) => (maker.guildId === null ? t.ownVoices.create.notOutsideServers : t.ownVoices.create.adminsOnly);
}
