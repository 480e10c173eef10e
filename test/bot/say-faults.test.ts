// /say faults: slow and failing services, unusable accounts, channels that do not become encrypted, and kicks.
import { getVoiceConnection } from '@discordjs/voice';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { en } from '../../src/locales/index.ts';
import { StoreError } from '../../src/store/index.ts';
import { holdTimers } from '../helpers/held-timers.ts';
import { isEphemeral, textOf } from '../helpers/member.ts';
import {
  answer,
  answerAudio,
  answerJson,
  type Behaviour,
  cut,
  hang,
  type MisbehavingService,
  startMisbehavingService,
} from '../helpers/misbehaving-service.ts';
import { openingOf } from '../helpers/openings.ts';
import { type Parley, type ParleyOptions, startParley, useParley } from '../helpers/parley.ts';
import { mp3Of, tone } from '../helpers/sound.ts';
import { startTestVoiceService } from '../helpers/voice-service.ts';

/** Takes twenty seconds to say, unless it is ended. */
const LONG = 'one two three four five six seven eight nine ten, '.repeat(7);
const sound = await mp3Of([tone(440, 1, 24_000)], 24_000);

describe('/say and time', () => {
  /** How the service treats every text; it has no voices. */
  let behave: Behaviour;
  let service: MisbehavingService;
  let parley: Parley;
  const log: string[] = [];

  beforeAll(async () => {
    service = await startMisbehavingService((request, response) =>
      (request.url === '/v1/tts' ? behave : answerJson(200, { total: 0, items: [] }))(request, response),
    );
    parley = await start({ logTo: (line) => log.push(line) });
  });
  afterAll(async () => {
    await parley?.close();
    await service?.close();
  });

  const start = (options: Omit<ParleyOptions, 'service'>) => startParley({ ...options, service: { url: service.url, key: 'key' } });

  /** With options of its own, for one test. */
  async function startAnother(options: Omit<ParleyOptions, 'service'>): Promise<Parley> {
    const another = await start(options);
    onTestFinished(another.close);
    return another;
  }

  it('is heard before the service has sent all of it', async () => {
    const half = sound.length / 2;
    const rest = Promise.withResolvers<void>();
    behave = (_, response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' });
      response.write(sound.subarray(0, half));
      void rest.promise.then(() => response.end(sound.subarray(half)));
    };
    const receiver = await parley.member.listen();
    const interaction = await parley.member.run('say', { text: 'On the road' });
    await interaction.message((message) => textOf(message).includes(en('say.speaking')));
    await expect.poll(() => receiver.stats().decrypted).toBeGreaterThan(0);
    rest.resolve();
    await interaction.message((message) => textOf(message).includes(openingOf('say.spoken')));
  });

  it('requests the speech and joins while nothing has answered yet', async () => {
    behave = hang;
    const { member, discord } = await startAnother({ timeouts: { headers: 1000 }, retries: { attempts: 1 } });
    await member.listen();
    discord.voice.faults.withholdDave = true;
    discord.restFaults.push({ match: /POST .*\/callback/, times: 1, how: 'hang' });
    const joined = member.client.next('VOICE_STATE_UPDATE', ({ user_id }) => user_id === discord.application.id);
    const seen = service.requests.length;
    await member.run('say', { text: 'Hello' });
    await joined;
    await expect.poll(() => service.requests.slice(seen).some(({ url }) => url === '/v1/tts')).toBe(true);
  });

  it.each(['message', 'file'])('says that it restarts, if it does while the service still sends (send_as: %s)', async (send_as) => {
    const asked = Promise.withResolvers<void>();
    behave = (_, response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' });
      response.write(sound.subarray(0, sound.length / 2), () => asked.resolve());
    };
    log.length = 0;
    const interaction = await parley.member.run('say', { text: 'On the road', send_as });
    await asked.promise;
    await parley.restartBot();
    expect(await interaction.sentence()).toMatch(/^I’m restarting, so this wasn’t finished/);
    expect(log.filter((line) => line.includes('a command '))).toEqual(log.filter((line) => /a command has (begun|ended)/.test(line)));
  });

  it('says so when the channel does not become encrypted, and nothing was sent', async () => {
    behave = answer(200, sound);
    const timers = holdTimers();
    const { member, discord } = await startAnother({ voice: { establishMs: timers.ms } });
    discord.voice.faults.withholdDave = true;
    const receiver = await member.listen();
    const interaction = await member.run('say', { text: 'Hello' });
    const connection = () => getVoiceConnection(discord.guildId, discord.application.id)?.state.status;
    for (let join = 1; join <= 2; join++) {
      // The one before it may still be there.
      await expect.poll(() => connection() === 'ready' && timers.count() > 0).toBe(true);
      timers.expire();
    }
    expect(await interaction.sentence()).toContain(en('errors.voice.encryption-timeout'));
    await interaction.deleted();
    expect(receiver.stats()).toMatchObject({ plaintext: 0, decrypted: 0 });
  });

  it.each([
    ['does not send a file that Discord would reject', 'A long story is told here. '.repeat(10), 'over 10 MB, Discord’s limit here'],
    ['stops reading a file that is longer than its text can be, and says so', 'A short story', 'didn’t stop talking'],
  ])('%s', async (_, text, sentence) => {
    behave = answerAudio(11 * 1024 * 1024);
    const interaction = await parley.member.run('say', { text, send_as: 'file' });
    expect(await interaction.sentence()).toContain(sentence);
    await expect.poll(() => interaction.messages().every(isEphemeral)).toBe(true);
  });

  it('charges a file that was spoken but could not be sent, and none that was refused', async () => {
    const behaviours = [answer(400, 'no'), cut(4096), answerAudio(11 * 1024 * 1024)];
    behave = (...given) => behaviours.shift()?.(...given);
    const text = 'A story of 24 characters';
    // As many as two of the three take.
    const caps = { member: 2 * text.length, guild: Number.POSITIVE_INFINITY };
    const { member } = await startAnother({ budgets: { speech: caps, transcription: caps } });
    const ask = () => member.run('say', { text, send_as: 'file' });
    while (behaviours.length > 0) {
      const interaction = await ask();
      expect(await interaction.sentence()).not.toContain('budget');
      await expect.poll(() => interaction.messages().every(isEphemeral)).toBe(true);
    }
    expect(await (await ask()).sentence()).toContain('budget');
  });
});

