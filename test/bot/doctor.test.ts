// The self-check: what it reports if all is well, and its advice if not.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { Events, GatewayIntentBits, GatewayOpcodes, PermissionFlagsBits } from 'discord.js';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { examine, toPlainText } from '../../src/doctor.ts';
import { type LocalDiscord, startLocalDiscord, trustCertificate } from '../../src/local/discord/index.ts';
import { openSqliteStore } from '../../src/store/index.ts';
import { openEngineServer } from '../helpers/engine-server.ts';
import { makeFolder } from '../helpers/folder.ts';
import { logIn, openLocalDiscord } from '../helpers/local-discord.ts';
import { answer, answerJson, hang, startMisbehavingService } from '../helpers/misbehaving-service.ts';
import { environmentWithoutSettings, freePort, startTestProcess, withCompileCache } from '../helpers/program.ts';
import { startTestVoiceService, type TestVoiceService } from '../helpers/voice-service.ts';

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parley-'));
});
afterAll(() => rm(dataDir, { recursive: true }));

/** Each finding as `state text`, keyed by topic. */
async function examined(env: Record<string, string>, channelId: string | null = null, serviceMs?: number): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const { about, state, text } of examine(readConfig({ DATA_DIR: dataDir, ...env }), channelId, serviceMs))
    found[about] = `${state} ${text}`;
  return found;
}

describe('with nothing configured', () => {
  it('says that the local parts take their places', async () => {
    const found = await examined({});
    expect(found['Voice service']).toMatch(/^note .*local voice service/);
    expect(found.Discord).toMatch(/^note .*local Discord/);
    expect(found.Store).toMatch(/^good /);
  });

  it('says whether there are natural voices, and what is known of their speed', async () => {
    const found = await examined({});
    expect(found['Natural voices']).toMatch(/^good installed\. How fast|^note Natural voices are left out, because less than 2 GB/);
    expect((await examined({ LOCAL_SPEECH_URL: 'http://127.0.0.1:1' }))['Natural voices']).toBeUndefined();
  });

  it('does not rewrite the store of a running Parley, which would have to wait', async () => {
    const folder = await makeFolder();
    const file = join(folder, 'parley.db');
    const store = openSqliteStore(file);
    onTestFinished(() => store.close());
    for (let number = 0; number < 100; number++) await store.set(`large:${number}`, 'x'.repeat(1000));
    await store.deleteAll('large:');
    expect((await examined({ DATA_DIR: folder })).Store).toMatch(/^good /);
    const db = new DatabaseSync(file);
    onTestFinished(() => db.close());
    // A file that is rewritten has no free pages.
    expect(db.prepare('PRAGMA freelist_count').get()?.freelist_count).toBeGreaterThan(10);
  });

  it('says what to do about a folder that cannot be used', async () => {
    for (const DATA_DIR of ['/dev/null/nowhere', '/proc/parley/data'])
      expect((await examined({ DATA_DIR })).Store).toMatch(/^bad DATA_DIR: .* Set DATA_DIR to a folder that I can write to\./);
  });
});

