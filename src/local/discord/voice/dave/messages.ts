// The messages between a DAVE group and its members. https://daveprotocol.com/#voice-gateway-opcodes
import type { VoiceOpcodes } from 'discord-api-types/voice/v8';

export const DAVE_VERSION = 1;
/** 0: no end-to-end encryption. */
export type DaveVersion = 0 | typeof DAVE_VERSION;

/** `payload` is what follows the sequence number and opcode on the wire. */
export type GroupMessage =
  | { op: VoiceOpcodes.DavePrepareTransition; d: { protocol_version: number; transition_id: number } }
  | { op: VoiceOpcodes.DaveExecuteTransition; d: { transition_id: number } }
  | { op: VoiceOpcodes.DavePrepareEpoch; d: { protocol_version: number; epoch: number } }
  | {
      op:
        | VoiceOpcodes.DaveMlsExternalSender
        | VoiceOpcodes.DaveMlsProposals
        | VoiceOpcodes.DaveMlsAnnounceCommitTransition
        | VoiceOpcodes.DaveMlsWelcome;
      payload: Buffer;
    };

export type MemberMessage =
  | { op: VoiceOpcodes.DaveTransitionReady; transitionId: number }
  | { op: VoiceOpcodes.DaveMlsInvalidCommitWelcome; transitionId: number }
  | { op: VoiceOpcodes.DaveMlsKeyPackage; payload: Buffer }
  | { op: VoiceOpcodes.DaveMlsCommitWelcome; payload: Buffer };

/** A user in the channel, over a socket or in this process. Identified by the object: one that reconnects is another member. */
export interface DaveMember {
  readonly userId: string;
  /** False while its connection is lost; messages are then delivered when it resumes. */
  isReachable(): boolean;
  send(message: GroupMessage): void;
}
