// Commands and components, as Discord would tell the bot of them, and what became of each.
import { setTimeout as sleep } from 'node:timers/promises';
import { InteractionType } from 'discord.js';
import type { MemberClient } from '../../src/local/discord/index.ts';
import type { BotUnderTest } from './target.ts';

/** By type and name: `1:say`. */
export async function commandIds({ parley, discord }: BotUnderTest): Promise<Map<string, string>> {
  const known = await parley.member.client.call('commands', { channel_id: discord.channelId('general') });
  return new Map(known.map(({ type, name, id }) => [`${type}:${name}`, id]));
}

export interface InteractionRequest {
  type: InteractionType;
  data: object;
  /** The message that a component stands on. */
  messageId?: string;
  channelId?: string;
}

/** Resolves when it has ended; `meanwhile` is awaited once it was answered. @throws Error with what is wrong about it */
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

/** @throws Error with what has been wrong since the last time, and with these faults */
export function throwProblems({ checker }: BotUnderTest, faults: string[] = []): void {
  const all = [...faults, ...checker.problems.splice(0)];
  checker.lines.length = 0;
  if (all.length > 0) throw new Error(all.slice(0, 3).join('; '));
}

/** While the bot may have lost its gateway, and until it is back. */
const BACK_MS = 60_000;
const AGAIN_MS = 500;

/** Resolves when /help is answered. @throws Error if it is not, for too long */
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
    if (performance.now() > until) throw new Error(`/help is not answered any more: ${faults.join('; ')}`);
    await sleep(AGAIN_MS);
  }
  // What it did with nonsense may be refused.
  checker.problems.length = 0;
  checker.lines.length = 0;
}
