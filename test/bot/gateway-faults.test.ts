// Gateway faults while the whole bot is working: speech goes on, and commands sent meanwhile are answered or reported as expired.
import { Events } from 'discord.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { statusOf, textOf } from '../helpers/member.ts';
import { type Parley, startParley } from '../helpers/parley.ts';
import { startTestVoiceService, type TestVoiceService } from '../helpers/voice-service.ts';

let service: TestVoiceService;
let parley: Parley;
let receiver: Awaited<ReturnType<Parley['member']['listen']>>;

beforeAll(async () => {
  service = await startTestVoiceService();
  parley = await startParley({ service, discord: { heartbeatMs: 1000 } });
  receiver = await parley.member.listen();
});
afterAll(async () => {
  await parley?.close();
  await service?.close();
});
afterEach(() => {
  parley.discord.gateway.ignoreHeartbeats = false;
  parley.discord.gateway.outage(null);
});

/** Resolves when the bot's gateway connection next does this. */
function happening(event: typeof Events.ShardReconnecting | typeof Events.ShardResume | typeof Events.ShardReady): Promise<void> {
  return new Promise((resolve) => parley.bot().client.once(event, () => resolve()));
}

const session = () => parley.discord.gateway.sessions()[0]?.id;

/** Something of a few seconds, which is being heard. */
async function beginToSpeak() {
  const interaction = await parley.member.run('say', { text: 'One two three four five six seven eight nine.' });
  await interaction.message((message) => textOf(message).includes('Speaking now'));
  return { end: () => interaction.message((message) => textOf(message).includes('Spoken in')) };
}

const answered = async (interaction: Awaited<ReturnType<Parley['member']['run']>>) =>
  textOf(await interaction.message((message) => textOf(message) !== ''));

describe('speech goes on, and commands sent meanwhile are answered, when the gateway', () => {
  it.each<[string, () => void]>([
    ['drops', () => parley.discord.gateway.dropConnections()],
    ['closes because of an error of its own', () => parley.discord.gateway.dropConnections(4000)],
    ['asks to reconnect', () => parley.discord.gateway.requestReconnect()],
    [
      'does not answer heartbeats',
      () => {
        parley.discord.gateway.ignoreHeartbeats = true;
      },
    ],
  ])('%s', async (_, fail) => {
    const before = session();
    const playing = await beginToSpeak();
    const [reconnecting, resumed] = [happening(Events.ShardReconnecting), happening(Events.ShardResume)];
    fail();
    await reconnecting;
    parley.discord.gateway.ignoreHeartbeats = false;
    const interaction = await parley.member.run('queue');
    await resumed;
    expect(await answered(interaction)).toContain('Now playing');
    await playing.end();
    expect(session()).toBe(before);
    expect(receiver.stats()).toMatchObject({ plaintext: 0, undecryptable: 0, lost: 0 });
  });

  it('says that the session is invalid for now', async () => {
    const before = session();
    const playing = await beginToSpeak();
    const resumed = happening(Events.ShardResume);
    parley.discord.gateway.invalidate(true);
    const interaction = await parley.member.run('queue');
    await resumed;
    expect(await answered(interaction)).toContain('Now playing');
    await playing.end();
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
    expect(await answered(interaction)).toContain('Now playing');
    await playing.end();
    expect(session()).toBe(before);
    expect(receiver.stats()).toMatchObject({ plaintext: 0, undecryptable: 0, lost: 0 });
  });
});

describe('a session that is over', () => {
  it('starts a new session: speech is heard to its end, and commands are answered', async () => {
    const before = session();
    const playing = await beginToSpeak();
    const ready = happening(Events.ShardReady);
    parley.discord.gateway.invalidate(false);
    await ready;
    const interaction = await parley.member.run('queue');
    expect(await answered(interaction)).toContain('Now playing');
    await playing.end();
    expect(session()).not.toBe(before);
    expect(receiver.stats()).toMatchObject({ plaintext: 0 });
    const next = await parley.member.run('say', { text: 'And on.' });
    await next.message((message) => textOf(message).includes('Spoken in'));
  });
});

describe('an outage that is longer than commands wait', () => {
  it('makes commands expire, and members are told; none of them runs afterwards, and later ones are answered', async () => {
    const { gateway } = parley.discord;
    const lost = happening(Events.ShardReconnecting);
    gateway.outage('refused');
    await lost;
    const { member } = parley;
    const interaction = await Promise.all([
      member.run('say', { text: 'Nobody waits for this.' }),
      member.run('credit'),
      member.run('voices'),
    ]);
    parley.discord.expireInteractions('initial responses');
    for (const one of interaction) expect(await one.failed()).toContain('did not respond');
    const heard = receiver.frames().length;
    const resumed = happening(Events.ShardResume);
    gateway.outage(null);
    await resumed;
    const next = await member.run('say', { text: 'Here I am.' });
    const ended = await next.message((message) => textOf(message).includes('Spoken in'));
    for (const one of interaction) expect(one.messages()).toEqual([]);
    // A fraction of a second of the expired speech may have been heard.
    const seconds = Number(/Spoken in ([0-9.]+) s/.exec(statusOf(ended))?.[1]);
    expect((receiver.frames().length - heard) / 50).toBeLessThan(seconds + 0.5);
  });

  it('that outlasts the session: speech goes on, commands sent meanwhile are reported as expired, and the next one is answered', async () => {
    const { gateway } = parley.discord;
    const { member } = parley;
    const playing = await beginToSpeak();
    const lost = happening(Events.ShardReconnecting);
    gateway.outage('silent');
    gateway.outage('refused');
    await lost;
    // Members wait for 3 s, as Discord has it: the first one by the clock, the others as if that time were over.
    for (let command = 0; command < 10; command++) {
      const interaction = await member.run(command % 2 === 0 ? 'queue' : 'status');
      if (command > 0) parley.discord.expireInteractions('initial responses');
      expect(await interaction.failed()).toContain('did not respond');
    }
    await playing.end();
    // After this many refusals, the library starts a new session.
    const back = happening(Events.ShardReady);
    gateway.outage(null);
    await back;
    const next = await member.run('say', { text: 'There you are.' });
    await next.message((message) => textOf(message).includes('Spoken in'));
    expect(receiver.stats()).toMatchObject({ plaintext: 0, undecryptable: 0, lost: 0 });
  });
});
