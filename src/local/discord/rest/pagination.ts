// Which part of a list a request asks for: the latest messages, or those before, after or around one of them.
// https://docs.discord.com/developers/resources/message#get-channel-messages
import { createValidator } from '../validator.ts';
import type { Params } from './types.ts';

/** A page of messages, newest first. `messages` are in the order of their ids. @throws DiscordError 50035 */
export function paginate<T extends { id: string }>(messages: readonly T[], { limit: rawLimit, before, after, around }: Params): T[] {
  const limit = parseLimit(rawLimit, 50, 100);
  validateIds({ before, after, around });
  const older = (id: string) => messages.filter((message) => BigInt(message.id) < BigInt(id));
  if (around !== undefined) {
    const olderMessages = older(around);
    const half = Math.floor(limit / 2);
    const newerMessages = messages.slice(olderMessages.length);
    return [...takeLast(olderMessages, half), ...newerMessages.slice(0, limit - half)].reverse();
  }
  if (before !== undefined) return takeLast(older(before), limit).reverse();
  if (after !== undefined) {
    const newer = messages.slice(older(String(BigInt(after) + 1n)).length);
    return newer.slice(0, limit).reverse();
  }
  return takeLast(messages, limit).reverse();
}

/** A page of ids, from the lowest on. @throws DiscordError 50035 */
export function pageOfIds(ids: Iterable<string>, { limit, after = '0' }: Params, defaultLimit: number, max: number): string[] {
  validateIds({ after });
  return [...ids]
    .filter((id) => BigInt(id) > BigInt(after))
    .sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1))
    .slice(0, parseLimit(limit, defaultLimit, max));
}

/** @throws DiscordError 50035 unless it is an integer from 1 to `max` */
export function parseLimit(requested: string | undefined, defaultLimit: number, max: number): number {
  const limit = requested === undefined ? defaultLimit : Number(requested);
  const validator = createValidator();
  if (!Number.isInteger(limit)) validator.addError('limit', 'NUMBER_TYPE_COERCE', `Value "${requested}" is not int.`);
  else if (limit < 1) validator.addError('limit', 'NUMBER_TYPE_MIN', 'int value should be greater than or equal to 1.');
  else if (limit > max) validator.addError('limit', 'NUMBER_TYPE_MAX', `int value should be less than or equal to ${max}.`);
  validator.throwIfInvalid();
  return limit;
}

/** @throws DiscordError 50035 if one of them isn't a snowflake */
function validateIds(ids: Record<string, string | undefined>): void {
  const validator = createValidator();
  for (const [name, id] of Object.entries(ids))
    if (id !== undefined && !/^\d{1,20}$/.test(id)) validator.addError(name, 'NUMBER_TYPE_COERCE', `Value "${id}" is not snowflake.`);
  validator.throwIfInvalid();
}

function takeLast<T>(items: readonly T[], count: number): T[] {
  return count === 0 ? [] : items.slice(-count);
}
