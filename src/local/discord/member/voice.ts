// A member's voice: joins and leaves voice channels, and listens and speaks in the channel of the member's voice state.
import { type APIVoiceState, ChannelType } from 'discord-api-types/v10';
import type { HeardPacket } from '../page/protocol.ts';
import type { Listener, ListenerStats, Microphone, VoiceServer } from '../voice/types.ts';
import { isFull, setVoiceState, type VoiceStateOptions } from '../world/voice-states.ts';
import { type Channel, type Guild, isDm, isThread, type World } from '../world/world.ts';

type SelfFlags = Pick<VoiceStateOptions, 'self_mute' | 'self_deaf'>;

export interface MemberVoice {
  /** Null leaves. @throws Error with a sentence for the member */
  join(channel: Channel | null, flags: SelfFlags): void;
  /** Mutes or deafens the member themselves, while they are in voice. */
  setFlags(flags: SelfFlags): void;
  /** Follows a change of the member's voice state, such as a moderator's move. */
  follow(guildId: string, state: APIVoiceState): void;
  /** Sends nothing while the member has muted or deafened themselves, or isn't in a voice channel. */
  microphone: Microphone;
  /** Null while not in a voice channel. */
  stats(): ListenerStats | null;
  privacyCode(): string;
  close(): void;
}

export function createMemberVoice(options: {
  world: World;
  voice: VoiceServer;
  userId: string;
  onHeard(packet: HeardPacket): void;
  onSpeaking(event: { user_id: string; speaking: boolean }): void;
}): MemberVoice {
  const { world, voice, userId, onHeard, onSpeaking } = options;
  let listener: Listener | null = null;
  /** If a member has several clients, only those that joined listen. */
  let hasJoined = false;
  /** Deafened by a moderator or themselves. */
  let isDeaf = false;
  /** Their own client sends nothing: those who deafen themselves are muted, too. */
  let isSelfMuted = false;

  /** A user is in at most one voice channel, across all guilds. */
  function findCurrentGuild(): Guild | null {
    return [...world.guilds.values()].find(({ voiceStates }) => voiceStates.has(userId)) ?? null;
  }

  function leave(): void {
    const guild = findCurrentGuild();
    if (guild) setVoiceState(world, voice, guild, userId, null);
  }

  return {
    join(channel, flags) {
      if (!channel) return leave();
      if (isDm(channel) || isThread(channel) || channel.type === ChannelType.GuildText) throw new Error('This is a text channel.');
      const guild = world.guilds.get(channel.guild_id) as Guild;
      if (isFull(world, guild, userId, channel)) throw new Error('The voice channel is full.');
      if (findCurrentGuild() !== guild) leave();
      hasJoined = true;
      setVoiceState(world, voice, guild, userId, channel.id, flags);
    },
    setFlags(flags) {
      const guild = findCurrentGuild();
      const channelId = guild?.voiceStates.get(userId)?.channel_id;
      if (guild && channelId) setVoiceState(world, voice, guild, userId, channelId, flags);
    },
    follow(guildId, { channel_id: channelId, deaf, self_deaf, self_mute }) {
      isDeaf = deaf || self_deaf;
      isSelfMuted = self_mute || self_deaf;
      if (listener?.channelId === channelId) return;
      listener?.leave();
      if (channelId === null) hasJoined = false;
      listener = !hasJoined || channelId === null ? null : voice.listen({ guildId, channelId, userId });
      listener?.onHeard((heard) => {
        if (!isDeaf) onHeard(heard);
      });
      listener?.onSpeaking(onSpeaking);
    },
    microphone: {
      send(opus) {
        if (isSelfMuted) listener?.pause();
        else listener?.send(opus);
      },
      pause: (ms) => listener?.pause(ms),
    },
    stats: () => listener?.stats() ?? null,
    privacyCode: () => listener?.voicePrivacyCode() ?? '',
    close() {
      const guild = findCurrentGuild();
      listener?.leave();
      listener = null;
      // Another client of the member may still be listening.
      if (hasJoined && guild && !voice.hasListener(guild.id, userId)) leave();
      hasJoined = false;
    },
  };
}
