// What the routes of the REST API depend on.
import type { Interactions } from '../interactions/interactions.ts';
import type { LocalDiscordLog } from '../log.ts';
import type { AttachmentStore } from '../messages/attachments.ts';
import type { VoiceServer } from '../voice/types.ts';
import type { World } from '../world/world.ts';
import type { RateLimits } from './rate-limits.ts';

export interface RestDependencies {
  world: World;
  voice: VoiceServer;
  attachments: AttachmentStore;
  interactions: Interactions;
  gatewayUrl: () => string;
  /** The fields of `GET /gateway/bot` besides the address. */
  describeGateway: () => object;
  rateLimits: RateLimits;
  /** What AutoMod lets the application neither send nor edit into a message. */
  blockedWords: readonly string[];
  /** Called after each response. */
  onExchange: (exchange: RestExchange) => void;
  log: LocalDiscordLog;
}

/** A request and its response's status, for tests that check them against Discord's published description. */
export interface RestExchange {
  method: string;
  /** Decoded, without version and query. */
  path: string;
  /** JSON, including `payload_json`; undefined if there was none. */
  body: unknown;
  status: number;
}

/** A route's parameters or query. */
export type Params = Record<string, string>;
