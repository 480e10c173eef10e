// Whose dictionary an interaction is about, and who may change it.
import type { Interaction } from 'discord.js';
import { isAdmin } from '../bot/access.ts';
import { UserError } from '../bot/user-error.ts';
import type { DictionaryContext } from './context.ts';
import type { Owner } from './index.ts';

export type Scope = 'server' | 'me';

export interface Subject {
  scope: Scope;
  owner: Owner;
  mayChange: boolean;
}

type Context = Pick<DictionaryContext, 'settings'>;

/**
 * The dictionary to show: the server's unless the member's own is wanted, or there is no server.
 * @throws UserError if the server's is wanted outside of servers; StoreError
 */
export async function findSubject(interaction: Interaction, context: Context, wanted: string | null): Promise<Subject> {
  const ofMember: Subject = { scope: 'me', owner: { userId: interaction.user.id }, mayChange: true };
  if (wanted === 'me') return ofMember;
  if (interaction.inCachedGuild()) {
    const { dictionaryRoles } = await context.settings.guild(interaction.guildId);
    const mayChange = isAdmin(interaction.memberPermissions) || interaction.member.roles.cache.hasAny(...dictionaryRoles);
    return { scope: 'server', owner: { guildId: interaction.guildId }, mayChange };
  }
  if (wanted === 'server') throw new UserError((t) => t.dictionary.notInGuild);
  return ofMember;
}

/**
 * The dictionary to change: unless one is wanted, the server's if the member may change it, else their own.
 * @throws UserError if they may not change the one that is wanted; StoreError
 */
export async function findSubjectToChange(interaction: Interaction, context: Context, wanted: string | null): Promise<Subject> {
  const subject = await findSubject(interaction, context, wanted);
  if (subject.mayChange) return subject;
  if (wanted === null) return findSubject(interaction, context, 'me');
  const { dictionaryRoles } = await context.settings.guild(interaction.guildId ?? '');
  throw new UserError((t) => t.dictionary.notAllowed(dictionaryRoles));
}