it('/say with a key that the real service does not know says so', async () => {
  await using service = await startTestVoiceService();
  const parley = await startParley({ service: { ...service, key: 'pk_wrong' } });
  onTestFinished(parley.close);
  await parley.member.listen();
  const interaction = await parley.member.run('say', { text: 'Hello' });
  expect(await interaction.sentence()).toContain(en('errors.api.auth'));
  await expect.poll(() => interaction.messages().every(isEphemeral)).toBe(true);
});

describe('/say, when the bot is disconnected', () => {
  const log: string[] = [];
  const parley = useParley({}, { logTo: (line) => log.push(line) });

  it('says that it was interrupted and why, and tells the members who were waiting', async () => {
    const { member, discord } = parley;
    await member.listen();
    const current = await member.run('say', { text: LONG });
    await current.message((message) => textOf(message).includes(en('say.speaking')));
    const waiting = await member.run('say', { text: 'Next.' });
    await waiting.message((message) => textOf(message).includes(en('say.queued', { before: 1 })));
    const last = await member.run('say', { text: 'Last.' });
    await last.message((message) => textOf(message).includes(en('say.queued', { before: 2 })));
    discord.moveUser(discord.application.id, null);
    await current.message((message) => textOf(message).includes(openingOf('say.interrupted')));
    expect(await current.sentence()).toContain(en('errors.voice.kicked'));
    expect(await waiting.sentence()).toContain(en('errors.voice.kicked'));
    expect(await last.sentence()).toContain(en('errors.voice.kicked'));
    await Promise.all([waiting.deleted(), last.deleted()]);
    for (const interaction of [current, waiting, last]) expect(interaction.messages().filter(isEphemeral)).toHaveLength(1);
    const again = await member.run('say', { text: 'Here.' });
    await again.message((message) => textOf(message).includes(openingOf('say.spoken')));
  });

  async function sayTwo() {
    const { member } = parley;
    await member.listen();
    const current = await member.run('say', { text: LONG });
    await current.message((message) => textOf(message).includes(en('say.speaking')));
    const waiting = await member.run('say', { text: 'Next.' });
    await waiting.message((message) => textOf(message).includes(en('say.queued', { before: 1 })));
    return { current, waiting };
  }

  it('after the 15 minutes for replies says in the replies themselves whose text was lost and why, and removes the buttons that end it', async () => {
    const { discord, member } = parley;
    const { current, waiting } = await sayTwo();
    discord.expireInteractions('tokens');
    discord.moveUser(discord.application.id, null);
    for (const [interaction, status] of [
      [current, 'Cut off after'],
      [waiting, en('say.notSpoken')],
    ] as const) {
      const message = await interaction.message((one) => textOf(one).includes(en('errors.voice.kicked')));
      expect(textOf(message)).toContain(`\n<@${member.client.userId}>: `);
      expect(isEphemeral(message)).toBe(false);
      expect(textOf(message)).toContain(status);
      expect(JSON.stringify(message.components)).toContain('say-again');
      expect(JSON.stringify(message.components)).not.toMatch(/say-(stop|skip|cancel)/);
      expect(interaction.messages()).toHaveLength(1);
    }
  });

  it('after the 15 minutes logs a problem if it cannot see the channel of the replies, and keeps speaking', async () => {
    const { discord, member } = parley;
    const { waiting } = await sayTwo();
    const general = discord.channelId('general');
    discord.setPermissions(general, discord.application.id, { deny: 1n << 10n });
    discord.expireInteractions('tokens');
    discord.moveUser(discord.application.id, null);
    const untold = () => log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'could not tell a member about a failure');
    await expect.poll(() => untold().map(({ command }) => command)).toContain(waiting.id);
    discord.setPermissions(general, discord.application.id, {});
    const again = await member.run('say', { text: 'Here.' });
    await again.message((message) => textOf(message).includes(openingOf('say.spoken')));
  });
});

