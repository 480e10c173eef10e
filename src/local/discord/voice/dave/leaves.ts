// The leaves of an MLS group's tree, as the voice gateway keeps count of them: who holds which.
import type { DaveMember } from './messages.ts';

export interface Leaf {
  /** Null: it is to be removed, for its owner left or lost its state. */
  member: DaveMember | null;
  signatureKey: Buffer;
}

export function occupied(leaves: readonly (Leaf | null)[]): [number, Leaf][] {
  return leaves.flatMap((leaf, index): [number, Leaf][] => (leaf ? [[index, leaf]] : []));
}

export function ownersOf(leaves: readonly (Leaf | null)[]): DaveMember[] {
  return leaves.flatMap((leaf) => leaf?.member ?? []);
}

/** A newcomer takes the leftmost free leaf (RFC 9420, section 7.7). */
export function addLeaf(leaves: (Leaf | null)[], leaf: Leaf): void {
  const free = leaves.indexOf(null);
  if (free === -1) leaves.push(leaf);
  else leaves[free] = leaf;
}
