// Members who listen without a client of their own: the page's, and those of tests.
import type { Channel, Participant } from './channel.ts';
import { createLocalMember } from './local-member.ts';
import type { Listener, VoiceServer } from './types.ts';

export interface Listeners {
  listen: VoiceServer['listen'];
  /** All of them leave. */
  close(): void;
}

/** One at a time for each member of a guild: who listens in another channel leaves the one before. */
export function createListeners(
  channelOf: (guildId: string, channelId: string) => Channel,
  leaveChannel: (channel: Channel, participant: Participant) => void,
): Listeners {
  /** By guild and user. */
  const listeners = new Map<string, Listener>();

  return {
    listen({ guildId, channelId, userId }) {
      const key = `${guildId}/${userId}`;
      listeners.get(key)?.leave();
      const channel = channelOf(guildId, channelId);
      const member = createLocalMember({
        userId,
        channelId,
        expectedUserIds: () => channel.userIds(),
        answer: (from, message) => channel.group.receive(from, message),
      });
      const participant: Participant = {
        member,
        connected: () => {},
        disconnected: () => {},
        announced: () => {},
        speaking: member.speaking,
        hear: member.hear,
      };
      const listener: Listener = {
        channelId,
        onHeard: member.onHeard,
        onSpeaking: member.onSpeaking,
        stats: member.stats,
        voicePrivacyCode: member.voicePrivacyCode,
        leave() {
          if (listeners.get(key) !== listener) return;
          listeners.delete(key);
          leaveChannel(channel, participant);
          member.end();
        },
      };
      listeners.set(key, listener);
      channel.enter(participant);
      channel.group.join(member);
      return listener;
    },
    close() {
      for (const listener of [...listeners.values()]) listener.leave();
    },
  };
}
