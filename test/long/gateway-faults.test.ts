// Gateway faults while the whole bot is working: speech goes on, and commands sent meanwhile are answered or reported as expired. That the
// gateway drops is in bot/bot.test.ts.
import { Events } from 'discord.js';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { en } from '../../src/locales/index.ts';
import { textOf } from '../helpers/member.ts';
import { openingOf } from '../helpers/openings.ts';
import { type Parley, startParley } from '../helpers/parley.ts';
import { startTestVoiceService, type TestVoiceService } from '../helpers/voice-service.ts';
import { WAIT_MS } from '../helpers/waiter.ts';

let service: TestVoiceService;
let parley: Parley;
let receiver: Awaited<ReturnType<Parley['member']['listen']>>;

beforeAll(async () => {
  service = await startTestVoiceService();
  parley = await startParley({ service });
  receiver = await parley.member.listen();
});
afterAll(async () => {
  await parley?.close();
  await service?.close();
});
afterEach(() => parley.discord.gateway.outage(null));

/** Resolves when the bot's gateway connection next does this. */
function happening(
  event: typeof Events.ShardReconnecting | typeof Events.ShardResume | typeof Events.ShardReady,
  { client } = parley.bot(),
): Promise<void> {
  return new Promise((resolve) => client.once(event, () => resolve()));
}

const session = () => parley.discord.gateway.sessions()[0]?.id;

/** A minute of speech. */
const LONG = 'One two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen. '.repeat(10).trim();

/** Something long is being heard; `goesOn` waits for more of it, without a gap, and ends it. */
async function beginToSpeak({ member } = parley, { frames, stats } = receiver) {
  const interaction = await member.run('say', { text: LONG });
  await interaction.message((message) => textOf(message).includes(en('say.speaking')));
  return {
    async goesOn() {
      const heard = frames().length;
      await expect.poll(() => frames().length).toBeGreaterThan(heard + 20);
      expect(stats()).toMatchObject({ plaintext: 0, undecryptable: 0, lost: 0 });
      await member.run('stop');
      await interaction.message((message) => textOf(message).includes(en('say.stopped')));
    },
  };
}

const answered = async (interaction: Awaited<ReturnType<Parley['member']['run']>>) =>
  textOf(await interaction.message((message) => textOf(message) !== ''));

describe('speech continues, and commands sent meanwhile are answered, when the gateway', () => {
  it.each<[string, () => void]>([
    ['closes because of an error of its own', () => parley.discord.gateway.dropConnections(4000)],
    ['asks to reconnect', () => parley.discord.gateway.requestReconnect()],
  ])('%s', async (_, fail) => {
    const before = session();
    const playing = await beginToSpeak();
    const [reconnecting, resumed] = [happening(Events.ShardReconnecting), happening(Events.ShardResume)];
    fail();
    await reconnecting;
    const interaction = await parley.member.run('queue');
    await resumed;
    expect(await answered(interaction)).toContain(en('queue.nowPlaying'));
    await playing.goesOn();
    expect(session()).toBe(before);
  });

  it('says that the session is invalid for now', async () => {
    const before = session();
    const playing = await beginToSpeak();
    const resumed = happening(Events.ShardResume);
    parley.discord.gateway.invalidate(true);
    const interaction = await parley.member.run('queue');
    await resumed;
    expect(await answered(interaction)).toContain(en('queue.nowPlaying'));
    await playing.goesOn();
    expect(session()).toBe(before);
  });

  it('is unavailable for a while, and again while the bot reconnects', async () => {
    const { gateway } = parley.discord;
    const before = session();
    const playing = await beginToSpeak();
    const lost = happening(Events.ShardReconnecting);
    gateway.outage('refused');
    await lost;
    const interaction = await parley.member.run('queue');
    // Back, but not for long: what connects in the second one hears nothing.
    gateway.outage('silent');
    gateway.outage('refused');
    const resumed = happening(Events.ShardResume);
    gateway.outage(null);
    await resumed;
    expect(await answered(interaction)).toContain(en('queue.nowPlaying'));
    await playing.goesOn();
    expect(session()).toBe(before);
  });
});

