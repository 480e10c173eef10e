// Validates a commit. https://daveprotocol.com/#voice-gateway-commit-validity
import type { Leaf } from './leaves.ts';
import type { DaveMember } from './messages.ts';
import { type Commit, type GroupContext, type KeyPackage, type SignedProposal, type Welcome, welcomeFor } from './mls.ts';

export type PendingProposal = SignedProposal &
  ({ kind: 'add'; member: DaveMember; keyPackage: KeyPackage } | { kind: 'remove'; leaf: number });

/** The group before the commit. */
interface GroupState extends GroupContext {
  leaves: (Leaf | null)[];
  proposals: PendingProposal[];
  /** The members that have the group's MLS state. */
  holders: DaveMember[];
}

/**
 * The committed proposals, in their order; null if the commit lost a race (another epoch, or newer proposals).
 * @throws Error if it breaks a rule
 */
export function checkCommit(
  member: DaveMember,
  commit: Commit,
  { groupId, epoch, leaves, proposals, holders }: GroupState,
): PendingProposal[] | null {
  if (!commit.groupId.equals(groupId)) throw new Error('commit for another group');
  if (commit.epoch !== epoch || !holders.includes(member)) return null;
  // In a group that is not established, the committer's own becomes everyone's: it is the first leaf.
  const senderLeaf = epoch > 0n ? leaves.findIndex((leaf) => leaf?.member === member) : 0;
  if (commit.senderLeaf !== senderLeaf) throw new Error('commit on behalf of another member');
  if (commit.refs.length === 0) throw new Error('commit without proposals');
  const expected = proposals.filter((p) => p.kind === 'remove' || p.member !== member);
  const order = commit.refs.flatMap((ref) => expected.find((p) => p.ref === ref) ?? []);
  if (order.length !== commit.refs.length || order.length !== expected.length) return null;
  const known = leaves[senderLeaf]?.signatureKey;
  if (known?.length && commit.newSignatureKey && !commit.newSignatureKey.equals(known))
    throw new Error('commit changes the sender’s signature key');
  return order;
}

/** The part of a welcome for the owner of this key package. @throws Error if there is none */
export function extractWelcome(welcome: Welcome | null, keyPackage: KeyPackage): Buffer {
  const part = welcome && welcomeFor(welcome, keyPackage);
  if (!part) throw new Error('commit adds a member without a welcome for it');
  return part;
}
