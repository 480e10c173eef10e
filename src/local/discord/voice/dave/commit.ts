// What a commit must be for the group to take it.
import type { Leaf } from './leaves.ts';
import type { DaveMember } from './messages.ts';
import { type Commit, type GroupContext, type KeyPackage, type SignedProposal, type Welcome, welcomeFor } from './mls.ts';

/** Proposed, and not committed yet. */
export type Pending = SignedProposal & ({ kind: 'add'; member: DaveMember; keyPackage: KeyPackage } | { kind: 'remove'; leaf: number });

/** The group as it is before the commit. */
interface Before extends GroupContext {
  leaves: (Leaf | null)[];
  proposals: Pending[];
  /** Who has the group's state. */
  holders: DaveMember[];
}

/**
 * The proposals of the commit in their order; null when it lost a race (another epoch, or more was proposed since).
 * @throws Error when it breaks a rule (https://daveprotocol.com/#voice-gateway-commit-validity).
 */
export function checkCommit(member: DaveMember, commit: Commit, { groupId, epoch, leaves, proposals, holders }: Before): Pending[] | null {
  if (!commit.groupId.equals(groupId)) throw new Error('commit for another group');
  if (commit.epoch !== epoch || !holders.includes(member)) return null;
  // Of a group that is not established the committer's own becomes everybody's: it is the first leaf.
  const senderLeaf = epoch > 0n ? leaves.findIndex((leaf) => leaf?.member === member) : 0;
  if (commit.senderLeaf !== senderLeaf) throw new Error('commit in somebody else’s name');
  if (commit.refs.length === 0) throw new Error('commit without proposals');
  const expected = proposals.filter((p) => p.kind === 'remove' || p.member !== member);
  const order = commit.refs.flatMap((ref) => expected.find((p) => p.ref === ref) ?? []);
  if (order.length !== commit.refs.length || order.length !== expected.length) return null;
  const known = leaves[senderLeaf]?.signatureKey;
  if (known?.length && commit.newSignatureKey && !commit.newSignatureKey.equals(known)) throw new Error('commit changes its sender’s key');
  return order;
}

/** What of a welcome is for the owner of this key package. @throws Error where there is nothing */
export function shareOf(welcome: Welcome | null, keyPackage: KeyPackage): Buffer {
  const share = welcome && welcomeFor(welcome, keyPackage);
  if (!share) throw new Error('commit adds a member and brings no welcome for it');
  return share;
}