describe('/say, whose text can’t be kept for its menu', () => {
  let isFull = false;
  const parley = useParley(
    {},
    {
      wrapStore: (store) => ({
        ...store,
        async set(key, value, options) {
          if (isFull && key.startsWith('text:')) throw new StoreError('the disk is full');
          await store.set(key, value, options);
        },
      }),
    },
  );

  it.each(['channel', 'message'])('says so in place of "thinking", and is not heard (send_as: %s)', async (send_as) => {
    const { member } = parley;
    await member.listen();
    isFull = true;
    onTestFinished(() => {
      isFull = false;
    });
    const interaction = await member.run('say', { text: LONG, send_as });
    expect(await interaction.sentence()).toContain(en('errors.storeFailed'));
    await interaction.deleted();
    expect(interaction.messages().filter((message) => !isEphemeral(message))).toEqual([]);
  });
});

describe('/say in a voice that is not known', () => {
  const parley = useParley();

  it('has one reply, even if it is spoken before it could say that it waits', async () => {
    const { member, discord } = parley;
    await member.listen();
    const [first, second] = [await member.run('say', { text: LONG }), await member.run('say', { text: `${LONG} And more.` })];
    const current = await first.message((message) => textOf(message).includes(en('say.speaking')));
    const waiting = await second.message((message) => textOf(message).includes(en('say.queued', { before: 1 })));
    const held = Promise.withResolvers<void>();
    const fault = { match: /POST .*callback/, how: { until: held.promise }, times: 99 };
    discord.restFaults.push(fault);
    const third = await member.run('say', { text: 'Hello there', voice: 'robert-preview' });
    await expect.poll(() => fault.times).toBeLessThan(99);
    const endings = [member.click(waiting, en('say.cancelButton')), member.click(current, en('say.skipButton'))];
    await expect.poll(() => parley.bot().speaking()).toBe(0);
    fault.times = 0;
    held.resolve();
    await Promise.all(endings);
    await third.message((message) => textOf(message).includes(openingOf('say.spoken')));
    expect(third.messages().filter((message) => !isEphemeral(message))).toHaveLength(1);
  });
});
