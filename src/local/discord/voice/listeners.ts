// Members who listen and speak in this process: those of the page and of tests.
import type { Channel, Participant } from './channel.ts';
import { createLocalMember, type LocalMember } from './local-member.ts';
import { createSpeaker, type Speaker } from './speaker.ts';
import type { SpeakerFaults, VoiceServer } from './types.ts';

export interface Listeners {
  listen: VoiceServer['listen'];
  has: VoiceServer['hasListener'];
  /** All listeners leave. */
  close(): void;
}

/** A member in a channel, with one or more listening clients, such as two tabs. */
interface ListeningMember {
  channelId: string;
  member: LocalMember;
  speaker: Speaker;
  clients: number;
  end(): void;
}

interface ListenersOptions {
  openChannel(guildId: string, channelId: string): Channel;
  leaveChannel(channel: Channel, participant: Participant): void;
  createSsrc(): number;
  isSuppressed(guildId: string, userId: string): boolean;
  faultsOf(userId: string): SpeakerFaults | undefined;
}

/** A member listens in one channel of a guild at a time: listening in another one leaves it. */
export function createListeners({ openChannel, leaveChannel, createSsrc, isSuppressed, faultsOf }: ListenersOptions): Listeners {
  /** By guild and user. */
  const listening = new Map<string, ListeningMember>();
  const keyOf = (guildId: string, userId: string) => `${guildId}/${userId}`;

  function join({ guildId, channelId, userId }: Parameters<Listeners['listen']>[0]): ListeningMember {
    const key = keyOf(guildId, userId);
    const channel = openChannel(guildId, channelId);
    const member = createLocalMember({
      userId,
      channelId,
      expectedUserIds: () => channel.userIds(),
      sendToGroup: (from, message) => channel.group.receive(from, message),
    });
    const participant: Participant = {
      member,
      onConnected: () => {},
      onDisconnected: () => {},
      onAnnounced: () => {},
      onSpeaking: member.receiveSpeaking,
      onPacket: member.receivePacket,
      onOtherDatagrams: () => {},
    };
    const speaker = createSpeaker({
      member,
      participant,
      channel,
      ssrc: createSsrc(),
      isSuppressed: () => isSuppressed(guildId, userId),
      faults: () => faultsOf(userId),
    });
    const entry: ListeningMember = {
      channelId,
      member,
      speaker,
      clients: 0,
      end() {
        if (listening.get(key) !== entry) return;
        listening.delete(key);
        leaveChannel(channel, participant);
        speaker.close();
        member.close();
      },
    };
    listening.set(key, entry);
    channel.enter(participant);
    channel.group.join(member);
    return entry;
  }

  return {
    listen(who) {
      const { guildId, channelId, userId } = who;
      const key = keyOf(guildId, userId);
      const current = listening.get(key);
      if (current?.channelId !== channelId) current?.end();
      const entry = listening.get(key) ?? join(who);
      const { member, speaker } = entry;
      entry.clients++;
      let hasLeft = false;
      return {
        channelId,
        onHeard: (callback) => member.onHeard((packet) => !hasLeft && callback(packet)),
        onSpeaking: (callback) => member.onSpeaking((event) => !hasLeft && callback(event)),
        send: (opus) => hasLeft || speaker.send(opus),
        pause: (ms) => hasLeft || speaker.pause(ms),
        stats: member.stats,
        voicePrivacyCode: member.voicePrivacyCode,
        leave() {
          if (hasLeft) return;
          hasLeft = true;
          entry.clients--;
          if (entry.clients === 0) entry.end();
        },
      };
    },
    has: (guildId, userId) => listening.has(keyOf(guildId, userId)),
    close() {
      for (const entry of [...listening.values()]) entry.end();
    },
  };
}
