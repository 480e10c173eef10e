// The local voice gateway's MLS messages, against davey, which real clients use.
import { DAVESession } from '@snazzah/davey';
import { expect, test } from 'vitest';
import {
  createExternalSender,
  type KeyPackage,
  proposeAdd,
  proposeRemove,
  readCommitWelcome,
  readKeyPackage,
  type Welcome,
  welcomeFor,
} from '../../src/local/discord/voice/dave/mls.ts';
import { createReader, readVector, vector } from '../../src/local/discord/voice/dave/mls-bytes.ts';

const CHANNEL = '1090000000000000002';
const APPEND = 0;
const REVOKE = 1;
const sender = createExternalSender();

function groupAt(epoch: bigint) {
  const groupId = Buffer.alloc(8);
  groupId.writeBigUInt64BE(BigInt(CHANNEL));
  return { groupId, epoch };
}

function newMember(userId: string): { dave: DAVESession; keyPackage: KeyPackage } {
  const dave = new DAVESession(1, userId, CHANNEL);
  dave.setExternalSender(sender.publicPackage);
  return { dave, keyPackage: readKeyPackage(dave.getSerializedKeyPackage(), userId) };
}

/** A client's payload of opcode 28. */
function commitOf(dave: DAVESession, operation: number, items: Buffer[], expected: string[]) {
  const { commit, welcome } = dave.processProposals(operation, vector(...items), expected);
  return commit ? readCommitWelcome(Buffer.concat([commit, welcome ?? Buffer.alloc(0)])) : null;
}

test('clients accept the server’s additions, use the same references, and share one group', () => {
  const [ada, ben, cal] = [newMember('1'), newMember('2'), newMember('3')];
  const additions = [ben, cal].map(({ keyPackage }) => proposeAdd(sender, groupAt(0n), keyPackage));
  const made = commitOf(
    ada.dave,
    APPEND,
    additions.map(({ message }) => message),
    ['2', '3'],
  );
  expect(made?.commit).toMatchObject({ epoch: 0n, senderLeaf: 0, refs: additions.map(({ ref }) => ref) });
  ada.dave.processCommit(made?.commit.message as Buffer);
  for (const { dave, keyPackage } of [ben, cal]) dave.processWelcome(welcomeFor(made?.welcome as Welcome, keyPackage) as Buffer);
  expect(ada.dave.voicePrivacyCode).toHaveLength(30);
  expect([ben.dave.voicePrivacyCode, cal.dave.voicePrivacyCode]).toEqual([ada.dave.voicePrivacyCode, ada.dave.voicePrivacyCode]);
  expect([ada, ben, cal].map(({ dave }) => dave.ownLeafIndex)).toEqual([0, 1, 2]);

  const removal = proposeRemove(sender, groupAt(1n), 1);
  const removing = commitOf(cal.dave, APPEND, [removal.message], []);
  expect(removing?.commit).toMatchObject({ epoch: 1n, senderLeaf: 2, refs: [removal.ref] });
  expect(removing?.welcome).toBeNull();
  commitOf(ada.dave, APPEND, [removal.message], []);
  for (const { dave } of [ada, cal]) dave.processCommit(removing?.commit.message as Buffer);
  expect(ada.dave.voicePrivacyCode).toBe(cal.dave.voicePrivacyCode);
  expect(ada.dave.getUserIds()).toEqual(['1', '3']);
});

test('clients drop revoked proposals', () => {
  const [ada, ben, cal] = [newMember('1'), newMember('2'), newMember('3')];
  const [addBen, addCal] = [ben, cal].map(({ keyPackage }) => proposeAdd(sender, groupAt(0n), keyPackage));
  commitOf(ada.dave, APPEND, [addBen?.message as Buffer, addCal?.message as Buffer], ['2', '3']);
  const made = commitOf(ada.dave, REVOKE, [vector(Buffer.from(addBen?.ref as string, 'hex'))], ['2', '3']);
  expect(made?.commit.refs).toEqual([addCal?.ref]);
});

test('each part of a welcome is for one newcomer only', () => {
  const [ada, ben, cal] = [newMember('1'), newMember('2'), newMember('3')];
  const messages = [ben, cal].map(({ keyPackage }) => proposeAdd(sender, groupAt(0n), keyPackage).message);
  const made = commitOf(ada.dave, APPEND, messages, ['2', '3']);
  const share = welcomeFor(made?.welcome as Welcome, ben.keyPackage) as Buffer;
  expect(() => cal.dave.processWelcome(share)).toThrow();
  ben.dave.processWelcome(share);
  expect(welcomeFor(made?.welcome as Welcome, newMember('4').keyPackage)).toBeNull();
});

test('a key package may be bare or wrapped in an MLSMessage', () => {
  const bare = new DAVESession(1, '1', CHANNEL).getSerializedKeyPackage();
  const wrapped = Buffer.concat([Buffer.from([0, 1, 0, 5]), bare]);
  expect(readKeyPackage(wrapped, '1')).toEqual(readKeyPackage(bare, '1'));
});

test('a key package of another user, forged or truncated, is refused', () => {
  const bytes = new DAVESession(1, '1', CHANNEL).getSerializedKeyPackage();
  expect(() => readKeyPackage(bytes, '2')).toThrow('credential');
  const forged = Buffer.from(bytes);
  forged[6] = (forged[6] as number) ^ 1; // in init_key
  expect(() => readKeyPackage(forged, '1')).toThrow('signature');
  for (let length = 0; length < bytes.length; length += 1) expect(() => readKeyPackage(bytes.subarray(0, length), '1')).toThrow();
  expect(() => readKeyPackage(Buffer.concat([bytes, Buffer.of(0)]), '1')).toThrow();
});

test.each([0, 63, 64, 16_383, 16_384])('a vector of %i bytes survives writing and reading', (length) => {
  const reader = createReader(vector(Buffer.alloc(length, 7)));
  expect(readVector(reader).equals(Buffer.alloc(length, 7))).toBe(true);
  expect(reader.offset).toBe(reader.bytes.length);
});
