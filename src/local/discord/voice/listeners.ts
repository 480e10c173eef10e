// Members who listen without a client of their own: the page's, and those of tests.
import type { Channel, Participant } from './channel.ts';
import { createLocalMember, type LocalMember } from './local-member.ts';
import type { VoiceServer } from './types.ts';

export interface Listeners {
  listen: VoiceServer['listen'];
  has: VoiceServer['hasListener'];
  /** All of them leave. */
  close(): void;
}

/** A member in a channel, heard through by one or more clients of theirs, such as two tabs. */
interface Seat {
  channelId: string;
  member: LocalMember;
  clients: number;
  end(): void;
}

/** Each member of a guild is in one channel at a time: who listens in another one leaves the one before. */
export function createListeners(
  channelOf: (guildId: string, channelId: string) => Channel,
  leaveChannel: (channel: Channel, participant: Participant) => void,
): Listeners {
  /** By guild and user. */
  const seats = new Map<string, Seat>();
  const keyOf = (guildId: string, userId: string) => `${guildId}/${userId}`;

  function takeSeat(key: string, channel: Channel, { channelId, userId }: { channelId: string; userId: string }): Seat {
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
    const seat: Seat = {
      channelId,
      member,
      clients: 0,
      end() {
        if (seats.get(key) !== seat) return;
        seats.delete(key);
        leaveChannel(channel, participant);
        member.end();
      },
    };
    seats.set(key, seat);
    channel.enter(participant);
    channel.group.join(member);
    return seat;
  }

  return {
    listen({ guildId, channelId, userId }) {
      const key = keyOf(guildId, userId);
      const taken = seats.get(key);
      if (taken?.channelId !== channelId) taken?.end();
      const seat = seats.get(key) ?? takeSeat(key, channelOf(guildId, channelId), { channelId, userId });
      const { member } = seat;
      seat.clients++;
      let hasLeft = false;
      return {
        channelId,
        onHeard: (callback) => member.onHeard((heard) => !hasLeft && callback(heard)),
        onSpeaking: (callback) => member.onSpeaking((event) => !hasLeft && callback(event)),
        stats: member.stats,
        voicePrivacyCode: member.voicePrivacyCode,
        leave() {
          if (hasLeft) return;
          hasLeft = true;
          seat.clients--;
          if (seat.clients === 0) seat.end();
        },
      };
    },
    has: (guildId, userId) => seats.has(keyOf(guildId, userId)),
    close() {
      for (const seat of [...seats.values()]) seat.end();
    },
  };
}
