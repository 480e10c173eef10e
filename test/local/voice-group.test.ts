// The voice gateway's decisions for a DAVE group, with members (davey, as in clients) whose replies are sent when the test says so.
import { DAVESession } from '@snazzah/davey';
import { VoiceOpcodes } from 'discord-api-types/voice/v8';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDaveGroup, type DaveGroup } from '../../src/local/discord/voice/dave/group.ts';
import { DAVE_VERSION, type DaveMember, type GroupMessage, type MemberMessage } from '../../src/local/discord/voice/dave/messages.ts';
import { createExternalSender, readCommitWelcome } from '../../src/local/discord/voice/dave/mls.ts';

const CHANNEL = '1090000000000000002';

let group: DaveGroup;
let corruptNextWelcome = false;

beforeEach(() => {
  vi.useFakeTimers();
  corruptNextWelcome = false;
  group = createDaveGroup({
    channelId: CHANNEL,
    externalSender: createExternalSender(),
    version: DAVE_VERSION,
    isWithholding: () => false,
    alterWelcome(_member, welcome) {
      const altered = corruptNextWelcome ? Buffer.from(welcome).fill(0, welcome.length - 4) : welcome;
      corruptNextWelcome = false;
      return altered;
    },
    log: () => {},
  });
});

afterEach(() => {
  group.close();
  vi.useRealTimers();
});

interface TestMember extends DaveMember {
  readonly dave: DAVESession;
  /** Received opcodes, in order. */
  readonly received: number[];
  /** Replies that have not been sent yet. */
  readonly replies: MemberMessage[];
  /** Sends the oldest reply with this opcode (or the oldest of all). @returns false if there is none */
  reply(op?: number): boolean;
  /** Starts over and says so, as clients do after a commit or welcome that they cannot process. */
  loseState(transitionId: number): void;
}

function createTestMember(userId: string): TestMember {
  const dave = new DAVESession(1, userId, CHANNEL);
  const replies: MemberMessage[] = [];
  const received: number[] = [];
  const queueKeyPackage = () => replies.push({ op: VoiceOpcodes.DaveMlsKeyPackage, payload: dave.getSerializedKeyPackage() });
  const processProposals = (payload: Buffer) => {
    try {
      return dave.processProposals(payload.readUInt8(0), payload.subarray(1));
    } catch {
      return {}; // for a group that it has left
    }
  };
  return {
    userId,
    isReachable: () => true,
    dave,
    received,
    replies,
    send(message: GroupMessage) {
      received.push(message.op);
      if (message.op === VoiceOpcodes.DaveMlsExternalSender) {
        dave.setExternalSender(message.payload);
        queueKeyPackage();
      } else if (message.op === VoiceOpcodes.DavePrepareEpoch) {
        dave.reinit(1, userId, CHANNEL);
        queueKeyPackage();
      } else if (message.op === VoiceOpcodes.DaveMlsProposals) {
        const { commit, welcome } = processProposals(message.payload);
        if (commit) replies.push({ op: VoiceOpcodes.DaveMlsCommitWelcome, payload: Buffer.concat([commit, welcome ?? Buffer.alloc(0)]) });
      } else if (message.op === VoiceOpcodes.DaveMlsAnnounceCommitTransition || message.op === VoiceOpcodes.DaveMlsWelcome) {
        const transitionId = message.payload.readUInt16BE(0);
        try {
          if (message.op === VoiceOpcodes.DaveMlsAnnounceCommitTransition) dave.processCommit(message.payload.subarray(2));
          else dave.processWelcome(message.payload.subarray(2));
          replies.push({ op: VoiceOpcodes.DaveTransitionReady, transitionId });
        } catch {
          this.loseState(transitionId);
        }
      }
    },
    loseState(transitionId) {
      dave.reinit(1, userId, CHANNEL);
      replies.push({ op: VoiceOpcodes.DaveMlsInvalidCommitWelcome, transitionId });
      queueKeyPackage();
    },
    reply(op) {
      const index = op === undefined ? 0 : replies.findIndex((reply) => reply.op === op);
      const [reply] = index < 0 ? [] : replies.splice(index, 1);
      if (reply) group.receive(this, reply);
      return reply !== undefined;
    },
  };
}

