// The log: JSON lines, or readable ones on a terminal. Never tokens, keys, names, or what members said or heard.
import { type Logger, pino } from 'pino';

/** Loaded only on a terminal, since it has 30 files. */
const pretty = process.stdout.isTTY ? (await import('pino-pretty')).default : null;

export type Log = Logger;

export function createLog(level: string): Log {
  // Synchronous, not in a worker: the last lines before an exit must not be lost.
  return pretty
    ? pino({ level }, pretty({ sync: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss' }))
    : pino({ level }, pino.destination({ sync: true }));
}
