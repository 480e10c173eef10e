// Wires this process to the others of the same bot, if REDIS_URL is set: shards, answers, the limit of calls, deletions.

import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { TimestampStyles, time } from 'discord.js';
import type { ApiClient } from '../api/types.ts';
import { type OperatorBudgets, type Prices, toOperatorBudgets } from '../charging/index.ts';
import { type Config, underAllNames, underCurrentNames } from '../config.ts';
import type { CommandData } from '../discord/command.ts';
import { describeError } from '../discord/errors.ts';
import { en } from '../locales/index.ts';
import type { Log } from '../log.ts';
import {
  createCallSlots,
  createInteractionClaims,
  followSettings,
  isInEmptyDir,
  type LiveProcess,
  type SharedDeletions,
  shareDeletions,
  shareShards,
} from '../processes/processes.ts';
import type { Store } from '../store/index.ts';
import { type CacheInvalidation, cacheInvalidation, type SpeechCache, type SpeechEngine } from '../synthesis/index.ts';
import { nameCommands } from './command-registration.ts';
import type { Bot, BotOptions } from './types.ts';

/** Something that is closed when the process ends. */
export interface Part {
  close(): Promise<unknown>;
}

export interface OtherProcesses {
  /** Options for the bot. Call `opened` with the bot before it starts. */
  options: Pick<BotOptions, 'shards' | 'isOurs' | 'voice'>;
  opened(bot: Bot): void;
  /** How many calls to the voice service all processes together may have in flight. */
  setConcurrency(calls: number): void;
  /** Calls `listener` every few seconds. */
  onReview(listener: () => void): void;
  /** Call when this process finds the voice service down, or back. */
  noteServiceDown(isDown: boolean): void;
  /** False if nothing but a restart will open a session for one of this process's shards. */
  isAlive(): boolean;
  /** Lets others take the shards over, and keeps answering meanwhile. Never rejects. */
  leave(maxMs: number): Promise<void>;
  /**
   * Has every other process delete sound, too. Resolves with a function that waits for them and says whether all have done so. @throws
   * StoreError
   */
  shareDeletion: SharedDeletion;
  /**
   * Call once sound can be deleted here. Resolves when everything that others have deleted meanwhile is gone here, too. @throws StoreError
   */
  followDeletions(speech: SpeechEngine, cache: SpeechCache | null): Promise<void>;
}

type SharedDeletion = (what: CacheInvalidation) => Promise<() => Promise<boolean>>;

/**
 * Waits for a first shard, for as long as other processes have all of them. From then on, prices and budgets are those of the process that
 * was started last: this function changes the ones it was given.
 * @throws ConfigError if they were started with other settings; StoreError
 */