function joinAll(...userIds: string[]): TestMember[] {
  const members = userIds.map(createTestMember);
  for (const member of members) group.join(member);
  return members;
}

/** Sends all members' replies until there are no more. */
function settle(members: readonly TestMember[]): void {
  while (members.some((member) => member.reply()));
}

function expectOneGroup(members: readonly TestMember[]): void {
  const codes = new Set(members.map(({ dave }) => dave.voicePrivacyCode));
  expect(codes.size).toBe(1);
  expect(codes).not.toContain('');
  for (const { dave } of members) expect(dave.getUserIds().sort()).toEqual(members.map(({ userId }) => userId).sort());
}

test('of two commits for the same epoch, the first wins and the second is dropped', () => {
  const [ada, ben] = joinAll('1', '2') as [TestMember, TestMember];
  ada.reply(VoiceOpcodes.DaveMlsKeyPackage);
  ben.reply(VoiceOpcodes.DaveMlsKeyPackage);
  ben.reply(VoiceOpcodes.DaveMlsCommitWelcome);
  ada.reply(VoiceOpcodes.DaveMlsCommitWelcome);
  expect([ada.received.at(-1), ben.received.at(-1)]).toEqual([30, 29]);
  settle([ada, ben]);
  expectOneGroup([ada, ben]);
});

test('a commit without the latest proposal is dropped, and the next one includes it', () => {
  const [ada, ben] = joinAll('1', '2') as [TestMember, TestMember];
  settle([ada, ben]);
  const [cal, dan] = joinAll('3', '4') as [TestMember, TestMember];
  cal.reply(VoiceOpcodes.DaveMlsKeyPackage);
  dan.reply(VoiceOpcodes.DaveMlsKeyPackage);
  expect(ada.replies.map(({ op }) => op)).toEqual([28, 28]);
  ada.reply(VoiceOpcodes.DaveMlsCommitWelcome);
  expect(cal.received).not.toContain(30);
  ada.reply(VoiceOpcodes.DaveMlsCommitWelcome);
  expect(cal.received).toContain(30);
  settle([ada, ben, cal, dan]);
  expectOneGroup([ada, ben, cal, dan]);
});

test('a newcomer who leaves before a commit is not added', () => {
  const [ada, ben] = joinAll('1', '2') as [TestMember, TestMember];
  settle([ada, ben]);
  const [cal, dan] = joinAll('3', '4') as [TestMember, TestMember];
  cal.reply(VoiceOpcodes.DaveMlsKeyPackage);
  dan.reply(VoiceOpcodes.DaveMlsKeyPackage);
  group.leave(cal);
  settle([ada, ben, dan]);
  expectOneGroup([ada, ben, dan]);
});

test('the next newcomer takes the first free leaf', () => {
  const members = joinAll('1', '2', '3', '4');
  settle(members);
  const [gone] = members.splice(1, 1) as [TestMember];
  const leaf = gone.dave.ownLeafIndex;
  group.leave(gone);
  settle(members);
  members.push(...joinAll('5', '6'));
  settle(members);
  expectOneGroup(members);
  expect(members.map(({ dave }) => dave.ownLeafIndex)).toContain(leaf);
  expect(new Set(members.map(({ dave }) => dave.ownLeafIndex))).toEqual(new Set([0, 1, 2, 3, 4]));
});

test('a transition is executed once all members are ready', () => {
  const [ada, ben] = joinAll('1', '2') as [TestMember, TestMember];
  for (const member of [ada, ben]) member.reply(VoiceOpcodes.DaveMlsKeyPackage);
  ada.reply(VoiceOpcodes.DaveMlsCommitWelcome);
  ada.reply(VoiceOpcodes.DaveTransitionReady);
  expect(ada.received).not.toContain(22);
  ben.reply(VoiceOpcodes.DaveTransitionReady);
  expect([ada.received.at(-1), ben.received.at(-1)]).toEqual([22, 22]);
});

