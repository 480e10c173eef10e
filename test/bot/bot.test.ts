// The bot as a whole: how it starts, which permissions it requests, and how it handles faults.
import { once } from 'node:events';
import {
  type APIGuildMember,
  type APIInteraction,
  ChannelType,
  Events,
  GatewayCloseCodes,
  InteractionType,
  MessageFlags,
  PermissionFlagsBits,
  Status,
} from 'discord.js';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { commands as allCommands, offeredCommands } from '../../commands/index.ts';
import { createApi } from '../../src/api/index.ts';
import { createBot } from '../../src/bot/bot.ts';
import { openAccount, readPrices, toOperatorBudgets } from '../../src/charging/index.ts';
import { ConfigError, readConfig } from '../../src/config.ts';
import { startLocalDiscord } from '../../src/local/discord/index.ts';
import { en } from '../../src/locales/index.ts';
import { createLog } from '../../src/log.ts';
import { openSqliteStore } from '../../src/store/index.ts';
import { createSpeech } from '../../src/synthesis/index.ts';
import { filesOf, isEphemeral, textOf } from '../helpers/member.ts';
import { answer, answerJson, startMisbehavingService } from '../helpers/misbehaving-service.ts';
import { openingOf } from '../helpers/openings.ts';
import { type Parley, startParley, useParley } from '../helpers/parley.ts';

/** A minute of speech. */
const LONG = 'One two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen. '.repeat(10).trim();

/** Everything but Discord. */
async function partsOf(apiUrl: string) {
  const api = createApi({ baseUrl: 'http://127.0.0.1:1', apiKey: 'key', retries: { attempts: 1 } });
  const store = openSqliteStore(':memory:');
  const budgets = toOperatorBudgets(readConfig({}));
  const log = createLog('silent');
  const account = await openAccount({ api, store, service: 'none', log, prices: readPrices(readConfig({})) });
  const speech = createSpeech({ api, format: 'mp3' });
  const commands = offeredCommands({ moods: false, readsMessages: false });
  const privacyFacts = { voiceService: null, cacheBytes: 0, onLocalDiscord: false };
  const nobody = { cdnUrls: [], guildId: null, operatorIds: [], readMessages: false };
  const ofService = { service: { url: 'http://127.0.0.1:1' }, languageVoices: null, canSpareCalls: () => true };
  return {
    api,
    options: { token: 'secret-token', apiUrl, ...nobody, ...ofService, commands, budgets, privacyFacts, account, speech, store, log },
  };
}

describe('a bot that cannot log in', () => {
  it('says which setting to change when the token is refused', async () => {
    const discord = await startMisbehavingService(answerJson(401, { message: '401: Unauthorized', code: 0 }));
    const { api, options } = await partsOf(`${discord.url}/api`);
    const failure = await createBot(options)
      .start()
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ConfigError);
    expect(String(failure)).toContain('DISCORD_TOKEN is refused by Discord');
    expect(String(failure)).not.toContain('secret-token');
    await api.close();
    await discord.close();
  });

  it('says which setting to change when nothing answers', async () => {
    const { api, options } = await partsOf('http://127.0.0.1:1/api');
    await expect(createBot(options).start()).rejects.toThrow(/^DISCORD_API_URL: http:\/\/127\.0\.0\.1:1\/api cannot be reached/);
    await api.close();
  });

  it('says which setting to change when it is in too many servers for its shards', async () => {
    const discord = await startLocalDiscord({ guilds: 3, identifyLimits: { guildsPerShard: 2 } });
    const { api, options } = await partsOf(discord.apiUrl);
    const bot = createBot({ ...options, token: discord.application.token, shardCount: 1 });
    const failure = await bot.start().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ConfigError);
    expect(String(failure)).toMatch(/SHARD_COUNT: .* 2,500 servers per shard\. Set SHARD_COUNT to auto/);
    await api.close();
    await discord.close();
  });

  it.each([
    [GatewayCloseCodes.DisallowedIntents, 'Discord refuses the intents'],
    [GatewayCloseCodes.ShardingRequired, 'this bot is in too many servers for so few shards'],
    [GatewayCloseCodes.AuthenticationFailed, 'DISCORD_TOKEN is refused'],
  ])('says why the gateway refuses it for good: %i', async (code, sentence) => {
    const discord = await startLocalDiscord();
    discord.gateway.refuseWith = code;
    const { api, options } = await partsOf(discord.apiUrl);
    const bot = createBot({ ...options, token: discord.application.token });
    const failure = await bot.start().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ConfigError);
    expect(String(failure)).toContain(sentence);
    await bot.close();
    await api.close();
    await discord.close();
  });

  it('says which setting to change when something else answers', async () => {
    const discord = await startMisbehavingService(answer(404, 'not here'));
    const { api, options } = await partsOf(`${discord.url}/api`);
    await expect(createBot(options).start()).rejects.toThrow(/^DISCORD_API_URL: .* refuses my login \(404\)/);
    await api.close();
    await discord.close();
  });
});

