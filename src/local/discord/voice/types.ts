// The seam between the local Discord's state (REST, gateway) and its voice server (voice gateway, UDP, DAVE).
import type { HeardPacket } from '../page/protocol.ts';

/** One voice server for all guilds, as a process would meet one region's server. */
export interface VoiceServer {
  /** `127.0.0.1:PORT`: goes into VOICE_SERVER_UPDATE; clients connect to wss://endpoint?v=8. */
  readonly endpoint: string;
  /** PEM of the self-signed certificate made at start; whoever runs a bot in this process trusts it (`trustCertificate`). */
  readonly certificate: string;
  /**
   * A bot's voice state now names this channel (join, move or rejoin). Gives the token for VOICE_SERVER_UPDATE.
   * A connection in another channel of the guild is closed with 4014; one in the same channel stays until the bot identifies anew.
   */
  admit(who: { guildId: string; channelId: string; userId: string; sessionId: string }): { token: string };
  /** A bot's voice state left the guild's voice (left, kicked, channel deleted): its sockets are closed with `code` (4014 by default). */
  expel(guildId: string, userId: string, code?: number): void;
  /** Whether what this bot sends is heard by nobody: it lacks the permission to speak, or is in a stage's audience. */
  suppress(guildId: string, userId: string, isSuppressed: boolean): void;
  /**
   * A member at the keyboard joins: an in-process listener, a full DAVE member of the channel's group. Another call for the same member of the
   * guild listens along in the same channel, until the last of them leaves, or moves the member to another one.
   */
  listen(who: { guildId: string; channelId: string; userId: string }): Listener;
  hasListener(guildId: string, userId: string): boolean;
  /**
   * The voice gateway listens on another port from now on; who is connected stays so until they identify there.
   * Its certificate is the old one, or another that nobody was told to trust.
   */
  relocate(options: { isTrusted: boolean }): Promise<void>;
  readonly faults: VoiceFaults;
  close(): Promise<void>;
}

export interface Listener {
  readonly channelId: string;
  /** Each callback gets each packet, in the order of arrival; `opus` is the callback's to keep. */
  onHeard(callback: (packet: HeardPacket) => void): void;
  /** Who speaks already is told at once. */
  onSpeaking(callback: (event: { user_id: string; speaking: boolean }) => void): void;
  stats(): ListenerStats;
  /** The group's voice privacy code as this member sees it; empty until established. */
  voicePrivacyCode(): string;
  leave(): void;
}

/** `packets` is the sum of `decrypted`, `silence`, `early`, `plaintext` and `undecryptable`. */
export interface ListenerStats {
  /** RTP packets that reached the server from others while this member was in the channel. */
  packets: number;
  /** Opened with DAVE, or plain while that is switched off in the call, and handed to onHeard. */
  decrypted: number;
  /** Silence frames, which DAVE never encrypts; handed to onHeard. */
  silence: number;
  /** Encrypted for the others before this member was let into the group: not meant for it. */
  early: number;
  /** Arrived without DAVE and were no silence frames: must stay 0. */
  plaintext: number;
  /** Could not be opened with DAVE. */
  undecryptable: number;
  /** Gaps in sequence numbers. */
  lost: number;
}

/** Faults that tests switch on; each holds until switched off or, where it says so, once. */
export interface VoiceFaults {
  /** Closes the voice gateway socket of this user in this guild with a code (4006, 4015, …), or drops TCP when null. */
  closeGateway(guildId: string, userId: string, code: number | null): void;
  /** Sends this user's voice gateway socket a message as it stands: text, or binary. */
  sendMessage(guildId: string, userId: string, message: string | Uint8Array): void;
  /** IP discovery is not answered while true. */
  ignoreIpDiscovery: boolean;
  /** UDP from clients is thrown away, and nothing is answered, while true. */
  dropUdp: boolean;
  /** As `dropUdp`, of clients in these guilds. */
  readonly dropUdpOf: Set<string>;
  /** Heartbeats are not acknowledged while true. */
  ignoreHeartbeats: boolean;
  /** Close every new voice gateway connection with this code while not null (4017, 4022, …). */
  refuseWith: number | null;
  /** The DAVE group is never established while true (no proposals are sent). */
  withholdDave: boolean;
  /** Switches end-to-end encryption off in a channel, as for a client that does not know it, or on again; for who is there and who comes. */
  setEncrypted(guildId: string, channelId: string, on: boolean): void;
  /** Once: the next DAVE welcome that a bot gets is spoilt on its way. */
  corruptNextWelcome: boolean;
}
