// Channels, members and roles of the server to pick from, for options and for menus.
import { type APIUser, ApplicationCommandOptionType, ComponentType } from 'discord-api-types/v10';
import { currentGuild, displayName, findChannel, isDm, isVoice, state } from '../state.ts';

export interface GuildItem {
  value: string;
  label: string;
  detail?: string;
}

/** What a command's option of this type may name; undefined for types that name nothing of the server. */
export function itemsForOption(type: ApplicationCommandOptionType, channelTypes?: readonly number[]): GuildItem[] | undefined {
  if (type === ApplicationCommandOptionType.User) return memberItems();
  if (type === ApplicationCommandOptionType.Role) return roleItems();
  if (type === ApplicationCommandOptionType.Mentionable) return [...memberItems(), ...roleItems()];
  if (type === ApplicationCommandOptionType.Channel) return channelItems(channelTypes);
  return undefined;
}

/** The same for a message's menus. */
export function itemsForMenu(type: ComponentType, channelTypes?: readonly number[]): GuildItem[] {
  if (type === ComponentType.UserSelect) return memberItems();
  if (type === ComponentType.RoleSelect) return roleItems();
  if (type === ComponentType.MentionableSelect) return [...memberItems(), ...roleItems()];
  return channelItems(channelTypes);
}

/** Those with the word in their name, best first: whole name, then beginning, then anywhere. */
export function filterByLabel<T extends { label: string }>(picks: T[], typed: string): T[] {
  const word = typed.trim().toLowerCase().replace(/^[#@]/, '');
  if (!word) return picks;
  const rank = ({ label }: T): number => {
    const name = label.toLowerCase().replace(/^[#@]/, '');
    if (name === word) return 0;
    if (name.startsWith(word)) return 1;
    return name.includes(word) ? 2 : 3;
  };
  return picks.filter((pick) => rank(pick) < 3).sort((one, other) => rank(one) - rank(other));
}

/** The server that the open channel belongs to. */
function place() {
  return isDm(findChannel(state.channelId)) ? undefined : currentGuild();
}

/** In direct messages, the two who write them. */
function people(): APIUser[] {
  const channel = findChannel(state.channelId);
  if (isDm(channel)) return [...(state.me ? [state.me] : []), ...(channel.recipients ?? [])];
  return (currentGuild()?.members ?? []).map(({ user }) => user);
}

function memberItems(): GuildItem[] {
  return people().map((user) => ({
    value: user.id,
    label: displayName(user),
    detail: user.bot ? 'Application' : user.username,
  }));
}

function roleItems(): GuildItem[] {
  return (place()?.roles ?? []).map((role) => ({ value: role.id, label: `@${role.name.replace(/^@/, '')}`, detail: 'Role' }));
}

function channelItems(types?: readonly number[]): GuildItem[] {
  return (place()?.channels ?? [])
    .filter((channel) => !types?.length || types.includes(channel.type))
    .map((channel) => ({
      value: channel.id,
      label: channel.name ?? channel.id,
      detail: isVoice(channel) ? 'Voice channel' : 'Text channel',
    }));
}
