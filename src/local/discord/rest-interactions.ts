// REST: answers to interactions, and the messages that follow them.
import { MessageFlags } from 'discord-api-types/v10';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { changeMessage } from './messages.ts';
import { problems } from './problems.ts';
import type { Params, RestPowers } from './rest.ts';
import { readForm } from './rest-form.ts';
import { asMessage } from './views.ts';

export function interactionRoutes(api: FastifyInstance, powers: RestPowers): void {
  const { world, interactions, uploads } = powers;
  api.post('/interactions/:id/:token/callback', async (request, reply) => {
    const { id = '', token = '' } = request.params as Params;
    const { channel } = interactions.awaited(id, token);
    const { body, files } = await readForm<{ type: number; data?: Record<string, unknown> | null }>(request, uploads, channel.id);
    const answered = interactions.answer(id, token, body.type, body.data ?? {}, files);
    if ((request.query as Params).with_response !== 'true') return reply.code(204).send();
    const { type, message } = answered;
    return {
      interaction: {
        ...{ id, type },
        ...(message && {
          response_message_id: message.id,
          response_message_loading: ((message.flags ?? 0) & MessageFlags.Loading) !== 0,
          response_message_ephemeral: message.onlyFor !== undefined,
        }),
      },
      resource: { type: body.type, ...(message && { message: asMessage(message) }) },
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
    return asMessage(interactions.followUp(token, body, files));
  });
  api.get(`${webhook}/messages/:message`, (request) => {
    const { token, messageId } = known(request);
    return asMessage(interactions.messageOf(interactions.byToken(token), messageId));
  });
  api.patch(`${webhook}/messages/:message`, async (request) => {
    const { token, messageId } = known(request);
    const interaction = interactions.byToken(token);
    const { body, files } = await readForm(request, uploads, interaction.channel.id);
    return asMessage(changeMessage(world, interactions.messageOf(interaction, messageId), body, files));
  });
  api.delete(`${webhook}/messages/:message`, (request, reply) => {
    const { token, messageId } = known(request);
    interactions.remove(token, messageId);
    return reply.code(204).send();
  });
}
