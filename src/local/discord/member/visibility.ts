// What a member sees: channels, who is in voice in them, and the events that reach the member's client.
import { type APIApplicationCommand, type APIThreadChannel, type APIVoiceState, PermissionFlagsBits as P } from 'discord-api-types/v10';
import { listAvailableCommands } from '../interactions/available-commands.ts';
import { localize } from '../interactions/localizations.ts';
import { serializeMemberMessage } from '../messages/serialize.ts';
import type { Dispatch, Snapshot } from '../page/protocol.ts';
import { localeOf } from '../world/languages.ts';
import { computePermissions, hasPermissions } from '../world/permissions.ts';
import { listActiveThreads, serializeDm, serializeGuild, serializeThread } from '../world/serialize.ts';
import { stickerPack } from '../world/stickers.ts';
import { type Channel, type Guild, type GuildChannel, isDm, type Message, type World, type WorldEvent } from '../world/world.ts';

/** `home`: the guild that the client shows first. */
export function createVisibility(world: World, userId: string, home: Guild) {
  const visibleChannels = new Set<string>();
  for (const guild of world.guilds.values())
    for (const channel of guild.channels.values()) if (canSee(channel)) visibleChannels.add(channel.id);

  function canSee(channel: Channel): boolean {
    return hasPermissions(world, userId, channel, P.ViewChannel);
  }

  /** An event as this member's client receives it: possibly several dispatches, or none. */
  function toDispatches({ t, d, to, guildId, channel }: WorldEvent): Dispatch[] {
    if (to === 'bot' || (typeof to === 'object' && to.member !== userId)) return [];
    const guild = guildId === undefined ? undefined : world.guilds.get(guildId);
    if (guildId !== undefined && !guild?.members.has(userId)) return [];
    if (channel && !canSee(channel)) return [];
    const dispatch = { t, d } as Dispatch;
    switch (dispatch.t) {
      case 'MESSAGE_CREATE':
      case 'MESSAGE_UPDATE':
        return [{ ...dispatch, d: serializeMemberMessage(world, d as Message, userId) }];
      case 'VOICE_STATE_UPDATE':
        return [{ ...dispatch, d: hideChannel(dispatch.d) }];
      case 'CHANNEL_DELETE':
        return visibleChannels.delete(dispatch.d.id) ? [dispatch] : [];
      case 'CHANNEL_UPDATE':
        return guild ? updateVisibleChannels(guild, dispatch.d.id) : [];
      case 'COMMANDS_UPDATE':
        return [{ ...dispatch, d: listHomeCommands() }];
      case 'GUILD_ROLE_UPDATE':
      case 'GUILD_MEMBER_UPDATE':
        return guild ? [dispatch, permissionsDispatch(guild), ...updateVisibleChannels(guild)] : [dispatch];
      default:
        return [dispatch];
    }
  }

  /** Dispatches for the channels that have become visible or invisible, and for the changed one if it is visible. */
  function updateVisibleChannels(guild: Guild, changedId?: string): Dispatch[] {
    return [...guild.channels.values()].flatMap((channel): Dispatch[] => {
      if (!canSee(channel)) return visibleChannels.delete(channel.id) ? [channelDispatch('CHANNEL_DELETE', channel)] : [];
      if (visibleChannels.has(channel.id) && channel.id !== changedId) return [];
      const isNew = !visibleChannels.has(channel.id);
      visibleChannels.add(channel.id);
      const threads = isNew ? listThreads(guild).filter(({ parent_id }) => parent_id === channel.id) : [];
      return [channelDispatch('CHANNEL_UPDATE', channel), ...threads.map((d): Dispatch => ({ t: 'THREAD_CREATE', d }))];
    });
  }

  function listThreads(guild: Guild): APIThreadChannel[] {
    return listActiveThreads(world, guild, userId).map((thread) => serializeThread(world, thread, userId));
  }

  function permissionsDispatch(guild: Guild): Dispatch {
    return { t: 'GUILD_UPDATE', d: { id: guild.id, permissions: String(computePermissions(guild, userId)) } };
  }

  /** Someone in an invisible channel seems to be in none. */
  function hideChannel(state: APIVoiceState): APIVoiceState {
    const channel = world.channels.get(state.channel_id ?? '');
    const isVisible = state.user_id === userId || !channel || canSee(channel);
    return isVisible ? state : { ...state, channel_id: null };
  }

  function listHomeCommands(): APIApplicationCommand[] {
    const channel = [...home.channels.values()].find(canSee);
    if (!channel) return [];
    return listAvailableCommands(world, userId, channel).map((command) => localize(command, localeOf(world, userId)));
  }

  function serializeMemberGuild(guild: Guild) {
    return {
      ...serializeGuild(guild),
      permissions: String(computePermissions(guild, userId)),
      channels: [...guild.channels.values()].filter(canSee),
      threads: listThreads(guild),
      members: [...guild.members.values()],
      voice_states: [...guild.voiceStates.values()].map((state) => ({ ...hideChannel(state), guild_id: guild.id })),
      voice_statuses: Object.fromEntries([...world.voiceStatuses].filter(([id]) => guild.channels.has(id) && visibleChannels.has(id))),
    };
  }

  function snapshot(): Omit<Snapshot, 'introduction'> {
    const guilds = [...world.guilds.values()].filter(({ members }) => members.has(userId));
    const homeFirst = [...guilds.filter((guild) => guild === home), ...guilds.filter((guild) => guild !== home)];
    const dms = [...world.channels.values()].filter(isDm).filter(({ userIds }) => userIds.includes(userId));
    return {
      user: world.users.get(userId),
      locale: localeOf(world, userId),
      application: world.application.user,
      guilds: homeFirst.map(serializeMemberGuild),
      dms: dms.map((channel) => serializeDm(world, channel, userId)),
      stickerPacks: [stickerPack],
      commands: listHomeCommands(),
    } as unknown as Snapshot;
  }

  return { toDispatches, snapshot };
}

function channelDispatch(t: 'CHANNEL_UPDATE' | 'CHANNEL_DELETE', channel: GuildChannel): Dispatch {
  return { t, d: channel } as unknown as Dispatch;
}
