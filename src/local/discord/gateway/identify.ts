// Whom the gateway does not let in, and what it says to them.
import { GatewayCloseCodes } from 'discord-api-types/v10';
import type { World } from '../world/index.ts';
import { areIntents, PRIVILEGED_INTENTS } from './session.ts';

/** https://docs.discord.com/developers/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes */
export type Refusal = readonly [code: GatewayCloseCodes, reason: string];
export const REFUSALS = {
  authenticationFailed: [GatewayCloseCodes.AuthenticationFailed, 'Authentication failed.'],
  alreadyAuthenticated: [GatewayCloseCodes.AlreadyAuthenticated, 'Already authenticated.'],
  invalidVersion: [GatewayCloseCodes.InvalidAPIVersion, 'Invalid API version.'],
  invalidShard: [GatewayCloseCodes.InvalidShard, 'Invalid shard.'],
  invalidIntents: [GatewayCloseCodes.InvalidIntents, 'Invalid intent(s).'],
  disallowedIntents: [GatewayCloseCodes.DisallowedIntents, 'Disallowed intent(s).'],
} as const satisfies Record<string, Refusal>;

type Application = World['application'];

export function isToken(token: unknown, application: Application): boolean {
  return typeof token === 'string' && token.replace(/^Bot /, '') === application.token;
}

/** Why this identify is refused; null where it is not. */
export function refusalOf(
  { token, intents, shard }: { token: unknown; intents: unknown; shard?: unknown },
  application: Application,
): Refusal | null {
  if (!isToken(token, application)) return REFUSALS.authenticationFailed;
  if (!areIntents(intents)) return REFUSALS.invalidIntents;
  if (intents & PRIVILEGED_INTENTS & ~application.privilegedIntents) return REFUSALS.disallowedIntents;
  const [id, count] = (Array.isArray(shard) ? shard : [0, 1]) as [number, number];
  return Number.isInteger(id) && Number.isInteger(count) && id >= 0 && id < count ? null : REFUSALS.invalidShard;
}
