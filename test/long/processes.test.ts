// Several processes of one bot: real ones, sharing a Redis, on one local Discord.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { en } from '../../src/locales/index.ts';
import { type Member, statusOf, textOf } from '../helpers/member.ts';
import { openingOf } from '../helpers/openings.ts';
import { type Program, startProgram, warnings } from '../helpers/program.ts';
import { redisServer, titled } from '../helpers/requirements.ts';
import { startTestVoiceService, type TestVoiceService } from '../helpers/voice-service.ts';
import { openSharedBot, shardsOf } from './shared-bot.ts';

const SHARDS = 4;
const options = { guilds: 12, shards: SHARDS, identifyLimits: { maxConcurrency: SHARDS } };
const wait = { timeout: 60_000, interval: 100 };

let service: TestVoiceService;
beforeAll(async () => {
  service = await startTestVoiceService();
});
afterAll(() => service?.close());

const isAnswered = async (member: Member) => {
  const answer = await member.run('queue');
  return (await answer.message((message) => textOf(message) !== '')) !== undefined;
};
const isSpoken = async (member: Member, text: string) => {
  await member.listen();
  const answer = await member.run('say', { text });
  return statusOf(await answer.message((message) => textOf(message).includes(openingOf('say.spoken'))));
};

describe.skipIf(!redisServer.isMet)(titled('several processes', redisServer), () => {
  it('share the shards evenly, and each guild is answered by the one that has it', async () => {
    const { start, membersByShard, connected } = await openSharedBot(service, options);
    const first = await start();
    await expect.poll(() => shardsOf(first).length, wait).toBe(SHARDS);
    const second = await start();
    await expect.poll(() => [shardsOf(first).length, shardsOf(second).length], wait).toEqual([2, 2]);
    expect([...shardsOf(first), ...shardsOf(second)].sort()).toEqual([0, 1, 2, 3]);
    await expect.poll(connected, wait).toBe(SHARDS);
    for (const member of membersByShard.values()) expect(await isSpoken(member, 'Hello.')).toContain(openingOf('say.spoken'));
    expect([...warnings(first), ...warnings(second)]).toEqual([]);
  });

  it('take over what a killed one had', async () => {
    const { start, membersByShard, connected } = await openSharedBot(service, options);
    const [first, second] = [await start(), await start()];
    await expect.poll(() => [shardsOf(first).length, shardsOf(second).length], wait).toEqual([2, 2]);
    first.child.kill('SIGKILL');
    await expect.poll(() => shardsOf(second), wait).toEqual([0, 1, 2, 3]);
    await expect.poll(connected, wait).toBe(SHARDS);
    for (const member of membersByShard.values()) expect(await isAnswered(member)).toBe(true);
  });

  it('answer once what reached one that was halted, which learns afterwards that it has lost its shards', async () => {
    const { start, membersByShard, connected } = await openSharedBot(service, options);
    const [first, second] = [await start(), await start()];
    await expect.poll(() => [shardsOf(first).length, shardsOf(second).length], wait).toEqual([2, 2]);
    await expect.poll(connected, wait).toBe(SHARDS);
    const lost = shardsOf(first);
    first.child.kill('SIGSTOP');
    await expect.poll(() => shardsOf(second), wait).toEqual([0, 1, 2, 3]);
    await expect.poll(connected, wait).toBe(SHARDS + lost.length);
    const members = lost.map((shard) => membersByShard.get(shard) as Member);
    for (const member of members) expect(await isSpoken(member, 'Hello.')).toContain(openingOf('say.spoken'));
    first.child.kill('SIGCONT');
    await first.line(/lost a shard to another process/);
    await expect.poll(() => shardsOf(first), wait).toEqual([]);
    for (const member of members) expect(await isAnswered(member)).toBe(true);
    // Those that the first one took for its own would have been logged, at the latest when Discord refused its answer.
    expect(first.out.filter((line) => line.includes('a command has begun'))).toEqual([]);
    expect([...warnings(first), ...warnings(second)]).toEqual([]);
  });

  it('pass everything over when one is told to end, and leave no command unanswered meanwhile', async () => {
    const { start, membersByShard } = await openSharedBot(service, options);
    const first = await start();
    await expect.poll(() => shardsOf(first).length, wait).toBe(SHARDS);
    const second = await start();
    first.child.kill('SIGTERM');
    let asked = 0;
    let isOver = false;
    const ended = first.ended.then((end) => {
      isOver = true;
      return end;
    });
    const askAll = async () => {
      while (!isOver) {
        for (const member of membersByShard.values()) {
          asked++;
          expect(await isAnswered(member)).toBe(true);
        }
      }
    };
    await Promise.all([askAll(), ended]);
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(asked).toBeGreaterThan(5);
    await expect.poll(() => shardsOf(second), wait).toEqual([0, 1, 2, 3]);
    for (const member of membersByShard.values()) expect(await isAnswered(member)).toBe(true);
    // Had both answered one, Discord would have refused the second answer.
    expect([...warnings(first), ...warnings(second)]).toEqual([]);
  });

  it('delete a member’s sounds in every process, and in one that was away before it plays anything', async () => {
    const { start, membersByShard, connected, dataDirOf } = await openSharedBot(service, options);
    const [first, second] = [await start(), await start()];
    await expect.poll(() => [shardsOf(first).length, shardsOf(second).length], wait).toEqual([2, 2]);
    await expect.poll(connected, wait).toBe(SHARDS);
    const members = [...membersByShard.values()];
    expect(members).toHaveLength(SHARDS);
    for (const member of members) expect(await isSpoken(member, 'To be deleted.')).toContain(openingOf('say.spoken'));
    const soundsIn = async (program: Program) =>
      (await readdir(join(dataDirOf(program), 'cache'))).filter((name) => name.endsWith('.packets')).length;
    const [one] = members as [Member];
    // They may be heard before they are on the disk.
    await expect.poll(async () => (await soundsIn(first)) + (await soundsIn(second)), wait).toBe(members.length);
    const forget = async () => {
      const shown = await (await one.run('privacy')).message((message) => textOf(message) !== '');
      await one.click(shown, en('privacy.deleteButton'));
      const question = await one.sees((message) => message.id === shown.id && textOf(message).startsWith('Delete your'));
      await one.click(question, en('privacy.deleteYes'));
      return textOf(await one.sees((message) => message.id === shown.id && textOf(message).startsWith('Done.')));
    };
    expect(await forget()).toBe(`Done. I’ve deleted your data and ${members.length} cached sounds.`);
    expect([await soundsIn(first), await soundsIn(second)]).toEqual([0, 0]);

    for (const member of members) expect(await isSpoken(member, 'To be deleted.')).toContain('characters');
    second.child.kill('SIGKILL');
    await second.ended;
    await expect.poll(() => shardsOf(first), wait).toEqual([0, 1, 2, 3]);
    await expect.poll(connected, wait).toBe(SHARDS);
    expect(await forget()).toContain(en('privacy.deletedLater'));
    expect(await soundsIn(second)).toBeGreaterThan(0);
    const again = await start(dataDirOf(second));
    expect(await soundsIn(again)).toBe(0);
  });

  it('refuse another number of shards, in one line', async () => {
    const { start, environment, redis } = await openSharedBot(service, options);
    await start();
    const other = await startProgram({ ...environment, REDIS_URL: redis.url, SHARD_COUNT: '7' });
    expect((await other.ended).code).toBe(1);
    expect(other.err).toEqual([
      expect.stringMatching(/^SHARD_COUNT: the processes that run already have 4 shards, and this one was given 7\./),
    ]);
  });
});
