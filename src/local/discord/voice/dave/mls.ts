// The part of MLS (RFC 9420) that DAVE's delivery service needs: signs external proposals, validates key packages, parses commits and welcomes.
// Only ciphersuite 2 (P-256, AES-128-GCM, SHA-256), which DAVE 1 requires. https://daveprotocol.com/#mls-parameters
// Sections are those of the RFC.
import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import {
  createReader,
  isAtEnd,
  type Reader,
  readUint8,
  readUint16,
  readUint32,
  readUint64,
  readVector,
  uint8,
  uint16,
  uint32,
  uint64,
  vector,
} from './mls-bytes.ts';

const MLS_10 = 1;
const CIPHERSUITE = 2;
const WIRE_FORMAT_PUBLIC = 1;
const WIRE_FORMAT_KEY_PACKAGE = 5;
const CREDENTIAL_BASIC = 1;
const SENDER_MEMBER = 1;
const SENDER_EXTERNAL = 2;
const CONTENT_PROPOSAL = 2;
const CONTENT_COMMIT = 3;
const PROPOSAL_ADD = 1;
const PROPOSAL_REMOVE = 3;
const PROPOSAL_BY_REFERENCE = 2;
const LEAF_FROM_KEY_PACKAGE = 1;
const LEAF_FROM_UPDATE = 2;
const LEAF_FROM_COMMIT = 3;
const FOREVER = 2n ** 64n - 1n;

/** The voice gateway, which may send proposals to every group without being a member (section 12.1.8). */
export interface ExternalSender {
  readonly privateKey: KeyObject;
  /** The key and credential: the payload of opcode 25. */
  readonly publicPackage: Buffer;
}

/** Which group a message is for. */
export interface GroupContext {
  readonly groupId: Buffer;
  readonly epoch: bigint;
}

/** A proposal as sent: the MLSMessage, and the hash by which commits refer to it. */
export interface SignedProposal {
  readonly message: Buffer;
  /** ProposalRef, in hex. */
  readonly ref: string;
}

/** A validated key package. */
export interface KeyPackage {
  readonly bytes: Buffer;
  /** KeyPackageRef, in hex: identifies its owner's part of a welcome. */
  readonly ref: string;
  readonly signatureKey: Buffer;
}

/** The parts of a commit that the delivery service reads. */
export interface Commit {
  readonly message: Buffer;
  readonly groupId: Buffer;
  readonly epoch: bigint;
  readonly senderLeaf: number;
  /** ProposalRefs in hex, in the order in which they take effect. */
  readonly refs: readonly string[];
  /** The sender's new signature key, in the commit's path; null without a path. */
  readonly newSignatureKey: Buffer | null;
}

/** A welcome for all newcomers; `welcomeFor` extracts one member's part. */
export interface Welcome {
  /** Encrypted group secrets by KeyPackageRef (hex), unparsed. */
  readonly secrets: ReadonlyMap<string, Buffer>;
  readonly groupInfo: Buffer;
}

export function createExternalSender(): ExternalSender {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = publicKey.export({ format: 'jwk' });
  const point = Buffer.concat([Buffer.of(4), Buffer.from(jwk.x ?? '', 'base64url'), Buffer.from(jwk.y ?? '', 'base64url')]);
  const identity = Buffer.from('local voice gateway');
  return { privateKey, publicPackage: Buffer.concat([vector(point), uint16(CREDENTIAL_BASIC), vector(identity)]) };
}

export function proposeAdd(sender: ExternalSender, context: GroupContext, keyPackage: KeyPackage): SignedProposal {
  return propose(sender, context, Buffer.concat([uint16(PROPOSAL_ADD), keyPackage.bytes]));
}

export function proposeRemove(sender: ExternalSender, context: GroupContext, leaf: number): SignedProposal {
  return propose(sender, context, Buffer.concat([uint16(PROPOSAL_REMOVE), uint32(leaf)]));
}

/** Sections 6 and 6.1: an external sender does not sign the group context, and its PublicMessage has no membership tag. */
function propose(sender: ExternalSender, { groupId, epoch }: GroupContext, proposal: Buffer): SignedProposal {
  const content = Buffer.concat([
    vector(groupId),
    uint64(epoch),
    uint8(SENDER_EXTERNAL),
    uint32(0), // index in the group's external_senders extension, which holds us alone
    vector(), // authenticated_data
    uint8(CONTENT_PROPOSAL),
    proposal,
  ]);
  const framed = Buffer.concat([uint16(WIRE_FORMAT_PUBLIC), content]);
  const signature = sign('sha256', labelled('FramedContentTBS', Buffer.concat([uint16(MLS_10), framed])), sender.privateKey);
  const authenticated = Buffer.concat([framed, vector(signature)]);
  return { message: Buffer.concat([uint16(MLS_10), authenticated]), ref: hashReference('Proposal Reference', authenticated) };
}

/**
 * Parses a key package, and validates it as DAVE requires of the voice gateway (https://daveprotocol.com/#validation).
 * @throws Error if it is invalid
 */
