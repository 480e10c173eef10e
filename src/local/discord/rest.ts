// REST v10: who may ask, rate limits, errors as Discord words them, faults; the routes are in the files beside it.
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ATTACHMENT_LIMIT, type Interactions } from './interactions.ts';
import { DiscordProblem, problems } from './problems.ts';
import { applicationRoutes } from './rest-application.ts';
import { channelRoutes } from './rest-channels.ts';
import { injectFault, type RestFaults } from './rest-faults.ts';
import { receivedBody } from './rest-form.ts';
import { guildRoutes } from './rest-guilds.ts';
import { interactionRoutes } from './rest-interactions.ts';
import { createRateLimits } from './rest-limits.ts';
import type { Uploads } from './uploads.ts';
import type { VoiceServer } from './voice/types.ts';
import type { World } from './world.ts';

/** What a whole request may take beside its files, in bytes. */
const BODY_LIMIT = 1024 * 1024;

/** One request and how it was answered, for whoever checks it against Discord's published description. */
export interface SeenRequest {
  method: string;
  /** Without `/api/v10` and query, decoded. */
  path: string;
  /** JSON, also where it came as `payload_json`; undefined where there was none. */
  body: unknown;
  status: number;
}

export interface RestPowers {
  world: World;
  voice: VoiceServer;
  uploads: Uploads;
  interactions: Interactions;
  gatewayUrl: () => string;
  identifiesLeft: () => number;
  faults: RestFaults;
  onRequest: (request: SeenRequest) => void;
}

export type Params = Record<string, string>;

export async function registerRest(app: FastifyInstance, powers: RestPowers): Promise<void> {
  const limits = createRateLimits();
  await app.register(
    async (api) => {
      await api.register(multipart, { limits: { fileSize: ATTACHMENT_LIMIT, files: 10, fieldSize: BODY_LIMIT } });
      api.setErrorHandler((error, _request, reply) => {
        const problem = asProblem(error);
        return reply.code(problem.status).send(problem.toJSON());
      });
      api.setNotFoundHandler((_, reply) => reply.code(404).send(problems.notFound().toJSON()));
      api.addHook('onRequest', async (request, reply) => {
        if (await injectFault(powers.faults, request, reply)) return reply;
        // Callbacks and webhooks carry their right in their own address.
        const isOpen = /^\/api\/v10\/(interactions|webhooks)\//.test(request.url) || request.url === '/api/v10/gateway';
        if (!isOpen && request.headers.authorization !== `Bot ${powers.world.application.token}`) throw problems.unauthorized();
        const { headers, refusal } = limits.take(request.method, request.routeOptions.url ?? '', request.params as Params, isOpen);
        reply.headers(headers);
        if (refusal) return reply.code(429).send(refusal);
      });
      api.addHook('onSend', async (request, reply) => {
        powers.onRequest({ method: request.method, path: pathOf(request), body: receivedBody(request), status: reply.statusCode });
      });
      applicationRoutes(api, powers);
      interactionRoutes(api, powers);
      channelRoutes(api, powers);
      guildRoutes(api, powers);
    },
    { prefix: '/api/v10' },
  );
}

/** Without prefix and query, decoded as far as it can be. */
function pathOf({ url }: FastifyRequest): string {
  const path = url.replace(/^\/api\/v10/, '').replace(/\?.*$/, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function asProblem(error: unknown): DiscordProblem {
  if (error instanceof DiscordProblem) return error;
  const { statusCode = 500, message, code } = error as { statusCode?: number; message: string; code?: string };
  if (code === 'FST_REQ_FILE_TOO_LARGE' || statusCode === 413) return problems.tooLarge();
  if (error instanceof SyntaxError || code?.startsWith('FST_ERR_CTP')) return problems.malformed();
  return new DiscordProblem(statusCode, 0, `${statusCode}: ${message}`);
}
