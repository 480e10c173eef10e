// REST: responses to interactions, and the follow-up messages.
// https://docs.discord.com/developers/interactions/receiving-and-responding#endpoints
import { InteractionResponseType, MessageFlags } from 'discord-api-types/v10';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { discordErrors } from '../../errors.ts';
import { editMessage } from '../../messages/messages.ts';
import { serializeRestMessage } from '../../messages/serialize.ts';
import { removeMessage } from '../../world/messages.ts';
import { isDm } from '../../world/world.ts';
import { readBody } from '../body.ts';
import type { Params, RestDependencies } from '../types.ts';

export function interactionRoutes(api: FastifyInstance, { world, interactions, attachments }: RestDependencies): void {
  api.post('/interactions/:id/:token/callback', async (request, reply) => {
    const { id = '', token = '' } = request.params as Params;
    const { channel, source } = interactions.requirePending(id, token);
    const { body, files } = await readBody<{ type: number; data?: Record<string, unknown> | null }>(request, attachments, channel.id);
    const { type, message } = interactions.respond(id, token, body.type, body.data ?? {}, files);
    if (!/^(true|1)$/i.test((request.query as Params).with_response ?? '')) return reply.code(204).send();
    const shown = message ?? (body.type === InteractionResponseType.DeferredMessageUpdate ? source : null);
    return {
      interaction: {
        id,
        type,
        channel_id: channel.id,
        ...(!isDm(channel) && { guild_id: channel.guild_id }),
        ...(shown && {
          response_message_id: shown.id,
          response_message_loading: ((shown.flags ?? 0) & MessageFlags.Loading) !== 0,
          response_message_ephemeral: shown.visibleTo !== undefined,
        }),
      },
      resource: { type: body.type, ...(message && { message: serializeRestMessage(world, message) }) },
    };
  });

  const webhook = '/webhooks/:app/:token';
  const parseParams = (request: FastifyRequest) => {
    const { app, token = '', message = '' } = request.params as Params;
    if (app !== world.application.id) throw discordErrors.unknownWebhook();
    return { token, messageId: message };
  };
  api.post(webhook, async (request) => {
    const { token } = parseParams(request);
    const { body, files } = await readBody(request, attachments, interactions.requireToken(token).channel.id);
    return serializeRestMessage(world, interactions.followUp(token, body, files));
  });
  api.get(`${webhook}/messages/:message`, (request) => {
    const { token, messageId } = parseParams(request);
    return serializeRestMessage(world, interactions.requireMessage(interactions.requireToken(token), messageId));
  });
  api.patch(`${webhook}/messages/:message`, async (request) => {
    const { token, messageId } = parseParams(request);
    const interaction = interactions.requireToken(token);
    const { body, files } = await readBody(request, attachments, interaction.channel.id);
    return serializeRestMessage(world, editMessage(world, interactions.requireMessage(interaction, messageId), body, files));
  });
  api.delete(`${webhook}/messages/:message`, (request, reply) => {
    const { token, messageId } = parseParams(request);
    const interaction = interactions.requireToken(token);
    removeMessage(world, interaction.channel.id, interactions.requireMessage(interaction, messageId).id);
    return reply.code(204).send();
  });
}
