// Deletes what is stored about a guild thirty days after it removed the bot, unless it has invited the bot again.
import { setImmediate } from 'node:timers/promises';
import { type Client, Events, ShardClientUtil, Status } from 'discord.js';
import { describeError } from '../discord/errors.ts';
import type { Log } from '../log.ts';
import { deleteGuildData } from '../privacy/deletion.ts';

export interface GuildDepartures {
  /**
   * Notes which guilds have removed the bot while it was offline and deletes what is due, now and every six hours from then on. Failures
   * are logged; never rejects.
   */
  review(): Promise<void>;
  /** Returns those of the guilds that the bot is in, on any shard. @throws StoreError */
  stillIn(guildIds: Iterable<string>): Promise<Set<string>>;
  close(): void;
}

type GuildData = Parameters<typeof deleteGuildData>[0];

interface Dependencies extends GuildData {
  log: Log;
  /** Milliseconds since 1970. */
  now: () => number;
}

const KEEP_MS = 30 * 24 * 3600_000;
const REVIEW_INTERVAL_MS = 6 * 3600_000;

export function watchGuildDepartures(
  client: Client<true>,
  { settings, dictionaries, voiceOwners, store, log, now }: Dependencies,
): GuildDepartures {
  let timer: NodeJS.Timeout | null = null;
  // Each application has its own list: another one sharing the store says nothing about guilds it was never in.
  const prefix = () => `server:${client.application.id}:`;
  const warn = (error: unknown) => log.warn(describeError(error), 'could not review the guilds that removed the bot; will try again');
  /** @param leftAt milliseconds since 1970; 0 = the bot is a member */
  const note = (guildId: string, leftAt: number) => store.set(prefix() + guildId, leftAt);

  // An outage emits another event, and the guild stays in the cache.
  client.on(Events.GuildDelete, ({ id }) => void note(id, now()).catch(warn));
  client.on(Events.GuildCreate, ({ id }) => void note(id, 0).catch(warn));

  /** Guilds of other shards are reviewed by other processes. Those of a shard that is being opened have not arrived yet. */
  function isResponsibleFor(guildId: string): boolean {
    const shardId = ShardClientUtil.shardIdForGuildId(guildId, client.options.shardCount ?? 1);
    return client.ws.shards.get(shardId)?.status === Status.Ready;
  }

  /** Runs only once, at the first start with the new prefix: the guilds noted by then were noted by a version with the old one. */
  async function keepOldPrefixes(guildIds: Iterable<string>): Promise<void> {
    const isDone = `old-prefixes-kept:${client.application.id}`;
    if ((await store.get(isDone)) !== null) return;
    for (const id of guildIds) {
      await settings.keepOldPrefix(id);
      await setImmediate();
    }
    await store.set(isDone, true);
  }

  async function reviewAll(): Promise<void> {
    const known = new Map((await store.list(prefix())).map(([key, leftAt]) => [key.slice(prefix().length), Number(leftAt)]));
    await keepOldPrefixes(known.keys());
    for (const id of client.guilds.cache.keys()) {
      if (known.get(id) === 0) continue;
      await note(id, 0);
      // Thousands of guilds must not hold up the audio that is playing.
      await setImmediate();
    }
    let deleted = 0;
    for (const [id, leftAt] of known) {
      if (client.guilds.cache.has(id) || !isResponsibleFor(id)) continue;
      if (leftAt === 0) await note(id, now());
      else if (now() - leftAt >= KEEP_MS) {
        await deleteGuildData({ settings, dictionaries, store, voiceOwners }, id, now());
        await store.delete(prefix() + id);
        deleted++;
      }
      await setImmediate();
    }
    if (deleted === 0) return;
    await store.scrub();
    log.info({ guilds: deleted }, 'deleted the data of guilds that removed the bot thirty days ago');
  }

  const review = () => reviewAll().catch(warn);

  return {
    review() {
      timer ??= setInterval(() => void review(), REVIEW_INTERVAL_MS).unref();
      return review();
    },
    async stillIn(guildIds) {
      const ids = [...guildIds];
      const isHere = (id: string) => client.guilds.cache.has(id);
      // For guilds on other processes' shards, the store knows.
      const noted = ids.every((id) => isHere(id) || isResponsibleFor(id)) ? [] : await store.list(prefix());
      const left = new Set(noted.flatMap(([key, leftAt]) => (leftAt === 0 ? [] : [key.slice(prefix().length)])));
      return new Set(ids.filter((id) => isHere(id) || (!isResponsibleFor(id) && !left.has(id))));
    },
    close() {
      if (timer) clearInterval(timer);
    },
  };
}
