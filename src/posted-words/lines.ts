// Messages made of lines, such as "**Name** words": whose each line is, noted before it is posted or changed, so that a process that is
// killed at any moment leaves no line that is nobody's, or somebody else's. Only ids and times are stored.
//
// Each change either adds lines of members or removes some. So if it isn't known whether one was made, the number of lines in the message
// tells.
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Log } from '../log.ts';
import { readAs, type Store, type Value } from '../store/index.ts';
import { asMarkdown } from '../text/untrusted-text.ts';
import { isAnswered, isRefused, type WordsChannel } from './channel.ts';

/** How long it is kept whose each line is, unless that is renewed or forgotten: for a day after the last process of the captions. */
const KEEP_MS = 24 * 3600_000;
const KEEP_UNDELETED_MS = 30 * 24 * 3600_000;
/** UTF-16 units of a line: nobody says more in one breath, but a service may answer anything. */
const MAX_LINE = 1_300;
/** Names on Discord are shorter. */
const MAX_NAME = 60;

/** The line of what somebody said; it has no line break, and nothing in it is formatted but the name. Null if nothing of it is visible. */
export function lineOf(name: string, text: string): string | null {
  const words = asMarkdown(text, MAX_LINE);
  return words === '' ? null : `**${asMarkdown(name, MAX_NAME) || '?'}** ${words}`;
}

/** The name and the words of such a line; null for a line of ours. */
export function readLine(line: string): { name: string; text: string } | null {
  const [, name, text] = /^\*\*((?:\\.|[^\\*])+)\*\* (.+)$/su.exec(line) ?? [];
  const asWritten = (escaped: string) => escaped.replace(/\\(.)/gsu, '$1');
  return name === undefined || text === undefined ? null : { name: asWritten(name), text: asWritten(text) };
}

/** Whose a line is; null = one of ours. Times in milliseconds since 1970. */
export type Line = [memberId: string | null, startedAt: number, endedAt: number];

/** A message with lines, as it is. */
interface PostedMessage {
  id: string;
  content: string;
  /** In their order. */
  lines: Line[];
}

/** All methods reject with StoreError, and with DiscordAPIError if they are given a channel. Those are called in the channel's turn. */
export interface PostedLines {
  /**
   * Posts a message. If it isn't known whether the last one arrived, looks for that one first, and resolves with it instead.
   * @param since the id of an earlier message in the channel
   */
  post(guildId: string, channel: WordsChannel, message: Omit<PostedMessage, 'id'>, since: string): Promise<PostedMessage>;
  /** Changes a message, or deletes it if it has no content; adds lines of members or removes some, but not both. */
  change(guildId: string, channel: WordsChannel, message: PostedMessage): Promise<void>;
  /** Finds out what became of changes that another process, or a lost connection, has left open. */
  settle(guildId: string, channel: WordsChannel): Promise<PostedMessage[]>;
  /** A message as it is now. Null if it is gone, or if it can't be told whose its lines are. */
  look(guildId: string, channel: WordsChannel, messageId: string): Promise<PostedMessage | null>;
  /** What members said in a message, in its order: the place of each line in it, and the line's text. */
  read(guildId: string, channel: WordsChannel, messageId: string): Promise<{ line: Line; text: string }[]>;
  /** Removes lines from a message, and the message if none of a member's is left. Resolves with how many. */
  remove(guildId: string, channel: WordsChannel, messageId: string, isRemoved: (line: Line) => boolean): Promise<number>;
  /** The messages after this one, by its id, in the order in which they were written. */
  list(guildId: string, since: string): Promise<[messageId: string, lines: Line[]][]>;
  /** The servers in which there are lines of a member's. */
  guildsOf(memberId: string): Promise<string[]>;
  /** Keeps whose the lines are for as long as if all had just been written. */
  renew(guildId: string): Promise<void>;
  /** Forgets a message that is gone. */
  forget(guildId: string, messageId: string): Promise<void>;
  /** Forgets all, except for messages with lines of these members, which are still to be deleted: those are kept for a month. */
  forgetAll(guildId: string, except: ReadonlySet<string>): Promise<void>;
}

const linesSchema = z.array(z.tuple([z.string().nullable(), z.number(), z.number()]));
const changeSchema = z.object({
  /** What the message had. */
  from: linesSchema,
  to: linesSchema,
  /** Of a new one: the id of an earlier message in the channel. */
  since: z.string().nullable(),
});
type Change = z.infer<typeof changeSchema>;

