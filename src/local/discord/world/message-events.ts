// The events of messages: who receives them.
import { GatewayIntentBits } from 'discord-api-types/v10';
import { isDm, type Message, type World } from './world.ts';

/** The event has the world's message: each receiver serializes it as they may see it. An ephemeral one goes to its reader only. */
export function emitMessage(world: World, t: 'MESSAGE_CREATE' | 'MESSAGE_UPDATE', message: Message): void {
  emitInChannel(world, t, message, { visibleTo: message.visibleTo });
}

const MESSAGE_INTENTS = { guild: GatewayIntentBits.GuildMessages, dm: GatewayIntentBits.DirectMessages };

/** Emits an event to those who see the channel and have the intent, or to one member only. */
export function emitInChannel<T extends { channel_id: string }>(
  world: World,
  t: string,
  payload: T,
  { intents = MESSAGE_INTENTS, visibleTo }: { intents?: { guild: number; dm: number }; visibleTo?: string | undefined } = {},
): void {
  const channel = world.channels.get(payload.channel_id);
  if (!channel) return;
  const intent = isDm(channel) ? intents.dm : intents.guild;
  world.emit({
    t,
    d: isDm(channel) ? payload : { ...payload, guild_id: channel.guild_id },
    channel,
    ...(!isDm(channel) && { guildId: channel.guild_id }),
    ...(visibleTo === undefined ? { intent } : { to: { member: visibleTo } }),
  });
}
