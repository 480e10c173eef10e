// Which of our replies has the words of which voice message, to delete it with the message. Only ids are stored, never what was said.
import { z } from 'zod';
import type { Log } from '../../log.ts';
import { readAs, type Store } from '../../store/index.ts';

/** A reply with the words of a message, or with the reason why there are none. */
export interface WordsReply {
  guildId: string;
  /** The channel of both the message and the reply. */
  channelId: string;
  messageId: string;
  replyId: string;
}

/** All methods reject with StoreError. */
export interface WordsLinks {
  /** @param memberIds who sent the message, and who speaks in it */
  add(reply: WordsReply, memberIds: readonly string[]): Promise<void>;
  /** The replies to one message. */
  of(guildId: string, messageId: string): Promise<WordsReply[]>;
  /** The replies to all messages of a member, in any server. */
  ofMember(memberId: string): Promise<WordsReply[]>;
  delete(reply: WordsReply): Promise<void>;
}

/** A conversation is over by then. Members who delete an older voice message can delete the reply with the button below it. */
const KEEP_MS = 30 * 24 * 3600_000;

const linkSchema = z.object({ channelId: z.string(), memberIds: z.array(z.string()) });

export function createWordsLinks(store: Store, log: Log): WordsLinks {
  const keyOf = ({ guildId, messageId, replyId }: WordsReply) => `${linksPrefix(guildId)}${messageId}:${replyId}`;
  const memberKeyOf = (memberId: string, { guildId, messageId, replyId }: WordsReply) =>
    `${memberPrefix(memberId)}${guildId}:${messageId}:${replyId}`;
  const read = (value: unknown) => readAs(linkSchema, value as object | null, log, 'link to the words of a message');

  return {
    async add(reply, memberIds) {
      const members = [...new Set(memberIds)];
      await store.set(keyOf(reply), { channelId: reply.channelId, memberIds: members }, { expiresInMs: KEEP_MS });
      for (const id of members) await store.set(memberKeyOf(id, reply), reply.channelId, { expiresInMs: KEEP_MS });
    },
    async of(guildId, messageId) {
      const prefix = `${linksPrefix(guildId)}${messageId}:`;
      return (await store.list(prefix)).flatMap(([key, value]) => {
        const link = read(value);
        return link ? [{ guildId, messageId, channelId: link.channelId, replyId: key.slice(prefix.length) }] : [];
      });
    },
    async ofMember(memberId) {
      const prefix = memberPrefix(memberId);
      return (await store.list(prefix)).map(([key, channelId]) => {
        const [guildId = '', messageId = '', replyId = ''] = key.slice(prefix.length).split(':');
        return { guildId, messageId, replyId, channelId: String(channelId) };
      });
    },
    async delete(reply) {
      const link = read(await store.get(keyOf(reply)));
      await store.delete(keyOf(reply));
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

/** Prefixes of all keys about a server's voice messages. */
export function guildWordsPrefixes(guildId: string): string[] {
  return [linksPrefix(guildId), toldPrefix(guildId), noticePrefix(guildId)];
}

function memberPrefix(memberId: string): string {
  return `words-of:${memberId}:`;
}
