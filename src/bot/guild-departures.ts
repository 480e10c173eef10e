// Servers that have put the bot out: what is kept of them is deleted after thirty days, unless they invite it again before.
import { setImmediate } from 'node:timers/promises';
import { type Client, Events, ShardClientUtil } from 'discord.js';
import type { Log } from '../log.ts';
import { deleteGuildData } from '../privacy/deletion.ts';
import type { Settings } from '../settings/index.ts';
import type { Store } from '../store/index.ts';
import { describeError } from './error-boundary.ts';

export interface Departures {
  /**
   * Notes which servers have put the bot out while it was not connected, and deletes what is due. Looks again every six hours from then
   * on. Failures are logged; never rejects.
   */
  review(): Promise<void>;
  close(): void;
}

const KEPT_MS = 30 * 24 * 3600_000;
const REVIEW_MS = 6 * 3600_000;

/** @param now milliseconds since 1970 */
export function watchDepartures(
  client: Client<true>,
  { settings, store, log, now = Date.now }: { settings: Settings; store: Store; log: Log; now?: (() => number) | undefined },
): Departures {
  let timer: NodeJS.Timeout | null = null;
  // Each application has its own list: another one in the same store says nothing about servers that it was never in.
  const prefix = () => `server:${client.application.id}:`;
  const complain = (error: unknown) =>
    log.warn(describeError(error), 'whether servers have put me out could not be noted: it is tried again');
  /** @param goneSince milliseconds since 1970; 0 = it has not put me out */
  const note = (guildId: string, goneSince: number) => store.set(prefix() + guildId, goneSince);

  // Not for a server that is merely down: that is another event, and its id stays among the guilds.
  client.on(Events.GuildDelete, ({ id }) => void note(id, now()).catch(complain));
  client.on(Events.GuildCreate, ({ id }) => void note(id, 0).catch(complain));

  /** Servers of other shards are for other processes to look after. */
  function isMine(guildId: string): boolean {
    return client.ws.shards.has(ShardClientUtil.shardIdForGuildId(guildId, client.options.shardCount ?? 1));
  }

  async function lookAround(): Promise<void> {
    const known = new Map((await store.list(prefix())).map(([key, since]) => [key.slice(prefix().length), Number(since)]));
    for (const id of client.guilds.cache.keys()) {
      if (known.get(id) === 0) continue;
      await note(id, 0);
      // Thousands of servers must not hold up the sound that is played meanwhile.
      await setImmediate();
    }
    let forgotten = 0;
    for (const [id, goneSince] of known) {
      if (client.guilds.cache.has(id) || !isMine(id)) continue;
      if (goneSince === 0) await note(id, now());
      else if (now() - goneSince >= KEPT_MS) {
        await deleteGuildData({ settings, store }, id, now());
        await store.delete(prefix() + id);
        forgotten++;
      }
      await setImmediate();
    }
    if (forgotten === 0) return;
    await store.scrub();
    log.info({ guilds: forgotten }, 'what was kept of servers that put me out thirty days ago is deleted');
  }

  const review = () => lookAround().catch(complain);

  return {
    review() {
      timer ??= setInterval(() => void review(), REVIEW_MS).unref();
      return review();
    },
    close() {
      if (timer) clearInterval(timer);
    },
  };
}
