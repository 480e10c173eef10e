// The voice gateway's side of a channel's DAVE group: proposes additions and removals, accepts one commit per epoch, coordinates transitions.
// The server is the delivery service and external sender; it never has the keys to the sound. https://daveprotocol.com
import { VoiceOpcodes } from 'discord-api-types/voice/v8';
import { checkCommit, extractWelcome, type PendingProposal } from './commit.ts';
import { addLeaf, type Leaf, listMembers, listOccupied } from './leaves.ts';
import { DAVE_VERSION, type DaveMember, type DaveVersion, type MemberMessage } from './messages.ts';
import {
  type ExternalSender,
  type GroupContext,
  type KeyPackage,
  proposeAdd,
  proposeRemove,
  readCommitWelcome,
  readKeyPackage,
} from './mls.ts';
import { uint8, uint16, vector } from './mls-bytes.ts';
import { createSerialQueue } from './serial-queue.ts';

/** After this, a transition is executed even if not all members are ready ("roughly two seconds", says the protocol). */
const TRANSITION_TIMEOUT_MS = 2000;
/** Without a commit for this long, the group is recreated. */
const COMMIT_TIMEOUT_MS = 5000;

const APPEND = 0;
const REVOKE = 1;

export interface DaveGroup {
  join(member: DaveMember): void;
  leave(member: DaveMember): void;
  /** Handles a member's message. @throws Error if it is invalid; the group is then unchanged */
  receive(member: DaveMember, message: MemberMessage): void;
  /** Sends the proposals that were withheld. */
  resumeProposals(): void;
  /** 0 while the call is not end-to-end encrypted. */
  readonly version: DaveVersion;
  /** Switches end-to-end encryption off for everyone, or on again in a new group. */
  setVersion(version: DaveVersion): void;
  close(): void;
}

interface Transition {
  id: number;
  members: DaveMember[];
  waitingFor: Set<DaveMember>;
  timer: NodeJS.Timeout;
}

export interface DaveGroupOptions {
  channelId: string;
  externalSender: ExternalSender;
  /** At the start of the call. */
  version: DaveVersion;
  /** A fault: while true, no proposals are sent. */
  isWithholding(): boolean;
  /** A fault: may corrupt a newcomer's welcome on its way. */
  alterWelcome(newcomer: DaveMember, welcome: Buffer): Buffer;
  log: (message: string) => void;
}

