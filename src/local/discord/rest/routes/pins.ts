// REST: messages that are pinned in a channel, under the path of today and the one before it.
// https://docs.discord.com/developers/resources/message#get-channel-pins
import { GatewayIntentBits, PermissionFlagsBits as P } from 'discord-api-types/v10';
import type { FastifyInstance } from 'fastify';
import { createFormCheck } from '../../errors.ts';
import { asRestMessage } from '../../messages/payloads.ts';
import { type Channel, isDm, type Message, tellMessage, type World } from '../../world/index.ts';
import type { Params, RestPowers } from '../index.ts';
import { channelOf, messageOf } from '../lookup.ts';
import { readLimit } from '../pagination.ts';

export function pinRoutes(api: FastifyInstance, { world }: RestPowers): void {
  api.get('/channels/:channel/messages/pins', (request) => {
    const { limit, before } = request.query as Params;
    const most = readLimit(limit, 50, 50);
    const end = before === undefined ? Number.POSITIVE_INFINITY : Date.parse(before);
    if (Number.isNaN(end)) {
      const check = createFormCheck();
      check.fault('before', 'DATETIME_TYPE_PARSE', `Could not parse ${before} as an ISO8601 date.`);
      throw check.problem();
    }
    const fitting = pinned(world, channelOf(world, request, P.ReadMessageHistory)).filter(({ at }) => Date.parse(at) < end);
    const items = fitting.slice(0, most).map(({ at, message }) => ({ pinned_at: at, message: asRestMessage(world, message) }));
    return { items, has_more: fitting.length > most };
  });
  api.get('/channels/:channel/pins', (request) =>
    pinned(world, channelOf(world, request, P.ReadMessageHistory)).map(({ message }) => asRestMessage(world, message)),
  );
  for (const url of ['/channels/:channel/messages/pins/:message', '/channels/:channel/pins/:message'])
    api.route({
      method: ['PUT', 'DELETE'],
      url,
      handler: (request, reply) => {
        const channel = channelOf(world, request);
        if (!isDm(channel)) channelOf(world, request, P.PinMessages);
        setPinned(world, channel, messageOf(world, request), request.method === 'PUT');
        return reply.code(204).send();
      },
    });
}

/** The latest first. */
function pinned(world: World, channel: Channel): { at: string; message: Message }[] {
  return (world.messages.get(channel.id) ?? [])
    .flatMap((message) => (message.pinnedAt === undefined ? [] : [{ at: message.pinnedAt, message }]))
    .sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
}

function setPinned(world: World, channel: Channel, message: Message, isPinned: boolean): void {
  if (message.pinned === isPinned) return;
  message.pinned = isPinned;
  if (isPinned) message.pinnedAt = new Date().toISOString();
  else delete message.pinnedAt;
  tellMessage(world, 'MESSAGE_UPDATE', message);
  const d = { channel_id: channel.id, last_pin_timestamp: pinned(world, channel)[0]?.at ?? null };
  const t = 'CHANNEL_PINS_UPDATE';
  if (isDm(channel)) world.tell({ t, d, channel, to: 'bot', intent: GatewayIntentBits.DirectMessages });
  else {
    const { guild_id } = channel;
    world.tell({ t, d: { ...d, guild_id }, channel, to: 'bot', intent: GatewayIntentBits.Guilds, guildId: guild_id });
  }
}
