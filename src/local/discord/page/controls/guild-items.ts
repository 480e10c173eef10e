// Members, roles and channels of the server, to choose from in options and in select menus.
import { type APIUser, ApplicationCommandOptionType, ComponentType } from 'discord-api-types/v10';
import { currentGuild, displayName, findChannel, isDm, isVoice, state } from '../state.ts';

export interface GuildItem {
  value: string;
  label: string;
  detail?: string;
}

/** For an option; undefined if its type does not take such items. */
export function itemsForOption(type: ApplicationCommandOptionType, channelTypes?: readonly number[]): GuildItem[] | undefined {
  if (type === ApplicationCommandOptionType.User) return memberItems();
  if (type === ApplicationCommandOptionType.Role) return roleItems();
  if (type === ApplicationCommandOptionType.Mentionable) return [...memberItems(), ...roleItems()];
  if (type === ApplicationCommandOptionType.Channel) return channelItems(channelTypes);
  return undefined;
}

/** For a select menu. */
export function itemsForMenu(type: ComponentType, channelTypes?: readonly number[]): GuildItem[] {
  if (type === ComponentType.UserSelect) return memberItems();
  if (type === ComponentType.RoleSelect) return roleItems();
  if (type === ComponentType.MentionableSelect) return [...memberItems(), ...roleItems()];
  return channelItems(channelTypes);
}

/** Items whose label contains the typed text, best first: exact matches, then prefixes, then the rest. */
export function filterByLabel<T extends { label: string }>(items: T[], typed: string): T[] {
  const word = typed.trim().toLowerCase().replace(/^[#@]/, '');
  if (!word) return items;
  const rank = ({ label }: T): number => {
    const name = label.toLowerCase().replace(/^[#@]/, '');
    if (name === word) return 0;
    if (name.startsWith(word)) return 1;
    return name.includes(word) ? 2 : 3;
  };
  return items.filter((item) => rank(item) < 3).sort((one, other) => rank(one) - rank(other));
}

/** The server of the open channel. */
function openGuild() {
  return isDm(findChannel(state.channelId)) ? undefined : currentGuild();
}

/** In direct messages, both users. */
function reachableUsers(): APIUser[] {
  const channel = findChannel(state.channelId);
  if (isDm(channel)) return [...(state.me ? [state.me] : []), ...(channel.recipients ?? [])];
  return (currentGuild()?.members ?? []).map(({ user }) => user);
}

function memberItems(): GuildItem[] {
  return reachableUsers().map((user) => ({
    value: user.id,
    label: displayName(user),
    detail: user.bot ? 'Application' : user.username,
  }));
}

function roleItems(): GuildItem[] {
  return (openGuild()?.roles ?? []).map((role) => ({ value: role.id, label: `@${role.name.replace(/^@/, '')}`, detail: 'Role' }));
}

function channelItems(types?: readonly number[]): GuildItem[] {
  return (openGuild()?.channels ?? [])
    .filter((channel) => !types?.length || types.includes(channel.type))
    .map((channel) => ({
      value: channel.id,
      label: channel.name ?? channel.id,
      detail: isVoice(channel) ? 'Voice channel' : 'Text channel',
    }));
}
