// A voice channel with at least one participant: who is in it, who is speaking, and the relay of packets to all others.
import { createDaveGroup, type DaveGroup, type DaveGroupOptions } from './dave/group.ts';
import type { DaveMember } from './dave/messages.ts';
import { isSilence, type VoicePacket } from './rtp.ts';
import type { TransportCipher } from './transport-cipher.ts';

/** A participant counts as speaking until it has sent no sound for this long. */
const SILENT_AFTER_MS = 250;

/** A bot behind a socket, or a member in this process. */
export interface Participant {
  readonly member: DaveMember;
  onConnected(userIds: string[]): void;
  onDisconnected(userId: string): void;
  /** Another participant announces that it starts (flags of opcode 5) or stops (0) sending. */
  onAnnounced(userId: string, ssrc: number, flags: number): void;
  /** Another participant's sound starts or stops. */
  onSpeaking(userId: string, speaking: boolean): void;
  onPacket(userId: string, packet: VoicePacket): void;
  /** What shares a bot's UDP socket with sound, and isn't sound. */
  onOtherDatagrams(seal: SealDatagrams): void;
}

export type SealDatagrams = (cipher: TransportCipher) => Buffer[];

export interface Channel {
  readonly group: DaveGroup;
  readonly size: number;
  userIds(): string[];
  enter(participant: Participant): void;
  leave(participant: Participant): void;
  announce(from: Participant, ssrc: number, flags: number): void;
  /** Whether there is anyone else in the channel. */
  hasAudience(from: Participant): boolean;
  relay(from: Participant, packet: VoicePacket): void;
  relayOtherDatagrams(from: Participant, seal: SealDatagrams): void;
  close(): void;
}

interface SpeakingState {
  ssrc: number;
  /** Last announced by opcode 5. */
  flags: number;
  speaking: boolean;
  /** In the time of `performance.now()`. */
  lastSoundAt: number;
}

export function createChannel(options: DaveGroupOptions): Channel {
  const group = createDaveGroup(options);
  const participants = new Map<Participant, SpeakingState>();
  let silenceTimer: NodeJS.Timeout | undefined;

  function listOthers(self: Participant): Participant[] {
    return [...participants.keys()].filter((participant) => participant !== self);
  }

  function setSpeaking(participant: Participant, state: SpeakingState, speaking: boolean): void {
    if (state.speaking === speaking) return;
    state.speaking = speaking;
    for (const other of listOthers(participant)) other.onSpeaking(participant.member.userId, speaking);
    if (!speaking) return;
    silenceTimer ??= setInterval(() => {
      // After a standstill, packets may wait to be read.
      setImmediate(endSilentSpeaking, performance.now() - SILENT_AFTER_MS);
    }, SILENT_AFTER_MS / 2);
  }

  /** @param threshold `performance.now()` */
  function endSilentSpeaking(threshold: number): void {
    let isAnyoneSpeaking = false;
    for (const [participant, state] of participants) {
      if (state.speaking && state.lastSoundAt < threshold) setSpeaking(participant, state, false);
      isAnyoneSpeaking ||= state.speaking;
    }
    if (isAnyoneSpeaking) return;
    clearInterval(silenceTimer);
    silenceTimer = undefined;
  }

  return {
    group,
    get size() {
      return participants.size;
    },
    userIds: () => [...participants.keys()].map(({ member }) => member.userId),
    enter(participant) {
      const present = [...participants];
      participants.set(participant, { ssrc: 0, flags: 0, speaking: false, lastSoundAt: 0 });
      if (present.length > 0) participant.onConnected(present.map(([{ member }]) => member.userId));
      for (const [other, state] of present) {
        other.onConnected([participant.member.userId]);
        if (state.flags !== 0) participant.onAnnounced(other.member.userId, state.ssrc, state.flags);
        if (state.speaking) participant.onSpeaking(other.member.userId, true);
      }
    },
    leave(participant) {
      const state = participants.get(participant);
      if (!state) return;
      setSpeaking(participant, state, false);
      participants.delete(participant);
      for (const other of participants.keys()) other.onDisconnected(participant.member.userId);
      group.leave(participant.member);
    },
    announce(from, ssrc, flags) {
      const state = participants.get(from);
      if (!state) return;
      state.ssrc = ssrc;
      state.flags = flags;
      for (const other of listOthers(from)) other.onAnnounced(from.member.userId, ssrc, flags);
      if (flags === 0) setSpeaking(from, state, false);
    },
    hasAudience: (from) => participants.size > (participants.has(from) ? 1 : 0),
    relay(from, packet) {
      const state = participants.get(from);
      if (!state) return;
      if (state.flags !== 0 && !isSilence(packet.payload)) {
        state.lastSoundAt = performance.now();
        setSpeaking(from, state, true);
      }
      for (const participant of participants.keys()) if (participant !== from) participant.onPacket(from.member.userId, packet);
    },
    relayOtherDatagrams(from, seal) {
      for (const participant of listOthers(from)) participant.onOtherDatagrams(seal);
    },
    close() {
      clearInterval(silenceTimer);
      participants.clear();
      group.close();
    },
  };
}
