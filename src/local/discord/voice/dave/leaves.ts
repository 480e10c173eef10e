// The leaves of an MLS group's tree, tracked by the voice gateway: which member is at which leaf.
import type { DaveMember } from './messages.ts';

export interface Leaf {
  /** Null if the leaf is to be removed, because its member left or lost its state. */
  member: DaveMember | null;
  signatureKey: Buffer;
}

export function listOccupied(leaves: readonly (Leaf | null)[]): [number, Leaf][] {
  return leaves.flatMap((leaf, index): [number, Leaf][] => (leaf ? [[index, leaf]] : []));
}

export function listMembers(leaves: readonly (Leaf | null)[]): DaveMember[] {
  return leaves.flatMap((leaf) => leaf?.member ?? []);
}

/** Adds a leaf at the leftmost free position (RFC 9420, section 7.7). */
export function addLeaf(leaves: (Leaf | null)[], leaf: Leaf): void {
  const free = leaves.indexOf(null);
  if (free === -1) leaves.push(leaf);
  else leaves[free] = leaf;
}
