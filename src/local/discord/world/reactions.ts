// Reactions to messages, and their events. https://docs.discord.com/developers/resources/message#reaction-object
import { GatewayIntentBits, ReactionType } from 'discord-api-types/v10';
import { emitInChannel } from './message-events.ts';
import { guildOf, type Message, type Reaction, type World } from './world.ts';

/** Different emoji on one message. */
export const MAX_REACTIONS = 20;

/**
 * An emoji as reactions keep it: a character, or `name:id` of a guild's own. Discord accepts an emoji with or without the variation selector
 * that makes a character one. Null if it isn't an emoji.
 */
export function parseEmoji(world: World, text: string): string | null {
  const [, id] = /^\w+:(\d+)$/.exec(text) ?? [];
  if (id !== undefined) {
    const emoji = [...world.guilds.values()].flatMap(({ emojis }) => emojis).find((candidate) => candidate.id === id);
    return emoji ? `${emoji.name}:${id}` : null;
  }
  return [text, `${text}\ufe0f`].find((candidate) => /^\p{RGI_Emoji}$/v.test(candidate)) ?? null;
}

/** As messages and events name it. */
export function serializeEmoji(emoji: string): { id: string | null; name: string } {
  const [, name, id] = /^(\w+):(\d+)$/.exec(emoji) ?? [];
  return name !== undefined && id !== undefined ? { id, name } : { id: null, name: emoji };
}

export function findReaction({ reactedBy = [] }: Message, emoji: string): Reaction | undefined {
  return reactedBy.find((reaction) => reaction.emoji === emoji);
}

/** Does nothing if this user has already reacted with the emoji. The caller checks permissions and the limit. */
export function addReaction(world: World, message: Message, userId: string, emoji: string): void {
  const reaction = findReaction(message, emoji);
  if (reaction?.userIds.includes(userId)) return;
  if (reaction) reaction.userIds.push(userId);
  else message.reactedBy = [...(message.reactedBy ?? []), { emoji, userIds: [userId] }];
  const channel = world.channels.get(message.channel_id);
  const member = channel && guildOf(world, channel)?.members.get(userId);
  emit(world, 'MESSAGE_REACTION_ADD', message, {
    user_id: userId,
    emoji: serializeEmoji(emoji),
    type: ReactionType.Normal,
    burst: false,
    message_author_id: message.author.id,
    ...(member && { member }),
  });
}

/** Does nothing if this user has not reacted with the emoji. */
export function removeReaction(world: World, message: Message, userId: string, emoji: string): void {
  const reaction = findReaction(message, emoji);
  if (!reaction?.userIds.includes(userId)) return;
  reaction.userIds = reaction.userIds.filter((id) => id !== userId);
  if (reaction.userIds.length === 0) message.reactedBy = message.reactedBy?.filter((other) => other !== reaction) ?? [];
  emit(world, 'MESSAGE_REACTION_REMOVE', message, {
    user_id: userId,
    emoji: serializeEmoji(emoji),
    type: ReactionType.Normal,
    burst: false,
  });
}

/** Removes the reactions with one emoji, or all. */
export function clearReactions(world: World, message: Message, emoji?: string): void {
  if (emoji !== undefined && !findReaction(message, emoji)) return;
  message.reactedBy = emoji === undefined ? [] : (message.reactedBy?.filter((reaction) => reaction.emoji !== emoji) ?? []);
  if (emoji === undefined) emit(world, 'MESSAGE_REACTION_REMOVE_ALL', message, {});
  else emit(world, 'MESSAGE_REACTION_REMOVE_EMOJI', message, { emoji: serializeEmoji(emoji) });
}

function emit(world: World, t: string, { id, channel_id }: Message, payload: object): void {
  const intents = { guild: GatewayIntentBits.GuildMessageReactions, dm: GatewayIntentBits.DirectMessageReactions };
  emitInChannel(world, t, { channel_id, message_id: id, ...payload }, { intents });
}
