// The voice gateway's side of one channel's DAVE group: proposes members in and out, picks one commit per epoch, leads the transitions.
// The protocol: https://daveprotocol.com. The server is delivery service and external sender; it holds no key to what is said.
import { checkCommit, type Pending, shareOf } from './commit.ts';
import { addLeaf, type Leaf, occupied, ownersOf } from './leaves.ts';
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
import { createSteps } from './steps.ts';

/** Transitions are executed after this time even when somebody never said that it is ready (the protocol text: "roughly two seconds"). */
const TRANSITION_TIMEOUT_MS = 2000;
/** Nobody committed what was proposed: the group is made anew. */
const COMMIT_TIMEOUT_MS = 5000;

const APPEND = 0;
const REVOKE = 1;

export interface DaveGroup {
  join(member: DaveMember): void;
  leave(member: DaveMember): void;
  /** A message of a member's. @throws Error that says what is wrong with it; the group is as it was before. */
  receive(member: DaveMember, message: MemberMessage): void;
  /** Goes on after proposals were withheld. */
  resumeProposals(): void;
  /** 0 while the call is not encrypted end to end. */
  readonly version: DaveVersion;
  /** Switches end-to-end encryption off for everybody, or on again in a new group. */
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
  /** With which the call begins. */
  version?: DaveVersion;
  /** While it answers true, no proposals are sent. */
  withheld(): boolean;
  /** May spoil a newcomer's welcome on its way (a fault). */
  alterWelcome?(newcomer: DaveMember, welcome: Buffer): Buffer;
  log?: (message: string) => void;
}

