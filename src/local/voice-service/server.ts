// The HTTP server: authentication, errors and the routes of the spec.
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import multipart from '@fastify/multipart';
import { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { Logger } from 'pino';
import { checkOrigin, requireKey } from './auth.ts';
import type { Catalogue } from './catalogue.ts';
import { EngineError, type Engines } from './engines/index.ts';
import { httpError, toHttpError } from './http-error.ts';
import type { Limits } from './limits.ts';
import type { Manners } from './manners.ts';
import type { OwnModels } from './own-models.ts';
import { drainThenClose } from './request-body.ts';
import { asrRoute } from './routes/asr.ts';
import { creditRoute } from './routes/credit.ts';
import { mediaRoutes, modelRoutes } from './routes/models.ts';
import { ttsRoute } from './routes/tts.ts';
import { liveRoute } from './routes/tts-live.ts';
import type { Samples } from './samples.ts';
import { endStalledRequests } from './stalled-requests.ts';
import type { Wallet } from './wallet.ts';
import { acceptWebsockets } from './websocket.ts';

interface ServerOptions {
  readCatalogue(): Promise<Catalogue>;
  /** Null if voices can't be made here. */
  ownModels: OwnModels | null;
  wallet: Wallet;
  engines: Engines;
  samples: Samples;
  limits: Limits;
  manners: Manners;
  /** Milliseconds since 1970. */
  now: () => number;
  log: Logger | undefined;
}

/** Routes have no JSON schemas here, so Fastify needn't load its own compilers of them, which takes tens of milliseconds. */
const noCompiler = () => () => {
  throw new Error('There is no compiler of JSON schemas.');
};

export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const { wallet, limits, manners, log } = options;
  const app: FastifyInstance = fastify({
    genReqId: () => randomUUID(),
    forceCloseConnections: true,
    // For a whole request; `endStalledRequests` ends those that stall sooner.
    requestTimeout: 600_000,
    http: {
      headersTimeout: 15_000,
      connectionsCheckingInterval: 5_000,
      // Any other upgrade, such as to HTTP/2, is declined by answering the request as it is.
      shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
    },
    routerOptions: { maxParamLength: 1000, querystringParser: parseQuery },
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    clientErrorHandler: sendRawError,
    frameworkErrors: (error, request, reply) => sendError(error, request, reply),
  });

  const sendError = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const failure = manners.toError(toHttpError(error), request.routeOptions.url ?? '');
    // A call whose client has left always ends with some error; what keeps an engine behind HTTP from working is logged once, not per call.
    const isKnown = request.call?.signal.aborted || (error instanceof EngineError && error.kind === 'unavailable');
    if (failure.status >= 500 && !isKnown)
      log?.error({ err: error, requestId: request.id, path: request.routeOptions.url }, 'voice service: a request failed');
    return reply.code(failure.status).headers(failure.headers).type('application/json; charset=utf-8').send(JSON.stringify(failure.body));
  };

  app.decorateRequest('call', null);
  app.setErrorHandler<FastifyError>((error, request, reply) => sendError(error, request, reply));
  app.setNotFoundHandler((request, reply) =>
    sendError(
      httpError(
        404,
        `There is no ${request.method} of this path here. There are GET and POST /model, GET, PATCH and DELETE /model/{id}, POST /v1/tts, the websocket /v1/tts/live, POST /v1/asr and GET /wallet/self/api-credit.`,
      ),
      request,
      reply,
    ),
  );
  // The routes read the bodies themselves, as streams, once they know that they want them.
  app.removeAllContentTypeParsers();
  await app.register(multipart);
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));

  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    reply.raw.once('finish', () => drainThenClose(request.raw));
  });
  checkOrigin(app);
  endStalledRequests(app, limits);
  app.addHook('onResponse', async (request, reply) => {
    log?.debug(
      {
        requestId: request.id,
        method: request.method,
        path: request.routeOptions.url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime),
      },
      'voice service: answered',
    );
  });

  mediaRoutes(app, options);
  const openWebsocket = acceptWebsockets(app, limits.speechBodyBytes);
  await app.register(async (api) => {
    requireKey(api, options);
    modelRoutes(api, options);
    ttsRoute(api, options);
    liveRoute(api, openWebsocket, options);
    asrRoute(api, options);
    creditRoute(api, wallet);
  });
  return app;
}

/** Repeated keys become arrays, and `tag[]` is the same as `tag`; a single key stays a string. */
function parseQuery(text: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) {
    const key = name.endsWith('[]') ? name.slice(0, -2) : name;
    const earlier = query[key];
    query[key] = earlier === undefined ? value : [earlier, value].flat();
  }
  return query;
}

/** Answers what is not HTTP, or took too long to become a request, on the bare socket. */
function sendRawError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, reason, message] =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? [408, 'Request Timeout', 'The request took too long to arrive. Send it again.']
      : error.code === 'HPE_HEADER_OVERFLOW'
        ? [431, 'Request Header Fields Too Large', 'The headers of the request are too large.']
        : [400, 'Bad Request', 'This is not an HTTP request that the service can read.'];
  const body = JSON.stringify({ status, message });
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    () => socket.destroySoon(),
  );
}
