// A member who listens and speaks in this process, without a socket: a full member of the channel's DAVE group, as Discord's own client is.
import { DAVESession } from '@snazzah/davey';
import { VoiceOpcodes } from 'discord-api-types/voice/v8';
import type { HeardPacket } from '../page/protocol.ts';
import { DAVE_VERSION, type DaveMember, type GroupMessage, type MemberMessage } from './dave/messages.ts';
import { isEndToEndEncrypted, isSilence, type VoicePacket } from './rtp.ts';
import type { ListenerStats } from './types.ts';

/** davey's MediaType.AUDIO: a const enum, which this project cannot import. */
const AUDIO = 0;
/** How far ahead of sending a client may have encrypted frames: much more than any does, much less than a fault lasts. */
const MAX_AHEAD_MS = 1000;

export interface LocalMember extends DaveMember {
  /** Handles a packet of another participant. */
  receivePacket(userId: string, packet: VoicePacket): void;
  receiveSpeaking(userId: string, speaking: boolean): void;
  /**
   * Passes on the member's Opus packet as it is sent to others: now, or, during a transition, once it is executed. Without the group's keys,
   * nobody gets it.
   */
  encrypt(opus: Buffer, send: (frame: Buffer) => void): void;
  onHeard(callback: (heard: HeardPacket) => void): void;
  onSpeaking(callback: (event: { user_id: string; speaking: boolean }) => void): void;
  stats(): ListenerStats;
  voicePrivacyCode(): string;
  /** Ends all callbacks. */
  close(): void;
}

interface LocalMemberOptions {
  userId: string;
  channelId: string;
  sendToGroup(member: DaveMember, message: MemberMessage): void;
  /** Everyone in the channel: no one else may join the group. */
  expectedUserIds(): string[];
}