describe('a bot that Discord puts out for good', () => {
  it('tells the operator why', async () => {
    const service = await startMisbehavingService(answerJson(200, { total: 0, items: [] }));
    const lost = Promise.withResolvers<string>();
    const parley = await startParley({ service: { url: service.url, key: 'key' }, onLost: lost.resolve });
    parley.discord.gateway.dropConnections(GatewayCloseCodes.AuthenticationFailed);
    expect(await lost.promise).toContain('DISCORD_TOKEN is refused');
    await parley.close();
    await service.close();
  });
});

/** Of the log. */
const lines: string[] = [];
const parley = useParley({}, { logTo: (line) => lines.push(line) });

describe('in direct messages', () => {
  let emit: Parley['discord']['world']['emit'];

  beforeAll(() => {
    // Sends the member's interactions as Discord does from a direct message: without a guild or member.
    const { world } = parley.discord;
    emit = world.emit;
    world.emit = (event) => {
      if (event.t !== 'INTERACTION_CREATE') return emit(event);
      const { guild, guild_id, guild_locale, member, ...d } = event.d as APIInteraction & { member: APIGuildMember };
      const channel = { id: '1', type: ChannelType.DM, recipients: [member.user] };
      emit({ ...event, d: { ...d, user: member.user, context: 1, channel, channel_id: channel.id } });
    };
  });
  afterAll(() => {
    parley.discord.world.emit = emit;
  });

  it('does not speak in a channel, and says what it can do', async () => {
    const interaction = await parley.member.run('say', { text: 'Hello', send_as: 'channel' });
    const message = await interaction.message((one) => filesOf(one).length > 0);
    expect(filesOf(message)[0]?.name).toBe('voice-message.ogg');
    const reply = await interaction.message((one) => textOf(one).includes(en('say.voiceMessageInstead')));
    // Where nobody else is to read the reply, nobody else is to hear it.
    expect(isEphemeral(message)).toBe(isEphemeral(reply));
  });

  it('returns a text as a file', async () => {
    const interaction = await parley.member.run('say', { text: 'Hello', send_as: 'file' });
    await interaction.message((message) => filesOf(message).length > 0);
  });

  it('turns the pages of the catalogue', async () => {
    const interaction = await parley.member.run('voices');
    const first = await interaction.message((message) => textOf(message).includes('page 1 of'));
    await parley.member.click(first, 'Next');
    await interaction.message((message) => textOf(message).includes('page 2 of'));
  });

  it('transcribes a message by its menu', async () => {
    const message = await parley.member.send(['notes.txt', Buffer.from('no audio')]);
    const interaction = await parley.member.runOnMessage('Transcribe', message.id);
    expect(await interaction.sentence()).toContain(en('transcription.noAudioInMessage'));
  });
});

