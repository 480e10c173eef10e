// Sends commands and components to the bot as Discord would, and checks what becomes of each.
import { setTimeout as sleep } from 'node:timers/promises';
import { InteractionType } from 'discord.js';
import type { MemberClient } from '../../src/local/discord/index.ts';
import type { BotUnderTest } from './target.ts';

/** Keyed by type and name: `1:say`. */
export async function commandIds({ parley, discord }: BotUnderTest): Promise<Map<string, string>> {
  const known = await parley.member.client.call('commands', { channel_id: discord.channelId('general') });
  return new Map(known.map(({ type, name, id }) => [`${type}:${name}`, id]));
}

export interface InteractionRequest {
  type: InteractionType;
  data: object;
  /** The message that a component is on. */
  messageId?: string;
  channelId?: string;
}

/** Resolves when the interaction has ended; awaits `meanwhile` after its answer. @throws Error with the problems found */
export async function sendAndCheck(
  bot: BotUnderTest,
  client: MemberClient,
  request: InteractionRequest,
  meanwhile: () => Promise<void> = async () => {},
): Promise<string> {
  const { discord, checker } = bot;
  const id = discord.forgeInteraction(client, { channelId: discord.channelId('general'), ...request });
  await checker.answered(id);
  await meanwhile();
  throwProblems(bot, await checker.ended(id));
  return 'answered';
}

/** @throws Error with the problems since the last call, and with these faults */
export function throwProblems({ checker }: BotUnderTest, faults: string[] = []): void {
  const all = [...faults, ...checker.problems.splice(0)];
  checker.lines.length = 0;
  if (all.length > 0) throw new Error(all.slice(0, 3).join('; '));
}

/** How long the bot may take to get back a gateway connection that it lost. */
const BACK_MS = 60_000;
const AGAIN_MS = 500;

/** Resolves when /help is answered. @throws Error if it is not for BACK_MS */
export async function helps(bot: BotUnderTest): Promise<void> {
  const { discord, checker, parley } = bot;
  const data = { id: '1', name: 'help', type: 1 };
  const until = performance.now() + BACK_MS;
  for (;;) {
    const id = discord.forgeInteraction(parley.member.client, {
      channelId: discord.channelId('general'),
      type: InteractionType.ApplicationCommand,
      data,
    });
    const faults = await checker.completed(id);
    if (faults.length === 0) break;
    if (performance.now() > until) throw new Error(`/help is no longer answered: ${faults.join('; ')}`);
    await sleep(AGAIN_MS);
  }
  // Discord may have refused what the bot did with the nonsense.
  checker.problems.length = 0;
  checker.lines.length = 0;
}
