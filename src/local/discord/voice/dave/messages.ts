// What a DAVE group and its members say to each other: https://daveprotocol.com/#voice-gateway-opcodes

export const DAVE_VERSION = 1;
/** 0: no end-to-end encryption. */
export type DaveVersion = 0 | typeof DAVE_VERSION;

/** What the group tells a member. `payload` is what follows sequence number and opcode on the wire. */
export type GroupMessage =
  | { op: 21; d: { protocol_version: number; transition_id: number } }
  | { op: 22; d: { transition_id: number } }
  | { op: 24; d: { protocol_version: number; epoch: number } }
  | { op: 25 | 27 | 29 | 30; payload: Buffer };

/** What a member tells the group. */
export type MemberMessage =
  | { op: 23; transitionId: number }
  | { op: 31; transitionId: number }
  | { op: 26; payload: Buffer }
  | { op: 28; payload: Buffer };

/** Somebody in the channel, be it over a socket or in this process. Its identity is the object: who reconnects is another member. */
export interface DaveMember {
  readonly userId: string;
  /** False while its connection is broken; what is sent then reaches it when it resumes. */
  isReachable(): boolean;
  send(message: GroupMessage): void;
}
