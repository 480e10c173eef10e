// Why Discord refused the bot, as one line for the operator: the cause, then the next step.
import { DiscordAPIError, DiscordjsError, DiscordjsErrorCodes, GatewayCloseCodes, HTTPError } from 'discord.js';
import { ConfigError } from '../config.ts';

const TOKEN_REFUSED = 'DISCORD_TOKEN is refused by Discord: reset it on the Bot page of the developer portal and copy the new one.';

/** https://docs.discord.com/developers/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes */
const CLOSE_REASONS: Partial<Record<number, string>> = {
  [GatewayCloseCodes.AuthenticationFailed]: TOKEN_REFUSED,
  [GatewayCloseCodes.ShardingRequired]:
    'SHARD_COUNT: this bot is in too many servers for so few shards; Discord allows 2,500 servers per shard. Set SHARD_COUNT to auto, stop all processes of this bot, and start Parley again: it then opens as many as Discord recommends.',
  [GatewayCloseCodes.DisallowedIntents]:
    'Discord refuses the intents that Parley asks for: allow them on the Bot page of the developer portal, then start Parley again.',
};

export const NOT_RECONNECTED = 'Could not reconnect to the gateway. Check the network, then start Parley again.';

/** discord.js's own words. It hasn't identified, because Discord would have reset the token. */
const NO_SESSIONS = /^Not enough sessions remaining .* resets at (\S+)$/;

/** Error codes of the network: nothing answers at the address. */
const UNREACHABLE = /^(ECONN|ENOTFOUND|EAI_|ETIMEDOUT|UND_ERR|EHOST|ENET)/;

/** @param code the gateway was closed with, for good */
export function explainGatewayClose(code: number): string {
  return CLOSE_REASONS[code] ?? `Discord closed the gateway for good (code ${code}). Update Parley, or try again later.`;
}

/** @returns a ConfigError if a setting is to blame, else the error itself */
export function explainLoginError(error: unknown, apiUrl: string | null): unknown {
  if (error instanceof DiscordjsError && error.code === DiscordjsErrorCodes.TokenInvalid) return new ConfigError(TOKEN_REFUSED);
  const resetsAt = error instanceof Error ? NO_SESSIONS.exec(error.message)?.[1] : undefined;
  if (resetsAt !== undefined)
    return new ConfigError(
      `Discord lets this bot open no more sessions until ${resetsAt}: it was started too often. Start Parley again after that.`,
    );
  if (error instanceof DiscordAPIError && error.status === 401) return new ConfigError(TOKEN_REFUSED);
  const where = apiUrl ? `DISCORD_API_URL: ${apiUrl}` : 'Discord';
  if (error instanceof DiscordAPIError || error instanceof HTTPError) {
    return new ConfigError(`${where} refuses my login (${error.status}). Check the address, or try again later.`, { cause: error });
  }
  const codes = [error, error instanceof Error ? error.cause : null].map((one) => (one as NodeJS.ErrnoException | null)?.code);
  const code = codes.find((one) => typeof one === 'string' && UNREACHABLE.test(one));
  return code ? new ConfigError(`${where} cannot be reached (${code}). Check the address and the network.`, { cause: error }) : error;
}
