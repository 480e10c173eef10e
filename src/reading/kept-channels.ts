// The channels that members have had read, in the store until they are stopped.
import { z } from 'zod';
import type { Store } from '../store/index.ts';
import type { ReadChannel } from './types.ts';

const channelsSchema = z.array(z.object({ textChannelId: z.string(), voiceChannelId: z.string(), startedBy: z.string() })).catch([]);

/** All methods reject with StoreError. */
export interface KeptChannels {
  load(guildId: string): Promise<ReadChannel[]>;
  save(guildId: string, channels: ReadChannel[]): Promise<void>;
}

export function createKeptChannels(store: Store): KeptChannels {
  return {
    load: async (guildId) => channelsSchema.parse(await store.get(readChannelsKey(guildId))),
    save: (guildId, channels) =>
      channels.length === 0
        ? store.delete(readChannelsKey(guildId))
        : store.set(
            readChannelsKey(guildId),
            channels.map((channel) => ({ ...channel })),
          ),
  };
}

/** Under which the channels of a guild are kept. */
export function readChannelsKey(guildId: string): string {
  return `reading:${guildId}`;
}