describe('with a Discord and a voice service', () => {
  let discord: LocalDiscord;
  let service: TestVoiceService;
  let env: Record<string, string>;
  beforeAll(async () => {
    [discord, service] = await Promise.all([startLocalDiscord(), startTestVoiceService()]);
    trustCertificate(discord.certificate);
    env = {
      ...{ DISCORD_TOKEN: discord.application.token, DISCORD_API_URL: discord.apiUrl },
      ...{ VOICE_API_URL: service.url, VOICE_API_KEY: service.key },
    };
  });
  afterAll(() => Promise.all([discord.close(), service.close()]));

  it('finds all well, with sound all the way to a voice channel', async () => {
    const found = await examined(env, discord.channelId('Lounge'));
    expect(found['Voice service']).toMatch(/^good answers in \d+ ms; 32 voices$/); // As many as /voices lists.
    expect(found.Credit).toMatch(/^good \S+ credit is left/);
    expect(found.Discord).toMatch(/^good the token belongs to/);
    expect(found.Gateway).toMatch(/^good \d+ of \d+ starts left/);
    expect(found[`Server ${discord.guildId}`]).toMatch(/^note I can speak in \d+ of \d+ voice channels/);
    expect(found.Sound).toMatch(/^good voice gateway, UDP and encryption work/);
    // It leaves with the end of its gateway session, of which Discord may hear later than the doctor.
    await expect.poll(() => discord.world.firstGuild.voiceStates.has(discord.application.id), { message: 'it has left' }).toBe(false);
  });

  it('names the day on which the model that was set ends, and its successor', async () => {
    const ofS1 = /^note VOICE_MODEL: s1 ends on 2026-12-31\. .* Set VOICE_MODEL to s2\.1-pro/;
    expect((await examined({ ...env, VOICE_MODEL: 's1' })).Model).toMatch(ofS1);
    for (const VOICE_MODEL of ['', 's2.1-pro', 's10', 'constructor'])
      expect(await examined({ ...env, VOICE_MODEL })).not.toHaveProperty('Model');
    expect(await examined({ VOICE_MODEL: 's1' })).not.toHaveProperty('Model');
  });

  it('looks up the default voice by its id', async () => {
    const look = async (DEFAULT_VOICE: string) => (await examined({ ...env, DEFAULT_VOICE }))['Default voice'];
    expect(await look('clara')).toBe('good Clara');
    expect(await look('nobody')).toMatch(/^bad DEFAULT_VOICE: the voice service has no voice with this id\./);
    expect(await look('')).toBeUndefined();
  });

  it('says whether messages can be read, and which switch is off', async () => {
    expect((await examined(env)).Messages).toMatch(/^good no privileged intent is needed/);
    const wanted = { ...env, READ_MESSAGES: 'on' };
    expect((await examined(wanted)).Messages).toMatch(/^bad READ_MESSAGES is on, but "Message Content Intent" is off\. Turn it on/);
    discord.world.application.privilegedIntents = GatewayIntentBits.MessageContent;
    expect((await examined(wanted)).Messages).toMatch(/^good I can read them, .* from 10,000 users on, .* \(now about 3\)$/);
  });

  it('says why there is no sound, and what to do', async () => {
    const workshop = discord.channelId('Workshop');
    discord.setPermissions(workshop, discord.application.id, { deny: PermissionFlagsBits.ViewChannel });
    expect((await examined(env, workshop)).Sound).toMatch(/^bad I need View Channel in channel \d+\. Ask an admin/);
  });

  /** A running Parley as Discord sees it: the same token, in another gateway session. */
  async function runElsewhere() {
    const client = await logIn(discord);
    const inVoice = () => discord.world.firstGuild.voiceStates.get(discord.application.id);
    return {
      inVoice,
      session: async () => {
        const state = inVoice();
        return state ? `${state.channel_id} ${state.session_id}` : null;
      },
      join(channel_id: string | null) {
        const d = { guild_id: discord.guildId, channel_id, self_mute: false, self_deaf: true };
        client.guilds.cache.get(discord.guildId)?.shard.send({ op: GatewayOpcodes.VoiceStateUpdate, d });
      },
      client,
    };
  }

  it('does not join while a running Parley is in a voice channel of the server, and says so', async () => {
    const running = await runElsewhere();
    const joined = once(running.client, Events.VoiceStateUpdate);
    running.join(discord.channelId('Lounge'));
    await joined;
    const before = await running.session();
    expect(before).not.toBeNull();
    expect((await examined(env, discord.channelId('Lounge'))).Sound).toMatch(
      /^note not tried: I am in a voice channel of that server already/,
    );
    expect(await running.session()).toBe(before);
    const left = once(running.client, Events.VoiceStateUpdate);
    running.join(null);
    await left;
  });

  it('leaves the Parley that runs in the channel that it joins meanwhile', async () => {
    const running = await runElsewhere();
    const lounge = discord.channelId('Lounge');
    // As soon as the doctor is in the channel.
    running.client.once(Events.VoiceStateUpdate, () => running.join(lounge));
    await examined(env, lounge);
    expect(await running.session()).toContain(lounge);
    const left = once(running.client, Events.VoiceStateUpdate);
    running.join(null);
    await left;
  });

  it('shows the invite link if the bot is not in the configured server', async () => {
    expect((await examined({ ...env, DISCORD_GUILD_ID: '100000000000000000' })).Servers).toMatch(
      /^bad DISCORD_GUILD_ID: .*oauth2\/authorize/,
    );
  });

  it('says which setting is wrong, and repeats no secret', async () => {
    const found = await examined({ ...env, DISCORD_TOKEN: 'not-the-token', VOICE_API_KEY: 'not-the-key' });
    expect(found.Discord).toMatch(/^bad DISCORD_TOKEN is refused/);
    expect(found['Voice service']).toMatch(/^bad .*VOICE_API_KEY/);
    expect(JSON.stringify(found)).not.toMatch(/not-the-(token|key)/);
  });
});

