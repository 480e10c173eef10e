// A member at the keyboard: in this process, no socket between, but a full member of the channel's DAVE group, as Discord's own client would be.
import { DAVESession } from '@snazzah/davey';
import type { HeardPacket } from '../page/protocol.ts';
import { DAVE_VERSION, type DaveMember, type GroupMessage, type MemberMessage } from './dave/messages.ts';
import { isEndToEndEncrypted, isSilence, type VoicePacket } from './rtp.ts';
import type { ListenerStats } from './types.ts';

const AUDIO = 0;
/** How far ahead of sending a client may have encrypted: far more than any does, far less than a fault would last. */
const AHEAD_MS = 1000;

export interface LocalMember extends DaveMember {
  /** What another participant's packet becomes here. */
  hear(userId: string, packet: VoicePacket): void;
  speaking(userId: string, speaking: boolean): void;
  onHeard(callback: (heard: HeardPacket) => void): void;
  onSpeaking(callback: (event: { user_id: string; speaking: boolean }) => void): void;
  stats(): ListenerStats;
  voicePrivacyCode(): string;
  /** Nothing is handed out any more. */
  end(): void;
}

export interface LocalMemberOptions {
  userId: string;
  channelId: string;
  /** Takes the member's answers to the group. */
  answer(member: DaveMember, message: MemberMessage): void;
  /** Everybody in the channel: nobody else is let into the group. */
  expectedUserIds(): string[];
}

export function createLocalMember({ userId, channelId, answer, expectedUserIds }: LocalMemberOptions): LocalMember {
  const dave = new DAVESession(DAVE_VERSION, userId, channelId);
  const heardBy: ((heard: HeardPacket) => void)[] = [];
  const speakingTo: ((event: { user_id: string; speaking: boolean }) => void)[] = [];
  const speakers = new Set<string>();
  const stats: ListenerStats = { packets: 0, decrypted: 0, silence: 0, early: 0, plaintext: 0, undecryptable: 0, lost: 0 };
  /** Last sequence number by SSRC. */
  const sequences = new Map<number, number>();
  /** Plain frames are right until then, in the time of `performance.now()`. */
  let plainUntil = Number.NEGATIVE_INFINITY;
  /** The transition under way that switches encryption off. */
  let downgradeId: number | null = null;
  /** When the transition that let it in was executed, in the time of `performance.now()`. */
  let admittedAt = Number.POSITIVE_INFINITY;
  /** Whose frames it has opened since it was let in. */
  const opened = new Set<string>();
  let ended = false;

  const member: LocalMember = {
    userId,
    isReachable: () => true,
    send(message) {
      try {
        take(message);
      } catch {
        if (message.op === 29 || message.op === 30) recover(message.payload.readUInt16BE(0));
      }
    },
    hear(speaker, packet) {
      if (ended) return;
      stats.packets += 1;
      countGap(packet);
      const opus = open(speaker, packet.payload);
      if (!opus) return;
      for (const callback of heardBy) callback({ user_id: speaker, sequence: packet.sequence, timestamp: packet.timestamp, opus });
    },
    speaking(speaker, speaking) {
      if (ended) return;
      if (speaking) speakers.add(speaker);
      else speakers.delete(speaker);
      for (const callback of speakingTo) callback({ user_id: speaker, speaking });
    },
    onHeard: (callback) => void heardBy.push(callback),
    onSpeaking(callback) {
      speakingTo.push(callback);
      for (const speaker of speakers) callback({ user_id: speaker, speaking: true });
    },
    stats: () => ({ ...stats }),
    voicePrivacyCode: () => dave.voicePrivacyCode,
    end() {
      ended = true;
      dave.reset();
    },
  };

  function take(message: GroupMessage): void {
    if (message.op === 25) {
      dave.setExternalSender(message.payload);
      sendKeyPackage();
    } else if (message.op === 24 && message.d.epoch === 1) {
      startOver();
      sendKeyPackage();
    } else if (message.op === 27) {
      const { commit, welcome } = dave.processProposals(message.payload.readUInt8(0), message.payload.subarray(1), expectedUserIds());
      if (commit) answer(member, { op: 28, payload: welcome ? Buffer.concat([commit, welcome]) : commit });
    } else if (message.op === 29 || message.op === 30) {
      if (message.op === 29) dave.processCommit(message.payload.subarray(2));
      else dave.processWelcome(message.payload.subarray(2));
      answer(member, { op: 23, transitionId: message.payload.readUInt16BE(0) });
    } else if (message.op === 21) prepare(message.d.protocol_version, message.d.transition_id);
    else if (message.op === 22) execute(message.d.transition_id);
  }

  function prepare(version: number, transitionId: number): void {
    if (version !== 0) return;
    if (transitionId === 0) plainUntil = Number.POSITIVE_INFINITY;
    else {
      downgradeId = transitionId;
      answer(member, { op: 23, transitionId });
    }
  }

  function execute(transitionId: number): void {
    if (transitionId === downgradeId) plainUntil = Number.POSITIVE_INFINITY;
    else {
      admittedAt = Math.min(admittedAt, performance.now());
      plainUntil = Math.min(plainUntil, performance.now() + AHEAD_MS);
    }
    downgradeId = null;
  }

  function sendKeyPackage(): void {
    answer(member, { op: 26, payload: dave.getSerializedKeyPackage() });
  }

  function startOver(): void {
    dave.reinit(DAVE_VERSION, userId, channelId);
    admittedAt = Number.POSITIVE_INFINITY;
    opened.clear();
  }

  function recover(transitionId: number): void {
    startOver();
    answer(member, { op: 31, transitionId });
    sendKeyPackage();
  }

  /** The frame as its speaker made it, or null when it must not or cannot be heard. */
  function open(speaker: string, payload: Buffer): Buffer | null {
    if (isSilence(payload)) {
      stats.silence += 1;
      return Buffer.from(payload);
    }
    if (!isEndToEndEncrypted(payload)) {
      if (performance.now() < plainUntil) {
        stats.decrypted += 1;
        return Buffer.from(payload);
      }
      stats.plaintext += 1;
      return null;
    }
    try {
      const opus = dave.decrypt(speaker, AUDIO, payload);
      stats.decrypted += 1;
      opened.add(speaker);
      return opus;
    } catch {
      if (isEarly(speaker)) stats.early += 1;
      else stats.undecryptable += 1;
      return null;
    }
  }

  /** Clients encrypt a frame or two ahead: what still comes shortly after the transition may be from before it. */
  function isEarly(speaker: string): boolean {
    return !opened.has(speaker) && performance.now() < admittedAt + AHEAD_MS;
  }

  function countGap({ ssrc, sequence }: VoicePacket): void {
    const last = sequences.get(ssrc);
    const ahead = last === undefined ? 1 : (sequence - last) & 0xffff;
    if (ahead === 0) return; // a duplicate
    if (ahead >= 0x8000) {
      stats.lost = Math.max(0, stats.lost - 1); // came late: counted as lost before
      return;
    }
    stats.lost += ahead - 1;
    sequences.set(ssrc, sequence);
  }

  return member;
}
