// Our answers to voice messages, with their words or with why there are none: the store knows of each before it is posted, so that it is
// deleted with its message, by whichever process.
import type { APIMessage, GuildTextBasedChannel, MessageCreateOptions } from 'discord.js';
import type { Log } from '../../log.ts';
import { sentOnce, type WordsChannel } from '../../posted-words/channel.ts';
import type { PostedWords } from '../../posted-words/posted-words.ts';
import type { Left, Removal } from '../../posted-words/removals.ts';
import type { Store } from '../../store/index.ts';
import { type AnsweredMessage, createWordsLinks } from './links.ts';

export interface Answers {
  /**
   * Posts an answer that pings nobody, unless the message is gone; deletes it if the message goes meanwhile.
   * @param channel that of the message @param memberIds who sent the message, and who speaks in it
   * @param isGone whether the message is gone, or nobody wants its words any more @throws DiscordAPIError, StoreError
   */
  post(
    channel: GuildTextBasedChannel,
    message: AnsweredMessage,
    memberIds: readonly string[],
    content: MessageCreateOptions,
    isGone: () => Promise<boolean>,
  ): Promise<void>;
  /** Looks for one on Discord: a process may have been killed after it had answered. @throws DiscordAPIError */
  find(message: AnsweredMessage): Promise<APIMessage | undefined>;
  /** Notes one that has been posted. @throws StoreError */
  note(message: AnsweredMessage, replyId: string, memberIds: readonly string[]): Promise<void>;
  /** Deletes all answers to the message. Resolves with what is left to do. @throws StoreError */
  delete(message: AnsweredMessage, memberIds: readonly string[]): Promise<Left[]>;
  /** A message was deleted: deletes the answers to it, and forgets it if it was one. @throws StoreError */
  followDeletion(guildId: string, messageId: string): Promise<void>;
  /** Deletes the answers to all messages of a member. @throws StoreError */
  deleteOf(memberId: string): Promise<void>;
}

/** It handles the removals of answers at once. */
export function createAnswers(store: Store, words: PostedWords, log: Log): Answers {
  const links = createWordsLinks(store, log);

  async function findAll(channel: WordsChannel, messageId: string): Promise<APIMessage[]> {
    return (await channel.listAfter(messageId)).messages.filter((reply) => reply.message_reference?.message_id === messageId);
  }

  const removalOf = ({ guildId, channelId, messageId }: AnsweredMessage, memberId: string): Removal => ({
    kind: 'answer',
    guildId,
    channelId,
    id: messageId,
    memberId,
  });

  const remove = async (message: AnsweredMessage, [memberId = '']: readonly string[]) =>
    (await words.removals.remove([removalOf(message, memberId)])).left;

  words.removals.handle('answer', ({ guildId, channelId, id: messageId }, channel) =>
    words.inTurn(channelId, async () => {
      const link = await links.find(guildId, messageId);
      if (!link) return { count: 0 };
      const replyIds = new Set(link.replyIds);
      if (link.isExpected) for (const { id } of await findAll(channel, messageId)) replyIds.add(id);
      for (const replyId of replyIds) {
        await channel.delete(replyId);
        await links.delete({ guildId, channelId, messageId, replyId });
      }
      await links.unexpect({ guildId, channelId, messageId });
      return { count: replyIds.size };
    }),
  );

  return {
    async post(channel, message, memberIds, content, isGone) {
      try {
        await words.inTurn(channel.id, async () => {
          if (await isGone()) return;
          await links.expect(message, memberIds);
          // Discord refuses it if the message is gone.
          const reply = { messageReference: message.messageId };
          const allowedMentions = { parse: [], repliedUser: false };
          const sent = await channel.send({ ...content, reply, allowedMentions, ...sentOnce() }).catch(async (error: unknown) => {
            // discord.js sends it again if the connection is lost: what is refused then may have arrived before.
            const isPosted = await findAll(words.channel(channel.id), message.messageId).then(
              ({ length }) => length > 0,
              () => true,
            );
            if (!isPosted) await links.unexpect(message);
            throw error;
          });
          await links.add({ ...message, replyId: sent.id }, memberIds);
        });
      } finally {
        if (await isGone()) await remove(message, memberIds);
      }
    },
    find: async ({ channelId, messageId }) => (await findAll(words.channel(channelId), messageId))[0],
    note: (message, replyId, memberIds) => links.add({ ...message, replyId }, memberIds),
    delete: remove,
    async followDeletion(guildId, messageId) {
      // The deleted message may be one of our answers.
      const reply = await links.ofReply(guildId, messageId);
      if (reply) await links.delete(reply);
      const link = await links.find(guildId, messageId);
      if (link) await remove({ guildId, channelId: link.channelId, messageId }, link.memberIds);
    },
    async deleteOf(memberId) {
      await words.removals.remove((await links.ofMember(memberId)).map((message) => removalOf(message, memberId)));
    },
  };
}
