// The store of the settings: Redis if REDIS_URL is set, otherwise the SQLite file in DATA_DIR.
import { join } from 'node:path';
import { type Config, ConfigError } from './config.ts';
import type { Log } from './log.ts';
import { explainDataDirError } from './startup-errors.ts';
import { openSqliteStore, type Store, StoreError } from './store/index.ts';

/**
 * @param isVisitor for a moment, while Parley may be running: looks after nothing
 * @param answerMs milliseconds for an answer of Redis; the default is for what members wait for
 * @throws ConfigError, one line, if it can't be used
 */
export async function openStore(
  config: Config,
  { log, isVisitor = false, answerMs }: { log?: Log; isVisitor?: boolean; answerMs?: number } = {},
): Promise<Store> {
  try {
    if (!config.REDIS_URL) return openSqliteStore(join(config.DATA_DIR, 'parley.db'), Date.now, { isVisitor });
    // Loaded only if it is used.
    const { openRedisStore } = await import('./store/redis.ts');
    return await openRedisStore({
      url: config.REDIS_URL,
      isVisitor,
      ...(answerMs !== undefined && { answerMs }),
      botId: config.DISCORD_TOKEN ? applicationIdOf(config.DISCORD_TOKEN) : null,
      onConnection(isConnected, reason) {
        if (isConnected) log?.info('reconnected to the store');
        else log?.warn({ reason }, 'lost the connection to the store; requests that need it fail until it reconnects');
      },
    });
  } catch (error) {
    throw error instanceof StoreError ? new ConfigError(error.message, { cause: error }) : explainDataDirError(error, config.DATA_DIR);
  }
}

/** A token begins with the id of its application, in base64; it stays the same when the token is reset. */
function applicationIdOf(token: string): string {
  return Buffer.from(token.split('.')[0] ?? '', 'base64').toString();
}
