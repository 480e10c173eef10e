// What is fuzzed: the real bot on a local Discord, and the real voice service.

import { toOperatorBudgets } from '../../src/charging/index.ts';
import { readConfig } from '../../src/config.ts';
import { startLocalDiscord } from '../../src/local/discord/index.ts';
import { startParley } from '../helpers/parley.ts';
import { startTestVoiceService } from '../helpers/voice-service.ts';
import { createInteractionChecker } from './interaction-checker.ts';
import type { BotUnderTest, FuzzEnvironment } from './target.ts';

const CREDIT = '1000000000';
const KEYS = ['bot', 'attacker', 'others'] as const;

export interface RunningBot extends BotUnderTest {
  close(): Promise<void>;
  /** The same without checks of what the bot sent, for targets that send it nonsense. */
  closeUnseen(): Promise<void>;
}

/** Budgets must not get in the way. */
const budgets = toOperatorBudgets(
  readConfig({ BUDGET_MEMBER_CHARACTERS: '0', BUDGET_MEMBER_MINUTES: '0', BUDGET_GUILD_CHARACTERS: '0', BUDGET_GUILD_MINUTES: '0' }),
);

export async function startBotUnderTest(service: { url: string; key: string }, guilds = 1): Promise<RunningBot> {
  const checker = createInteractionChecker();
  const parley = await startParley({ service, budgets, logTo: checker.logTo, discord: { guilds } });
  checker.watch(parley.discord);
  const close = () => parley.close();
  const closeUnseen = () =>
    close().catch((error: Error) => {
      if (error.name !== 'AssertionError') throw error;
    });
  return { parley, discord: parley.discord, checker, close, closeUnseen };
}

export async function startFuzzEnvironment(): Promise<FuzzEnvironment & { othersKey: string; close(): Promise<void> }> {
  const service = await startTestVoiceService({ keys: KEYS.map((key) => ({ key, credit: CREDIT })) });
  const botAccess = { url: service.url, key: KEYS[0] };
  const main = await startBotUnderTest(botAccess, 3);
  // Many channels, so that requests are not rate-limited.
  const empty = await startLocalDiscord({ guilds: 40 });
  return {
    ...{ service, botAccess, main, empty, key: KEYS[1], othersKey: KEYS[2] },
    async close() {
      await main.close();
      await empty.close();
      await service.close();
    },
  };
}
