// REST: pinned messages, under the current path and the deprecated one.
// https://docs.discord.com/developers/resources/message#get-channel-pins
import { GatewayIntentBits, PermissionFlagsBits as P } from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { serializeRestMessage } from '../../messages/serialize.ts';
import { fieldError } from '../../validator.ts';
import { emitMessage } from '../../world/message-events.ts';
import { type Channel, isDm, type Message, type World } from '../../world/world.ts';
import { requireChannel, requireMessage } from '../lookup.ts';
import { parseLimit } from '../pagination.ts';
import type { Params, RestDependencies } from '../types.ts';

export function pinRoutes(api: FastifyInstance, { world }: RestDependencies): void {
  api.get('/channels/:channel/messages/pins', (request) => {
    const { limit, before } = request.query as Params;
    const max = parseLimit(limit, 50, 50);
    const end = before === undefined ? Number.POSITIVE_INFINITY : Date.parse(before);
    if (Number.isNaN(end)) throw fieldError('before', 'DATETIME_TYPE_PARSE', `Could not parse ${before} as an ISO8601 date.`);
    const channel = requireChannel(world, request, P.ReadMessageHistory);
    const pins = listPins(world, channel).filter(({ pinnedAt }) => Date.parse(pinnedAt) < end);
    const items = pins.slice(0, max).map(({ pinnedAt, message }) => ({
      pinned_at: pinnedAt,
      message: serializeRestMessage(world, message),
    }));
    return { items, has_more: pins.length > max };
  });
  api.get('/channels/:channel/pins', (request) => {
    const channel = requireChannel(world, request, P.ReadMessageHistory);
    return listPins(world, channel).map(({ message }) => serializeRestMessage(world, message));
  });
  for (const url of ['/channels/:channel/messages/pins/:message', '/channels/:channel/pins/:message'])
    api.route({
      method: ['PUT', 'DELETE'],
      url,
      handler: (request, reply) => {
        const channel = requireChannel(world, request);
        if (!isDm(channel)) requireChannel(world, request, P.PinMessages);
        setPinned(world, channel, requireMessage(world, request), request.method === 'PUT');
        return reply.code(204).send();
      },
    });
}

/** Most recently pinned first. */
function listPins(world: World, channel: Channel): { pinnedAt: string; message: Message }[] {
  return (world.messages.get(channel.id) ?? [])
    .flatMap((message) => (message.pinnedAt === undefined ? [] : [{ pinnedAt: message.pinnedAt, message }]))
    .sort((a, b) => Date.parse(b.pinnedAt) - Date.parse(a.pinnedAt));
}

function setPinned(world: World, channel: Channel, message: Message, isPinned: boolean): void {
  if (message.pinned === isPinned) return;
  message.pinned = isPinned;
  if (isPinned) message.pinnedAt = new Date().toISOString();
  else delete message.pinnedAt;
  emitMessage(world, 'MESSAGE_UPDATE', message);
  const d = { channel_id: channel.id, last_pin_timestamp: listPins(world, channel)[0]?.pinnedAt ?? null };
  const t = 'CHANNEL_PINS_UPDATE';
  if (isDm(channel)) world.emit({ t, d, channel, to: 'bot', intent: GatewayIntentBits.DirectMessages });
  else {
    const { guild_id } = channel;
    world.emit({ t, d: { ...d, guild_id }, channel, to: 'bot', intent: GatewayIntentBits.Guilds, guildId: guild_id });
  }
}