export function createDaveGroup(options: DaveGroupOptions): DaveGroup {
  const { channelId, externalSender, withheld, alterWelcome, log } = options;
  let { version = DAVE_VERSION } = options;
  const groupId = Buffer.alloc(8);
  groupId.writeBigUInt64BE(BigInt(channelId));

  /** Everybody in the channel; a key package where one waits to be used. */
  const members = new Map<DaveMember, KeyPackage | null>();
  /** Who knows the external sender. */
  const introduced = new WeakSet<DaveMember>();
  /** Epoch 0: not established; each member has a group of its own, and the first good commit makes its group everybody's. */
  let epoch = 0n;
  let leaves: (Leaf | null)[] = [];
  let proposals: Pending[] = [];
  let commitTimer: NodeJS.Timeout | undefined;
  let lastTransition = 0;
  /** The one under way. Nothing is proposed meanwhile: a client that could not use a commit must say so before it gets the next epoch's proposals. */
  let transition: Transition | null = null;

  const step = createSteps((error) => log?.(`DAVE: ${String(error)}`));

  const isEstablished = () => epoch > 0n;
  const leafOf = (member: DaveMember) => leaves.findIndex((leaf) => leaf?.member === member);
  /** Who holds the group's state and so can use proposals and commits. */
  const holders = () => (isEstablished() ? ownersOf(leaves) : [...members.keys()]);

  function join(member: DaveMember): void {
    members.set(member, null);
    if (version === 0) {
      member.send({ op: 21, d: { protocol_version: 0, transition_id: 0 } });
      return;
    }
    introduce(member);
    if (members.size === 1) member.send({ op: 21, d: { protocol_version: DAVE_VERSION, transition_id: 0 } });
    if (!isEstablished()) sendProposals(member, APPEND, proposals);
  }

  function introduce(member: DaveMember): void {
    if (introduced.has(member)) return;
    introduced.add(member);
    member.send({ op: 25, payload: externalSender.publicPackage });
  }

  function leave(member: DaveMember): void {
    if (!members.delete(member)) return;
    for (const leaf of leaves) if (leaf?.member === member) leaf.member = null;
    if (isEstablished() && members.size <= 1) recreate();
    else if (transition?.waitingFor.has(member)) isReady(member, transition.id);
    else propose();
  }

  /** Everybody starts over in a new group (sole member reset, or nobody is left who could commit). */
  function recreate(): void {
    forget();
    for (const member of members.keys()) {
      member.send({ op: 24, d: { protocol_version: DAVE_VERSION, epoch: 1 } });
      introduce(member);
      member.send({ op: 21, d: { protocol_version: DAVE_VERSION, transition_id: 0 } });
    }
  }

  /** The group is no more. */
  function forget(): void {
    epoch = 0n;
    leaves = [];
    proposals = [];
    clearTimeout(commitTimer);
    clearTimeout(transition?.timer);
    transition = null;
    for (const member of members.keys()) members.set(member, null);
  }

  /** https://daveprotocol.com/#downgrade: everybody says that it takes plain frames before anybody sends them. */
  function downgrade(): void {
    forget();
    lastTransition = (lastTransition % 0xffff) + 1;
    const id = lastTransition;
    begin([...members.keys()]);
    for (const member of members.keys()) member.send({ op: 21, d: { protocol_version: 0, transition_id: id } });
  }

  /** https://daveprotocol.com/#upgrade: plain frames go on until the first commit of a new group is executed. */
  function upgrade(): void {
    forget();
    for (const member of members.keys()) {
      member.send({ op: 24, d: { protocol_version: DAVE_VERSION, epoch: 1 } });
      introduce(member);
      if (members.size === 1) member.send({ op: 21, d: { protocol_version: DAVE_VERSION, transition_id: 0 } });
    }
  }

  /** Compares who should be in the group with who is, and proposes the difference. */
  function propose(): void {
    if (version === 0 || withheld() || transition) return;
    if (isEstablished() && holders().length === 0) {
      recreate();
      return;
    }
    const context: GroupContext = { groupId, epoch };
    const stale = proposals.filter((p) => p.kind === 'add' && members.get(p.member) !== p.keyPackage);
    const removals: Pending[] = occupied(leaves)
      .filter(([index, { member }]) => !member && !proposals.some((p) => p.kind === 'remove' && p.leaf === index))
      .map(([leaf]) => ({ kind: 'remove', leaf, ...proposeRemove(externalSender, context, leaf) }));
    const isAdded = (member: DaveMember) => proposals.some((p) => p.kind === 'add' && p.member === member && !stale.includes(p));
    const newcomers = [...members].some(([member, keyPackage]) => keyPackage && !isAdded(member));
    // davey makes a welcome only when the latest message adds somebody: additions under way are then proposed once more, last.
    if (stale.length + removals.length > 0 && !newcomers) stale.push(...proposals.filter((p) => p.kind === 'add' && !stale.includes(p)));
    const additions: Pending[] = [];
    for (const [member, keyPackage] of members) {
      if (keyPackage && !isAdded(member))
        additions.push({ kind: 'add', member, keyPackage, ...proposeAdd(externalSender, context, keyPackage) });
    }
    const fresh = [...removals, ...additions];
    if (stale.length + fresh.length === 0) return;
    proposals = [...proposals.filter((p) => !stale.includes(p)), ...fresh];
    for (const member of holders()) {
      sendProposals(member, REVOKE, stale);
      sendProposals(member, APPEND, fresh);
    }
    clearTimeout(commitTimer);
    if (isEstablished() && proposals.length > 0) commitTimer = setTimeout(() => step(recreate), COMMIT_TIMEOUT_MS);
  }

  /** A member is never told of its own addition. */
  function sendProposals(member: DaveMember, operation: typeof APPEND | typeof REVOKE, list: readonly Pending[]): void {
    const items = list
      .filter((p) => p.kind === 'remove' || p.member !== member)
      .map((p) => (operation === APPEND ? p.message : vector(Buffer.from(p.ref, 'hex'))));
    if (items.length > 0) member.send({ op: 27, payload: Buffer.concat([uint8(operation), vector(...items)]) });
  }

  function takeKeyPackage(member: DaveMember, payload: Buffer): void {
    const keyPackage = readKeyPackage(payload, member.userId);
    detach(member); // in the group already: it began anew, and comes in again
    members.set(member, keyPackage);
    propose();
  }

  /** The member lost its state: its leaf goes, and it comes back with its next key package. */
  function detach(member: DaveMember): void {
    const leaf = leaves[leafOf(member)];
    if (leaf) leaf.member = null;
  }

  /** The first valid commit of an epoch wins; later ones are for an epoch that is over, and are dropped without a word. */
  function takeCommit(member: DaveMember, payload: Buffer): void {
    const { commit, welcome } = readCommitWelcome(payload);
    const order = checkCommit(member, commit, { groupId, epoch, leaves, proposals, holders: holders() });
    if (!order) return;
    const added = order.flatMap((p) =>
      p.kind === 'add' ? { member: p.member, signatureKey: p.keyPackage.signatureKey, welcome: shareOf(welcome, p.keyPackage) } : [],
    );

    if (!isEstablished()) {
      // The committer's own group becomes everybody's: it is the first leaf. Its key package was for other groups.
      leaves = [{ member, signatureKey: members.get(member)?.signatureKey ?? Buffer.alloc(0) }];
      members.set(member, null);
    }
    for (const p of order) if (p.kind === 'remove') leaves[p.leaf] = null;
    const staying = ownersOf(leaves);
    for (const newcomer of added) {
      addLeaf(leaves, { member: newcomer.member, signatureKey: newcomer.signatureKey });
      members.set(newcomer.member, null);
    }
    epoch += 1n;
    proposals = [];
    clearTimeout(commitTimer);

    lastTransition = (lastTransition % 0xffff) + 1;
    const id = uint16(lastTransition);
    begin([...staying, ...added.map((newcomer) => newcomer.member)]);
    for (const stayer of staying) stayer.send({ op: 29, payload: Buffer.concat([id, commit.message]) });
    for (const newcomer of added) {
      const share = alterWelcome?.(newcomer.member, newcomer.welcome) ?? newcomer.welcome;
      newcomer.member.send({ op: 30, payload: Buffer.concat([id, share]) });
    }
  }

  function begin(list: DaveMember[]): void {
    const id = lastTransition;
    const timer = setTimeout(() => step(() => execute(id)), TRANSITION_TIMEOUT_MS);
    transition = { id, members: list, waitingFor: new Set(list.filter((member) => member.isReachable())), timer };
  }

  function isReady(member: DaveMember, id: number): void {
    if (transition?.id === id && transition.waitingFor.delete(member) && transition.waitingFor.size === 0) execute(id);
  }

  function execute(id: number): void {
    if (transition?.id !== id) return;
    clearTimeout(transition.timer);
    for (const member of transition.members) if (members.has(member)) member.send({ op: 22, d: { transition_id: id } });
    transition = null;
    propose();
  }

  function receive(member: DaveMember, message: MemberMessage): void {
    if (!members.has(member)) return;
    if (version === 0 && message.op !== 23 && message.op !== 31) return; // for a group that is no more
    if (message.op === 26) takeKeyPackage(member, message.payload);
    else if (message.op === 28) takeCommit(member, message.payload);
    else if (message.op === 23) isReady(member, message.transitionId);
    else {
      log?.(`DAVE: a member could not use transition ${message.transitionId}; it is removed and added again`);
      detach(member);
      members.set(member, null);
      isReady(member, message.transitionId);
      propose();
    }
  }

  return {
    join: (member) => step(() => join(member)),
    leave: (member) => step(() => leave(member)),
    receive: (member, message) => step(() => receive(member, message)),
    resumeProposals: () => step(propose),
    get version() {
      return version;
    },
    setVersion(wanted) {
      if (wanted === version) return;
      version = wanted;
      step(wanted === 0 ? downgrade : upgrade);
    },
    close() {
      clearTimeout(commitTimer);
      clearTimeout(transition?.timer);
      members.clear();
    },
  };
}