it('resumes its session if the gateway does not answer heartbeats', async () => {
  const impatient = await startParley({ service, discord: { heartbeatMs: 1000 } });
  onTestFinished(impatient.close);
  const { gateway } = impatient.discord;
  const [before] = gateway.sessions();
  const bot = impatient.bot();
  const [reconnecting, resumed] = [happening(Events.ShardReconnecting, bot), happening(Events.ShardResume, bot)];
  gateway.ignoreHeartbeats = true;
  await reconnecting;
  gateway.ignoreHeartbeats = false;
  await resumed;
  expect(await answered(await impatient.member.run('queue'))).toContain(en('queue.empty'));
  expect(gateway.sessions().map(({ id }) => id)).toEqual([before?.id]);
});

describe('a session that is over', () => {
  it('starts a new session: speech continues, and commands are answered', async () => {
    const before = session();
    const playing = await beginToSpeak();
    const ready = happening(Events.ShardReady);
    parley.discord.gateway.invalidate(false);
    await ready;
    const interaction = await parley.member.run('queue');
    expect(await answered(interaction)).toContain(en('queue.nowPlaying'));
    await playing.goesOn();
    expect(session()).not.toBe(before);
    const next = await parley.member.run('say', { text: 'And on.' });
    await next.message((message) => textOf(message).includes(openingOf('say.spoken')));
  });
});

describe('an outage that is longer than commands wait', () => {
  it('makes commands expire, and members are told; none of them runs afterwards, and later ones are answered', async () => {
    const { gateway } = parley.discord;
    const lost = happening(Events.ShardReconnecting);
    gateway.outage('refused');
    await lost;
    const { member } = parley;
    const interaction = await Promise.all([member.run('say', { text: LONG }), member.run('credit'), member.run('voices')]);
    parley.discord.expireInteractions('initial responses');
    for (const one of interaction) expect(await one.failed()).toContain('did not respond');
    const heard = receiver.frames().length;
    const resumed = happening(Events.ShardResume);
    gateway.outage(null);
    await resumed;
    const next = await member.run('say', { text: 'Here I am.' });
    await next.message((message) => textOf(message).includes(openingOf('say.spoken')));
    for (const one of interaction) expect(one.messages()).toEqual([]);
    // The beginning of the expired minute may have been heard.
    expect((receiver.frames().length - heard) / 50).toBeLessThan(30);
  });

  it('that outlasts the session: speech continues, commands sent meanwhile are reported as expired, and the next one is answered', async () => {
    const punctual = await startParley({ service });
    onTestFinished(punctual.close);
    const { member } = punctual;
    const { gateway, expireInteractions, limitResponses } = punctual.discord;
    const playing = await beginToSpeak(punctual, await member.listen());
    const lost = happening(Events.ShardReconnecting, punctual.bot());
    gateway.outage('silent');
    gateway.outage('refused');
    await lost;
    const refused = happening(Events.ShardReconnecting, punctual.bot());
    // As long as Discord lets members wait; before and after the outage, an answer may take longer on a busy machine.
    limitResponses(3_000);
    // The first one by the clock, the others as if that time were over.
    for (let command = 0; command < 10; command++) {
      const interaction = await member.run(command % 2 === 0 ? 'queue' : 'status');
      if (command > 0) expireInteractions('initial responses');
      expect(await interaction.failed()).toContain('did not respond');
    }
    limitResponses(WAIT_MS);
    // Once it has been refused, the library starts a new session.
    await refused;
    const back = happening(Events.ShardReady, punctual.bot());
    gateway.outage(null);
    await back;
    await playing.goesOn();
    const next = await member.run('say', { text: 'There you are.' });
    await next.message((message) => textOf(message).includes(openingOf('say.spoken')));
  });
});
