// Validates Identify: token, intents and shard, and the close codes for those that are refused.
// https://docs.discord.com/developers/events/gateway#identifying
import { GatewayCloseCodes, GatewayIntentBits } from 'discord-api-types/v10';
import type { Application } from '../world/world.ts';

/** https://docs.discord.com/developers/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes */
type Refusal = readonly [code: GatewayCloseCodes, reason: string];
export const REFUSALS = {
  authenticationFailed: [GatewayCloseCodes.AuthenticationFailed, 'Authentication failed.'],
  alreadyAuthenticated: [GatewayCloseCodes.AlreadyAuthenticated, 'Already authenticated.'],
  invalidVersion: [GatewayCloseCodes.InvalidAPIVersion, 'Invalid API version.'],
  invalidShard: [GatewayCloseCodes.InvalidShard, 'Invalid shard.'],
  shardingRequired: [GatewayCloseCodes.ShardingRequired, 'Sharding required.'],
  invalidIntents: [GatewayCloseCodes.InvalidIntents, 'Invalid intent(s).'],
  disallowedIntents: [GatewayCloseCodes.DisallowedIntents, 'Disallowed intent(s).'],
} as const satisfies Record<string, Refusal>;

/** Intents that must be enabled for an application before it may use them. */
const PRIVILEGED_INTENTS = GatewayIntentBits.GuildMembers | GatewayIntentBits.GuildPresences | GatewayIntentBits.MessageContent;

const ALL_INTENTS = Object.values(GatewayIntentBits).reduce<number>((all, bit) => (typeof bit === 'number' ? all | bit : all), 0);

export function isToken(token: unknown, application: Application): boolean {
  return typeof token === 'string' && token.replace(/^Bot /, '') === application.token;
}

/**
 * The intents of an Identify. Before version 8 they may be absent, which means all unprivileged ones; before version 10, an application
 * with the message content intent enabled has it without requesting it.
 */
export function resolveIntents(requested: unknown, version: number, application: Application): unknown {
  const intents = requested === undefined && version < 8 ? ALL_INTENTS & ~PRIVILEGED_INTENTS : requested;
  const implied = version < 10 ? application.privilegedIntents & GatewayIntentBits.MessageContent : 0;
  return isIntents(intents) ? intents | implied : intents;
}

/** Why an Identify with these resolved intents is refused; null if it isn't. */
export function findRefusal(token: unknown, intents: unknown, shard: unknown, application: Application): Refusal | null {
  if (!isToken(token, application)) return REFUSALS.authenticationFailed;
  if (!isIntents(intents)) return REFUSALS.invalidIntents;
  if (intents & PRIVILEGED_INTENTS & ~application.privilegedIntents) return REFUSALS.disallowedIntents;
  const [id, count] = resolveShard(shard);
  return Number.isInteger(id) && Number.isInteger(count) && id >= 0 && id < count ? null : REFUSALS.invalidShard;
}

export function resolveShard(shard: unknown): readonly [id: number, count: number] {
  return Array.isArray(shard) ? (shard as unknown as [number, number]) : [0, 1];
}

/** Whether every set bit is an intent. */
function isIntents(value: unknown): value is number {
  return Number.isInteger(value) && ((value as number) & ~ALL_INTENTS) === 0;
}
