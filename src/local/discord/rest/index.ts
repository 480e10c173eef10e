// REST: who may ask, rate limits, errors as Discord words them, faults; the routes are in the files beside it.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isVersion } from '../api-versions.ts';
import { DiscordProblem, problems } from '../errors.ts';
import type { Interactions } from '../interactions/index.ts';
import type { Uploads } from '../messages/attachments.ts';
import type { LocalDiscordLog } from '../types.ts';
import type { VoiceServer } from '../voice/types.ts';
import type { World } from '../world/index.ts';
import { receivedBody, registerBodies } from './body.ts';
import { injectFault, type RestFaults } from './faults.ts';
import { createRateLimits } from './rate-limits.ts';
import { applicationRoutes } from './routes/application.ts';
import { channelRoutes } from './routes/channels.ts';
import { guildRoutes } from './routes/guilds.ts';
import { interactionRoutes } from './routes/interactions.ts';
import { messageRoutes } from './routes/messages.ts';
import { pinRoutes } from './routes/pins.ts';
import { soundboardRoutes } from './routes/soundboard.ts';

/** One request and how it was answered, for whoever checks it against Discord's published description. */
export interface SeenRequest {
  method: string;
  /** Without version and query, decoded. */
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
  log?: LocalDiscordLog | undefined;
}

export type Params = Record<string, string>;

export async function registerRest(app: FastifyInstance, powers: RestPowers): Promise<void> {
  const limits = createRateLimits();
  const noted = new Set<string>();

  /** Says, once for each, what a bot asked for that isn't there. */
  function refuseUnknown(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const route = `${request.method} ${nameOf(request)}`;
    if (!noted.has(route) && noted.size < MOST_NOTED) {
      noted.add(route);
      powers.log?.warn({ route }, 'the bot asked for a route that the local Discord does not have');
    }
    return reply.code(404).send(problems.notFound().toJSON());
  }

  await app.register(
    async (api) => {
      await registerBodies(api);
      api.setErrorHandler((error, _request, reply) => {
        const problem = asProblem(error);
        return reply.code(problem.status).send(problem.toJSON());
      });
      api.setNotFoundHandler(refuseUnknown);
      api.addHook('onRequest', async (request, reply) => {
        if (await injectFault(powers.faults, request, reply)) return reply;
        // Callbacks and webhooks carry their right in their own address.
        const isOpen = /^\/api\/v10\/(interactions|webhooks)\//.test(request.url) || request.url === '/api/v10/gateway';
        if (!isOpen && request.headers.authorization !== `Bot ${powers.world.application.token}`) throw problems.unauthorized();
        const { headers, refusal } = limits.take(request.method, request.routeOptions.url ?? '', request.params as Params, isOpen);
        reply.headers(headers);
        if (refusal) return reply.code(429).send(refusal);
        if (!Object.entries(request.params as Params).every(isIdOrToken)) return refuseUnknown(request, reply);
      });
      api.addHook('onSend', async (request, reply) => {
        // As Discord writes it. Some libraries parse a body only if its type is exactly this.
        if (String(reply.getHeader('content-type')).startsWith('application/json')) reply.header('content-type', 'application/json');
        powers.onRequest({ method: request.method, path: pathOf(request), body: receivedBody(request), status: reply.statusCode });
      });
      applicationRoutes(api, powers);
      interactionRoutes(api, powers);
      channelRoutes(api, powers);
      messageRoutes(api, powers);
      pinRoutes(api, powers);
      api.all(UNSUPPORTED, () => {
        throw problems.invalidVersion();
      });
      soundboardRoutes(api);
      guildRoutes(api, powers);
    },
    { prefix: '/api/v10' },
  );
}

/**
 * The path under which every version's routes are: what differs between them concerns nothing that is here. Without a version it is
 * Discord's default. https://docs.discord.com/developers/reference#api-versioning
 */
export function withoutVersion(url: string): string {
  const [, version, rest] = /^\/api(?:\/v(\d+))?(?=[/?]|$)(.*)$/.exec(url) ?? [];
  if (rest === undefined) return url;
  return isVersion(version) ? `/api/v10${rest}` : `/api/v10${UNSUPPORTED}`;
}

/** Routes that the local Discord doesn't have begin like others that it has: `/messages/pins` is not a message called `pins`. */
function isIdOrToken([name, value]: [string, string]): boolean {
  return name === 'token' || name === '*' || /^\d+$/.test(value) || value === '@me' || value === '@original';
}

/** Where requests of versions end that Discord doesn't serve. */
const UNSUPPORTED = '/unsupported-version';

/** How many unknown routes are named at most. */
const MOST_NOTED = 500;

/** A route's name, without ids, and without tokens, which are longer than any word in a path. */
function nameOf(request: FastifyRequest): string {
  const part = (text: string) => (/^@?[a-z][a-z0-9-]{0,30}$/.test(text) ? text : /^\d+$/.test(text) ? ':id' : ':other');
  return `/${pathOf(request).split('/').slice(1, 12).map(part).join('/')}`;
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
