// Why Parley could not start, as one line that names the setting and the next step.
import { ApiError } from './api/index.ts';
import { endingOf } from './api/models.ts';
import { type Config, ConfigError } from './config.ts';
import { StoreError } from './store/index.ts';

/** What Node reports if a folder can't be used: not permitted, not a folder, read-only, full. */
const FILE_ERRORS = ['EACCES', 'EPERM', 'ENOTDIR', 'EEXIST', 'ENOENT', 'EROFS', 'ENOSPC', 'ENAMETOOLONG', 'ERR_SQLITE_ERROR'];
const SQLITE_BUSY = 5;

/** @returns a ConfigError if the port or host is to blame, else the error itself */
export function explainPortError(error: NodeJS.ErrnoException, name: 'PLAYGROUND_PORT' | 'HTTP_PORT', port: number): Error {
  if (error.code === 'EADDRINUSE') {
    const zero = name === 'HTTP_PORT' ? 'none' : 'any free one';
    return new ConfigError(
      `${name}: port ${port} is taken, maybe by a Parley that runs already. End that one, or set ${name} to another port (0: ${zero}).`,
    );
  }
  if (error.code === 'EACCES') return new ConfigError(`${name}: port ${port} may not be used. Set ${name} to a port above 1023.`);
  if (name === 'HTTP_PORT' && ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'].includes(error.code ?? ''))
    return new ConfigError('HTTP_HOST: this machine has no such address. Set HTTP_HOST to one that it has, such as 127.0.0.1 or 0.0.0.0.');
  return error;
}

/** @returns a ConfigError if DATA_DIR is to blame, else the error itself */
export function explainDataDirError(error: unknown, dataDir: string): unknown {
  const { code, cause, message } = error as NodeJS.ErrnoException;
  if ((cause as { errcode?: number } | undefined)?.errcode === SQLITE_BUSY)
    return new ConfigError(
      `DATA_DIR: another Parley, or another voice service, is using ${dataDir}. End that one, or set DATA_DIR to a folder of its own.`,
    );
  if (code === undefined || !FILE_ERRORS.includes(code)) return error;
  return new ConfigError(`DATA_DIR: ${dataDir} cannot be used (${message}). Set DATA_DIR to a folder that I can write to.`);
}

/** @returns a ConfigError if the local Discord, or a package that only it uses, isn't installed, else the error itself */
export function explainMissingLocalDiscord(error: unknown): unknown {
  if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') return error;
  return new ConfigError('DISCORD_TOKEN is missing, and the local Discord is not installed here: set the token of your bot.', {
    cause: error,
  });
}

/** @returns a ConfigError if the store was lost during the start, else the error itself */
export function explainStoreError(error: unknown, { REDIS_URL, DATA_DIR }: Config): unknown {
  if (!(error instanceof StoreError)) return error;
  const why = error.cause instanceof Error ? error.cause.message : error.message;
  const where = REDIS_URL ? `REDIS_URL: the store at ${new URL(REDIS_URL).host}` : `DATA_DIR: the store in ${DATA_DIR}`;
  return new ConfigError(`${where} failed (${why}). Check that it can be used, then start Parley again.`, { cause: error });
}

/** @returns a sentence if the address or the key of the voice service is to blame, else null */
export function explainServiceError(error: unknown, url: string): string | null {
  if (!(error instanceof ApiError)) return null;
  const { host } = new URL(url);
  if (error.kind === 'auth') return 'VOICE_API_KEY is refused by the voice service. Set it to a valid key.';
  if (error.kind === 'forbidden')
    return `VOICE_API_KEY is valid, but may not do this at ${host}: give it permission there to speak, to transcribe, to list voices and to see the balance.`;
  if (error.kind === 'protocol') return `VOICE_API_URL: what answers at ${host} is no voice service. Check the address.`;
  const code = error.status === null ? (error.cause as NodeJS.ErrnoException | undefined)?.code : undefined;
  if (code === undefined) return null;
  return `VOICE_API_URL: ${host} cannot be reached (${code}). Check the address, and that the service is running.`;
}

/** @returns a sentence if the model that speaks ends, whenever that is, else null */
export function explainModelEnd({ VOICE_API_URL, VOICE_MODEL }: Config): string | null {
  const ending = VOICE_API_URL === undefined ? null : endingOf(VOICE_MODEL);
  if (ending === null) return null;
  const { at, successor } = ending;
  return `VOICE_MODEL: ${VOICE_MODEL} ends on ${at}. From then on, the service speaks and bills it as ${successor}, which doesn’t take its moods. Set VOICE_MODEL to ${successor}, or leave it empty.`;
}