test('a transition is executed after two seconds even if a member never becomes ready', () => {
  const [ada, ben] = joinAll('1', '2') as [TestMember, TestMember];
  for (const member of [ada, ben]) member.reply(VoiceOpcodes.DaveMlsKeyPackage);
  ada.reply(VoiceOpcodes.DaveMlsCommitWelcome);
  ada.reply(VoiceOpcodes.DaveTransitionReady);
  vi.advanceTimersByTime(1999);
  expect(ada.received).not.toContain(22);
  vi.advanceTimersByTime(1);
  expect(ada.received).toContain(22);
});

test('without a commit, the group is recreated', () => {
  const [ada, ben] = joinAll('1', '2') as [TestMember, TestMember];
  settle([ada, ben]);
  const [cal] = joinAll('3') as [TestMember];
  cal.reply(VoiceOpcodes.DaveMlsKeyPackage);
  for (const { replies } of [ada, ben]) replies.length = 0;
  vi.advanceTimersByTime(5000);
  expect(ada.received.slice(-2)).toEqual([24, 21]);
  settle([ada, ben, cal]);
  expectOneGroup([ada, ben, cal]);
});

test('the last member of a group starts over alone, and later newcomers share a new group with it', () => {
  const [ada, ben] = joinAll('1', '2') as [TestMember, TestMember];
  settle([ada, ben]);
  group.leave(ben);
  expect(ada.received.slice(-2)).toEqual([24, 21]);
  settle([ada]);
  const [cal] = joinAll('3') as [TestMember];
  settle([ada, cal]);
  expectOneGroup([ada, cal]);
  expect(ada.dave.epoch).toBe(1n);
});

test('members that lost their state are removed and added again, even all at once', () => {
  const members = joinAll('1', '2', '3');
  settle(members);
  for (const lost of [members.slice(0, 1), members]) {
    for (const member of lost) member.loseState(1);
    settle(members);
    expectOneGroup(members);
  }
});

test('nothing is processProposals until every member has processed the last commit, or said that it could not', () => {
  const [ada, ben] = joinAll('1', '2') as [TestMember, TestMember];
  settle([ada, ben]);
  corruptNextWelcome = true;
  const [cal, dan] = joinAll('3', '4') as [TestMember, TestMember];
  cal.reply(VoiceOpcodes.DaveMlsKeyPackage);
  ada.reply(VoiceOpcodes.DaveMlsCommitWelcome);
  expect(cal.replies.map(({ op }) => op)).toEqual([31, 26]);
  const toldCal = cal.received.length;
  dan.reply(VoiceOpcodes.DaveMlsKeyPackage);
  settle([ada, ben]);
  expect(cal.received).toHaveLength(toldCal); // it would get proposals for a group that it is not in
  settle([ada, ben, cal, dan]);
  expectOneGroup([ada, ben, cal, dan]);
});

test('a member that reconnects with a new key replaces its old leaf', () => {
  const members = joinAll('1', '2', '3');
  settle(members);
  const [old] = members.splice(0, 1) as [TestMember];
  group.leave(old);
  members.push(...joinAll('1'));
  settle(members);
  expectOneGroup(members);
});

test('a commit on behalf of another member is an error', () => {
  const [ada, ben] = joinAll('1', '2') as [TestMember, TestMember];
  settle([ada, ben]);
  const [cal] = joinAll('3') as [TestMember];
  cal.reply(VoiceOpcodes.DaveMlsKeyPackage);
  const stolen = ada.replies.find(({ op }) => op === VoiceOpcodes.DaveMlsCommitWelcome) as MemberMessage;
  expect(() => group.receive(ben, stolen)).toThrow('on behalf of another member');
  settle([ada, ben, cal]);
  expectOneGroup([ada, ben, cal]);
});

test('a commit without a welcome for a newcomer is an error', () => {
  const [ada, ben] = joinAll('1', '2') as [TestMember, TestMember];
  settle([ada, ben]);
  const [cal] = joinAll('3') as [TestMember];
  cal.reply(VoiceOpcodes.DaveMlsKeyPackage);
  const { payload } = ada.replies.find((reply) => reply.op === VoiceOpcodes.DaveMlsCommitWelcome) as { payload: Buffer };
  const { commit } = readCommitWelcome(payload);
  expect(() => group.receive(ada, { op: VoiceOpcodes.DaveMlsCommitWelcome, payload: commit.message })).toThrow('without a welcome');
});