export function readKeyPackage(payload: Buffer, userId: string): KeyPackage {
  const reader = createReader(payload);
  // The specification wraps it in an MLSMessage; implementations send it bare. Both are accepted.
  if (payload.length > 4 && payload.readUInt16BE(2) === WIRE_FORMAT_KEY_PACKAGE) reader.offset = 4;
  const start = reader.offset;
  if (readUint16(reader) !== MLS_10) throw new Error('key package: unknown MLS version');
  if (readUint16(reader) !== CIPHERSUITE) throw new Error('key package: wrong ciphersuite');
  readVector(reader); // init_key
  const leaf = readLeafNode(reader);
  readVector(reader); // extensions
  const signedEnd = reader.offset;
  const signature = readVector(reader);
  if (!isAtEnd(reader)) throw new Error('key package: trailing bytes');

  if (!leaf.identity.equals(uint64(BigInt(userId)))) throw new Error('key package: the credential is not the session’s user');
  if (leaf.lifetime?.notBefore !== 0n || leaf.lifetime.notAfter !== FOREVER) throw new Error('key package: the lifetime is limited');
  const signed = labelled('KeyPackageTBS', payload.subarray(start, signedEnd));
  if (!verify('sha256', signed, p256PublicKey(leaf.signatureKey), signature)) throw new Error('key package: wrong signature');
  const bytes = Buffer.from(payload.subarray(start));
  return { bytes, ref: hashReference('KeyPackage Reference', bytes), signatureKey: Buffer.from(leaf.signatureKey) };
}

/**
 * Parses the payload of opcode 28: a commit as PublicMessage, followed by a welcome if it adds members.
 * @throws Error if it is anything else
 */
export function readCommitWelcome(payload: Buffer): { commit: Commit; welcome: Welcome | null } {
  const reader = createReader(payload);
  const commit = readCommit(reader);
  const welcome = isAtEnd(reader) ? null : readWelcome(reader);
  if (!isAtEnd(reader)) throw new Error('trailing bytes after the welcome');
  return { commit, welcome };
}

function readCommit(reader: Reader): Commit {
  if (readUint16(reader) !== MLS_10) throw new Error('commit: unknown MLS version');
  if (readUint16(reader) !== WIRE_FORMAT_PUBLIC) throw new Error('commit: not a PublicMessage');
  const groupId = readVector(reader);
  const epoch = readUint64(reader);
  if (readUint8(reader) !== SENDER_MEMBER) throw new Error('commit: the sender is not a member');
  const senderLeaf = readUint32(reader);
  readVector(reader); // authenticated_data
  if (readUint8(reader) !== CONTENT_COMMIT) throw new Error('commit: not a commit');
  const proposals = createReader(readVector(reader));
  const refs: string[] = [];
  while (!isAtEnd(proposals)) {
    if (readUint8(proposals) !== PROPOSAL_BY_REFERENCE) throw new Error('commit: a proposal by value instead of by reference');
    refs.push(readVector(proposals).toString('hex'));
  }
  const newSignatureKey = readUint8(reader) === 1 ? readUpdatePath(reader) : null;
  readVector(reader); // signature
  readVector(reader); // confirmation_tag
  readVector(reader); // membership_tag
  return { message: reader.bytes.subarray(0, reader.offset), groupId, epoch, senderLeaf, refs, newSignatureKey };
}

function readUpdatePath(reader: Reader): Buffer {
  const leaf = readLeafNode(reader);
  readVector(reader); // nodes
  return leaf.signatureKey;
}

/** Section 7.2. */
function readLeafNode(reader: Reader): {
  identity: Buffer;
  signatureKey: Buffer;
  lifetime: { notBefore: bigint; notAfter: bigint } | null;
} {
  readVector(reader); // encryption_key
  const signatureKey = readVector(reader);
  if (readUint16(reader) !== CREDENTIAL_BASIC) throw new Error('leaf node: not a basic credential');
  const identity = readVector(reader);
  for (let list = 0; list < 5; list += 1) readVector(reader); // capabilities: versions, ciphersuites, extensions, proposals, credentials
  const source = readUint8(reader);
  let lifetime = null;
  if (source === LEAF_FROM_KEY_PACKAGE) lifetime = { notBefore: readUint64(reader), notAfter: readUint64(reader) };
  else if (source === LEAF_FROM_COMMIT)
    readVector(reader); // parent_hash
  else if (source !== LEAF_FROM_UPDATE) throw new Error('leaf node: unknown source');
  readVector(reader); // extensions
  readVector(reader); // signature
  return { identity, signatureKey, lifetime };
}

/** Section 12.4.3.1. */
function readWelcome(reader: Reader): Welcome {
  if (readUint16(reader) !== CIPHERSUITE) throw new Error('welcome: wrong ciphersuite');
  const list = createReader(readVector(reader));
  const secrets = new Map<string, Buffer>();
  while (!isAtEnd(list)) {
    const start = list.offset;
    const ref = readVector(list).toString('hex');
    readVector(list); // kem_output
    readVector(list); // ciphertext
    secrets.set(ref, list.bytes.subarray(start, list.offset));
  }
  return { secrets, groupInfo: readVector(reader) };
}

/** One newcomer's part of a welcome, as in opcode 30; null if there is none. */
export function welcomeFor(welcome: Welcome, keyPackage: KeyPackage): Buffer | null {
  const secret = welcome.secrets.get(keyPackage.ref);
  return secret ? Buffer.concat([uint16(CIPHERSUITE), vector(secret), vector(welcome.groupInfo)]) : null;
}

/** The input of SignWithLabel (section 5.1.2). */
function labelled(label: string, content: Buffer): Buffer {
  return Buffer.concat([vector(Buffer.from(`MLS 1.0 ${label}`)), vector(content)]);
}

/** RefHash (section 5.2). */
function hashReference(label: string, value: Buffer): string {
  return createHash('sha256')
    .update(vector(Buffer.from(`MLS 1.0 ${label}`)))
    .update(vector(value))
    .digest('hex');
}

/** MLS encodes a P-256 key as an uncompressed point: 4, then x and y of 32 bytes each. */
function p256PublicKey(point: Buffer): KeyObject {
  if (point.length !== 65 || point[0] !== 4) throw new Error('signature key: not an uncompressed P-256 point');
  const x = point.toString('base64url', 1, 33);
  const y = point.toString('base64url', 33, 65);
  return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
}
