// Servers that remove the bot: their data is deleted after thirty days, and nothing else is.
import { once } from 'node:events';
import { type Client, Events, GatewayIntentBits } from 'discord.js';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { watchGuildDepartures } from '../../src/bot/guild-departures.ts';
import { createDictionaries } from '../../src/dictionary/dictionaries.ts';
import type { LocalDiscord } from '../../src/local/discord/index.ts';
import { openSqliteStore, type Store } from '../../src/store/index.ts';
import { createSettings } from '../../src/store/settings.ts';
import { createVoiceOwners } from '../../src/voice-catalogue/owners.ts';
import { logIn, openLocalDiscord } from '../helpers/local-discord.ts';
import { answerJson, startMisbehavingService } from '../helpers/misbehaving-service.ts';
import { startParley } from '../helpers/parley.ts';

const DAY_MS = 24 * 3600_000;

async function keepSomething(store: Store, guildIds: string[], now: number): Promise<void> {
  const today = Math.floor(now / DAY_MS);
  const consent = { kind: 'own', memberId: '1', at: now } as const;
  const voice = { id: 'shared', ownerId: '1', title: 'Shared', description: '', createdAt: now, sharedWith: [], consent };
  if (!(await createVoiceOwners(store).find(voice.id))) await createVoiceOwners(store).save(voice);
  for (const id of guildIds) {
    await createSettings(store).changeGuild(id, (settings) => ({ ...settings, volume: 0.5 }));
    await createDictionaries(store).change({ guildId: id }, () => [{ word: 'GIF', spoken: 'jif', language: null }]);
    await createVoiceOwners(store).change('shared', (voice) => ({ ...voice, sharedWith: [...voice.sharedWith, id] }));
    await store.set(`use:${today}:${id}:times`, 1);
    await store.set(`spent:${today}:speech:guild:${id}`, 1);
    await store.set(`words-told:${id}:1`, 'everyone');
    await store.set(`words:${id}:1:2`, { channelId: '1', memberIds: ['1'] });
    await store.set(`captions:${id}`, { voiceChannelId: '1' });
    await store.set(`captions-lines:${id}:1`, [['1', now, now]]);
  }
}

/** How much is kept of a server. */
async function keptOf(store: Store, guildId: string): Promise<number> {
  const voices = (await createVoiceOwners(store).all()).filter(({ sharedWith }) => sharedWith.includes(guildId));
  return voices.length + (await store.list('')).filter(([key]) => key.includes(guildId) && !key.startsWith('server:')).length;
}

function openStore(): Store {
  const store = openSqliteStore(':memory:');
  onTestFinished(() => store.close());
  return store;
}

/** Two servers, of each of which something is kept, and a bot that can be ended and started again, all at a time of the test's own. */
async function openProgramFixture(store: Store = openStore()) {
  let now = Date.now();
  const discord = await openLocalDiscord({ guilds: 2 });
  const [stays = '', goes = ''] = discord.guildIds;
  await keepSomething(store, discord.guildIds, now);
  const start = async () => {
    const client = await logIn(discord);
    const departures = watchGuildDepartures(client, {
      ...{ settings: createSettings(store), dictionaries: createDictionaries(store), voiceOwners: createVoiceOwners(store) },
      ...{ store, log: pino({ level: 'silent' }) },
      now: () => now,
    });
    onTestFinished(() => departures.close());
    await departures.review();
    return { client, departures };
  };
  let running = await start();
  return {
    ...{ discord, store, stays, goes },
    kept: async () => ({ stays: await keptOf(store, stays), goes: await keptOf(store, goes) }),
    hasSettings: async () => (await store.get(`guild:${goes}`)) !== null,
    client: () => running.client,
    async later(days: number) {
      now += days * DAY_MS;
      await running.departures.review();
    },
    /** @param meanwhile what happens while no bot is connected */
    async restart(meanwhile: () => void = () => {}) {
      running.departures.close();
      await running.client.destroy();
      meanwhile();
      running = await start();
    },
  };
}

const ALL = { stays: 11, goes: 11 };
const GONE = { stays: 11, goes: 0 };

async function putOut(client: Client, discord: LocalDiscord, guildId: string): Promise<void> {
  const left = once(client, Events.GuildDelete);
  discord.removeBot(guildId);
  await left;
}

it('settings and use go thirty days after the server has put the bot out, over restarts, and those of other servers stay', async () => {
  const { discord, goes, client, later, restart, kept } = await openProgramFixture();
  await putOut(client(), discord, goes);
  await later(15);
  await restart();
  await later(14.9);
  expect(await kept()).toEqual(ALL);
  await later(0.1);
  expect(await kept()).toEqual(GONE);
});

