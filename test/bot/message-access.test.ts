// READ_MESSAGES: what the bot asks Discord for, and what it does if Discord refuses.
import { Events, GatewayCloseCodes, GatewayIntentBits, PermissionFlagsBits } from 'discord.js';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Config, readConfig, readsMessages } from '../../src/config.ts';
import { en } from '../../src/locales/index.ts';
import { textOf } from '../helpers/member.ts';
import { answerJson, startMisbehavingService } from '../helpers/misbehaving-service.ts';
import { type Parley, type ParleyOptions, startParley } from '../helpers/parley.ts';
import { startReadingBot } from './reading-bot.ts';

const UNPRIVILEGED = GatewayIntentBits.Guilds | GatewayIntentBits.GuildVoiceStates | GatewayIntentBits.DirectMessages;
const ALL = UNPRIVILEGED | GatewayIntentBits.GuildMessages | GatewayIntentBits.MessageContent;
const SWITCHED_ON = { privilegedIntents: GatewayIntentBits.MessageContent };

const isSwitchNamed = (line: string) => line.includes('READ_MESSAGES') && line.includes('Message Content Intent');

/** Lines of a log. By the clock, the five seconds between two sessions of a shard have passed as soon as one of them names the switch. */
function collectLines(): { lines: string[]; logTo(line: string): void } {
  const now = Date.now;
  let ahead = 0;
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + ahead);
  onTestFinished(() => clock.mockRestore());
  const lines: string[] = [];
  return {
    lines,
    logTo(line) {
      lines.push(line);
      if (isSwitchNamed(line)) ahead = 5_000;
    },
  };
}

async function start(options: Omit<ParleyOptions, 'service'>): Promise<Parley & { lines: string[] }> {
  const { lines, logTo } = collectLines();
  const service = await startMisbehavingService(answerJson(200, { total: 0, items: [] }));
  const parley = await startParley({ service: { url: service.url, key: 'key' }, logTo, ...options });
  onTestFinished(async () => {
    await parley.close();
    await service.close();
  });
  return { ...parley, lines };
}

const intentsOf = ({ discord }: Parley) => discord.gateway.sessions().map(({ intents }) => intents);
const works = async ({ member }: Parley) => (await member.run('help')).message((message) => textOf(message).includes('/say'));

describe('READ_MESSAGES', () => {
  const setBy = (settings: Partial<Config>) => readsMessages({ ...readConfig({}), ...settings });

  it('is off on Discord and on with the local one, unless it is set', () => {
    expect(setBy({ DISCORD_TOKEN: 'token' })).toBe(false);
    expect(setBy({})).toBe(true);
    expect(setBy({ DISCORD_TOKEN: 'token', READ_MESSAGES: 'on' })).toBe(true);
    expect(setBy({ READ_MESSAGES: 'off' })).toBe(false);
  });
});

describe('a bot that is to read messages', () => {
  it('asks for the intents, and for permissions to say why it is silent', async () => {
    const parley = await start({ readMessages: true, discord: SWITCHED_ON });
    expect(intentsOf(parley)).toEqual([ALL]);
    const permissions = new URL(parley.bot().inviteUrl).searchParams.get('permissions');
    const { ViewChannel, Connect, Speak, ReadMessageHistory, AddReactions, AttachFiles } = PermissionFlagsBits;
    const { SendMessages, SendMessagesInThreads, SendVoiceMessages } = PermissionFlagsBits;
    const written = SendMessages | SendMessagesInThreads | SendVoiceMessages | AttachFiles | AddReactions;
    const captions = PermissionFlagsBits.CreatePublicThreads | PermissionFlagsBits.SetVoiceChannelStatus;
    expect(permissions).toBe(String(ViewChannel | Connect | Speak | ReadMessageHistory | written | captions));
    expect(parley.lines.filter(isSwitchNamed)).toEqual([]);
  });

  it('starts without them if Discord refuses, says in /read start which switch is off, and still reads single messages', async () => {
    const { lines, logTo } = collectLines();
    const bot = await startReadingBot({ discord: { privilegedIntents: 0 }, logTo });
    onTestFinished(() => bot.close());
    expect(intentsOf(bot)).toEqual([UNPRIVILEGED]);
    const sentence = await (await bot.member.run('read start')).sentence();
    expect(sentence).toContain(en('reading.noAccess'));
    const message = await bot.other.write('message 41');
    await bot.member.runOnMessage('Read this aloud', message.id);
    await bot.listener.hears(41);
    expect(lines.filter(isSwitchNamed)).toHaveLength(1);
  });

  it('starts without them on every shard that Discord recommends, and counts as ready while one of them is connected', async () => {
    const discord = { privilegedIntents: 0, guilds: 5, shards: 3, identifyLimits: { maxConcurrency: 3, guildsPerShard: 2 } };
    const parley = await start({ readMessages: true, discord, onLost: (reason) => expect.fail(reason) });
    const { gateway } = parley.discord;
    const sessions = gateway.sessions().toSorted((a, b) => a.shard - b.shard);
    expect(sessions.map(({ shard, intents }) => [shard, intents])).toEqual([0, 1, 2].map((shard) => [shard, UNPRIVILEGED]));
    const { client, isReady } = parley.bot();
    expect(client.guilds.cache.size).toBe(5);
    expect(isReady()).toBe(true);
    await works(parley);
    expect(parley.lines.filter(isSwitchNamed)).toHaveLength(1);
    expect(parley.lines.filter((line) => line.includes('for good'))).toEqual([]);
    const away = new Promise((resolve) => client.once(Events.ShardReconnecting, resolve));
    gateway.outage('refused');
    await away;
    await expect.poll(isReady).toBe(false);
    gateway.outage(null);
    await expect.poll(isReady).toBe(true);
  });

  it('continues without them if they are switched off while it runs', async () => {
    const parley = await start({ readMessages: true, discord: SWITCHED_ON, onLost: (reason) => expect.fail(reason) });
    const { gateway, world } = parley.discord;
    world.application.privilegedIntents = 0;
    gateway.dropConnections(GatewayCloseCodes.DisallowedIntents);
    await expect.poll(() => intentsOf(parley)).toEqual([UNPRIVILEGED]);
    await works(parley);
    expect(parley.lines.filter(isSwitchNamed)).toHaveLength(1);
  });
});
