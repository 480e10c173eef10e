// The part of MLS (RFC 9420) that DAVE's delivery service needs: external proposals made and signed, key packages checked, commits and welcomes read.
// Only ciphersuite 2 (P-256, AES-128-GCM, SHA-256), which DAVE 1 prescribes: https://daveprotocol.com/#mls-parameters
import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import {
  isAtEnd,
  type Reader,
  readerOf,
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

/** The voice gateway as a party to every group: it may propose, and is no member (section 12.1.8). */
export interface ExternalSender {
  readonly privateKey: KeyObject;
  /** Key and credential as the payload of opcode 25. */
  readonly publicPackage: Buffer;
}

/** Which group a message is for. */
export interface GroupContext {
  readonly groupId: Buffer;
  readonly epoch: bigint;
}

/** A proposal on its way: the whole MLSMessage, and the hash by which commits name it. */
export interface SignedProposal {
  readonly message: Buffer;
  /** ProposalRef, in hex. */
  readonly ref: string;
}

/** A checked key package. */
export interface KeyPackage {
  readonly bytes: Buffer;
  /** KeyPackageRef, in hex: names its owner's share of a welcome. */
  readonly ref: string;
  readonly signatureKey: Buffer;
}

/** What the delivery service reads in a commit. */
export interface Commit {
  readonly message: Buffer;
  readonly groupId: Buffer;
  readonly epoch: bigint;
  readonly senderLeaf: number;
  /** ProposalRefs in hex, in the order in which they take effect. */
  readonly refs: readonly string[];
  /** Signature key of the leaf that the commit's path puts in place of the sender's; null without a path. */
  readonly newSignatureKey: Buffer | null;
}

/** A welcome for all newcomers; `welcomeFor` cuts one member's share. */
export interface Welcome {
  /** Encrypted group secrets by KeyPackageRef (hex), each as it stood in the message. */
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

/** Sections 6 and 6.1: an external sender signs no group context, and its PublicMessage carries no membership tag. */
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
 * Reads and checks a key package as DAVE asks of the voice gateway (https://daveprotocol.com/#validation).
 * @throws Error that names what is wrong with it.
 */
export function readKeyPackage(payload: Buffer, userId: string): KeyPackage {
  const reader = readerOf(payload);
  // The protocol's text wraps it in an MLSMessage, its implementations send it bare: take both.
  if (payload.length > 4 && payload.readUInt16BE(2) === WIRE_FORMAT_KEY_PACKAGE) reader.offset = 4;
  const start = reader.offset;
  if (readUint16(reader) !== MLS_10) throw new Error('key package: unknown MLS version');
  if (readUint16(reader) !== CIPHERSUITE) throw new Error('key package: wrong ciphersuite');
  readVector(reader); // init_key
  const leaf = readLeafNode(reader);
  readVector(reader); // extensions
  const signedEnd = reader.offset;
  const signature = readVector(reader);
  if (!isAtEnd(reader)) throw new Error('key package: bytes after its end');

  if (!leaf.identity.equals(uint64(BigInt(userId)))) throw new Error('key package: its credential is not the session’s user');
  if (leaf.lifetime?.notBefore !== 0n || leaf.lifetime.notAfter !== FOREVER) throw new Error('key package: lifetime is not unlimited');
  const signed = labelled('KeyPackageTBS', payload.subarray(start, signedEnd));
  if (!verify('sha256', signed, p256PublicKey(leaf.signatureKey), signature)) throw new Error('key package: wrong signature');
  const bytes = Buffer.from(payload.subarray(start));
  return { bytes, ref: hashReference('KeyPackage Reference', bytes), signatureKey: Buffer.from(leaf.signatureKey) };
}

/**
 * Opcode 28's payload: a commit as PublicMessage, and behind it a welcome when the commit adds somebody.
 * @throws Error when it is anything else.
 */
export function readCommitWelcome(payload: Buffer): { commit: Commit; welcome: Welcome | null } {
  const reader = readerOf(payload);
  const commit = readCommit(reader);
  const welcome = isAtEnd(reader) ? null : readWelcome(reader);
  if (!isAtEnd(reader)) throw new Error('bytes after the welcome');
  return { commit, welcome };
}

function readCommit(reader: Reader): Commit {
  if (readUint16(reader) !== MLS_10) throw new Error('commit: unknown MLS version');
  if (readUint16(reader) !== WIRE_FORMAT_PUBLIC) throw new Error('commit: not a PublicMessage');
  const groupId = readVector(reader);
  const epoch = readUint64(reader);
  if (readUint8(reader) !== SENDER_MEMBER) throw new Error('commit: its sender is no member');
  const senderLeaf = readUint32(reader);
  readVector(reader); // authenticated_data
  if (readUint8(reader) !== CONTENT_COMMIT) throw new Error('commit: another kind of content');
  const proposals = readerOf(readVector(reader));
  const refs: string[] = [];
  while (!isAtEnd(proposals)) {
    if (readUint8(proposals) !== PROPOSAL_BY_REFERENCE) throw new Error('commit: a proposal inside instead of a reference');
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
  const list = readerOf(readVector(reader));
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

/** One newcomer's share of a welcome, as in opcode 30. Null when the welcome has none for it. */
export function welcomeFor(welcome: Welcome, keyPackage: KeyPackage): Buffer | null {
  const secret = welcome.secrets.get(keyPackage.ref);
  return secret ? Buffer.concat([uint16(CIPHERSUITE), vector(secret), vector(welcome.groupInfo)]) : null;
}

/** What SignWithLabel signs (section 5.1.2). */
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

/** MLS writes a P-256 key as the uncompressed point: 4, then x and y of 32 bytes each. */
function p256PublicKey(point: Buffer): KeyObject {
  if (point.length !== 65 || point[0] !== 4) throw new Error('signature key: not an uncompressed P-256 point');
  const x = point.toString('base64url', 1, 33);
  const y = point.toString('base64url', 33, 65);
  return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
}