it('opens only the shards of a large bot that it looks at, and says that its reading of messages has to be approved', async () => {
  const discord = await openLocalDiscord({
    ...{ guilds: 6, members: 2_100, privilegedIntents: GatewayIntentBits.MessageContent },
    ...{ shards: 3, identifyLimits: { maxConcurrency: 3, guildsPerShard: 2 } },
  });
  const env = { DISCORD_TOKEN: discord.application.token, DISCORD_API_URL: discord.apiUrl, READ_MESSAGES: 'on' };
  const onOtherShard = discord.guildIds.find((id) => (BigInt(id) >> 22n) % 3n !== 0n) ?? '';
  const found = await examined({ ...env, DISCORD_GUILD_ID: onOtherShard });
  expect(found.Messages).toMatch(/^note I can read them, but about 12,6\d\d users can see me, .* apply in the developer portal$/);
  expect(found.Servers).toBeUndefined();
  expect(found[`Server ${onOtherShard}`]).toMatch(/I can speak in/);
  expect(discord.gateway.describeIdentifyLimits().remaining).toBe(1000 - 2);
  expect((await examined({ ...env, SHARD_COUNT: '1' })).Discord).toMatch(/^bad SHARD_COUNT: .* Set SHARD_COUNT to auto/);
});

it('says that the credit is used up', async () => {
  const service = await startMisbehavingService(answerJson(200, { credit: '0.000', total: 0, items: [] }));
  const found = await examined({ VOICE_API_URL: service.url, VOICE_API_KEY: 'key' });
  expect(found.Credit).toBe(
    'bad 0.000: nothing is left. Top up the API credit at the voice service: a subscription there doesn’t cover it.',
  );
  await service.close();
});

describe('with a hosted service', () => {
  const examineHosted = async (env: Record<string, string>, options: Parameters<typeof startTestVoiceService>[0] = {}) => {
    await using service = await startTestVoiceService({ like: 'hosted', ...options });
    return await examined({ VOICE_API_URL: service.url, VOICE_API_KEY: service.key, ...env });
  };

  it('says how many calls at a time the account may have, and how many the operator wants', async () => {
    expect((await examineHosted({}))['Voice service']).toMatch(/^good answers in \d+ ms; \d+ voices; 50 calls at a time$/);
    const fewer = await examineHosted({ VOICE_API_CONCURRENCY: '3' }, { credit: '9' });
    expect(fewer['Voice service']).toMatch(/; 3 of 5 calls at a time, as VOICE_API_CONCURRENCY says$/);
    const more = await examineHosted({ VOICE_API_CONCURRENCY: '9' }, { credit: '9' });
    expect(more['Voice service']).toMatch(/; 5 calls at a time$/);
  });

  it('calls speech fine without credit if its model is free', async () => {
    const { Credit } = await examineHosted({ VOICE_MODEL: 's2.1-pro-free' }, { credit: '0' });
    expect(Credit).toMatch(
      /^note 0\.000000: s2\.1-pro-free speaks without any, so speech is fine, but nothing can be transcribed\. Top up the API credit/,
    );
    expect((await examineHosted({}, { credit: '0' })).Credit).toMatch(
      /^bad 0\.000000: nothing is left\. Top up the API credit .* a subscription/,
    );
  });

  it('names settings that count under former names', async () => {
    const service = await startTestVoiceService({ like: 'hosted' });
    onTestFinished(service.close);
    const cwd = await makeFolder();
    const env = { VOICE_API_URL: service.url, VOICE_API_KEY: service.key, DATA_DIR: cwd, PRICE_PER_MILLION_CHARACTERS: '15' };
    const doctor = new URL('../../src/doctor.ts', import.meta.url);
    const program = startTestProcess([...withCompileCache, fileURLToPath(doctor)], {
      cwd,
      env: { ...environmentWithoutSettings(), ...env },
    });
    await program.line(/^· Settings: PRICE_PER_MILLION_CHARACTERS is the former name of PRICE_PER_MILLION_BYTES\./);
    expect(await program.ended).toEqual({ code: 0, signal: null });
  });

  it('says that a key may not do this, rather than that it is wrong', async () => {
    const service = await startMisbehavingService(answerJson(403, { status: 403, message: 'Scope', reason: null }));
    onTestFinished(() => service.close());
    expect((await examined({ VOICE_API_URL: service.url, VOICE_API_KEY: 'key' }))['Voice service']).toMatch(
      /^bad VOICE_API_KEY is valid, but may not/,
    );
  });
});

it('says where no service answers, and why', async () => {
  const found = await examined({ VOICE_API_URL: `http://127.0.0.1:${await freePort()}`, VOICE_API_KEY: 'key' });
  expect(found['Voice service']).toMatch(
    /^bad VOICE_API_URL: 127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\)\. Check the address, and that the service is running\.$/,
  );
});

