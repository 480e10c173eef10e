// Guild administration: adding and removing the application, roles, and which members have them.
import { type APIRole, GatewayIntentBits } from 'discord-api-types/v10';
import { addMember, createRole, findManagedRoles } from './seed.ts';
import { createSnowflake } from './snowflake.ts';
import { type Guild, hasApplication, type Member, type World } from './world.ts';

/** Adds the application to a guild, unless it is already a member. */
export function addApplication(world: World, guild: Guild): void {
  if (hasApplication(world, guild)) return;
  const member = addMember(guild, world.application.user, findManagedRoles(world, guild));
  world.emit({ t: 'GUILD_CREATE', d: null, intent: GatewayIntentBits.Guilds, guildId: guild.id, to: 'bot' });
  world.emit({ t: 'GUILD_MEMBER_ADD', d: { ...member, guild_id: guild.id }, guildId: guild.id, to: 'members' });
}

/** Removes the application from a guild. The caller takes it out of voice: see enforceVoicePermissions. */
export function removeApplication(world: World, guild: Guild): void {
  const { id, user } = world.application;
  if (!guild.members.delete(id)) return;
  world.emit({ t: 'GUILD_DELETE', d: { id: guild.id }, intent: GatewayIntentBits.Guilds, guildId: guild.id, to: 'bot' });
  world.emit({ t: 'GUILD_MEMBER_REMOVE', d: { user, guild_id: guild.id }, guildId: guild.id, to: 'members' });
}

/** @returns the new role's id */
export function addRole(world: World, guild: Guild, name: string, permissions: bigint): string {
  // Discord puts a new role below all others: of two roles in the same position, the older one is higher.
  const role = createRole(createSnowflake(), name, permissions, 1);
  guild.roles.push(role);
  emitRole(world, guild, 'GUILD_ROLE_CREATE', role);
  return role.id;
}

/** `roleId`: the guild's own id is @everyone. @throws Error if the role is unknown */
export function setRolePermissions(world: World, guild: Guild, roleId: string, permissions: bigint): void {
  const role = guild.roles.find(({ id }) => id === roleId);
  if (!role) throw new Error(`There is no role ${roleId}.`);
  role.permissions = String(permissions);
  emitRole(world, guild, 'GUILD_ROLE_UPDATE', role);
}

/** Replaces a member's roles, except those that Discord manages. @throws Error if the member or a role is unknown */
export function setMemberRoles(world: World, guild: Guild, userId: string, roleIds: string[]): void {
  const member = guild.members.get(userId);
  if (!member) throw new Error(`There is no member ${userId}.`);
  const roles = new Map(guild.roles.map((role) => [role.id, role]));
  const unknown = roleIds.find((id) => !roles.has(id));
  if (unknown !== undefined) throw new Error(`There is no role ${unknown}.`);
  member.roles = [...member.roles.filter((id) => roles.get(id)?.managed), ...roleIds];
  emitMemberUpdate(world, guild, member);
}

/** An application receives updates of its own member even without the intent. */
export function emitMemberUpdate(world: World, guild: Guild, member: Member): void {
  const isBot = member.user.id === world.application.id;
  world.emit({
    t: 'GUILD_MEMBER_UPDATE',
    d: { ...member, guild_id: guild.id },
    guildId: guild.id,
    intent: isBot ? 0 : GatewayIntentBits.GuildMembers,
  });
}

function emitRole(world: World, guild: Guild, t: string, role: APIRole): void {
  world.emit({ t, d: { guild_id: guild.id, role }, intent: GatewayIntentBits.Guilds, guildId: guild.id });
}
