// Why Discord closed the gateway for good, and what to do about it.
import { GatewayCloseCodes } from 'discord.js';

/** https://docs.discord.com/developers/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes */
const REASONS: Partial<Record<number, string>> = {
  [GatewayCloseCodes.AuthenticationFailed]:
    'DISCORD_TOKEN is refused by Discord: copy the token anew from the Bot page of the developer portal.',
  [GatewayCloseCodes.ShardingRequired]:
    'Discord wants this bot to be split into shards, because it is in too many servers for one connection. Leave some of them.',
  [GatewayCloseCodes.DisallowedIntents]:
    'Discord refuses the intents that Parley asks for: allow them on the Bot page of the developer portal, then start Parley again.',
};

/** One line: the cause, then the next step. @param code with which the gateway was closed */
export function explainGatewayClose(code: number): string {
  return REASONS[code] ?? `Discord closed the gateway for good (code ${code}). Update Parley, or try again later.`;
}
