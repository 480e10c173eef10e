// One voice channel while somebody is in it: who is there, who speaks, and every packet handed to everybody else.
import { createDaveGroup, type DaveGroup, type DaveGroupOptions } from './dave/group.ts';
import type { DaveMember } from './dave/messages.ts';
import { isSilence, type VoicePacket } from './rtp.ts';

/** Nobody is shown as speaking when no sound has come for this long. */
const QUIET_AFTER_MS = 250;

/** A bot behind a socket or a member in this process. */
export interface Participant {
  readonly member: DaveMember;
  connected(userIds: string[]): void;
  disconnected(userId: string): void;
  /** Somebody says that it begins (flags of opcode 5) or ends (0) to send. */
  announced(userId: string, ssrc: number, flags: number): void;
  /** Somebody begins or ends to be heard. */
  speaking(userId: string, speaking: boolean): void;
  hear(userId: string, packet: VoicePacket): void;
}

export interface Channel {
  readonly group: DaveGroup;
  readonly size: number;
  userIds(): string[];
  enter(participant: Participant): void;
  leave(participant: Participant): void;
  announce(from: Participant, ssrc: number, flags: number): void;
  /** Whether anybody else is there to hear. */
  hasAudience(from: Participant): boolean;
  relay(from: Participant, packet: VoicePacket): void;
  close(): void;
}

interface Voice {
  ssrc: number;
  /** As last announced by opcode 5. */
  flags: number;
  speaking: boolean;
  lastSound: number;
}

export function createChannel(options: DaveGroupOptions): Channel {
  const group = createDaveGroup(options);
  const participants = new Map<Participant, Voice>();
  let quietTimer: NodeJS.Timeout | undefined;

  function others(than: Participant): Participant[] {
    return [...participants.keys()].filter((participant) => participant !== than);
  }

  function setSpeaking(who: Participant, voice: Voice, speaking: boolean): void {
    if (voice.speaking === speaking) return;
    voice.speaking = speaking;
    for (const other of others(who)) other.speaking(who.member.userId, speaking);
    if (speaking) quietTimer ??= setInterval(endQuiet, QUIET_AFTER_MS / 2);
  }

  function endQuiet(): void {
    const since = performance.now() - QUIET_AFTER_MS;
    let anyone = false;
    for (const [participant, voice] of participants) {
      if (voice.speaking && voice.lastSound < since) setSpeaking(participant, voice, false);
      anyone ||= voice.speaking;
    }
    if (anyone) return;
    clearInterval(quietTimer);
    quietTimer = undefined;
  }

  return {
    group,
    get size() {
      return participants.size;
    },
    userIds: () => [...participants.keys()].map(({ member }) => member.userId),
    enter(participant) {
      const present = [...participants];
      participants.set(participant, { ssrc: 0, flags: 0, speaking: false, lastSound: 0 });
      if (present.length > 0) participant.connected(present.map(([{ member }]) => member.userId));
      for (const [other, voice] of present) {
        other.connected([participant.member.userId]);
        if (voice.flags !== 0) participant.announced(other.member.userId, voice.ssrc, voice.flags);
        if (voice.speaking) participant.speaking(other.member.userId, true);
      }
    },
    leave(participant) {
      const voice = participants.get(participant);
      if (!voice) return;
      setSpeaking(participant, voice, false);
      participants.delete(participant);
      for (const other of participants.keys()) other.disconnected(participant.member.userId);
      group.leave(participant.member);
    },
    announce(from, ssrc, flags) {
      const voice = participants.get(from);
      if (!voice) return;
      voice.ssrc = ssrc;
      voice.flags = flags;
      for (const other of others(from)) other.announced(from.member.userId, ssrc, flags);
      if (flags === 0) setSpeaking(from, voice, false);
    },
    hasAudience: (from) => participants.size > (participants.has(from) ? 1 : 0),
    relay(from, packet) {
      const voice = participants.get(from);
      if (!voice) return;
      if (voice.flags !== 0 && !isSilence(packet.payload)) {
        voice.lastSound = performance.now();
        setSpeaking(from, voice, true);
      }
      for (const participant of participants.keys()) if (participant !== from) participant.hear(from.member.userId, packet);
    },
    close() {
      clearInterval(quietTimer);
      participants.clear();
      group.close();
    },
  };
}
