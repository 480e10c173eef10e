// While a server passes from one process of the bot to another, members end what either of them speaks as if there were one.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openHandover, textOfLength } from '../helpers/handover.ts';
import { createMember, type Member, textOf, textsOf } from '../helpers/member.ts';
import { warnings } from '../helpers/program.ts';
import { redisServer, titled } from '../helpers/requirements.ts';
import { startToneService, type ToneService } from '../helpers/tone-service.ts';

const wait = { timeout: 60_000, interval: 50 };

let service: ToneService;
beforeAll(async () => {
  service = await startToneService();
});
afterAll(() => service?.close());

type Answer = Awaited<ReturnType<Member['run']>>;
const shows = (answer: Answer, what: string) => answer.message((message) => textOf(message).includes(what));

/** The first process speaks one text to the end, and one that follows; the second one has what was said after that, and answers. */
async function openTakenOver() {
  const house = await openHandover(service);
  const { discord, guildId, say, listener } = house;
  const sam = createMember(discord.member('Sam', { guildId }), discord.channelId('general', guildId), discord.channelId('Lounge', guildId));
  await sam.listen();
  const playing = await say(textOfLength(20, 1));
  await listener.hears(1);
  const next = await say(textOfLength(3, 2));
  const last = await say(textOfLength(2, 3));
  await house.takeOver();
  return { ...house, sam, playing, next, last, numbers: () => listener.heard.map(({ number }) => number) };
}

describe.skipIf(!redisServer.isMet)(titled('while another process still speaks', redisServer), { timeout: 180_000 }, () => {
  it('the queue is listed whole, and each text ends with its button, for whoever may', async () => {
    const { member, sam, first, second, playing, next, last, ends, numbers } = await openTakenOver();
    // It may be on its way from one process to the other.
    await member.click(await shows(last, 'ahead'), 'Cancel');
    expect(await ends(last)).toContain('Cancelled');
    const list = await shows(await sam.run('queue'), 'Now playing');
    const [, playingNow, , upNext, ...more] = textsOf(list);
    expect(playingNow).toMatch(/\n-# About \d+s left$/);
    expect(upNext).toMatch(/ 2$/);
    expect(more).toEqual([]);
    for (const name of ['Stop', 'Skip'])
      expect(await (await sam.click(await shows(playing, 'Speaking now'), name)).sentence()).toContain('or a moderator can');
    expect(await (await sam.run('skip')).sentence()).toContain('or a moderator can');
    expect(await (await sam.run('stop')).sentence()).toContain('None of your texts');
    const own = await shows(await member.run('queue'), 'Now playing');
    await member.click(own, 'Remove');
    expect(await ends(next)).toContain('Cancelled');
    await member.click(await shows(playing, 'Speaking now'), 'Skip');
    expect(await ends(playing)).toContain('Skipped');
    expect(await first.ended).toEqual({ code: 0, signal: null });
    expect(numbers()).toEqual([1]);
    expect([...warnings(first), ...warnings(second)]).toEqual([]);
  });

  it('what is said meanwhile waits behind it, with a button; /skip and /stop end both', async () => {
    const { member, say, first, second, playing, next, last, ends, numbers } = await openTakenOver();
    const later = await say(textOfLength(2, 4));
    await shows(await member.run('skip'), 'Skipped');
    expect(await ends(playing)).toContain('Skipped');
    await shows(next, 'Speaking now');
    await shows(await member.run('stop'), 'I dropped 3 texts');
    expect(await ends(next)).toContain('Stopped');
    for (const one of [last, later]) expect(await ends(one)).toContain('Cancelled');
    expect(await (await member.run('skip')).sentence()).toContain('Nothing is playing');
    expect(await first.ended).toEqual({ code: 0, signal: null });
    expect(numbers()).toEqual([1, 2]);
    expect([...warnings(first), ...warnings(second)]).toEqual([]);
  });

  it('/leave ends both, and the bot leaves the channel', async () => {
    const { member, discord, guildId, say, first, second, playing, next, last, ends, numbers } = await openTakenOver();
    await shows(await member.run('leave'), 'I’ve left');
    expect(await ends(playing)).toContain('Stopped');
    for (const one of [next, last]) expect(await ends(one)).toContain('Cancelled');
    const channelId = () => discord.world.guilds.get(guildId)?.voiceStates.get(discord.application.id)?.channel_id ?? null;
    await expect.poll(channelId, wait).toBeNull();
    expect(await first.ended).toEqual({ code: 0, signal: null });
    expect(await ends(await say(textOfLength(2, 5)))).toMatch(/Spoken in (1.9|2)/);
    expect(numbers()).toEqual([1, 5]);
    expect([...warnings(first), ...warnings(second)]).toEqual([]);
  });

  it('and is killed, nobody is told that a button has worked; its replies say that it restarted', async () => {
    const { member, first, playing, next, last, ends } = await openTakenOver();
    first.child.kill('SIGKILL');
    await first.ended;
    const pressed = await member.click(await shows(playing, 'Speaking now'), 'Stop');
    expect(await pressed.sentence()).toContain('I’m restarting. Try again in a minute.');
    for (const one of [playing, next]) expect(await ends(one)).toContain('restarted');
    expect(await ends(last)).toMatch(/Spoken in (1.9|2)|restarted/);
  });
});
