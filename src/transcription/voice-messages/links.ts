// Which of our replies has the words of which voice message, to delete it with the message. Only ids are stored, never what was said.
import { z } from 'zod';
import type { Log } from '../../log.ts';
import { readAs, type Store, type Value } from '../../store/index.ts';

/** A reply with the words of a message, or with the reason why there are none. */
interface WordsReply {
  guildId: string;
  /** The channel of both the message and the reply. */
  channelId: string;
  messageId: string;
  replyId: string;
}

/** A message that has, or is about to have, such replies. */
export type AnsweredMessage = Pick<WordsReply, 'guildId' | 'channelId' | 'messageId'>;

/** All methods reject with StoreError. */
interface WordsLinks {
  /**
   * Call before a reply is posted: should the process end right after that, the reply is known all the same.
   * @param memberIds who sent the message, and who speaks in it
   */
  expect(message: AnsweredMessage, memberIds: readonly string[]): Promise<void>;
  /** Call once it is posted. */
  add(reply: WordsReply, memberIds: readonly string[]): Promise<void>;
  /** No reply was posted, or it has been found. */
  unexpect(message: AnsweredMessage): Promise<void>;
  /** The replies to one message, whose they are, and whether there may be another one. Null if nothing is known of it. */
  find(
    guildId: string,
    messageId: string,
  ): Promise<{ channelId: string; memberIds: string[]; replyIds: string[]; isExpected: boolean } | null>;
  /** The messages of a member that have replies, or may have, in any server. */
  ofMember(memberId: string): Promise<AnsweredMessage[]>;
  /** The link of one of our replies. */
  ofReply(guildId: string, replyId: string): Promise<WordsReply | null>;
  delete(reply: WordsReply): Promise<void>;
}

/** A conversation is over by then. Members who delete an older voice message can delete the reply with the button below it. */
const KEEP_MS = 30 * 24 * 3600_000;

const linkSchema = z.object({ channelId: z.string(), memberIds: z.array(z.string()) });

export function createWordsLinks(store: Store, log: Log): WordsLinks {
  const options = { expiresInMs: KEEP_MS };
  const keyOf = ({ guildId, messageId, replyId }: WordsReply) => `${linksPrefix(guildId)}${messageId}:${replyId}`;
  const replyKeyOf = ({ guildId, replyId }: Pick<WordsReply, 'guildId' | 'replyId'>) => `${repliesPrefix(guildId)}${replyId}`;
  const memberKeyOf = (memberId: string, { guildId, messageId, replyId }: WordsReply) =>
    `${memberPrefix(memberId)}${guildId}:${messageId}:${replyId}`;
  const expectedKey = (guildId: string, messageId: string) => `${expectedPrefix(guildId)}${messageId}`;
  const expectedMemberKey = (memberId: string, guildId: string, messageId: string) =>
    `${expectedMemberPrefix(memberId)}${guildId}:${messageId}`;
  const read = (value: Value) => readAs(linkSchema, value, log, 'link to the words of a message');

  async function unexpect({ guildId, messageId }: AnsweredMessage): Promise<void> {
    const link = read(await store.get(expectedKey(guildId, messageId)));
    await store.delete(expectedKey(guildId, messageId));
    for (const id of link?.memberIds ?? []) await store.delete(expectedMemberKey(id, guildId, messageId));
  }

  return {
    async expect({ guildId, channelId, messageId }, memberIds) {
      const members = [...new Set(memberIds)];
      for (const id of members) await store.set(expectedMemberKey(id, guildId, messageId), channelId, options);
      await store.set(expectedKey(guildId, messageId), { channelId, memberIds: members }, options);
    },
    async add(reply, memberIds) {
      const members = [...new Set(memberIds)];
      await store.set(keyOf(reply), { channelId: reply.channelId, memberIds: members }, options);
      for (const id of members) await store.set(memberKeyOf(id, reply), reply.channelId, options);
      await store.set(replyKeyOf(reply), reply.messageId, options);
      await unexpect(reply);
    },
    unexpect,
    async find(guildId, messageId) {
      const prefix = `${linksPrefix(guildId)}${messageId}:`;
      const links = (await store.list(prefix)).flatMap(([key, value]) => {
        const link = read(value);
        return link ? [{ ...link, replyId: key.slice(prefix.length) }] : [];
      });
      const expected = read(await store.get(expectedKey(guildId, messageId)));
      const [first = expected] = links;
      if (!first) return null;
      const { channelId, memberIds } = first;
      return { channelId, memberIds, replyIds: links.map(({ replyId }) => replyId), isExpected: expected !== null };
    },
    async ofMember(memberId) {
      const answered = new Map<string, AnsweredMessage>();
      for (const prefix of [memberPrefix(memberId), expectedMemberPrefix(memberId)])
        for (const [key, channelId] of await store.list(prefix)) {
          const [guildId = '', messageId = ''] = key.slice(prefix.length).split(':');
          answered.set(messageId, { guildId, messageId, channelId: String(channelId) });
        }
      return [...answered.values()];
    },
    async ofReply(guildId, replyId) {
      const messageId = await store.get(replyKeyOf({ guildId, replyId }));
      if (typeof messageId !== 'string') return null;
      const link = read(await store.get(`${linksPrefix(guildId)}${messageId}:${replyId}`));
      return link && { guildId, messageId, replyId, channelId: link.channelId };
    },
    async delete(reply) {
      const link = read(await store.get(keyOf(reply)));
      await store.delete(keyOf(reply));
      await store.delete(replyKeyOf(reply));
      for (const id of link?.memberIds ?? []) await store.delete(memberKeyOf(id, reply));
    },
  };
}

function linksPrefix(guildId: string): string {
  return `words:${guildId}:`;
}

/** Prefix of the keys of notices in a server's channels; see channel-notices.ts. */
export function toldPrefix(guildId: string): string {
  return `words-told:${guildId}:`;
}

/** Prefix of the keys of the ids of those notices. Earlier versions don't know it, so it isn't part of the other value. */
export function noticePrefix(guildId: string): string {
  return `words-notice:${guildId}:`;
}

// Each kind of link has keys of its own, because earlier versions don't know all of them.

const repliesPrefix = (guildId: string) => `words-reply:${guildId}:`;
const expectedPrefix = (guildId: string) => `words-expected:${guildId}:`;
const expectedMemberPrefix = (memberId: string) => `words-expected-of:${memberId}:`;

/** Prefixes of all keys about a server's voice messages. */
export function guildWordsPrefixes(guildId: string): string[] {
  return [linksPrefix(guildId), repliesPrefix(guildId), expectedPrefix(guildId), toldPrefix(guildId), noticePrefix(guildId)];
}

function memberPrefix(memberId: string): string {
  return `words-of:${memberId}:`;
}
