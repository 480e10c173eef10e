// The REST API: authorization, rate limits, errors in Discord's format, and fault injection. The routes are in routes/, by resource.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseVersion } from '../api-versions.ts';
import { DiscordError, discordErrors } from '../errors.ts';
import { registerBodyParsers } from './body.ts';
import { applicationRoutes } from './routes/application.ts';
import { channelRoutes } from './routes/channels.ts';
import { commandRoutes } from './routes/commands.ts';
import { expressionRoutes } from './routes/expressions.ts';
import { guildRoutes } from './routes/guilds.ts';
import { interactionRoutes } from './routes/interactions.ts';
import { memberRoutes } from './routes/members.ts';
import { messageRoutes } from './routes/messages.ts';
import { pinRoutes } from './routes/pins.ts';
import { pollRoutes } from './routes/polls.ts';
import { reactionRoutes } from './routes/reactions.ts';
import { soundboardRoutes } from './routes/soundboard.ts';
import { threadMemberRoutes } from './routes/thread-members.ts';
import { threadRoutes } from './routes/threads.ts';
import { userRoutes } from './routes/users.ts';
import type { Params, RestDependencies } from './types.ts';

const PREFIX = '/api/v10';

/** Where requests for versions that Discord doesn't serve are routed. */
const UNSUPPORTED_VERSION = '/unsupported-version';

/** Keeps the log finite: later unknown routes are not logged. */
const MAX_LOGGED_ROUTES = 500;

export async function registerRest(app: FastifyInstance, dependencies: RestDependencies): Promise<void> {
  const { world, rateLimits, onExchange, log } = dependencies;
  const logged = new Set<string>();

  /** Logs each route once. */
  function refuseUnknownRoute(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const route = `${request.method} ${anonymizePath(request)}`;
    if (!logged.has(route) && logged.size < MAX_LOGGED_ROUTES) {
      logged.add(route);
      log.warn({ route }, 'the bot requested a route that the local Discord does not have');
    }
    return reply.code(404).send(discordErrors.notFound().toJSON());
  }

  await app.register(
    async (api) => {
      await registerBodyParsers(api);
      api.setErrorHandler((error, _request, reply) => {
        const discordError = toDiscordError(error);
        return reply.code(discordError.status).send(discordError.toJSON());
      });
      api.setNotFoundHandler(refuseUnknownRoute);
      api.addHook('onRequest', async (request, reply) => {
        // Interaction callbacks and webhooks are authorized by the token in their path.
        const isOpen = /^\/api\/v10\/(interactions|webhooks)\//.test(request.url) || request.url === `${PREFIX}/gateway`;
        if (!isOpen && request.headers.authorization !== `Bot ${world.application.token}`) throw discordErrors.unauthorized();
        const params = request.params as Params;
        const route = (request.routeOptions.url ?? '').slice(PREFIX.length);
        const { headers, refusal } = rateLimits.consume(request.method, route, params, isOpen);
        reply.headers(headers);
        if (refusal) return reply.code(429).send(refusal);
        if (!Object.entries(params).every(isIdOrToken)) return refuseUnknownRoute(request, reply);
      });
      api.addHook('onSend', async (request, reply) => {
        // Without a charset, as Discord sends it: some libraries parse only bodies of exactly this type.
        if (String(reply.getHeader('content-type')).startsWith('application/json')) reply.header('content-type', 'application/json');
        onExchange({ method: request.method, path: decodePath(request), body: request.body ?? undefined, status: reply.statusCode });
      });
      applicationRoutes(api, dependencies);
      userRoutes(api, dependencies);
      commandRoutes(api, dependencies);
      interactionRoutes(api, dependencies);
      channelRoutes(api, dependencies);
      messageRoutes(api, dependencies);
      pinRoutes(api, dependencies);
      reactionRoutes(api, dependencies);
      pollRoutes(api, dependencies);
      expressionRoutes(api, dependencies);
      threadRoutes(api, dependencies);
      threadMemberRoutes(api, dependencies);
      guildRoutes(api, dependencies);
      memberRoutes(api, dependencies);
      soundboardRoutes(api, dependencies);
      api.all(UNSUPPORTED_VERSION, () => {
        throw discordErrors.invalidVersion();
      });
    },
    { prefix: PREFIX },
  );
}

/**
 * Rewrites a URL of any served version, or of none, to the one under which all routes are registered: the versions don't differ in
 * what is implemented here. https://docs.discord.com/developers/reference#api-versioning
 */
export function rewriteVersion(url: string): string {
  const [, version, rest] = /^\/api(?:\/v(\d+))?(?=[/?]|$)(.*)$/.exec(url) ?? [];
  if (rest === undefined) return url;
  return parseVersion(version) === null ? `${PREFIX}${UNSUPPORTED_VERSION}` : `${PREFIX}${rest}`;
}

/** Keeps `/messages/pins` from being taken for a message with the id `pins` in a route without a handler. */
function isIdOrToken([name, value]: [string, string]): boolean {
  return ['token', 'emoji', '*'].includes(name) || /^\d+$/.test(value) || value === '@me' || value === '@original';
}

/** The path without ids and tokens. Tokens are longer than any word in a path. */
function anonymizePath(request: FastifyRequest): string {
  const anonymize = (part: string) => (/^@?[a-z][a-z0-9-]{0,30}$/.test(part) ? part : /^\d+$/.test(part) ? ':id' : ':other');
  return `/${decodePath(request).split('/').slice(1, 12).map(anonymize).join('/')}`;
}

/** The path without prefix and query; as it is if it cannot be decoded. */
function decodePath({ url }: FastifyRequest): string {
  const path = url.replace(/^\/api\/v10/, '').replace(/\?.*/s, '');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function toDiscordError(error: unknown): DiscordError {
  if (error instanceof DiscordError) return error;
  const { statusCode = 500, message, code } = error as { statusCode?: number; message: string; code?: string };
  if (code === 'FST_REQ_FILE_TOO_LARGE' || statusCode === 413) return discordErrors.tooLarge();
  if (error instanceof SyntaxError || code?.startsWith('FST_ERR_CTP')) return discordErrors.malformed();
  return new DiscordError(statusCode, 0, `${statusCode}: ${message}`);
}