it('they go, too, if no bot was connected at that time', async () => {
  const { discord, goes, later, restart, kept } = await openProgramFixture();
  await restart(() => discord.removeBot(goes));
  await later(29.9);
  expect(await kept()).toEqual(ALL);
  await restart();
  await later(0.1);
  expect(await kept()).toEqual(GONE);
});

it.each([
  ['while the bot is connected', true],
  ['while it is not', false],
])('they stay if the server invites the bot again before, %s', async (_, isConnected) => {
  const { discord, goes, client, later, restart, kept, hasSettings } = await openProgramFixture();
  await putOut(client(), discord, goes);
  await later(29);
  if (isConnected) {
    const back = once(client(), Events.GuildCreate);
    discord.addBot(goes);
    await back;
  } else {
    await restart(() => discord.addBot(goes));
  }
  await later(40);
  expect(await kept()).toEqual(ALL);
  // The thirty days start again.
  await putOut(client(), discord, goes);
  await later(29);
  expect(await kept()).toEqual(ALL);
  await later(1);
  // Its use of seventy days ago has expired in a store whose clock goes as fast.
  expect(await hasSettings()).toBe(false);
});

it('they stay while the server is merely down', async () => {
  const { discord, goes, client, later, kept } = await openProgramFixture();
  const down = once(client(), Events.GuildUnavailable);
  discord.world.emit({ t: 'GUILD_DELETE', d: { id: goes, unavailable: true }, intent: GatewayIntentBits.Guilds, guildId: goes, to: 'bot' });
  await down;
  await later(31);
  expect(await kept()).toEqual(ALL);
});

it('they go, too, if the bot was connected only when it was invited', async () => {
  const { discord, store, goes, client, later, restart, hasSettings } = await openProgramFixture();
  await putOut(client(), discord, goes);
  await later(30);
  const back = once(client(), Events.GuildCreate);
  discord.addBot(goes);
  await back;
  await store.set(`guild:${goes}`, {});
  await restart(() => discord.removeBot(goes));
  await later(30);
  expect(await hasSettings()).toBe(false);
});

it('another application sharing the store treats no guild as gone', async () => {
  const first = await openProgramFixture();
  const second = await openProgramFixture(first.store);
  await second.later(31);
  await second.restart();
  await second.later(31);
  expect(await first.kept()).toEqual(ALL);
});

it('the whole bot does so at its next start', async () => {
  let now = Date.now();
  const service = await startMisbehavingService(answerJson(200, { total: 0, items: [] }));
  const parley = await startParley({ service: { url: service.url, key: 'key' }, discord: { guilds: 2 }, now: () => now });
  onTestFinished(async () => {
    await parley.close();
    await service.close();
  });
  const { discord, store } = parley;
  const [, goes = ''] = discord.guildIds;
  await keepSomething(store, discord.guildIds, now);
  await putOut(parley.bot().client, discord, goes);
  now += 30 * DAY_MS;
  await parley.restartBot();
  await expect.poll(() => keptOf(store, goes)).toBe(0);
});

it('servers from before another prefix was usual keep theirs, and servers that come later have the new one', async () => {
  const store = openStore();
  const discord = await openLocalDiscord({ guilds: 2 });
  const [old = '', later = ''] = discord.guildIds;
  const settings = createSettings(store);
  const prefixes = async () => [await settings.guild(old), await settings.guild(later)].map(({ reading }) => reading.ignorePrefix);
  // As an earlier version left it.
  await store.set(`server:${discord.application.id}:${old}`, 0);
  discord.removeBot(later);
  const client = await logIn(discord);
  const others = { dictionaries: createDictionaries(store), voiceOwners: createVoiceOwners(store), log: pino({ level: 'silent' }) };
  const departures = watchGuildDepartures(client, { settings, store, ...others, now: Date.now });
  onTestFinished(() => departures.close());
  await departures.review();
  const came = once(client, Events.GuildCreate);
  discord.addBot(later);
  await came;
  await expect.poll(() => store.get(`server:${discord.application.id}:${later}`)).toBe(0);
  await departures.review();
  expect(await prefixes()).toEqual(['-', ';']);
  await settings.changeGuild(old, (before) => ({ ...before, volume: 0.5 }));
  expect(await prefixes()).toEqual(['-', ';']);
  await settings.resetGuild(old);
  expect(await prefixes()).toEqual([';', ';']);
});
