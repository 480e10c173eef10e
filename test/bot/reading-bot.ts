// A bot that reads #general aloud in the lounge, where Robin listens, on a service whose sounds tell what they say.
import { expect, vi } from 'vitest';
import type { MemberClient } from '../../src/local/discord/index.ts';
import { createSettings, DELAY_SECONDS } from '../../src/store/settings.ts';
import { type ParleyOptions, startParley, useStarted } from '../helpers/parley.ts';
import { listenToTones, SHORTEST, startToneService } from '../helpers/tone-service.ts';
import { WAIT_MS } from '../helpers/waiter.ts';

export type ReadingBot = Awaited<ReturnType<typeof startReadingBot>>;

/** Twelve voices of English and three of German. */
const VOICES = [...Array.from({ length: 12 }, (_, index) => `en:english-${index}`), 'de:german-0', 'de:german-1', 'de:german-2'];

export interface ReadingOptions extends Omit<ParleyOptions, 'service'> {
  voices?: string[];
  /** How long a text takes to say: hardly any time, or half a minute if it says that it's long. */
  secondsOf?: (text: string) => number;
  /** The setting, in seconds. The default is the longest, so a slow machine skips nothing. */
  maxDelay?: number;
}

export async function startReadingBot({
  voices = VOICES,
  secondsOf = (text) => (/\blong\b/.test(text) ? 30 : SHORTEST),
  maxDelay = DELAY_SECONDS.most,
  ...options
}: ReadingOptions = {}) {
  const service = await startToneService({ voices, secondsOf });
  const parley = await startParley({ service: { url: service.url, key: service.key }, readMessages: true, ...options });
  const { discord, store, member } = parley;
  const [general, lounge] = [discord.channelId('general'), discord.channelId('Lounge')];
  const listener = await listenToTones((onPacket) => member.client.onHeard(onPacket));
  await member.client.call('join_voice', { channel_id: lounge });
  const isThere = () => discord.world.firstGuild.voiceStates.get(discord.application.id)?.channel_id === lounge;
  /** Waits until the bot is in the lounge, or no longer. */
  const botIsThere = (expected = true) => vi.waitFor(() => expect(isThere()).toBe(expected), { timeout: WAIT_MS, interval: 5 });

  return {
    ...parley,
    ...{ service, general, lounge, botIsThere },
    /** Robin, listening in the lounge. */
    listener,
    /** Has #general read in the lounge, and waits until the bot is there. */
    async startReading(): Promise<void> {
      await createSettings(store).changeGuild(discord.guildId, (before) => ({ ...before, reading: { ...before.reading, maxDelay } }));
      await store.set(`reading:${discord.guildId}`, [{ textChannelId: general, voiceChannelId: lounge, startedBy: member.client.userId }]);
      await parley.restartBot();
      await botIsThere();
    },
    /** Robin writes a message that takes half a minute to say. Resolves once it is heard, with a function that ends it by deleting it. */
    async readLong(number: number) {
      const { id: message_id } = await member.write(`a long message, number ${number}`);
      await listener.hears(number);
      return () => member.client.call('delete_message', { channel_id: general, message_id });
    },
    async close() {
      await parley.close();
      await service.close();
    },
  };
}

/** For all tests of a file or a `describe`; #general is read, unless messages can't be. */
export const useReadingBot = (options: ReadingOptions = {}): ReadingBot =>
  useStarted(async () => {
    const bot = await startReadingBot(options);
    if (options.readMessages !== false) await bot.startReading();
    return bot;
  });

/** Writes messages with the numbers from `first` to `last` all at once, the members in turn. */
export function flood(members: MemberClient[], channelId: string, first: number, last: number, text = 'Here is another, number') {
  const contents = Array.from({ length: last - first + 1 }, (_, index) => `${text} ${first + index}`);
  const memberAt = (index: number) => members[index % members.length] as MemberClient;
  return Promise.all(contents.map((content, index) => memberAt(index).call('send_message', { channel_id: channelId, content })));
}