it('says that some other web server is no voice service', async () => {
  const server = await startMisbehavingService(answer(200, '<!doctype html><title>It works!</title>', { 'content-type': 'text/html' }));
  const found = await examined({ VOICE_API_URL: server.url, VOICE_API_KEY: 'key' });
  expect(found['Voice service']).toMatch(/^bad VOICE_API_URL: what answers at 127\.0\.0\.1:\d+ is no voice service\. Check the address\.$/);
  await server.close();
});

it('says that a service which takes calls does not answer them, and asks it nothing more', async () => {
  const service = await startMisbehavingService(hang);
  const found = await examined({ VOICE_API_URL: service.url, VOICE_API_KEY: 'key' }, null, 200);
  expect(found['Voice service']).toBe('bad did not answer within 0.2 s: check VOICE_API_URL');
  expect(found.Credit).toBe('note was not asked for, as the voice service cannot be used');
  // On a busy machine, the time may be over before even the first has arrived.
  expect(service.requests.slice(1)).toEqual([]);
  await service.close();
});

it('also reports a service that does not answer only for the credit', async () => {
  const service = await startMisbehavingService(answerJson(200, { total: 0, items: [] }), hang);
  const limit = new AbortController();
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
  onTestFinished(() => timeout.mockRestore());
  const examining = examined({ VOICE_API_URL: service.url, VOICE_API_KEY: 'key' }, null, 3_000);
  await service.request(2);
  limit.abort();
  const found = await examining;
  expect(found['Voice service']).toMatch(/^good /);
  expect(found.Credit).toBe('bad did not answer within 3 s: check VOICE_API_URL');
  await service.close();
});

it('turns sentences written for Discord into plain text', async () => {
  const now = Date.UTC(2030, 0, 1);
  const at = (seconds: number) => `<t:${now / 1000 + seconds}:R>`;
  const plain = (markdown: string) => toPlainText(markdown, now);
  expect(plain(`The service is down (noticed ${at(-20)}). Ask me again ${at(90)}, or ${at(3 * 86_400)}.`)).toBe(
    'The service is down (noticed 20 seconds ago). Ask me again in 2 minutes, or in 3 days.',
  );
  expect(plain('I lack **Connect** in <#123>. Ask <@456>, </settings:789> or `/settings`.\n-# Request `a_b`')).toBe(
    'I lack Connect in channel 123. Ask user 456, /settings or /settings. Request a_b',
  );
  expect(plain('See [the portal](<https://discord.com/a_b?c=d>) \\*now\\*.')).toBe('See the portal (https://discord.com/a_b?c=d) *now*.');

  const service = await startMisbehavingService(answer(500, '', { 'x-request-id': 'abc' }));
  const found = await examined({ VOICE_API_URL: service.url, VOICE_API_KEY: 'key' });
  expect(found['Voice service']).toBe('bad The voice service is having problems. Try again in a minute. Status 500 · Request abc');
  await service.close();
});

describe('with engines behind the local voice service', () => {
  it('says that they answer, and how many voices there are', async () => {
    const engine = await openEngineServer({ key: 'k' });
    const found = await examined({
      ...{ LOCAL_SPEECH_URL: `${engine.url}/v1/`, LOCAL_SPEECH_KEY: 'k' },
      ...{ LOCAL_TRANSCRIPTION_URL: engine.url, LOCAL_TRANSCRIPTION_KEY: 'k' },
    });
    expect(found['Speech engine']).toBe('good answers; 3 voices');
    expect(found['Transcription engine']).toBe('good answers');
    expect(engine.callsOf('/v1/audio/speech'), 'nothing is spoken').toEqual([]);
  });

  it('says what to do about one that is down, and about a wrong key', async () => {
    const engine = await openEngineServer({ key: 'k' });
    const port = await freePort();
    const found = await examined({
      LOCAL_SPEECH_URL: `http://127.0.0.1:${port}`,
      ...{ LOCAL_TRANSCRIPTION_URL: engine.url, LOCAL_TRANSCRIPTION_KEY: 'not-the-key' },
    });
    expect(found['Speech engine']).toBe(
      `bad LOCAL_SPEECH_URL: nothing answers at 127.0.0.1:${port}. Start the engine there, or correct the address.`,
    );
    expect(found['Transcription engine']).toMatch(/^bad LOCAL_TRANSCRIPTION_KEY: .* refuses this key .* Copy it again\.$/);
    expect(JSON.stringify(found)).not.toContain('not-the-key');
  });
});
