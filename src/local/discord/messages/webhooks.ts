// Messages of incoming webhooks, as bridges and other services write them: their author is neither a member nor a user.
import type { APIMessage, APIUser } from 'discord-api-types/v10';
import { addMessage } from '../world/messages.ts';
import type { GuildChannel, Message, World } from '../world/world.ts';
import { createBlankMessage, resolveMentions } from './messages.ts';

/** https://docs.discord.com/developers/resources/webhook#execute-webhook */
export function addWebhookMessage(world: World, channel: GuildChannel, webhook: { id: string; name: string }, content: string): APIMessage {
  const author: APIUser = { id: webhook.id, username: webhook.name, global_name: null, discriminator: '0000', avatar: null, bot: true };
  const message: Message = {
    ...createBlankMessage(channel.id, author),
    content,
    ...resolveMentions(world, content, undefined, author, channel),
    webhook_id: webhook.id,
  };
  addMessage(world, message);
  return message;
}