/** Begins what the key of a change has in place of the id of a message that is new. */
const NEW = 'new-';
const LINES = 'captions-lines:';
const CHANGES = 'captions-change:';

/** Prefixes of all keys about the lines in a server. */
export const linesPrefixes = (guildId: string) => [`${LINES}${guildId}:`, `${CHANGES}${guildId}:`];

const ofMembers = (lines: readonly Line[]) => lines.filter(([id]) => id !== null);
const isSame = (a: readonly Line[], b: readonly Line[]) => JSON.stringify(a) === JSON.stringify(b);
const saidIn = (content: string) => content.split('\n').filter((text) => readLine(text) !== null);
const byAge = ([a]: [string, unknown], [b]: [string, unknown]) => (BigInt(a) < BigInt(b) ? -1 : 1);

export function createPostedLines(store: Store, log: Log): PostedLines {
  const options = { expiresInMs: KEEP_MS };
  const linesKey = (guildId: string, id: string) => `${LINES}${guildId}:${id}`;
  const changeKey = (guildId: string, id: string) => `${CHANGES}${guildId}:${id}`;
  const readLines = (value: Value) => readAs(linesSchema, value, log, 'lines of captions');
  const readChange = (value: Value) => readAs(changeSchema, value, log, 'change of lines of captions');
  /** Servers in which a new message may or may not have arrived. */
  const uncertain = new Set<string>();

  async function list(guildId: string, since: string): Promise<[messageId: string, lines: Line[]][]> {
    const prefix = linesKey(guildId, '');
    const messages = (await store.list(prefix)).flatMap(([key, value]): [string, Line[]][] => {
      const [id, lines] = [key.slice(prefix.length), readLines(value)];
      return lines && BigInt(id) > BigInt(since) ? [[id, lines]] : [];
    });
    return messages.sort(byAge);
  }

  async function forget(guildId: string, messageId: string): Promise<void> {
    await store.delete(linesKey(guildId, messageId));
    await store.delete(changeKey(guildId, messageId));
  }

  /** Which lines a message has. Null if that can't be told. */
  function tell(content: string, lines: Line[], change: Change | null): Line[] | null {
    const count = saidIn(content).length;
    const fits = (candidate: Line[]) => ofMembers(candidate).length === count;
    if (fits(lines)) return lines;
    // A process of an earlier version may have changed it since.
    return change && isSame(change.from, lines) && fits(change.to) ? change.to : null;
  }

  async function look(guildId: string, channel: WordsChannel, messageId: string): Promise<PostedMessage | null> {
    const content = await channel.read(messageId);
    if (content === null) {
      await forget(guildId, messageId);
      return null;
    }
    const lines = readLines(await store.get(linesKey(guildId, messageId))) ?? [];
    const told = tell(content, lines, readChange(await store.get(changeKey(guildId, messageId))));
    if (told && !isSame(told, lines)) await store.set(linesKey(guildId, messageId), told, options);
    if (!told) log.warn({ guild: guildId, message: messageId }, 'it is not known whose the lines of a message of captions are');
    return told && { id: messageId, content, lines: told };
  }

  async function change(guildId: string, channel: WordsChannel, { id, content, lines }: PostedMessage): Promise<void> {
    const from = readLines(await store.get(linesKey(guildId, id))) ?? [];
    const isTold = isSame(from, lines);
    if (!isTold) await store.set(changeKey(guildId, id), { from, to: lines, since: null }, options);
    if (content === '') {
      await channel.delete(id);
      await forget(guildId, id);
      return;
    }
    await channel.edit(id, content);
    if (!isTold) await store.set(linesKey(guildId, id), lines, options);
  }

  async function settle(guildId: string, channel: WordsChannel): Promise<PostedMessage[]> {
    const notedIds = new Set((await list(guildId, '0')).map(([id]) => id));
    const messages: PostedMessage[] = [];
    const prefix = changeKey(guildId, NEW);
    for (const [key, value] of await store.list(prefix)) {
      const noted = readChange(value);
      if (noted?.since) {
        const isIt = ({ id, content }: { id: string; content: string }) =>
          content !== '' && !notedIds.has(id) && saidIn(content).length === ofMembers(noted.to).length;
        const arrived = (await channel.listAfter(noted.since)).messages.find(isIt);
        if (arrived) {
          await store.set(linesKey(guildId, arrived.id), noted.to, options);
          notedIds.add(arrived.id);
          messages.push({ id: arrived.id, content: arrived.content, lines: noted.to });
        }
      }
      await store.delete(key);
    }
    uncertain.delete(guildId);
    return messages;
  }

  return {
    async post(guildId, channel, { content, lines }, since) {
      const [arrived] = uncertain.has(guildId) ? await settle(guildId, channel) : [];
      if (arrived) return arrived;
      const key = changeKey(guildId, NEW + randomUUID());
      const [newest = since] = (await list(guildId, since)).at(-1) ?? [];
      await store.set(key, { from: [], to: lines, since: newest }, options);
      uncertain.add(guildId);
      const id = await channel.send(content).catch(async (error: unknown) => {
        if (isAnswered(error)) {
          await store.delete(key);
          uncertain.delete(guildId);
        }
        throw error;
      });
      await store.set(linesKey(guildId, id), lines, options);
      await store.delete(key);
      uncertain.delete(guildId);
      return { id, content, lines };
    },
    change,
    settle,
    look,
    async read(guildId, channel, messageId) {
      const message = await look(guildId, channel, messageId);
      const said = message && saidIn(message.content);
      return ofMembers(message?.lines ?? []).map((line, index) => ({ line, text: said?.[index] ?? '' }));
    },
    async remove(guildId, channel, messageId, isRemoved) {
      const message = await look(guildId, channel, messageId);
      if (!message?.lines.some(isRemoved)) return 0;
      const owners = ofMembers(message.lines);
      const texts = message.content.split('\n').map((text) => ({ text, owner: readLine(text) === null ? null : (owners.shift() ?? null) }));
      const left = texts.filter(({ owner }) => owner === null || !isRemoved(owner));
      const lines = message.lines.filter((line) => !isRemoved(line));
      const isLeft = (kept: readonly { text: string }[]) => {
        const refused = new Set(left.filter((textLine) => !kept.some((other) => other === textLine)).map(({ owner }) => owner));
        const ownersLeft = lines.filter((line) => !refused.has(line));
        return change(guildId, channel, { id: messageId, content: kept.map(({ text }) => text).join('\n'), lines: ownersLeft });
      };
      await writeWhatIsTaken(left, isLeft);
      return message.lines.length - lines.length;
    },
    list,
    async guildsOf(memberId) {
      const guilds = new Set<string>();
      for (const prefix of [LINES, CHANGES])
        for await (const { key, value } of store.entries(prefix)) {
          const lines = prefix === LINES ? readLines(value) : readChange(value)?.to;
          if (lines?.some(([id]) => id === memberId)) guilds.add(key.slice(prefix.length).split(':')[0] ?? '');
        }
      return [...guilds];
    },
    async renew(guildId) {
      for (const prefix of linesPrefixes(guildId))
        for (const [key, value] of await store.list(prefix)) await store.compareAndSet(key, value, value, options);
    },
    forget,
    async forgetAll(guildId, except) {
      for (const [id, lines] of await list(guildId, '0')) {
        const isKept = lines.some(([memberId]) => memberId !== null && except.has(memberId));
        if (isKept) await store.set(linesKey(guildId, id), lines, { expiresInMs: KEEP_UNDELETED_MS });
        else await forget(guildId, id);
      }
      if (except.size === 0) await store.deleteAll(changeKey(guildId, ''));
      uncertain.delete(guildId);
    },
  };
}

/**
 * Writes all of the items or, if Discord refuses them for what they say, those that it accepts: each is tried together with those accepted
 * before. Resolves with the refused ones.
 * @param accepted items that are known to be accepted
 */
export async function writeWhatIsTaken<T>(
  items: readonly T[],
  write: (items: readonly T[]) => Promise<void>,
  accepted: readonly T[] = [],
): Promise<T[]> {
  try {
    await write(items);
    return [];
  } catch (error) {
    if (!isRefused(error)) throw error;
  }
  const good = new Set(accepted);
  const unknown = items.filter((item) => !good.has(item));
  if (unknown.length === 1 && good.size > 0) return unknown;
  const refused: T[] = [];
  for (const item of unknown) {
    try {
      await write(items.filter((other) => other === item || good.has(other)));
      good.add(item);
    } catch (error) {
      if (!isRefused(error)) throw error;
      refused.push(item);
    }
  }
  // All items were refused, so nothing is left to be written.
  if (good.size === 0) await write([]);
  return refused;
}