export async function joinOtherProcesses(
  config: Config,
  discord: { token: string; apiUrl: string | null },
  {
    store,
    log,
    client,
    parts,
    commands,
    prices,
    budgets,
  }: {
    store: Store;
    log: Log;
    client: ApiClient;
    parts: Part[];
    commands: readonly { data: CommandData }[];
    prices: Prices;
    budgets: OperatorBudgets;
  },
): Promise<OtherProcesses> {
  const commandsName = nameCommands(commands, config.DISCORD_GUILD_ID ?? null);
  const opening = Promise.withResolvers<Bot>();
  let bot: Bot | null = null;
  let knownProcessIds = new Set<string>();
  let outage: string | null = null;
  let seenOutages = new Set<string>();
  /** Set while another process's report is being applied, so it isn't reported again. */
  let isRemoteReport = false;
  let deletions: SharedDeletions<CacheInvalidation> | null = null;
  const settings = {
    PRICE_PER_MILLION_BYTES: prices.perMillionBytes,
    PRICE_PER_HOUR: prices.perHour,
    BUDGET_MEMBER_CHARACTERS: config.BUDGET_MEMBER_CHARACTERS,
    BUDGET_MEMBER_MINUTES: config.BUDGET_MEMBER_MINUTES,
    BUDGET_GUILD_CHARACTERS: config.BUDGET_GUILD_CHARACTERS,
    BUDGET_GUILD_MINUTES: config.BUDGET_GUILD_MINUTES,
  };
  const noteSettings = followSettings(settings, log, (shared) => {
    Object.assign(prices, { perMillionBytes: shared.PRICE_PER_MILLION_BYTES, perHour: shared.PRICE_PER_HOUR });
    Object.assign(budgets, toOperatorBudgets(shared));
  });

  // Changed as soon as the bot is put together, before it makes a call.
  const slots = createCallSlots(store, { total: 1, setConcurrency: client.setConcurrency });
  let reviewed = () => {};
  client.shareSlots(slots);

  /** Notes each outage only once: the last process to notice its end must not make the others believe in it again. */
  function noteOutages(live: readonly LiveProcess[], ownId: string): void {
    const others = live.flatMap(({ id, facts }) => (id === ownId || facts.outage === null ? [] : [facts.outage]));
    isRemoteReport = true;
    if (others.some((one) => !seenOutages.has(one))) client.noteDown();
    isRemoteReport = false;
    seenOutages = new Set(others);
  }

  function onProcesses(live: readonly LiveProcess[], ownId: string): void {
    void slots.review(live.length);
    reviewed();
    noteOutages(live, ownId);
    noteSettings(
      live.map((one) => ({ ...one, facts: { ...one.facts, settings: underCurrentNames(one.facts.settings) } })),
      ownId,
    );
    const running = new Set(live.map(({ id }) => id));
    if ([...knownProcessIds].some((id) => !running.has(id)))
      void bot
        ?.correctReplies()
        .catch((error: unknown) => log.warn(describeError(error), 'could not correct the replies of another process'));
    knownProcessIds = running;
    void bot
      ?.takeHandedOver()
      .catch((error: unknown) => log.warn(describeError(error), 'could not take over the queued texts of another process'));
  }

  const shards = await shareShards(config, discord, {
    store,
    log,
    open: async (shardId) => (await opening.promise).openShard(shardId),
    close: async (shardId) => bot?.closeShard(shardId),
    drain: async (shardId) => bot?.handOver(shardId),
    // There is no bot before the login.
    sessionOf: (shardId) => bot?.sessionOf(shardId) ?? 'opening',
    isSilent: (shardId) => bot?.isSilent(shardId) ?? false,
    facts: () => ({
      host: hostname(),
      pid: process.pid,
      startedAt: Math.round(performance.timeOrigin),
      guilds: bot?.client.guilds.cache.filter(({ shardId }) => shards.leases.has(shardId)).size ?? 0,
      speaking: bot?.speaking() ?? 0,
      outage,
      settings: underAllNames(settings),
      commands: commandsName,
      cache: deletions?.cacheId ?? null,
    }),
    onLowSessions({ left, resetsAt }) {
      const sentence = en('status.fewSessions', { left, until: time(Math.floor(resetsAt / 1000), TimestampStyles.LongDateShortTime) });
      void opening.promise.then((opened) => opened.tellOperators(sentence));
    },
    onProcesses,
  });
  parts.push(shards.leases, { close: async () => deletions?.close() });
  return {
    options: { shards, isOurs: createInteractionClaims(store, { ...shards, log }), voice: { permit: shards.voice.permit } },
    opened(started) {
      bot = started;
      opening.resolve(started);
    },
    setConcurrency: slots.resize,
    onReview(listener) {
      reviewed = listener;
    },
    isAlive: shards.leases.isAlive,
    leave: shards.leases.leave,
    noteServiceDown(isDown) {
      outage = isDown && !isRemoteReport ? randomUUID() : null;
    },
    shareDeletion: async (what) => (await deletions?.broadcast(what)) ?? (async () => true),
    async followDeletions({ discard }, cache) {
      const mounts = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '');
      deletions = await shareDeletions({
        store,
        log,
        discard,
        schema: cacheInvalidation,
        cacheId: cache?.id ?? null,
        lasts: !isInEmptyDir(resolve(config.DATA_DIR), mounts),
        running: async () => new Set((await shards.leases.processes()).map(({ facts }) => facts.cache)),
      });
    },
  };
}
