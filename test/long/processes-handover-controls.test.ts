// While a server passes from one process of the bot to another, members end what either of them speaks as if there were one.
import { GatewayIntentBits } from 'discord.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { en } from '../../src/locales/index.ts';
import { createMember, type Member, memberOf, textOf, textsOf } from '../helpers/member.ts';
import { openingOf } from '../helpers/openings.ts';
import { warnings } from '../helpers/program.ts';
import { redisServer, titled } from '../helpers/requirements.ts';
import { startToneService, type ToneService } from '../helpers/tone-service.ts';
import { openHandover, textOfLength } from './handover.ts';

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
  const sam = memberOf(discord, 'Sam', { guildId });
  await sam.listen();
  // 33 seconds, so that even on a busy machine it is still playing when it is ended. The speed is remembered for the next ones.
  const playing = await say(textOfLength(20, 1), { speed: 0.6 });
  await listener.hears(1);
  const next = await say(textOfLength(3, 2));
  const last = await say(textOfLength(2, 3));
  await house.takeOver();
  return { ...house, sam, playing, next, last, numbers: () => listener.heard.map(({ number }) => number) };
}

describe.skipIf(!redisServer.isMet)(titled('while another process still speaks', redisServer), () => {
  it('the whole queue is listed, and its buttons end each text for members who may do that', async () => {
    const { member, sam, first, second, playing, next, last, ends, handedOver, numbers } = await openTakenOver();
    // On its way from one process to the other it is in neither's queue for a moment.
    await second.line(/a command has begun/);
    await expect.poll(handedOver, wait).toBe(0);
    await member.click(await shows(last, 'ahead'), en('say.cancelButton'));
    expect(await ends(last)).toContain(en('say.cancelled'));
    const list = await shows(await sam.run('queue'), en('queue.nowPlaying'));
    const [, playingNow, , upNext, ...more] = textsOf(list);
    expect(playingNow).toMatch(/\n-# About \d+ seconds? left$/m);
    expect(upNext).toMatch(/ 2$/);
    expect(more).toEqual([]);
    for (const name of [en('say.stopButton'), en('say.skipButton')])
      expect(await (await sam.click(await shows(playing, en('say.speaking')), name)).sentence()).toContain('or a moderator can');
    expect(await (await sam.run('skip')).sentence()).toContain('or a moderator can');
    expect(await (await sam.run('stop')).sentence()).toContain(en('queue.nothingToStop'));
    const own = await shows(await member.run('queue'), en('queue.nowPlaying'));
    await member.click(own, en('queue.removeButton'));
    expect(await ends(next)).toContain(en('say.cancelled'));
    await member.click(await shows(playing, en('say.speaking')), en('say.skipButton'));
    expect(await ends(playing)).toContain(en('say.skipped'));
    expect(await first.ended).toEqual({ code: 0, signal: null });
    expect(numbers()).toEqual([1]);
    expect([...warnings(first), ...warnings(second)]).toEqual([]);
  });

  it('what is said meanwhile waits behind it, with a button; /skip and /stop end both', async () => {
    const { member, say, first, second, playing, next, last, ends, numbers } = await openTakenOver();
    const later = await say(textOfLength(2, 4));
    await shows(await member.run('skip'), openingOf('queue.skipped'));
    expect(await ends(playing)).toContain(en('say.skipped'));
    await shows(next, en('say.speaking'));
    await shows(await member.run('stop'), 'I dropped 3 texts');
    expect(await ends(next)).toContain(en('say.stopped'));
    for (const one of [last, later]) expect(await ends(one)).toContain(en('say.cancelled'));
    expect(await (await member.run('skip')).sentence()).toContain(en('queue.empty'));
    expect(await first.ended).toEqual({ code: 0, signal: null });
    expect(numbers()).toEqual([1, 2]);
    expect([...warnings(first), ...warnings(second)]).toEqual([]);
  });

  it('/leave ends both, and the bot leaves the channel', async () => {
    const { member, discord, guildId, say, first, second, playing, next, last, ends, numbers } = await openTakenOver();
    await shows(await member.run('leave'), 'I’ve left');
    expect(await ends(playing)).toContain(en('say.stopped'));
    for (const one of [next, last]) expect(await ends(one)).toContain(en('say.cancelled'));
    const channelId = () => discord.world.guilds.get(guildId)?.voiceStates.get(discord.application.id)?.channel_id ?? null;
    await expect.poll(channelId, wait).toBeNull();
    expect(await first.ended).toEqual({ code: 0, signal: null });
    expect(await ends(await say(textOfLength(2, 5)))).toMatch(/Spoken \(3/);
    expect(numbers()).toEqual([1, 5]);
    expect([...warnings(first), ...warnings(second)]).toEqual([]);
  });

  it('and is killed, nobody is told that a button has worked; its replies say that it restarted', async () => {
    const { member, first, playing, next, last, ends } = await openTakenOver();
    first.child.kill('SIGKILL');
    await first.ended;
    const pressed = await member.click(await shows(playing, en('say.speaking')), en('say.stopButton'));
    expect(await pressed.sentence()).toContain(en('general.restarting'));
    for (const one of [playing, next]) expect(await ends(one)).toContain('restarted');
    expect(await ends(last)).toMatch(/Spoken \(3|restarted/);
  });

  /** The first process reads Sam's message to its end, and one of Robin's that follows; the second one answers. */
  async function openReading() {
    const house = await openHandover(service, { privilegedIntents: GatewayIntentBits.MessageContent }, { READ_MESSAGES: 'on' });
    const { discord, guildId, member, listener } = house;
    const [general, lounge] = ['general', 'Lounge'].map((name) => discord.channelId(name, guildId)) as [string, string];
    const sam = createMember(discord.member('Sam', { guildId }), general, lounge);
    await shows(await member.run('read start'), 'has turned on reading aloud');
    await sam.write(textOfLength(18, 1));
    await listener.hears(1);
    await member.write(textOfLength(18, 2));
    await service.asked(({ text }) => text.endsWith(' 2'));
    await house.takeOver();
    return { ...house, sam, numbers: () => listener.heard.map(({ number }) => number) };
  }

  it('what it reads aloud ends with Stop reading this member and with /read stop', async () => {
    const { member, sam, first, second, discord, guildId, listener, numbers } = await openReading();
    await (await member.runOnMember('Stop reading this member', sam.client.userId)).sentence();
    await listener.hears(2);
    await shows(await member.run('read stop'), 'has turned off reading aloud');
    const channelId = () => discord.world.guilds.get(guildId)?.voiceStates.get(discord.application.id)?.channel_id ?? null;
    await expect.poll(channelId, wait).toBeNull();
    expect(await first.ended).toEqual({ code: 0, signal: null });
    expect(numbers()).toEqual([1, 2]);
    // Eighteen seconds are 900 packets.
    for (const { packets } of listener.heard) expect(packets).toBeLessThan(800);
    expect([...warnings(first), ...warnings(second)]).toEqual([]);
  });

  it('and is disconnected by a moderator, the other one stays out, too, until it is brought back', async () => {
    const { member, first, second, discord, guildId, listener } = await openReading();
    discord.moveUser(discord.application.id, null, guildId);
    expect(await first.ended).toEqual({ code: 0, signal: null });
    await member.write('This is not heard, number 3');
    const status = async () => textOf(await (await member.run('read status')).message((message) => textOf(message) !== ''));
    await expect.poll(status, wait).toContain(en('reading.status.paused.disconnect'));
    await shows(await member.run('read start'), 'has brought me back');
    await member.write('message 4');
    await listener.hears(4);
    expect(listener.heard.map(({ number }) => number)).toEqual([1, 4]);
    expect([...warnings(first), ...warnings(second)]).toEqual([]);
  });
});
