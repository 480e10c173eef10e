// What an owner does to a guild: inviting the application and putting it out, roles, and who has which of them.
import { GatewayIntentBits } from 'discord-api-types/v10';
import { type Guild, hasApplication, type World } from './index.ts';
import { tellMember } from './moderation.ts';
import { addMember, createRole, managedRoles } from './seed.ts';
import { snowflake } from './snowflake.ts';

/** Lets the application into a guild; nothing happens where it is a member already. */
export function inviteApplication(world: World, guild: Guild): void {
  if (hasApplication(world, guild)) return;
  const member = addMember(guild, world.application.user, managedRoles(world, guild));
  world.tell({ t: 'GUILD_CREATE', d: null, intent: GatewayIntentBits.Guilds, guildId: guild.id, to: 'bot' });
  world.tell({ t: 'GUILD_MEMBER_ADD', d: { ...member, guild_id: guild.id }, guildId: guild.id, to: 'members' });
}

/** Puts the application out of a guild. Who is in voice there is for the caller to review. */
export function removeApplication(world: World, guild: Guild): void {
  const { id, user } = world.application;
  if (!guild.members.delete(id)) return;
  world.tell({ t: 'GUILD_DELETE', d: { id: guild.id }, intent: GatewayIntentBits.Guilds, guildId: guild.id, to: 'bot' });
  world.tell({ t: 'GUILD_MEMBER_REMOVE', d: { user, guild_id: guild.id }, guildId: guild.id, to: 'members' });
}

/** A role that nobody has yet. @returns its id. */
export function addRole(world: World, guild: Guild, name: string, permissions: bigint): string {
  // As at Discord, a new role stands below all others: of two in the same position the older one is above.
  const role = createRole(snowflake(), name, permissions, 1);
  guild.roles.push(role);
  tellRole(world, guild, 'GUILD_ROLE_CREATE', role);
  return role.id;
}

/** What those may who have the role; the role with the guild's own id is everybody's. */
export function setRolePermissions(world: World, guild: Guild, roleId: string, permissions: bigint): void {
  const role = guild.roles.find(({ id }) => id === roleId);
  if (!role) throw new Error('There is no such role.');
  role.permissions = String(permissions);
  tellRole(world, guild, 'GUILD_ROLE_UPDATE', role);
}

function tellRole(world: World, guild: Guild, t: string, role: object): void {
  world.tell({ t, d: { guild_id: guild.id, role }, intent: GatewayIntentBits.Guilds, guildId: guild.id });
}

/** The roles that a member has from now on, beside those that came with an application. */
export function setMemberRoles(world: World, guild: Guild, userId: string, roleIds: string[]): void {
  const member = guild.members.get(userId);
  if (!member) throw new Error('There is no such member.');
  const known = new Map(guild.roles.map((role) => [role.id, role]));
  if (!roleIds.every((id) => known.has(id))) throw new Error('There is no such role.');
  member.roles = [...member.roles.filter((id) => known.get(id)?.managed), ...roleIds];
  tellMember(world, guild, member);
}
