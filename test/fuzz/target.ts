// What the runner and its targets share.
import type { LocalDiscord } from '../../src/local/discord/index.ts';
import type { Parley } from '../helpers/parley.ts';
import type { Random } from '../helpers/random.ts';
import type { TestVoiceService } from '../helpers/voice-service.ts';
import type { InteractionChecker } from './interaction-checker.ts';

export const TARGET_NAMES = ['uploads', 'msgpack', 'multipart', 'json', 'interactions', 'gateway', 'voice', 'catalogue'] as const;
export type TargetName = (typeof TARGET_NAMES)[number];

/** A whole Parley under attack. */
export interface BotUnderTest {
  parley: Parley;
  discord: LocalDiscord;
  checker: InteractionChecker;
}

/** What the targets attack. */
export interface FuzzEnvironment {
  service: TestVoiceService;
  /** The address that a bot uses. */
  botAccess: { url: string; key: string };
  /** The key for attacking the service directly. */
  key: string;
  /** On the real service, with a third guild for other work that must go on. */
  main: BotUnderTest;
  /** Without a bot. */
  empty: LocalDiscord;
}

export interface Target {
  /**
   * One case, made from `random` alone. Resolves with the outcome in a word or two, for the statistics.
   * @throws Error for anything that is not documented
   */
  attack(random: Random): Promise<string>;
  close?(): Promise<void>;
}

export type OpenTarget = (environment: FuzzEnvironment) => Promise<Target>;
