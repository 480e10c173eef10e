// The channels that members have had read, in the store until they are stopped; and what stays silent until everybody has left.
import { z } from 'zod';
import { type Store, update } from '../store/index.ts';
import type { PauseCause, ReadChannel } from './types.ts';

const channelsSchema = z.array(z.object({ textChannelId: z.string(), voiceChannelId: z.string(), startedBy: z.string() })).catch([]);

const silenceSchema = z.object({
  pausedBy: z.enum(['leave', 'disconnect']).nullable().catch(null),
  stopped: z.array(z.string()).catch([]),
});

/** What is not read in a guild until everybody has left the voice channel. */
export interface Silence {
  /** Why nothing is read in the guild; null = reading isn't paused. */
  pausedBy: PauseCause | null;
  /** Text channels that the settings say are always read, but that were stopped. */
  stopped: string[];
}

export const NO_SILENCE: Silence = { pausedBy: null, stopped: [] };

/** Milliseconds after which everybody must have left unnoticed. */
const SILENCE_RETENTION_MS = 30 * 24 * 3600_000;

/** All methods reject with StoreError. */
export interface PersistedChannels {
  load(guildId: string): Promise<{ channels: ReadChannel[]; silence: Silence }>;
  /** Returns the channels after the change. `change` may run again: no change by others is lost. */
  change(guildId: string, change: (channels: ReadChannel[]) => ReadChannel[]): Promise<ReadChannel[]>;
  saveSilence(guildId: string, silence: Silence): Promise<void>;
}

export function createPersistedChannels(store: Store): PersistedChannels {
  return {
    async load(guildId) {
      const [channels, silence] = await Promise.all(persistedReadingKeys(guildId).map((key) => store.get(key)));
      return { channels: channelsSchema.parse(channels), silence: silenceSchema.catch(NO_SILENCE).parse(silence) };
    },
    async change(guildId, change) {
      let changed: ReadChannel[] = [];
      await update(store, channelsKey(guildId), (value) => {
        changed = change(channelsSchema.parse(value));
        return changed.length === 0 ? null : changed.map((channel) => ({ ...channel }));
      });
      return changed;
    },
    saveSilence: (guildId, silence) =>
      silence.pausedBy === null && silence.stopped.length === 0
        ? store.delete(silenceKey(guildId))
        : store.set(silenceKey(guildId), { ...silence }, { expiresInMs: SILENCE_RETENTION_MS }),
  };
}

const channelsKey = (guildId: string) => `reading:${guildId}`;
const silenceKey = (guildId: string) => `reading-silent:${guildId}`;

/** The keys under which all of this is persisted for a guild. */
export function persistedReadingKeys(guildId: string): [channels: string, silence: string] {
  return [channelsKey(guildId), silenceKey(guildId)];
}
