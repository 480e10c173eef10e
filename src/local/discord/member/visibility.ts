// What a member sees of the world: channels, who is in voice in them, and what happens there.
import { type APIApplicationCommand, type APIVoiceState, PermissionFlagsBits as P } from 'discord-api-types/v10';
import { commandsIn } from '../interactions/available-commands.ts';
import type { Dispatch, Snapshot } from '../page/protocol.ts';
import { type Channel, type Guild, type GuildChannel, type Happening, isDm, type World } from '../world/index.ts';
import { asDm, asGuild } from '../world/payloads.ts';
import { may } from '../world/permissions.ts';

export interface MemberSight {
  sees(channel: Channel): boolean;
  /** What a happening means for this member. */
  dispatches(happening: Happening): Dispatch[];
  snapshot(): Snapshot;
}

/** `home`: the guild that this member looks at first. */
export function createMemberSight(world: World, userId: string, home: Guild): MemberSight {
  /** Channels of guilds that this member sees. */
  const seen = new Set<string>();
  for (const guild of world.guilds.values()) for (const channel of guild.channels.values()) if (sees(channel)) seen.add(channel.id);

  function sees(channel: Channel): boolean {
    return may(world, userId, channel, P.ViewChannel);
  }

  function dispatches({ t, d, to, guildId, channel }: Happening): Dispatch[] {
    if (to === 'bot' || (typeof to === 'object' && to.member !== userId)) return [];
    const guild = guildId === undefined ? undefined : world.guilds.get(guildId);
    if (guildId !== undefined && !guild?.members.has(userId)) return [];
    if (channel && !sees(channel)) return [];
    const dispatch = { t, d } as Dispatch;
    if (dispatch.t === 'VOICE_STATE_UPDATE') return [{ ...dispatch, d: asSeen(dispatch.d) }];
    if (dispatch.t === 'CHANNEL_DELETE') return seen.delete(dispatch.d.id) ? [dispatch] : [];
    if (dispatch.t === 'CHANNEL_UPDATE') return guild ? reviewChannels(guild, dispatch.d.id) : [];
    if (dispatch.t === 'COMMANDS_UPDATE') return [{ ...dispatch, d: commandsAtHome() }];
    const changesSight = guild && (dispatch.t === 'GUILD_ROLE_UPDATE' || dispatch.t === 'GUILD_MEMBER_UPDATE');
    return changesSight ? [dispatch, ...reviewChannels(guild)] : [dispatch];
  }

  /** What of a guild's channels this member sees anew, or no longer, and the one that has changed if it sees that. */
  function reviewChannels(guild: Guild, changedId?: string): Dispatch[] {
    return [...guild.channels.values()].flatMap((channel): Dispatch[] => {
      if (!sees(channel)) return seen.delete(channel.id) ? [told('CHANNEL_DELETE', channel)] : [];
      if (seen.has(channel.id) && channel.id !== changedId) return [];
      seen.add(channel.id);
      return [told('CHANNEL_UPDATE', channel)];
    });
  }

  /** Of who is in a channel that this member does not see, only that they are in none that it sees. */
  function asSeen(state: APIVoiceState): APIVoiceState {
    const channel = world.channels.get(state.channel_id ?? '');
    const isSeen = state.user_id === userId || !channel || sees(channel);
    return isSeen ? state : { ...state, channel_id: null };
  }

  function commandsAtHome(): APIApplicationCommand[] {
    const channel = [...home.channels.values()].find(sees);
    return channel ? commandsIn(world, userId, channel) : [];
  }

  function asMemberGuild(guild: Guild) {
    return {
      ...asGuild(guild),
      channels: [...guild.channels.values()].filter(sees),
      members: [...guild.members.values()],
      voice_states: [...guild.voiceStates.values()].map((state) => ({ ...asSeen(state), guild_id: guild.id })),
    };
  }

  function snapshot(): Snapshot {
    const mine = [...world.guilds.values()].filter(({ members }) => members.has(userId));
    const guilds = [...mine.filter((guild) => guild === home), ...mine.filter((guild) => guild !== home)];
    const dms = [...world.channels.values()].filter(isDm).filter(({ userIds }) => userIds.includes(userId));
    return {
      user: world.users.get(userId),
      application: world.application.user,
      guilds: guilds.map(asMemberGuild),
      dms: dms.map((channel) => asDm(world, channel, userId)),
      commands: commandsAtHome(),
    } as unknown as Snapshot;
  }

  return { sees, dispatches, snapshot };
}

function told(t: 'CHANNEL_UPDATE' | 'CHANNEL_DELETE', channel: GuildChannel): Dispatch {
  return { t, d: channel } as unknown as Dispatch;
}
