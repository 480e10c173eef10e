// The channels that members have had read, in the store until they are stopped; and what stays silent until everybody has left.
import { z } from 'zod';
import { type Store, update } from '../store/index.ts';
import type { ReadChannel, StartedChannel } from './types.ts';

const channelsSchema = z.array(z.object({ textChannelId: z.string(), voiceChannelId: z.string(), startedBy: z.string() })).catch([]);

const silenceSchema = z.object({
  /** Why nothing is read in the guild; null = reading isn't paused. */
  pausedBy: z.enum(['leave', 'disconnect']).nullable().catch(null),
  /** Text channels that the settings say are always read, but that were stopped. */
  stopped: z.array(z.string()).catch([]),
});

/** What is not read in a guild until everybody has left the voice channel. */
export type Silence = z.infer<typeof silenceSchema>;

export const NO_SILENCE: Silence = { pausedBy: null, stopped: [] };

/** Milliseconds after which everybody must have left unnoticed. */
const SILENCE_RETENTION_MS = 30 * 24 * 3600_000;

/** In place of the member who started a channel, once they have had their data deleted. */
const NOBODY = '';

/** All methods reject with StoreError. */
export interface PersistedChannels {
  load(guildId: string): Promise<{ channels: ReadChannel[]; silence: Silence }>;
  /** Has the text channel read there, instead of where it was read before; returns the channels after that. */
  add(guildId: string, channel: StartedChannel): Promise<ReadChannel[]>;
  /** Returns the channels that are left. */
  remove(guildId: string, isMeant: (channel: ReadChannel) => boolean): Promise<ReadChannel[]>;
  /** Lets what an earlier version has stored be found when its members have their data deleted. */
  noteStarters(guildId: string, channels: readonly ReadChannel[]): Promise<void>;
  saveSilence(guildId: string, silence: Silence): Promise<void>;
}

export function createPersistedChannels(store: Store): PersistedChannels {
  /** `change` may run again: no change by others is lost. */
  async function change(guildId: string, change: (before: StartedChannel[]) => StartedChannel[]): Promise<ReadChannel[]> {
    let before: StartedChannel[] = [];
    const stored = await update(store, channelsKey(guildId), (value) => {
      before = channelsSchema.parse(value);
      const after = change(before);
      return after.length === 0 ? null : after.map((channel) => ({ ...channel }));
    });
    const changed = stored ?? [];
    const left = new Set(changed.map((channel) => starterKey(guildId, channel)));
    for (const key of before.map((channel) => starterKey(guildId, channel))) if (!left.has(key)) await store.delete(key);
    return changed;
  }

  return {
    async load(guildId) {
      const [channels, silence] = await Promise.all([channelsKey(guildId), silenceKey(guildId)].map((key) => store.get(key)));
      return { channels: channelsSchema.parse(channels), silence: silenceSchema.catch(NO_SILENCE).parse(silence) };
    },
    async add(guildId, channel) {
      // The key that deleting needs to find the rest is written first.
      await store.set(starterKey(guildId, channel), true);
      return change(guildId, (before) => [...before.filter(({ textChannelId }) => textChannelId !== channel.textChannelId), channel]);
    },
    remove: (guildId, isMeant) => change(guildId, (before) => before.filter((channel) => !isMeant(channel))),
    async noteStarters(guildId, channels) {
      for (const { textChannelId, startedBy } of channels)
        if (startedBy) await store.compareAndSet(starterKey(guildId, { textChannelId, startedBy }), null, true);
    },
    saveSilence: (guildId, silence) =>
      silence.pausedBy === null && silence.stopped.length === 0
        ? store.delete(silenceKey(guildId))
        : store.set(silenceKey(guildId), { ...silence }, { expiresInMs: SILENCE_RETENTION_MS }),
  };
}

/** Forgets which channels the member has had read; they are still read, as others listen. @throws StoreError */
export async function forgetStarter(store: Store, memberId: string): Promise<void> {
  for (const [key] of await store.list(starterPrefix(memberId))) {
    const [guildId = ''] = key.slice(starterPrefix(memberId).length).split(':');
    await update(store, channelsKey(guildId), (value) => {
      const channels = channelsSchema.parse(value);
      return channels.length === 0
        ? null
        : channels.map(({ startedBy, ...channel }) => ({ ...channel, startedBy: startedBy === memberId ? NOBODY : startedBy }));
    });
    await store.delete(key);
  }
}

/** @throws StoreError */
export async function forgetReading(store: Store, guildId: string): Promise<void> {
  await createPersistedChannels(store).remove(guildId, () => true);
  await store.delete(silenceKey(guildId));
}

const channelsKey = (guildId: string) => `reading:${guildId}`;
const silenceKey = (guildId: string) => `reading-silent:${guildId}`;
/** Prefix of the keys that name the guilds and text channels in which the member has started reading. */
const starterPrefix = (memberId: string) => `reading-started-by:${memberId}:`;
const starterKey = (guildId: string, { textChannelId, startedBy }: Pick<StartedChannel, 'textChannelId' | 'startedBy'>) =>
  `${starterPrefix(startedBy)}${guildId}:${textChannelId}`;
