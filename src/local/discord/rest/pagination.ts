// How much of a list a request asks for: of messages the latest, or those before, after or around one of them.
// https://docs.discord.com/developers/resources/message#get-channel-messages
import { createFormCheck } from '../errors.ts';

interface Query {
  limit?: string;
  before?: string;
  after?: string;
  around?: string;
}

/** One page, the newest first, of messages in the order of their ids. @throws DiscordProblem 50035 */
export function pageOf<T extends { id: string }>(all: readonly T[], query: Query): T[] {
  const limit = readLimit(query.limit, 50, 100);
  const { before, after, around } = query;
  checkIds({ before, after, around });
  const upTo = (id: string) => all.filter((one) => BigInt(one.id) < BigInt(id));
  const from = (id: string) => all.slice(upTo(id).length);
  if (around !== undefined) {
    const older = Math.floor(limit / 2);
    return [...last(upTo(around), older), ...from(around).slice(0, limit - older)].reverse();
  }
  if (before !== undefined) return last(upTo(before), limit).reverse();
  if (after !== undefined)
    return from(String(BigInt(after) + 1n))
      .slice(0, limit)
      .reverse();
  return last(all, limit).reverse();
}

/** @throws DiscordProblem 50035 unless it is a whole number between 1 and `most` */
export function readLimit(asked: string | undefined, usual: number, most: number): number {
  const limit = asked === undefined ? usual : Number(asked);
  const check = createFormCheck();
  if (!Number.isInteger(limit)) check.fault('limit', 'NUMBER_TYPE_COERCE', `Value "${asked}" is not int.`);
  else if (limit < 1) check.fault('limit', 'NUMBER_TYPE_MIN', 'int value should be greater than or equal to 1.');
  else if (limit > most) check.fault('limit', 'NUMBER_TYPE_MAX', `int value should be less than or equal to ${most}.`);
  check.done();
  return limit;
}

/** @throws DiscordProblem 50035 if one of them is no id */
export function checkIds(ids: Record<string, string | undefined>): void {
  const check = createFormCheck();
  for (const [name, id] of Object.entries(ids))
    if (id !== undefined && !/^\d{1,20}$/.test(id)) check.fault(name, 'NUMBER_TYPE_COERCE', `Value "${id}" is not snowflake.`);
  check.done();
}

function last<T>(list: readonly T[], count: number): T[] {
  return count === 0 ? [] : list.slice(-count);
}