describe('a running bot', () => {
  it('asks for exactly the permissions and scopes that it needs', () => {
    const url = new URL(parley.bot().inviteUrl);
    expect(url.origin).toBe('https://discord.com');
    expect(url.searchParams.get('client_id')).toBe(parley.discord.application.id);
    expect(url.searchParams.get('scope')?.split(' ').sort()).toEqual(['applications.commands', 'bot']);
    const { ViewChannel, Connect, Speak, SendVoiceMessages, SetVoiceChannelStatus } = PermissionFlagsBits;
    const { SendMessages, SendMessagesInThreads, CreatePublicThreads, ReadMessageHistory, AttachFiles } = PermissionFlagsBits;
    const captions = SendMessages | SendMessagesInThreads | CreatePublicThreads | ReadMessageHistory | AttachFiles | SetVoiceChannelStatus;
    expect(url.searchParams.get('permissions')).toBe(String(ViewChannel | Connect | Speak | SendVoiceMessages | captions));
  });

  it('asks for no privileged intent', () => {
    // Guilds, voice states, and direct messages.
    expect(parley.discord.gateway.sessions().map(({ intents }) => intents)).toEqual([(1 << 0) | (1 << 7) | (1 << 12)]);
  });

  it('registers its commands once, however often it starts', async () => {
    const puts: string[] = [];
    parley.discord.onRestRequest(({ method, path }) => {
      if (method === 'PUT') puts.push(path);
    });
    await parley.restartBot();
    expect(puts).toEqual([]);
    const { commands } = await parley.member.client.call('hello', {});
    const offered = allCommands.filter((command) => !('needsMessages' in command));
    expect(commands.map(({ name }) => name).sort()).toEqual(offered.map(({ data }) => data.name).sort());
  });

  it('registers its commands only in the configured guild', async () => {
    const service = await startMisbehavingService(answerJson(200, { total: 0, items: [], credit: '50' }));
    const { discord, member, close } = await startParley({ service: { url: service.url, key: 'key' }, inOneGuild: true });
    const { commands } = await member.client.call('hello', {});
    expect(new Set(commands.map(({ guild_id }) => guild_id))).toEqual(new Set([discord.guildId]));
    await close();
    await service.close();
  });

  it('comes through a gateway that drops in the middle of its speech, and answers what is asked meanwhile', async () => {
    const { member, discord } = parley;
    const { client } = parley.bot();
    const { frames, stats } = await member.listen();
    const interaction = await member.run('say', { text: LONG });
    await interaction.message((message) => textOf(message).includes(en('say.speaking')));
    const before = discord.gateway.sessions().map(({ id }) => id);
    const [reconnecting, resumed] = [once(client, Events.ShardReconnecting), once(client, Events.ShardResume)];
    discord.gateway.dropConnections();
    await reconnecting;
    const queue = await member.run('queue');
    await resumed;
    expect(textOf(await queue.message((message) => textOf(message) !== ''))).toContain(en('queue.nowPlaying'));
    const heard = frames().length;
    await expect.poll(() => frames().length).toBeGreaterThan(heard + 10);
    expect(stats()).toMatchObject({ plaintext: 0, undecryptable: 0, lost: 0 });
    expect(discord.gateway.sessions().map(({ id }) => id)).toEqual(before);
    await member.run('stop');
    await interaction.message((message) => textOf(message).includes(en('say.stopped')));
  });

  it('finishes speaking before it shuts down, and tells members who ask meanwhile', async () => {
    const { member } = parley;
    await member.listen();
    const interaction = await member.run('say', { text: 'Let me finish.' });
    await interaction.message((message) => textOf(message).includes(en('say.speaking')));
    const closed = parley.bot().close({ drain: 30_000 });
    const late = await member.run('voices');
    expect(await late.sentence()).toContain('restarting');
    await closed;
    await interaction.message((message) => textOf(message).includes(openingOf('say.spoken')));
    await parley.restartBot();
  });

  it('answers once what the gateway tells twice', async () => {
    const { discord, member } = parley;
    lines.length = 0;
    const stop = discord.world.onEvent((event) => {
      if (event.t !== 'INTERACTION_CREATE') return;
      stop();
      discord.world.emit(event);
    });
    await (await member.run('help')).message((message) => textOf(message) !== '');
    // Interactions come in their order: once this one is answered, the one before it has not been answered again.
    await (await member.run('help')).message((message) => textOf(message) !== '');
    // Not the requests to Discord: a first response that gets none for too long is repeated.
    expect(lines.filter((line) => JSON.parse(line).msg === 'a command has begun')).toHaveLength(2);
  });

  it('answers what its library knows no kind for', async () => {
    const { discord, member } = parley;
    const told = member.sees((message) => textOf(message).includes(en('general.unreadableInteraction')));
    const data = { id: '1', name: 'of-tomorrow', type: 99 };
    discord.forgeInteraction(member.client, { channelId: discord.channelId('general'), type: InteractionType.ApplicationCommand, data });
    expect(isEphemeral(await told)).toBe(true);
  });

  it('leaves what it can’t read to the process that has the shard', async () => {
    const others = new Set<string>();
    const service = { url: 'http://127.0.0.1:1', key: 'key' };
    const { discord, member, close } = await startParley({ service, isOurs: async ({ id }) => !others.has(id) });
    onTestFinished(close);
    const forge = () => {
      const data = { id: '1', name: 'of-tomorrow', type: 99 };
      discord.forgeInteraction(member.client, { channelId: discord.channelId('general'), type: InteractionType.ApplicationCommand, data });
    };
    const stop = discord.world.onEvent((event) => {
      if (event.t !== 'INTERACTION_CREATE') return;
      stop();
      others.add((event.d as APIInteraction).id);
    });
    forge();
    forge();
    // The second one is answered, after the first one would have been.
    const told = await member.sees((message) => textOf(message).includes(en('general.unreadableInteraction')));
    expect([others.size, others.has(told.interaction_metadata?.id ?? '')]).toEqual([1, false]);
  });

  it('says that it is starting if what it was sent is held back until its guilds are there', async () => {
    const { discord, member } = parley;
    const shard = parley.bot().client.ws.shards.first();
    if (!shard) throw new Error('There is no shard.');
    const told = member.sees((message) => textOf(message).includes(en('general.restarting')));
    shard.status = Status.WaitingForGuilds;
    onTestFinished(() => {
      shard.status = Status.Ready;
    });
    const data = { id: '1', name: 'of-tomorrow', type: 99 };
    discord.forgeInteraction(member.client, { channelId: discord.channelId('general'), type: InteractionType.ApplicationCommand, data });
    expect(isEphemeral(await told)).toBe(true);
  });

  it('does not lose an answer with its connection', async () => {
    const { member, discord } = parley;
    discord.restFaults.push({ match: /PATCH .*@original/, times: 1, how: 'reset' });
    const interaction = await member.run('voices');
    await interaction.message((message) => textOf(message).includes('page 1 of'));
  });

  it('answers an unexpected error privately, with a reference', async () => {
    const { member, discord } = parley;
    discord.restFaults.push({ match: /PATCH .*@original/, times: 1, how: { status: 400 } });
    const interaction = await member.run('say', { text: 'Hello.', send_as: 'file' });
    expect(await interaction.sentence()).toMatch(/tell the bot’s owner\.\n-# Reference `[0-9a-f]{8}`/);
    await interaction.deleted();
  });

  it('mentions nobody', async () => {
    const { member, other } = parley;
    const interaction = await member.run('say', { text: `Hello <@${other.client.userId}> @everyone`, send_as: 'file' });
    const reply = await interaction.message((message) => filesOf(message).length > 0);
    expect(reply.mentions).toEqual([]);
    expect(reply.mention_everyone).toBe(false);
    expect((reply.flags ?? 0) & MessageFlags.Ephemeral).toBe(0);
  });
});
