// The voice gateway's decisions for a DAVE group, with members (davey, as in clients) whose replies are sent when the test says so.
import { DAVESession } from '@snazzah/davey';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDaveGroup, type DaveGroup } from '../../src/local/discord/voice/dave/group.ts';
import type { DaveMember, GroupMessage, MemberMessage } from '../../src/local/discord/voice/dave/messages.ts';
import { createExternalSender, readCommitWelcome } from '../../src/local/discord/voice/dave/mls.ts';

const CHANNEL = '1090000000000000002';

let group: DaveGroup;
let spoilNextWelcome = false;

beforeEach(() => {
  vi.useFakeTimers();
  spoilNextWelcome = false;
  group = createDaveGroup({
    channelId: CHANNEL,
    externalSender: createExternalSender(),
    isWithholding: () => false,
    alterWelcome(_member, welcome) {
      const altered = spoilNextWelcome ? Buffer.from(welcome).fill(0, welcome.length - 4) : welcome;
      spoilNextWelcome = false;
      return altered;
    },
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
  readonly answers: MemberMessage[];
  /** Sends the oldest reply with this opcode (or the oldest of all). @returns false if there is none */
  answer(op?: number): boolean;
  /** Starts over and says so, as clients do after a commit or welcome that they cannot process. */
  loseState(transitionId: number): void;
}

function newMember(userId: string): TestMember {
  const dave = new DAVESession(1, userId, CHANNEL);
  const answers: MemberMessage[] = [];
  const received: number[] = [];
  const keyPackage = () => answers.push({ op: 26, payload: dave.getSerializedKeyPackage() });
  const proposed = (payload: Buffer) => {
    try {
      return dave.processProposals(payload.readUInt8(0), payload.subarray(1));
    } catch {
      return {}; // for a group that it has no more
    }
  };
  return {
    userId,
    isReachable: () => true,
    dave,
    received,
    answers,
    send(message: GroupMessage) {
      received.push(message.op);
      if (message.op === 25) {
        dave.setExternalSender(message.payload);
        keyPackage();
      } else if (message.op === 24) {
        dave.reinit(1, userId, CHANNEL);
        keyPackage();
      } else if (message.op === 27) {
        const { commit, welcome } = proposed(message.payload);
        if (commit) answers.push({ op: 28, payload: Buffer.concat([commit, welcome ?? Buffer.alloc(0)]) });
      } else if (message.op === 29 || message.op === 30) {
        const transitionId = message.payload.readUInt16BE(0);
        try {
          if (message.op === 29) dave.processCommit(message.payload.subarray(2));
          else dave.processWelcome(message.payload.subarray(2));
          answers.push({ op: 23, transitionId });
        } catch {
          this.loseState(transitionId);
        }
      }
    },
    loseState(transitionId) {
      dave.reinit(1, userId, CHANNEL);
      answers.push({ op: 31, transitionId });
      keyPackage();
    },
    answer(op) {
      const index = op === undefined ? 0 : answers.findIndex((answer) => answer.op === op);
      const [answer] = index < 0 ? [] : answers.splice(index, 1);
      if (answer) group.receive(this, answer);
      return answer !== undefined;
    },
  };
}

function joinAll(...userIds: string[]): TestMember[] {
  const members = userIds.map(newMember);
  for (const member of members) group.join(member);
  return members;
}

/** Sends all members' replies until there are no more. */
function settle(members: readonly TestMember[]): void {
  while (members.some((member) => member.answer()));
}

function expectOneGroup(members: readonly TestMember[]): void {
  const codes = new Set(members.map(({ dave }) => dave.voicePrivacyCode));
  expect(codes.size).toBe(1);
  expect(codes).not.toContain('');
  for (const { dave } of members) expect(dave.getUserIds().sort()).toEqual(members.map(({ userId }) => userId).sort());
}

test('of two commits for the same epoch, the first wins and the second is dropped', () => {
  const [ada, ben] = joinAll('1', '2') as [TestMember, TestMember];
  ada.answer(26);
  ben.answer(26);
  ben.answer(28);
  ada.answer(28);
  expect([ada.received.at(-1), ben.received.at(-1)]).toEqual([30, 29]);
  settle([ada, ben]);
  expectOneGroup([ada, ben]);
});

test('a commit without the latest proposal is dropped, and the next one includes it', () => {
  const [ada, ben] = joinAll('1', '2') as [TestMember, TestMember];
  settle([ada, ben]);
  const [cal, dan] = joinAll('3', '4') as [TestMember, TestMember];
  cal.answer(26);
  dan.answer(26);
  expect(ada.answers.map(({ op }) => op)).toEqual([28, 28]);
  ada.answer(28);
  expect(cal.received).not.toContain(30);
  ada.answer(28);
  expect(cal.received).toContain(30);
  settle([ada, ben, cal, dan]);
  expectOneGroup([ada, ben, cal, dan]);
});

test('a newcomer who leaves before a commit is not added', () => {
  const [ada, ben] = joinAll('1', '2') as [TestMember, TestMember];
  settle([ada, ben]);
  const [cal, dan] = joinAll('3', '4') as [TestMember, TestMember];
  cal.answer(26);
  dan.answer(26);
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
  for (const member of [ada, ben]) member.answer(26);
  ada.answer(28);
  ada.answer(23);
  expect(ada.received).not.toContain(22);
  ben.answer(23);
  expect([ada.received.at(-1), ben.received.at(-1)]).toEqual([22, 22]);
});

test('a transition is executed after two seconds even if a member never becomes ready', () => {
  const [ada, ben] = joinAll('1', '2') as [TestMember, TestMember];
  for (const member of [ada, ben]) member.answer(26);
  ada.answer(28);
  ada.answer(23);
  vi.advanceTimersByTime(1999);
  expect(ada.received).not.toContain(22);
  vi.advanceTimersByTime(1);
  expect(ada.received).toContain(22);
});

test('without a commit, the group is recreated', () => {
  const [ada, ben] = joinAll('1', '2') as [TestMember, TestMember];
  settle([ada, ben]);
  const [cal] = joinAll('3') as [TestMember];
  cal.answer(26);
  for (const { answers } of [ada, ben]) answers.length = 0;
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

test('nothing is proposed until every member has processed the last commit, or said that it could not', () => {
  const [ada, ben] = joinAll('1', '2') as [TestMember, TestMember];
  settle([ada, ben]);
  spoilNextWelcome = true;
  const [cal, dan] = joinAll('3', '4') as [TestMember, TestMember];
  cal.answer(26);
  ada.answer(28);
  expect(cal.answers.map(({ op }) => op)).toEqual([31, 26]);
  const toldCal = cal.received.length;
  dan.answer(26);
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
  cal.answer(26);
  const stolen = ada.answers.find(({ op }) => op === 28) as MemberMessage;
  expect(() => group.receive(ben, stolen)).toThrow('on behalf of another member');
  settle([ada, ben, cal]);
  expectOneGroup([ada, ben, cal]);
});

test('a commit without a welcome for a newcomer is an error', () => {
  const [ada, ben] = joinAll('1', '2') as [TestMember, TestMember];
  settle([ada, ben]);
  const [cal] = joinAll('3') as [TestMember];
  cal.answer(26);
  const { payload } = ada.answers.find((answer) => answer.op === 28) as { payload: Buffer };
  const { commit } = readCommitWelcome(payload);
  expect(() => group.receive(ada, { op: 28, payload: commit.message })).toThrow('without a welcome');
});