export function createLocalMember({ userId, channelId, sendToGroup, expectedUserIds }: LocalMemberOptions): LocalMember {
  const dave = new DAVESession(DAVE_VERSION, userId, channelId);
  const packetCallbacks: ((heard: HeardPacket) => void)[] = [];
  const speakingCallbacks: ((event: { user_id: string; speaking: boolean }) => void)[] = [];
  const speakers = new Set<string>();
  const stats: ListenerStats = { packets: 0, decrypted: 0, silence: 0, early: 0, plaintext: 0, undecryptable: 0, lost: 0 };
  /** The latest sequence number by SSRC. */
  const sequences = new Map<number, number>();
  /** Until when unencrypted frames are accepted, in the time of `performance.now()`. */
  let plaintextUntil = Number.NEGATIVE_INFINITY;
  /** The pending transition that switches encryption off. */
  let downgradeId: number | null = null;
  /** When the transition that added this member was executed, in the time of `performance.now()`. */
  let addedAt = Number.POSITIVE_INFINITY;
  /** The speakers whose frames have been decrypted since then. */
  const decryptedSpeakers = new Set<string>();
  /** Whether this member's own frames are unencrypted. */
  let sendsPlaintext = false;
  /**
   * What was said since a commit was processed. Other clients would encrypt it with the old keys; davey has only the new ones, which those
   * who are not ready yet don't have.
   */
  let held: (() => void)[] | null = null;
  let isClosed = false;

  const member: LocalMember = {
    userId,
    isReachable: () => true,
    send(message) {
      try {
        handle(message);
      } catch {
        if (isTransition(message)) recover(message.payload.readUInt16BE(0));
      }
    },
    receivePacket(speaker, packet) {
      if (isClosed) return;
      stats.packets += 1;
      countGap(packet);
      const opus = decrypt(speaker, packet.payload);
      if (!opus) return;
      for (const callback of packetCallbacks) callback({ user_id: speaker, sequence: packet.sequence, timestamp: packet.timestamp, opus });
    },
    receiveSpeaking(speaker, speaking) {
      if (isClosed) return;
      if (speaking) speakers.add(speaker);
      else speakers.delete(speaker);
      for (const callback of speakingCallbacks) callback({ user_id: speaker, speaking });
    },
    encrypt(opus, send) {
      if (held) held.push(() => member.encrypt(opus, send));
      else if (isClosed) return;
      else if (sendsPlaintext || isSilence(opus)) send(opus);
      else if (dave.ready) send(dave.encryptOpus(opus));
    },
    onHeard: (callback) => void packetCallbacks.push(callback),
    onSpeaking(callback) {
      speakingCallbacks.push(callback);
      for (const speaker of speakers) callback({ user_id: speaker, speaking: true });
    },
    stats: () => ({ ...stats }),
    voicePrivacyCode: () => dave.voicePrivacyCode,
    close() {
      isClosed = true;
      dave.reset();
    },
  };

  function handle(message: GroupMessage): void {
    if (message.op === VoiceOpcodes.DaveMlsExternalSender) {
      dave.setExternalSender(message.payload);
      sendKeyPackage();
    } else if (message.op === VoiceOpcodes.DavePrepareEpoch && message.d.epoch === 1) {
      startOver();
      sendKeyPackage();
    } else if (message.op === VoiceOpcodes.DaveMlsProposals) {
      const { commit, welcome } = dave.processProposals(message.payload.readUInt8(0), message.payload.subarray(1), expectedUserIds());
      if (commit)
        sendToGroup(member, { op: VoiceOpcodes.DaveMlsCommitWelcome, payload: welcome ? Buffer.concat([commit, welcome]) : commit });
    } else if (isTransition(message)) {
      if (message.op === VoiceOpcodes.DaveMlsAnnounceCommitTransition) dave.processCommit(message.payload.subarray(2));
      else dave.processWelcome(message.payload.subarray(2));
      held ??= [];
      sendToGroup(member, { op: VoiceOpcodes.DaveTransitionReady, transitionId: message.payload.readUInt16BE(0) });
    } else if (message.op === VoiceOpcodes.DavePrepareTransition) prepare(message.d.protocol_version, message.d.transition_id);
    else if (message.op === VoiceOpcodes.DaveExecuteTransition) execute(message.d.transition_id);
  }

  function prepare(version: number, transitionId: number): void {
    if (version !== 0) return;
    if (transitionId === 0) {
      plaintextUntil = Number.POSITIVE_INFINITY;
      sendsPlaintext = true;
    } else {
      downgradeId = transitionId;
      sendToGroup(member, { op: VoiceOpcodes.DaveTransitionReady, transitionId });
    }
  }

  function execute(transitionId: number): void {
    if (transitionId === downgradeId) plaintextUntil = Number.POSITIVE_INFINITY;
    else {
      addedAt = Math.min(addedAt, performance.now());
      plaintextUntil = Math.min(plaintextUntil, performance.now() + MAX_AHEAD_MS);
    }
    sendsPlaintext = transitionId === downgradeId;
    downgradeId = null;
    const said = held ?? [];
    held = null;
    for (const send of said) send();
  }

  function sendKeyPackage(): void {
    sendToGroup(member, { op: VoiceOpcodes.DaveMlsKeyPackage, payload: dave.getSerializedKeyPackage() });
  }

  function startOver(): void {
    dave.reinit(DAVE_VERSION, userId, channelId);
    addedAt = Number.POSITIVE_INFINITY;
    decryptedSpeakers.clear();
    held = null;
  }

  function recover(transitionId: number): void {
    startOver();
    sendToGroup(member, { op: VoiceOpcodes.DaveMlsInvalidCommitWelcome, transitionId });
    sendKeyPackage();
  }

  /** The Opus frame; null if it must not or cannot be played. */
  function decrypt(speaker: string, payload: Buffer): Buffer | null {
    if (isSilence(payload)) {
      stats.silence += 1;
      return Buffer.from(payload);
    }
    if (!isEndToEndEncrypted(payload)) {
      if (performance.now() < plaintextUntil) {
        stats.decrypted += 1;
        return Buffer.from(payload);
      }
      stats.plaintext += 1;
      return null;
    }
    try {
      const opus = dave.decrypt(speaker, AUDIO, payload);
      stats.decrypted += 1;
      decryptedSpeakers.add(speaker);
      return opus;
    } catch {
      if (isEarly(speaker)) stats.early += 1;
      else stats.undecryptable += 1;
      return null;
    }
  }

  /** Clients encrypt a frame or two ahead: shortly after a transition, frames may still be from before it. */
  function isEarly(speaker: string): boolean {
    return !decryptedSpeakers.has(speaker) && performance.now() < addedAt + MAX_AHEAD_MS;
  }

  function countGap({ ssrc, sequence }: VoicePacket): void {
    const last = sequences.get(ssrc);
    const ahead = last === undefined ? 1 : (sequence - last) & 0xffff;
    if (ahead === 0) return; // a duplicate
    if (ahead >= 0x8000) {
      stats.lost = Math.max(0, stats.lost - 1); // late: it was counted as lost
      return;
    }
    stats.lost += ahead - 1;
    sequences.set(ssrc, sequence);
  }

  return member;
}

function isTransition(message: GroupMessage): message is Extract<GroupMessage, { payload: Buffer }> {
  return message.op === VoiceOpcodes.DaveMlsAnnounceCommitTransition || message.op === VoiceOpcodes.DaveMlsWelcome;
}
