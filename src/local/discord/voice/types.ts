// The interface between the local Discord's state (REST, gateway) and its voice server (voice gateway, UDP, DAVE).
import type { HeardPacket } from '../page/protocol.ts';
import type { Admission } from './client.ts';
import type { RtpLayout } from './rtp.ts';

/** One voice server for all guilds, like one of Discord's regions. */
export interface VoiceServer {
  /** `127.0.0.1:PORT`, for VOICE_SERVER_UPDATE: clients connect to wss://endpoint?v=8. */
  readonly endpoint: string;
  /** PEM of the self-signed certificate: see `trustCertificate`. */
  readonly certificate: string;
  /**
   * Admits a bot whose voice state now names this channel (join, move or rejoin). A connection in another channel of the guild is closed
   * with 4014; one in the same channel stays until the bot identifies again.
   * @returns the token for VOICE_SERVER_UPDATE
   */
  admit(who: Omit<Admission, 'token'>): { token: string };
  /** Removes a bot that is no longer in the guild's voice: closes its socket with 4014. */
  expel(guildId: string, userId: string): void;
  /** Whether to drop what this user sends, because they may not speak. */
  suppress(guildId: string, userId: string, isSuppressed: boolean): void;
  /**
   * Joins as a member of this process, with full DAVE membership in the channel's group. Several listeners of a member share that membership,
   * which ends when the last of them leaves, or one of them listens in another channel of the guild.
   */
  listen(who: { guildId: string; channelId: string; userId: string }): Listener;
  hasListener(guildId: string, userId: string): boolean;
  /**
   * Moves the voice gateway to another port. Existing connections stay until they identify there.
   * `isTrusted: false`: with a new certificate, which nobody trusts.
   */
  relocate(options: { isTrusted: boolean }): Promise<void>;
  readonly faults: VoiceFaults;
  /** Everybody is out of every call at once, without a word to those who are left. Before the end only. */
  endCalls(): void;
  close(): Promise<void>;
}

/** What a member's microphone does. */
export interface Microphone {
  /**
   * Sends an Opus packet of any length to the others, spoken right after the one before, or after the pause. It is announced (opcode 5) at
   * the beginning and after each pause. Nobody hears it while the user is suppressed, or before the group is established.
   */
  send(opus: Uint8Array): void;
  /** Nothing is said for so many ms, or (default) until the next packet: only RTP's time goes on. Clients send five silence frames before. */
  pause(ms?: number): void;
}

export interface Listener extends Microphone {
  readonly channelId: string;
  /** Calls back for each packet, in the order of arrival. The callback may keep `opus`. */
  onHeard(callback: (packet: HeardPacket) => void): void;
  /** Calls back immediately for members who are already speaking. */
  onSpeaking(callback: (event: { user_id: string; speaking: boolean }) => void): void;
  stats(): ListenerStats;
  /** The group's voice privacy code as this member sees it; empty until the group is established. */
  voicePrivacyCode(): string;
  leave(): void;
}

/** `packets` is the sum of `decrypted`, `silence`, `early`, `plaintext` and `undecryptable`. */
export interface ListenerStats {
  /** RTP packets from others while this member was in the channel. */
  packets: number;
  /** Decrypted with DAVE, or unencrypted while that is allowed; passed to onHeard. */
  decrypted: number;
  /** Silence frames, which DAVE never encrypts; passed to onHeard. */
  silence: number;
  /** Encrypted before this member was added to the group. */
  early: number;
  /** Unencrypted although DAVE is on, and not silence: has to stay 0. */
  plaintext: number;
  /** Could not be decrypted with DAVE. */
  undecryptable: number;
  /** Gaps in sequence numbers. */
  lost: number;
}

/** Faults that tests inject; each lasts until it is switched off, unless stated otherwise. */
export interface VoiceFaults {
  /** Closes this user's voice gateway socket with a code (4006, 4015, …); null breaks the TCP connection. */
  closeGateway(guildId: string, userId: string, code: number | null): void;
  /** Sends a message to this user's voice gateway socket, unchanged. */
  sendMessage(guildId: string, userId: string, message: string | Uint8Array): void;
  /** While true, IP discovery is not answered. */
  ignoreIpDiscovery: boolean;
  /** While true, UDP from clients is dropped, and nothing is sent. */
  dropUdp: boolean;
  /** Like `dropUdp`, for clients in these guilds. */
  readonly dropUdpOf: Set<string>;
  /** While true, heartbeats are not acknowledged. */
  ignoreHeartbeats: boolean;
  /** While not null, every Identify and Resume is refused with this close code (4017, 4022, …). */
  refuseWith: number | null;
  /** While true, no proposals are sent, so that DAVE groups are never established. */
  withholdDave: boolean;
  /** Switches end-to-end encryption of a channel off, as for a client without support, or on again; for current and future members. */
  setEncrypted(guildId: string, channelId: string, isOn: boolean): void;
  /** Corrupts the next DAVE welcome to a bot on its way; once. */
  corruptNextWelcome: boolean;
  /** By user, for members who speak. To change one, set a new object. */
  readonly speakers: Map<string, SpeakerFaults>;
}

/**
 * What happens to the packets of one speaker of this process on their way to everybody else. Shares are from 0 (default) to 1; which packets
 * they fall on depends only on the seed, and on when the object was set.
 */
export interface SpeakerFaults {
  /** Default 0. */
  seed?: number;
  /** The share that never arrives. */
  loss?: number;
  /** Each arrives up to this many ms late, independently of the others: more than a packet's length also changes their order. */
  jitterMs?: number;
  /** The share that arrives just after the next one. */
  reordered?: number;
  /** The share that arrives twice. */
  duplicated?: number;
  /** How many packets come before opcode 5 names the SSRC; Infinity: it never does. Default 0. */
  announcedAfter?: number;
  /** The share that isn't end-to-end encrypted. */
  unencrypted?: number;
  /** The share that nobody can decrypt end to end. */
  undecryptable?: number;
  /** Padding, header extensions and contributing sources of the RTP packets that bots receive. */
  layout?: RtpLayout;
  /** Whether RTCP reports come with each packet. */
  reports?: boolean;
  /** Whether video packets and retransmissions of them come with each packet. */
  video?: boolean;
}
