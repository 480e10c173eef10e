// REST: answers to interactions, and the messages that follow them.
import { InteractionResponseType, MessageFlags } from 'discord-api-types/v10';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { problems } from '../../errors.ts';
import { changeMessage } from '../../messages/index.ts';
import { asRestMessage } from '../../messages/payloads.ts';
import { isDm } from '../../world/index.ts';
import { readForm } from '../body.ts';
import type { Params, RestPowers } from '../index.ts';

export function interactionRoutes(api: FastifyInstance, powers: RestPowers): void {
  const { world, interactions, uploads } = powers;
  api.post('/interactions/:id/:token/callback', async (request, reply) => {
    const { id = '', token = '' } = request.params as Params;
    const { channel, source } = interactions.awaited(id, token);
    const { body, files } = await readForm<{ type: number; data?: Record<string, unknown> | null }>(request, uploads, channel.id);
    const answered = interactions.answer(id, token, body.type, body.data ?? {}, files);
    if (!/^(true|1)$/i.test((request.query as Params).with_response ?? '')) return reply.code(204).send();
    const { type, message } = answered;
    const shown = message ?? (body.type === InteractionResponseType.DeferredMessageUpdate ? source : null);
    return {
      interaction: {
        id,
        type,
        channel_id: channel.id,
        ...(isDm(channel) ? {} : { guild_id: channel.guild_id }),
        ...(shown && {
          response_message_id: shown.id,
          response_message_loading: ((shown.flags ?? 0) & MessageFlags.Loading) !== 0,
          response_message_ephemeral: shown.onlyFor !== undefined,
        }),
      },
      resource: { type: body.type, ...(message && { message: asRestMessage(world, message) }) },
    };
  });
  const webhook = '/webhooks/:app/:token';
  const known = (request: FastifyRequest) => {
    const { app, token = '', message = '' } = request.params as Params;
    if (app !== world.application.id) throw problems.unknownWebhook();
    return { token, messageId: message };
  };
  api.post(webhook, async (request) => {
    const { token } = known(request);
    const { body, files } = await readForm(request, uploads, interactions.byToken(token).channel.id);
    return asRestMessage(world, interactions.followUp(token, body, files));
  });
  api.get(`${webhook}/messages/:message`, (request) => {
    const { token, messageId } = known(request);
    return asRestMessage(world, interactions.messageOf(interactions.byToken(token), messageId));
  });
  api.patch(`${webhook}/messages/:message`, async (request) => {
    const { token, messageId } = known(request);
    const interaction = interactions.byToken(token);
    const { body, files } = await readForm(request, uploads, interaction.channel.id);
    return asRestMessage(world, changeMessage(world, interactions.messageOf(interaction, messageId), body, files));
  });
  api.delete(`${webhook}/messages/:message`, (request, reply) => {
    const { token, messageId } = known(request);
    interactions.remove(token, messageId);
    return reply.code(204).send();
  });
}
