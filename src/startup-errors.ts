// Why Parley could not start, as one line that names the setting and the next step.
import { ConfigError } from './config.ts';

/** Not permitted, not a folder, read-only, full. */
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
  return new ConfigError(`DATA_DIR: ${dataDir} cannot be used (${message}). Set DATA_DIR to a folder that I may write to.`);
}
