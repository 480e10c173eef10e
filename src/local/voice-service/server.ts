// The HTTP server: one door for all, one way to say no, the routes of the spec.
import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import multipart from '@fastify/multipart';
import { type FastifyError, type FastifyInstance, type FastifyReply, type FastifyRequest, fastify } from 'fastify';
import type { Logger } from 'pino';
import { guardOrigin, requireKey } from './auth.ts';
import type { Catalogue } from './catalogue.ts';
import type { Engines } from './engines/index.ts';
import { refuse, toRefusal } from './http-error.ts';
import type { Limits } from './limits.ts';
import { lingerThenClose } from './request-body.ts';
import { transcriptionRoute } from './routes/asr.ts';
import { creditRoute } from './routes/credit.ts';
import { mediaRoutes, modelRoute } from './routes/models.ts';
import { speechRoute } from './routes/tts.ts';
import type { Samples } from './samples.ts';
import { endStalls } from './stalled-requests.ts';
import type { Wallet } from './wallet.ts';

export interface ServerParts {
  host: string;
  catalogue: Catalogue;
  wallet: Wallet;
  engines: Engines;
  samples: Samples;
  limits: Limits;
  log: Logger | undefined;
}

export async function createServer(parts: ServerParts): Promise<FastifyInstance> {
  const { host, wallet, limits, log } = parts;
  const app: FastifyInstance = fastify({
    genReqId: () => randomUUID(),
    forceCloseConnections: true,
    // The whole of a request; silence within it is `endStalls`' business.
    requestTimeout: 600_000,
    http: { headersTimeout: 15_000, connectionsCheckingInterval: 5_000 },
    routerOptions: { maxParamLength: 1000, querystringParser: parseQuery },
    clientErrorHandler: answerBadHttp,
    frameworkErrors: (error, request, reply) => answerError(error, request, reply),
  });

  const answerError = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const refusal = toRefusal(error);
    // A call whose client has left ends with an error of some kind; it is none of ours.
    if (refusal.status >= 500 && !request.call?.signal.aborted)
      log?.error({ err: error, requestId: request.id, path: request.routeOptions.url }, 'voice service: a request failed');
    return reply.code(refusal.status).headers(refusal.headers).type('application/json; charset=utf-8').send(JSON.stringify(refusal.body));
  };

  app.decorateRequest('call', null);
  app.setErrorHandler<FastifyError>((error, request, reply) => answerError(error, request, reply));
  app.setNotFoundHandler((request, reply) =>
    answerError(
      refuse(
        404,
        `There is no ${request.method} of this path here. There are GET /model, POST /v1/tts, POST /v1/asr and GET /wallet/self/api-credit.`,
      ),
      request,
      reply,
    ),
  );
  // Bodies are read by the routes, as streams, when it is known that they are wanted.
  app.removeAllContentTypeParsers();
  await app.register(multipart);
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));

  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    reply.raw.once('finish', () => lingerThenClose(request.raw));
  });
  guardOrigin(app, host);
  endStalls(app, limits);
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

  mediaRoutes(app, parts);
  await app.register(async (api) => {
    requireKey(api, wallet, limits);
    modelRoute(api, parts.catalogue);
    speechRoute(api, parts);
    transcriptionRoute(api, parts);
    creditRoute(api, wallet);
  });
  return app;
}

/** Repeated keys become arrays, and `tag[]` is `tag`; a key that stands once stays a string. */
function parseQuery(text: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) {
    const key = name.endsWith('[]') ? name.slice(0, -2) : name;
    const before = query[key];
    query[key] = before === undefined ? value : [before, value].flat();
  }
  return query;
}

/** What is not HTTP, or took too long to become a request: answered on the bare socket. */
function answerBadHttp(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, reason, message] =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? [408, 'Request Timeout', 'The request took too long to arrive. Send it again.']
      : error.code === 'HPE_HEADER_OVERFLOW'
        ? [431, 'Request Header Fields Too Large', 'The headers of the request are too large.']
        : [400, 'Bad Request', 'This is no HTTP request that the service can read.'];
  const body = JSON.stringify({ status, message });
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    () => socket.destroySoon(),
  );
}