export function createDaveGroup(options: DaveGroupOptions): DaveGroup {
  const { channelId, externalSender, isWithholding, alterWelcome, log } = options;
  let { version } = options;
  const groupId = Buffer.alloc(8);
  groupId.writeBigUInt64BE(BigInt(channelId));

  /** Everyone in the channel, with their key package until it is used. */
  const members = new Map<DaveMember, KeyPackage | null>();
  /** Those that have been sent the external sender. */
  const hasExternalSender = new WeakSet<DaveMember>();
  /** In epoch 0 the group is not established: each member has a separate one. The first valid commit makes its sender's the shared one. */
  let epoch = 0n;
  let leaves: (Leaf | null)[] = [];
  let proposals: PendingProposal[] = [];
  let commitTimer: NodeJS.Timeout | undefined;
  let lastTransitionId = 0;
  /**
   * The current one. Until it ends nothing is proposed: a client that could not process a commit has to say so before it receives the next
   * epoch's proposals.
   */
  let transition: Transition | null = null;

  const runStep = createSerialQueue((error) => log(`DAVE: ${String(error)}`));

  const isEstablished = () => epoch > 0n;
  const leafOf = (member: DaveMember) => leaves.findIndex((leaf) => leaf?.member === member);
  /** The members that have the group's MLS state, and so can process proposals and commits. */
  const listHolders = () => (isEstablished() ? listMembers(leaves) : [...members.keys()]);

  function join(member: DaveMember): void {
    members.set(member, null);
    if (version === 0) {
      member.send({ op: VoiceOpcodes.DavePrepareTransition, d: { protocol_version: 0, transition_id: 0 } });
      return;
    }
    sendExternalSender(member);
    if (members.size === 1)
      member.send({ op: VoiceOpcodes.DavePrepareTransition, d: { protocol_version: DAVE_VERSION, transition_id: 0 } });
    if (!isEstablished()) sendProposals(member, APPEND, proposals);
  }

  function sendExternalSender(member: DaveMember): void {
    if (hasExternalSender.has(member)) return;
    hasExternalSender.add(member);
    member.send({ op: VoiceOpcodes.DaveMlsExternalSender, payload: externalSender.publicPackage });
  }

  function leave(member: DaveMember): void {
    if (!members.delete(member)) return;
    for (const leaf of leaves) if (leaf?.member === member) leaf.member = null;
    if (isEstablished() && members.size <= 1) recreate();
    else if (transition?.waitingFor.has(member)) setReady(member, transition.id);
    else propose();
  }

  /** Everyone starts over in a new group: because one member is left, or nobody who could commit. */
  function recreate(): void {
    startGroup(true);
  }

  /** `isEncrypted`: frames are from now on, not only once the group's first commit is executed. */
  function startGroup(isEncrypted: boolean): void {
    reset();
    for (const member of members.keys()) {
      member.send({ op: VoiceOpcodes.DavePrepareEpoch, d: { protocol_version: DAVE_VERSION, epoch: 1 } });
      sendExternalSender(member);
      if (isEncrypted) member.send({ op: VoiceOpcodes.DavePrepareTransition, d: { protocol_version: DAVE_VERSION, transition_id: 0 } });
    }
  }

  /** Forgets the group's MLS state. */
  function reset(): void {
    epoch = 0n;
    leaves = [];
    proposals = [];
    clearTimeout(commitTimer);
    clearTimeout(transition?.timer);
    transition = null;
    for (const member of members.keys()) members.set(member, null);
  }

  /** All members confirm that they accept unencrypted frames before anyone sends them. https://daveprotocol.com/#downgrade */
  function downgrade(): void {
    reset();
    const id = beginTransition([...members.keys()]);
    for (const member of members.keys())
      member.send({ op: VoiceOpcodes.DavePrepareTransition, d: { protocol_version: 0, transition_id: id } });
  }

  /** Proposes the difference between who should be in the group and who is. */
  function propose(): void {
    if (version === 0 || isWithholding() || transition) return;
    if (isEstablished() && listHolders().length === 0) {
      recreate();
      return;
    }
    const context: GroupContext = { groupId, epoch };
    const stale = proposals.filter((p) => p.kind === 'add' && members.get(p.member) !== p.keyPackage);
    const removals: PendingProposal[] = listOccupied(leaves)
      .filter(([index, { member }]) => !member && !proposals.some((p) => p.kind === 'remove' && p.leaf === index))
      .map(([leaf]) => ({ kind: 'remove', leaf, ...proposeRemove(externalSender, context, leaf) }));
    const isAdded = (member: DaveMember) => proposals.some((p) => p.kind === 'add' && p.member === member && !stale.includes(p));
    const hasNewcomers = [...members].some(([member, keyPackage]) => keyPackage && !isAdded(member));
    // davey creates a welcome only if the latest message adds a member: pending additions are then proposed again, last.
    if (stale.length + removals.length > 0 && !hasNewcomers) stale.push(...proposals.filter((p) => p.kind === 'add' && !stale.includes(p)));
    const additions: PendingProposal[] = [];
    for (const [member, keyPackage] of members) {
      if (keyPackage && !isAdded(member))
        additions.push({ kind: 'add', member, keyPackage, ...proposeAdd(externalSender, context, keyPackage) });
    }
    const fresh = [...removals, ...additions];
    if (stale.length + fresh.length === 0) return;
    proposals = [...proposals.filter((p) => !stale.includes(p)), ...fresh];
    for (const member of listHolders()) {
      sendProposals(member, REVOKE, stale);
      sendProposals(member, APPEND, fresh);
    }
    clearTimeout(commitTimer);
    if (isEstablished() && proposals.length > 0) commitTimer = setTimeout(() => runStep(recreate), COMMIT_TIMEOUT_MS);
  }

  /** A member is never sent its own addition. */
  function sendProposals(member: DaveMember, operation: typeof APPEND | typeof REVOKE, list: readonly PendingProposal[]): void {
    const items = list
      .filter((p) => p.kind === 'remove' || p.member !== member)
      .map((p) => (operation === APPEND ? p.message : vector(Buffer.from(p.ref, 'hex'))));
    if (items.length > 0) member.send({ op: VoiceOpcodes.DaveMlsProposals, payload: Buffer.concat([uint8(operation), vector(...items)]) });
  }

  function handleKeyPackage(member: DaveMember, payload: Buffer): void {
    const keyPackage = readKeyPackage(payload, member.userId);
    detachLeaf(member); // a member of the group that starts over, and is added again
    members.set(member, keyPackage);
    propose();
  }

  /** A member that lost its state is removed, and added again with its next key package. */
  function detachLeaf(member: DaveMember): void {
    const leaf = leaves[leafOf(member)];
    if (leaf) leaf.member = null;
  }

  /** The first valid commit of an epoch wins; later ones are for a past epoch, and are dropped silently. */
  function handleCommit(member: DaveMember, payload: Buffer): void {
    const { commit, welcome } = readCommitWelcome(payload);
    const order = checkCommit(member, commit, { groupId, epoch, leaves, proposals, holders: listHolders() });
    if (!order) return;
    const added = order.flatMap((p) =>
      p.kind === 'add' ? { member: p.member, signatureKey: p.keyPackage.signatureKey, welcome: extractWelcome(welcome, p.keyPackage) } : [],
    );

    if (!isEstablished()) {
      // The committer's own group becomes everyone's: it is the first leaf. Its key package was for other groups.
      leaves = [{ member, signatureKey: members.get(member)?.signatureKey ?? Buffer.alloc(0) }];
      members.set(member, null);
    }
    for (const p of order) if (p.kind === 'remove') leaves[p.leaf] = null;
    const staying = listMembers(leaves);
    for (const newcomer of added) {
      addLeaf(leaves, { member: newcomer.member, signatureKey: newcomer.signatureKey });
      members.set(newcomer.member, null);
    }
    epoch += 1n;
    proposals = [];
    clearTimeout(commitTimer);

    const id = uint16(beginTransition([...staying, ...added.map((newcomer) => newcomer.member)]));
    for (const stayer of staying)
      stayer.send({ op: VoiceOpcodes.DaveMlsAnnounceCommitTransition, payload: Buffer.concat([id, commit.message]) });
    for (const newcomer of added) {
      const welcomePart = alterWelcome(newcomer.member, newcomer.welcome);
      newcomer.member.send({ op: VoiceOpcodes.DaveMlsWelcome, payload: Buffer.concat([id, welcomePart]) });
    }
  }

  /** @returns its id */
  function beginTransition(participants: DaveMember[]): number {
    lastTransitionId = (lastTransitionId % 0xffff) + 1;
    const id = lastTransitionId;
    const timer = setTimeout(() => runStep(() => execute(id)), TRANSITION_TIMEOUT_MS);
    const waitingFor = new Set(participants.filter((member) => member.isReachable()));
    transition = { id, members: participants, waitingFor, timer };
    return id;
  }

  function setReady(member: DaveMember, id: number): void {
    if (transition?.id === id && transition.waitingFor.delete(member) && transition.waitingFor.size === 0) execute(id);
  }

  function execute(id: number): void {
    if (transition?.id !== id) return;
    clearTimeout(transition.timer);
    for (const member of transition.members)
      if (members.has(member)) member.send({ op: VoiceOpcodes.DaveExecuteTransition, d: { transition_id: id } });
    transition = null;
    propose();
  }

  function receive(member: DaveMember, message: MemberMessage): void {
    if (!members.has(member)) return;
    if (version === 0 && 'payload' in message) return; // for a group that no longer exists
    if (message.op === VoiceOpcodes.DaveMlsKeyPackage) handleKeyPackage(member, message.payload);
    else if (message.op === VoiceOpcodes.DaveMlsCommitWelcome) handleCommit(member, message.payload);
    else if (message.op === VoiceOpcodes.DaveTransitionReady) setReady(member, message.transitionId);
    else {
      log(`DAVE: a member could not process transition ${message.transitionId}; it is removed and added again`);
      detachLeaf(member);
      members.set(member, null);
      setReady(member, message.transitionId);
      propose();
    }
  }

  return {
    join: (member) => runStep(() => join(member)),
    leave: (member) => runStep(() => leave(member)),
    receive: (member, message) => runStep(() => receive(member, message)),
    resumeProposals: () => runStep(propose),
    get version() {
      return version;
    },
    setVersion(newVersion) {
      if (newVersion === version) return;
      version = newVersion;
      // Among several, frames stay unencrypted until the first commit of a new group is executed. https://daveprotocol.com/#upgrade
      runStep(newVersion === 0 ? downgrade : () => startGroup(members.size === 1));
    },
    close() {
      clearTimeout(commitTimer);
      clearTimeout(transition?.timer);
      members.clear();
    },
  };
}
