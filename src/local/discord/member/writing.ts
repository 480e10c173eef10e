// What a member writes: messages, replies and forwards, their edits and deletions, and reactions.
import { type APIMessage, type APIUser, MessageFlags, PermissionFlagsBits as P, type RESTAPIPoll } from 'discord-api-types/v10';
import type { AttachmentStore } from '../messages/attachments.ts';
import { createBlankMessage, editMessage, resolveMentions } from '../messages/messages.ts';
import { createPoll, validatePoll } from '../messages/polls.ts';
import { buildForward, buildReply, isForwardable } from '../messages/references.ts';
import { serializeMemberMessage } from '../messages/serialize.ts';
import type { Methods } from '../page/protocol.ts';
import { createValidator } from '../validator.ts';
import { addMessage, removeMessage } from '../world/messages.ts';
import { hasPermissions } from '../world/permissions.ts';
import { addReaction, findReaction, MAX_REACTIONS, parseEmoji, removeReaction } from '../world/reactions.ts';
import { listStickerItems } from '../world/stickers.ts';
import { type Channel, isDm, isThread, type Message, type World } from '../world/world.ts';
import { createLookup } from './lookup.ts';

const MAX_CONTENT_LENGTH = 2000;

/** All throw an Error with a sentence for the member. */
export function createWriting(world: World, userId: string, attachments: AttachmentStore) {
  const { requireChannel, requireMessage } = createLookup(world, userId);
  const user = world.users.get(userId) as APIUser;

  function sendMessage(params: Methods['send_message']['params']): APIMessage {
    const { channel_id, content = '', uploads: uploadIds = [], voice_message, reply_to, sticker_ids = [], poll } = params;
    const channel = requireChannel(
      channel_id,
      P.SendMessages,
      ...(uploadIds.length > 0 ? [P.AttachFiles] : []),
      ...(poll ? [P.SendPolls] : []),
    );
    const isLocked = isThread(channel) && channel.thread_metadata.locked;
    if (isLocked && !hasPermissions(world, userId, channel, P.ManageThreads)) throw new Error('This thread is locked.');
    checkLength(content);
    const isEmpty = content.trim() === '' && uploadIds.length === 0 && sticker_ids.length === 0 && !poll;
    if (isEmpty) throw new Error('There is nothing to send.');
    const stickers = listStickerItems(sticker_ids);
    if (!stickers) throw new Error('There is no such sticker.');
    if (poll) checkPoll(poll);
    if (voice_message && uploadIds.length !== 1) throw new Error('A voice message is one recording.');
    const files = uploadIds.map((id) => {
      const attachment = attachments.findUpload(userId, id);
      if (!attachment) throw new Error('The file is gone: upload it again.');
      return { ...attachment, ...voice_message };
    });
    const replied = reply_to && requireMessage(channel_id, reply_to.message_id);
    const mentioned = resolveMentions(world, content, undefined, user, channel);
    if (replied && reply_to.mention !== false && replied.author.id !== userId && !mentioned.mentions.includes(replied.author))
      mentioned.mentions.push(replied.author);
    return add(channel, {
      content,
      ...mentioned,
      attachments: files,
      ...(voice_message && { flags: MessageFlags.IsVoiceMessage }),
      ...(replied && buildReply(channel, replied.id)),
      ...(stickers.length > 0 && { sticker_items: stickers }),
      ...(poll && { poll: createPoll(poll) }),
    });
  }

  function forwardMessage({ channel_id, message_id, to_channel_id }: Methods['forward_message']['params']): APIMessage {
    const source = requireChannel(channel_id, P.ReadMessageHistory);
    const message = requireMessage(channel_id, message_id);
    if (!isForwardable(message)) throw new Error("This message can't be forwarded.");
    return add(requireChannel(to_channel_id, P.SendMessages), buildForward(source, message));
  }

  function add(channel: Channel, fields: object): APIMessage {
    const message = { ...createBlankMessage(channel.id, user), ...fields } as Message;
    addMessage(world, message);
    return serializeMemberMessage(world, message, userId);
  }

  function checkLength(content: string): void {
    if (content.length > MAX_CONTENT_LENGTH)
      throw new Error(`The message has ${content.length} characters; ${MAX_CONTENT_LENGTH} is the limit.`);
  }

  function checkPoll(poll: RESTAPIPoll): void {
    const validator = createValidator();
    validatePoll(poll, validator);
    try {
      validator.throwIfInvalid();
    } catch {
      throw new Error('A poll has a question of up to 300 characters, and up to ten answers of up to 55 characters.');
    }
  }

  return {
    send_message: sendMessage,
    forward_message: forwardMessage,
    edit_message({ channel_id, message_id, content }: Methods['edit_message']['params']): APIMessage {
      requireChannel(channel_id, P.SendMessages);
      const message = requireMessage(channel_id, message_id);
      if (message.author.id !== userId) throw new Error('You can only edit your own messages.');
      if (message.message_snapshots || message.poll || (message.flags ?? 0) & MessageFlags.IsVoiceMessage)
        throw new Error("This message can't be edited.");
      checkLength(content);
      if (content.trim() === '' && message.attachments.length === 0 && !message.sticker_items)
        throw new Error('The message would be empty. Delete it instead.');
      return serializeMemberMessage(world, editMessage(world, message, { content }, new Map()), userId);
    },
    delete_message({ channel_id, message_id }: Methods['delete_message']['params']): null {
      const channel = requireChannel(channel_id);
      const message = requireMessage(channel_id, message_id);
      const isOwn = message.author.id === userId || message.visibleTo === userId;
      const isModerator = !isDm(channel) && hasPermissions(world, userId, channel, P.ManageMessages);
      if (!isOwn && !isModerator) throw new Error('You may not delete this message.');
      removeMessage(world, channel_id, message_id);
      return null;
    },
    add_reaction({ channel_id, message_id, emoji: text }: Methods['add_reaction']['params']): null {
      requireChannel(channel_id, P.ReadMessageHistory);
      const message = requireMessage(channel_id, message_id);
      const emoji = parseEmoji(world, text);
      if (emoji === null || message.visibleTo !== undefined) throw new Error("You can't react to this message with that.");
      if (!findReaction(message, emoji)) {
        requireChannel(channel_id, P.AddReactions);
        if ((message.reactedBy?.length ?? 0) >= MAX_REACTIONS)
          throw new Error(`A message has ${MAX_REACTIONS} different reactions at most.`);
      }
      addReaction(world, message, userId, emoji);
      return null;
    },
    remove_reaction({ channel_id, message_id, emoji }: Methods['remove_reaction']['params']): null {
      requireChannel(channel_id);
      removeReaction(world, requireMessage(channel_id, message_id), userId, parseEmoji(world, emoji) ?? emoji);
      return null;
    },
  };
}
